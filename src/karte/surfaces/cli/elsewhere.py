"""What lies in other rooms and may not be imported here: named in a table, found when a command runs.

Surfaces do not know each other (a contract of this repository checks that), so that each can change, and be left out,
without the others. `karte mcp` still has to start its neighbour; this table is the one place that says how.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, Final

ENTRIES: Final = {
    "mcp": ("karte.surfaces.mcp", "serve"),
}


def entry(name: str) -> Any:
    """The function behind a name of the table."""
    module, function = ENTRIES[name]
    return getattr(import_module(module), function)
