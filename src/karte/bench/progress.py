"""Progress of long work: a bar on a terminal, nothing on a pipe."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sized
from typing import TypeVar

from rich.console import Console
from rich.progress import track

T = TypeVar("T")


def steps(items: Iterable[T], title: str, total: int | None = None) -> Iterator[T]:
    """The items one by one, with a bar on standard error that shows how many are done."""
    console = Console(stderr=True)
    known = len(items) if total is None and isinstance(items, Sized) else total
    yield from track(
        items, title, total=known, console=console, transient=True, disable=not console.is_terminal, update_period=0.5
    )
