"""What the tools for shared facts, their domains and their conflicts do, and those for policies."""

from __future__ import annotations

from karte.core.results import Shape
from karte.surfaces.mcp.actions import Arguments, Result, said
from karte.surfaces.mcp.seats import Seat


def propose_fact(seat: Seat, arguments: Arguments) -> Result:
    """State a fact in a domain."""
    given = said(seat, arguments)
    return seat.chart.propose_fact(given.pop("domain"), given.pop("content"), **given)


def supersede_fact(seat: Seat, arguments: Arguments) -> Result:
    """Let another fact or a newer text take over from a fact."""
    return seat.chart.supersede_fact(arguments.pop("id"), **arguments)


def withdraw_fact(seat: Seat, arguments: Arguments) -> Result:
    """Let what was said of a fact stop counting."""
    return seat.chart.withdraw_fact(arguments["id"], arguments.get("reason", ""))


def list_domains(seat: Seat, arguments: Arguments) -> Shape:  # noqa: ARG001 - every action is called alike
    """The domains that the agent may read."""
    return {"domains": [domain.to_dict() for domain in seat.chart.domains()]}


def list_conflicts(seat: Seat, arguments: Arguments) -> Shape:
    """The facts that contradict each other."""
    return {"conflicts": [conflict.to_dict() for conflict in seat.chart.conflicts(**arguments)]}


def resolve_conflict(seat: Seat, arguments: Arguments) -> Result:
    """Decide between two facts, where the agent may write."""
    return seat.chart.resolve_conflict(arguments.pop("id"), **arguments)


def propose_policy(seat: Seat, arguments: Arguments) -> Result:
    """Make a rule of a domain, where the agent may write."""
    given = said(seat, arguments)
    return seat.chart.propose_policy(given.pop("domain"), given.pop("rule"), **given)


def supersede_policy(seat: Seat, arguments: Arguments) -> Result:
    """Let another policy or a newer rule take over from a policy."""
    given = said(seat, arguments)
    return seat.chart.supersede_policy(given.pop("id"), given.pop("by"), **given)


def list_policies(seat: Seat, arguments: Arguments) -> Shape:
    """The policies that bind the agent."""
    return {"policies": [policy.to_dict() for policy in seat.chart.policies(**arguments)]}
