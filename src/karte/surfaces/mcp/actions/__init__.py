"""What each tool does: one call of the facade, with the arguments as they were read; by what it is about."""

from __future__ import annotations

from typing import Any, Protocol

from karte.core.origins import Origin
from karte.core.results import Shape
from karte.surfaces.mcp.seats import Seat

Arguments = dict[str, Any]


class Result(Protocol):
    """What the facade gives back."""

    def to_dict(self) -> Shape:
        """The JSON shape."""
        ...


def said(seat: Seat, arguments: Arguments) -> Arguments:
    """What the facade takes: the session under its name there, and an origin within what an agent may say."""
    given = {"session" if name == "session_id" else name: value for name, value in arguments.items()}
    if "origin" in given:
        given["origin"] = seat.origin(_origin(given["origin"]))
    return given


def _origin(named: dict[str, str | None]) -> Origin:
    return Origin(named["kind"] or "", named.get("container") or "", named.get("item"))
