"""Candidates: what the voices bring up and what of it may be an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from karte.core.results import LeftOut
from karte.core.text import Query, contains_phrase
from karte.engine.asking import Asking
from karte.engine.indexing import indexed_text
from karte.engine.reading.describing import Describing
from karte.engine.reading.fetching import Filters
from karte.ports import Kept

MOST_LEFT_OUT: Final = 20


@dataclass
class Candidates:
    """Memories that hold as asked, have the quoted words and pass the filters, each with the statement that it makes.

    What was judged once is not judged again, whichever voice brings it up; with `explain` what is left out is named.
    """

    question: Asking
    describing: Describing
    query: Query
    filters: Filters
    explain: bool = False
    statements: dict[int, int] = field(default_factory=dict)
    left_out: list[LeftOut] = field(default_factory=list)
    _refused: set[int] = field(default_factory=set)

    def take(self, batches: Iterable[Sequence[int]], count: int) -> list[int]:
        """The first `count` of these numbers, or a few more, that may be an answer."""
        taken: list[int] = []
        for batch in batches:
            for start in range(0, len(batch), count):
                taken += self.accept(batch[start : start + count])
                if len(taken) >= count:
                    return taken
        return taken

    def accept(self, numbers: Iterable[int]) -> list[int]:
        """Those of these numbers that may be an answer, in the same order."""
        asked = list(numbers)
        fresh = [number for number in asked if number not in self.statements and number not in self._refused]
        if fresh:
            self._judge(fresh)
        return [number for number in asked if number in self.statements]

    def _judge(self, numbers: Sequence[int]) -> None:
        holding = self.question.holding(numbers)
        passing = self._keep(numbers, holding.__contains__, "not in force as asked")
        if self.query.phrases:
            passing = self._keep(passing, self._with_phrases(passing).__contains__, "lacks the quoted words")
        if self.filters != Filters():
            passing = self._keep(passing, self._wanted(passing).__contains__, "does not pass the filters")
        self.statements |= {number: holding[number] for number in passing}

    def _keep(self, numbers: Sequence[int], passes: Callable[[int], bool], reason: str) -> list[int]:
        refused = [number for number in numbers if not passes(number)]
        self._refused.update(refused)
        self.leave_out(refused, reason)
        return [number for number in numbers if passes(number)]

    def leave_out(self, numbers: Sequence[int], reason: str) -> None:
        """Name candidates that are not among the hits, as far as there is room."""
        room = MOST_LEFT_OUT - len(self.left_out)
        if self.explain and numbers and room > 0:
            kept = self.question.unit.memories.get(self.question.frame.namespace, numbers[:room])
            self.left_out += [LeftOut(kept[number].memory.id, reason) for number in numbers[:room]]

    def _with_phrases(self, numbers: Sequence[int]) -> set[int]:
        def fits(kept: Kept) -> bool:
            text = indexed_text(kept.memory)
            return all(contains_phrase(text, phrase) for phrase in self.query.phrases)

        kept = self.question.unit.memories.get(self.question.frame.namespace, numbers)
        return {number for number, k in kept.items() if fits(k)}

    def _wanted(self, numbers: Sequence[int]) -> set[int]:
        items = self.describing.items(numbers)
        return {number for number, item in items.items() if self.filters.accept(item)}
