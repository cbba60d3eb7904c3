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
from karte.ports import Turn

_USER: Final = "user"
_ASSISTANT: Final = "assistant"
_FIRST: Final = re.compile(
    r"\b(?:i|me|my|mine|myself|we|our|us)\b|我|咱|俺|私|僕|自分|나|내|저는|제가|우리", re.IGNORECASE
)
_SECOND: Final = re.compile(r"\b(?:you|your|yours)\b|你|妳|您|あなた|君は|당신|너는|네가", re.IGNORECASE)


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
    if _FIRST.search(query):
        return Pointed(role=_USER)
    return Pointed(role=_ASSISTANT) if _SECOND.search(query) else Pointed()


def without_names(query: str, speakers: Sequence[str]) -> str:
    """The query without the words that name a speaker; all of it where nothing else is left.

    Who said something is no part of what was said: a name draws towards everything about its bearer.
    """
    dropped = {term for speaker in speakers if names(query, speaker) for term in terms(speaker)}
    left = [word for word in query.split() if dropped.isdisjoint(terms(word))] if dropped else query.split()
    return " ".join(left) or query


def names(query: str, name: str) -> bool:
    """Whether a text holds a name as whole words."""
    words = tuple(terms(name))
    return bool(words) and contains_phrase(query, words)
