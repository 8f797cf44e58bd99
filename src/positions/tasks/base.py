"""What a task is: examples by length, fixed sets, an endless stream, and how to score.

"The paper" is Kazemnejad et al. 2023. Where its text and its code differ, the code is followed.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from positions.checks import check_flag, check_text, check_whole
from positions.errors import InvalidValueError, unknown_name
from positions.tasks import sets
from positions.tasks.draws import Draws
from positions.tasks.examples import Dataset, Example, Sizes
from positions.tasks.shares import exact_shares
from positions.tasks.tokenizer import Tokenizer

Group = Literal["primitive", "mathematical", "classic"]
Split = Literal["train", "validation", "test"]

Bin = tuple[int, ...]
"""What examples are counted by: (length,), or more where a length is reached in several ways."""

MOST_EXAMPLES = 10_000_000
"""The greatest set that is drawn at once, a hundred times the paper's: some gigabytes of text."""

DATA_SEED = 9842497
"""The paper's one seed for all data; its generator, and so its numbers, are not ours."""


@dataclass(frozen=True, kw_only=True)
class Task(ABC):
    """A task: everything follows from its options and a seed, on any machine.

    `shortest` to `longest` are the training lengths, `test_shortest` to `test_longest` the test
    lengths: from `longest` + 1 to twice `longest` unless said otherwise. Raises `InvalidValueError`
    for lengths that hold nothing, overlap or lie outside what the task can do.
    """

    name: str
    shortest: int
    longest: int
    test_shortest: int | None = None
    test_longest: int | None = None

    group: ClassVar[Group]
    sizes: ClassVar[Sizes] = Sizes(train=100_000, test=10_000)
    """The paper's sizes."""
    least: ClassVar[int] = 1
    """The smallest length there is."""
    most: ClassVar[int] = 10_000
    """The greatest length there is; what is longer fills a machine's memory before a model does."""
    repeats: ClassVar[bool] = True
    """Whether an example may come twice in a fixed set; if not, it is drawn without replacement."""
    paper_pieces: ClassVar[Mapping[str, int] | None] = None
    """Into how many pieces T5's tokenizer cuts a token, where not into one; None: not known."""

    def __post_init__(self) -> None:
        for option in ("shortest", "longest", "test_shortest", "test_longest"):
            if getattr(self, option) is not None or not option.startswith("test_"):
                check_whole(f"{self.name}: {option}", getattr(self, option), self.least, self.most)
        self._check_range("train", "shortest", "longest")
        self._check_range("test", "test_shortest", "test_longest")
        first, last = self._range("test")
        check_whole(f"{self.name}: the longest test length", last, self.least, self.most)
        if first <= self.longest:
            raise InvalidValueError(
                f"{self.name}: the test lengths begin at {first} and the training lengths end at "
                f"{self.longest}; they must not overlap. Choose test_shortest={self.longest + 1} "
                "or more."
            )

    def _check_range(self, split: Split, low: str, high: str) -> None:
        """Refuse a range of lengths that nothing lies in."""
        first, last = self._range(split)
        if not self.lengths(split):
            raise InvalidValueError(
                f"{self.name}: nothing has a {split} length between {low}={first} and "
                f"{high}={last}. Choose {low} and {high} further apart, the smaller one first."
            )

    # What a subclass says.

    @abstractmethod
    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw `count` independent examples of a bin."""

    @abstractmethod
    def existing(self, bin: Bin) -> int:
        """Return how many different prompts a bin holds."""

    @abstractmethod
    def texts(self) -> Iterable[str]:
        """Yield texts that hold every symbol the task may use: its vocabulary."""

    @staticmethod
    @abstractmethod
    def matches(text: str, answer: str) -> bool:
        """Say whether a predicted text holds the answer: a function of `tasks.scoring`."""

    def fill(self, bin: Bin, quota: int, draws: Draws) -> list[Example]:
        """Draw a bin of a fixed set: `quota` examples, or what comes nearest."""
        return self.draw(bin, quota, draws)

    def bins(self, split: Split) -> list[Bin]:
        """Return what the examples of a split are counted by."""
        return [(length,) for length in self.lengths(split)]

    def weights(self, split: Split) -> list[int] | None:
        """Return how the examples are spread over `bins`; None for equally."""
        return None

    def pool(self, train: int) -> int:
        """Return how many examples are drawn for training and validation together.

        1.15 times the training size as in the paper's code; the rest is for validation.
        """
        return train * 115 // 100

    def lengths(self, split: Split) -> tuple[int, ...]:
        """Return the lengths of a split; validation has those of training."""
        first, last = self._range(split)
        return tuple(range(first, last + 1))

    @property
    def chance(self) -> float:
        """What guessing the most frequent answer gets on the test lengths."""
        return 0.0

    # What everyone may use.

    @property
    def training_lengths(self) -> tuple[int, ...]:
        """The lengths that are trained on."""
        return self.lengths("train")

    @property
    def test_lengths(self) -> tuple[int, ...]:
        """The lengths that are tested on; none of them is trained on."""
        return self.lengths("test")

    def dataset(
        self, seed: int = DATA_SEED, sizes: Sizes | None = None, distinct: bool = False
    ) -> Dataset:
        """Draw the fixed sets as the paper's code does; `sizes` defaults to the paper's.

        Training and validation are one pool of 1.15 times the training size, equally many of each
        bin, shuffled and cut. The test set has equally many of each of its bins. Remainders are
        left out, so that both may be slightly smaller than asked for; the training set never is.

        The paper removes no duplicates: at short lengths the validation set lies within the
        training set. With `distinct` no prompt comes twice in the three sets together; a bin with
        too few different prompts gives all it has, and the others more.

        Raises `InvalidValueError` where fewer examples exist than are asked for.
        """
        check_whole("seed", seed, 0)
        check_flag("distinct", distinct)
        train, test = _checked(self.sizes if sizes is None else sizes)
        pool = sets.pool(self, seed, train, distinct)
        return Dataset(pool[:train], pool[train:], sets.test(self, seed, test, distinct))

    def examples(self, split: Split, seed: int, size: int) -> list[Example]:
        """Draw exactly `size` examples of one split, as equally over the bins as can be.

        The draws are independent: an example may come twice, and a short one may be in several
        splits. Use `dataset` to keep them apart. Raises `UnknownNameError` for an unknown split and
        `InvalidValueError` for a bad seed or size.
        """
        if split not in get_args(Split):
            raise unknown_name("split", split, get_args(Split))
        check_whole("seed", seed, 0)
        check_whole("size", size, 1, MOST_EXAMPLES)
        bins = self.bins(split)
        quotas = exact_shares(size, self.weights(split) or [1] * len(bins))
        return self._mixed(bins, quotas, Draws(seed, f"{split} examples"))

    def stream(self, seed: int, step: int, batch: int) -> list[Example]:
        """Draw the `batch` training examples of one step, their lengths at random as well.

        Endless and without memory: what a step gets depends on `seed` and `step` alone, so that a
        resumed run sees what an uninterrupted one would have. The stream knows nothing of fixed
        sets. Raises `InvalidValueError` for a bad seed, step or batch.
        """
        check_whole("seed", seed, 0)
        check_whole("step", step, 0)
        check_whole("batch", batch, 1, MOST_EXAMPLES)
        draws = Draws(seed, "stream", step)
        bins = self.bins("train")
        chosen = draws.weighted(self.weights("train") or [1] * len(bins), batch).tolist()
        return self._mixed(bins, [chosen.count(each) for each in range(len(bins))], draws)

    def score(self, prediction: str, example: Example) -> bool:
        """Say whether a text that a model produced gives the example's answer.

        Parsed as in the paper. The prompt may stand before it or not. Raises `InvalidValueError`
        for what is no text or no example.
        """
        check_text("prediction", prediction)
        if not isinstance(example, Example):
            raise InvalidValueError(
                f"example is {example!r}; it must be a positions.tasks.Example."
            )
        return self.matches(prediction, example.answer)

    def tokenizer(self, paper_lengths: bool = False) -> Tokenizer:
        """Return the task's own tokenizer: one symbol, one token.

        With `paper_lengths`, what T5's tokenizer cuts in pieces takes as many tokens, so that
        sequences are as long as in the paper's records. Raises `InvalidValueError`
        for a task whose lengths the paper's records do not give.
        """
        if not paper_lengths:
            return Tokenizer(self.texts())
        if self.paper_pieces is None:
            raise InvalidValueError(
                f"The paper's token counts for {self.name} are not known; they are for copying, "
                "reversing, addition, summation, SCAN and PCFG. Leave paper_lengths out."
            )
        return Tokenizer(self.texts(), self.paper_pieces)

    def _range(self, split: Split) -> tuple[int, int]:
        """Return the first and the last length of a split, as asked for."""
        if split != "test":
            return self.shortest, self.longest
        first = self.longest + 1 if self.test_shortest is None else self.test_shortest
        last = 2 * self.longest if self.test_longest is None else self.test_longest
        return first, last

    def _mixed(self, bins: list[Bin], quotas: list[int], draws: Draws) -> list[Example]:
        """Draw from each bin what it is to give, in random order."""
        found = [
            example
            for each, quota in zip(bins, quotas, strict=True)
            if quota
            for example in self.draw(each, quota, draws)
        ]
        return [found[each] for each in draws.permutation(len(found))]


def _checked(sizes: Sizes) -> Sizes:
    if not isinstance(sizes, Sizes):
        raise InvalidValueError(
            f"The sizes are {sizes!r}; give positions.tasks.Sizes(train=..., test=...)."
        )
    check_whole("the training size", sizes.train, 1, MOST_EXAMPLES)
    check_whole("the test size", sizes.test, 1, MOST_EXAMPLES)
    return sizes


@dataclass(frozen=True, kw_only=True)
class CountableTask(Task):
    """A task whose bins can be counted through; its fixed sets hold no example twice."""

    repeats: ClassVar[bool] = False

    @abstractmethod
    def make(self, bin: Bin, number: int) -> Example:
        """Return example `number` of a bin, 0 <= number < existing(bin)."""

    def draw(self, bin: Bin, count: int, draws: Draws) -> list[Example]:
        """Draw with replacement."""
        numbers = draws.integers(0, self.existing(bin), count).tolist()
        return [self.make(bin, number) for number in numbers]

    def fill(self, bin: Bin, quota: int, draws: Draws) -> list[Example]:
        """Draw without replacement."""
        numbers = draws.permutation(self.existing(bin))[:quota]
        return [self.make(bin, number) for number in numbers]
