"""Lessons: what kinds of mistakes there are, and which mistakes teach the same.

Two mistakes share a lesson if their wordings have most words in common, whatever values they name, unless one of them
denies and the other does not: "deploy on Fridays" is not the lesson of "never deploy on Fridays". Nothing here depends
on other texts than the lessons themselves, so the same mistakes teach the same in every workspace.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

from karte.core.chains import Classes
from karte.core.wording import read_wording


class Category(StrEnum):
    """What kind of mistake it was, the gravest first."""

    SAFETY = "safety"
    HALLUCINATION = "hallucination"
    FACTUAL = "factual"
    CAPABILITY = "capability"
    BEHAVIORAL = "behavioral"

    @property
    def weight(self) -> int:
        """How grave it is: 5 for safety down to 1 for behavioral."""
        return _WEIGHTS[self]


_WEIGHTS: Final = {category: len(Category) - place for place, category in enumerate(Category)}


class Severity(StrEnum):
    """How much was at stake."""

    SIGNIFICANT = "significant"
    CRITICAL = "critical"


class Evidence(StrEnum):
    """How it is known that it was a mistake."""

    TOOL_ERROR = "tool_error"
    ASSERTION_FAILED = "assertion_failed"
    VERDICT_REJECTED = "verdict_rejected"
    USER_CORRECTION = "user_correction"
    PEER_REVIEW = "peer_review"
    SELF_REVIEW = "self_review"

    @property
    def programmatic(self) -> bool:
        """Whether a program found it, and nobody's opinion."""
        return self in _PROGRAMMATIC


_PROGRAMMATIC: Final = frozenset({Evidence.TOOL_ERROR, Evidence.ASSERTION_FAILED, Evidence.VERDICT_REJECTED})

SHARED: Final = 0.6
"""Lessons with this much in common are one (Dice's coefficient of their words, 0..1)."""

_NEAR: Final = 0.95
_SHARED_IF_NEAR: Final = 0.5
"""So much in common is enough where their vectors are as near as `_NEAR` (0 for no kinship, 1 for full).

No less is: vectors tell what two lessons are about, and hardly whether they teach the same.
"""

_REMEMBERED: Final = 4_096

_OMITTED: Final = re.compile(
    r"\bwithout\b|\b(?:did|had|was|were)(?:n['’]t| not)\b|[沒没]有?|未(?!來|来)"
    r"|せずに?|ず(?:に|、)|なかった|ていない|지 ?않(?:고|았|은)|지 ?못(?:하고|했)",
    re.IGNORECASE,
)
"""How a mistake is told as something left out: "did not check" teaches what "check" does."""

_FORBIDDEN: Final = re.compile(
    r"\b(?:avoid|refrain|forbidden|prohibited)\b|[勿莫]|避免|禁止|(?<![가-힣])안(?= 된)|금지|지 ?말|避け(?:る|て|よ)",
    re.IGNORECASE,
)
"""Words that deny what they name, beside those that deny everywhere."""

_BIDDEN: Final = re.compile(r"な(?:ければ|くては|いと)(?:なら|いけ)(?:ない|ません)|必ず|不得不|(?:지 ?)?않으면 ?안")
"""What looks like a denial and commands."""

_VERB_ENDING: Final = re.compile("(?<=[가-힣]{2})[하했해한할합되된될됐됩][가-힣]*$")
"""What a Korean verb that is made of a noun has after it: `확인해야`, `확인했다`."""


@dataclass(frozen=True)
class Lesson:
    """The words of a lesson with their sizes, and whether it denies."""

    words: dict[str, float]
    denies: bool

    @property
    def size(self) -> float:
        """The size of all words together."""
        return sum(self.words.values())


@lru_cache(maxsize=_REMEMBERED)
def read_lesson(text: str) -> Lesson:
    """Read a lesson from its text."""
    named = read_wording(_FORBIDDEN.sub(" ", text)).items
    words = {_VERB_ENDING.sub("", item.key): item.size for item in named if item.value is None}
    told = _OMITTED.sub(" ", _BIDDEN.sub(" ", text))
    return Lesson(words, bool(read_wording(told).denials or _FORBIDDEN.search(told)))


def in_common(one: Lesson, other: Lesson) -> float:
    """How much two lessons have in common (0..1); nothing where one denies and the other does not."""
    if one.denies is not other.denies:
        return 0.0
    whole = one.size + other.size
    return 2 * sum(size for word, size in one.words.items() if word in other.words) / whole if whole else 0.0


Kinship = Callable[[int, int], float | None]
"""How near two texts are by their vectors (0 for no kinship, 1 for full), by their places; None where that is not known."""


def unknown(one: int, other: int) -> None:
    """Of no two texts it is known how near they are."""


@dataclass(frozen=True)
class Sharing:
    """Lessons by place, and which of them are one."""

    lessons: Sequence[Lesson]
    kinship: Kinship = unknown

    def shared(self, one: int, other: int) -> float:
        """How much two of them have in common if they are one lesson, else 0."""
        share = in_common(self.lessons[one], self.lessons[other])
        if share >= SHARED:
            return share
        near = self.kinship(one, other) if share >= _SHARED_IF_NEAR else None
        return share if near is not None and near >= _NEAR else 0.0

    def clusters(self, places: Sequence[int]) -> list[list[int]]:
        """These places sorted into lessons: what shares a lesson with any of a cluster is in it. In order of place."""
        classes: Classes[int] = Classes()
        for one, others in self._meeting(places):
            for other in others:
                if classes.of(one) != classes.of(other) and self.shared(one, other):
                    classes.join(one, other)
        found: dict[int, list[int]] = {}
        for place in sorted(places):
            found.setdefault(classes.of(place), []).append(place)
        return list(found.values())

    def _meeting(self, places: Sequence[int]) -> Iterator[tuple[int, set[int]]]:
        """Each place with those before it that have a word in common with it."""
        holding: dict[str, list[int]] = {}
        for place in places:
            words = self.lessons[place].words
            yield place, {other for word in words for other in holding.get(word, ())}
            for word in words:
                holding.setdefault(word, []).append(place)

    def nearest(self, one: int, anchors: Sequence[Sequence[int]]) -> int | None:
        """Which of these groups has the place that shares most with this one; None where none shares its lesson."""
        shares = [max((self.shared(one, other) for other in group), default=0.0) for group in anchors]
        best = max(shares, default=0.0)
        return shares.index(best) if best else None
