"""One model in which encodings take turns, so that nothing but the encoding differs."""

from __future__ import annotations

import multiprocessing
import tempfile
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from pathlib import Path

import torch
from filelock import FileLock

from positions.analysis.timing import Action, in_turns, peak_memory, seconds
from positions.experiments.efficiency.config import NONE, EfficiencyConfig
from positions.model import LanguageModel, generate
from positions.model.attend import using
from positions.model.placement import Placement
from positions.training import OutOfMemoryError, seeded
from positions.training.device import pick_device

_OUT_OF_MEMORY = (torch.OutOfMemoryError, MemoryError)
RATE = 1e-5
"""Learning rate of the steps that are timed: the weights hardly move."""


class Host:
    """A decoder, a batch of random tokens, and the encodings that it can bear."""

    def __init__(self, config: EfficiencyConfig) -> None:
        self.config = config
        self.device = pick_device(config.device)
        sizes = config.model()
        with seeded(0):
            self.model = LanguageModel(sizes, NONE).to(self.device)
            placed = {text: Placement(spec, sizes) for text, spec in config.specs().items()}
            drawn = torch.randint(sizes.vocabulary, (config.batch, config.length + 1))
        self.encodings = {text: each.to(self.device) for text, each in placed.items()}
        self.tokens, self.targets = (
            part.contiguous().to(self.device) for part in (drawn[:, :-1], drawn[:, 1:])
        )
        modules = (self.model, *self.encodings.values())
        weights = [weight for module in modules for weight in module.parameters()]
        self.optimizer = torch.optim.AdamW(weights, lr=RATE, fused=True)

    def milliseconds(self) -> dict[str, list[float]]:
        """Return the time of each call of the phase, by encoding and round."""
        turns = {text: self._turn(text) for text in self.encodings}
        in_turns(turns, self.config.warmups)
        found = in_turns(turns, self.config.rounds)
        return {text: [1e3 * each for each in times] for text, times in found.items()}

    def peak_bytes(self) -> dict[str, int]:
        """Return the most bytes that a call holds beyond weights and the optimizer's state.

        Nothing of generation on a CPU: to watch each tensor takes ten times as long as to generate.
        """
        found: dict[str, int] = {}
        if self.config.phase == "generation" and self.device.type == "cpu":
            return found
        for text in self.encodings:
            self._bear(text)
            found[text] = peak_memory(self.action(), self.device)
        return found

    def action(self) -> Action:
        """Return what is timed."""
        return {
            "forward": self._forward,
            "training": self._step,
            "generation": self._generate,
        }[self.config.phase]

    def _turn(self, text: str) -> Callable[[], float]:
        def turn() -> float:
            self._bear(text)
            return seconds(self.action(), self.device)

        return turn

    def _bear(self, text: str) -> None:
        """Put an encoding into the model in the place of the one before."""
        self.model.transformer.placement = self.encodings[text]

    @torch.no_grad()
    def _forward(self) -> None:
        self.model.eval()
        self.model(self.tokens)

    def _step(self) -> None:
        self.model.train()
        self.model.loss(self.tokens, self.targets).backward()
        self.optimizer.step()
        self.optimizer.zero_grad()

    def _generate(self) -> None:
        generate(self.model, self.tokens[:, :1], end=None, max_new=self.config.length)


@contextmanager
def measuring(config: EfficiencyConfig) -> Iterator[Host]:
    """Give the host, alone among the workers of a sweep, with the attention asked for.

    Raises `OutOfMemoryError` where memory does not suffice.
    """
    attention: AbstractContextManager[None] = nullcontext()
    if config.attention == "written":
        attention = using("written")
    try:
        with _alone(), attention:
            yield Host(config)
    except (RuntimeError, MemoryError) as error:
        if not (isinstance(error, _OUT_OF_MEMORY) or "allocate memory" in str(error)):
            raise
        raise OutOfMemoryError(
            f"Out of memory: {config.phase} of {config.batch} x {config.length} tokens, "
            f"{config.layers} layers of width {config.width}, does not fit on {config.machine}. "
            "Choose a smaller length or batch."
        ) from error


@contextmanager
def _alone() -> Iterator[None]:
    """Let the workers of a sweep measure one after the other: two at once would disturb both."""
    sweep = multiprocessing.parent_process()
    lock: AbstractContextManager[object] = nullcontext()
    if sweep is not None:
        path = Path(tempfile.gettempdir()) / f"positions-measuring-{sweep.pid}.lock"
        with suppress(OSError):  # nowhere to put a lock: then they measure as they come
            lock = FileLock(path).acquire()
    with lock:
        yield
