"""What the tools for an agent's work do: the context of a task, its pad, what it observes and remembers for a session."""

from __future__ import annotations

from typing import Final

from karte.core.results import Shape
from karte.surfaces.mcp.actions import Arguments, Result, said
from karte.surfaces.mcp.seats import Seat

_TOLD: Final = ("version", "updated_at", "left", "receipt")
"""What an agent has to know of a pad that it has just written itself."""

CONTEXT: Final = ("text", "left_out", "degraded", "timings_ms")
"""What an agent is given of a context: what else its shape has stands in the text already."""


def read_notes(seat: Seat, arguments: Arguments) -> Result:  # noqa: ARG001 - every action is called alike
    """The agent's pad."""
    return seat.chart.notes()


def write_notes(seat: Seat, arguments: Arguments) -> Shape:
    """Write the agent's pad anew."""
    shape = seat.chart.update_notes(**arguments).to_dict()
    return {name: shape[name] for name in _TOLD}


def observe(seat: Seat, arguments: Arguments) -> Result:
    """Keep what the agent observed."""
    given = said(seat, arguments)
    return seat.chart.observe(given.pop("content"), **given)


def remember(seat: Seat, arguments: Arguments) -> Result:
    """Keep something for one session."""
    given = said(seat, arguments)
    return seat.chart.remember(given.pop("content"), given.pop("session"), **given)


def context(seat: Seat, arguments: Arguments) -> Shape:
    """What the agent is to be told before a task: the text, which has all of it, and what was left out of it."""
    shape = seat.chart.context(**said(seat, arguments)).to_dict()
    return {name: shape[name] for name in CONTEXT}
