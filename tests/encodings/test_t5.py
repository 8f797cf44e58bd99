import pytest
import torch
from transformers import T5Config
from transformers.models.t5.modeling_t5 import T5Attention

from positions.encodings import build
from positions.encodings.t5 import bucket
from positions.errors import InvalidValueError


@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize(("buckets", "reach"), [(32, 128), (32, 20), (8, 16), (64, 1000), (6, 40)])
def test_buckets_are_those_of_hugging_face(bidirectional, buckets, reach):
    distance = torch.arange(-2000, 2001)
    theirs = T5Attention._relative_position_bucket(-distance, bidirectional, buckets, reach)
    assert torch.equal(bucket(distance, buckets, reach, bidirectional), theirs)


@pytest.mark.parametrize("bidirectional", [False, True])
def test_bias_is_that_of_hugging_face(bidirectional):
    config = T5Config(d_model=24, num_heads=6, d_kv=4, is_decoder=not bidirectional)
    theirs = T5Attention(config, has_relative_attention_bias=True)
    ours = build("t5", width=24, heads=6, max_length=300, bidirectional=bidirectional)
    ours.bias_table.data.copy_(theirs.relative_attention_bias.weight.data)
    ids = torch.arange(300)[None]
    assert torch.equal(ours.bias(None, None, ids, ids), theirs.compute_bias(300, 300))


def test_a_table_of_known_buckets():
    """The staircase of 32 buckets reaching 128: 16 steps of one, then ever wider ones."""
    steps = bucket(torch.arange(200)).tolist()
    assert steps[:16] == list(range(16))
    starts = [steps.index(number) for number in range(16, 32)]
    assert starts == [16, 19, 21, 24, 27, 31, 35, 40, 46, 52, 59, 67, 77, 87, 99, 113]
    assert set(steps[113:]) == {31}


def test_bias_gradient_counts_how_often_a_bucket_is_used():
    encoding = build("t5", width=8, heads=2, max_length=50)
    ids = torch.arange(50)[None]
    encoding.bias(None, None, ids, ids).sum().backward()
    behind = ids.T - ids
    uses = torch.bincount(bucket(behind).flatten(), minlength=32)
    assert torch.equal(encoding.bias_table.grad, uses[:, None].expand(32, 2).float())


def test_start_is_random_or_zero():
    torch.manual_seed(0)
    sizes = {"width": 64, "heads": 64, "max_length": 9}
    assert build("t5", **sizes).bias_table.std().item() == pytest.approx(1 / 8, rel=0.05)
    assert build("t5", **sizes, std=0.02).bias_table.std().item() == pytest.approx(0.02, rel=0.05)
    assert build("t5", **sizes, std=0).bias_table.abs().max() == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"buckets": 1}, "buckets is 1; .*at least 2"),
        ({"buckets": 2, "bidirectional": True}, "buckets is 2; .*at least 4"),
        ({"buckets": 9, "bidirectional": True}, "must be even"),
        ({"max_distance": 16}, "max_distance is 16; .*at least 17"),
        ({"bidirectional": "yes"}, "bidirectional is 'yes'; it must be True or False"),
        ({"std": -1.0}, "std is -1.0"),
    ],
)
def test_bad_options_are_refused(options, message):
    with pytest.raises(InvalidValueError, match=message):
        build("t5", width=8, heads=2, max_length=9, **options)
