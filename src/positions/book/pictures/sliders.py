"""Sliders that work on a page without a kernel, and charts that unfold what they choose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import altair as alt
import pandas as pd
from torch import Tensor

from positions.book import charts


@dataclass(frozen=True)
class Picture:
    """A chart, what it shows in words, and the numbers behind it at its sliders' first settings."""

    chart: alt.TopLevelMixin
    description: str
    numbers: pd.DataFrame

    def show(self) -> None:
        """Display the chart with its description and numbers."""
        charts.show(self.chart, description=self.description, data=self.numbers)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        """Return what `show` displays, so that another page can take the picture over."""
        return charts.figure(self.chart, description=self.description, data=self.numbers)


def slider(
    name: str, low: float, high: float, start: float, label: str, step: float = 1
) -> alt.Parameter:
    """Make a slider; the page shows `label` before it."""
    bind = alt.binding_range(min=low, max=high, step=step, name=label)
    return alt.param(name, value=start, bind=bind)


def choice(name: str, *values: str, label: str = "") -> alt.Parameter:
    """Make buttons to choose one of the values, at first the first; `label` defaults to `name`."""
    bind = alt.binding_radio(options=list(values), name=f"{label or name} ")
    return alt.param(name, value=values[0], bind=bind)


def menu(name: str, values: Mapping[str, str], label: str) -> alt.Parameter:
    """Make a menu to choose one of the values, at first the first; the page shows their labels."""
    labels = list(values.values())
    bind = alt.binding_select(options=list(values), labels=labels, name=f"{label} ")
    return alt.param(name, value=next(iter(values)), bind=bind)


def axis(field: str, title: str) -> alt.X:
    """Make an axis of whole numbers that ends where they end."""
    return alt.X(f"{field}:Q").title(title).scale(nice=False).axis(tickMinStep=1)


def unfold(
    rows: list[dict[str, Any]], values: str, index: str, first: int, *chosen: alt.Parameter
) -> tuple[alt.Chart, pd.DataFrame]:
    """Keep the row that the sliders choose and unfold its list, counted by `index` from `first`.

    Each slider bears the name of the column that it chooses from. Returns the chart without its
    marks, and the numbers that it shows first.
    """
    frame = pd.DataFrame(rows)
    chart, shown = alt.Chart(frame), frame
    for parameter in chosen:
        chart = chart.transform_filter(f"datum.{parameter.name} == {parameter.name}")
        start = getattr(parameter.param, "value")  # noqa: B009
        shown = shown[shown[parameter.name] == start]
    columns = list(frame.columns.drop(values))
    chart = (
        chart.transform_flatten([values])
        .transform_window(number="row_number()", groupby=columns)
        .transform_calculate(**{index: f"datum.number - 1 + {first}"})
        .add_params(*chosen)
    )
    numbers = shown.explode(values, ignore_index=True)
    numbers.insert(len(columns), index, numbers.groupby(columns, sort=False).cumcount() + first)
    return chart, numbers.astype({values: float})


def short(values: Iterable[float] | Tensor, digits: int = 3) -> list[float]:
    """Round to what a picture can show: a page holds thousands of these."""
    return [round(float(value), digits) for value in values]
