"""Who is served: one agent, with the profile and the scopes that its process was started with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.namespaces import AGENT_KINDS, Credential, Principal, Scope
from karte.core.origins import CEILINGS, Origin, OriginKind
from karte.engine.given import read_choice
from karte.errors import InvalidValue, MissingScope, OriginNotAllowed
from karte.workspace import Chart, Workspace

SESSION_CONTAINERS: Final = "mcp:"
"""What the containers of this surface begin with; only the server names one."""

DEFAULT_SCOPES: Final = (Scope.READ, Scope.WRITE)


class Profile(StrEnum):
    """How many tools are offered; each profile holds those of the one before."""

    CORE = "core"
    FULL = "full"
    ADMIN = "admin"

    def holds(self, other: Profile) -> bool:
        """Tell whether the tools of `other` are offered too."""
        order = list(Profile)
        return order.index(other) <= order.index(self)


@dataclass(frozen=True)
class Seat:
    """The agent that a server works for: its chart with the agent's powers, the profile, the scopes, the session."""

    chart: Chart
    workspace: Workspace
    profile: Profile
    scopes: frozenset[Scope]
    session: str

    @property
    def own_origin(self) -> Origin:
        """Where the agent's own conclusions come from: this session."""
        return Origin(OriginKind.AGENT_DERIVED, self.session)

    def origin(self, named: Origin) -> Origin:
        """The origin of a statement that names one; without a container it is this session.

        Raises `OriginNotAllowed` for the container of another session.
        """
        container = named.container or self.session
        if container.startswith(SESSION_CONTAINERS) and container != self.session:
            raise OriginNotAllowed(
                f"A container that begins with {SESSION_CONTAINERS} is a session of this server; only the server names it.",
                hint="Leave the container out, or name the conversation, run or file that you heard it from.",
            )
        return Origin(named.kind, container, named.item)


def take_seat(
    workspace: Workspace,
    agent: str | None,
    session: str,
    profile: str = Profile.CORE,
    scopes: Iterable[str] | None = None,
) -> Seat:
    """Seat an agent; it is created if need be and if it may write.

    Where the workspace was opened with an agent's token, agent and scopes are those of the token unless fewer are
    named. Raises `InvalidValue` for a profile or scope that is not known, or where no agent is named; `ForeignAgent` for
    another agent than the token's, `MissingScope` for a scope that it lacks, and for the profile admin without the scope
    admin; `UnknownAgent` for a new agent that may not write.
    """
    caller = workspace.caller
    named = agent or caller.namespace.agent
    if not named:
        raise InvalidValue("Name the agent whose memory is served: --agent NAME.")
    chosen = read_choice(Profile, profile, "profile")
    granted = _granted(caller, scopes)
    if chosen is Profile.ADMIN and Scope.ADMIN not in granted:
        raise MissingScope(
            "The profile admin needs the scope admin.",
            hint="Name every scope that the process should have: memory:read, memory:write, admin.",
        )
    container = SESSION_CONTAINERS + session
    chart = workspace.agent(named, create=Scope.WRITE in granted).acting(
        origin=Origin(OriginKind.AGENT_DERIVED, container),
        scopes=granted,
        origin_kinds=AGENT_KINDS,
        trust_ceiling=CEILINGS[OriginKind.AGENT_DERIVED],
    )
    return Seat(chart, workspace, chosen, granted, container)


def _granted(caller: Principal, scopes: Iterable[str] | None) -> frozenset[Scope]:
    if scopes is None:
        return caller.scopes if caller.credential is Credential.AGENT else caller.scopes.intersection(DEFAULT_SCOPES)
    granted = frozenset(read_choice(Scope, scope, "scope") for scope in scopes)
    if lacking := sorted(granted - caller.scopes):
        raise MissingScope(f"The token does not have the scope {lacking[0]}.", hint="Leave --scope out, or name fewer.")
    return granted
