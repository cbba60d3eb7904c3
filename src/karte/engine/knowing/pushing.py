"""Which policies are in force, whom they bind, and which of them a task is about; no model is asked.

The policies of a domain that a task fits are rules for the whole of that work, so all of them apply, those first that
say most of what the task says.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from threading import Lock
from typing import Any, Final

from karte.core.binding import Binding, binding_of
from karte.core.fitting import FITS, Rarity, Words, telling
from karte.core.memories import Layer, Memory, Place
from karte.core.namespaces import Principal
from karte.core.periods import FOREVER, write_instant
from karte.core.results import Item, Status
from karte.core.text import fold_name
from karte.engine.asking import Asking, Instants, asking
from karte.engine.gathering import timelines
from karte.engine.given import read_limit
from karte.engine.reading.describing import Describing
from karte.engine.repeating import repeated
from karte.engine.seeing import named, readable, whoever
from karte.engine.services import Services
from karte.errors import UnknownDomain
from karte.ports import Domain, Reading

MOST_LISTED: Final = 1_000
ENOUGH_FACTS: Final = 4
"""A domain with so many facts and no policy is one for which somebody might propose one."""

_PAGE: Final = 1_000
_MOST_REMEMBERED: Final = 4_096
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

    @property
    def order(self) -> tuple[int, bool, float, str, str]:
        """The order in which policies are shown: by priority, those for every task first, then by relevance."""
        return (-self.binding.priority, not self.binding.always, -self.relevance, self.place.scope, self.id)

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


class Rules:
    """The policies that a caller may read, as of a question with the layer of policies opened to the workspace."""

    def __init__(self, question: Asking, caller: Principal) -> None:
        self._question, self._caller = question, caller
        self._describing = Describing(question.frame, question.when)
        self.domains: Mapping[str, Domain] = {domain.scope: domain for domain in readable(question.unit, caller)}

    @cached_property
    def _numbers(self) -> list[int]:
        aside = self._question.unit.memories.aside(self._question.frame.namespace)
        return [number for number, layer in aside.items() if layer is Layer.POLICY]

    def in_force(self) -> list[Policy]:
        """Those in force, whomever they bind."""
        return self._policies(list(self._question.holding(self._numbers)))

    def all(self) -> list[Policy]:
        """Those in force, those that were, and those that are to be."""
        found = self._policies(list(self._question.shown(self._numbers)))
        archived = self._question.archived(self._numbers)
        return [
            policy for policy in found if policy.item.status in _SHOWN and policy.item.memory.number not in archived
        ]

    def check(self, where: Where) -> None:
        """Raise `UnknownDomain` where a domain is asked about that the caller may not read, or that there is not."""
        if where.domain is None and where.repo is None:
            return
        if not any(where.holds(domain.place) for domain in self.domains.values()):
            what = f"domain {named(Place(where.domain, where.repo))}" if where.domain else f"repository {where.repo!r}"
            raise UnknownDomain(f"There is no {what} here that {whoever(self._caller)} may read.")

    def _policies(self, numbers: Collection[int]) -> list[Policy]:
        folded = timelines(self._question.frame, numbers, self._question.when.known_at) if numbers else {}
        found = {timeline.statements[n]: timeline for n, timeline in folded.items() if n in set(numbers)}
        self._describing.read_usages(found.values())
        standings = {number: timeline.standings[number] for number, timeline in found.items()}
        told = [
            (self._describing.item(found[number], standing), standing)
            for number, standing in standings.items()
            if not self._describing.expired(standing) and not standing.representative.nothing
        ]
        return [
            Policy(
                item, self.domains[item.memory.place.scope].place, binding_of(standing.said, self._question.frame.tiers)
            )
            for item, standing in told
            if item.memory.place.scope in self.domains
        ]


def suggested(services: Services, unit: Reading, caller: Principal) -> list[Domain]:
    """The domains that a caller may read with at least four facts in force and no policy in force, by scope."""
    shared = caller.sharing()
    question = Asking.of(services, unit, shared, layers=[Layer.POLICY])
    rules = Rules(question, shared)
    ruled = {policy.place.scope for policy in rules.in_force()}
    lacking = {scope: 0 for scope in rules.domains if scope not in ruled}
    namespace, before = question.frame.namespace, FOREVER
    while any(count < ENOUGH_FACTS for count in lacking.values()):
        numbers = question.unit.memories.recent(namespace, before, _PAGE)
        if not numbers:
            break
        before = numbers[-1]
        kept = question.unit.memories.get(namespace, numbers)
        facts = [n for n, k in kept.items() if k.memory.layer is Layer.SEMANTIC and k.memory.place.scope in lacking]
        for number in question.holding(facts):
            lacking[kept[number].memory.place.scope] += not kept[number].memory.nothing
    return [rules.domains[scope] for scope, count in sorted(lacking.items()) if count >= ENOUGH_FACTS]


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
        rules = Rules(question, shared)
        rules.check(wanted.where)
        found = rules.all() if wanted.everything else rules.in_force()
        if wanted.task is not None:
            found = Fitting(rules, found, wanted.task).fitting(wanted.where)
    chosen = [
        policy
        for policy in found
        if wanted.where.holds(policy.place) and (wanted.everything or policy.binding.binds(caller.role))
    ]
    return sorted(chosen, key=lambda policy: policy.order)[: wanted.limit]


class _Remembered:
    """The telling words of the memories met lately, by key; a bound number of them."""

    def __init__(self) -> None:
        self._words: OrderedDict[bytes, Words] = OrderedDict()
        self._lock = Lock()

    def of(self, memory: Memory) -> Words:
        """The words of a memory."""
        with self._lock:
            found = self._words.get(memory.key)
            if found is None:
                found = self._words[memory.key] = telling(memory.content)
                if len(self._words) > _MOST_REMEMBERED:
                    self._words.popitem(last=False)
            else:
                self._words.move_to_end(memory.key)
        return found


_REMEMBERED: Final = _Remembered()
"""Reading a text into terms takes longer than all else that is done with a policy. A key stands for just one content."""


class Fitting:
    """How far each of some policies fits a task, and which domains the task is about.

    `near` are the scopes of domains in which facts were found for it.
    """

    def __init__(self, rules: Rules, policies: Sequence[Policy], task: str, near: Collection[str] = ()) -> None:
        self._policies, self._near = policies, near
        self._task = telling(task)
        self._words = {policy.id: _REMEMBERED.of(policy.item.memory) for policy in policies}
        self._described = {scope: telling(_described(domain)) for scope, domain in rules.domains.items()}
        self._rarity = Rarity.among([*self._words.values(), *self._described.values()])

    def relevance(self, policy: Policy) -> float:
        """How far (0..1) a policy says what the task says."""
        return self._rarity.overlap(self._task, self._words[policy.id])

    def fitting(self, where: Where) -> list[Policy]:
        """The policies for a task in a place, with their relevance.

        Of a domain that is named all; else of those domains of the workspace that the task is about, and of the
        repository that is named; wherever they are, those for every task.
        """
        relevance = {policy.id: self.relevance(policy) for policy in self._policies}
        about = self._about(relevance) if where.domain is None else None
        return [
            _ranked(policy, relevance[policy.id])
            for policy in self._policies
            if policy.binding.always or self._applies(policy.place, where, about)
        ]

    def _applies(self, place: Place, where: Where, about: Collection[str] | None) -> bool:
        return where.covers(place) and (about is None or place.repo is not None or place.scope in about)

    def _about(self, relevance: Mapping[str, float]) -> set[str]:
        """The scopes of the domains that the task is about: by a policy, or by how the domain is described."""
        fitting = {policy.place.scope for policy in self._policies if relevance[policy.id] >= FITS}
        described = {s for s, words in self._described.items() if self._rarity.overlap(self._task, words) >= FITS}
        return {*fitting, *described, *self._near}


def _described(domain: Domain) -> str:
    return "\n".join((domain.place.domain or "", domain.label, domain.description))


def _ranked(policy: Policy, relevance: float) -> Policy:
    return replace(policy, relevance=round(relevance, 6))
