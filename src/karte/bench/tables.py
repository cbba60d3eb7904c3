"""A result as a table for a terminal."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.table import Table

from karte.bench.results import Figure, Result, number

MET = {True: "met", False: "NOT MET", None: ""}
_STYLE = {True: "green", False: "bold red", None: ""}


def drawn(result: Result) -> Iterator[RenderableType]:
    """What was measured, then a line a figure."""
    yield f"{result.command}\ncommit {result.commit}, {result.measured_at}, seed {result.seed}"
    table = Table(box=None, pad_edge=False)
    for title in ("group", "figure", "value", "unit", "target", ""):
        table.add_column(title, justify="right" if title == "value" else "left")
    before = ""
    for figure in result.figures:
        table.add_row(*_row(figure, before), style=_STYLE[figure.met])
        before = figure.group
    yield table


def _row(figure: Figure, before: str) -> tuple[str, ...]:
    group = "" if figure.group == before else figure.group
    target = str(figure.target) if figure.target else ""
    return group, figure.name, number(figure.value), figure.unit, target, MET[figure.met]
