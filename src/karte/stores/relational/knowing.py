"""Domains, and who may do what in them."""

from __future__ import annotations

from karte.core.granting import Grantee, GranteeKind, Level
from karte.core.memories import Place
from karte.ports import Domain, Grant
from karte.stores.relational.rows import Row, Rows


class DomainsRows:
    """The domains of a workspace. They are few, and every use case asks for them: once in a unit of work."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def find(self, scope: str) -> Domain | None:
        """The domain of that scope."""
        rows = self._rows.known("find_domain", scope=scope)
        return _domain(rows[0]) if rows else None

    def all(self) -> list[Domain]:
        """All domains by scope."""
        return [_domain(row) for row in self._rows.known("all_domains")]

    def keep(self, domain: Domain) -> None:
        """Keep a domain."""
        self._rows.give(
            "keep_domain",
            domain.scope,
            domain.place.domain,
            domain.place.repo,
            domain.label,
            domain.description,
            domain.confidential,
            domain.usual.value,
            domain.created_by,
            domain.created_at,
        )

    def grants(self) -> list[Grant]:
        """All grants, by scope, kind of grantee and name."""
        rows = self._rows.known("all_grants")
        return [Grant(scope, Grantee(GranteeKind(kind), name), Level(level)) for scope, kind, name, level in rows]

    def grant(self, grant: Grant) -> None:
        """Keep a grant."""
        self._rows.give("keep_grant", grant.scope, grant.grantee.kind.value, grant.grantee.name, grant.level.value)


def _domain(row: Row) -> Domain:
    name, repo, label, description, confidential, usual, *made = row
    return Domain(Place(name, repo), label, description, bool(confidential), Level(usual), *made)
