"""Mutants of recall: mistakes, a few lines each, that its laws must catch."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from hypothesis import strategies as st

from karte.core.intent import Aim
from karte.core.ranking import fusion
from karte.core.ranking.diversity import diversified
from karte.core.ranking.fusion import Fused, Heard, fuse
from karte.core.ranking.profiles import Profile
from karte.core.ranking.standing import factors, stand
from karte.engine.conversations import Conversations
from karte.engine.reading.describing import Describing
from karte.engine.recalling import searching, weighing
from karte.engine.recalling.candidates import Candidates
from karte.engine.recalling.listening import Listening
from karte.engine.recalling.surroundings import Surroundings
from karte.engine.recalling.weighing import Weighed, weigh
from karte.ports import Turn
from karte.stores.memory.episodes import MemoryEpisodes
from karte.stores.memory.parts import MemoryLexicon
from karte.testing.programs import Program
from tests.laws.recall_programs import QUERIES, SESSIONS, chat, programs, turn

_parts, _whole, _heard = Fused.parts, Fused._whole, Listening.heard
_size, _near = MemoryLexicon.size, Surroundings.near


@dataclass(frozen=True)
class Mutant:
    """A mistake: what it does, the law that it breaks, what it replaces, and queries and programs in which it shows."""

    name: str
    law: str
    owner: Any
    attribute: str
    value: Any
    queries: Sequence[str] = QUERIES
    told: Callable[[], st.SearchStrategy[Program]] = programs

    def __str__(self) -> str:
        return self.name


def _factor_left_out(score: float, standing: Mapping[str, float]) -> float:
    return stand(score, {name: factor for name, factor in standing.items() if name != "trust"})


def _factor_not_told(
    describing: Describing, profile: Profile, scores: Mapping[int, float], wanted: int, rivals: Mapping[int, Any]
) -> dict[int, Weighed]:
    weighed = weigh(describing, profile, scores, wanted, rivals)
    return {n: replace(w, standing={k: f for k, f in w.standing.items() if k != "trust"}) for n, w in weighed.items()}


def _trust_taken_twice(profile: Profile, reliance: Any) -> dict[str, float]:
    told = factors(profile, reliance)
    return {**told, "trust": told["trust"] ** 2} if "trust" in told else told


def _anybody_is_a_rival(evidence: Mapping[int, float], tiers: Mapping[int, int], *_: Any) -> dict[int, list[int]]:
    """What is little trusted yields to whatever answers as well, trusted or not."""
    best = sorted(evidence, key=lambda number: (-evidence[number], number))[:1]
    return {number: best for number in evidence if not tiers[number] and number not in best}


def _nobody_is_a_rival(*_: Any) -> dict[int, list[int]]:
    return {}


def _silence_lowers(profile: Profile, heard: Mapping[str, Heard], aim: Aim = Aim.GENERAL) -> Fused:
    """A voice that says nothing keeps its weight, so that everything is lower."""
    fused = fuse(profile, heard, aim)
    silent = sum(weight for name, weight in profile.weights.items() if name not in fused.voices)
    return _Lowered(fused.voices, fused.context, fused.share, silent)


@dataclass(frozen=True)
class _Lowered(Fused):
    silent: float = 0.0

    def _whole(self, number: int) -> float:
        return _whole(self, number) + self.silent / (1.0 - self.share)


def _deaf_counts(self: Fused, number: int) -> float:  # noqa: ARG001 - as it is called
    """A memory without a vector is judged as if its vector said nothing for it."""
    return sum(said.weight for said in self.voices.values()) / (1.0 - self.share)


def _best_part_alone(self: Fused, number: int) -> float:
    return max((part.weight * part.normalised for part in _parts(self, number).values()), default=0.0)


def _sixty_alone(ranks: Mapping[int, int]) -> dict[int, float]:
    return {number: 60 / (60 + rank) for number, rank in ranks.items()}


def _ranks_by_place(raw: Mapping[int, float]) -> dict[int, int]:
    """Ranks in which of equals the one that came first is the better."""
    return {number: place for place, number in enumerate(fusion.ordered(raw), 1)}


def _against_the_raw_score(scores: Mapping[int, float], limit: int, relevance: float, likeness: Any) -> list[int]:
    """Likeness is set against scores of any size, as if the best one had 1."""
    small = {number: score * 1e-3 for number, score in scores.items()}
    if not scores:
        return []
    return diversified({**small, max(small, key=lambda n: small[n]): 1.0}, limit, relevance, likeness)


def _no_diversity(scores: Mapping[int, float], limit: int, relevance: float, likeness: Any) -> list[int]:  # noqa: ARG001 - as it is called
    return fusion.ordered(scores)[:limit]


def _withdrawn_stand_beside(self: Conversations, turn: Turn) -> bool:  # noqa: ARG001 - as it is called
    return True


def _reach_used_up(self: Conversations, turn: Turn, count: int) -> list[tuple[int, int]]:
    """What was withdrawn takes up a step."""
    sides = self.episodes.beside(self.namespace, turn, count) if turn.session else ()
    steps = [(step, other) for side in sides for step, other in enumerate(side, 1)]
    return [(step, other.number) for step, other in steps if self.counts(other) and other.number != turn.number]


def _whoever_spoke(self: MemoryEpisodes, namespace: Any, tiers: Any) -> list[str]:  # noqa: ARG001 - as it is called
    said = (turn for session in _ever(self, namespace) for turn in self.session(namespace, session))
    return sorted({turn.speaker for turn in said if turn.speaker is not None})


def _sessions_of_the_withdrawn(self: MemoryEpisodes, namespace: Any, tiers: Any) -> list[tuple[str, int]]:  # noqa: ARG001 - as it is called
    firsts = {session: self.session(namespace, session)[0].observed_at for session in _ever(self, namespace)}
    return sorted(firsts.items(), key=lambda found: (found[1], found[0]))


def _ever(episodes: MemoryEpisodes, namespace: Any) -> list[str]:
    """The sessions that have turns, withdrawn or not."""
    return [session for session in SESSIONS if episodes.session(namespace, session)]


def _lent_by_anybody(self: Surroundings, allowed: Collection[int]) -> list[tuple[int, int, float]]:
    """Whoever was told first lends to whoever came later, and nothing back."""
    return [(one, other, worth) for one, other, worth in _near(self, allowed) if one > other]


def _everybody_counts(self: MemoryLexicon, namespace: Any) -> Any:
    """How many texts there are is counted over all owners."""
    documents = sum(len(room.documents) for room in self._tables.rooms.values())
    return replace(_size(self, namespace), documents=documents)


def _forgotten_still_count(self: MemoryLexicon, namespace: Any) -> Any:
    size = _size(self, namespace)
    return replace(size, documents=size.following - 1)


def _anything_goes(self: Candidates, numbers: Sequence[int]) -> None:
    """What does not hold is taken, too."""
    self.statements |= {number: number for number in numbers}


def _louder_when_asked_again(self: Listening, numbers: Collection[int]) -> dict[str, Heard]:
    """A voice gives more to whoever was told later."""
    found = _heard(self, numbers)
    return {name: replace(h, raw={n: r * (1 + n * 1e-4) for n, r in h.raw.items()}) for name, h in found.items()}


_GUEST: Final = ("what did the Guest tell me about tea?",)
_SECOND: Final = ("tea in our second session",)


def _two_talks() -> st.SearchStrategy[Program]:
    """Two sessions of two people, neither of them the one that is forgotten."""
    said = (
        (session, [turn(session, 0, "Kai", "a cup of tea"), turn(session, 1, "Mia", "hm")]) for session in SESSIONS[1:]
    )
    return st.just([chat(tuple(turns)) for _, turns in said])


MUTANTS: Final = (
    Mutant("a score leaves a factor out", "explained", weighing, "stand", _factor_left_out),
    Mutant("a factor is not told", "explained", searching, "weigh", _factor_not_told),
    Mutant("trust counts twice", "explained", weighing, "factors", _trust_taken_twice),
    Mutant("what is little trusted yields to its like", "explained", searching, "rivals", _anybody_is_a_rival),
    Mutant("nothing yields to what is trusted more", "explained", searching, "rivals", _nobody_is_a_rival),
    Mutant("a silent voice lowers", "explained", searching, "fuse", _silence_lowers),
    Mutant("a memory without a vector is lowered", "explained", Fused, "_whole", _deaf_counts),
    Mutant("the best part alone makes the score", "explained", Fused, "score", _best_part_alone),
    Mutant("ranks are not divided by their maximum", "explained", fusion, "_by_rank", _sixty_alone),
    Mutant("of equals the first has the better rank", "explained", fusion, "ranks_of", _ranks_by_place),
    Mutant("likeness outweighs scores", "explained", searching, "diversified", _against_the_raw_score),
    Mutant("retellings are not kept apart", "explained", searching, "diversified", _no_diversity),
    Mutant("who came later is heard louder", "order", Listening, "heard", _louder_when_asked_again),
    Mutant("turns lend to later ones alone", "order", Surroundings, "near", _lent_by_anybody),
    Mutant("the withdrawn stand beside", "withdrawn", Conversations, "counts", _withdrawn_stand_beside),
    Mutant("the withdrawn take up a step", "withdrawn", Conversations, "beside", _reach_used_up),
    Mutant("what does not hold is found", "withdrawn", Candidates, "_judge", _anything_goes),
    Mutant(
        "the withdrawn are named among speakers",
        "withdrawn",
        MemoryEpisodes,
        "speakers",
        _whoever_spoke,
        _GUEST,
        _two_talks,
    ),
    Mutant(
        "withdrawn sessions count",
        "withdrawn",
        MemoryEpisodes,
        "sessions",
        _sessions_of_the_withdrawn,
        _SECOND,
        _two_talks,
    ),
    Mutant("the erased count for how rare a word is", "erased", MemoryLexicon, "size", _forgotten_still_count),
    Mutant("words of others count for how rare one is", "foreign", MemoryLexicon, "size", _everybody_counts),
)

Law = Callable[[Any], object]
