"""Running named queries on a connection, and what all parts of a unit of work share."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from typing import Any, Final

import apsw

from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.errors import UnknownAgent
from karte.stores.named_queries import read_queries

Q: Final = read_queries("karte.stores.sqlite", "queries.sql")

Row = tuple[Any, ...]
_NOWHERE: Final = -1


class Rows:
    """Rows of one transaction."""

    def __init__(self, connection: apsw.Connection) -> None:
        self._connection = connection
        self._namespaces: dict[str, int] = {}
        self._sources: dict[tuple[str, str], int] = {}

    def each(self, query: str, **values: Any) -> Iterator[Row]:
        """The rows of a query, one by one."""
        return self._connection.execute(query, values)

    def one(self, query: str, **values: Any) -> Row | None:
        """The first row of a query."""
        rows = self._connection.execute(query, values).fetchall()
        return rows[0] if rows else None

    def value(self, query: str, **values: Any) -> Any:
        """The first value of the first row."""
        row = self.one(query, **values)
        return None if row is None else row[0]

    def run(self, query: str, **values: Any) -> None:
        """Run a statement."""
        self._connection.execute(query, values)

    def run_each(self, query: str, values: Iterable[dict[str, Any]]) -> None:
        """Run a statement once for each set of values."""
        self._connection.executemany(query, values)

    def namespace(self, namespace: Namespace) -> int:
        """The number of a namespace; of no namespace where the agent is unknown, so that nothing is found."""
        found = self._namespaces.get(namespace.agent)
        if found is None:
            found = self.value(Q.find_namespace, agent=namespace.agent)
            if found is None:
                return _NOWHERE
            self._namespaces[namespace.agent] = found
        return found

    def known_namespace(self, namespace: Namespace) -> int:
        """The number of a namespace to write to; raises `UnknownAgent`."""
        found = self.namespace(namespace)
        if found == _NOWHERE:
            raise UnknownAgent(f"There is no agent {namespace.agent!r} in this workspace.")
        return found

    def source(self, origin: Origin) -> int:
        """The number of an origin's container, kept if it is new."""
        name = (origin.kind.value, origin.container)
        found = self._sources.get(name)
        if found is None:
            found = self.known_source(origin)
            if found is None:
                found = self.value(Q.add_source, kind=name[0], container=name[1])
            self._sources[name] = found
        return found

    def known_source(self, origin: Origin) -> int | None:
        """The number of an origin's container."""
        found: int | None = self.value(Q.find_source, kind=origin.kind.value, container=origin.container)
        return found


def listed(values: Collection[Any]) -> str:
    """A list as one bound value."""
    return json.dumps(list(values))


def hexes(values: Iterable[bytes]) -> str:
    """A list of bytes as one bound value, in hexadecimal."""
    return json.dumps([value.hex() for value in values])
