"""Resources: a memory by its address, `karte://memory/{id}`, and the policies that bind, `karte://policies`."""

from __future__ import annotations

from typing import Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from karte.core.namespaces import Scope
from karte.core.results import Shape, Status
from karte.errors import KarteError, UnknownMemory
from karte.surfaces.mcp.answers import marked, write
from karte.surfaces.mcp.seats import Seat

MEMORY: Final = "karte://memory/"
POLICIES: Final = "karte://policies"
MOST_POLICIES: Final = 1_000
_JSON: Final = "application/json"


def listed(seat: Seat) -> list[types.Resource]:
    """The policies alone: memories are addressed by id, and their list would be all that an agent knows."""
    if Scope.READ not in seat.scopes:
        return []
    return [
        types.Resource(
            name="policies",
            title="Policies",
            uri=POLICIES,
            description="The rules in force that bind the agent.",
            mime_type=_JSON,
        )
    ]


def templates(seat: Seat) -> list[types.ResourceTemplate]:
    """The addresses that this seat can read."""
    if Scope.READ not in seat.scopes:
        return []
    return [
        types.ResourceTemplate(
            name="memory",
            title="A memory",
            uri_template=MEMORY + "{id}",
            description="A memory that holds now, by its id.",
            mime_type=_JSON,
        )
    ]


def read(seat: Seat, address: str) -> types.ReadResourceResult:
    """What stands at an address: a host puts it into prompts, where only what holds belongs.

    Raises `MCPError` with the code for invalid parameters where nothing that holds now is there.
    """
    try:
        seat.workspace.check_token()
        shape = _policies(seat) if address == POLICIES else _memory(seat, address)
    except KarteError as error:
        raise MCPError(types.INVALID_PARAMS, error.message, error.to_dict()) from None
    content = types.TextResourceContents(uri=address, mime_type=_JSON, text=write(marked(shape)))
    return types.ReadResourceResult(contents=[content])


def _policies(seat: Seat) -> Shape:
    return {"policies": [policy.to_dict() for policy in seat.chart.policies(limit=MOST_POLICIES)]}


def _memory(seat: Seat, address: str) -> Shape:
    item = seat.chart.read(address.removeprefix(MEMORY)) if address.startswith(MEMORY) else None
    if item is None or item.status is not Status.IN_FORCE:
        raise UnknownMemory(f"There is nothing in force at {address!r:.200}.")
    return item.to_dict()
