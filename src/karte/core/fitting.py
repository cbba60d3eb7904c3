"""How far a text fits a task by its words, in any script: what both say, by how rare it is.

Function words say nothing about what a text is about. Where words are not spaced, terms are pairs of characters, and a
pair that holds a particle says as little.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from karte.core.text import terms

Words = frozenset[str]

FITS: Final = 0.1
"""From this share on a text is about what a task is about."""

_FUNCTION_WORDS: Final = frozenset(
    terms(
        "a about after all also always an and any are as at be been before but by can could did do does done down each "
        "every for from get had has have he her here him his how i if in into is it its just let make may me might more "
        "most must my need never new no not now of off on once one only or other our out over own please shall she "
        "should so some such sure than that the their them then there these they this those to too under until up us "
        "use was we were what when where which while who whom why will with without would you your "
        "です ます ました ません する した して している いる ある ない なる れる られる から まで とき こと もの ため よう には では とは "
        "との その この あの ので のに って ください さい しない すること について までに する前に "
        "니다 습니다 합니다 하는 에서 으로 하고 하지 세요 하세요 않는 않도록 것은 것이 전에 후에 있는 없는 해야 하기 그리고 하십시오 모든 항상"
    )
)
_PARTICLES: Final = frozenset("".join(terms("的了是在和與或也就請這那我你妳他她它們をのがはに")))
"""Characters that make a pair say nothing."""

_FAINT: Final = frozenset(
    "".join(terms("不要先再把被讓給對從到為於之其及都個有無沒可能會應該須必若如果時後前上下中每次所任何一"))
)
"""Characters of which two together say nothing."""

_PAIR: Final = 2


def telling(text: str) -> Words:
    """The distinct terms of a text that say what it is about."""
    return frozenset(term for term in set(terms(text)) if _tells(term))


def _tells(term: str) -> bool:
    if term in _FUNCTION_WORDS:
        return False
    if len(term) > _PAIR or term.isascii():
        return True
    return _PARTICLES.isdisjoint(term) and not _FAINT.issuperset(term)


@dataclass(frozen=True)
class Rarity:
    """How much each term tells among some texts: ln(1 + (n - df + 1/2) / (df + 1/2)), as in BM25."""

    size: int
    counts: Mapping[str, int]

    @classmethod
    def among(cls, texts: Iterable[Words]) -> Rarity:
        """Count the texts that hold each term."""
        counts: Counter[str] = Counter()
        size = 0
        for words in texts:
            counts.update(words)
            size += 1
        return cls(size, counts)

    def weight(self, term: str) -> float:
        """The weight of one term."""
        held = self.counts.get(term, 0)
        return math.log(1 + (self.size - held + 0.5) / (held + 0.5))

    def mass(self, words: Collection[str]) -> float:
        """The weight of some terms together."""
        return sum(self.weight(term) for term in sorted(words))

    def overlap(self, one: Words, other: Words) -> float:
        """What two texts have in common, as a share (0..1) of what the one that says less says."""
        shared = one & other
        if not shared:
            return 0.0
        return self.mass(shared) / min(self.mass(one), self.mass(other))
