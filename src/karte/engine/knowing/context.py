"""The context of a task: what an agent is told before it begins, in one text, each part under its own budget.

Nothing in it is found in another way than by the calls that show it alone, so what those may not show is not in it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, tzinfo
from enum import StrEnum
from typing import Any, Final

from karte.core.budgets import Budgets, Measure, Room
from karte.core.columns import width
from karte.core.memories import Layer, check_name
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.ranking.profiles import GRAPH, LEXICAL, VECTOR, Profile
from karte.core.results import Hit, Item, Recall
from karte.core.standing import Tiers
from karte.core.text import fold_name
from karte.engine.asking import Instants, asking
from karte.engine.knowing import shared
from karte.engine.knowing.notes import LONGEST, LONGEST_LINE, Pad, pad
from karte.engine.knowing.patience import PATIENCE, at_hand
from karte.engine.knowing.prompting import NotesPart, Part, Writer, whole
from karte.engine.knowing.pushing import Fitting, Pushed, Rules, Where
from karte.engine.learning.mistakes import Mistake, fitting
from karte.engine.reading.fetching import Filters
from karte.engine.recalling.asked import Search
from karte.engine.recalling.speakers import without_names
from karte.engine.recalling.voices.vector import Wanted, Wording, wanted
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.errors import InvalidValue

LEAST_COLUMNS: Final = 20
"""A task that is narrower says too little to look for facts by."""

_LOOKED_AT: Final = 6
"""So many of the best facts, and of the best mistakes, are tried in turn."""

_DEPTH: Final = 25
"""So many candidates of each voice give the same five facts as twice as many: for all questions of LoCoMo's dev split."""

_LONGEST_CHARACTER: Final = 4
"""Bytes of UTF-8."""

_AROUND_A_LINE: Final = 100
"""More characters than a line of an observation has for its time and its id."""

_TOLD_BY_VECTORS: Final = 0.5
"""A fact whose vector is this near to that of the task says that the task is about its domain (0 for no kinship, 1 for full)."""

LATE: Final = f"{VECTOR}: the embedder did not answer within {PATIENCE:g} s"


class Which(StrEnum):
    """Which policies are told: those that fit the task, or all in force."""

    FITTING = "fitting"
    ALL = "all"


@dataclass(frozen=True)
class Asked:
    """A task, and what is to be told for it.

    Sizes are measured by `measure` (characters by default); the time is that of `instants`, days are those of `zone`;
    an embedder is waited for `patience` seconds.
    """

    task: str
    budgets: Budgets = field(default_factory=Budgets)
    where: Where = field(default_factory=Where)
    session: str | None = None
    policies: Which = Which.FITTING
    measure: Measure = len
    instants: Instants = field(default_factory=Instants)
    zone: tzinfo = UTC
    patience: float = PATIENCE

    def __post_init__(self) -> None:
        for name, value in (("domain", self.where.domain), ("repo", self.where.repo), ("session", self.session)):
            if value is not None:
                check_name(name, value)
        if not callable(self.measure):
            raise InvalidValue("measure is a function that gives the size of a text.")
        Search(self.task)

    @property
    def without_facts(self) -> str:
        """Why no facts are looked for; empty where they are."""
        if width(self.task.strip()) < LEAST_COLUMNS:
            return f"the task has fewer than {LEAST_COLUMNS} columns"
        return "" if self.budgets.facts else "their budget is 0"

    @property
    def most_observed(self) -> int:
        """So many bytes of the pad's observations are enough for what can be told of it: one line more than fits.

        Another measure than characters may count anything.
        """
        characters = self.budgets.notes + LONGEST_LINE + _AROUND_A_LINE
        return _LONGEST_CHARACTER * characters if self.measure is len else LONGEST

    def room(self, part: str) -> Room:
        """The room of a part."""
        return Room(getattr(self.budgets, part), self.measure)


@dataclass(frozen=True)
class Context:
    """What an agent is told for a task: the text, what is in it, and what was left out of it and why.

    `parts` are the texts by part; `degraded` says what could not be asked; `used` is the size of each part by the
    measure of the budgets.
    """

    task: str
    owner: str
    text: str
    policies: tuple[Pushed, ...]
    pad: Pad
    facts: tuple[Item, ...]
    mistakes: tuple[Mistake, ...]
    parts: dict[str, str]
    left_out: dict[str, Any]
    degraded: tuple[str, ...]
    budgets: Budgets
    used: dict[str, int]
    timings_ms: dict[str, float]

    def to_dict(self) -> dict[str, Any]:
        """The shape `context`."""
        return {
            "task": self.task,
            "owner": self.owner,
            "text": self.text,
            "policies": [policy.to_dict() for policy in self.policies],
            "notes": {"version": self.pad.version, "text": self.parts["notes"]},
            "facts": [item.to_dict() for item in self.facts],
            "mistakes": [mistake.to_dict() for mistake in self.mistakes],
            "left_out": self.left_out,
            "degraded": list(self.degraded),
            "budgets": self.budgets.to_dict(),
            "used": self.used,
            "timings_ms": self.timings_ms,
        }


def context(services: Services, caller: Principal, asked: Asked, timer: Callable[[], float]) -> Context:
    """Put together what an agent is told for a task; `timer` gives seconds for the timings.

    Raises `UnknownDomain` for a domain that the caller may not read, `MissingScope`, and `InvalidValue`.
    """
    caller.require(Scope.READ)
    started = timer()
    degraded: list[str] = []
    hits = _facts(services, caller, asked, timer, degraded)
    found = timer()
    policies = _policies(services, caller, asked, hits, degraded)
    ruled = timer()
    notes, mistakes = _own(services, caller, asked)
    told = _Told(policies, notes, _chosen(hits, notes, asked.where), mistakes)
    written = _written(asked, caller, told, degraded)
    steps = {"facts": found - started, "policies": ruled - found, "own": timer() - ruled, "total": timer() - started}
    return replace(written, timings_ms={name: round(seconds * 1_000, 3) for name, seconds in steps.items()})


@dataclass(frozen=True)
class _Told:
    """All that was found for a task, in the order in which it is told."""

    policies: Sequence[Pushed]
    pad: Pad
    facts: Sequence[Item]
    mistakes: Sequence[Mistake]


def _written(asked: Asked, caller: Principal, told: _Told, degraded: Sequence[str]) -> Context:
    writer = Writer(asked.zone)
    rules = writer.rules(told.policies, asked.room("policies"))
    notes = writer.notes(told.pad, asked.room("notes"))
    facts = writer.facts(told.facts, asked.room("facts"))
    mistakes = writer.mistakes(told.mistakes, asked.room("mistakes"))
    parts: dict[str, Part | NotesPart] = {"policies": rules, "notes": notes, "facts": facts, "mistakes": mistakes}
    texts = {name: part.text for name, part in parts.items()}
    left_out = {name: part.to_dict() for name, part in parts.items()}
    if why := asked.without_facts:
        left_out["facts"]["why"] = why
    return Context(
        asked.task,
        caller.namespace.owner,
        whole(list(texts.values())),
        tuple(policy for policy in told.policies if policy.id in rules.ids),
        told.pad,
        tuple(item for item in told.facts if item.id in facts.ids),
        tuple(mistake for mistake in told.mistakes if mistake.id in mistakes.ids),
        texts,
        left_out,
        tuple(dict.fromkeys(degraded)),
        asked.budgets,
        {name: asked.room(name).size(text) if text else 0 for name, text in texts.items()},
        {},
    )


def _facts(
    services: Services, caller: Principal, asked: Asked, timer: Callable[[], float], degraded: list[str]
) -> Sequence[Hit]:
    """What a search for the task finds, without a model where the embedder does not answer in time."""
    if asked.without_facts:
        return ()
    voices = [LEXICAL, VECTOR, GRAPH]
    if not at_hand(services.embeddings, _to_embed(services, caller, asked.task), asked.patience):
        voices.remove(VECTOR)
        degraded.append(LATE)
    profile = fast(services.rankings.of(caller.namespace.agent))
    request = Search(
        asked.task, _LOOKED_AT, profile=profile, instants=asked.instants, voices=voices, zone=asked.zone, depth=_DEPTH
    )
    recall = shared.recalled(services, caller, request, timer)
    degraded += recall.degraded
    return _with_session(services, caller, asked, recall, request, timer)


def fast(profile: Profile) -> Profile:
    """A profile without what takes long and changes little among so few hits.

    That is the conversation around each, and spreading them: retellings are folded without that.
    """
    return replace(profile, context={}, relevance=1.0)


def _with_session(
    services: Services, caller: Principal, asked: Asked, recall: Recall, request: Search, timer: Callable[[], float]
) -> Sequence[Hit]:
    """The hits with those of the session that is going on."""
    if asked.session is None:
        return recall.hits
    inside = replace(request, filters=Filters(session=asked.session))
    hits = {hit.memory.id: hit for hit in (*recall.hits, *shared.recalled(services, caller, inside, timer).hits)}
    return sorted(hits.values(), key=lambda hit: -hit.score)


@repeated
def _to_embed(services: Services, caller: Principal, task: str) -> list[Wanted]:
    """The texts that a search for the task embeds, of which each owner's memories may have one of their own."""
    owners = [reader.namespace for reader in shared.readers(services, caller)]
    with services.store.reading() as unit:
        texts = [wanted(unit, services.embeddings, _wording(task, owner, services.tiers)) for owner in owners]
    return [text for text in texts if isinstance(text, Wanted)]


def _wording(task: str, owner: Namespace, tiers: Tiers) -> Wording:
    """How a search embeds a task, so that it is embedded once."""
    return lambda unit: without_names(task, unit.episodes.speakers(owner, tiers))


def _chosen(hits: Sequence[Hit], notes: Pad, where: Where) -> list[Item]:
    """The facts that are found, without what the pad shows; those of the repository that is named first."""
    shown = {observation.id for observation in notes.observations}
    items = [hit.memory for hit in hits if hit.memory.id not in shown]
    if where.repo is None:
        return items
    repo = fold_name(where.repo)
    return sorted(items, key=lambda item: fold_name(item.wording.place.repo or "") != repo)


@repeated
def _policies(
    services: Services, caller: Principal, asked: Asked, hits: Sequence[Hit], degraded: list[str]
) -> list[Pushed]:
    """The policies that are told, the most pressing first."""
    sharing = caller.sharing()
    with asking(services, sharing, asked.instants, [Layer.POLICY]) as question:
        rules = Rules(services, question, sharing)
        rules.check_covered(asked.where)
        if not rules.knows(asked.where.repo):
            degraded.append(f"policies: no domain of the repository {asked.where.repo!r} can be read")
        found = rules.in_force()
        if asked.policies is Which.FITTING:
            found = Fitting(rules, found, asked.task, _near(hits)).fitting(asked.where)
            found = [policy for policy in found if policy.binding.binds(caller.role)]
    return sorted(found, key=lambda policy: policy.order)


def _near(hits: Sequence[Hit]) -> Collection[str]:
    """The domains of the shared facts that are near to the task by their vectors."""
    return {
        hit.memory.memory.place.scope
        for hit in hits
        if hit.memory.memory.place.domain
        if VECTOR in hit.parts and hit.parts[VECTOR].normalised >= _TOLD_BY_VECTORS
    }


@repeated
def _own(services: Services, caller: Principal, asked: Asked) -> tuple[Pad, list[Mistake]]:
    """The caller's own pad, and the mistakes that fit the task."""
    with asking(services, caller, asked.instants, [Layer.NOTE, Layer.MISTAKE]) as question:
        return pad(question, asked.most_observed), fitting(question, services, asked.task, _LOOKED_AT)
