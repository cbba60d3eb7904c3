"""The stores that suites run over, and the two places where a workspace that lasts is kept."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from karte.ports import Store
from karte.stores.memory import MemoryStore
from karte.stores.sqlite import SQLiteStore
from karte.stores.sqlite.connecting import Durability
from tests.servers.postgres import fresh_workspace, shared_database, workspace_in

# Most tests ask what a workspace says, not whether it survives a loss of power.
QUICK: Final = Durability(synchronous="OFF")

Making = Callable[[Path], Store]


def _in_postgres(folder: Path) -> Store:
    from karte.stores.postgres import Address, PostgresStore

    return PostgresStore(Address.read(workspace_in(shared_database(), "-".join(folder.parts[1:]))))


STORES: Final[dict[str, Making]] = {
    "memory": lambda _: MemoryStore(),
    "sqlite": lambda folder: SQLiteStore(folder / "workspace.karte", durability=QUICK),
    "postgres": _in_postgres,
}
"""How to make each store over a workspace that belongs to a folder: empty the first time, then the same one again."""

LASTING: Final = ("sqlite", "postgres")
"""The stores whose workspaces are there after they were closed."""

FILE: Final = "file"
POSTGRES: Final = "postgres"


def fresh_address(kept_in: str, folder: Path) -> str:
    """The address of a workspace that is not there yet: a file in the folder, or one in the tests' PostgreSQL."""
    return str(folder / "team.karte") if kept_in == FILE else fresh_workspace()
