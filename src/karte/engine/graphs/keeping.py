"""Keeping graphs in memory: which are kept, and when they are read again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from karte.core.namespaces import Namespace
from karte.core.periods import FOREVER
from karte.engine.gathering import Frame
from karte.engine.graphs.network import Network
from karte.engine.graphs.past import PastFacts
from karte.engine.graphs.web import Web, aliases_of

LEAST_KEPT: Final = 500
"""A namespace with fewer triples and texts than this is read at every question."""

MOST_KEPT: Final = 64
"""Of so many namespaces the graph is kept; beyond it that which was asked longest ago is let go."""


@dataclass(frozen=True)
class _Kept:
    web: Web
    network: Network


@dataclass
class _Shelf:
    """The place for one namespace's graph; who reads it or reads it in holds `turn`."""

    kept: _Kept | None = None
    turn: Lock = field(default_factory=Lock)


class Graphs:
    """The graphs of a workspace's namespaces, as far as they are kept."""

    def __init__(self, least_kept: int = LEAST_KEPT) -> None:
        self._least_kept = least_kept
        self._shelves: OrderedDict[Namespace, _Shelf] = OrderedDict()
        self._lock = Lock()

    def asked(self, frame: Frame, known_at: int = FOREVER) -> Network:
        """The graph of a namespace as it was known at a system time, or as it is known now."""
        return self.present(frame) if known_at == FOREVER else _past(frame, known_at)

    def present(self, frame: Frame) -> Network:
        """The graph of a namespace as a unit of work sees it."""
        shelf = self._shelf(frame.namespace)
        with shelf.turn:
            learned = frame.unit.last_learned()
            if shelf.kept is None or shelf.kept.web.read_at < learned:
                shelf.kept, kept = None, self._read(shelf.kept, frame)  # what is half read is never kept
                shelf.kept = kept if kept.web.size >= self._least_kept else None
                return kept.network
            if shelf.kept.web.read_at == learned:
                return shelf.kept.network
        return _read(frame).network  # the view began before what is kept was read

    def _read(self, kept: _Kept | None, frame: Frame) -> _Kept:
        if kept is None:
            return _read(frame)
        found = (aliases_of(frame), frame.unit.facts.erasures(frame.namespace))
        if found != (kept.web.aliases, kept.web.erasures):
            return _read(frame)
        return _Kept(kept.web, kept.web.network()) if kept.web.read(frame, frame.unit.facts) else kept

    def _shelf(self, namespace: Namespace) -> _Shelf:
        with self._lock:
            shelf = self._shelves.setdefault(namespace, _Shelf())
            self._shelves.move_to_end(namespace)
            while len(self._shelves) > MOST_KEPT:
                self._shelves.popitem(last=False)
            return shelf


def _read(frame: Frame) -> _Kept:
    web = Web(aliases_of(frame), frame.unit.facts.erasures(frame.namespace))
    web.read(frame, frame.unit.facts)
    return _Kept(web, web.network())


def _past(frame: Frame, known_at: int) -> Network:
    """The graph as it was known at a system time; read anew, and what changed since is folded as of then."""
    web = Web(aliases_of(frame, known_at), 0)
    web.read(frame, PastFacts(frame, known_at))
    return web.network()
