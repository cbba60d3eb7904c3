"""What agents claim by themselves: facts in force, by what those share that may be compared.

Facts with a triple share scope, subject and predicate; free texts share scope and words, whatever their values. So each
is compared with few others.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from karte.core.assertions import Assertion
from karte.core.beliefs import LEAST
from karte.core.conflicts import Said, Verdict, compare
from karte.core.granting import level_of
from karte.core.memories import Memory
from karte.core.namespaces import Namespace
from karte.core.restating import restates, skeleton_of
from karte.core.standing import believe, counting_assertions
from karte.engine.asking import Asking, Instants
from karte.engine.gathering import Frame, gather
from karte.engine.learning.merging import facts, pages
from karte.engine.seeing import proposing
from karte.engine.services import Services
from karte.ports import Agent, Domain, Reading

MOST_GROUPS: Final = 16
"""So many different statements of one block are compared; further ones are left alone."""

Place = tuple[str, int]
"""Where a claim is kept: its agent, and its number there."""

Block = tuple[str, ...] | tuple[str, bytes]
"""What claims share that may be compared."""


@dataclass(frozen=True)
class Claim:
    """What an agent claims: its memory, and what was said of it that counts, each as far as it is believed."""

    agent: str
    memory: Memory
    said: tuple[tuple[Assertion, int], ...]

    @cached_property
    def compared(self) -> Said:
        """It as it is compared."""
        return Said(self.memory.content, None, self.memory.names)

    @property
    def order(self) -> tuple[int, tuple[str, str, str], bytes]:
        """Who said it first."""
        return min(assertion.order for assertion, _ in self.said)


@dataclass
class Group:
    """Claims that say the same; `disputed` where somebody says otherwise."""

    claims: list[Claim]
    disputed: bool = False

    @property
    def agents(self) -> set[str]:
        """Who claims it."""
        return {claim.agent for claim in self.claims}

    @property
    def agreed(self) -> bool:
        """Whether several agents do."""
        return len(self.agents) >= LEAST

    @property
    def first(self) -> Claim:
        """The claim that was made first."""
        return min(self.claims, key=lambda claim: claim.order)


@dataclass(frozen=True)
class Dispute:
    """Two groups of claims of which one is wrong, or may be."""

    one: Group
    other: Group
    verdict: Verdict


@dataclass(frozen=True)
class Heard:
    """The claims of one block, in groups that say the same, and the disputes between those."""

    groups: Sequence[Group]
    disputes: Sequence[Dispute] = ()

    @cached_property
    def shared(self) -> list[Group]:
        """The groups that the workspace shares: those that are agreed, and those that are disputed."""
        return [group for group in self.groups if group.agreed or group.disputed]


@dataclass
class Claims:
    """Claims of all agents as one unit of work sees them."""

    services: Services
    unit: Reading
    _asked: dict[str, Asking] = field(default_factory=dict)

    @cached_property
    def domains(self) -> dict[str, Domain]:
        """The declared domains by scope."""
        return {domain.scope: domain for domain in self.unit.domains.all()}

    def question(self, agent: str) -> Asking:
        """A question of what an agent keeps."""
        if agent not in self._asked:
            frame = Frame(self.unit, Namespace(agent), self.services.tiers)
            self._asked[agent] = Asking(self.unit, frame, Instants().when(self.services, self.unit))
        return self._asked[agent]

    def blocks(self) -> Iterator[tuple[Agent, list[tuple[Block, Place]]]]:
        """Agent by agent, page by page, the claims by block; those of a domain in which the agent may propose."""
        for agent in self.unit.agents.all():
            scopes = self._scopes(agent)
            for page in pages(self.unit, Namespace(agent.name)):
                held = [fact.kept.memory for fact in facts(self.question(agent.name), page) if fact.holds]
                shared = [memory for memory in held if memory.scope in scopes]
                yield agent, [(block_of(memory), (agent.name, memory.number)) for memory in shared]

    def _scopes(self, agent: Agent) -> set[str]:
        """Where an agent shares what it claims: without a domain, and in the domains in which it may propose."""
        grants = self.unit.domains.grants()
        found = {""}
        for scope, domain in self.domains.items():
            mine = {grant.grantee: grant.level for grant in grants if grant.scope == scope}
            if level_of(agent.name, agent.role, mine, domain.usual).allows(proposing(domain)):
                found.add(scope)
        return found

    def heard(self, places: Collection[Place]) -> Heard:
        """The claims of one block, as far as they still hold, in groups."""
        numbers: dict[str, list[int]] = defaultdict(list)
        for agent, number in places:
            numbers[agent].append(number)
        claims = [claim for agent, mine in sorted(numbers.items()) for claim in self._claims(agent, mine)]
        groups = grouped(claims)
        open_ = bool(claims) and claims[0].memory.scope in self.domains and not self._is_many(claims)
        return Heard(groups, disputes(groups) if open_ else ())

    def _is_many(self, claims: Sequence[Claim]) -> bool:
        """Whether one of those concerned declared that the predicate has many values, so that nobody is wrong."""
        names = claims[0].memory.names
        if names is None:
            return False
        frames = [Frame(self.unit, Namespace(), self.services.tiers)]
        frames += [self.question(agent).frame for agent in {claim.agent for claim in claims}]
        return any(names.predicate in frame.naming([names.predicate]).multi_valued for frame in frames)

    def _claims(self, agent: str, numbers: Sequence[int]) -> list[Claim]:
        question = self.question(agent)
        held = [fact.kept.memory for fact in facts(question, numbers) if fact.holds]
        found = (Claim(agent, memory, tuple(self._counting(question, memory))) for memory in held)
        return [claim for claim in found if claim.said]

    def _counting(self, question: Asking, memory: Memory) -> list[tuple[Assertion, int]]:
        """What was said of a memory that counts and has not expired, each with how far it is believed."""
        counting = question.frame.counting(self.unit.records.assertions(question.frame.namespace, [memory.number]))
        lasting = [a for a in counting if a.details.expires_at is None or a.details.expires_at > question.when.now]
        believed = believed_of(question.frame, memory.number) if any(a.parents for a in lasting) else {}
        return [(a, believed.get(a.identity, a.trust)) for a in lasting]


def believed_of(frame: Frame, number: int) -> Mapping[bytes, int]:
    """How far all that bears on a derived memory is believed (basis points), by identity."""
    records = gather(frame, [number])
    return believe(counting_assertions(records.assertions, records.withdrawals, frame.tiers))


def block_of(memory: Memory) -> Block:
    """What a claim shares with those that it is compared with; a text without words, or a long one, only with its like."""
    if memory.names is not None:
        return ("question", memory.scope, memory.names.subject, memory.names.predicate)
    return (memory.scope, skeleton_of(Said(memory.content)) or memory.content_key)


def grouped(claims: Sequence[Claim]) -> list[Group]:
    """Claims of one block by what they say: one object, or the same statement."""
    groups: list[Group] = []
    for claim in sorted(claims, key=lambda claim: claim.order):
        group = next((group for group in groups if _says(group.claims[0], claim)), None)
        if group is not None:
            group.claims.append(claim)
        elif len(groups) < MOST_GROUPS:
            groups.append(Group([claim]))
    return groups


def _says(one: Claim, other: Claim) -> bool:
    if one.memory.names is not None:
        return one.memory.names == other.memory.names
    same = one.memory.content_key == other.memory.content_key
    return same or restates(one.compared, other.compared)


def disputes(groups: Sequence[Group]) -> list[Dispute]:
    """The pairs of groups that contradict each other, or may; what one agent alone says is no dispute."""
    answers = [group for group in groups if not _without_value(group.claims[0].memory)]
    pairs = [(one, other) for place, one in enumerate(answers) for other in answers[place + 1 :]]
    apart = [(one, other) for one, other in pairs if len(one.agents | other.agents) >= LEAST]
    compared = [Dispute(one, other, compare(one.first.compared, other.first.compared)) for one, other in apart]
    found = [dispute for dispute in compared if _surfaced(dispute)]
    for dispute in found:
        dispute.one.disputed = dispute.other.disputed = True
    return found


def _surfaced(dispute: Dispute) -> bool:
    """Whether somebody is to be told; two answers in the same words cannot be told apart in the workspace."""
    same = dispute.one.first.memory.content_key == dispute.other.first.memory.content_key
    return dispute.verdict.relation.surfaced and not same


def _without_value(memory: Memory) -> bool:
    return memory.names is not None and memory.names.object is None
