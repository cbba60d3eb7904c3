"""What the tools for an agent's own memories do."""

from __future__ import annotations

from typing import Final

from karte.core.results import Shape
from karte.engine.keeping.agents import Stats
from karte.errors import InvalidValue
from karte.surfaces.mcp.actions import Arguments, Result, said
from karte.surfaces.mcp.seats import Seat

_FEW: Final = 20


def store(seat: Seat, arguments: Arguments) -> Result:
    """Keep a statement; where the caller names its origin, within what an agent may say."""
    return seat.chart.store(**said(seat, arguments))


def search(seat: Seat, arguments: Arguments) -> Result:
    """Find what is in force and fits."""
    return seat.chart.search(**said(seat, arguments))


def fetch(seat: Seat, arguments: Arguments) -> Result:
    """Read memories by id."""
    return seat.chart.fetch(**arguments)


def history(seat: Seat, arguments: Arguments) -> Result:
    """The course of a fact."""
    return seat.chart.history(**arguments)


def at(seat: Seat, arguments: Arguments) -> Result:
    """What was in force at an instant."""
    return seat.chart.at(**arguments)


def withdraw(seat: Seat, arguments: Arguments) -> Result:
    """Let what was said of a memory stop counting."""
    return seat.chart.withdraw(arguments["id"], arguments.get("reason", ""))


def read(seat: Seat, arguments: Arguments) -> Result:
    """Read one memory."""
    return seat.chart.read(arguments["id"])


def timeline(seat: Seat, arguments: Arguments) -> Result:
    """All facts about a subject."""
    return seat.chart.timeline(**arguments)


def supersede(seat: Seat, arguments: Arguments) -> Result:
    """Let a newer memory or text take over."""
    return seat.chart.supersede(arguments.pop("id"), **arguments)


def end(seat: Seat, arguments: Arguments) -> Result:
    """State that a memory, or a fact by its names, stops holding."""
    if "id" not in arguments:
        if not {"subject", "predicate"} <= arguments.keys():
            raise InvalidValue("Name what ends: an id, or a subject and a predicate.")
        return seat.chart.end_fact(**arguments)
    if arguments.keys() - {"id", "at"}:
        raise InvalidValue("Name what ends either by its id or by subject and predicate, not both.")
    return seat.chart.end(arguments["id"], arguments.get("at"))


def list_recent(seat: Seat, arguments: Arguments) -> Result:
    """The memories that were kept last."""
    return seat.chart.list(**said(seat, arguments))


def add_alias(seat: Seat, arguments: Arguments) -> Result:
    """Say that two names mean one thing."""
    return seat.chart.add_alias(**arguments)


def list_aliases(seat: Seat, arguments: Arguments) -> Shape:  # noqa: ARG001 - every action is called alike
    """The aliases in force."""
    return {"aliases": [alias.to_dict() for alias in seat.chart.aliases()]}


def remove_alias(seat: Seat, arguments: Arguments) -> Shape:
    """Withdraw an alias."""
    seat.chart.remove_alias(**arguments)
    return {**arguments, "removed": True}


def pending(seat: Seat, arguments: Arguments) -> Shape:
    """What of the agent's own writes waits for a person."""
    return {"reviews": [review.to_dict() for review in seat.chart.pending(arguments.get("limit", _FEW))]}


def count(seat: Seat, arguments: Arguments) -> Result:  # noqa: ARG001 - every action is called alike
    """How much the agent itself keeps; other owners are not named, nor counted in the total."""
    owner = seat.chart.owner
    return Stats({owner: seat.workspace.stats().memories[owner]})


def invalidate(seat: Seat, arguments: Arguments) -> Result:
    """Withdraw all that came from one origin."""
    return seat.chart.invalidate_by_origin(arguments["origin"], arguments.get("since"))
