"""A training that can be killed: run as a script by `test_resume.py`."""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path

import torch
from torch import nn

from positions.errors import PositionsError
from positions.model import IGNORE
from positions.training import (
    CausalDataset,
    Checkpoints,
    ShuffledBatches,
    TokenBatch,
    TrainingPlan,
    fit,
    seeded,
    token_loss,
)


class Model(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.embedding = nn.Embedding(16, 32)
        self.layer = nn.TransformerEncoderLayer(32, 4, 64, dropout=0.1, batch_first=True)

    def forward(self, tokens: torch.Tensor) -> torch.Tensor:
        length = tokens.shape[1]
        mask = nn.Transformer.generate_square_subsequent_mask(length)
        return self.layer(self.embedding(tokens), src_mask=mask) @ self.embedding.weight.t()


def main(folder: str, pause: str) -> None:
    torch.set_num_threads(1)
    rows = torch.randint(0, 16, (200, 12), generator=torch.Generator().manual_seed(0)).tolist()
    data = CausalDataset([(row, [1] * 12) for row in rows], vocabulary=16)

    def measure(model: nn.Module, batch: TokenBatch) -> torch.Tensor:
        return token_loss(model(batch.tokens), batch.labels, batch.labels != IGNORE)

    def loss(model: nn.Module, batch: TokenBatch) -> torch.Tensor:
        time.sleep(float(pause))
        return measure(model, batch)

    def evaluate(model: nn.Module, step: int) -> dict[str, float]:
        batch = data.batch(torch.arange(200))
        return {"score": -float(measure(model, batch))}

    with seeded(1):
        model = Model()
    plan = TrainingPlan(
        steps=120, batch_size=16, learning_rate=0.01, warmup=0.1, evaluate_every=25, device="cpu"
    )
    kept = Checkpoints(Path(folder), "killed", seconds=0)
    fitted = fit(
        model, ShuffledBatches(data, 16, 5), loss, plan, evaluate=evaluate, checkpoints=kept
    )
    sums = {name: value.double().sum().item().hex() for name, value in fitted.last_state.items()}
    print(json.dumps({"series": fitted.series, "best": fitted.best_step, "sums": sums}))


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except PositionsError as error:
        sys.exit(str(error))
