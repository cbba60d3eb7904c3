"""What a task is about, and which of a few short texts are about it too.

The terms are those of recall, so a Chinese topic matches inside a sentence. What counts is how rare a term is among
these texts, and that it says something: words of grammar and half words count little or nothing, whatever the language.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import Final

from karte.core.grammar import CLOSED, DENYING
from karte.core.text import terms
from karte.core.wording import Item, read_wording

TELLING: Final = 1.0
"""A text fits a task if a term that they share weighs this much: a word, or two Han characters in a row."""

_REMEMBERED: Final = 4_096
_TERMS: Final = 1 << 15
_VALUE: Final = 0.5
_SYLLABLES: Final = 0.25
"""What a piece of a Korean word weighs; the word without its ending, and how it begins, count whole."""

_ASKING: Final = frozenset(
    terms(
        "please help me want need tell show give make do let how what why which who when where "
        "请 请问 请你 请帮 帮我 怎么 怎样 什么 如何 一下 需要 可以 麻烦 この その どう 何を どの ください 下さい 教えて お願いします "
        "주세요 주시 해줘 알려줘 어떻게 무엇 있나요"
    )
)
"""Words in which people ask for anything at all."""

_GRAMMAR: Final = frozenset(term for word in (*CLOSED, *DENYING) for term in terms(word))

_KATAKANA: Final = re.compile("[ァ-ヺ]")
_HIRAGANA: Final = re.compile("[ぁ-ゖー]+")
"""What terms hold of kana of both kinds, for they are folded."""

Weights = Mapping[str, float]


@lru_cache(maxsize=_REMEMBERED)
def weights(text: str) -> Weights:
    """The distinct terms of a text, with what each of them says of a topic: 0 for none, 1 for a word."""
    items = read_wording(text).items
    katakana = "\n".join(item.key for item in items if _KATAKANA.match(item.shown))
    found = {term: _weight(term) for term in dict.fromkeys(terms(text))}
    found.update((term, TELLING) for term in found if _HIRAGANA.fullmatch(term) and term in katakana)
    for item in items:
        if _is_hangul(item) and len(item.key) > 1 and item.key[:2] not in _ASKING:
            found.update(dict.fromkeys((item.key, item.key[:2]), TELLING))
    return {term: weight for term, weight in found.items() if weight}


@lru_cache(maxsize=_TERMS)
def _weight(term: str) -> float:
    """What a term says by itself; kana alone nothing, for most of it is grammar, and beside Han only that counts."""
    plain = _HIRAGANA.sub("", term)
    if not plain or term in _GRAMMAR or term in _ASKING:
        return 0.0
    items = read_wording(plain).items
    weight = min(TELLING, sum(_VALUE if item.value else item.size for item in items))
    return weight * _SYLLABLES if any(map(_is_hangul, items)) else weight


def _is_hangul(item: Item) -> bool:
    return "가" <= item.key[0] <= "힣"


class Topics:
    """A few texts, asked which of them fit a task; each is given as the weights of its terms."""

    def __init__(self, texts: Sequence[Weights]) -> None:
        self._texts = texts

    def fit(self, task: str) -> list[float]:
        """How much of the task each text is about (0..1); 0 for one that does not share enough with it."""
        asked = weights(task)
        shared = [asked.keys() & text.keys() for text in self._texts]
        holding = Counter(chain.from_iterable(shared))
        rarity = {term: weight * self._rarity(holding[term]) for term, weight in asked.items()}
        mass = sum(rarity.values())
        return [
            sum(rarity[term] for term in asked if term in held) / mass
            if any(asked[term] >= TELLING for term in held)
            else 0.0
            for held in shared
        ]

    def _rarity(self, held: int) -> float:
        """The inverse document frequency as in Lucene, ln(1 + (N - n + 0.5) / (n + 0.5))."""
        return math.log(1 + (len(self._texts) - held + 0.5) / (held + 0.5))
