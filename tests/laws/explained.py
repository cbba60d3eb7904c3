"""L8 by a calculation of its own: what an answer reports is enough to work its scores and its order out again.

The rules are those of the page on ranking. Of a profile only the numbers are read, no code.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise, product
from typing import Final

import numpy as np

from karte.core.intent import Aim
from karte.core.ranking.profiles import PROFILES, Profile
from karte.core.results import Hit, Item, Recall, Voice
from karte.core.text import fold_name, terms
from tests.unit.engine.embedders import WordEmbedder

CONTEXT: Final = ("neighbours", "session", "speaker", "named")
VOICES: Final = ("lexical", "vector", "temporal", "graph", "recency", "importance")
AS_THEY_ARE: Final = ("temporal", "recency", "importance")
MULTIPLIED: Final = {
    Aim.TEMPORAL: {"vector": 0.6, "lexical": 1.5, "temporal": 2.0},
    Aim.FACTUAL: {"vector": 1.0, "lexical": 1.2, "temporal": 0.9},
    Aim.ENTITY: {"vector": 1.1, "lexical": 1.0, "temporal": 1.3},
    Aim.PREFERENCE: {"vector": 0.9, "lexical": 0.8, "temporal": 1.0},
    Aim.PROCEDURAL: {"vector": 1.3, "lexical": 0.9, "temporal": 0.7},
}
CURVES: Final = {
    "fact": (0.8, 720),
    "preference": (0.4, 4_380),
    "event": (1.2, 168),
    "instruction": (0.9, 480),
    "request": (1.5, 72),
    "unknown": (1.0, 168),
}
STANDING_TYPES: Final = ("instruction", "preference", "profile")
HINTS: Final = ("temporal", "graph")
ENOUGH: Final = 0.5
JUST_BELOW: Final = 1 - 1e-9
TRUSTED: Final = 0.4
"""From this trust on who says a memory is in the trusted tier."""

HOUR: Final = 3_600_000_000
HALF_PRECISION: Final = 2e-3
"""Vectors are kept in 16 bits."""

Weights = Mapping[str, float]


def near(one: float, other: float) -> bool:
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12)


def unexplained(
    recall: Recall, weights: Weights, now: int, embedder: WordEmbedder, *, whole: bool = False
) -> str | None:
    """The first thing in an answer that its parts do not explain; `weights` are those asked for beside the profile's.

    `embedder` tells which texts have a vector; `whole` says that the answer holds every candidate.
    """
    profile = PROFILES[recall.profile]
    checks = (
        *(wrong for hit in recall.hits for wrong in (_score(hit), *_standing(hit, strengths(recall), now))),
        *(_yielding(recall, profile, weights, embedder) if whole else ()),
        *_normalised(recall, profile),
        *_ranks(recall),
        *_weights(recall, profile, weights, embedder),
    )
    return next((wrong for wrong in checks if wrong), None)


def strengths(recall: Recall) -> dict[str, float]:
    """How much each standing counts; keywords alone are ranked without age and use."""
    profile = PROFILES[recall.profile]
    counting = ("trust",) if recall.mode == "keyword" else ("retention", "confidence", "usage", "trust")
    return {name: getattr(profile, name) for name in counting if getattr(profile, name) > 0}


def _score(hit: Hit) -> str | None:
    expected = _base(hit)
    for factor in hit.standing.values():
        expected *= factor
    if not near(hit.score, expected):
        return f"the score of {hit.memory.content!r} is {hit.score}, its parts and factors make {expected}"
    outside = {name: voice.normalised for name, voice in hit.parts.items() if not 0 <= voice.normalised <= 1}
    return f"{outside} of {hit.memory.content!r} are not within 0 and 1" if outside else None


def _standing(hit: Hit, strength: Weights, now: int) -> Iterator[str | None]:
    """Each factor against the item that the hit shows."""
    item = hit.memory
    values = {"retention": _retention(item, now), "confidence": item.confidence, "trust": item.trust}
    due = {name: 1 - strength[name] + strength[name] * value for name, value in values.items() if name in strength}
    due |= {"usage": 1 + strength["usage"] * _use(item)} if "usage" in strength else {}
    due |= {mark: value for mark, value in (("stale", 0.8), ("contested", 0.9)) if mark in item.marks}
    told = {name: value for name, value in hit.standing.items() if name not in ("newer", "yielding")}
    if due.keys() != told.keys():
        yield f"the factors of {item.content!r} are {sorted(told)}, due are {sorted(due)}"
        return
    for name, value in due.items():
        yield None if near(told[name], value) else f"{name} of {item.content!r} is {told[name]}, due is {value}"
    yield "newer lowers a hit" if hit.standing.get("newer", 1.0) < 1 else None


def _yielding(recall: Recall, profile: Profile, asked: Weights, embedder: WordEmbedder) -> Iterator[str | None]:
    """What is said with a trust below 0.4 for the instant asked stands below what is not and answers as well; the answer must hold every candidate.

    Other profiles than `balanced` measure how well a hit answers in a way that is not told: there it stands below some
    trusted one.
    """
    trusted = [hit for hit in recall.hits if _trust(hit) >= TRUSTED]
    others = [hit for hit in recall.hits if _trust(hit) < TRUSTED]
    for hit in trusted if others and trusted else recall.hits:
        yield f"{hit.memory.content!r} yields to nothing" if "yielding" in hit.standing else None
    if not trusted or not others:
        return
    ranked = [_unlifted(hit) for hit in trusted]
    told = {hit.memory.id: _unlifted(hit) for hit in others}
    if profile.fusion.value != "evidence":
        for hit in (each for each in others if "yielding" in each.standing):
            behind = any(told[hit.memory.id] < score for score in ranked)
            yield None if behind else f"{hit.memory.content!r} stands below no trusted one"
        return
    due = [_due(others, way, trusted) for way in _measures(recall, asked, embedder)]
    if not any(all(near(told[name], score) for name, score in way.items()) for way in due):
        yield f"these have {told}, due is one of {due}"


def _trust(hit: Hit) -> float:
    """The trust of who says it for the instant asked, which is told where it is of a lower tier."""
    told = hit.evidence.get("trust")
    return float(told.removesuffix(" as asked")) if told else hit.memory.trust


def _unlifted(hit: Hit) -> float:
    return hit.score / hit.standing.get("newer", 1.0)


Measured = tuple[Callable[[Hit], float], Callable[[Hit], float], float]
"""How well a hit answers, how far it says what is asked, and how much of the first is enough."""


def _measures(recall: Recall, asked: Weights, embedder: WordEmbedder) -> Iterator[Measured]:
    """Words and meaning, shared out among those that spoke, with what is around."""
    profile = PROFILES[recall.profile]
    own = {**profile.weights, **{name: value for name, value in asked.items() if name in profile.weights}}
    session = {**profile.context, **asked}["session"] if _has(recall, "session") else 0.0
    seen = {name for name in ("lexical", "vector") if _has(recall, name)}

    def saying(hit: Hit) -> float:
        given = {name: part.normalised for name, part in hit.parts.items()}
        words, meaning = given.get("lexical", 0.0), given.get("vector", 0.0)
        sure = min(max((words - 0.8) / 0.1, (meaning - 0.55) / 0.1, 0.0), 1.0)
        return sure if _has_vector(hit.memory, embedder) else 1.0

    for more in _subsets({"lexical", "vector"} - seen):
        judging = seen.union(more)

        def sure(hit: Hit, judging: set[str] = judging) -> float:
            unable = set() if _has_vector(hit.memory, embedder) else {"vector"}
            whole = (sum(own[name] for name in judging - unable) or 1.0) / (1 - session)
            weights = {**own, "neighbours": {**profile.context, **asked}["neighbours"] * own["lexical"]}
            told = [(name, part) for name, part in hit.parts.items() if name not in HINTS]
            return sum(
                part.normalised * (weights[name] / whole if name in weights else part.weight) for name, part in told
            )

        yield sure, saying, ENOUGH
        if "vector" not in seen:
            yield sure, lambda _: 1.0, math.inf
    yield _base, lambda _: 1.0, math.inf  # where neither spoke, nothing but hints is left


def _due(others: Sequence[Hit], measured: Measured, trusted: Sequence[Hit]) -> dict[str, float]:
    """The scores that hits have to have: those that yield keep the proportions of their base scores."""
    above = {hit.memory.id: _rivals(hit, measured, trusted) for hit in others}
    best = max((_base(hit) for hit in others if above[hit.memory.id]), default=0.0) or 1.0
    return {
        hit.memory.id: min(
            [_unlifted(hit) / hit.standing.get("yielding", 1.0)]
            + [JUST_BELOW * _unlifted(other) * _base(hit) / best for other in above[hit.memory.id]]
        )
        for hit in others
    }


def _rivals(hit: Hit, measured: Measured, trusted: Sequence[Hit]) -> list[Hit]:
    sure, saying, enough = measured
    own, time = min(sure(hit), enough), _timely(hit)
    answers = [(sure(other) * saying(other), other) for other in trusted]
    best = max(answer for answer, _ in answers)
    if best <= 0 or best < 0.8 * own:
        return []
    return [other for answer, other in answers if 0 < answer >= 0.6 * own and time - _timely(other) <= 0.5]


def _timely(hit: Hit) -> float:
    return hit.parts["temporal"].raw if "temporal" in hit.parts else 0.0


def _base(hit: Hit) -> float:
    return sum(voice.weight * voice.normalised for voice in hit.parts.values())


def _use(item: Item) -> float:
    used = math.log((1 + len(item.said) + item.recall_count) / 2) / math.log(50)
    return min(1.0, max(0.0, used))


def _retention(item: Item, now: int) -> float:
    kind = item.details.memory_type.value
    shape, scale = CURVES[kind]
    age = max(0, now - item.used_at) // HOUR
    left = math.exp(-((age / scale) ** shape))
    return max(left, 0.8) if kind in STANDING_TYPES and item.status.value == "in_force" else left


def _normalised(recall: Recall, profile: Profile) -> Iterator[str | None]:
    """By ranks 61 / (60 + rank); else the same share of the raw score for every hit, and what is in 0..1 as it is."""
    for name in VOICES:
        parts = [hit.parts[name] for hit in recall.hits if name in hit.parts]
        if profile.fusion.value == "ranks":
            wrong = [part for part in parts if not near(part.normalised, 61 / (60 + part.rank))]
        elif name in AS_THEY_ARE or (profile.fusion.value == "evidence" and name != "lexical"):
            wrong = [part for part in parts if not near(part.normalised, min(part.raw, 1))]
        else:
            wrong = _not_in_proportion(parts)
        yield f"{name} is not normalised by the rule of {profile.name}: {wrong}" if wrong else None
    for name in CONTEXT:
        wrong = [h.parts[name] for h in recall.hits if name in h.parts and not _cut(h.parts[name])]
        yield f"{name} is not cut: {wrong}" if wrong else None


def _cut(part: Voice) -> bool:
    return near(part.normalised, min(part.raw, 1))


def _not_in_proportion(parts: Sequence[Voice]) -> list[Voice]:
    """Those whose share is not the raw score over one measure, cut at 1."""
    whole = [part.raw / part.normalised for part in parts if 0 < part.normalised < 1]
    measure = whole[0] if whole else min((part.raw for part in parts), default=1.0)
    return [part for part in parts if not near(part.normalised, min(part.raw / measure, 1))]


def _ranks(recall: Recall) -> Iterator[str | None]:
    """Ranks follow the raw scores; equal ones share a rank."""
    for name in (*VOICES, *CONTEXT):
        parts = sorted((h.parts[name] for h in recall.hits if name in h.parts), key=lambda part: -part.raw)
        wrong = [(a, b) for a, b in pairwise(parts) if (a.raw > b.raw) != (a.rank < b.rank)]
        low = [part for part in parts if part.rank < 1]
        yield f"ranks of {name} do not follow the raw scores: {wrong or low}" if wrong or low else None


def _weights(recall: Recall, profile: Profile, asked: Weights, embedder: WordEmbedder) -> Iterator[str | None]:
    """Weights of voices are the profile's, shared out among those that speak and can judge; context comes on top.

    Where nothing but a time is asked for, time weighs 1.
    """
    own = {**profile.weights, **{name: value for name, value in asked.items() if name in profile.weights}}
    timely = [{**own, "temporal": 1.0}] if "temporal" in own else []
    aim = recall.intent.name if recall.intent and profile.name == "polyphonic" else Aim.GENERAL
    owns = [{name: w * MULTIPLIED.get(aim, {}).get(name, 1.0) for name, w in each.items()} for each in (own, *timely)]
    seen = {name for hit in recall.hits for name in hit.parts if name in own}
    possible = [seen.union(more) for more in _subsets(own.keys() - seen - set(recall.silent_voices))]
    session = {**profile.context, **asked}.get("session", 0.0) if _has(recall, "session") else 0.0
    judged = [(hit, set() if _has_vector(hit.memory, embedder) else {"vector"}) for hit in recall.hits]
    ways = product(owns, possible)
    if not any(all(_fits(h, shares, names - unable, session) for h, unable in judged) for shares, names in ways):
        yield f"weights are not those of {profile.name}: {[hit.parts for hit in recall.hits]}"
    yield from (_context(hit, profile, asked) for hit in recall.hits)


def _has(recall: Recall, name: str) -> bool:
    return any(name in hit.parts for hit in recall.hits)


def _subsets(names: Iterable[str]) -> Iterator[tuple[str, ...]]:
    found = sorted(names)
    for size in range(len(found) + 1):
        yield from combinations(found, size)


def _has_vector(item: Item, embedder: WordEmbedder) -> bool:
    return bool(embedder.embed([_indexed(item)]).any())


def _fits(hit: Hit, own: Weights, judging: Collection[str], session: float) -> bool:
    """Whether a hit's weights are shared out among the voices that can judge it."""
    whole = sum(own[name] for name in judging) or 1.0
    told = {name: part.weight for name, part in hit.parts.items() if name in own}
    return all(near(weight, own[name] / whole * (1 - session)) for name, weight in told.items())


def _context(hit: Hit, profile: Profile, asked: Weights) -> str | None:
    context = {**profile.context, **{name: value for name, value in asked.items() if name in profile.context}}
    for name in ("session", "speaker", "named"):
        if name in hit.parts and not near(hit.parts[name].weight, context[name]):
            return f"the weight of {name} is {hit.parts[name].weight}, due is {context[name]}"
    if "neighbours" in hit.parts and "lexical" in hit.parts:
        due = context["neighbours"] * hit.parts["lexical"].weight
        if not near(hit.parts["neighbours"].weight, due):
            return f"neighbours weigh {hit.parts['neighbours'].weight}, due is {due}"
    return None


def disordered(recall: Recall, embedder: WordEmbedder | None) -> str | None:
    """Where a hit stands that should not; the answer must hold every candidate.

    `embedder` is the one whose vectors the search looked at, if it did.
    """
    scores = [hit.score for hit in recall.hits]
    if recall.mode == "keyword":
        return None if scores == sorted(scores, reverse=True) else f"scores do not fall: {scores}"
    relevance = PROFILES[recall.profile].relevance
    like = _likeness(recall, embedder)
    if scores and scores[0] < max(scores):
        return f"the best is not first: {scores}"
    for place in range(1, len(scores)):
        margins = [
            relevance * score / scores[0] - (1 - relevance) * max(like(taken, here) for taken in range(place))
            for here, score in enumerate(scores[place:], place)
        ]
        if margins[0] < max(margins) - HALF_PRECISION:
            return f"hit {place} has margin {margins[0]}, a later one {max(margins)}: {scores}"
    return None


def _likeness(recall: Recall, embedder: WordEmbedder | None) -> Callable[[int, int], float]:
    """Cosines counted from the usual one of these hits, or the share of terms where one of two has no vector."""
    texts = [_indexed(hit.memory) for hit in recall.hits]
    rows = embedder.embed(texts).astype(np.float64) if embedder and texts else np.zeros((len(texts), 1))
    able = [bool(row.any()) for row in rows]
    cosines = rows @ rows.T
    pairs = [cosines[a, b] for a, b in combinations([n for n, yes in enumerate(able) if yes], 2)]
    usual = min(max(sum(pairs) / len(pairs), 0.0), 0.99) if pairs else 0.0
    words = [set(terms(text)) for text in texts]

    def like(one: int, other: int) -> float:
        if able[one] and able[other]:
            return float(min(max((cosines[one, other] - usual) / (1 - usual), 0.0), 1.0))
        both = words[one] | words[other]
        return len(words[one] & words[other]) / len(both) if both else 0.0

    return like


def _indexed(item: Item) -> str:
    """A text with the names of its triple that it lacks."""
    names = [name for name in (item.subject, item.predicate, item.object) if name]
    lacking = [name for name in names if fold_name(name) not in fold_name(item.content)]
    return "\n".join([item.content, *lacking])
