"""How long work tells how far it has come."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

Progress = Callable[[int, int], None]
"""Called with what is done and how much there is in all."""

WHOLE: Final = 1_000
"""What work of several stages counts to."""


def silent(done: int, total: int) -> None:
    """Report no progress."""


def unhurried() -> bool:
    """Go on, whoever else waits."""
    return True


def stage(progress: Progress, first: int, last: int) -> Progress:
    """Report a stage of longer work: it goes from `first` to `last` of `WHOLE`."""

    def report(done: int, total: int) -> None:
        progress(first + (last - first) * done // max(total, 1), WHOLE)

    return report
