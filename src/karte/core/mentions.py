"""Known names in running text: whole words, and any place in a run of Chinese, Japanese, Korean or Thai.

A text is a row of units: its words in folded form, and the single characters of scripts that are written without
blanks. A name is mentioned where its units follow one another. Neither the order of names nor of texts matters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from karte.core.text import terms
from karte.core.text.folding import clean, fold_word

_UNBROKEN: Final = (
    "\u0e00-\u0eff\u1000-\u11ff\u1780-\u17ff\u19e0-\u19ff\u3005-\u3007\u3021-\u3029\u3031-\u318f\u31a0-\u31ff"
    "\u3400-\u9fff\ua960-\ua97f\ua9e0-\ua9ff\uaa60-\uaa7f\uac00-\ud7ff\uf900-\ufaff\U00016fe0-\U0003fffd"
)
_UNIT: Final = re.compile(rf"[{_UNBROKEN}]|[^\W{_UNBROKEN}]+(?:\+\+|\#(?!\w))?")
_IN_RUN: Final = re.compile(rf"[{_UNBROKEN}]")
_BLANK: Final = " "
_RUN: Final = re.compile(rf"[{_UNBROKEN}]{{2,}}|[^\W{_UNBROKEN}]+(?:\+\+|\#(?!\w))?")
_LEAST: Final = 2
"""A name of one character is in too many texts by chance."""

Name = tuple[str, ...]
"""A name as it is sought: its units."""


def read_name(text: str) -> Name | None:
    """How a name is sought in texts; None for one that cannot be, such as a single character or signs only."""
    units = _units(text)
    return units if sum(map(len, units)) >= _LEAST else None


def index_terms(name: Name) -> frozenset[str]:
    """The terms under which every text that mentions a name is indexed."""
    runs = _RUN.findall(_joined(name))
    return frozenset(term for run in runs for term in terms(run))


def _joined(name: Name) -> str:
    """The units with blanks between words, and none between the characters of a run."""
    return "".join(unit if _IN_RUN.fullmatch(unit) else f"{_BLANK}{unit}{_BLANK}" for unit in name)


def _units(text: str) -> Name:
    return tuple(_UNIT.findall(fold_word(clean(text))))


@dataclass(frozen=True, slots=True)
class Mention:
    """A name, by what was given for it, and the units from `start` to `end` that mention it."""

    start: int
    end: int
    meaning: int


class Names:
    """Names by their units, each with a meaning: a number that several names may share."""

    def __init__(self) -> None:
        self._meanings: dict[str, int | tuple[int, ...]] = {}
        self._longest: dict[str, int] = {}

    def add(self, name: Name, meaning: int) -> None:
        """Seek one more name."""
        key, known = _BLANK.join(name), self._of(_BLANK.join(name))
        if meaning not in known:
            self._meanings[key] = (*known, meaning) if known else meaning
        self._longest[name[0]] = max(len(name), self._longest.get(name[0], 0))

    def _of(self, key: str) -> tuple[int, ...]:
        found = self._meanings.get(key, ())
        return (found,) if isinstance(found, int) else found

    def mentioned(self, text: str) -> set[int]:
        """The meanings of all names in a text that is indexed: those whose index terms the text has, too."""
        units = _units(text)
        found = {key: units[start:end] for start, end, key in self._matches(units)}
        if not found:
            return set()
        held = set(terms(text))
        return {meaning for key, name in found.items() if index_terms(name) <= held for meaning in self._of(key)}

    def asked(self, text: str) -> list[Mention]:
        """The names in a query, in text order, without those that are part of a longer one."""
        found = list(self._matches(_units(text)))
        return [
            Mention(start, end, meaning)
            for start, end, key in found
            if not any(s <= start and end <= e and (s, e) != (start, end) for s, e, _ in found)
            for meaning in self._of(key)
        ]

    def _matches(self, units: Name) -> Iterator[tuple[int, int, str]]:
        longest = self._longest
        for start, unit in enumerate(units):
            most = longest.get(unit, 0)
            for end in range(start + 1, min(start + most, len(units)) + 1):
                key = _BLANK.join(units[start:end])
                if key in self._meanings:
                    yield start, end, key
