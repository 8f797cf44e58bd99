"""Losses and read-outs of the classifier, the language models and the translator."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from positions.errors import InvalidValueError, UnknownNameError
from positions.model import (
    IGNORE,
    Classifier,
    LanguageModel,
    ModelConfig,
    Translator,
    bert_like,
    gpt2_like,
    iwslt_translator,
    next_tokens,
    study_classifier,
)

SIZES = {"width": 16, "heads": 2, "layers": 1, "hidden": 32, "max_length": 20, "dropout": 0.0}
STUDY = study_classifier(30, **SIZES)
BERT = bert_like("small", vocabulary=30, **SIZES)
GPT = gpt2_like("small", vocabulary=30, **SIZES)
IWSLT = iwslt_translator(30, 25, **SIZES)
READOUTS = ("last_padded", "last_real", "first", "mean")


def tokens(rows: int, length: int, seed: int = 1) -> Tensor:
    return torch.randint(0, 25, (rows, length), generator=torch.Generator().manual_seed(seed))


def models(config: ModelConfig, encoding: str = "learned") -> list[Classifier]:
    out = []
    for readout in READOUTS:
        torch.manual_seed(0)
        out.append(Classifier(config, encoding, classes=3, readout=readout))
    return out


@torch.no_grad()
def test_read_outs_take_what_they_name():
    given = tokens(2, 6)
    mask = torch.tensor([[True] * 6, [True] * 4 + [False] * 2])
    hidden = models(STUDY)[0].transformer(given, mask)
    expected = [
        hidden[:, 5],
        torch.stack([hidden[0, 5], hidden[1, 3]]),
        hidden[:, 0],
        torch.stack([hidden[0].mean(0), hidden[1, :4].mean(0)]),
    ]
    for model, vectors in zip(models(STUDY), expected, strict=True):
        torch.testing.assert_close(model(given, mask), model.out(vectors))
    whole = torch.ones_like(mask)
    for model in models(STUDY):
        torch.testing.assert_close(model(given), model(given, whole))


@torch.no_grad()
@pytest.mark.parametrize("encoding", ["nope", "sinusoidal", "learned", "t5", "alibi", "rotary"])
def test_the_studys_read_out_alone_depends_on_the_batch(encoding: str):
    """And it is not constant, as torch's own encoder's zeros at padding would make it."""
    row = tokens(1, 4)
    given = torch.cat([row, tokens(1, 5, seed=2)], dim=1)
    mask = torch.tensor([[True] * 4 + [False] * 5])
    left = torch.cat([tokens(1, 5, seed=2), row], dim=1)
    for model in models(STUDY, encoding):
        alone = model(row)
        if model.readout == "last_padded":
            other = given.clone()
            other[:, :4] = tokens(1, 4, seed=3)
            assert (model(given, mask) - alone).abs().max() > 1e-3
            assert (model(given, mask) - model(other, mask)).abs().max() > 1e-4
        else:
            torch.testing.assert_close(model(given, mask), alone, atol=1e-5, rtol=1e-5)
            torch.testing.assert_close(model(left, mask.flip(1)), alone, atol=1e-5, rtol=1e-5)


def test_padding_counts_on_in_the_studys_classifier():
    """As in the paper's code: the pad that is read stands at the batch's last position."""
    model = models(STUDY, "learned")[0]
    mask = torch.tensor([[True] * 9, [True] * 4 + [False] * 5])
    model.loss(tokens(2, 9), torch.tensor([0, 2]), mask).backward()
    gradient = model.transformer.placement.distinct()[0].table.grad
    assert (gradient[:9].abs().sum(1) > 0).all()
    assert (gradient[9:] == 0).all()


@pytest.mark.parametrize("readout", READOUTS)
def test_a_text_all_padding_gives_numbers(readout: str):
    model = Classifier(STUDY, "sinusoidal", classes=3, readout=readout)
    mask = torch.tensor([[True] * 4, [False] * 4])
    loss = model.loss(tokens(2, 4), torch.tensor([0, 1]), mask)
    loss.backward()
    assert loss.isfinite()
    assert all(p.grad.isfinite().all() for p in model.parameters())


def test_classifier_loss_is_cross_entropy_and_checks_its_labels():
    model = models(STUDY)[0]
    given, labels = tokens(3, 5), torch.tensor([0, 2, 1])
    logits = model(given)
    expected = -logits.log_softmax(-1)[range(3), labels].mean()
    torch.testing.assert_close(model.loss(given, labels), expected)
    for wrong, said in (
        (torch.tensor([0, 3, 1]), "labels hold 3; valid are 0 to 2"),
        (torch.tensor([0, -1, 1]), "labels hold -1"),
        (torch.tensor([0, IGNORE, 1]), "A text has no label"),
        (torch.tensor([0, 1]), r"of shape \(3,\)"),
        (torch.tensor([0.0, 1.0, 1.0]), "must be torch.int64"),
    ):
        with pytest.raises(InvalidValueError, match=said):
            model.loss(given, wrong)
    with pytest.raises(InvalidValueError, match="Labels: list given"):
        model.loss(given, given.tolist())
    with pytest.raises(InvalidValueError, match="Tokens: list given"):
        model.loss(given.tolist(), given)
    with pytest.raises(UnknownNameError, match="Unknown read-out 'last'"):
        Classifier(STUDY, "nope", classes=3, readout="last")  # type: ignore[arg-type]
    with pytest.raises(InvalidValueError, match="classes is 1"):
        Classifier(STUDY, "nope", classes=1)


@pytest.mark.parametrize("config", [GPT, BERT], ids=["causal", "masked"])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_a_loss_on_chosen_tokens_is_the_loss_on_all_but_the_ignored(
    config: ModelConfig, smoothing: float
):
    model = LanguageModel(config, "alibi")
    given = tokens(3, 8)
    mask = torch.ones_like(given, dtype=torch.bool)
    mask[1, 6:] = False
    labels = torch.where(tokens(3, 8, seed=4) % 3 == 0, tokens(3, 8, seed=5), IGNORE)
    labels[~mask] = IGNORE
    logits = model(given, mask)
    expected = functional.cross_entropy(
        logits.flatten(0, 1), labels.flatten(), ignore_index=IGNORE, label_smoothing=smoothing
    )
    loss = model.loss(given, labels, mask, smoothing=smoothing)
    torch.testing.assert_close(loss, expected)
    chosen = labels != IGNORE
    torch.testing.assert_close(model(given, mask, chosen=chosen), logits[chosen])


def test_labels_of_a_causal_model_are_the_tokens_after():
    given = torch.tensor([[5, 6, 7, 8], [1, 2, 3, 4]])
    target = torch.tensor([[True, False, True, True], [False, True, False, False]])
    labels = next_tokens(given, target)
    assert labels.tolist() == [[IGNORE, 7, 8, IGNORE], [2, IGNORE, IGNORE, IGNORE]]


def test_language_model_labels_are_checked():
    model, given = LanguageModel(GPT, "nope"), tokens(2, 4)
    ignored = torch.full_like(given, IGNORE)
    for wrong, said in (
        (ignored, "No label to learn from"),
        (given + 30, "valid are 0 to 29, and -100 for 'ignore'"),
        (given[:, :3], r"must be torch.int64 of shape \(2, 4\)"),
    ):
        with pytest.raises(InvalidValueError, match=said):
            model.loss(given, wrong)
    with pytest.raises(InvalidValueError, match="The choice of positions is"):
        model(given, chosen=torch.ones(2, 3, dtype=torch.bool))


@pytest.mark.parametrize("smoothing", [2, -1, float("nan"), "x", True])
def test_a_share_to_smooth_by_is_from_0_to_1(smoothing):
    said = f"smoothing is {smoothing!r}; it must be a .*of at least 0 and at most 1"
    given = tokens(2, 4)
    with pytest.raises(InvalidValueError, match=said):
        LanguageModel(GPT, "nope").loss(given, given, smoothing=smoothing)
    with pytest.raises(InvalidValueError, match=said):
        Translator(IWSLT, "nope", "nope").loss(given, given, given, smoothing=smoothing)


def test_translator_loss_and_its_vocabularies():
    model = Translator(IWSLT, "learned", "learned")
    source, target = tokens(2, 6) + 5, tokens(2, 5)
    target_mask = torch.tensor([[True] * 5, [True] * 3 + [False] * 2])
    labels = torch.where(target_mask, target.roll(-1, 1), IGNORE)
    logits = model(source, target, target_mask=target_mask)
    assert logits.shape == (2, 5, 25)
    expected = functional.cross_entropy(logits.flatten(0, 1), labels.flatten(), label_smoothing=0.1)
    torch.testing.assert_close(model.loss(source, target, labels, smoothing=0.1), expected)
    with pytest.raises(InvalidValueError, match="encoder read 2 texts and the decoder is given 1"):
        model(source, target[:1])
    with pytest.raises(InvalidValueError, match="vocabulary has 25 tokens"):
        model(source, target + 25)
    with pytest.raises(InvalidValueError, match="vocabulary has 30 tokens"):
        model(source + 30, target)


@torch.no_grad()
def test_padding_of_a_source_changes_no_translation():
    for encoding in ("learned", "t5", "alibi", "rotary"):
        model = Translator(IWSLT, encoding, encoding).eval()
        source, target = tokens(1, 6), tokens(1, 5)
        padded = torch.cat([tokens(1, 3, seed=8), source, tokens(1, 2, seed=9)], dim=1)
        mask = torch.tensor([[False] * 3 + [True] * 6 + [False] * 2])
        expected = model(source, target)
        torch.testing.assert_close(model(padded, target, mask), expected, atol=1e-5, rtol=1e-5)
        nothing = model(padded, target, torch.zeros_like(mask))
        assert nothing.isfinite().all()
