"""A graph as it was read, and as it stands at an instant: weighted by trust and by how much an entity tells."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from functools import cached_property
from typing import Final

import numpy as np

from karte.core.graph import Floats, Graph, Ints, specificity
from karte.core.mentions import Names
from karte.core.periods import FOREVER
from karte.core.trust import FULL
from karte.engine.graphs.columns import Columns


class Joint(IntEnum):
    """What joins two nodes: the first two and a mention an entity and a memory, the others two memories."""

    SUBJECT = 0
    OBJECT = 1
    MENTION = 2
    DERIVED = 3
    FOLLOWING = 4
    SIMILAR = 5


STRENGTHS: Final = np.array([1.0, 1.0, 1.0, 0.3, 0.3, 0.5])
"""How much of its trust each joint lets through, by its number; the first four measured on MuSiQue."""

_MOST_VIEWS: Final = 4
_LEAST: Final = 1 / FULL
"""The least trust that there is, but for none."""


@dataclass(frozen=True)
class Joints:
    """Undirected edges: nodes on the left (entities, or the memory that was derived or came first) and on the right."""

    left: Ints
    right: Ints
    kinds: Ints

    def __len__(self) -> int:
        return len(self.kinds)


@dataclass(frozen=True)
class View:
    """A graph at an instant: nodes are the entities, then the memories, `memories[i]` being the node `entities + i`.

    A node passes on no more of its mass than its most trusted joint lets through, measured by the most trusted memory
    in force: where all is trusted alike, trust limits nothing. `told` says how much each entity tells, 0..1; 0 for
    those that no statement in force is about. `weights` are those of the network's joints, in their order.
    """

    graph: Graph
    entities: int
    memories: Ints
    told: Floats
    weights: Floats

    def nodes_of(self, numbers: Collection[int]) -> dict[int, int]:
        """The nodes of these memories; those that are not in the graph are left out."""
        wanted = np.array(sorted(numbers), np.int64)
        places = np.searchsorted(self.memories, wanted)
        known = self.memories.take(places, mode="clip") == wanted if len(self.memories) else np.zeros(0, bool)
        return dict(zip(wanted[known].tolist(), (places[known] + self.entities).tolist(), strict=True))


@dataclass(frozen=True)
class Network:
    """A graph as it was read: never changed, with the views of it that were asked for last.

    `spells` has a row (memory, start, end, expiry, trust) for each time a memory is in force.
    """

    labels: Sequence[str]
    names: Names
    memories: Ints
    joints: Joints
    spells: Ints
    entities: int
    _views: dict[tuple[int, int], View] = field(default_factory=dict)

    @cached_property
    def _bounds(self) -> Ints:
        """The instants at which something comes into force or goes out of it."""
        return np.unique(self.spells[:, 1:3])

    @cached_property
    def _expiries(self) -> Ints:
        return np.unique(self.spells[:, 3])

    def at(self, at: int, now: int) -> View:
        """The graph of what is in force at an instant and has not expired by `now`."""
        key = (_place(self._bounds, at), _place(self._expiries, now))
        found = self._views.get(key)
        if found is None:
            found = self._view(at, now)
            while len(self._views) >= _MOST_VIEWS:
                self._views.pop(next(iter(self._views)), None)
            self._views[key] = found
        return found

    def _view(self, at: int, now: int) -> View:
        trust, joints = self._trust(at, now), self.joints
        between = joints.kinds >= Joint.DERIVED
        stated = joints.kinds <= Joint.OBJECT
        reach = np.minimum(np.where(between, trust[joints.left], 1.0), trust[joints.right])
        named = np.zeros(self.entities, bool)
        named[joints.left[stated & (reach > 0)]] = True
        held = np.flatnonzero(~between & (reach > 0))
        held = held[named[joints.left[held]]]
        told = self._told(joints.left[held], int(np.count_nonzero(trust)))
        weights = reach * STRENGTHS[joints.kinds]
        weights[~between] *= told[joints.left[~between]]
        passing = reach / max(float(trust.max(initial=0.0)), _LEAST)
        graph = Graph.of(self.entities + len(self.memories), joints.left, joints.right, weights, passing)
        return View(graph, self.entities, self.memories, told, weights)

    def _trust(self, at: int, now: int) -> Floats:
        """The trust of each node in force, 0..1; that of an entity is 0 here."""
        number, start, end, expiry, trust = self.spells.T
        holding = (start <= at) & (end > at) & (expiry > now)
        found = np.zeros(self.entities + len(self.memories))
        found[np.searchsorted(self.memories, number[holding]) + self.entities] = trust[holding] / FULL
        return found

    def _told(self, entities: Ints, memories: int) -> Floats:
        told = specificity(np.bincount(entities, minlength=self.entities), memories)
        return told / float(np.log1p(max(memories, 1)))


def _place(bounds: Ints, instant: int) -> int:
    return int(np.searchsorted(bounds, instant, "right"))


@dataclass
class Parts:
    """What a graph is put together from, by numbers of memories."""

    facts: Columns = field(default_factory=lambda: Columns(3))
    kin: Columns = field(default_factory=lambda: Columns(3))
    turns: Columns = field(default_factory=lambda: Columns(3))
    spells: Columns = field(default_factory=lambda: Columns(5))

    def put_together(self, labels: Sequence[str], names: Names, mentions: Ints) -> Network:
        """The graph of these parts; `mentions` has a row (entity, memory) each. The order of rows changes nothing."""
        facts, kin = self.facts.rows(), np.unique(self.kin.rows(), axis=0)
        memories = _with_parents(np.union1d(facts[:, 0], mentions[:, 1]), kin)
        entities = len(labels)
        following = _following(_about(self.turns.rows(), memories))
        kin = kin[np.isin(kin[:, 0], memories) & np.isin(kin[:, 1], memories)]
        told = facts[facts[:, 2] >= 0]
        edges = [
            (facts[:, 1], facts[:, 0], Joint.SUBJECT),
            (told[:, 2], told[:, 0], Joint.OBJECT),
            (mentions[:, 0], mentions[:, 1], Joint.MENTION),
            *((kin[kin[:, 2] == kind][:, 0], kin[kin[:, 2] == kind][:, 1], kind) for kind in _KIN),
            (following[:, 0], following[:, 1], Joint.FOLLOWING),
        ]
        joints = _joints(edges, memories, entities)
        spells = _about(self.spells.rows(), memories)
        order = np.lexsort((spells[:, 1], spells[:, 0]))
        return Network(labels[:entities], names, memories, joints, spells[order], entities)


_KIN: Final = (Joint.DERIVED, Joint.SIMILAR)
NEVER: Final = FOREVER
"""The expiry of what does not expire."""


def _about(rows: Ints, memories: Ints) -> Ints:
    kept: Ints = rows[np.isin(rows[:, 0], memories)]
    return kept


def _with_parents(memories: Ints, kin: Ints) -> Ints:
    """These memories with all that any of them was derived from, in however many steps."""
    derived = kin[kin[:, 2] == Joint.DERIVED]
    while True:
        parents = derived[np.isin(derived[:, 0], memories)][:, 1]
        grown = np.union1d(memories, parents)
        if len(grown) == len(memories):
            return grown
        memories = grown


def _following(turns: Ints) -> Ints:
    """Pairs of memories that follow one another in a session, from rows (memory, session, observed_at)."""
    ordered = turns[np.lexsort((turns[:, 0], turns[:, 2], turns[:, 1]))]
    same = np.flatnonzero(ordered[1:, 1] == ordered[:-1, 1])
    return np.column_stack([ordered[same, 0], ordered[same + 1, 0]])


def _joints(edges: Sequence[tuple[Ints, Ints, Joint]], memories: Ints, entities: int) -> Joints:
    left = [
        np.searchsorted(memories, near) + entities if kind in (*_KIN, Joint.FOLLOWING) else near
        for near, _, kind in edges
    ]
    right = [np.searchsorted(memories, far) + entities for _, far, _ in edges]
    kinds = [np.full(len(far), kind, np.int64) for _, far, kind in edges]
    nodes, near, far, of = entities + len(memories), np.concatenate(left), np.concatenate(right), np.concatenate(kinds)
    order = np.argsort((of * nodes + near) * nodes + far)
    return Joints(near[order], far[order], of[order])
