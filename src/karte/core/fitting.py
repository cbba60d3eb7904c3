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

    def overlaps(self, task: Weights, texts: Iterable[Weights]) -> list[float]:
        """What each text has in common with a task, as a share (0..1) of what the one of the two tells that tells less."""
        asked = {term: self._rarity(term) for term in task}
        whole = sum(weight * asked[term] for term, weight in task.items())
        return [self._overlap(task, asked, whole, text) for text in texts]

    def _overlap(self, task: Weights, asked: Mapping[str, float], whole: float, text: Weights) -> float:
        shared = [term for term in task if term in text]
        if not shared:
            return 0.0
        told = sum(weight * self._rarity(term) for term, weight in text.items())
        return sum(min(task[term], text[term]) * asked[term] for term in shared) / min(whole, told)

    def _rarity(self, term: str) -> float:
        held = self.counts.get(term, 0)
        return math.log(1 + (self.size - held + 0.5) / (held + 0.5))
