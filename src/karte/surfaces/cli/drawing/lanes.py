"""Timelines as text: a lane for each statement, a bar for each period in which it holds.

                        2026-01-01   2026-03-01
    Vercel              [============)
    Cloudflare Workers               [============>

A period holds its first instant and not its last, as the brackets say; `>` has no end, `<` began before the picture.
Instants stand in order, not to scale, so that ten days are as readable as ten years.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from rich.cells import cell_len, set_cell_size
from rich.console import RenderableType
from rich.text import Text

from karte.surfaces.cli.drawing.words import (
    FAINT,
    STRONG,
    excerpt,
    faint,
    indented,
    period,
    share,
    source,
    status,
    text,
)
from karte.surfaces.cli.output import Shape, plain

WIDTH: Final = 79
_LONGEST_LABEL: Final = 24
_WIDEST_STEP: Final = 18
_NARROWEST_STEP: Final = 3


def history(shape: Shape) -> Iterator[RenderableType]:
    """The course of one fact: its lanes, then every statement with its periods."""
    names = [name for name in (shape["subject"], shape["predicate"]) if name is not None]
    if names:
        yield text(" · ".join(names), STRONG)
    yield from _drawn(shape["chain"])
    yield from _told(shape["chain"])


def timeline(shape: Shape) -> Iterator[RenderableType]:
    """All facts about a subject, below each other."""
    for number, chain in enumerate(shape["chains"]):
        if number:
            yield text("")
        yield from history(chain)


def _drawn(chapters: Sequence[Shape]) -> Iterator[Text]:
    lanes = [Lane(_value(chapter), tuple(_spell(each) for each in chapter["segments"])) for chapter in chapters]
    drawn = list(draw([lane for lane in lanes if lane.spells]))
    if drawn:
        yield text("")
        yield from drawn
        yield text("")


def _told(chapters: Sequence[Shape]) -> Iterator[RenderableType]:
    for chapter in chapters:
        yield Text.assemble(text(_value(chapter), STRONG), f"  {status(chapter['status'])}")
        for segment in chapter["segments"]:
            yield indented(text(period(segment["from"], segment["until"])))
        if chapter["object"] is not None:
            yield indented(text(excerpt(chapter["content"])))
        origins = [source(origin) for origin in chapter["origins"]]
        yield indented(faint(chapter["id"], f"trust {share(chapter['trust'])}", *chapter["marks"]))
        yield indented(faint(*origins))
        if chapter["invalidated_at"]:
            yield indented(faint(f"ended: {chapter['invalidated_by_event']}, learned {chapter['invalidated_at']}"))


def _value(chapter: Shape) -> str:
    return chapter["object"] if chapter["object"] is not None else excerpt(chapter["content"])


@dataclass(frozen=True)
class Spell:
    """A period in which a statement holds; without an end it is open."""

    start: datetime
    end: datetime | None = None


@dataclass(frozen=True)
class Lane:
    """A label and the periods that are drawn beside it."""

    label: str
    spells: tuple[Spell, ...]


def _spell(segment: Shape) -> Spell:
    end = segment["until"]
    return Spell(datetime.fromisoformat(segment["from"]), None if end is None else datetime.fromisoformat(end))


def draw(lanes: Sequence[Lane]) -> Iterator[Text]:
    """Draw lanes below an axis, at most 79 columns wide."""
    if not lanes:
        return
    labels = [_label(lane.label) for lane in lanes]
    margin = max(cell_len(label) for label in labels) + 2
    axis = _Axis.over(lanes, WIDTH - margin)
    yield Text(" " * margin + axis.labels(), style=FAINT)
    for label, lane in zip(labels, lanes, strict=True):
        yield Text(f"{set_cell_size(label, margin)}{axis.bars(lane)}", no_wrap=True)


def _label(value: str) -> str:
    label = plain(" ".join(value.split()))
    return label if cell_len(label) <= _LONGEST_LABEL else f"{set_cell_size(label, _LONGEST_LABEL - 1).rstrip()}…"


@dataclass(frozen=True)
class _Axis:
    """The instants of a picture, each with its column; `end` is the column behind the last."""

    instants: tuple[datetime, ...]
    step: int

    @classmethod
    def over(cls, lanes: Sequence[Lane], width: int) -> _Axis:
        bounds = {bound for lane in lanes for spell in lane.spells for bound in (spell.start, spell.end) if bound}
        most = width // _NARROWEST_STEP - 1
        instants = tuple(sorted(bounds)[-most:])
        return cls(instants, min(_WIDEST_STEP, max(_NARROWEST_STEP, width // (len(instants) + 1))))

    @property
    def end(self) -> int:
        return len(self.instants) * self.step

    def column(self, instant: datetime) -> int:
        return self.instants.index(instant) * self.step if instant in self.instants else 0

    def labels(self) -> str:
        """As many instants as there is room for, each above its column."""
        line = ""
        for instant in self.instants:
            column = self.column(instant)
            label = _short(instant)
            if column >= len(line) + bool(line) and column + len(label) <= self.end + self.step:
                line = line.ljust(column) + label
        return line

    def bars(self, lane: Lane) -> str:
        cells = [" "] * (self.end + 1)
        for spell in lane.spells:
            if spell.end is not None and spell.end <= self.instants[0]:
                continue
            start, end = self.column(spell.start), self.end if spell.end is None else self.column(spell.end)
            cells[start:end] = "=" * (end - start)
            cells[start] = "[" if spell.start in self.instants else "<"
            cells[end - 1] = ">" if spell.end is None else ")"
        return "".join(cells).rstrip()


def _short(instant: datetime) -> str:
    """An instant as short as it can be said."""
    if instant.time().isoformat() == "00:00:00":
        return instant.date().isoformat()
    return instant.strftime("%Y-%m-%dT%H:%MZ")
