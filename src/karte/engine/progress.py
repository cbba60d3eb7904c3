"""How long work tells how far it has come."""

from __future__ import annotations

from collections.abc import Callable

Progress = Callable[[int, int], None]
"""Called with what is done and how much there is in all."""


def silent(done: int, total: int) -> None:
    """Report no progress."""
