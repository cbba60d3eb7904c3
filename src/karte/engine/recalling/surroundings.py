"""Surroundings: what the conversation around a candidate says for it.

An answer often stands beside the words that were asked for, in a reply or a few turns on. So a query term that a turn
lacks counts if a turn nearby has it, less with each step; then the best that its session has; then whether its speaker
is the one that the query names. Context never gives a turn more than the same words inside of it would, and a memory
that was told outside of a conversation is a session of its own: facts and turns stay comparable.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from karte.engine.conversations import Conversations
from karte.engine.recalling.speakers import Pointed
from karte.ports import Turn

REACH: Final = 3
"""Turns up to so many steps away count."""

FADING: Final = 0.6
"""What is left of a term's worth with each step."""


@dataclass
class Surroundings:
    """The turns around candidates: `steps` has the pairs of memories that are near each other, with their distance."""

    conversations: Conversations
    turns: dict[int, Turn] = field(default_factory=dict)
    steps: dict[tuple[int, int], int] = field(default_factory=dict)

    def look(self, numbers: Sequence[int], centres: Iterable[int]) -> set[int]:
        """Read the turns of candidates and of what is near the `centres` among them; gives what is new."""
        self.turns |= self.conversations.turns([n for n in numbers if n not in self.turns])
        beside: set[int] = set()
        for centre in centres:
            turn = self.turns.get(centre)
            for step, number in self.conversations.beside(turn, REACH) if turn else ():
                pair = (min(centre, number), max(centre, number))
                self.steps[pair] = min(step, self.steps.get(pair, step))
                beside.add(number)
        fresh = beside - self.turns.keys()
        self.turns |= self.conversations.turns(fresh)
        return fresh

    def near(self, allowed: Collection[int]) -> list[tuple[int, int, float]]:
        """Pairs of allowed memories near each other, both ways, with what a term of the second is worth for the first."""
        return [
            near
            for (one, other), step in sorted(self.steps.items())
            if one in allowed and other in allowed
            for near in ((one, other, FADING**step), (other, one, FADING**step))
        ]

    def sessions(self, scores: Mapping[int, float]) -> dict[int, float]:
        """For each memory the best score in its session."""
        best: dict[str, float] = defaultdict(float)
        for number, score in scores.items():
            session = self._session(number)
            best[session] = max(best[session], score)
        return {number: best[self._session(number)] for number in scores}

    def spoken_by(self, pointed: Pointed, numbers: Collection[int]) -> dict[int, float]:
        """1 for each memory said by the one to whom the query points."""
        turns = ((number, self.turns.get(number)) for number in numbers)
        return {number: 1.0 for number, turn in turns if turn and pointed.at(turn)}

    def _session(self, number: int) -> str:
        turn = self.turns.get(number)
        return f"\0{number}" if turn is None or turn.session is None else turn.session
