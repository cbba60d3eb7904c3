"""Known names in running text: whole words, and any place in a run of Chinese, Japanese, Korean or Thai.

A text is a row of units: its words in folded form, and the single characters of scripts that are written without
blanks. A name is mentioned where its units follow one another. Neither the order of names nor of texts matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Final

from karte.core.text import terms
from karte.core.text.folding import clean, fold_word

_UNBROKEN: Final = (
    "\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u19e0-\u19ff\u3005-\u3007\u3021-\u3029\u3031-\u318f\u31a0-\u31ff"
    "\u3400-\u9fff\ua960-\ua97f\ua9e0-\ua9ff\uaa60-\uaa7f\uac00-\ud7ff\uf900-\ufaff\U00016fe0-\U0003fffd"
)
_UNIT: Final = re.compile(rf"[{_UNBROKEN}]|[^\W{_UNBROKEN}]+(?:\+\+|\#(?!\w))?")
_RUN: Final = re.compile(rf"[{_UNBROKEN}]{{2,}}|[^\W{_UNBROKEN}]+(?:\+\+|\#(?!\w))?")
_LEAST: Final = 2
"""A name of one character is in too many texts by chance."""

Units = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Name:
    """A name as it is sought: its units, and the index terms that every text with it has."""

    units: Units
    terms: frozenset[str]


def read_name(text: str) -> Name | None:
    """How a name is sought in texts; None for one that cannot be, such as a single character or signs only."""
    folded = _folded(text)
    units = tuple(_UNIT.findall(folded))
    if sum(map(len, units)) < _LEAST:
        return None
    sought = frozenset(term for run in _RUN.findall(folded) for term in terms(run))
    return Name(units, sought) if sought else None


def _folded(text: str) -> str:
    return fold_word(clean(text))


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, by what was given for it, and the units from `start` to `end` that mention it."""

    start: int
    end: int
    meaning: int


@dataclass
class _Branch:
    following: dict[str, _Branch] = field(default_factory=dict)
    meanings: list[tuple[int, frozenset[str]]] = field(default_factory=list)


class Names:
    """Names by their units, each with a meaning: a number that several names may share."""

    def __init__(self) -> None:
        self._root = _Branch()

    def add(self, name: Name, meaning: int) -> None:
        """Seek one more name."""
        branch = self._root
        for unit in name.units:
            branch = branch.following.setdefault(unit, _Branch())
        if meaning not in (known for known, _ in branch.meanings):
            branch.meanings.append((meaning, name.terms))

    def mentioned(self, text: str) -> set[int]:
        """The meanings of all names in a text that is indexed: those whose index terms the text has, too."""
        found = list(self._matches(tuple(_UNIT.findall(_folded(text)))))
        if not found:
            return set()
        held = set(terms(text))
        return {meaning for _, _, branch in found for meaning, sought in branch.meanings if sought <= held}

    def asked(self, text: str) -> list[Mention]:
        """The names in a query, in text order, without those that are part of a longer one."""
        found = list(self._matches(tuple(_UNIT.findall(_folded(text)))))
        return [
            Mention(start, end, meaning)
            for start, end, branch in found
            if not any(s <= start and end <= e and (s, e) != (start, end) for s, e, _ in found)
            for meaning, _ in branch.meanings
        ]

    def _matches(self, units: Units) -> Iterator[tuple[int, int, _Branch]]:
        following = self._root.following
        for start, unit in enumerate(units):
            branch = following.get(unit)
            end = start + 1
            while branch is not None:
                if branch.meanings:
                    yield start, end, branch
                branch = branch.following.get(units[end]) if end < len(units) else None
                end += 1


def mentions(name: Name, texts: Iterable[tuple[int, str]]) -> set[int]:
    """The numbers of those texts that mention a name."""
    names = Names()
    names.add(name, 0)
    return {number for number, text in texts if names.mentioned(text)}
