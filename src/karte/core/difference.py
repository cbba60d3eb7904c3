"""What differs between two texts that are nearly the same."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from karte.core.text import terms

_NEGATIONS: Final = frozenset(
    terms(
        "not no never none without cannot can't don't doesn't didn't won't isn't aren't wasn't weren't stop stopped "
        "ない なし ません"
    )
)
_NEGATIVE_SIGNS: Final = frozenset(terms("不 没 无 非 未 别 않 없 못"))
"""Characters that deny, also inside a pair of a longer run."""

_DIGIT: Final = re.compile(r"\d")


def similarity(one: Iterable[str], other: Iterable[str]) -> float:
    """The share of terms that two texts have in common (Jaccard index of their distinct terms), 0..1."""
    first, second = set(one), set(other)
    together = first | second
    return len(first & second) / len(together) if together else 0.0


def skeleton(found: Iterable[str]) -> list[str]:
    """The distinct terms without a digit, in order: what is left of a text when its values are taken out."""
    return sorted({term for term in found if term.isalpha() or not _DIGIT.search(term)})


def difference(one: Iterable[str], other: Iterable[str]) -> str:
    """What keeps two similar texts from being one statement, from their terms; empty where nothing does.

    Numbers, dates and versions are terms with a digit; a negation is a word of a small list (en, zh, ja, ko); any
    other term that stands in one text alone is named as words. Order and repetition do not differ.
    """
    kinds = {_kind(term) for term in set(one) ^ set(other)}
    return ", ".join(name for name in ("value", "polarity", "words") if name in kinds)


def _kind(term: str) -> str:
    if _DIGIT.search(term):
        return "value"
    return "polarity" if term in _NEGATIONS or not _NEGATIVE_SIGNS.isdisjoint(term) else "words"
