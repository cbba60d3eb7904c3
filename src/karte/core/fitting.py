"""How far a rule, or the description of a domain, fits a task by its words, in any script.

A task may be long and a rule short: what counts is what both say, as a share of what the one says that says less. Each
term counts by what it says of a topic (see `topics`), and by how rare it is among the rules.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from karte.core.text import terms
from karte.core.topics import Weights, weights

FITS: Final = 0.1
"""From this share on a text is about what a task is about."""


_ORDERING: Final = frozenset(
    terms("before after until till while during since when whenever first last next always never every each all only")
)
"""Words that say when and how often a rule applies, not to what."""


def telling(text: str) -> Weights:
    """The distinct terms of a text with what each says of what it is about."""
    return {term: weight for term, weight in weights(text).items() if term not in _ORDERING}


@dataclass(frozen=True)
class Rarity:
    """How much each term tells among some texts: ln(1 + (n - df + 1/2) / (df + 1/2)), as in BM25."""

    size: int
    counts: Mapping[str, int]

    @classmethod
    def among(cls, texts: Iterable[Weights]) -> Rarity:
        """Count the texts that hold each term."""
        counts: Counter[str] = Counter()
        size = 0
        for words in texts:
            counts.update(words.keys())
            size += 1
        return cls(size, counts)

    def mass(self, words: Weights) -> float:
        """What the terms of a text tell together."""
        return sum(self._telling(term, weight) for term, weight in words.items())

    def overlap(self, one: Weights, other: Weights) -> float:
        """What two texts have in common, as a share (0..1) of what the one tells that tells less."""
        shorter, longer = sorted((one, other), key=len)
        shared = {term: min(weight, longer[term]) for term, weight in shorter.items() if term in longer}
        return self.mass(shared) / min(self.mass(one), self.mass(other)) if shared else 0.0

    def _telling(self, term: str, weight: float) -> float:
        held = self.counts.get(term, 0)
        return weight * math.log(1 + (self.size - held + 0.5) / (held + 0.5))
