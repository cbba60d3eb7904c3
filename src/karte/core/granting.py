"""What somebody may do in a domain: levels, whom they are granted to, and which of several grants counts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.memories import Memory
from karte.core.text import fold_name


class Level(StrEnum):
    """What is granted: `none` hides a domain as if there were none; `write` includes `read`."""

    NONE = "none"
    READ = "read"
    WRITE = "write"

    def allows(self, other: Level) -> bool:
        """Tell whether who has this level may do what needs the other one."""
        return _ORDER[self] >= _ORDER[other]


_ORDER: Final = {level: place for place, level in enumerate(Level)}


class GranteeKind(StrEnum):
    """Whom a grant is for."""

    AGENT = "agent"
    ROLE = "role"


@dataclass(frozen=True, slots=True, order=True)
class Grantee:
    """One agent by name, or everybody of a role (in normal form)."""

    kind: GranteeKind
    name: str

    @classmethod
    def role(cls, name: str) -> Grantee:
        """Everybody of a role, however it is written."""
        return cls(GranteeKind.ROLE, fold_name(name))

    @classmethod
    def agent(cls, name: str) -> Grantee:
        """One agent."""
        return cls(GranteeKind.AGENT, name)


@dataclass(frozen=True, slots=True)
class Sight:
    """What somebody sees of what a workspace shares: the memories of these domain scopes."""

    scopes: frozenset[str]

    def sees(self, memory: Memory) -> bool:
        """Tell whether a memory belongs to a domain that is seen."""
        return memory.place.scope in self.scopes


def level_of(agent: str, role: str | None, grants: Mapping[Grantee, Level], usual: Level) -> Level:
    """What an agent of a role may do: what is granted to itself counts before what its role has, and that before the usual."""
    named: Iterable[Grantee] = (Grantee.agent(agent), *([] if role is None else [Grantee.role(role)]))
    return next((grants[grantee] for grantee in named if grantee in grants), usual)
