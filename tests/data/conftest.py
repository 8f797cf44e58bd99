from tests.data.local_hub import cache, local_hub

__all__ = ["cache", "local_hub"]
