"""Speakers: to whom a query points, and what is left of it without their names.

A query points to one whom it names, if that is exactly one of those who speak in the namespace; else by its person: who
asks about himself is answered by what the user said, who asks what `you` said by what the assistant did.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from karte.core.text import contains_phrase, terms
from karte.core.text.folding import clean, fold_run
from karte.ports import Turn

_USER: Final = "user"
_ASSISTANT: Final = "assistant"
_FIRST: Final = re.compile(
    r"\b(?:i|me|my|mine|myself|we|our|ours|(?-i:[Uu]s))\b|"
    + fold_run(
        clean(
            "(?<!自)我(?!國)|咱|俺|(?<!公)僕(?!人|役)|自分|(?<![隱自走公無])私(?=[はもがのをにとへ、 昨今明先去何]|た[ちだ]|達|って|から|より|$)"
            "|(?<![ぁ-ゖ])(?:わたし|ぼく|おれ)(?=[はもがのをにとへ、 ]|たち|ら|って|から|$)"
            "|(?<![가-힣])(?:나(?:는|의|를|도|만|에게|한테|랑|와)?|난|내(?:가|게)?|저(?:는|의|를|도|에게|한테|희[가-힣]*)|제(?:가|게)?"
            "|우리(?:는|가|의|를|도|들[가-힣]*|와|끼리|한테|에게)?)(?![가-힣])"
        )
    ),
    re.IGNORECASE,
)
_SECOND: Final = re.compile(
    r"\b(?:you|your|yours|yourself)\b|"
    + fold_run(
        clean(
            "(?<!迷)你|妳|您|(?<![ぁ-ゖ])あなた|(?<![^ 、はがをにでともの日年月週])君(?=[はもがのをにと、 ])|(?<![ぁ-ゖ])きみ(?=[はもがのをにと])"
            "|당신|(?<![가-힣])(?:너(?:는|의|를|도|만|에게|한테|랑|와|희[가-힣]*)?|넌|네가|니가)(?![가-힣])"
        )
    ),
    re.IGNORECASE,
)


_LETTER: Final = re.compile(r"\w")
_UNSPACED: Final = re.compile("[ぁ-ヿ\u3400-\u9fff]")
_AFTER_NAME: Final = fold_run(clean("(?:さん|ちゃん|くん|君|さま|様|先生|先輩)?[はがもをのに的]?"))
_TITLE: Final = re.compile("(?:씨|님)(?:가|는|은|이|의|를|을|도|와|과|에게|께서)?")


@dataclass(frozen=True)
class Pointed:
    """To whom a query points: a speaker by name, or whoever has a role; nobody where both are missing."""

    speaker: str | None = None
    role: str | None = None

    def at(self, turn: Turn) -> bool:
        """Whether a turn was said by the one that is pointed to."""
        if self.speaker is not None:
            return turn.speaker == self.speaker
        return self.role is not None and self.role in (turn.role, turn.speaker)


def pointed(query: str, speakers: Sequence[str]) -> Pointed:
    """To whom a query points."""
    named = [speaker for speaker in speakers if names(query, speaker)]
    if len(named) == 1:
        return Pointed(speaker=named[0])
    folded = fold_run(clean(query))
    if _FIRST.search(folded):
        return Pointed(role=_USER)
    return Pointed(role=_ASSISTANT) if _SECOND.search(folded) else Pointed()


def without_names(query: str, speakers: Sequence[str]) -> str:
    """The query without the words that name a speaker; all of it where nothing else is left.

    Who said something is no part of what was said: a name draws towards everything about its bearer. Where words are
    written without blanks, a name of two characters or more is cut out with the title and the particle after it.
    """
    named = [speaker for speaker in speakers if names(query, speaker)]
    dropped = {term for speaker in named for term in terms(speaker)}
    left = [_without(word, named, dropped) for word in query.split()]
    return " ".join(filter(_LETTER.search, left)) or query if named else query


def _without(word: str, named: Sequence[str], dropped: set[str]) -> str:
    if dropped.isdisjoint(terms(word)):
        return "" if _TITLE.fullmatch(word) else word
    rest = clean(word)
    if not _UNSPACED.search(rest):
        return ""
    for name in sorted((fold_run(clean(speaker)) for speaker in named), key=len, reverse=True):
        found = re.compile(re.escape(name) + _AFTER_NAME, re.IGNORECASE)
        while len(name) > 1 and (place := found.search(fold_run(rest))):  # folding keeps the length
            rest = rest[: place.start()] + rest[place.end() :]
    return rest


def names(query: str, name: str) -> bool:
    """Whether a text holds a name as whole words."""
    words = tuple(terms(name))
    return bool(words) and contains_phrase(query, words)
