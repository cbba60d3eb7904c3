"""Rules: a pattern and what it means. Of those that fit, the longest counts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from karte.core.moments.stretches import Sessions, Stretch, Value
from karte.core.moments.values import Anchor
from karte.core.text.folding import fold_run

T = TypeVar("T")
Match = re.Match[str]
Read = Callable[[Match, Anchor], Value | None]
NOTHING: Read = lambda _match, _anchor: None  # noqa: E731 - the reading of a rule that says: this is no time


@dataclass(frozen=True, slots=True)
class Rule:
    """What is found by `pattern` means what `read` gives; None means that it is no time, and nothing else in it is.

    `needs` must fit right before it, unless it is part of a range: `may` alone is not a month.
    """

    pattern: re.Pattern[str]
    read: Read
    needs: re.Pattern[str] | None = None


@dataclass(frozen=True, slots=True)
class Found:
    """Where in the text something was found, and what it means."""

    start: int
    end: int
    value: Value | None
    needs: re.Pattern[str] | None = None

    @property
    def stretch(self) -> Stretch | None:
        """Its meaning as a period, if it is one."""
        return self.value if isinstance(self.value, Stretch) else None

    @property
    def sessions(self) -> Sessions | None:
        """Its meaning as sessions, if it is that."""
        return self.value if isinstance(self.value, Sessions) else None


def rule(pattern: str, read: Read, needs: re.Pattern[str] | None = None) -> Rule:
    """A rule in any language: the pattern is folded as the text is, and case does not matter."""
    return Rule(folded(pattern), read, needs)


def folded(pattern: str) -> re.Pattern[str]:
    """A pattern for folded text; either script of Chinese can be written."""
    return re.compile(pattern if pattern.isascii() else fold_run(pattern), re.IGNORECASE)


def table(words: Mapping[str, T]) -> dict[str, T]:
    """A table of words that are looked up in folded text."""
    return {fold_run(word): value for word, value in words.items()}


def any_of(words: Iterable[str]) -> str:
    """A pattern for any of some words, longer ones first."""
    return f"(?:{'|'.join(sorted(words, key=len, reverse=True))})"


def apply(rules: Iterable[Rule], text: str, anchor: Anchor) -> list[Found]:
    """What the rules find, in the order of the text and without overlaps."""
    matches = [(match, each) for each in rules for match in each.pattern.finditer(text)]
    matches.sort(key=lambda found: (found[0].start() - found[0].end(), found[0].start()))
    return sorted(_apart(matches, anchor), key=lambda found: found.start)


def _apart(matches: Sequence[tuple[Match, Rule]], anchor: Anchor) -> Iterator[Found]:
    taken: list[tuple[int, int]] = []
    for match, each in matches:
        start, end = match.span()
        if start == end or any(start < other_end and other < end for other, other_end in taken):
            continue
        taken.append((start, end))
        yield Found(start, end, _read(each, match, anchor), each.needs)


def _read(each: Rule, match: Match, anchor: Anchor) -> Value | None:
    """What a match means; a date that no calendar has, such as 30 February, means nothing."""
    try:
        return each.read(match, anchor)
    except (ValueError, OverflowError):
        return None
