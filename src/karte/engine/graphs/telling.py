"""Saying how a walk gets to a memory: `Kai -works_at-> Acme <-founded- Mei`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from karte.core.graph import Ints
from karte.core.memories import Memory, Triple
from karte.engine.gathering import Frame
from karte.engine.graphs.network import Joint, Network, View

LONGEST_PATH: Final = 6
"""So many steps are told at most; a triple on the way from one entity to another is two of them."""

_LONGEST_EXCERPT: Final = 32
_THIS: Final = "this"
_NAMED_IN, _NAMES = "-named in->", "-names->"
_BETWEEN: Final = {
    Joint.DERIVED: ("-derived from->", "-source of->"),
    Joint.FOLLOWING: ("-said before->", "-said after->"),
    Joint.SIMILAR: ("-like->", "-like->"),
}
"""What is said of a step between two memories, from the left one and from the right one."""


def tell(
    frame: Frame, network: Network, view: View, nodes: Mapping[int, int], paths: Mapping[int, Sequence[int]]
) -> dict[int, str]:
    """Say the paths to these nodes, by the number of the memory that each node is."""
    walked = np.unique(np.array([node for path in paths.values() for node in path], np.int64))
    numbers = {node: int(view.memories[node - view.entities]) for node in walked.tolist() if node >= view.entities}
    kept = frame.unit.memories.get(frame.namespace, list(numbers.values()))
    memories = {node: kept[number].memory for node, number in numbers.items() if number in kept}
    telling = _Telling(network, walked, memories)
    told = {number: paths[node] for number, node in nodes.items() if node in paths}
    return {number: telling.path(path) for number, path in told.items() if telling.knows(path)}


@dataclass(frozen=True)
class _Telling:
    network: Network
    walked: Ints
    memories: Mapping[int, Memory]

    def knows(self, path: Sequence[int]) -> bool:
        """Whether all memories on a path can be read."""
        return all(node < self.network.entities or node in self.memories for node in path)

    def path(self, path: Sequence[int]) -> str:
        """A path in words."""
        around: list[int | None] = [None, *path, None]
        words: list[str] = []
        for before, node, after in zip(around, path, around[2:], strict=False):
            if node < self.network.entities:
                words += self._entity(before, node)
            elif self.memories[node].triple is None:
                words += [
                    *self._into(before, node),
                    _THIS if before and after is None else _excerpt(self.memories[node]),
                ]
            else:
                words += self._fact(before, node, after)
        return " ".join(words)

    def _is_entity(self, node: int | None) -> bool:
        return node is not None and node < self.network.entities

    def _entity(self, before: int | None, node: int) -> list[str]:
        named = before is not None and self.memories[before].triple is None
        return [_NAMES, self.network.labels[node]] if named else [self.network.labels[node]]

    def _into(self, before: int | None, node: int) -> list[str]:
        """The step from an entity or memory to a text, or from a memory to a triple."""
        if before is None:
            return []
        if self._is_entity(before):
            return [_NAMED_IN]
        forward = self._between.get((before, node))
        return [_BETWEEN[forward][0]] if forward else [_BETWEEN[self._between[node, before]][1]]

    def _fact(self, before: int | None, node: int, after: int | None) -> list[str]:
        triple = self.memories[node].triple or Triple("", "")
        right, left = f"-{triple.predicate}->", f"<-{triple.predicate}-"
        value = [] if triple.object is None else [triple.object]
        if self._is_entity(before):
            onwards = before == self._subjects[node]
            end = [] if self._is_entity(after) else (value if onwards else [triple.subject])
            return [right if onwards else left, *end]
        into = self._into(before, node)
        if self._is_entity(after):
            return [*into, *([*value, left] if after == self._subjects[node] else [triple.subject, right])]
        return [*into, triple.subject, right, *value]

    @cached_property
    def _subjects(self) -> dict[int, int]:
        """The entity that each triple on the way is about."""
        joints = self.network.joints
        about = np.flatnonzero((joints.kinds == Joint.SUBJECT) & np.isin(joints.right, self.walked))
        return dict(zip(joints.right[about].tolist(), joints.left[about].tolist(), strict=True))

    @cached_property
    def _between(self) -> dict[tuple[int, int], Joint]:
        """What joins two memories on the way, from left to right."""
        joints = self.network.joints
        ours = np.isin(joints.left, self.walked) & np.isin(joints.right, self.walked) & (joints.kinds >= Joint.DERIVED)
        rows = zip(joints.left[ours].tolist(), joints.right[ours].tolist(), joints.kinds[ours].tolist(), strict=True)
        return {(left, right): Joint(kind) for left, right, kind in rows}


def _excerpt(memory: Memory) -> str:
    text = " ".join(memory.content.split())
    return f"“{text}”" if len(text) <= _LONGEST_EXCERPT else f"“{text[: _LONGEST_EXCERPT - 1]}…”"
