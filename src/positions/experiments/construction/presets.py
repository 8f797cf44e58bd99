"""Which constructions belong to a scale. The theorems have none: all but `smoke` are one grid."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from positions.analysis.theory.absolute import QUERIES
from positions.analysis.theory.decoder import Norm, Precision
from positions.analysis.theory.hinges import FACINGS
from positions.experiments.construction.config import ConstructionConfig

PRECISIONS: tuple[Precision, ...] = ("float64", "float32", "bfloat16")
NORMS: tuple[Norm, ...] = ("rms", "layer")


@dataclass(frozen=True)
class Grid:
    """What is built: every N up to `longest` exactly, by seed; some N alone, by number format; and
    one N under each norm, by the norm's constant.
    """

    longest: int = 512
    seeds: int = 3
    alone: Sequence[int] = (8, 32, 128, 512, 2048)
    normed: int = 64
    constants: Sequence[float] = (10.0, 100.0, 1e3, 1e4)

    def exact(self) -> Iterator[ConstructionConfig]:
        """Yield both theorems in float64 without a norm; theorem 2, dear, for each N once."""
        for seed in range(self.seeds):
            for facing in FACINGS:
                yield ConstructionConfig(
                    theorem="absolute", longest=self.longest, facing=facing, seed=seed
                )
            shortest = self.longest if seed else 1
            yield ConstructionConfig(
                theorem="relative", shortest=shortest, longest=self.longest, seed=seed
            )

    def rounded(self) -> Iterator[ConstructionConfig]:
        """Yield theorem 1 in each number format."""
        for length in self.alone:
            for precision in PRECISIONS:
                for facing in FACINGS:
                    yield ConstructionConfig(
                        theorem="absolute",
                        shortest=length,
                        longest=length,
                        precision=precision,
                        facing=facing,
                    )

    def under_norms(self) -> Iterator[ConstructionConfig]:
        """Yield both theorems under each norm, theorem 1 by what its queries read."""
        for norm in NORMS:
            for large in self.constants:
                plain = ConstructionConfig(
                    theorem="absolute",
                    shortest=self.normed,
                    longest=self.normed,
                    norm=norm,
                    large=large,
                )
                for queries in QUERIES:
                    yield plain.changed(queries=queries)
                yield plain.changed(theorem="relative")

    def configs(self) -> list[ConstructionConfig]:
        """Return all of it."""
        return [*self.exact(), *self.rounded(), *self.under_norms()]


SMOKE = Grid(longest=8, seeds=1, alone=(4, 16), normed=8, constants=(1e3, 1e4))

PRESETS: dict[str, Callable[[], Sequence[ConstructionConfig]]] = {
    "smoke": SMOKE.configs,
    "laptop": Grid().configs,
    "gpu": Grid().configs,
    "paper": Grid().configs,
}
