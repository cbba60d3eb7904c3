"""Resources: a memory by its address, `karte://memory/{id}`."""

from __future__ import annotations

from typing import Final

import mcp_types as types
from mcp.shared.exceptions import MCPError

from karte.core.namespaces import Scope
from karte.core.results import Status
from karte.errors import KarteError, UnknownMemory
from karte.surfaces.mcp.answers import marked, write
from karte.surfaces.mcp.seats import Seat

MEMORY: Final = "karte://memory/"
_JSON: Final = "application/json"


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
    """The memory at an address, if it holds now: a host puts resources into prompts, where only what holds belongs.

    Raises `MCPError` with the code for invalid parameters for anything else.
    """
    try:
        seat.workspace.check_token()
        item = seat.chart.read(address.removeprefix(MEMORY)) if address.startswith(MEMORY) else None
        if item is None or item.status is not Status.IN_FORCE:
            raise UnknownMemory(f"There is nothing in force at {address!r:.200}.")
    except KarteError as error:
        raise MCPError(types.INVALID_PARAMS, error.message, error.to_dict()) from None
    content = types.TextResourceContents(uri=address, mime_type=_JSON, text=write(marked(item.to_dict())))
    return types.ReadResourceResult(contents=[content])
