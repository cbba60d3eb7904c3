"""The part of a store that holds the domains of a workspace, and who may do what in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from karte.core.granting import Grantee, Level
from karte.core.memories import Place


@dataclass(frozen=True, slots=True)
class Domain:
    """A named field of knowledge, within the workspace or one repository; `scope` names it in normal form.

    `usual` is what somebody without a grant of their own may do; `created_by` is who made it, as on the record, with
    their role; `created_at` is in microseconds.
    """

    place: Place
    label: str
    description: str
    confidential: bool
    usual: Level
    created_by: str
    created_at: int

    @property
    def scope(self) -> str:
        """The scope of the memories that belong to it."""
        return self.place.scope


@dataclass(frozen=True, slots=True)
class Grant:
    """What a role or an agent may do in the domain of that scope."""

    scope: str
    grantee: Grantee
    level: Level


class Domains(Protocol):
    """The domains of a workspace, and the grants in them."""

    def find(self, scope: str) -> Domain | None:
        """The domain of that scope."""

    def all(self) -> list[Domain]:
        """All domains by scope."""

    def keep(self, domain: Domain) -> None:
        """Keep a domain in the place of the one with its scope."""

    def grants(self) -> list[Grant]:
        """All grants, by scope, kind of grantee and name."""

    def grant(self, grant: Grant) -> None:
        """Keep a grant in the place of the one to that grantee in that domain."""
