"""Searching: what the voices bring up, ranked by what they all say of it, each hit with its reasons.

query -> voices -> candidates that hold as asked -> fusion -> surroundings -> standing -> floor -> diversity -> hits.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Final

from karte.core.chains import Classes
from karte.core.intent import Aim, Intent, asks_for_now, intent_of
from karte.core.namespaces import Namespace, Principal
from karte.core.ranking.diversity import above_floor, diversified, likeness_of
from karte.core.ranking.fusion import Fused, Heard, evidence, fuse, ordered
from karte.core.ranking.profiles import (
    GRAPH,
    IMPORTANCE,
    NAMED,
    NEIGHBOURS,
    RECENCY,
    SESSION,
    SPEAKER,
    TEMPORAL,
    VECTOR,
    Fusion,
    Profile,
)
from karte.core.ranking.standing import ENOUGH, best_from, rivals, says
from karte.core.results import Hit, Recall
from karte.core.standing import Tiers
from karte.core.text import Query, parse_query, terms
from karte.core.trust import tier
from karte.engine.asking import Asking, asking
from karte.engine.conversations import Conversations
from karte.engine.indexing import indexed_text
from karte.engine.reading.describing import Describing
from karte.engine.recalling.answering import Answering
from karte.engine.recalling.asked import Mode, Search
from karte.engine.recalling.candidates import Candidates
from karte.engine.recalling.listening import Listening
from karte.engine.recalling.renewing import renew
from karte.engine.recalling.speakers import Pointed, names, pointed, without_names
from karte.engine.recalling.surroundings import Surroundings
from karte.engine.recalling.voices.vector import Silence, Sought, wanted
from karte.engine.recalling.weighing import Weighed, on_record, recency, trusts, weigh
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.ports import Reading

_OVERSAMPLING: Final = 2
_CENTRES: Final = 20
"""Around so many of the best candidates the conversation is read."""

_SPARE: Final = 8
_TIME_ALONE: Final = 3.0
"""What the temporal voice weighs where nothing but a time is asked for: three times words and meaning together."""

_LATE: Final = 0.5
"""What is nearer to the time asked for by more than this, of what the temporal voice gives, does not yield."""

_FULL_IMPORTANCE: Final = 10.0


@repeated
def search(services: Services, caller: Principal, request: Search, timer: Callable[[], float]) -> Recall:
    """Find what is in force and fits the query; `timer` gives seconds for the timings of the answer."""
    started = timer()
    query = parse_query(request.query)
    with ExitStack() as asked:
        question, sought = _asked(asked, services, caller, request)
        found = _Finding(services, question, request, query, sought)
        found.rank()
        ranked = timer()
        hits = found.hits()
    timings = {"rank": _milliseconds(ranked - started), "total": _milliseconds(timer() - started)}
    return Recall(
        request.query,
        hits,
        request.mode.value,
        request.profile.name,
        found.intent,
        tuple(found.listening.moments),
        found.listening.silent,
        tuple(found.listening.reasons),
        left_out=tuple(found.candidates.left_out) if request.explain else (),
        timings_ms=timings,
    )


def _asked(asked: ExitStack, services: Services, caller: Principal, request: Search) -> tuple[Asking, Sought | Silence]:
    """A view to answer from, with the vector of the query; no view is held while that is made."""
    question = asked.enter_context(asking(services, caller, request.instants, request.filters.layers))
    if VECTOR not in request.asked:
        return question, Silence.NO_EMBEDDER
    wording = partial(_wording, caller.namespace, services.tiers, request.query)
    text = wanted(question.unit, services.embeddings, wording)
    if isinstance(text, Silence):
        return question, text
    if text.at_hand(services.embeddings):
        return question, text.made(services.embeddings)
    asked.close()
    sought = text.made(services.embeddings)
    return asked.enter_context(asking(services, caller, request.instants, request.filters.layers)), sought


def _wording(namespace: Namespace, tiers: Tiers, text: str, unit: Reading) -> str:
    return without_names(text, unit.episodes.speakers(namespace, tiers))


def _milliseconds(seconds: float) -> float:
    return round(seconds * 1_000, 3)


@dataclass
class _Finding:
    """One search on its way: the voices, their candidates, and in the end the order of hits."""

    services: Services
    question: Asking
    request: Search
    query: Query
    sought: Sought | Silence
    order: list[int] = field(default_factory=list)
    weighed: Mapping[int, Weighed] = field(default_factory=dict)
    retellings: dict[int, list[int]] = field(default_factory=lambda: defaultdict(list))
    trusts: Mapping[int, int] = field(default_factory=dict)
    tiers: Mapping[int, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        namespace, tiers = self.question.frame.namespace, self.services.tiers
        self.describing = Describing(self.question.frame, self.question.when)
        self.candidates = Candidates(
            self.question, self.describing, self.query, self.request.filters, self.request.explain
        )
        self.conversations = Conversations(self.question.unit.episodes, namespace, tiers)
        literal = self.request.mode is Mode.KEYWORD and not self.request.explain
        self.intent: Intent | None = None if literal else intent_of(self.request.query)
        self.listening = Listening(
            self.services, self.question, self.request, self.query, self.conversations, self.sought
        )
        self.surroundings = Surroundings(self.conversations)
        self.heard: dict[str, Heard] = {}
        self.fused = Fused({})

    @cached_property
    def profile(self) -> Profile:
        """The profile asked for, as it suits the query once the voices have been opened.

        Keywords alone are ranked by themselves, without what surrounds a hit, its age or its use. A question for a time
        and nothing else is answered by the time before all.
        """
        profile = self.request.profile
        if self.request.mode is Mode.KEYWORD:
            return replace(profile, context={}, retention=0.0, confidence=0.0, usage=0.0)
        if profile.fusion is Fusion.EVIDENCE and self.listening.only_when:
            return replace(profile, weights={**profile.weights, TEMPORAL: _TIME_ALONE})
        return profile

    def rank(self) -> None:
        """Put the hits in order."""
        numbers = self._candidates()
        self.heard = self.listening.heard(numbers)
        self.fused = fuse(self.profile, self._with_standing_voices(numbers), self._aim)
        self._look_around(numbers)
        scores = self._one_a_statement(self.fused.scores)
        self.trusts = trusts(self.question, scores) if self.profile.trust > 0 else {}
        self.tiers = {number: tier(self.trusts.get(number, 0), self.services.tiers) for number in scores}
        scores = self._above_floor(scores)
        retold = self._folded(ordered(scores))
        kept = {n: scores[n] for n in retold}
        self.weighed = weigh(self.describing, self.profile, kept, self._wanted, self._rivals(kept))
        if self.listening.lexical and self.profile.context and asks_for_now(self.request.query):
            highest = max((self.tiers[number] for number in self.weighed), default=0)
            trusted = {number: each for number, each in self.weighed.items() if self.tiers[number] == highest}
            answers = self.fused.without(SPEAKER, NAMED)
            self.weighed = {**self.weighed, **renew(self.listening.lexical, trusted, answers.score)}
        self.order = self._diversified({number: weighed.score for number, weighed in self.weighed.items()})
        self.candidates.leave_out([n for n in retold if n not in self.order], "below the best")

    @property
    def _aim(self) -> Aim:
        return Aim.GENERAL if self.intent is None else self.intent.name

    @property
    def _diverse(self) -> bool:
        return self.profile.relevance < 1 and self.request.mode is not Mode.KEYWORD

    @property
    def _wanted(self) -> int:
        """How many are weighed: more than asked for where diversity shall have something to choose from."""
        limit = self.request.limit
        return limit + max(_SPARE, limit // 2) if self._diverse else limit

    def _candidates(self) -> list[int]:
        """What the voices bring up, as many from each; where words alone are asked, by their exact scores."""
        enough = _OVERSAMPLING * self.request.limit
        depth = max(self.request.depth, enough)
        found: dict[int, None] = {}
        for voice in self.listening.voices(self.candidates):
            if self.request.mode is Mode.KEYWORD:
                batches = (ordered(voice.score(batch)) for batch in voice.batches(depth))
                found |= dict.fromkeys(self.candidates.take(batches, enough))
            else:
                found |= dict.fromkeys(self.candidates.take(voice.batches(depth), depth))
        return list(found)

    def _with_standing_voices(self, numbers: Sequence[int]) -> dict[str, Heard]:
        """What was heard, with recency and importance where the profile gives them a voice."""
        if RECENCY not in self.profile.weights and IMPORTANCE not in self.profile.weights:
            return self.heard
        items = self.describing.items(numbers)
        now = self.question.when.now
        own = {
            RECENCY: Heard({number: recency(item, now) for number, item in items.items()}),
            IMPORTANCE: Heard({n: item.details.importance / _FULL_IMPORTANCE for n, item in items.items()}),
        }
        return self.heard | own

    def _look_around(self, numbers: Sequence[int]) -> None:
        """Let the conversation around the best candidates speak: for them, and for the turns beside them."""
        if not self.profile.context:
            return
        base = self.fused.scores
        fresh = self.surroundings.look(numbers, ordered(base)[:_CENTRES])
        if beside := self.candidates.accept(sorted(fresh)):
            self.heard = self.listening.heard([*numbers, *beside])
            self.fused = fuse(self.profile, self._with_standing_voices([*numbers, *beside]), self._aim)
        known = {*numbers, *beside}
        context = {NEIGHBOURS: self.listening.lent(known, self.surroundings.near(known))}
        lent = self.fused.surrounded(self.profile, context)
        context[SESSION] = self.surroundings.sessions({number: lent.score(number) for number in known})
        context[NAMED] = self._named(known)
        context[SPEAKER] = self.surroundings.spoken_by(self._pointed(), known)
        self.fused = self.fused.surrounded(self.profile, context)

    def _named(self, numbers: Collection[int]) -> dict[int, float]:
        """1 for each memory whose subject the query names, by whatever name."""
        frame = self.question.frame
        subjects = frame.unit.memories.subjects(frame.namespace, numbers)
        asked = self.request.query
        named = {s for s in set(subjects.values()) if any(names(asked, name) for name in frame.names_like(s))}
        return {number: 1.0 for number, subject in subjects.items() if subject in named}

    def _pointed(self) -> Pointed:
        return pointed(self.request.query, self.conversations.speakers())

    def _one_a_statement(self, scores: Mapping[int, float]) -> dict[int, float]:
        """The best wording of each statement."""
        best: dict[int, int] = {}
        for number in ordered(scores):
            best.setdefault(self.candidates.statements[number], number)
        return {number: scores[number] for number in best.values()}

    def _rivals(self, scores: Mapping[int, float]) -> dict[int, list[int]]:
        """The more trusted candidates that answer about as well, by the candidates that have to stand below them.

        What counts is the evidence, as for the floor. What is of the time asked for does not yield to what is not.
        """
        if len({self.tiers[number] for number in scores}) < len(("trusted", "not trusted")):
            return {}
        sure = self._evidence(scores)
        known = {number: sure.get(number, 0.0) for number in scores}
        together = self.profile.fusion is Fusion.EVIDENCE and VECTOR in self.heard
        found = rivals(known, self.tiers, *self._answers(scores)) if together else rivals(known, self.tiers)
        timely = self.heard[TEMPORAL].raw if TEMPORAL in self.heard else {}
        return {
            number: [other for other in above if timely.get(number, 0.0) - timely.get(other, 0.0) <= _LATE]
            for number, above in found.items()
        }

    def _answers(self, numbers: Collection[int]) -> tuple[dict[int, float], float]:
        """How far each candidate with a vector says what is asked, and how much evidence is enough, by both voices."""
        judged = [number for number in numbers if number not in self.heard[VECTOR].deaf]
        given = {n: {name: part.normalised for name, part in self.fused.parts(n).items()} for n in judged}
        return {number: says(each) for number, each in given.items()}, ENOUGH

    def _above_floor(self, scores: Mapping[int, float]) -> dict[int, float]:
        """What fits the query at all, and not much worse than the best that is trusted as much."""
        floor = self._floor
        if not scores or floor == 0:
            return dict(scores)
        sure = self._evidence(scores)
        best = best_from({number: sure.get(number, 0.0) for number in scores}, self.tiers)
        near = {n for n in scores if sure.get(n, 0.0) >= self.profile.nearness * best[self.tiers[n]]}
        fitting = (above_floor(sure, floor) & near) | self._of_the_time() | self._by_words()
        self.candidates.leave_out([n for n in ordered(scores) if n not in fitting], "does not fit well enough")
        return {number: score for number, score in scores.items() if number in fitting}

    def _evidence(self, scores: Mapping[int, float]) -> Mapping[int, float]:
        """How surely each candidate fits what is asked.

        That it is of a time that the query names, or near to something that it names, puts it first among what fits,
        but is no evidence that it does.
        """
        if self.profile.fusion is Fusion.EVIDENCE:
            hints = [name for name in (TEMPORAL, GRAPH) if name in self.fused.voices]
            return self.fused.without(*hints).scores if hints else scores
        return evidence(self.heard)

    def _of_the_time(self) -> set[int]:
        """What fits because it is of the time asked for, where nothing else is asked for."""
        timely = self.heard.get(TEMPORAL)
        return (
            {number for number, raw in timely.raw.items() if raw > 0} if timely and self.listening.only_when else set()
        )

    def _by_words(self) -> frozenset[int]:
        """What has no vector, because it was told just now or in another script: it is not held to the floor either."""
        asked_for = self.request.floor is not None
        return frozenset() if asked_for or VECTOR not in self.heard else self.heard[VECTOR].deaf

    @property
    def _floor(self) -> float:
        """The least evidence; the profile's is that of words and meaning together, so that words alone are not held to it."""
        if self.request.floor is not None:
            return self.request.floor
        return self.profile.floor if VECTOR in self.heard else 0.0

    def _folded(self, numbers: Sequence[int]) -> list[int]:
        """The same without retellings of a better one, which are named with it; of all, one of the most trusted stands."""
        likenesses = self.question.unit.likenesses.of(self.question.frame.namespace, numbers)
        retold = [like for like in likenesses if not like.difference]
        if not retold:
            return list(numbers)
        tellings: Classes[int] = Classes()
        for like in retold:
            tellings.join(like.one, like.other)
        kept: dict[int, int] = {}
        for number in sorted(numbers, key=lambda n: -self.tiers[n]):
            first = kept.setdefault(tellings.of(number), number)
            if first != number:
                self.retellings[first].append(number)
        firsts = set(kept.values())
        return [number for number in numbers if number in firsts]

    def _diversified(self, scores: Mapping[int, float]) -> list[int]:
        """The order of hits: by score, but what says the same as a better one stands back."""
        if not self._diverse:
            return ordered(scores)[: self.request.limit]
        numbers = ordered(scores)
        vectors = self.listening.vectors(numbers)
        worded = numbers if len(vectors) < len(numbers) else []
        words = {n: terms(indexed_text(self.weighed[n].item.memory)) for n in worded}
        likeness = likeness_of(numbers, vectors, words)
        return diversified(scores, self.request.limit, self.profile.relevance, likeness)

    def hits(self) -> tuple[Hit, ...]:
        """The hits in order."""
        answering = Answering(self.question, self.describing, self.request, self.conversations)
        shown = answering.within_budget([(number, self.weighed[number]) for number in self.order])
        numbers = [number for number, _ in shown]
        found, said = self.listening.terms(numbers), self.listening.evidence(numbers)
        return tuple(
            Hit(
                weighed.item,
                weighed.score,
                self.fused.parts(number),
                dict(weighed.standing),
                found.get(number, ()),
                len(self.listening.query.terms),
                said.get(number, {}) | self._less_trusted(number),
                self._ids(self.retellings.get(number, ())),
                answering.around(number),
            )
            for number, weighed in shown
        )

    def _less_trusted(self, number: int) -> dict[str, str]:
        """Why a memory may stand below what is trusted less on record; nothing where trust does not count."""
        trust = self.trusts.get(number)
        return {} if trust is None else on_record(self.weighed[number].item, trust, self.services.tiers)

    def _ids(self, numbers: Iterable[int]) -> tuple[str, ...]:
        kept = self.question.unit.memories.get(self.question.frame.namespace, list(numbers)) if numbers else {}
        return tuple(sorted(k.memory.id for k in kept.values()))
