"""Generation writes what forward passes without a cache would, whatever the batch."""

from __future__ import annotations

import itertools

import pytest
import torch
from torch import Tensor, nn

from positions.encodings import Encoding
from positions.errors import InvalidValueError
from positions.model import (
    LanguageModel,
    ModelConfig,
    Translator,
    TranslatorConfig,
    generate,
    iwslt_translator,
    lengen_decoder,
    translate,
)

END = 3
SIZES = {"vocabulary": 12, "width": 24, "heads": 4, "layers": 2, "hidden": 48, "max_length": 40}
CONFIG = lengen_decoder("small", **SIZES, dropout=0.1)


class Reading(Encoding):
    """A bias that depends on queries, keys and distance."""

    bias_reads_content = True

    def bias(self, q: Tensor | None, k: Tensor | None, q_ids: Tensor, k_ids: Tensor) -> Tensor:
        assert q is not None and k is not None
        distance = (q_ids[:, None, :, None] - k_ids[:, None, None, :]).float()
        return -distance * (q.sum(-1)[..., None] + k.sum(-1)[..., None, :]).float().sigmoid()


def encodings() -> dict:
    return {
        "nope": "nope",
        "sinusoidal": "sinusoidal",
        "learned": ("learned", {"std": 1.0}),
        "t5": ("t5", {"buckets": 8, "max_distance": 10, "std": 1.0}),
        "alibi": "alibi",
        "rotary": "rotary",
        "hybrid": ["rotary", ("learned", {"std": 1.0})],
        "reading": Reading(24, 4, 40),
    }


every_encoding = pytest.mark.parametrize("name", encodings())


def strong(model: nn.Module) -> nn.Module:
    torch.manual_seed(3)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() == 2 and "placement" not in name:
                weight.normal_(std=0.5)
    return model


def make(name: str, config: ModelConfig = CONFIG) -> LanguageModel:
    return strong(LanguageModel(config, encodings()[name]))


def rows() -> list[Tensor]:
    generator = torch.Generator().manual_seed(5)
    return [torch.randint(4, 12, (n,), generator=generator) for n in (6, 1, 9, 4)]


def padded(side: str) -> tuple[Tensor, Tensor]:
    given = torch.full((4, 11), 7)
    mask = torch.zeros(4, 11, dtype=torch.bool)
    for n, row in enumerate(rows()):
        start = {"left": 11 - len(row), "right": 0, "middle": n % 3}[side]
        given[n, start : start + len(row)] = row
        mask[n, start : start + len(row)] = True
    return given, mask


@torch.no_grad()
def by_hand(model: LanguageModel, row: Tensor, new: int, end: int | None = END) -> list[int]:
    """Greedy decoding of one text: a whole forward pass for each token."""
    model.eval()
    written: list[int] = []
    while len(written) < new:
        text = torch.cat([row, torch.tensor(written, dtype=torch.int64)])[None]
        token = int(model(text)[0, -1].argmax())
        if token == end:
            break
        written.append(token)
    return written


@every_encoding
def test_greedy_writes_what_whole_forward_passes_give(name: str):
    """Any side of padding, with a cache or without, alone or in a batch: the same tokens."""
    model = make(name)
    expected = [by_hand(model, row, 14) for row in rows()]
    assert len({tuple(one) for one in expected}) > 1
    for side, use_cache in itertools.product(("left", "right", "middle"), (True, False)):
        given, mask = padded(side)
        out = generate(model, given, mask, end=END, max_new=14, use_cache=use_cache)
        assert out.rows() == expected, (side, use_cache)
    for row, one in zip(rows(), expected, strict=True):
        assert generate(model, row[None], end=END, max_new=14).rows() == [one]


@pytest.mark.parametrize(
    "name", [name for name in encodings() if name not in ("learned", "hybrid")]
)
def test_greedy_goes_past_the_length_that_the_model_was_made_for(name: str):
    model = make(name, CONFIG.changed(max_length=8))
    row = rows()[0]
    out = generate(model, row[None], end=None, max_new=30)
    assert out.tokens.shape == (1, 30)
    assert out.rows()[0] == by_hand(model, row, 30, end=None)


def test_past_a_learned_table_is_an_error_for_the_row_that_needs_it_alone():
    """A row that has ended, or is padded, counts no further."""
    model = make("learned", CONFIG.changed(max_length=12))
    with pytest.raises(InvalidValueError, match="learned table has 12 rows"):
        generate(model, rows()[0][None], end=None, max_new=8)
    given, mask = padded("left")
    # 9 + 3 tokens fill the table; the short rows could go on
    out = generate(model, given, mask, end=None, max_length=12)
    assert out.mask.sum(1).tolist() == [6, 11, 3, 8]


def test_limits_count_new_tokens_and_real_ones():
    model = make("nope")
    given, mask = padded("left")
    out = generate(model, given, mask, end=None, max_new=7, max_length=10)
    assert out.mask.sum(1).tolist() == [4, 7, 1, 6]
    assert not out.ended.any()
    assert generate(model, given, mask, end=None, max_length=9).mask.sum(1).tolist() == [3, 8, 0, 5]
    nothing = generate(model, rows()[2][None], end=None, max_length=5)
    assert nothing.tokens.shape == (1, 0)
    assert nothing.rows() == [[]]


def test_each_row_stops_at_its_own_end_of_text():
    """The end is the last token written, and rows() leaves it out."""
    model = make("rotary")
    given, mask = padded("left")
    free = generate(model, given, mask, end=None, max_new=20)
    stop = int(free.tokens[0, 4])
    out = generate(model, given, mask, end=stop, max_new=20)
    for n in range(4):
        row = free.tokens[n].tolist()
        expected = row[: row.index(stop)] if stop in row else row
        assert out.rows()[n] == expected
        assert bool(out.ended[n]) == (stop in row)
        written = out.tokens[n][out.mask[n]].tolist()
        assert written == expected + [stop] * (stop in row)


@torch.no_grad()
def test_scores_are_log_probabilities_of_what_was_written():
    model = make("alibi")
    given, mask = padded("left")
    out = generate(model, given, mask, end=END, max_new=8)
    model.eval()
    for n, row in enumerate(rows()):
        written = out.tokens[n][out.mask[n]]
        logits = model(torch.cat([row, written])[None])[0, len(row) - 1 : -1]
        expected = logits.log_softmax(-1).gather(1, written[:, None]).sum()
        torch.testing.assert_close(out.scores[n], expected, atol=1e-4, rtol=1e-4)


def test_dropout_is_off_while_writing_and_on_again_after():
    model = make("nope").train()
    one, other = (generate(model, rows()[0][None], end=None, max_new=9) for _ in range(2))
    assert torch.equal(one.tokens, other.tokens)
    assert model.training


# Beam search


@torch.no_grad()
def best_by_trying_all(
    model: LanguageModel, row: Tensor, new: int, penalty: float
) -> tuple[list[int], float]:
    """The best continuation of all that end, or fill the limit, by trying each of them."""
    model.eval()
    best: tuple[float, list[int]] = (-float("inf"), [])
    vocabulary = model.config.vocabulary
    for length in range(1, new + 1):
        for words in itertools.product(range(vocabulary), repeat=length):
            ended = words[-1] == END
            if END in words[:-1] or (length < new and not ended):
                continue
            text = torch.cat([row, torch.tensor(words)])[None]
            logits = model(text)[0, len(row) - 1 : -1].log_softmax(-1)
            score = float(logits[range(length), list(words)].sum()) / length**penalty
            best = max(best, (score, list(words)))
    return best[1], best[0]


@pytest.mark.parametrize("penalty", [0.0, 1.0])
@pytest.mark.parametrize("name", ["t5", "rotary"])
def test_a_beam_wide_enough_finds_the_best_of_all(name: str, penalty: float):
    model = make(name, CONFIG.changed(vocabulary=5))
    for row in (torch.tensor([4, 1]), torch.tensor([0, 2, 2])):
        expected, score = best_by_trying_all(model, row, 3, penalty)
        out = generate(model, row[None], end=END, max_new=3, beams=125, length_penalty=penalty)
        assert out.tokens[0][out.mask[0]].tolist() == expected
        assert abs(float(out.scores[0]) - score) < 1e-4


@every_encoding
def test_beams_do_not_depend_on_padding_batch_or_cache(name: str):
    model = make(name)
    expected = [
        generate(model, row[None], end=END, max_new=9, beams=3, use_cache=False) for row in rows()
    ]
    for side, use_cache in itertools.product(("left", "right"), (True, False)):
        given, mask = padded(side)
        out = generate(model, given, mask, end=END, max_new=9, beams=3, use_cache=use_cache)
        assert out.rows() == [one.rows()[0] for one in expected], (side, use_cache)
        scores = torch.cat([one.scores for one in expected])
        torch.testing.assert_close(out.scores, scores, atol=1e-4, rtol=1e-4)


def test_more_beams_find_no_worse_a_continuation():
    """Without a length penalty the score is the log-probability itself."""
    model = make("alibi")
    given, mask = padded("left")
    greedy = generate(model, given, mask, end=None, max_new=6)
    beam = generate(model, given, mask, end=None, max_new=6, beams=8, length_penalty=0.0)
    assert (beam.scores >= greedy.scores - 1e-5).all()
    assert (beam.scores > greedy.scores + 1e-3).any()


# Translation

TRANSLATORS = {
    "iwslt": iwslt_translator(12, 12, **{k: SIZES[k] for k in SIZES if k != "vocabulary"}),
    "t5": TranslatorConfig(encoder=CONFIG.changed(causal=False), decoder=CONFIG),
}


@pytest.mark.parametrize("host", TRANSLATORS)
@every_encoding
@torch.no_grad()
def test_translations_are_those_of_whole_forward_passes(name: str, host: str):
    model = strong(Translator(TRANSLATORS[host], encodings()[name], encodings()[name])).eval()
    expected = []
    for source in rows():
        written: list[int] = []
        while len(written) < 9 and END not in written:
            target = torch.tensor([[2, *written]])
            written.append(int(model(source[None], target)[0, -1].argmax()))
        expected.append([token for token in written if token != END])
    for side, use_cache in itertools.product(("left", "right"), (True, False)):
        given, mask = padded(side)
        options = {"start": 2, "end": END, "max_new": 9, "use_cache": use_cache}
        assert translate(model, given, mask, **options).rows() == expected, (side, use_cache)
        alone = [translate(model, row[None], **options, beams=3).rows()[0] for row in rows()]
        assert translate(model, given, mask, **options, beams=3).rows() == alone


# What is refused


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({}, "Give max_new"),
        ({"max_new": 0}, "max_new is 0"),
        ({"max_length": 2.5}, "max_length is 2.5"),
        ({"max_new": 3, "beams": 0}, "beams is 0"),
        ({"max_new": 3, "end": 12}, "end .*is 12; .*0 to 11"),
        ({"max_new": 3, "end": True}, "end .*is True; .*0 to 11"),
        ({"max_new": 3, "end": "x"}, "end .*is 'x'; .*0 to 11"),
        ({"max_new": 3, "length_penalty": float("nan")}, "length_penalty is nan; .*finite number"),
        ({"max_new": 3, "length_penalty": "x"}, "length_penalty is 'x'; it must be a number"),
        ({"max_new": 3, "use_cache": 1}, "use_cache is 1; it must be True or False"),
    ],
)
def test_wrong_options_are_refused(options: dict, said: str):
    with pytest.raises(InvalidValueError, match=said):
        generate(make("nope"), rows()[0][None], **{"end": END, **options})


def test_wrong_prompts_are_refused():
    model = make("nope")
    given, mask = padded("left")
    mask[2] = False
    with pytest.raises(InvalidValueError, match="Row 2 of the prompts is all padding"):
        generate(model, given, mask, end=END, max_new=3)
    with pytest.raises(InvalidValueError, match="at least one row"):
        generate(model, given[:0], end=END, max_new=3)
    masked = LanguageModel(CONFIG.changed(causal=False), "nope")
    with pytest.raises(InvalidValueError, match="masked language model cannot continue"):
        generate(masked, given, end=END, max_new=3)
    translator = Translator(TRANSLATORS["t5"], "nope", "nope")
    for start in (12, "x", True):
        with pytest.raises(InvalidValueError, match=f"start .*is {start!r}; .*0 to 11"):
            translate(translator, given, start=start, end=END, max_new=3)
    lists = given.tolist()
    with pytest.raises(InvalidValueError, match=r"Prompts: list given, .*torch\.Tensor"):
        generate(model, lists, end=END, max_new=3)
    with pytest.raises(InvalidValueError, match=r"Mask: list given, .*torch\.Tensor"):
        generate(model, given, mask.tolist(), end=END, max_new=3)
    with pytest.raises(InvalidValueError, match=r"Source: list given, .*torch\.Tensor"):
        translate(translator, lists, start=2, end=END, max_new=3)
