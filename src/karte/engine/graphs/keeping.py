"""Keeping graphs in memory: which are kept, and when they are read again."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from karte.core.namespaces import Namespace
from karte.engine.gathering import Frame
from karte.engine.graphs.network import Network
from karte.engine.graphs.past import PastFacts
from karte.engine.graphs.web import Web, aliases_of

LEAST_KEPT: Final = 500
"""A namespace with fewer triples and texts than this is read at every question."""

MOST_KEPT: Final = 64
"""Of so many namespaces the graph is kept; beyond it that which was asked longest ago is let go."""


@dataclass
class _Shelf:
    """The place for one namespace's graph; who reads it or reads it in holds `turn`."""

    web: Web | None = None
    network: Network | None = None
    turn: Lock = field(default_factory=Lock)


class Graphs:
    """The graphs of a workspace's namespaces, as far as they are kept."""

    def __init__(self, least_kept: int = LEAST_KEPT) -> None:
        self._least_kept = least_kept
        self._shelves: OrderedDict[Namespace, _Shelf] = OrderedDict()
        self._lock = Lock()

    def present(self, frame: Frame) -> Network:
        """The graph of a namespace as a unit of work sees it."""
        shelf = self._shelf(frame.namespace)
        with shelf.turn:
            learned = frame.unit.last_learned()
            if shelf.web is not None and shelf.web.read_at > learned:
                return _read(frame)[1]  # the view began before what is kept was read
            if shelf.web is None or shelf.network is None or shelf.web.read_at < learned:
                self._refresh(shelf, frame)
            if shelf.network is None:
                return _read(frame)[1]
            return shelf.network

    def _refresh(self, shelf: _Shelf, frame: Frame) -> None:
        web, network = shelf.web, shelf.network
        shelf.web = shelf.network = None  # what is half read is never kept
        aliases, erasures = aliases_of(frame), frame.unit.facts.erasures(frame.namespace)
        if web is None or network is None or (web.aliases, web.erasures) != (aliases, erasures):
            web, network = _read(frame)
        elif web.read(frame, frame.unit.facts):
            network = web.network()
        shelf.web, shelf.network = web, network

    def _shelf(self, namespace: Namespace) -> _Shelf:
        with self._lock:
            shelf = self._shelves.setdefault(namespace, _Shelf())
            self._shelves.move_to_end(namespace)
            while len(self._shelves) > MOST_KEPT:
                self._shelves.popitem(last=False)
            return shelf


def _read(frame: Frame) -> tuple[Web, Network]:
    web = Web(aliases_of(frame), frame.unit.facts.erasures(frame.namespace))
    web.read(frame, frame.unit.facts)
    return web, web.network()


def past(frame: Frame, known_at: int) -> Network:
    """The graph as it was known at a system time; read anew, and what changed since is folded as of then."""
    web = Web(aliases_of(frame, known_at), 0)
    web.read(frame, PastFacts(frame, known_at))
    return web.network()
