"""Answering: which hits fit into the budget, and what stands around them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from karte.core.results import Item
from karte.engine.asking import Asking
from karte.engine.conversations import Conversations
from karte.engine.reading.describing import Describing
from karte.engine.recalling.asked import Search
from karte.engine.recalling.weighing import Weighed


@dataclass(frozen=True)
class Answering:
    """Puts hits into the shape that a search asked for."""

    question: Asking
    describing: Describing
    request: Search
    conversations: Conversations

    def within_budget(self, ranked: Sequence[tuple[int, Weighed]]) -> list[tuple[int, Weighed]]:
        """The first hits whose texts together have no more characters than the budget; the best one always."""
        if self.request.budget is None:
            return list(ranked)
        shown: list[tuple[int, Weighed]] = []
        left = self.request.budget
        for number, weighed in ranked:
            left -= len(weighed.item.content)
            if shown and left < 0:
                break
            shown.append((number, weighed))
        return shown

    def around(self, number: int) -> tuple[Item, ...]:
        """The turns beside a hit that are in force, in the order in which they were said."""
        if not self.request.expand:
            return ()
        turn = self.conversations.turns([number]).get(number)
        beside = [other for _, other in self.conversations.beside(turn, self.request.expand)] if turn else []
        items = self.describing.items(list(self.question.holding(beside)))
        turns = self.conversations.turns(items)
        return tuple(items[n] for n in sorted(turns, key=lambda n: (turns[n].observed_at, n)))
