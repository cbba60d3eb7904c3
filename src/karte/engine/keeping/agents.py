"""The agents of a workspace, and how much each keeps."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from karte.core.memories import check_name
from karte.core.namespaces import Credential, Namespace, Principal, Scope
from karte.engine.asking import owners_of
from karte.engine.repeating import repeated
from karte.engine.services import Services
from karte.engine.trusting import auditing
from karte.errors import NoPerson, UnknownAgent
from karte.ports import Agent


@repeated
def act_as(services: Services, caller: Principal, name: str, role: str | None, *, create: bool) -> Principal:
    """The principal of an agent, created if need be; raises `UnknownAgent` where it must exist and does not.

    Raises `ForeignAgent` where the caller has the token of another one, and `NoPerson` where an agent with a token asks for
    another role than it has: what it may do comes with the role.
    """
    check_name("The name of an agent", name)
    caller.act_as(name)
    if role is not None:
        check_name("The role of an agent", role)
    namespace = Namespace(name)
    with services.store.reading() as unit:
        agent = unit.agents.find(name)
    if agent is None and not create:
        raise UnknownAgent(f"There is no agent {name!r} in this workspace.")
    if agent is None or role not in (None, agent.role):
        caller.require(Scope.WRITE)
        if caller.credential is Credential.AGENT:
            raise NoPerson("An agent gives itself no role; a person does.")
        agent = Agent(name, role, services.clock.now() if agent is None else agent.created_at)
        with services.store.writing() as unit:
            unit.agents.add(agent)
            if role is not None:  # grants go by it
                auditing.record(unit, caller, auditing.ROLE_GIVEN, agent=name, role=role)
    return replace(caller, namespace=namespace, role=agent.role)


@repeated
def known(services: Services, caller: Principal) -> list[Agent]:
    """All agents by name; an agent's token shows that one only."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        return [agent for agent in unit.agents.all() if _sees(caller, agent.name)]


def _sees(caller: Principal, owner: str) -> bool:
    return caller.credential is not Credential.AGENT or owner == caller.namespace.agent


@dataclass(frozen=True)
class Stats:
    """The number of memories by owner; the workspace's own are under `workspace`."""

    memories: dict[str, int]

    def to_dict(self) -> dict[str, Any]:
        """memories, total."""
        return {"memories": self.memories, "total": sum(self.memories.values())}


@repeated
def stats(services: Services, caller: Principal) -> Stats:
    """Count what every owner keeps; an agent's token counts what that one keeps."""
    caller.require(Scope.READ)
    with services.store.reading() as unit:
        owners = owners_of(unit)
        return Stats({owner.owner: unit.memories.count(owner) for owner in owners if _sees(caller, owner.agent)})
