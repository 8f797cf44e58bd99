"""What padding, packing, length and number format may not change, for every encoding and host."""

from __future__ import annotations

import pytest
import torch
from torch import Tensor, nn

from positions.encodings import build, get
from positions.errors import InvalidValueError
from positions.model import (
    Cache,
    Classifier,
    LanguageModel,
    ModelConfig,
    Trace,
    Transformer,
    Translator,
    TranslatorConfig,
    lengen_decoder,
)

SIZES = {
    "vocabulary": 40,
    "width": 24,
    "heads": 4,
    "layers": 2,
    "hidden": 48,
    "max_length": 64,
    "dropout": 0.0,
}
LENGEN = lengen_decoder("small", **SIZES)
GPT = ModelConfig(**SIZES, activation="gelu_tanh", init="normal")
BERT = ModelConfig(**SIZES, causal=False, norm_place="post", embedding_norm=True)
ENCODINGS = {
    "nope": "nope",
    "sinusoidal": "sinusoidal",
    "learned": ("learned", {"std": 1.0}),
    "t5": ("t5", {"buckets": 8, "max_distance": 10, "std": 1.0}),
    "alibi": "alibi",
    "rotary": "rotary",
    "rotary of a third": ("rotary", {"fraction": 1 / 3, "layout": "half"}),
    "hybrid": ["alibi", ("learned", {"std": 1.0})],
}
HOSTS = {"lengen": LENGEN, "gpt": GPT, "bert": BERT}

every_encoding = pytest.mark.parametrize("encoding", ENCODINGS.values(), ids=ENCODINGS)
every_host = pytest.mark.parametrize("config", HOSTS.values(), ids=HOSTS)


def strong(model: nn.Module) -> nn.Module:
    """Weights large enough that attention, and so position, matters."""
    torch.manual_seed(0)
    with torch.no_grad():
        for name, weight in model.named_parameters():
            if weight.dim() == 2 and "placement" not in name:
                weight.normal_(std=0.4)
    return model.eval()


def tokens(rows: int, length: int, seed: int = 1) -> Tensor:
    return torch.randint(0, 40, (rows, length), generator=torch.Generator().manual_seed(seed))


def padded(rows: list[Tensor], left: list[int], length: int) -> tuple[Tensor, Tensor]:
    """Put each row after `left` pads, and pads after it up to `length`; pads are junk tokens."""
    out = tokens(len(rows), length, seed=2)
    mask = torch.zeros(len(rows), length, dtype=torch.bool)
    for n, (row, start) in enumerate(zip(rows, left, strict=True)):
        out[n, start : start + len(row)] = row
        mask[n, start : start + len(row)] = True
    return out, mask


def close(a: Tensor, b: Tensor, tolerance: float = 1e-5) -> None:
    torch.testing.assert_close(a, b, atol=tolerance, rtol=tolerance)


@every_host
@every_encoding
@torch.no_grad()
def test_five_pads_on_the_left_change_nothing(encoding, config: ModelConfig):
    model = strong(LanguageModel(config, encoding))
    row = tokens(1, 12)
    given, mask = padded([row[0]], [5], 17)
    close(model(given, mask)[:, 5:], model(row))


@every_host
@every_encoding
@torch.no_grad()
def test_no_row_depends_on_its_padding_or_its_batch(encoding, config: ModelConfig):
    model = strong(LanguageModel(config, encoding))
    rows = [tokens(1, n, seed=n)[0] for n in (12, 3, 7, 1)]
    for left in ([0, 0, 0, 0], [3, 12, 8, 14], [1, 5, 0, 9]):
        given, mask = padded(rows, left, 15)
        logits = model(given, mask)
        for n, row in enumerate(rows):
            close(logits[n, mask[n]], model(row[None])[0])


@every_host
@every_encoding
def test_gradients_do_not_see_padding_either(encoding, config: ModelConfig):
    rows = [tokens(1, n, seed=n)[0] for n in (9, 4)]
    grads = []
    for left, length in (([0, 0], 9), ([0, 5], 9), ([2, 3], 13)):
        model = strong(LanguageModel(config, encoding))
        given, mask = padded(rows, left, length)
        labels = torch.where(mask, given, -100)
        model.loss(given, labels, mask).backward()
        grads.append([p.grad for p in model.parameters() if p.grad is not None])
    for other in grads[1:]:
        for a, b in zip(grads[0], other, strict=True):
            close(a, b)


@every_host
@every_encoding
def test_a_row_all_padding_spoils_nothing(encoding, config: ModelConfig):
    model = strong(LanguageModel(config, encoding))
    rows = [tokens(1, 6)[0], tokens(1, 0)[0]]
    given, mask = padded(rows, [2, 0], 9)
    logits = model(given, mask)
    assert logits.isfinite().all()
    close(logits[0, mask[0]], model(rows[0][None])[0])
    model.loss(given, torch.where(mask, given, -100), mask).backward()
    assert all(p.grad.isfinite().all() for p in model.parameters() if p.grad is not None)


@every_host
@every_encoding
@torch.no_grad()
def test_documents_packed_into_one_row_know_nothing_of_each_other(encoding, config: ModelConfig):
    model = strong(LanguageModel(config, encoding))
    first, second, third = (tokens(1, n, seed=n) for n in (5, 8, 4))
    pad = torch.tensor([[0, 0]])
    packed = torch.cat(
        [torch.cat([first, second, pad], 1), torch.cat([second, third, pad, pad[:, :1]], 1)]
    )
    segments = torch.tensor([[1] * 5 + [2] * 8 + [0] * 2, [1] * 8 + [2] * 4 + [0] * 3])
    logits = model(packed, segments=segments)
    for n, (row, start) in enumerate([(first, 0), (second, 5), (second, 0), (third, 8)]):
        close(logits[n // 2, start : start + row.shape[1]], model(row)[0])
    assert logits.isfinite().all()


@every_encoding
@torch.no_grad()
def test_lengths_one_after_another_through_one_module(encoding):
    """512, 513 and 511: a length leaves nothing behind for the next."""
    config = ModelConfig(vocabulary=40, width=8, heads=2, layers=2, hidden=16, max_length=513)
    if encoding == ENCODINGS["rotary of a third"]:
        encoding = ("rotary", {"fraction": 0.5})
    model = strong(LanguageModel(config, encoding))
    row = tokens(1, 513)
    whole = model(row)
    for length in (512, 513, 511):
        close(model(row[:, :length]), whole[:, :length])


@every_encoding
@pytest.mark.parametrize("chunks", [[5, 5], [1] * 10, [4, 1, 3, 2], [7, 3]])
@torch.no_grad()
def test_chunks_through_a_cache_are_one_pass(encoding, chunks: list[int]):
    """At offset 0 then 5; one token at a time; three at once from a cache."""
    for config in (LENGEN, GPT):
        model = strong(LanguageModel(config, encoding))
        row = tokens(2, 10)
        cache = Cache()
        parts = [model(part, cache=cache) for part in row.split(chunks, dim=1)]
        close(torch.cat(parts, dim=1), model(row))


@every_encoding
@torch.no_grad()
def test_chunks_through_a_cache_with_padding(encoding):
    model = strong(LanguageModel(LENGEN, encoding))
    rows = [tokens(1, n, seed=n)[0] for n in (10, 6, 8)]
    for left in ([0, 4, 2], [0, 0, 0], [0, 3, 1]):
        given, mask = padded(rows, left, 10)
        cache = Cache()
        parts = [
            model(part, part_mask if not part_mask.all() else None, cache=cache)
            for part, part_mask in zip(
                given.split([3, 1, 4, 2], 1), mask.split([3, 1, 4, 2], 1), strict=True
            )
        ]
        close(torch.cat(parts, dim=1)[mask], model(given, mask)[mask])


def shifted_by(offset: int, spec, config: ModelConfig):
    """The same encoding, counting from `offset`."""
    name, options = spec if isinstance(spec, tuple) else (spec, {})
    base = get(name)

    class Shifted(base):
        def positions(self, mask: Tensor) -> Tensor:
            return super().positions(mask) + offset

    return Shifted(config.width, config.heads, config.max_length, **options)


@pytest.mark.parametrize("offset", [1_857, 32_000])
@pytest.mark.parametrize("name", ["nope", "t5", "alibi", "rotary", "rotary of a third"])
@torch.no_grad()
def test_relative_encodings_in_bfloat16_do_not_move_far_out(name: str, offset: int):
    """Ids or angles held in bfloat16 would merge neighbours there."""
    row = tokens(1, 20)
    logits = []
    for far in (0, offset):
        model = strong(LanguageModel(LENGEN, shifted_by(far, ENCODINGS[name], LENGEN)))
        logits.append(model.to(torch.bfloat16)(row).float())
    assert logits[0].std() > 0.1
    close(logits[0], logits[1], 0.08 * float(logits[0].std()))


@pytest.mark.parametrize("offset", [1_857, 32_000])
@pytest.mark.parametrize("name", ["sinusoidal", "rotary", "alibi", "t5"])
@torch.no_grad()
def test_a_model_cast_to_bfloat16_stays_near_itself(name: str, offset: int):
    row = tokens(1, 20)
    model = strong(LanguageModel(LENGEN, shifted_by(offset, ENCODINGS[name], LENGEN)))
    exact = model(row)
    close(model.to(torch.bfloat16)(row).float(), exact, 0.12 * float(exact.std()))


@every_encoding
@torch.no_grad()
def test_autocast_stays_near_float32(encoding):
    model = strong(LanguageModel(LENGEN, encoding))
    given, mask = padded([tokens(1, 12)[0], tokens(1, 7)[0]], [0, 5], 12)
    exact = model(given, mask)[mask]
    with torch.autocast("cpu", torch.bfloat16):
        rough = model(given, mask)[mask]
    close(rough.float(), exact, 0.12 * float(exact.std()))


@torch.no_grad()
def test_a_sinusoid_may_have_an_odd_width():
    config = ModelConfig(vocabulary=9, width=15, heads=3, layers=1, hidden=8, max_length=4)
    model = strong(LanguageModel(config, "sinusoidal"))
    row = tokens(1, 8) % 9
    given, mask = padded([row[0]], [3], 11)
    close(model(given % 9, mask)[:, 3:], model(row))


@pytest.mark.parametrize("heads", [6, 12, 20])
@torch.no_grad()
def test_alibi_of_any_number_of_heads_decodes_from_a_cache(heads: int):
    config = LENGEN.changed(width=60, heads=heads)
    model = strong(LanguageModel(config, "alibi"))
    row, cache = tokens(2, 9), Cache()
    parts = [model(part, cache=cache) for part in row.split([5, 1, 3], dim=1)]
    close(torch.cat(parts, dim=1), model(row))


@torch.no_grad()
def test_t5_buckets_at_and_past_the_last():
    """Beyond the largest distance nothing tells two keys apart."""
    model = LanguageModel(LENGEN.changed(layers=1), ("t5", {"buckets": 8, "max_distance": 10}))
    strong(model)
    row = tokens(1, 30)
    swapped = row.clone()
    swapped[:, [0, 1]] = row[:, [1, 0]]
    before, after = model(row)[0], model(swapped)[0]
    assert (before[8] - after[8]).abs().max() > 1e-4  # distances 8 and 7: the last two buckets
    close(before[9:], after[9:])


def test_in_a_translator_relative_encodings_leave_cross_attention_alone():
    """Only positions inside a text count: a rotated source is read alike, word by word."""
    encoder = LENGEN.changed(causal=False)
    config = TranslatorConfig(encoder=encoder, decoder=LENGEN)
    source, target = tokens(1, 8), tokens(1, 5)
    for encoding in (ENCODINGS["t5"], "alibi", "rotary"):
        model = strong(Translator(config, "nope", encoding))
        with torch.no_grad():
            whole = model(source, target)
            close(model(source.roll(3, 1), target), whole)
            # while the target's own order counts
            assert (model(source, target.flip(1))[:, -1] - whole[:, -1]).abs().max() > 1e-3


def test_a_length_past_a_learned_table_is_refused_with_what_to_do():
    model = LanguageModel(GPT, "learned")
    with pytest.raises(InvalidValueError, match=r"64 rows.*Shorten the input"):
        model(tokens(1, 65))
    cache = Cache()
    model(tokens(1, 60), cache=cache)
    model(tokens(1, 4), cache=cache)
    with pytest.raises(InvalidValueError, match="Position 64 is asked for"):
        model(tokens(1, 1), cache=cache)
    # padding does not count
    given, mask = padded([tokens(1, 64)[0]], [6], 70)
    assert model(given, mask).isfinite().all()


def test_positions_of_ones_own_are_asked_for_the_whole_batch():
    """An encoding that counts in its own way gets the mask of every row, also with a cache."""

    class Backwards(get("sinusoidal")):
        def positions(self, mask: Tensor) -> Tensor:
            return (500 - mask.cumsum(1)).masked_fill(~mask, 0)

    seen: list[Tensor] = []

    class Watched(Backwards):
        def positions(self, mask: Tensor) -> Tensor:
            seen.append(mask)
            return super().positions(mask)

    sizes = {"width": 24, "heads": 4, "max_length": 64}
    model = strong(LanguageModel(LENGEN, Watched(**sizes)))
    with torch.no_grad():
        given, mask = padded([tokens(1, 9)[0], tokens(1, 6)[0]], [0, 0], 9)
        whole = model(given, mask)
        assert torch.equal(seen[-1], mask)
        cache = Cache()
        parts = [
            model(part, part_mask, cache=cache)
            for part, part_mask in zip(given.split(3, 1), mask.split(3, 1), strict=True)
        ]
        close(torch.cat(parts, 1)[mask], whole[mask])
        forwards = strong(LanguageModel(LENGEN, build("sinusoidal", **sizes)))
        assert (forwards(given, mask) - whole)[mask].abs().max() > 0.1


def test_a_trace_holds_states_and_attention():
    model = strong(Transformer(LENGEN, "alibi"))
    given, mask = padded([tokens(1, 9)[0], tokens(1, 6)[0]], [0, 3], 9)
    trace = Trace()
    with torch.no_grad():
        out = model(given, mask, trace=trace)
        close(out, model(given, mask))
    assert [tuple(x.shape) for x in trace.states] == [(2, 9, 24)] * 3
    assert [tuple(x.shape) for x in trace.attention] == [(2, 4, 9, 9)] * 2
    for weights in trace.attention:
        rows = weights.transpose(1, 2)[mask]  # (real tokens, heads, keys)
        close(rows.sum(-1), torch.ones(15, 4))
        assert (weights[1, :, 3:, :3] == 0).all()  # padding gets nothing
        assert (weights.triu(1)[0] == 0).all()  # nor what comes later


def test_dropout_acts_in_training_alone():
    model = LanguageModel(LENGEN.changed(dropout=0.2), "nope")
    row = tokens(1, 10)
    assert not torch.equal(model(row), model(row))
    model.eval()
    assert torch.equal(model(row), model(row))


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (tokens(0, 5), "at least one row"),
        (tokens(2, 0), "at least one row"),
        (tokens(1, 5)[0], r"must be \(batch, length\)"),
        (tokens(1, 5) + 40, r"vocabulary has 40 tokens, ids 0 to 39"),
        (tokens(1, 5) - 40, r"hold the id -"),
        (tokens(1, 5).float(), "must be torch.int64"),
    ],
)
def test_tokens_that_do_not_fit_are_refused(given: Tensor, said: str):
    with pytest.raises(InvalidValueError, match=said):
        LanguageModel(LENGEN, "nope")(given)


def test_masks_and_segments_that_do_not_fit_are_refused():
    model, row = LanguageModel(LENGEN, "nope"), tokens(2, 5)
    whole = torch.ones_like(row, dtype=torch.bool)
    for mask in (whole.long(), whole[:1], whole[:, :3]):
        with pytest.raises(InvalidValueError, match=r"must be torch.bool of the tokens' shape"):
            model(row, mask)
    with pytest.raises(InvalidValueError, match="0 for padding, 1, 2"):
        model(row, segments=whole)
    with pytest.raises(InvalidValueError, match="0 for padding, 1, 2"):
        model(row, segments=whole.long() - 2)
    with pytest.raises(InvalidValueError, match="takes no cache"):
        LanguageModel(BERT, "nope")(row, cache=Cache())
    with pytest.raises(InvalidValueError, match="take no mask"):
        model(row, whole, segments=whole.long())
    cache = Cache()
    model(row, cache=cache)
    with pytest.raises(InvalidValueError, match="holds 2 rows and 1 are given"):
        model(row[:1], cache=cache)
    with pytest.raises(InvalidValueError, match="another model"):
        LanguageModel(LENGEN, "nope")(row, cache=cache)
    assert cache.length == row.shape[1], "what was refused left nothing behind"
    with pytest.raises(InvalidValueError, match=r"cache is \{\}; it must be a Cache"):
        model(row, cache={})


def test_shapes_alone_are_enough():
    """On the meta device tensors have no values, and nothing may ask for them."""
    with torch.device("meta"):
        row = torch.zeros(2, 6, dtype=torch.int64)
        mask = torch.ones(2, 6, dtype=torch.bool)
        assert LanguageModel(LENGEN, "t5")(row, mask).shape == (2, 6, 40)
        assert Classifier(BERT, "alibi", classes=3)(row, mask).shape == (2, 3)


@every_encoding
@torch.no_grad()
def test_a_reordered_cache_goes_on_with_the_rows_it_then_holds(encoding):
    model = strong(LanguageModel(LENGEN, encoding))
    rows = [tokens(1, n, seed=n)[0] for n in (7, 4, 6)]
    given, mask = padded(rows, [0, 3, 1], 7)
    cache, order, more = Cache(), torch.tensor([2, 0, 0]), tokens(3, 2)
    model(given, mask, cache=cache)
    cache.reorder(order)
    logits = model(more, cache=cache)
    for n, source in enumerate(order.tolist()):
        alone = model(torch.cat([rows[source], more[n]])[None])
        close(logits[n], alone[0, -2:])
