"""Profiles: how much each voice and each standing counts. Frozen values; overrides are checked."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from types import MappingProxyType
from typing import Any, Final

from karte.core.intent import Aim
from karte.errors import InvalidValue

LEXICAL: Final = "lexical"
VECTOR: Final = "vector"
TEMPORAL: Final = "temporal"
GRAPH: Final = "graph"
RECENCY: Final = "recency"
IMPORTANCE: Final = "importance"
NEIGHBOURS: Final = "neighbours"
SESSION: Final = "session"
SPEAKER: Final = "speaker"
NAMED: Final = "named"

Weights = Mapping[str, float]


class Fusion(StrEnum):
    """What a voice's score is normalised by: a full measure of evidence, the query's best score, or its rank."""

    EVIDENCE = "evidence"
    SCORES = "scores"
    RANKS = "ranks"


BOUNDS: Final = {
    "retention": (0.0, 1.0),
    "confidence": (0.0, 1.0),
    "usage": (0.0, 0.05),
    "trust": (0.0, 1.0),
    "relevance": (0.0, 1.0),
    "floor": (0.0, 1.0),
    "nearness": (0.0, 1.0),
}
"""The least and the greatest value of each number of a profile."""


STRENGTHS: Final = ("retention", "confidence", "usage", "trust")
"""The numbers that are strengths of standing factors."""

_MOST_SESSION: Final = 0.9
"""The session is a share; what the memory itself says must not vanish beside it."""


@dataclass(frozen=True)
class Profile:
    """How recall ranks.

    `weights` share out 1 among the voices that speak, after `intents` has multiplied them. Of `context`, `session` is
    a share of that 1 (below 1), `neighbours` multiplies the lexical weight, `speaker` and `named` come on top.
    `retention`, `confidence` and `trust` are strengths s of standing factors (1 - s) + s * value, `usage` is the most
    that use can add. `trust` also says how far what is little trusted yields to what is trusted more and answers as
    well: wholly from 0.1 on, in proportion below, not at all at 0. `relevance` is the lambda of MMR; `floor` the least evidence of a hit, 0 for none, `nearness` the
    least share of the best hit's evidence that a hit must have.
    """

    name: str
    fusion: Fusion
    weights: Weights
    context: Weights = field(default_factory=lambda: MappingProxyType({}))
    intents: Mapping[Aim, Weights] = field(default_factory=lambda: MappingProxyType({}))
    retention: float = 0.0
    confidence: float = 0.0
    usage: float = 0.0
    trust: float = 0.0
    relevance: float = 1.0
    floor: float = 0.0
    nearness: float = 0.0

    def adjusted(self, weights: Weights | None = None, **numbers: float) -> Profile:
        """The same with other weights (0..1, of the voices that it has) and other numbers within `BOUNDS`.

        The strengths of standing factors may be among the weights. Raises `InvalidValue` for an unknown name, a value
        out of its range, or weights that are all 0.
        """
        changed = dict(weights or {})
        numbers = {**numbers, **{name: changed.pop(name) for name in STRENGTHS if name in changed}}
        for name, value in changed.items():
            if name not in self.weights and name not in self.context:
                raise InvalidValue(f"The profile {self.name} has no weight {name}; it has {self._parts}.")
            _check(f"The weight of {name}", value, (0.0, _MOST_SESSION if name == SESSION else 1.0))
        for name, value in numbers.items():
            if name not in BOUNDS:
                raise InvalidValue(f"A profile has no number {name}; it has {', '.join(BOUNDS)}.")
            _check(name, value, BOUNDS[name])
        parts = {"weights": _changed(self.weights, changed), "context": _changed(self.context, changed)}
        if not any(parts["weights"].values()):
            raise InvalidValue(f"At least one of {', '.join(self.weights)} weighs more than 0.")
        changes: dict[str, Any] = {**parts, **numbers}
        return replace(self, **changes)

    @property
    def _parts(self) -> str:
        return ", ".join([*self.weights, *self.context])


def _changed(weights: Weights, changed: Weights) -> Weights:
    return MappingProxyType({name: float(changed.get(name, weight)) for name, weight in weights.items()})


def _check(what: str, value: float, bounds: tuple[float, float]) -> None:
    least, greatest = bounds
    if isinstance(value, bool) or not isinstance(value, int | float) or not least <= value <= greatest:
        raise InvalidValue(f"{what} is a number from {least:g} to {greatest:g}, not {value!r}.")


def _multipliers(vector: float, lexical: float, temporal: float) -> Weights:
    return MappingProxyType({VECTOR: vector, LEXICAL: lexical, TEMPORAL: temporal})


BALANCED: Final = Profile(
    "balanced",
    Fusion.EVIDENCE,
    weights=MappingProxyType({LEXICAL: 0.4, VECTOR: 0.6, GRAPH: 0.3, TEMPORAL: 0.3}),
    context=MappingProxyType({NEIGHBOURS: 1.0, SESSION: 0.3, SPEAKER: 0.1, NAMED: 0.1}),
    retention=0.05,
    confidence=0.1,
    usage=0.02,
    trust=0.10,
    relevance=0.9,
    floor=0.25,
    nearness=0.5,
)
"""The default: how much of the query a memory answers, and what the conversation around it adds."""

POLYPHONIC: Final = Profile(
    "polyphonic",
    Fusion.RANKS,
    weights=MappingProxyType({VECTOR: 0.35, GRAPH: 0.25, LEXICAL: 0.25, TEMPORAL: 0.15}),
    intents=MappingProxyType(
        {
            Aim.TEMPORAL: _multipliers(0.6, 1.5, 2.0),
            Aim.FACTUAL: _multipliers(1.0, 1.2, 0.9),
            Aim.ENTITY: _multipliers(1.1, 1.0, 1.3),
            Aim.PREFERENCE: _multipliers(0.9, 0.8, 1.0),
            Aim.PROCEDURAL: _multipliers(1.3, 0.9, 0.7),
        }
    ),
    retention=0.98,
    confidence=0.2,
    usage=0.02,
    trust=0.10,
    relevance=0.7,
)
"""Reciprocal ranks of four voices, weighed by what the query is after, and a strong decay."""

COGNITIVE: Final = Profile(
    "cognitive",
    Fusion.SCORES,
    weights=MappingProxyType({RECENCY: 0.25, IMPORTANCE: 0.35, LEXICAL: 0.35, GRAPH: 0.15, VECTOR: 0.15}),
    trust=0.10,
    relevance=0.7,
)
"""Recency, importance and relevance as in generative agents (Park et al. 2023), with trust."""

PROFILES: Final = MappingProxyType({profile.name: profile for profile in (BALANCED, POLYPHONIC, COGNITIVE)})


def profile_named(name: str) -> Profile:
    """The profile of that name; raises `InvalidValue` for another."""
    if name not in PROFILES:
        raise InvalidValue(f"The profile is one of {', '.join(PROFILES)}, not {name!r}.")
    return PROFILES[name]


@dataclass(frozen=True)
class Rankings:
    """Which profile an agent's searches use where they name none: its own, else the one for all."""

    default: Profile = BALANCED
    agents: Mapping[str, Profile] = field(default_factory=lambda: MappingProxyType({}))

    def of(self, agent: str) -> Profile:
        """The profile of an agent by name; of the workspace itself by the empty name."""
        return self.agents.get(agent, self.default)
