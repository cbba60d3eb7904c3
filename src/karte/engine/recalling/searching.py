"""Searching: candidates from the voices, only what holds as asked, exact scores, and the reason for each hit."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from karte.core.chains import Classes
from karte.core.memories import LONGEST_CONTENT
from karte.core.namespaces import Principal
from karte.core.results import Hit, LeftOut, Recall, Voice
from karte.core.text import Query, contains_phrase, parse_query
from karte.engine.asking import Asking, Instants, asking
from karte.engine.reading.describing import Describing
from karte.engine.reading.fetching import Filters
from karte.engine.recalling.indexing import indexed_text
from karte.engine.recalling.lexical import LexicalVoice, Scored
from karte.engine.services import Services
from karte.errors import InvalidText, InvalidValue, TextTooLong
from karte.ports import Kept

MOST_HITS: Final = 1_000
MOST_LEFT_OUT: Final = 20
_LEAST_CANDIDATES: Final = 50
_OVERSAMPLING: Final = 2
LEXICAL: Final = "lexical"


class Mode(StrEnum):
    """Which voices are asked."""

    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


SILENT: Final = {Mode.KEYWORD: (), Mode.SEMANTIC: ("vector",), Mode.HYBRID: ("vector", "temporal", "graph")}
"""The voices that a mode asks for and that this release does not have."""


@dataclass(frozen=True)
class Search:
    """A query with its options: `limit` 1..1,000 hits, filters, instants, and whether to name what was left out."""

    query: str
    limit: int = 10
    mode: Mode = Mode.KEYWORD
    filters: Filters = field(default_factory=Filters)
    instants: Instants = field(default_factory=Instants)
    explain: bool = False

    def __post_init__(self) -> None:
        if isinstance(self.limit, bool) or not isinstance(self.limit, int) or not 1 <= self.limit <= MOST_HITS:
            raise InvalidValue(f"limit is a number from 1 to {MOST_HITS}, not {self.limit!r}.")
        if not isinstance(self.query, str):
            raise InvalidValue(f"A query is text, not {type(self.query).__name__}.")
        if len(self.query) > LONGEST_CONTENT:
            raise TextTooLong("The query is longer than 64 KiB; ask for less at once.")
        try:
            self.query.encode()
        except UnicodeEncodeError:
            raise InvalidText("The query holds a lone surrogate, which is no character; remove it.") from None


def search(services: Services, caller: Principal, request: Search, timer: Callable[[], float]) -> Recall:
    """Find what is in force and fits the query; `timer` gives seconds for the timings of the answer."""
    started = timer()
    query = parse_query(request.query)
    with asking(services, caller, request.instants) as question:
        found = _Finding(question, request, query)
        scored = found.scored()
        ranked = timer()
        hits = found.hits(scored)
    timings = {"rank": _milliseconds(ranked - started), "total": _milliseconds(timer() - started)}
    left_out = tuple(found.left_out) if request.explain else ()
    return Recall(
        request.query,
        hits,
        request.mode.value,
        silent_voices=SILENT[request.mode],
        left_out=left_out,
        timings_ms=timings,
    )


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1_000, 3)


@dataclass
class _Finding:
    question: Asking
    request: Search
    query: Query
    left_out: list[LeftOut] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.describing = Describing(self.question.frame, self.question.when)
        self.voice = LexicalVoice(self.question.unit.lexicon, self.question.frame.namespace, self.query.terms)
        self.statements: dict[int, int] = {}
        self.retellings: dict[int, list[int]] = defaultdict(list)

    def scored(self) -> list[Scored]:
        """The texts of the best hits with exact scores, one for each statement.

        Twice as many as asked for are examined, so that a candidate that was placed a little too low is not missed.
        """
        enough = _OVERSAMPLING * self.request.limit
        best: dict[int, Scored] = {}
        for batch in self.voice.batches(max(_LEAST_CANDIDATES, enough)):
            candidates = self.voice.score(batch)
            while candidates and len(best) < enough:
                examined, candidates = candidates[:enough], candidates[enough:]
                self._take(examined, best)
            if len(best) >= enough:
                break
        ranked = sorted(best.values(), key=lambda s: (-s.score, s.number))
        return self._folded(ranked)[: self.request.limit]

    def _take(self, examined: Sequence[Scored], best: dict[int, Scored]) -> None:
        accepted = set(self._accepted([s.number for s in examined]))
        for s in examined:
            if s.number in accepted:
                statement = self.statements[s.number]
                best[statement] = max(s, best.get(statement, s), key=lambda found: (found.score, -found.number))

    def _folded(self, scored: Sequence[Scored]) -> list[Scored]:
        """The same without retellings of a better one, which are named with it."""
        likenesses = self.question.unit.likenesses.of(self.question.frame.namespace, [s.number for s in scored])
        retold = [like for like in likenesses if not like.difference]
        if not retold:
            return list(scored)
        tellings: Classes[int] = Classes()
        for like in retold:
            tellings.join(like.one, like.other)
        kept: dict[int, Scored] = {}
        for s in scored:
            first = kept.setdefault(tellings.of(s.number), s)
            if first is not s:
                self.retellings[first.number].append(s.number)
        return list(kept.values())

    def _accepted(self, batch: Sequence[int]) -> list[int]:
        holding = self.question.holding(batch)
        self._leave_out([n for n in batch if n not in holding], "not in force as asked")
        self.statements |= holding
        accepted = [number for number in batch if number in holding]
        if self.query.phrases:
            accepted = self._keep(accepted, self._with_phrases(accepted), "lacks the quoted words")
        if self.request.filters != Filters():
            accepted = self._keep(accepted, self._wanted(accepted), "does not pass the filters")
        return accepted

    def _keep(self, numbers: Sequence[int], passing: set[int], reason: str) -> list[int]:
        self._leave_out([number for number in numbers if number not in passing], reason)
        return [number for number in numbers if number in passing]

    def _with_phrases(self, numbers: Sequence[int]) -> set[int]:
        def fits(kept: Kept) -> bool:
            text = indexed_text(kept.memory)
            return all(contains_phrase(text, phrase) for phrase in self.query.phrases)

        kept = self.question.unit.memories.get(self.question.frame.namespace, numbers)
        return {number for number, k in kept.items() if fits(k)}

    def _wanted(self, numbers: Sequence[int]) -> set[int]:
        items = self.describing.items(numbers)
        return {number for number, item in items.items() if self.request.filters.accept(item)}

    def _leave_out(self, numbers: Sequence[int], reason: str) -> None:
        room = MOST_LEFT_OUT - len(self.left_out)
        if self.request.explain and numbers and room > 0:
            kept = self.question.unit.memories.get(self.question.frame.namespace, numbers[:room])
            self.left_out += [LeftOut(kept[number].memory.id, reason) for number in numbers[:room]]

    def hits(self, scored: Sequence[Scored]) -> tuple[Hit, ...]:
        """The hits of these texts, best first; the score is the lexical one as a share of the best."""
        numbers = [s.number for s in scored]
        items, terms = self.describing.items(numbers), self.voice.explain(numbers)
        best = scored[0].score if scored else 1.0
        shown = [s for s in scored if s.number in items]
        hits = []
        for rank, s in enumerate(shown, 1):
            voice = Voice(s.score, s.score / best, rank, 1.0)
            score, asked = voice.normalised * voice.weight, len(self.query.terms)
            hits.append(Hit(items[s.number], score, {LEXICAL: voice}, terms[s.number], asked, self._also(s)))
        return tuple(hits)

    def _also(self, scored: Scored) -> tuple[str, ...]:
        numbers = self.retellings.get(scored.number, [])
        kept = self.question.unit.memories.get(self.question.frame.namespace, numbers) if numbers else {}
        return tuple(sorted(k.memory.id for k in kept.values()))
