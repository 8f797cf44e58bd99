"""SCAN: every command with its actions, and the split by length of actions."""

from positions.data.resources import Resource, Url

REVISION = "c4b756cbc010d75c912f16c42c8f15dc6b7e6c8f"
BASE = f"https://raw.githubusercontent.com/brendenlake/SCAN/{REVISION}"


def _scan(file: str, description: str, sha256: str) -> Resource:
    return Resource(
        path=f"scan/{file}",
        description=description,
        licence="BSD",
        sha256=sha256,
        source=Url(f"{BASE}/{file}"),
    )


RESOURCES = [
    _scan(
        "tasks.txt",
        "SCAN, all commands",
        "d824c7d9e9149ba497e25f701981dac79954e04bf670d22e5c209f076ac6c89f",
    ),
    _scan(
        "length_split/tasks_train_length.txt",
        "SCAN, the length split's training part",
        "b034212dc7cf87ce62f3a067dd6ad49c4d5cd18d51d615d13825516bcb1ebbc2",
    ),
    _scan(
        "length_split/tasks_test_length.txt",
        "SCAN, the length split's test part",
        "0760752ed34a75116ae11dcc1ee17526b7500060da1366540730fa24894d7db3",
    ),
]
