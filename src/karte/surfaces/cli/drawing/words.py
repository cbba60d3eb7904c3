"""The small pieces that all drawings are made of: safe text, times, numbers, pairs of name and value."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from karte.surfaces.cli.output import Shape, plain

STRONG: Final = "bold"
FAINT: Final = "dim"
LONGEST_EXCERPT: Final = 240
NOT_SCRUBBED: Final = "The bytes go with the next erasure; in PostgreSQL, with `karte postgres scrub`."
_INDENTATION: Final = 2


def text(content: object, style: str = "") -> Text:
    """Text as it stands, harmless to a terminal."""
    return Text(plain(str(content)), style=style)


def whole(content: str, style: str = "") -> Text:
    """A line that is not broken, however long: a path or a command that somebody may want to copy."""
    return Text(plain(content), style=style, no_wrap=True)


def faint(*parts: str | None) -> Text:
    """What is there of some particulars, in one quiet line."""
    return text(", ".join(part for part in parts if part), FAINT)


def indented(content: Text | Table, steps: int = 1) -> Padding:
    """A paragraph that belongs to the line above."""
    return Padding(content, (0, 0, 0, _INDENTATION * steps))


def excerpt(content: str) -> str:
    """The beginning of a text, on one line."""
    line = " ".join(content.split())
    return line if len(line) <= LONGEST_EXCERPT else f"{line[: LONGEST_EXCERPT - 1]}…"


def fact(memory: Shape) -> Text | None:
    """Subject, predicate and object of a memory, if it has any."""
    names = [memory["subject"], memory["predicate"], memory["object"]]
    shown = [name for name in names if name is not None]
    return text(" · ".join(shown)) if shown else None


def status(word: str) -> str:
    """A status as people say it."""
    return word.replace("_", " ")


def period(start: str | None, end: str | None) -> str:
    """When something holds."""
    return f"{start or 'always'} to {end}" if end else f"since {start or 'always'}"


def holds(memory: Shape) -> str:
    """How a memory stands, and when it holds."""
    if memory["valid_from"] is None:
        return status(memory["status"])
    return f"{status(memory['status'])} {period(memory['valid_from'], memory['valid_until'])}"


def source(origin: Shape) -> str:
    """Where something comes from, as the option --origin takes it."""
    return ":".join(origin[part] for part in ("kind", "container", "item") if origin[part])


def share(number: float) -> str:
    """A number from 0 to 1, to two places."""
    return f"{number:.2f}"


def pairs(rows: Iterable[tuple[str, Any]]) -> Table:
    """Names and values below each other; what is absent (None, nothing in a list) is left out."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style=FAINT, no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows:
        if value not in (None, "", [], {}):
            table.add_row(name, text(", ".join(map(str, value)) if isinstance(value, list) else value))
    return table
