"""Who owns memory, and who is calling."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, Final

from karte.core.origins import Origin, OriginKind
from karte.errors import ForeignAgent, InvalidValue, MissingScope, NoPerson, OriginNotAllowed

WORKSPACE: Final = "workspace"
OWNER: Final = "operator"
"""The name of whoever opens a workspace without a token: it is theirs."""

AGENT_ACTOR: Final = "agent:"
"""What the names of agents begin with on the record."""

_LONGEST_NAME: Final = 128


class Scope(StrEnum):
    """What a caller may do."""

    READ = "memory:read"
    WRITE = "memory:write"
    REVIEW = "review"
    ADMIN = "admin"


class Credential(StrEnum):
    """What says who is calling: nothing but that the workspace could be opened, or a token of a person or an agent."""

    NONE = "none"
    PERSON = "person"
    AGENT = "agent"


AGENT_KINDS: Final = frozenset(
    {
        OriginKind.AGENT_DERIVED,
        OriginKind.TOOL_ECHO,
        OriginKind.CHANNEL,
        OriginKind.EXTERNAL,
        OriginKind.UNATTRIBUTED,
        OriginKind.SCHEDULE,
        OriginKind.DISPATCH,
    }
)
"""What an agent may say that it heard something from: no kind that is trusted more than the agent itself (0.6).

A person's words reach an agent as text that anybody may have written into its context. If it could pass them on as
`user_direct`, a poisoned agent would raise its own trust to 1.0.
"""


@dataclass(frozen=True, slots=True)
class Namespace:
    """An owner of memory: an agent by name, or the workspace itself (the empty name)."""

    agent: str = ""

    def __post_init__(self) -> None:
        if self.agent == WORKSPACE:
            raise InvalidValue(f"{WORKSPACE!r} names the workspace itself; choose another name for an agent.")
        if self.agent != self.agent.strip() or len(self.agent) > _LONGEST_NAME or not self.agent.isprintable():
            raise InvalidValue(
                f"{self.agent!r:.80} is no name for an agent: use at most {_LONGEST_NAME} printable characters, without blanks around."
            )

    @property
    def owner(self) -> str:
        """The owner as shown: the agent's name, or `workspace`."""
        return self.agent or WORKSPACE


@dataclass(frozen=True, slots=True)
class Principal:
    """Who is calling, for which namespace, with which scopes; it never comes from a call's arguments.

    `trust_ceiling` (basis points) and `origin_kinds` bound what the caller may claim; `origin` is where its
    statements come from unless a call names another one. `name` is that of the person or service that calls;
    `credential` says how that is known. `eyes` is the agent through whose eyes what the workspace shares is seen, where
    that is not the namespace's own.
    """

    namespace: Namespace
    origin: Origin
    role: str | None = None
    scopes: frozenset[Scope] = field(default_factory=lambda: frozenset(Scope))
    origin_kinds: frozenset[OriginKind] = field(default_factory=lambda: frozenset(OriginKind))
    trust_ceiling: int = 10_000
    name: str = OWNER
    credential: Credential = Credential.NONE
    eyes: str = ""

    @property
    def actor(self) -> str:
        """Who acts, for the record: `agent:` and its name, or the name of a person or a service.

        A person whose token says so stays that person while they work on an agent's memories.
        """
        named = self.agent and self.credential is not Credential.PERSON
        return f"{AGENT_ACTOR}{self.agent}" if named else self.name

    @property
    def agent(self) -> str:
        """The agent that calls, or as which somebody does; empty for the workspace's own caller."""
        return self.namespace.agent or self.eyes

    def sharing(self) -> Principal:
        """The same caller turned to what the workspace shares: an agent sees of that what it was granted, nothing else."""
        return replace(self, namespace=Namespace(), eyes=self.agent)

    def decide(self, scope: Scope) -> None:
        """Raise `MissingScope` unless the caller has this scope, `NoPerson` where an agent calls: those decide nothing."""
        self.require(scope)
        if self.agent:
            raise NoPerson

    def require(self, scope: Scope) -> None:
        """Raise `MissingScope` unless the caller has this scope."""
        if scope not in self.scopes:
            raise MissingScope(f"This needs the scope {scope.value}, which the caller does not have.")

    def oversee(self, scope: Scope) -> None:
        """Raise `MissingScope` unless the caller has this scope, `ForeignAgent` where it is for one agent only."""
        self.require(scope)
        if self.credential is Credential.AGENT:
            raise ForeignAgent("This is about the whole workspace, and the token is for one agent.")

    def act_as(self, agent: str) -> None:
        """Raise `ForeignAgent` where the caller's token is for another agent than this one."""
        if self.credential is Credential.AGENT and agent != self.namespace.agent:
            raise ForeignAgent(f"The token is for another agent; with it nobody acts as {agent!r:.80}.")

    def acting(self, **changes: Any) -> Principal:
        """The same caller with other powers.

        Whoever is known by a token can only lower them: scopes and kinds of origin that it lacks are not added, the
        ceiling is not raised, and it stays who it is, with the role that it has.
        """
        if self.credential is Credential.NONE:
            return replace(self, **changes)
        asked = replace(self, **changes)
        return replace(
            self,
            origin=self.speak_as(asked.origin),
            scopes=self.scopes & asked.scopes,
            origin_kinds=self.origin_kinds & asked.origin_kinds,
            trust_ceiling=min(self.trust_ceiling, asked.trust_ceiling),
        )

    def speak_as(self, origin: Origin | None) -> Origin:
        """The origin of a statement; raises `OriginNotAllowed` for a kind that the caller may not claim."""
        chosen = origin or self.origin
        if chosen.kind not in self.origin_kinds:
            raise OriginNotAllowed(f"The caller may not write as {chosen.kind.value}.")
        return chosen
