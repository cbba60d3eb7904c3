"""Running named queries in one transaction, and what all parts of a unit of work share."""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator
from typing import Any, ClassVar

from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.errors import UnknownAgent

Row = tuple[Any, ...]
Value = Any
"""What a database keeps: a number, a text, bytes, a truth value, or None; instants are microseconds."""

_NOWHERE = -1


class Rows(ABC):
    """Rows of one transaction; queries are named as in the dialect's queries.sql."""

    near: ClassVar[bool]
    """Whether a question is no way to a server, so that a short one is asked before a long one that it may spare."""

    def __init__(self, *, settled: bool = False) -> None:
        """`settled` rows are only read: what was asked once has the same answer until the transaction ends."""
        self._settled: dict[tuple[Value, ...], list[Row]] | None = {} if settled else None
        self._namespaces: dict[str, int] = {}
        self._sources: dict[tuple[str, str], int] = {}
        self._loosened: set[int] = set()

    @abstractmethod
    def each(self, query: str, /, **values: Value) -> Iterator[Row]:
        """The rows of a query, one by one."""

    @abstractmethod
    def stream(self, query: str, /, **values: Value) -> Iterator[Row]:
        """The rows of a query that may have very many, never all in memory."""

    @abstractmethod
    def run(self, query: str, /, **values: Value) -> None:
        """Run a statement."""

    @abstractmethod
    def give(self, query: str, /, *values: Value) -> None:
        """Run a statement with its values in the order in which it names them first: half the time to bind them."""

    @abstractmethod
    def run_each(self, query: str, /, values: Iterable[tuple[Value, ...]]) -> None:
        """Run a statement once for each row of values, in the order in which it names them first."""

    @abstractmethod
    def listed(self, values: Collection[Value]) -> Value:
        """A list of numbers or texts as one bound value."""

    def tabled(self, values: Collection[tuple[Value, ...]]) -> str:
        """Rows of numbers or texts as one bound value: JSON, which both dialects read."""
        return json.dumps([list(row) for row in values], ensure_ascii=False)

    @abstractmethod
    def binaries(self, values: Iterable[bytes]) -> Value:
        """A list of bytes as one bound value."""

    def one(self, query: str, /, **values: Value) -> Row | None:
        """The first row of a query that gives at most a few."""
        rows = list(self.each(query, **values))
        return rows[0] if rows else None

    def first(self, query: str, /, **values: Value) -> Row | None:
        """The first row of a query that may give many."""
        return next(self.each(query, **values), None)

    def known(self, query: str, /, **values: Value) -> list[Row]:
        """The few rows of a query, which several parts of a use case ask for; its values can be hashed."""
        if self._settled is None:
            return list(self.each(query, **values))
        key = (query, *values.values())
        if key not in self._settled:
            self._settled[key] = list(self.each(query, **values))
        return self._settled[key]

    def value(self, query: str, /, **values: Value) -> Any:
        """The first value of the first row."""
        row = self.one(query, **values)
        return None if row is None else row[0]

    def namespace(self, namespace: Namespace) -> int:
        """The number of a namespace; of no namespace where the agent is unknown, so that nothing is found."""
        found = self._namespaces.get(namespace.agent)
        if found is None:
            found = self.value("find_namespace", agent=namespace.agent)
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
                found = self.value("add_source", kind=name[0], container=name[1])
            self._sources[name] = found
        return found

    def known_source(self, origin: Origin) -> int | None:
        """The number of an origin's container."""
        found: int | None = self.value("find_source", kind=origin.kind.value, container=origin.container)
        return found

    def by_origin(self, query: str, namespace: Namespace, origin: Origin) -> Iterator[Row]:
        """The rows of a query about exactly that origin, none where it was never heard of."""
        source = self.known_source(origin)
        if source is None:
            return iter(())
        return self.each(query, ns=self.namespace(namespace), source=source, item=origin.item)

    def loosen(self, sources: Iterable[int]) -> None:
        """Note sources of which something was removed: at the end of the transaction those that nothing names go."""
        self._loosened.update(sources)

    def take(self, query: str, /, **values: Value) -> None:
        """Run a statement that removes rows and gives their sources."""
        self.loosen(source for (source,) in self.each(query, **values))

    def tidy(self) -> None:
        """Remove the sources that nothing names any more, so that no name of a container outlives what it taught."""
        loosened, self._loosened = sorted(self._loosened), set()
        if loosened:
            self.run_each("remove_unused_source", ((source,) for source in loosened))
