"""Fusion: the raw scores of several voices become one base score, and each part of it stays visible.

The base score of a memory is the sum of weight * normalised over its parts. Weights of voices sum to 1 over the voices
that speak and can judge the memory. Where surroundings are asked for, the session gets a share of that 1; the words of
neighbours weigh as much as the memory's own; what is said for the speaker comes on top.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from karte.core.intent import Aim
from karte.core.ranking.profiles import IMPORTANCE, LEXICAL, NEIGHBOURS, RECENCY, SESSION, TEMPORAL, Fusion, Profile
from karte.core.results import Voice

RRF_K = 60
"""The constant of reciprocal rank fusion (Cormack, Clarke and Buettcher 2009)."""

_AS_IS = frozenset({TEMPORAL, RECENCY, IMPORTANCE})


@dataclass(frozen=True)
class Heard:
    """What one voice said: raw scores by number, 0 or more.

    `low` is the raw score that counts as nothing in this query (of vectors: what an ordinary memory has); `full` is
    the one that counts as all that can be asked for (of words: the score of a text that has every term); `deaf` are
    the memories that the voice cannot judge, such as those without a vector yet. `fit` are the two raw scores at which
    a memory surely does not fit the query and surely does, whatever else there is; without it the voice gives no
    evidence for the floor.
    """

    raw: Mapping[int, float]
    low: float = 0.0
    full: float = 1.0
    fit: tuple[float, float] | None = None
    deaf: frozenset[int] = frozenset()


@dataclass(frozen=True)
class _Said:
    raw: Mapping[int, float]
    normalised: Mapping[int, float]
    weight: float
    deaf: frozenset[int] = frozenset()
    ranks: Mapping[int, int] = field(default_factory=dict)

    def part(self, number: int, whole: float) -> Voice:
        return Voice(self.raw[number], self.normalised[number], self.ranks[number], self.weight / whole)


@dataclass(frozen=True)
class Fused:
    """The base scores of all candidates, and what they are made of."""

    voices: Mapping[str, _Said]
    context: Mapping[str, _Said] = field(default_factory=dict)
    share: float = 0.0
    _known: dict[tuple[bool, ...], list[tuple[float, Mapping[int, float]]]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )

    @property
    def numbers(self) -> set[int]:
        """All that a voice or the surroundings brought up."""
        return {number for said in (*self.voices.values(), *self.context.values()) for number in said.normalised}

    @property
    def scores(self) -> dict[int, float]:
        """The base score of each."""
        return {number: self.score(number) for number in sorted(self.numbers)}

    def score(self, number: int) -> float:
        """The base score of a candidate: the sum of weight * normalised over `parts`."""
        score = 0.0
        for share, normalised in self._shares(tuple([number in said.deaf for said in self.voices.values()])):
            score += share * normalised.get(number, 0.0)
        return score

    def _shares(self, deaf: tuple[bool, ...]) -> list[tuple[float, Mapping[int, float]]]:
        """What each voice and each of the surroundings weighs, where these voices are deaf; worked out once."""
        shares = self._known.get(deaf)
        if shares is None:
            heard = (said for said, is_deaf in zip(self.voices.values(), deaf, strict=True) if not is_deaf)
            whole = self._scaled(heard)
            voices = [(said.weight / whole, said.normalised) for said in self.voices.values()]
            context = [(s.weight / self._context_whole(n, whole), s.normalised) for n, s in self.context.items()]
            shares = self._known[deaf] = voices + context
        return shares

    def parts(self, number: int) -> dict[str, Voice]:
        """What each voice gave a candidate, then what surrounds it; parts that gave nothing are left out."""
        whole = self._whole(number)
        parts = {name: said.part(number, whole) for name, said in self.voices.items() if number in said.normalised}
        return parts | {
            name: said.part(number, self._context_whole(name, whole))
            for name, said in self.context.items()
            if number in said.raw
        }

    def without(self, *names: str) -> Fused:
        """The same as if some voices, or some of the surroundings, had said nothing."""
        voices = {name: said for name, said in self.voices.items() if name not in names}
        return replace(self, voices=voices, context={n: said for n, said in self.context.items() if n not in names})

    def surrounded(self, profile: Profile, context: Mapping[str, Mapping[int, float]]) -> Fused:
        """The same with the profile's context parts, each a score that is cut to [0, 1]."""
        said = {
            name: _Said(raw, {n: min(r, 1.0) for n, r in raw.items()}, weight, ranks=ranks_of(raw))
            for name in profile.context
            if (weight := self._context_weight(profile, name)) > 0 and (raw := _positive(context.get(name, {})))
        }
        return replace(self, context=said, share=profile.context[SESSION] if SESSION in said else 0.0)

    def _context_weight(self, profile: Profile, name: str) -> float:
        words = self.voices.get(LEXICAL)
        lexical = words.weight if words else 0.0
        return profile.context[name] * (lexical if name == NEIGHBOURS else 1.0)

    def _context_whole(self, name: str, whole: float) -> float:
        return whole if name == NEIGHBOURS else 1.0

    def _whole(self, number: int) -> float:
        return self._scaled(said for said in self.voices.values() if number not in said.deaf)

    def _scaled(self, heard: Iterable[_Said]) -> float:
        return (sum(said.weight for said in heard) or 1.0) / (1.0 - self.share)


def fuse(profile: Profile, heard: Mapping[str, Heard], aim: Aim = Aim.GENERAL) -> Fused:
    """Normalise what the voices said and weigh it.

    A voice is silent where it is missing, gave no score above 0, or weighs 0: it takes no part in the weights. By
    evidence, a raw score becomes (raw - low) / (full - low), cut to [0, 1], whatever the other candidates have; by
    scores it becomes (raw - low) / (best - low), and those of time, recency and importance stay as they are; by ranks
    it becomes 61 / (60 + rank).
    """
    multipliers = profile.intents.get(aim, {})
    voices: dict[str, _Said] = {}
    for name, weight in profile.weights.items():
        said = heard.get(name)
        raw = _positive(said.raw) if said else {}
        if said and raw and weight > 0:
            ranks = ranks_of(raw)
            if profile.fusion is Fusion.RANKS:
                normalised = _by_rank(ranks)
            elif profile.fusion is Fusion.EVIDENCE:
                normalised = {
                    number: _cut((score - said.low) / (said.full - said.low)) for number, score in raw.items()
                }
            else:
                normalised = _by_score(raw, said.low, as_is=name in _AS_IS)
            voices[name] = _Said(raw, normalised, weight * multipliers.get(name, 1.0), said.deaf, ranks)
    return Fused(voices)


def ranks_of(raw: Mapping[int, float]) -> dict[int, int]:
    """Ranks from 1; equal scores share a rank, so that nothing depends on which memory came first."""
    firsts: dict[float, int] = {}
    return {number: firsts.setdefault(raw[number], place) for place, number in enumerate(ordered(raw), 1)}


def ordered(scores: Mapping[int, float]) -> list[int]:
    """Numbers by score, best first; of equal scores the lower number."""
    return sorted(scores, key=lambda number: (-scores[number], number))


def evidence(heard: Mapping[str, Heard]) -> dict[int, float]:
    """How surely (0..1) each candidate fits the query at all, whatever the other candidates are.

    The voices that can tell count as independent witnesses: 1 - product of (1 - e), with e rising from 0 to 1 between
    the two raw scores of `fit`. Where no voice can tell, everything fits.
    """
    witnesses = [said for said in heard.values() if said.fit]
    doubts = {number: 1.0 if witnesses else 0.0 for said in heard.values() for number in said.raw}
    for said in witnesses:
        nothing, certain = said.fit or (0.0, 0.0)
        for number, raw in said.raw.items():
            doubts[number] *= 1.0 - _cut((raw - nothing) / (certain - nothing))
    return {number: 1.0 - doubt for number, doubt in doubts.items()}


def _positive(raw: Mapping[int, float]) -> dict[int, float]:
    return {number: score for number, score in raw.items() if score > 0}


def _by_rank(ranks: Mapping[int, int]) -> dict[int, float]:
    return {number: (RRF_K + 1) / (RRF_K + rank) for number, rank in ranks.items()}


def _by_score(raw: Mapping[int, float], low: float, *, as_is: bool) -> dict[int, float]:
    best = max(raw.values())
    if as_is:
        low, best = 0.0, 1.0
    elif best <= low:  # nothing stands out: all that are as good as the best count as such
        return {number: float(score >= best) for number, score in raw.items()}
    return {number: _cut((score - low) / (best - low)) for number, score in raw.items()}


def _cut(share: float) -> float:
    return min(max(share, 0.0), 1.0)
