"""Listening: which voices are asked, what they say of the candidates, and which are silent and why."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Final

from karte.core.keywords import keywords
from karte.core.moments import Moment, asks_only_when, find_moments
from karte.core.ranking.diversity import Vector
from karte.core.ranking.fusion import Heard, fuse
from karte.core.ranking.profiles import LEXICAL, TEMPORAL, VECTOR
from karte.core.results import Term
from karte.core.text import Query
from karte.engine.asking import Asking
from karte.engine.conversations import Conversations
from karte.engine.recalling.asked import Mode, Search
from karte.engine.recalling.candidates import Candidates
from karte.engine.recalling.voices import Voice, graph
from karte.engine.recalling.voices.lexical import LexicalVoice
from karte.engine.recalling.voices.temporal import TemporalVoice
from karte.engine.recalling.voices.vector import Silence, Sought, VectorVoice, hear
from karte.engine.services import Services

_WHY_SILENT: Final = {
    Silence.NO_EMBEDDER: "no embedder is set; see `karte embedder --help`",
    Silence.NO_VECTORS: "no vectors are filled in yet",
    Silence.NO_DIRECTION: "the query has no meaning to the embedder",
    Silence.NOT_READ: "the embedder does not read the script of the query",
    Silence.OTHER_EMBEDDER: "the vectors are of another embedder than the one that is set",
    Silence.EMBEDDER_FAILED: "the embedder failed",
}


@dataclass
class Listening:
    """The voices of one search; each is opened when its turn comes.

    `query` becomes what is looked for in texts; `reasons` say why a voice could not speak that should have; `only_when`
    that the query asks for a time and nothing else; `lexical` is that voice, where it speaks.
    """

    services: Services
    question: Asking
    request: Search
    query: Query
    conversations: Conversations
    sought: Sought | Silence
    reasons: list[str] = field(default_factory=list)
    moments: Sequence[Moment] = ()
    only_when: bool = False

    def __post_init__(self) -> None:
        self._now = self.question.when.now if self.request.now is None else self.request.now
        if TEMPORAL in self.request.asked:
            self.moments = find_moments(self.request.query, self._now, self.request.zone)
        self.only_when = asks_only_when(self.request.query, self.moments)
        if self.request.mode is not Mode.KEYWORD and not self.only_when:
            self.query = keywords(self.query, self.request.query, self.moments)
        self._speaking: dict[str, Voice] = {}
        self._loud: set[str] = set()
        self._judged: dict[str, dict[int, float | None]] = {}
        self.lexical: LexicalVoice | None = None
        self._vector: VectorVoice | None = None

    def voices(self, candidates: Candidates) -> Iterator[Voice]:
        """The voices that speak, one by one; the graph last, because it walks on from what the others found."""
        for name in self.request.asked:
            if voice := self._open(name, candidates):
                self._speaking[name] = voice
                yield voice

    def _open(self, name: str, candidates: Candidates) -> Voice | None:
        if name == LEXICAL:
            return self._open_lexical()
        if name == VECTOR:
            return self._open_vector()
        if name == TEMPORAL:
            return self._open_temporal()
        return graph.hear(self.services.graphs, self.question, self.request.query, partial(self._seeds, candidates))

    def _seeds(self, candidates: Candidates) -> Mapping[int, float]:
        """What the other voices found, by their scores together: the walk goes on from there."""
        return fuse(self.request.profile, self.heard(candidates.statements)).scores

    def _open_lexical(self) -> Voice:
        unit, namespace = self.question.unit, self.question.frame.namespace
        self.lexical = LexicalVoice(unit.lexicon, namespace, self.query.terms)
        return self.lexical

    def _open_vector(self) -> Voice | None:
        heard = self._hear_vectors()
        if isinstance(heard, Silence):
            self.reasons.append(f"{VECTOR}: {_WHY_SILENT[heard]}")
            return None
        self._vector = heard
        return heard

    def _hear_vectors(self) -> VectorVoice | Silence:
        if isinstance(self.sought, Silence):
            return self.sought
        unit, namespace = self.question.unit, self.question.frame.namespace
        return hear(unit, self.services.embeddings, namespace, self.sought)

    def _open_temporal(self) -> Voice | None:
        return TemporalVoice(self.conversations, self.moments, self._now) if self.moments else None

    def heard(self, numbers: Collection[int]) -> dict[str, Heard]:
        """What each voice says of these memories."""
        heard = {name: self._heard(name, numbers, self._raw(name, numbers)) for name in self._speaking}
        self._loud = {name for name, said in heard.items() if any(score > 0 for score in said.raw.values())}
        return heard

    @property
    def silent(self) -> tuple[str, ...]:
        """The voices that were asked and said nothing of any candidate."""
        return tuple(name for name in self.request.asked if name not in self._loud)

    def _raw(self, name: str, numbers: Collection[int]) -> dict[int, float]:
        """The raw scores of these memories by one voice, each asked for once."""
        judged = self._judged.setdefault(name, {})
        if fresh := [number for number in numbers if number not in judged]:
            judged.update(dict.fromkeys(fresh))
            judged.update(self._speaking[name].score(fresh))
        return {number: raw for number in numbers if (raw := judged[number]) is not None}

    def _heard(self, name: str, numbers: Collection[int], raw: Mapping[int, float]) -> Heard:
        if name == LEXICAL:
            mass = self._mass
            return Heard(raw, full=self._full(mass, raw), fit=(0.0, mass))
        if name == VECTOR:
            rest, full = (self.sought.rest, self.sought.full) if isinstance(self.sought, Sought) else (0.0, 1.0)
            return Heard(raw, rest, full, fit=(rest, full), deaf=frozenset(numbers) - raw.keys())
        return Heard(raw)

    def _full(self, mass: float, raw: Mapping[int, float]) -> float:
        """The lexical score that counts as all that is asked for.

        Words alone have nothing but their score to go by: where some have more than the mass, the best of them is all,
        so that none are cut to the same.
        """
        return max(mass, *raw.values()) if self._vector is None and raw else mass

    @property
    def _mass(self) -> float:
        return (self.lexical.mass if self.lexical else 0.0) or 1.0

    def lent(self, numbers: Collection[int], near: Sequence[tuple[int, int, float]]) -> dict[int, float]:
        """What the words of turns near them add to these memories, as a share of the query's mass."""
        lent = self.lexical.lent(numbers, near) if self.lexical else {}
        return {number: gain / self._mass for number, gain in lent.items()}

    def terms(self, numbers: Collection[int]) -> dict[int, tuple[Term, ...]]:
        """The query terms that these memories hold."""
        return self.lexical.explain(numbers) if self.lexical else {}

    def evidence(self, numbers: Collection[int]) -> dict[int, dict[str, str]]:
        """Why each voice found these memories, in words."""
        found: dict[int, dict[str, str]] = {number: {} for number in numbers}
        for name, voice in self._speaking.items():
            for number, said in voice.evidence(numbers).items():
                found[number][name] = said
        return found

    def vectors(self, numbers: Collection[int]) -> dict[int, Vector]:
        """The vectors of these memories, where the vector voice speaks."""
        return {} if self._vector is None else dict(self._vector.vectors(numbers))
