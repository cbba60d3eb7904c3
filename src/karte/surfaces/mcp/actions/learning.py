"""What the tools for an agent's mistakes and for the upkeep of what it learned do."""

from __future__ import annotations

from karte.core.results import Shape
from karte.surfaces.mcp.actions import Arguments, Result, said
from karte.surfaces.mcp.seats import Seat


def record_mistake(seat: Seat, arguments: Arguments) -> Result:
    """Record what went wrong."""
    return seat.chart.record_mistake(**said(seat, arguments))


def list_mistakes(seat: Seat, arguments: Arguments) -> Shape:
    """The agent's mistakes."""
    return {"mistakes": [mistake.to_dict() for mistake in seat.chart.mistakes(**arguments)]}


def consolidate(seat: Seat, arguments: Arguments) -> Result:
    """Keep what is worth keeping of sessions, and join what says the same."""
    return seat.chart.consolidate(**arguments)


def harmonize(seat: Seat, arguments: Arguments) -> Result:
    """Find what several agents know."""
    return seat.chart.harmonize(**arguments)
