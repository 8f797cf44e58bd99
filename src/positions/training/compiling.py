"""A model that is compiled for its training, where the plan asks for it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from torch import nn

from positions.errors import PositionsError


class CompileError(PositionsError):
    """The model could not be compiled on this machine."""


@contextmanager
def compiled(model: nn.Module, wanted: bool) -> Iterator[None]:
    """Let calls of the model go through `torch.compile`; its weights keep their names.

    What a batch of a new shape costs is paid once. Raises `CompileError` where that fails.
    """
    if not wanted:
        yield
        return
    model.compile()
    try:
        yield
    except Exception as error:
        if not type(error).__module__.startswith(("torch._dynamo", "torch._inductor")):
            raise
        reason = " ".join(str(error).split("\n\n")[0].split()).rstrip(".") or type(error).__name__
        raise CompileError(
            f"The model could not be compiled: {reason}. A C++ compiler is needed, and on a GPU "
            "Triton. Install it, or train without compile=True."
        ) from error
