"""Named queries in SQLite: a list is bound as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Final

import apsw

from karte.stores.named_queries import read_queries
from karte.stores.relational import Row, Rows, Value

QUERIES: Final = read_queries("karte.stores.sqlite", "queries.sql").statements


class SQLiteRows(Rows):
    """Rows of one transaction on a connection."""

    near = True

    def __init__(self, connection: apsw.Connection, *, settled: bool = False) -> None:
        super().__init__(settled=settled)
        self._connection = connection

    def each(self, query: str, /, **values: Value) -> Iterator[Row]:
        """The rows of a query, one by one."""
        return self._connection.execute(QUERIES[query], values)

    stream = each

    def one(self, query: str, /, **values: Value) -> Row | None:
        """The first row of a query."""
        rows = self._connection.execute(QUERIES[query], values).fetchall()
        return rows[0] if rows else None

    def run(self, query: str, /, **values: Value) -> None:
        """Run a statement."""
        self._connection.execute(QUERIES[query], values)

    def give(self, query: str, /, *values: Value) -> None:
        """Run a statement with its values in order."""
        self._connection.execute(QUERIES[query], values)

    def run_each(self, query: str, /, values: Iterable[tuple[Value, ...]]) -> None:
        """Run a statement once for each row of values."""
        self._connection.executemany(QUERIES[query], values)

    def listed(self, values: Collection[Value]) -> str:
        """A list as JSON."""
        return json.dumps(list(values))

    def binaries(self, values: Iterable[bytes]) -> str:
        """A list of bytes as JSON, in hexadecimal."""
        return json.dumps([value.hex() for value in values])
