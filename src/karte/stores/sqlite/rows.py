"""Named queries in SQLite: a list is bound as JSON."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Final

import apsw

from karte.stores.named_queries import read_queries
from karte.stores.relational import Row, Rows, Value

QUERIES: Final = read_queries("karte.stores.sqlite", "queries.sql").statements


_GATHERED: Final = ("add_assertion", "add_memory", "add_segment", "add_band")
"""What each new memory adds, in an order in which it can be added: a segment looks at its memory."""


class SQLiteRows(Rows):
    """Rows of one transaction on a connection.

    New rows of memories are gathered and put in together, table by table, before anything else is asked or done: each
    table's pages stay at hand then, and SQLite is called once for all of them.
    """

    near = True

    def __init__(self, connection: apsw.Connection, *, settled: bool = False) -> None:
        super().__init__(settled=settled)
        self._connection = connection
        self._gathered: dict[str, list[tuple[Value, ...]]] = {}

    def each(self, query: str, /, **values: Value) -> Iterator[Row]:
        """The rows of a query, one by one."""
        return self._execute(query, values)

    stream = each

    def one(self, query: str, /, **values: Value) -> Row | None:
        """The first row of a query."""
        rows = self._execute(query, values).fetchall()
        return rows[0] if rows else None

    def run(self, query: str, /, **values: Value) -> None:
        """Run a statement."""
        self._execute(query, values)

    def give(self, query: str, /, *values: Value) -> None:
        """Run a statement with its values in order, some of them later."""
        if query in _GATHERED:
            self._gathered.setdefault(query, []).append(values)
        else:
            self._execute(query, values)

    def run_each(self, query: str, /, values: Iterable[tuple[Value, ...]]) -> None:
        """Run a statement once for each row of values, some of them later."""
        if query in _GATHERED:
            self._gathered.setdefault(query, []).extend(values)
        else:
            self._put_in()
            self._connection.executemany(QUERIES[query], values)

    def tidy(self) -> None:
        """Put in what was gathered, before the transaction ends."""
        self._put_in()
        super().tidy()

    def _execute(self, query: str, values: dict[str, Value] | tuple[Value, ...]) -> apsw.Cursor:
        self._put_in()
        return self._connection.execute(QUERIES[query], values)

    def _put_in(self) -> None:
        if self._gathered:
            gathered, self._gathered = self._gathered, {}
            for query in _GATHERED:
                if query in gathered:
                    self._connection.executemany(QUERIES[query], gathered[query])

    def listed(self, values: Collection[Value]) -> str:
        """A list as JSON."""
        return json.dumps(list(values))

    def binaries(self, values: Iterable[bytes]) -> str:
        """A list of bytes as JSON, in hexadecimal."""
        return json.dumps([value.hex() for value in values])
