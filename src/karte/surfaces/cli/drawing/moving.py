"""What was moved: how much of what, and what was compared."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import RenderableType

from karte.surfaces.cli.drawing.words import FAINT, STRONG, indented, pairs, text, whole
from karte.surfaces.cli.output import Shape


def exported(shape: Shape) -> Iterator[RenderableType]:
    """What was written."""
    yield whole(f"Wrote {shape['file']}", STRONG)
    yield from _contents(shape)


def imported(shape: Shape) -> Iterator[RenderableType]:
    """What is there now."""
    yield whole(f"Filled the workspace {shape['workspace']}", STRONG)
    yield from _contents(shape)


def restored(shape: Shape) -> Iterator[RenderableType]:
    """What is in the place now, and what of the backup is not."""
    yield whole(f"Restored the workspace {shape['workspace']}", STRONG)
    yield from _contents(shape)
    if shape["blocks"]:
        told = [("blocked", str(shape["blocks"])), ("forgotten", str(shape["forgotten"]))]
        yield text("Sources that stay out, and how many of them the backup still held")
        yield indented(pairs(told))
    if not shape["scrubbed"]:
        yield text("Bytes of what was replaced are still in the files; see the how-to about backups.", FAINT)


def copied(shape: Shape) -> Iterator[RenderableType]:
    """What was copied, and how it was compared."""
    yield whole(f"Copied {shape['source']} to {shape['destination']}", STRONG)
    yield from _contents(shape)
    compared = shape["compared"]
    yield text("Compared and found equal: all rows, and the answers to")
    yield indented(pairs([(kind, str(count)) for kind, count in compared["answers"].items()]))
    for reason in compared["degraded"]:
        yield text(f"Not asked in full: {reason}", FAINT)


def _contents(shape: Shape) -> Iterator[RenderableType]:
    yield indented(pairs([*((name, str(rows)) for name, rows in shape["rows"].items()), ("digest", shape["digest"])]))
