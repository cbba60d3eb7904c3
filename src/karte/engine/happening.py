"""What happened, told to whoever wants to know once it is kept for good: ids and why, never content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any, Protocol

from karte.core.periods import write_instant


@dataclass(frozen=True)
class Event:
    """Something that happened: its name (`knowledge.quarantined`), when (microseconds), whose, by whom, to what, why."""

    name: str
    at: int
    owner: str
    actor: str
    target: str
    why: Mapping[str, Any] = field(default_factory=dict)

    def to_dict(self) -> dict[str, Any]:
        """event, at, owner, actor, review_id, why."""
        told = {"event": self.name, "at": write_instant(self.at), "owner": self.owner, "actor": self.actor}
        return {**told, "review_id": self.target, "why": dict(self.why)}


Listener = Callable[[Event], None]
"""Told of each event, in a thread of its own."""


class Telling(Protocol):
    """Tells listeners of events."""

    def listen(self, listener: Listener) -> None:
        """Let a function be told of every event from now on."""

    def tell(self, event: Event) -> None:
        """Tell of an event soon; nobody waits for it."""

    def close(self) -> None:
        """Tell of what waits, then stop."""


_happened: ContextVar[list[Event] | None] = ContextVar("happened", default=None)


def note(event: Event) -> None:
    """Say what happens in the transaction at work; forgotten where that is undone, or where nobody wants to know."""
    happened = _happened.get()
    if happened is not None:
        happened.append(event)


@contextmanager
def undone() -> Iterator[None]:
    """Forget what is noted inside where it ends with an error: then nothing of it was kept."""
    happened = _happened.get()
    if happened is None:
        yield
        return
    before, kept = len(happened), False
    try:
        yield
        kept = True
    finally:
        if not kept:
            del happened[before:]


@contextmanager
def telling(tell: Listener) -> Iterator[None]:
    """Tell of what is noted inside and was kept, when it has ended, also with an error."""
    happened: list[Event] = []
    token = _happened.set(happened)
    try:
        yield
    finally:
        _happened.reset(token)
        for event in happened:
            tell(event)
