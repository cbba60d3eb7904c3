"""Opening a workspace for a test: with a clock that the test owns, and the durability that it asks for."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from karte.bootstrap import Parts, open_workspace
from karte.stores.sqlite import SQLiteStore
from karte.stores.sqlite.connecting import Durability
from karte.workspace import Workspace

_NOON = 1_772_366_400_000_000
_SECOND = 1_000_000


class Ticks:
    """A clock that moves on by a second each time it is read, from noon of 1 March 2026 and `hours` later."""

    def __init__(self, hours: int = 0) -> None:
        self._now = _NOON + hours * 3_600 * _SECOND

    def now(self) -> int:
        """Microseconds since the epoch."""
        self._now += _SECOND
        return self._now


@contextmanager
def opened(path: Path, durability: Durability | None = None, hours: int = 0) -> Iterator[Workspace]:
    """A workspace over the file at `path`, closed at the end."""
    with open_workspace(path, parts=Parts(store=SQLiteStore(path, durability=durability), clock=Ticks(hours))) as made:
        yield made


def integrity(path: Path) -> str:
    """What SQLite's own check of a file says; `ok` if nothing is wrong."""
    connection = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
    try:
        return str(connection.execute("PRAGMA integrity_check").fetchall()[0][0])
    finally:
        connection.close()
