"""What a search found, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from karte.surfaces.cli.drawing.memories import block
from karte.surfaces.cli.drawing.words import FAINT, STRONG, indented, share, text
from karte.surfaces.cli.output import Shape, plain

_BAR: Final = 20


def recall(shape: Shape) -> Iterator[RenderableType]:
    """The hits, best first; says so where nothing fits."""
    if shape["nothing_relevant"]:
        yield text("Nothing relevant.")
    for number, hit in enumerate(shape["hits"], 1):
        yield from _hit(hit, number)
    yield from _lacking(shape)


def explained(shape: Shape) -> Iterator[RenderableType]:
    """The hits, each with its parts, terms and standing, and what was left out."""
    if shape["nothing_relevant"]:
        yield text("Nothing relevant.")
    for number, hit in enumerate(shape["hits"], 1):
        yield from _hit(hit, number)
        yield indented(_reasons(hit))
        yield text("")
    if shape["left_out"]:
        yield text("left out", FAINT)
    for left in shape["left_out"]:
        yield indented(text(f"{left['memory_id']}  {left['reason']}"))
    yield from _lacking(shape)


def _hit(hit: Shape, number: int) -> Iterator[RenderableType]:
    headline = text(f"{number}. ")
    headline.append_text(_snippet(hit["snippet"], hit["highlights"]))
    yield from block(hit["memory"], headline, f"score {share(hit['score'])}")


def _snippet(snippet: str, highlights: list[list[int]]) -> Text:
    """A snippet on one line, with what fits the query set off."""
    shown, done = Text(), 0
    for start, end in highlights:
        shown.append(_line(snippet[done:start]))
        shown.append(_line(snippet[start:end]), style=f"{STRONG} underline")
        done = end
    shown.append(_line(snippet[done:]))
    return shown


def _line(piece: str) -> str:
    return plain(piece).replace("\n", " ")


def _reasons(hit: Shape) -> Table:
    table = Table.grid(padding=(0, 2))
    table.add_column(style=FAINT, max_width=24, overflow="fold")
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(overflow="fold")
    for name, voice in hit["parts"].items():
        said = f"raw {voice['raw']:.4g}, rank {voice['rank']}, weight {voice['weight']:g}"
        table.add_row(name, bar(voice["normalised"]), share(voice["normalised"]), said)
    most = max((term["score"] for term in hit["terms"]), default=0) or 1
    for term in hit["terms"]:
        said = f"weight {term['idf']:.2f}, {term['count']} in the text"
        table.add_row(text(term["term"]), bar(term["score"] / most), f"{term['score']:.2f}", said)
    for name, value in hit["standing"].items():
        table.add_row(name, bar(value), share(value))
    return table


def bar(portion: float) -> str:
    """A bar for a number from 0 to 1."""
    return "#" * round(max(0.0, min(1.0, portion)) * _BAR)


def _lacking(shape: Shape) -> Iterator[Text]:
    if shape["silent_voices"]:
        yield text(f"Not asked, for this release lacks them: {', '.join(shape['silent_voices'])}.", FAINT)
    if shape["degraded"]:
        yield text(f"Degraded: {', '.join(shape['degraded'])}.", FAINT)
