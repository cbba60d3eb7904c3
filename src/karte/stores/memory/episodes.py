"""Assertions by time and conversation, over the oracle's tables."""

from __future__ import annotations

import json
from collections.abc import Collection, Sequence
from operator import attrgetter
from typing import Final

from karte.core.assertions import Assertion
from karte.core.namespaces import Namespace
from karte.core.trust import tier
from karte.ports import Turn
from karte.stores.memory.parts import Part
from karte.stores.memory.tables import Room

_OBSERVATION: Final = "observation"


class MemoryEpisodes(Part):
    """Assertions as parts of conversations."""

    def turns(self, namespace: Namespace, numbers: Collection[int]) -> list[Turn]:
        """The assertions of these memories."""
        found = [turn for turn in _turns(self._room(namespace)) if turn.number in numbers]
        return sorted(found, key=attrgetter("number", "observed_at"))

    def session(self, namespace: Namespace, session: str) -> list[Turn]:
        """The assertions of a session."""
        found = [turn for turn in _turns(self._room(namespace)) if turn.session == session]
        return sorted(found, key=attrgetter("observed_at", "number"))

    def beside(self, namespace: Namespace, turn: Turn, count: int) -> tuple[list[Turn], list[Turn]]:
        """The turns of a session on both sides of one of them."""
        if turn.session is None:
            return [], []
        turns = self.session(namespace, turn.session)
        place = (turn.observed_at, turn.number)
        before = [other for other in turns if (other.observed_at, other.number) < place]
        after = [other for other in turns if (other.observed_at, other.number) > place]
        return before[::-1][:count], after[:count]

    def sessions(self, namespace: Namespace, tiers: Sequence[int]) -> list[tuple[str, int]]:
        """The sessions of a namespace."""
        first: dict[str, int] = {}
        for turn in _turns(self._room(namespace)):
            if turn.session is not None and _counts(turn, tiers):
                first[turn.session] = min(turn.observed_at, first.get(turn.session, turn.observed_at))
        return sorted(first.items(), key=lambda found: (found[1], found[0]))

    def speakers(self, namespace: Namespace, tiers: Sequence[int]) -> list[str]:
        """Who speaks in a namespace."""
        turns = (turn for turn in _turns(self._room(namespace)) if _counts(turn, tiers))
        return sorted({turn.speaker for turn in turns if turn.speaker is not None})

    def observations(self, namespace: Namespace, before: int, count: int) -> list[int]:
        """The memories with an observation below a number."""
        said = self._room(namespace).assertions.items()
        found = [number for number, told in said if any(a.details.source_event == _OBSERVATION for a in told)]
        return sorted((number for number in found if number < before), reverse=True)[:count]

    def between(self, namespace: Namespace, start: int, end: int, count: int) -> list[Turn]:
        """The assertions observed in a period, and those valid from an instant of it."""
        turns = _turns(self._room(namespace))
        observed = [turn for turn in turns if start <= turn.observed_at < end]
        valid = [turn for turn in turns if start <= turn.valid_from < end and turn.valid_from != turn.observed_at]
        by_time = sorted(observed, key=attrgetter("observed_at", "number"), reverse=True)
        by_start = sorted(valid, key=attrgetter("valid_from", "number"), reverse=True)
        return by_time[:count] + by_start[:count]


def _counts(turn: Turn, tiers: Sequence[int]) -> bool:
    return turn.withdrawn is None or tier(turn.withdrawn, tiers) < tier(turn.trust, tiers)


def _turns(room: Room) -> list[Turn]:
    return [_turn(room, number, said) for number, assertions in room.assertions.items() for said in assertions]


def _turn(room: Room, number: int, said: Assertion) -> Turn:
    withdrawn = max((w.trust for w in room.withdrawals if w.target == said.identity), default=None)
    details = said.details
    role = json.loads(details.metadata).get("role")
    told = (details.session, details.speaker, said.observed_at, said.valid_from, said.trust)
    return Turn(number, *told, role, withdrawn)
