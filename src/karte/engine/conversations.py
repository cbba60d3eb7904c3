"""Conversations as recall sees them: only what counts, one turn a memory."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass

from karte.core.namespaces import Namespace
from karte.core.standing import Tiers
from karte.core.trust import tier
from karte.ports import Episodes, Turn


@dataclass(frozen=True)
class Conversations:
    """The episodes of one namespace, without assertions withdrawn by somebody of their own tier or a higher one."""

    episodes: Episodes
    namespace: Namespace
    tiers: Tiers

    def turns(self, numbers: Collection[int]) -> dict[int, Turn]:
        """For each of these memories its first turn that counts."""
        return self._first(self.episodes.turns(self.namespace, numbers)) if numbers else {}

    def session(self, session: str) -> list[int]:
        """The memories of a session, in the order in which they were said."""
        return list(self._first(self.episodes.session(self.namespace, session)))

    def beside(self, turn: Turn, count: int) -> list[tuple[int, int]]:
        """The turns of a session on both sides of one of them: how many steps away each is, and its memory."""
        if turn.session is None:
            return []
        sides = self._beside(turn, count)
        steps = (enumerate((other.number for other in side), 1) for side in sides)
        return [(step, number) for side in steps for step, number in side if number != turn.number]

    def _beside(self, turn: Turn, count: int) -> list[list[Turn]]:
        """The turns on both sides that count; one that is withdrawn takes up no step."""
        asked = count
        while True:
            sides = self.episodes.beside(self.namespace, turn, asked)
            counting = [[other for other in side if self.counts(other)][:count] for side in sides]
            if all(len(kept) == count or len(side) < asked for kept, side in zip(counting, sides, strict=True)):
                return counting
            asked *= 4

    def sessions(self) -> list[tuple[str, int]]:
        """All sessions with the instant of their first turn, in the order of that."""
        return self.episodes.sessions(self.namespace, self.tiers)

    def speakers(self) -> list[str]:
        """Who speaks here."""
        return self.episodes.speakers(self.namespace, self.tiers)

    def between(self, start: int, end: int, count: int) -> list[Turn]:
        """At most `count` turns that were said in a period, and as many that hold from an instant of it."""
        return [turn for turn in self.episodes.between(self.namespace, start, end, count) if self.counts(turn)]

    def _first(self, turns: Iterable[Turn]) -> dict[int, Turn]:
        found: dict[int, Turn] = {}
        for turn in turns:
            if self.counts(turn):
                found.setdefault(turn.number, turn)
        return found

    def counts(self, turn: Turn) -> bool:
        """Whether an assertion stands: nobody of its own tier or a higher one withdrew it."""
        return turn.withdrawn is None or tier(turn.withdrawn, self.tiers) < tier(turn.trust, self.tiers)
