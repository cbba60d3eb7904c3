"""The rows of an export for domains and grants, as those in `records`."""

from __future__ import annotations

from karte.core.granting import Grantee, GranteeKind, Level
from karte.core.memories import Place
from karte.engine.rows.records import Row, read_time, write_time
from karte.ports import Domain, Grant


def write_domain(domain: Domain) -> Row:
    """A domain; `usual` is what somebody without a grant may do."""
    return {
        "domain": domain.place.domain,
        "repo": domain.place.repo,
        "label": domain.label,
        "description": domain.description,
        "confidential": domain.confidential,
        "usual": domain.usual.value,
        "created_by": domain.created_by,
        "created_at": write_time(domain.created_at),
    }


def read_domain(row: Row) -> Domain:
    """The domain of a row."""
    return Domain(
        Place(row["domain"], row["repo"]),
        row["label"],
        row["description"],
        bool(row["confidential"]),
        Level(row["usual"]),
        row["created_by"],
        read_time(row["created_at"]),
    )


def write_grant(grant: Grant) -> Row:
    """A grant in the domain of a scope, to an agent or a role."""
    return {
        "scope": grant.scope,
        "kind": grant.grantee.kind.value,
        "name": grant.grantee.name,
        "level": grant.level.value,
    }


def read_grant(row: Row) -> Grant:
    """The grant of a row."""
    return Grant(row["scope"], Grantee(GranteeKind(row["kind"]), row["name"]), Level(row["level"]))
