"""A store that notes which methods of the contract are called."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Any

from karte import ports
from karte.ports import Store

PARTS = {
    "agents": "Agents",
    "memories": "Memories",
    "records": "Records",
    "timelines": "Timelines",
    "lexicon": "Lexicon",
    "receipts": "Receipts",
    "likenesses": "Likenesses",
    "usages": "Usages",
    "episodes": "Episodes",
    "facts": "Facts",
    "vectors": "Vectors",
    "archive": "Archive",
    "leases": "Leases",
    "reviews": "Reviews",
    "bursts": "Bursts",
    "blocks": "Blocks",
    "plans": "Plans",
    "audit": "Audit",
    "tokens": "Tokens",
    "domains": "Domains",
}


def contract() -> set[str]:
    """Every method of the store contract, as `Protocol.method`; the ports that are no part of a store are left out."""
    protocols = [
        value
        for value in vars(ports).values()
        if getattr(value, "_is_protocol", False) and value.__module__.startswith(f"{ports.__name__}.")
    ]
    methods = {f"{p.__name__}.{name}" for p in protocols for name in vars(p) if not name.startswith("_")}
    return {method for method in methods if method.split(".")[0] not in {"Clock", "Ids", "Secrets", "Embedder"}}


class RecordingStore:
    """Hands every call on to a store, and notes it in `called`."""

    def __init__(self, store: Store, called: set[str]) -> None:
        self._store, self._called = store, called

    @contextmanager
    def reading(self) -> Iterator[Any]:
        self._called.add("Store.reading")
        with self._store.reading() as unit:
            yield _Recording(unit, "Reading", self._called)

    @contextmanager
    def writing(self) -> Iterator[Any]:
        self._called.add("Store.writing")
        with self._store.writing() as unit:
            yield _Recording(unit, "Writing", self._called)

    def check(self) -> None:
        self._called.add("Store.check")
        self._store.check()

    @property
    def shared(self) -> bool:
        self._called.add("Store.shared")
        return self._store.shared

    def scrub(self) -> None:
        self._called.add("Store.scrub")
        self._store.scrub()

    def traces(self, texts: Collection[str]) -> frozenset[str] | None:
        self._called.add("Store.traces")
        return self._store.traces(texts)

    def keep_outside(self, text: str) -> None:
        self._called.add("Store.keep_outside")
        self._store.keep_outside(text)

    def kept_outside(self) -> str | None:
        self._called.add("Store.kept_outside")
        return self._store.kept_outside()

    def close(self) -> None:
        self._called.add("Store.close")
        self._store.close()


class _Recording:
    def __init__(self, wrapped: Any, protocol: str, called: set[str]) -> None:
        self._wrapped, self._protocol, self._called = wrapped, protocol, called

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._wrapped, name)
        if name in PARTS:
            self._called.add(f"Reading.{name}")
            return _Recording(value, PARTS[name], self._called)
        return self._noting(name, value)

    def _noting(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        def noting(*given: Any, **named: Any) -> Any:
            self._called.update(f"{protocol}.{name}" for protocol in {self._protocol, *self._inherited(name)})
            return method(*given, **named)

        return noting

    def _inherited(self, name: str) -> set[str]:
        """A writer's reading methods are those of `Reading`."""
        return {"Reading"} if self._protocol == "Writing" and hasattr(ports.Reading, name) else set()
