"""Who is served: one agent, with the profile and the scopes that its process was started with."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.namespaces import AGENT_KINDS, Scope
from karte.core.origins import CEILINGS, Origin, OriginKind
from karte.engine.given import read_choice
from karte.errors import MissingScope, OriginNotAllowed
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


def take_seat(workspace: Workspace, agent: str, session: str, profile: str, scopes: Iterable[str]) -> Seat:
    """Seat an agent; it is created if need be and if it may write.

    Raises `InvalidValue` for a profile or scope that is not known, `MissingScope` for the profile admin without the
    scope admin, `UnknownAgent` for a new agent that may not write.
    """
    chosen = read_choice(Profile, profile, "profile")
    granted = frozenset(read_choice(Scope, scope, "scope") for scope in scopes)
    if chosen is Profile.ADMIN and Scope.ADMIN not in granted:
        raise MissingScope(
            "The profile admin needs the scope admin.",
            hint="Name every scope that the process should have: memory:read, memory:write, admin.",
        )
    container = SESSION_CONTAINERS + session
    chart = workspace.agent(agent, create=Scope.WRITE in granted).acting(
        origin=Origin(OriginKind.AGENT_DERIVED, container),
        scopes=granted,
        origin_kinds=AGENT_KINDS,
        trust_ceiling=CEILINGS[OriginKind.AGENT_DERIVED],
    )
    return Seat(chart, workspace, chosen, granted, container)
