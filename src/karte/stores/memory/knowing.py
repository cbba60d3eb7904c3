"""Domains and grants, over the oracle's tables."""

from __future__ import annotations

from karte.ports import Domain, Grant
from karte.stores.memory.parts import Part


class MemoryDomains(Part):
    """The domains of a workspace, and the grants in them."""

    def find(self, scope: str) -> Domain | None:
        """The domain of that scope."""
        return self._tables.domains.get(scope)

    def all(self) -> list[Domain]:
        """All domains by scope."""
        return [domain for _, domain in sorted(self._tables.domains.items())]

    def keep(self, domain: Domain) -> None:
        """Keep a domain."""
        self._tables.domains[domain.scope] = domain

    def grants(self) -> list[Grant]:
        """All grants, by scope, kind of grantee and name."""
        return [grant for _, grant in sorted(self._tables.grants.items())]

    def grant(self, grant: Grant) -> None:
        """Keep a grant."""
        self._tables.grants[grant.scope, grant.grantee] = grant
