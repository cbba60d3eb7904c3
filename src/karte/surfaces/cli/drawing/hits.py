"""What a search found, and what stands around it."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType
from rich.text import Text

from karte.surfaces.cli.drawing.memories import block
from karte.surfaces.cli.drawing.reasons import asked, full_bar, left_out, reasons
from karte.surfaces.cli.drawing.words import FAINT, STRONG, excerpt, indented, share, text
from karte.surfaces.cli.output import Shape, plain

_INSIDE = 2


def recall(shape: Shape) -> Iterator[RenderableType]:
    """The hits, best first; says so where nothing fits."""
    yield from _nothing(shape)
    for number, hit in enumerate(shape["hits"], 1):
        yield from _hit(hit, number)
        yield from _around(hit)
    for reason in shape["degraded"]:
        yield text(f"Degraded: {reason}.", FAINT)


def explained(shape: Shape) -> Iterator[RenderableType]:
    """How the query was read, then the hits, each with its parts, terms and standing, and what was left out."""
    yield asked(shape)
    yield text("")
    yield from _nothing(shape)
    full = full_bar(shape["hits"])
    for number, hit in enumerate(shape["hits"], 1):
        yield from _hit(hit, number)
        yield indented(reasons(hit, full))
        yield from _told(hit)
        yield from _around(hit)
        yield text("")
    yield from left_out(shape)


def _nothing(shape: Shape) -> Iterator[Text]:
    if shape["nothing_relevant"]:
        yield text("Nothing relevant.")


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


def _told(hit: Shape) -> Iterator[RenderableType]:
    if hit["why"]:
        yield indented(text(f"why: {hit['why']}"))
    if hit["also"]:
        yield indented(text(f"told again by {', '.join(hit['also'])}"))


def _around(hit: Shape) -> Iterator[RenderableType]:
    """The turns beside a hit, with when they were said and by whom, as far as the text does not begin with that."""
    for turn in hit["around"]:
        speaker = turn["speaker"] or ""
        named = f"{speaker}: " if not turn["content"].startswith(speaker) else ""
        said = text(f"{turn['valid_from']} ", FAINT)
        yield indented(said.append_text(text(named + excerpt(turn["content"]))), _INSIDE)
