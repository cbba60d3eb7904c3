"""Saying how a walk gets to a memory: `Kai -works_at-> Acme <-founded- Mei`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np

from karte.core.chains import Classes
from karte.core.graph import Floats, best_paths
from karte.core.memories import Memory, Triple
from karte.engine.gathering import Frame
from karte.engine.graphs.network import Joint, Network, View

LONGEST_PATH: Final = 6
_LONGEST_EXCERPT: Final = 32

_BETWEEN: Final = {
    Joint.DERIVED: ("-derived from->", "-source of->"),
    Joint.FOLLOWING: ("-said after->", "-said before->"),
    Joint.SIMILAR: ("-like->", "-like->"),
}
"""What is said of a step between two memories, from the left one and from the right one."""


def tell(frame: Frame, network: Network, view: View, starts: Floats, nodes: Mapping[int, int]) -> dict[int, str]:
    """How the walk gets from its starts to these nodes, by the number of each memory."""
    ends = np.array(sorted(nodes.values()), np.int64)
    paths = best_paths(view.graph, starts, ends, LONGEST_PATH)
    walked = {node - view.entities for path in paths.values() for node in path if node >= view.entities}
    numbers = view.memories[sorted(walked)].tolist()
    kept = frame.unit.memories.get(frame.namespace, numbers)
    memories = {number: k.memory for number, k in kept.items()}
    telling = _Telling(network, view, memories)
    return {number: telling.path(paths[node]) for number, node in nodes.items() if node in paths}


@dataclass(frozen=True)
class _Telling:
    network: Network
    view: View
    memories: Mapping[int, Memory]

    def path(self, path: Sequence[int]) -> str:
        """A path in words. A triple on the way from one entity to another is the step between them."""
        words = [self._start(path)]
        for place in range(1, len(path)):
            words += self._step(path, place)
        return " ".join(word for word in words if word)
