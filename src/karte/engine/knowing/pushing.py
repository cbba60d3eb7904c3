"""Which policies are in force, whom they bind, and which of them a task is about; no model is asked.

The policies of a domain that a task fits are rules for the whole of that work, so all of them apply, those first that
say most of what the task says.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from karte.core.binding import Binding, binding_of
from karte.core.fitting import FITS, Rarity, telling
from karte.core.memories import Layer, Place
from karte.core.namespaces import Principal
from karte.core.periods import FOREVER, write_instant
from karte.core.results import Item, Status
from karte.core.text import fold_name
from karte.engine.asking import Asking, Instants, asking
from karte.engine.gathering import timelines
from karte.engine.given import read_limit
from karte.engine.knowing.briefs import Brief, briefs
from karte.engine.reading.describing import STALE, Describing
from karte.engine.repeating import repeated
from karte.engine.seeing import named, readable, whoever
from karte.engine.services import Services
from karte.errors import UnknownDomain
from karte.ports import Domain

MOST_LISTED: Final = 1_000
MOST_ABOUT: Final = 5
"""So many policies are shown beside the hits of a search."""

_SHOWN: Final = frozenset({Status.IN_FORCE, Status.FUTURE, Status.HISTORICAL})


@dataclass(frozen=True)
class Policy:
    """A rule of a domain as a caller sees it; `place` is as the domain was declared.

    `relevance` (0..1) is how far it fits the task that was asked about, 0 where none was.
    """

    item: Item
    place: Place
    binding: Binding
    relevance: float = 0.0

    @property
    def id(self) -> str:
        """Its id; it begins with `pol_`."""
        return self.item.id

    @property
    def rule(self) -> str:
        """The rule as its first source wrote it."""
        return self.item.content

    @property
    def active(self) -> bool:
        """Whether it is in force."""
        return self.item.status is Status.IN_FORCE

    def to_dict(self) -> dict[str, Any]:
        """The shape `policy`."""
        item, binding = self.item, self.binding
        end = item.validity.end
        return {
            "id": self.id,
            "rule": self.rule,
            "domain": self.place.domain,
            "repo": self.place.repo,
            "required_role": binding.required_role,
            "priority": binding.priority,
            "always": binding.always,
            "status": item.status.value,
            "active": self.active,
            "valid_from": write_instant(item.validity.start),
            "valid_until": None if end == FOREVER else write_instant(end),
            "source_fact_ids": list(item.derived_from),
            "supersedes": item.validity.supersedes,
            "superseded_by": item.validity.superseded_by,
            "trust": item.trust,
            "origins": [said.to_dict() for said in item.said],
            "marks": list(item.marks),
            "recorded": write_instant(item.learned_at),
        }


@dataclass(frozen=True)
class Where:
    """The domain and repository that are asked about; None asks about any."""

    domain: str | None = None
    repo: str | None = None

    def holds(self, place: Place) -> bool:
        """Whether a place is there: without a repository in every one of them."""
        return _same(self.domain, place.domain) and _same(self.repo, place.repo)

    def covers(self, place: Place) -> bool:
        """Whether the rules of a place apply there: those of the whole workspace apply in each repository, too."""
        return _same(self.domain, place.domain) and (place.repo is None or _same(place.repo, self.repo))


def _same(wanted: str | None, name: str | None) -> bool:
    return wanted is None or (name is not None and fold_name(wanted) == fold_name(name))


@dataclass(frozen=True)
class Pushed:
    """A policy in force in brief, with its place as declared, its relevance (0..1) to a task, and whether it is stale."""

    brief: Brief
    place: Place
    relevance: float = 0.0
    stale: bool = False

    @property
    def id(self) -> str:
        """Its id."""
        return self.brief.id

    @property
    def binding(self) -> Binding:
        """How it binds."""
        return self.brief.binding

    @property
    def order(self) -> tuple[int, bool, float, str, str]:
        """The order in which policies are shown: by priority, those for every task first, then by relevance."""
        return (-self.binding.priority, not self.binding.always, -self.relevance, self.brief.scope, self.id)

    def to_dict(self) -> dict[str, Any]:
        """The shape of a policy that is pushed: the part of `policy` that choosing takes, and its relevance."""
        return {
            "id": self.id,
            "rule": self.brief.rule,
            "domain": self.place.domain,
            "repo": self.place.repo,
            "required_role": self.binding.required_role,
            "priority": self.binding.priority,
            "always": self.binding.always,
            "since": write_instant(self.brief.since),
            "trust": self.brief.trust,
            "marks": [STALE] if self.stale else [],
            "relevance": round(self.relevance, 6),
        }


class Rules:
    """The policies that a caller may read, as of a question with the layer of policies opened to the workspace."""

    def __init__(self, services: Services, question: Asking, caller: Principal) -> None:
        self._services, self._question, self._caller = services, question, caller
        self.domains: Mapping[str, Domain] = {domain.scope: domain for domain in readable(question.unit, caller)}

    def in_force(self) -> list[Pushed]:
        """Those in force, whomever they bind; the question is about what is known now."""
        found = briefs(self._services.store, self._question)
        seen = [number for number, brief in found.items() if brief.scope in self.domains]
        unit, namespace, when = self._question.unit, self._question.frame.namespace, self._question.when
        holding = unit.timelines.holding(namespace, seen, when.at, when.now)
        held = {found[n].number: found[n] for n in holding.keys() - self._question.archived(holding).keys()}
        stale = self._stale(held.values())
        return [
            Pushed(brief, self.domains[brief.scope].place, stale=not brief.parents.isdisjoint(stale))
            for brief in held.values()
        ]

    def _stale(self, held: Iterable[Brief]) -> Collection[bytes]:
        """The facts (keys) that are kept and not in force, of those that these policies follow from."""
        keys = {parent for brief in held for parent in brief.parents}
        if not keys:
            return ()
        unit, frame, when = self._question.unit, self._question.frame, self._question.when
        numbers = {key: kept.memory.number for key, kept in unit.memories.by_key(frame.namespace, keys).items()}
        holding = unit.timelines.holding(frame.namespace, list(numbers.values()), when.at, when.now)
        return {key for key, number in numbers.items() if number not in holding}

    def all(self) -> list[Policy]:
        """Those in force, those that were, and those that are to be."""
        numbers = [n for n, b in briefs(self._services.store, self._question).items() if b.scope in self.domains]
        archived = self._question.archived(numbers)
        found = self.described([number for number in numbers if number not in archived])
        return [policy for policy in found if policy.item.status in _SHOWN]

    def described(self, numbers: Collection[int]) -> list[Policy]:
        """These policies with all that is known of them, each once, by the numbers of memories."""
        frame, when = self._question.frame, self._question.when
        folded = timelines(frame, numbers, when.known_at) if numbers else {}
        found = {folded[number].statements[number]: folded[number] for number in numbers if number in folded}
        describing = Describing(frame, when)
        describing.read_usages(found.values())
        standings = [(timeline, timeline.standings[number]) for number, timeline in found.items()]
        return [
            Policy(
                describing.item(timeline, standing),
                self.domains[standing.representative.place.scope].place,
                binding_of(standing.said, frame.tiers),
            )
            for timeline, standing in standings
            if not describing.expired(standing) and standing.representative.place.scope in self.domains
        ]

    def check(self, where: Where) -> None:
        """Raise `UnknownDomain` where a domain or repository is asked about of which the caller may read nothing."""
        if not any(where.holds(domain.place) for domain in self.domains.values()):
            self._refuse(where)

    def check_covered(self, where: Where) -> None:
        """Raise `UnknownDomain` where a domain is named that is none of the repository, nor of the workspace."""
        if where.domain and not any(where.covers(domain.place) for domain in self.domains.values()):
            self._refuse(where)

    def _refuse(self, where: Where) -> None:
        if where.domain is None and where.repo is None:
            return
        what = f"domain {named(Place(where.domain, where.repo))}" if where.domain else f"repository {where.repo!r}"
        raise UnknownDomain(f"There is no {what} here that {whoever(self._caller)} may read.")

    def knows(self, repo: str | None) -> bool:
        """Whether there is a domain of a repository that the caller may read; of no repository there always is."""
        return repo is None or any(_same(repo, domain.place.repo) for domain in self.domains.values())


@dataclass(frozen=True)
class Wanted:
    """Which policies are listed: of a domain and a repository, those that fit a task; with `everything` those not in force, too."""

    where: Where = field(default_factory=Where)
    task: str | None = None
    everything: bool = False
    limit: int = 100

    def __post_init__(self) -> None:
        read_limit(self.limit, MOST_LISTED)


@repeated
def listed(services: Services, caller: Principal, wanted: Wanted, instants: Instants | None = None) -> list[Policy]:
    """The policies in force that bind the caller, the most pressing first; with a task, those that fit it.

    With `everything` also those for other roles, those that were in force or are to be. Raises `UnknownDomain`.
    """
    shared = caller.sharing()
    with asking(services, shared, instants, [Layer.POLICY]) as question:
        rules = Rules(services, question, shared)
        rules.check(wanted.where)
        if wanted.everything:
            return sorted((p for p in rules.all() if wanted.where.holds(p.place)), key=_order)[: wanted.limit]
        found = rules.in_force()
        if wanted.task is not None:
            found = Fitting(rules, found, wanted.task).fitting(wanted.where)
        chosen = [one for one in found if wanted.where.holds(one.place) and one.binding.binds(caller.role)]
        return described(rules, sorted(chosen, key=lambda one: one.order)[: wanted.limit])


@repeated
def about(services: Services, caller: Principal, query: str) -> list[Policy]:
    """The policies in force that bind the caller and say something of what a query asks, the nearest first."""
    shared = caller.sharing()
    with asking(services, shared, layers=[Layer.POLICY]) as question:
        rules = Rules(services, question, shared)
        found = rules.in_force() if rules.domains else []
        if not found:
            return []
        fitting = Fitting(rules, found, query).fitting(Where())
        near = [one for one in fitting if one.relevance >= FITS and one.binding.binds(caller.role)]
        return described(rules, sorted(near, key=lambda one: (-one.relevance, one.order))[:MOST_ABOUT])


def _order(policy: Policy) -> tuple[int, bool, str, str]:
    return (-policy.binding.priority, not policy.binding.always, policy.place.scope, policy.id)


def described(rules: Rules, chosen: Sequence[Pushed]) -> list[Policy]:
    """Policies in brief with all that is known of them, in the same order."""
    found = {policy.id: policy for policy in rules.described([one.brief.number for one in chosen])}
    return [replace(found[one.id], relevance=round(one.relevance, 6)) for one in chosen if one.id in found]


class Fitting:
    """How far each of some policies fits a task, and which domains the task is about.

    `near` are the scopes of domains in which facts were found for it.
    """

    def __init__(self, rules: Rules, policies: Sequence[Pushed], task: str, near: Collection[str] = ()) -> None:
        self._domains, self._policies, self._near = rules.domains, policies, near
        self._task = telling(task)
        self._described = {scope: telling(_described(domain)) for scope, domain in rules.domains.items()}
        self._rarity = Rarity.among([*(policy.brief.words for policy in policies), *self._described.values()])

    def fitting(self, where: Where) -> list[Pushed]:
        """The policies for a task in a place, with their relevance.

        Of a domain that is named all; else of those domains of the workspace that the task is about, and of the
        repository that is named; wherever they are, those for every task.
        """
        overlaps = self._rarity.overlaps(self._task, (policy.brief.words for policy in self._policies))
        relevance = {policy.id: overlap for policy, overlap in zip(self._policies, overlaps, strict=True)}
        about = None if where.domain else self._about(relevance)
        applying = {
            scope
            for scope, domain in self._domains.items()
            if where.covers(domain.place) and (about is None or domain.place.repo is not None or scope in about)
        }
        return [
            replace(policy, relevance=relevance[policy.id])
            for policy in self._policies
            if policy.binding.always or policy.brief.scope in applying
        ]

    def _about(self, relevance: Mapping[str, float]) -> set[str]:
        """The scopes of the domains that the task is about: by a policy, or by how the domain is described."""
        fitting = {policy.brief.scope for policy in self._policies if relevance[policy.id] >= FITS}
        overlaps = self._rarity.overlaps(self._task, self._described.values())
        described = {scope for scope, overlap in zip(self._described, overlaps, strict=True) if overlap >= FITS}
        return {*fitting, *described, *self._near}


def _described(domain: Domain) -> str:
    return "\n".join((domain.place.domain or "", domain.label, domain.description))
