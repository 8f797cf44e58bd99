"""Training by a plan: what is best, what is repeated, what is resumed, what is refused."""

from __future__ import annotations

import math
import os
import random
import signal

import numpy as np
import pytest
import torch
from torch import nn

from positions.errors import InvalidValueError, PositionsError
from positions.model import IGNORE
from positions.training import (
    CausalDataset,
    Checkpoints,
    OutOfMemoryError,
    ShuffledBatches,
    TrainingPlan,
    TrainingStoppedError,
    fit,
    seeded,
    token_loss,
)


class Small(nn.Module):
    """A model that mixes positions and draws from every generator while training."""

    def __init__(self):
        super().__init__()
        self.embedding = nn.Embedding(12, 8)
        self.mixing = nn.GRU(8, 8, batch_first=True)
        self.dropout = nn.Dropout(0.2)
        self.norm = nn.LayerNorm(8)

    def forward(self, tokens):
        x = self.dropout(self.embedding(tokens))
        if self.training:
            x = x * (1 + 0.1 * random.random() + 0.1 * np.random.rand())
        return self.norm(self.mixing(x)[0]) @ self.embedding.weight.t()


def loss(model, batch):
    return token_loss(model(batch.tokens), batch.labels, batch.labels != IGNORE)


@pytest.fixture(scope="module")
def data():
    chance = random.Random(0)
    examples = []
    for _ in range(60):
        start = [chance.randrange(2, 12) for _ in range(chance.randint(2, 6))]
        examples.append(([*start, 0, *start[::-1], 1], [0] * (len(start) + 1) + [1] * 9))
    examples = [(tokens, marks[: len(tokens)]) for tokens, marks in examples]
    return CausalDataset(examples, vocabulary=12)


@pytest.fixture
def batches(data):
    return ShuffledBatches(data, 8, seed=3)


def plan(**fields):
    settings = {"steps": 24, "batch_size": 8, "learning_rate": 0.02, "evaluate_every": 6}
    return TrainingPlan(**settings | {"device": "cpu"} | fields)


def model(seed=0):
    with seeded(seed):
        return Small()


def accuracy(data):
    def evaluate(model, step):
        batch = data.batch(torch.arange(len(data)))
        assert not model.training
        found = model(batch.tokens).argmax(-1) == batch.labels
        score = found[batch.labels != IGNORE].float().mean()
        return {"score": score, "noise": random.random()}

    return evaluate


def same(first, second):
    """Everything but the time it took."""
    assert first.series == second.series
    assert (first.status, first.step) == (second.status, second.step)
    assert (first.best_step, first.best_score) == (second.best_step, second.best_score)
    for one, other in [
        (first.last_state, second.last_state),
        (first.best_state, second.best_state),
    ]:
        assert one.keys() == other.keys()
        assert all(torch.equal(one[name], other[name]) for name in one)


# --- learning and its record


def test_it_learns_and_says_how(data, batches):
    fitted = fit(model(), batches, loss, plan(steps=150), evaluate=accuracy(data))
    assert fitted.status == "ok"
    assert fitted.step == 150
    series = fitted.series
    assert series["step"] == list(range(6, 151, 6))
    assert {len(values) for values in series.values()} == {25}
    assert series["training_loss"][-1] < 0.8 * series["training_loss"][0]
    assert fitted.best_score == max(series["score"]) > 1.5 * series["score"][0]
    assert fitted.last_metrics["score"] == series["score"][-1]
    assert fitted.tokens_per_second > fitted.steps_per_second > 0
    assert fitted.training_seconds > 0 < fitted.evaluation_seconds
    assert fitted.device.device == "cpu"


def test_the_training_loss_is_the_mean_of_the_steps_since_the_last_evaluation(batches):
    seen = []

    def spied(model, batch):
        value = loss(model, batch)
        seen.append(value.item())
        return value

    fitted = fit(model(), batches, spied, plan(steps=16))
    expected = [math.fsum(seen[a:b]) / (b - a) for a, b in [(0, 6), (6, 12), (12, 16)]]
    assert fitted.series["training_loss"] == expected
    assert fitted.series["step"] == [6, 12, 16]


@pytest.mark.parametrize(
    ("scores", "best"),
    [
        ([0.1, 0.7, 0.7, 0.7], 2),
        ([0.5, 0.5, 0.6, 0.1], 3),
        ([math.nan, -math.inf, 0.0, 0.0], 3),
        ([-math.inf, math.nan, -math.inf, -math.inf], 1),
        ([None, 0.2, 0.3, None], 3),
    ],
)
def test_of_equal_scores_the_earliest_is_best(batches, scores, best):
    states = {}

    def evaluate(model, step):
        states[step] = {name: value.clone() for name, value in model.state_dict().items()}
        return {"score": scores[step - 1]}

    made = model()
    fitted = fit(made, batches, loss, plan(steps=4, evaluate_every=1), evaluate=evaluate)
    assert fitted.best_step == best
    assert fitted.best_score == scores[best - 1]
    assert fitted.best_metrics["score"] == scores[best - 1]
    for found, step in [(fitted.best_state, best), (fitted.last_state, 4)]:
        assert all(torch.equal(found[name], states[step][name]) for name in found)
    assert not made.training
    assert all(torch.equal(made.state_dict()[name], value) for name, value in states[4].items())


def test_without_a_usable_score_there_is_no_best(batches):
    fitted = fit(
        model(), batches, loss, plan(steps=2), evaluate=lambda model, step: {"score": math.nan}
    )
    assert fitted.best_step is fitted.best_score is fitted.best_state is None
    assert fitted.best_metrics == {}


def test_the_rate_of_every_step_is_the_schedules(batches):
    rates = []
    settings = plan(steps=5, warmup=2, evaluate_every=1)
    fitted = fit(model(), batches, loss, settings)
    rates = fitted.series["learning_rate"]
    assert rates == pytest.approx([0.0, 0.01, 0.02, 0.04 / 3, 0.02 / 3])


def test_frozen_weights_stay(data, batches):
    made = model()
    made.embedding.requires_grad_(False)
    before = made.embedding.weight.clone()
    fit(made, batches, loss, plan(weight_decay=0.1))
    assert torch.equal(made.embedding.weight, before)


def test_gradients_are_clipped(batches):
    norms = []

    def spied(model, batch):
        return 1e4 * loss(model, batch)

    made = model()
    for parameter in made.parameters():
        parameter.register_post_accumulate_grad_hook(lambda p: norms.append(p.grad.norm().item()))
    step_sizes = {}
    for clip in (None, 1e-12):
        made = model()
        before = {n: p.detach().clone() for n, p in made.named_parameters()}
        fit(made, batches, spied, plan(steps=1, clip=clip, eps=1e-3))
        step_sizes[clip] = max((p - before[n]).abs().max() for n, p in made.named_parameters())
    assert step_sizes[1e-12] < 1e-6 < step_sizes[None]


# --- accumulation and precision


@pytest.mark.parametrize("parts", [2, 3, 8])
def test_accumulation_gives_the_gradient_of_the_whole_batch(batches, parts):
    """Also where the parts hold different numbers of chosen tokens."""
    plain = [p.clone() for p in trained_by_sgd(batches, 1)]
    for one, other in zip(plain, trained_by_sgd(batches, parts), strict=True):
        torch.testing.assert_close(one, other, rtol=1e-4, atol=1e-6)


def trained_by_sgd(batches, parts):
    """Gradients of the first step, taken where fit hands them to the optimizer."""
    made = model().eval()
    made.train = lambda mode=True: made  # no dropout, whose draws differ between parts
    gradients = []

    class Stopped(Exception):  # noqa: N818
        pass

    def capture(parameters, bound):
        gradients.extend(parameter.grad.clone() for parameter in parameters)
        raise Stopped

    with pytest.MonkeyPatch.context() as patch, pytest.raises(Stopped):
        patch.setattr(nn.utils, "clip_grad_norm_", capture)
        fit(made, batches, loss, plan(gradient_accumulation=parts))
    return gradients


def test_bfloat16_trains_float32_weights_and_evaluates_in_float32(batches):
    seen = set()

    def spied(model, batch):
        logits = model(batch.tokens)
        seen.add(logits.dtype)
        return token_loss(logits, batch.labels, batch.labels != IGNORE)

    def evaluate(model, step):
        return {"score": 0.0, "bytes": model(torch.zeros(1, 3, dtype=torch.long)).element_size()}

    fitted = fit(model(), batches, spied, plan(precision="bfloat16"), evaluate=evaluate)
    assert seen == {torch.bfloat16}
    assert set(fitted.series["bytes"]) == {4.0}
    assert {value.dtype for value in fitted.last_state.values()} == {torch.float32}
    assert fitted.precision == "bfloat16"


# --- repetition


def test_the_same_seed_gives_the_same_run(data, batches):
    first = fit(model(), batches, loss, plan(), evaluate=accuracy(data))
    torch.rand(7), random.random()  # what happened before does not matter
    second = fit(model(), batches, loss, plan(), evaluate=accuracy(data))
    same(first, second)
    other = fit(model(), batches, loss, plan(seed=1), evaluate=accuracy(data))
    assert other.series["training_loss"] != first.series["training_loss"]


def test_looking_more_often_changes_nothing(data, batches):
    often = fit(model(), batches, loss, plan(evaluate_every=1), evaluate=accuracy(data))
    never = fit(model(), batches, loss, plan(evaluate_every=None))
    assert all(torch.equal(often.last_state[n], v) for n, v in never.last_state.items())


def test_the_callers_generators_are_left_alone(batches):
    torch.manual_seed(5)
    expected = torch.rand(2).tolist()
    torch.manual_seed(5)
    fit(model(), batches, loss, plan(steps=3))
    assert torch.rand(2).tolist() == expected


# --- interruption


class PowerCut(BaseException):
    pass


def cut_at(step, function):
    """A loss that ends everything in that step, before it could be saved."""
    calls = [0]

    def cutting(model, batch):
        calls[0] += 1
        if calls[0] == step:
            raise PowerCut
        return function(model, batch)

    return cutting


@pytest.mark.parametrize("step", [1, 2, 6, 7, 13, 24])
def test_a_resumed_run_is_the_uninterrupted_one(data, batches, tmp_path, step):
    whole = fit(model(), batches, loss, plan(), evaluate=accuracy(data))
    every_step = Checkpoints(tmp_path, "run", seconds=0)
    with pytest.raises(PowerCut):
        fit(
            model(),
            batches,
            cut_at(step, loss),
            plan(),
            evaluate=accuracy(data),
            checkpoints=every_step,
        )
    # a model of other weights: all of them come from the checkpoint
    made = model(seed=0 if step == 1 else 99)
    fresh = ShuffledBatches(data, 8, seed=3)
    resumed = fit(made, fresh, loss, plan(), evaluate=accuracy(data), checkpoints=every_step)
    assert resumed.resumed_from == (None if step == 1 else step - 1)
    assert (resumed.earlier_seconds > 0) == (step > 1)
    assert resumed.earlier_seconds < resumed.training_seconds + resumed.evaluation_seconds
    assert whole.earlier_seconds == 0
    same(whole, resumed)


def test_the_next_to_last_checkpoint_serves_as_well(data, batches, tmp_path, caplog):
    whole = fit(model(), batches, loss, plan(), evaluate=accuracy(data))
    every_step = Checkpoints(tmp_path, seconds=0)
    with pytest.raises(PowerCut):
        fit(
            model(),
            batches,
            cut_at(15, loss),
            plan(),
            evaluate=accuracy(data),
            checkpoints=every_step,
        )
    newest = every_step.paths()[-1]
    os.truncate(newest, newest.stat().st_size - 100)
    resumed = fit(model(), batches, loss, plan(), evaluate=accuracy(data), checkpoints=every_step)
    assert resumed.resumed_from == 13
    assert "damaged" in caplog.text
    same(whole, resumed)


def test_a_finished_run_is_read_back_without_a_step(data, batches, tmp_path):
    kept = Checkpoints(tmp_path)
    whole = fit(model(), batches, loss, plan(), evaluate=accuracy(data), checkpoints=kept)

    def forbidden(*_):
        raise AssertionError("nothing is left to do")

    again = fit(model(9), forbidden, forbidden, plan(), evaluate=forbidden, checkpoints=kept)
    same(whole, again)
    assert again.training_seconds == pytest.approx(whole.training_seconds, abs=0.5)


@pytest.mark.parametrize("evaluating", [False, True])
def test_sigterm_finishes_the_step_and_saves(data, batches, tmp_path, evaluating):
    whole = fit(model(), batches, loss, plan(), evaluate=accuracy(data))
    kept, handler = Checkpoints(tmp_path), signal.getsignal(signal.SIGTERM)

    def evaluate(model, step):
        if evaluating and step == 12:
            os.kill(os.getpid(), signal.SIGTERM)
        return accuracy(data)(model, step)

    def stopping(step):
        if not evaluating and step == 9:
            os.kill(os.getpid(), signal.SIGTERM)
        return batches(step)

    with pytest.raises(TrainingStoppedError) as error:
        fit(model(), stopping, loss, plan(), evaluate=evaluate, checkpoints=kept)
    expected = 13 if evaluating else 10
    assert error.value.step == expected
    assert f"SIGTERM after step {expected} of 24" in str(error.value)
    assert str(tmp_path) in str(error.value)
    assert signal.getsignal(signal.SIGTERM) == handler
    resumed = fit(model(), batches, loss, plan(), evaluate=accuracy(data), checkpoints=kept)
    assert resumed.resumed_from == expected
    same(whole, resumed)


def test_ctrl_c_saves_and_stays_ctrl_c(batches, tmp_path):
    def stopping(step):
        if step == 3:
            os.kill(os.getpid(), signal.SIGINT)
        return batches(step)

    kept = Checkpoints(tmp_path)
    with pytest.raises(KeyboardInterrupt):
        fit(model(), stopping, loss, plan(), checkpoints=kept)
    assert kept.load().step == 4


def test_a_stop_without_checkpoints_says_what_is_lost(batches):
    def stopping(step):
        os.kill(os.getpid(), signal.SIGTERM)
        return batches(step)

    with pytest.raises(TrainingStoppedError, match="from the beginning"):
        fit(model(), stopping, loss, plan())


@pytest.mark.parametrize(
    ("key", "fields", "words"),
    [
        ("other", {}, "key is 'run' there and 'other' here"),
        ("run", {"steps": 30}, "steps is 24 there and 30 here"),
        ("run", {"seed": 1}, "seed is 0 there and 1 here"),
    ],
)
def test_a_checkpoint_of_another_run_is_refused(batches, tmp_path, key, fields, words):
    fit(model(), batches, loss, plan(), checkpoints=Checkpoints(tmp_path, "run"))
    with pytest.raises(InvalidValueError, match=f"another run: .*{words}"):
        fit(model(), batches, loss, plan(**fields), checkpoints=Checkpoints(tmp_path, key))


# --- failure


def poisoned(step, value=math.nan):
    """A loss that is not finite in one step, counted from 1."""
    calls = [0]

    def poisonous(model, batch):
        calls[0] += 1
        return loss(model, batch) * (value if calls[0] == step else 1.0)

    return poisonous


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
@pytest.mark.parametrize("every", [1, 7, 50])
def test_divergence_is_reported_with_its_step(data, batches, monkeypatch, value, every):
    """However seldom the losses are read from the device."""
    monkeypatch.setattr("positions.training.loop.CHECKED_EVERY", {"cpu": every})
    fitted = fit(model(), batches, poisoned(15, value), plan(), evaluate=accuracy(data))
    assert (fitted.status, fitted.step) == ("diverged", 15)
    assert fitted.series["step"] == [6, 12]
    assert fitted.best_step in (6, 12)
    assert all(value.isfinite().all() for value in fitted.best_state.values())


def test_a_diverged_state_is_never_saved(batches, tmp_path, monkeypatch):
    monkeypatch.setattr("positions.training.loop.CHECKED_EVERY", {"cpu": 50})
    kept = Checkpoints(tmp_path, seconds=0)
    fitted = fit(model(), batches, poisoned(5), plan(), checkpoints=kept)
    assert fitted.step == 5
    assert kept.load().step == 4


def test_out_of_memory_says_where_and_what_to_lower(data, batches):
    def greedy(model, batch):
        torch.empty(10**15)

    with pytest.raises(OutOfMemoryError, match=r"in training, after 0 of 24 steps.*batch_size"):
        fit(model(), batches, greedy, plan())
    with pytest.raises(OutOfMemoryError, match="in evaluation, after 6 of 24 steps"):
        fit(model(), batches, loss, plan(), evaluate=greedy)


@pytest.mark.parametrize(
    ("evaluate", "words"),
    [
        (lambda model, step: {"accuracy": 1.0}, "called 'score'"),
        (lambda model, step: 0.5, "returned 0.5"),
        (lambda model, step: {"score": 1.0, "step": 3}, "'step'"),
        (lambda model, step: {"score": "high"}, "must return numbers"),
        (lambda model, step: {"score": 1.0, f"at {step}": 1.0}, "same names"),
    ],
)
def test_an_evaluation_without_use_is_refused(batches, evaluate, words):
    with pytest.raises(InvalidValueError, match=words):
        fit(model(), batches, loss, plan(), evaluate=evaluate)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda model, batch: 0.5,
        lambda model, batch: torch.zeros(()),
        lambda model, batch: model(batch.tokens),
    ],
)
def test_a_loss_without_use_is_refused(batches, wrong):
    with pytest.raises(InvalidValueError, match="The loss must be a scalar tensor"):
        fit(model(), batches, wrong, plan())


def test_a_disk_that_fills_up_stops_with_the_last_checkpoint_whole(
    data, batches, tmp_path, monkeypatch
):
    whole = fit(model(), batches, loss, plan(), evaluate=accuracy(data))
    kept, save, calls = Checkpoints(tmp_path, seconds=0), Checkpoints.save, []

    def filling(self, checkpoint):
        calls.append(checkpoint.step)
        if len(calls) == 10:
            monkeypatch.setattr("positions.training.checkpoint.save_file", full)
        return save(self, checkpoint)

    def full(*_):
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(Checkpoints, "save", filling)
        with pytest.raises(PositionsError, match="No space left on device"):
            fit(model(), batches, loss, plan(), evaluate=accuracy(data), checkpoints=kept)
    monkeypatch.undo()
    resumed = fit(model(), batches, loss, plan(), evaluate=accuracy(data), checkpoints=kept)
    assert resumed.resumed_from == 9
    same(whole, resumed)


def test_progress_is_told_and_ends_at_the_end(batches):
    told = []
    fit(model(), batches, loss, plan(), progress=told.append)
    assert told[-1].step == told[-1].steps == 24
    assert math.isfinite(told[-1].loss)
