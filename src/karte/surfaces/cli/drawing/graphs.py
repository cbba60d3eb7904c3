"""A graph on a terminal: one line an edge, from what it starts at to what it leads to."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import FAINT, STRONG, excerpt, text
from karte.surfaces.cli.output import Shape

_LONGEST_LABEL: Final = 60


def exported(shape: Shape) -> Iterator[RenderableType]:
    """The edges between the nodes that are shown, and how much there is in all."""
    labels = {node["id"]: _short(node["label"]) for node in shape["nodes"]}
    for edge in shape["edges"]:
        line = text(labels[edge["source"]], STRONG).append(text(f" -{edge['label']}-> ", FAINT))
        yield line.append(text(labels[edge["target"]]))
    if not shape["edges"]:
        yield text("Nothing in force is joined to anything.")
    yield text(
        f"{len(shape['nodes'])} of {shape['nodes_in_all']} nodes, {len(shape['edges'])} of {shape['edges_in_all']} edges",
        FAINT,
    )


def _short(label: str) -> str:
    line = excerpt(label)
    return line if len(line) <= _LONGEST_LABEL else f"{line[: _LONGEST_LABEL - 1]}…"
