"""Named queries in PostgreSQL: each is bound to one workspace, values by their names."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from functools import cache
from typing import Any, Final

import psycopg

from karte.stores.named_queries import read_queries
from karte.stores.postgres.binding import HalfVector, Instant
from karte.stores.relational import Row, Rows, Value

QUERIES: Final = read_queries("karte.stores.postgres", "queries.sql").statements

INSTANTS: Final = frozenset(
    {
        *("at", "changed_at", "created_at", "decided_at", "end", "expires_at", "far", "last", "learned_at", "made_at"),
        *("now", "observed_at", "opened_at", "revoked_at", "said_from", "since", "start", "until", "valid_from"),
        "valid_until",
    }
)
"""The names under which instants are bound."""

_BATCH: Final = 1_000
"""How many rows of a long answer are fetched at a time."""

_WORKSPACE: Final = "workspace"
_PLACEHOLDER: Final = re.compile(r"%\((\w+)\)s")


class PostgresRows(Rows):
    """Rows of one transaction on a connection, of one workspace."""

    near = False

    def __init__(
        self, connection: psycopg.Connection, workspace_id: int, pipeline: psycopg.Pipeline | None = None
    ) -> None:
        super().__init__(settled=pipeline is None)
        self._connection = connection
        self._workspace = workspace_id
        self._pipeline = pipeline
        self._streams: list[psycopg.ServerCursor] = []

    def each(self, query: str, /, **values: Value) -> Iterator[Row]:
        """The rows of a query."""
        return iter(self._asked(QUERIES[query], values).fetchall())

    def first(self, query: str, /, **values: Value) -> Row | None:
        """The first row of a query that may have many."""
        return self._asked(f"{QUERIES[query]} LIMIT 1", values).fetchone()

    def stream(self, query: str, /, **values: Value) -> Iterator[Row]:
        """The rows of a query that may have very many, through a cursor of the server; while writing, all at once."""
        if self._pipeline is not None:
            yield from self.each(query, **values)
            return
        with self._connection.cursor(f"karte_{len(self._streams)}") as cursor:
            self._streams.append(cursor)
            cursor.itersize = _BATCH
            cursor.execute(QUERIES[query].encode(), self._bound(values), binary=True)
            yield from cursor

    def run(self, query: str, /, **values: Value) -> None:
        """Run a statement."""
        self._execute(QUERIES[query], values)

    def give(self, query: str, /, *values: Value) -> None:
        """Run a statement with its values in order."""
        self._execute(QUERIES[query], dict(zip(_named(query), values, strict=True)))

    def run_each(self, query: str, /, values: Iterable[tuple[Value, ...]]) -> None:
        """Run a statement once for each row of values, without waiting for each answer."""
        names = _named(query)
        rows = (self._bound(dict(zip(names, row, strict=True))) for row in values)
        with self._connection.cursor() as cursor:
            cursor.executemany(QUERIES[query].encode(), rows)

    def listed(self, values: Collection[Value]) -> list[Value]:
        """A list as an array, without what no row can hold."""
        return [value for value in values if not isinstance(value, str) or _is_text(value)]

    def binaries(self, values: Iterable[bytes]) -> list[bytes]:
        """A list of bytes as an array."""
        return list(values)

    def close(self) -> None:
        """End the streams that were left half read, before the connection is somebody else's."""
        for cursor in self._streams:
            cursor.close()

    def _asked(self, statement: str, values: dict[str, Value]) -> psycopg.Cursor:
        """Execute what has an answer. A pipeline is synchronised: only then the server ends who falls silent."""
        cursor = self._execute(statement, values)
        if self._pipeline is not None:
            self._pipeline.sync()
        return cursor

    def _execute(self, statement: str, values: dict[str, Value]) -> psycopg.Cursor:
        return self._connection.execute(statement.encode(), self._bound(values), binary=True)

    def _bound(self, values: dict[str, Value]) -> dict[str, Any]:
        bound = {name: _bind(name, value) for name, value in values.items()}
        bound[_WORKSPACE] = self._workspace
        return bound


@cache
def _named(query: str) -> tuple[str, ...]:
    """What a query names, in the order in which it first does, without the workspace."""
    return tuple(name for name in dict.fromkeys(_PLACEHOLDER.findall(QUERIES[query])) if name != _WORKSPACE)


def _bind(name: str, value: Value) -> Value:
    """A value as it is bound; a text that no row can hold is equal to none, so that it finds nothing."""
    if value is None or (isinstance(value, str) and not _is_text(value)):
        return None
    if name in INSTANTS:
        return Instant(value)
    return HalfVector(value) if name == "vector" else value


def _is_text(value: str) -> bool:
    """Whether a database can keep a text: it has no NUL and no lone surrogate, which the engine never stores."""
    if "\0" in value:
        return False
    if value.isascii():
        return True
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True
