"""Who owns memory, and who is calling."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from karte.core.origins import Origin, OriginKind
from karte.errors import InvalidValue, MissingScope, OriginNotAllowed

WORKSPACE: Final = "workspace"
_LONGEST_NAME: Final = 128


class Scope(StrEnum):
    """What a caller may do."""

    READ = "memory:read"
    WRITE = "memory:write"
    REVIEW = "review"
    ADMIN = "admin"


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
    statements come from unless a call names another one.
    """

    namespace: Namespace
    origin: Origin
    role: str | None = None
    scopes: frozenset[Scope] = field(default_factory=lambda: frozenset(Scope))
    origin_kinds: frozenset[OriginKind] = field(default_factory=lambda: frozenset(OriginKind))
    trust_ceiling: int = 10_000

    def require(self, scope: Scope) -> None:
        """Raise `MissingScope` unless the caller has this scope."""
        if scope not in self.scopes:
            raise MissingScope(f"This needs the scope {scope.value}, which the caller does not have.")

    def speak_as(self, origin: Origin | None) -> Origin:
        """The origin of a statement; raises `OriginNotAllowed` for a kind that the caller may not claim."""
        chosen = origin or self.origin
        if chosen.kind not in self.origin_kinds:
            raise OriginNotAllowed(f"The caller may not write as {chosen.kind.value}.")
        return chosen
