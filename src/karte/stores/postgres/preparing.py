"""Preparing a database once, as its owner: the schema, a role for programs, row-level security, Citus."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any, Final, LiteralString

import psycopg
from psycopg import errors, sql

from karte.errors import ExtensionMissing, InvalidValue
from karte.stores.postgres.address import Address
from karte.stores.postgres.connecting import connect
from karte.stores.postgres.errors import translated
from karte.stores.postgres.migrating import SCHEMA, check_version, migrate

SETTING: Final = "karte.workspace_id"
"""Each transaction says here which workspace it is bound to; row-level security goes by it."""

_POLICY: Final = "only_this_workspace"
_SAME_FOR_ALL: Final = "edition"
_FIRST: Final = "workspace"
"""The table with which all others are kept together."""

_ONLY_GROWS: Final = "audit"
"""The table whose rows nobody changes or removes."""

_ALL_ROWS: Final = "GRANT SELECT, INSERT, UPDATE, DELETE ON karte.{} TO {}"
_GRANTS: Final[dict[str, LiteralString]] = {_ONLY_GROWS: "GRANT SELECT, INSERT ON karte.{} TO {}"}
"""What the role may do with the rows of some tables; with those of all others it may do everything."""


@dataclass(frozen=True)
class PrepareOptions:
    """What to prepare beside the schema.

    `role` may then read and write rows and nothing else; it is made if there is none of that name, without a password.
    `row_security` hides other workspaces from everybody but the owner; `citus` spreads the tables by workspace.
    """

    role: str | None = None
    row_security: bool = False
    citus: bool = False


@dataclass(frozen=True)
class Prepared:
    """What was done: the schema's version, whether it was made or migrated now, and what was asked for beside it."""

    version: int
    changed: bool
    role: str | None
    role_made: bool
    row_security: bool
    distributed: tuple[str, ...]

    def to_dict(self) -> dict[str, Any]:
        """The same as plain values."""
        return {**asdict(self), "distributed": list(self.distributed)}


def prepare(address: Address, options: PrepareOptions | None = None) -> Prepared:
    """Make or migrate the schema, and do what `options` ask for; a second time it changes nothing.

    Raises what connecting raises, `SignInRefused` where the role is not the owner, `ExtensionMissing` for `citus` where
    the server has no Citus, and `InvalidValue` for the name of a role that is no name.
    """
    chosen = options or PrepareOptions()
    _check_role(chosen.role)
    with translated(), connect(address) as connection:
        changed = bool(migrate(connection))
        check_version(connection)
        if chosen.citus:
            _install_citus(connection)
        with connection.transaction():
            made = bool(chosen.role) and _grant(connection, str(chosen.role))
            if chosen.row_security:
                _secure(connection)
        spread = _distribute(connection) if chosen.citus else ()
    return Prepared(SCHEMA, changed, chosen.role, made, chosen.row_security, spread)


def tables(connection: psycopg.Connection) -> list[str]:
    """The tables that hold rows of workspaces, by name."""
    rows = connection.execute(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'karte' AND tablename <> %s ORDER BY 1", (_SAME_FOR_ALL,)
    )
    return [name for (name,) in rows]


_LONGEST_ROLE: Final = 63


def _check_role(role: str | None) -> None:
    if role is not None and (not role or "\0" in role or len(role.encode()) > _LONGEST_ROLE):
        raise InvalidValue(f"The name of a role is text of 1 to {_LONGEST_ROLE} bytes.")


def _grant(connection: psycopg.Connection, role: str) -> bool:
    """Let a role read and write rows; tells whether it was made."""
    name = sql.Identifier(role)
    found = connection.execute("SELECT 1 FROM pg_roles WHERE rolname = %s", (role,)).fetchone()
    if found is None:
        connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(name))
    connection.execute(sql.SQL("GRANT USAGE ON SCHEMA karte TO {}").format(name))
    for table in tables(connection):
        rights = _GRANTS.get(table, _ALL_ROWS)
        connection.execute(sql.SQL(rights).format(sql.Identifier(table), name))
    connection.execute(sql.SQL("GRANT SELECT ON karte.edition TO {}").format(name))
    return found is None


def _secure(connection: psycopg.Connection) -> None:
    """Show each transaction the rows of its workspace only; one that names none is shown nothing.

    A setting that an earlier transaction made for itself is an empty text in later ones.
    """
    for table in tables(connection):
        name = sql.Identifier(table)
        connection.execute(sql.SQL("ALTER TABLE karte.{} ENABLE ROW LEVEL SECURITY").format(name))
        connection.execute(sql.SQL("DROP POLICY IF EXISTS {} ON karte.{}").format(sql.Identifier(_POLICY), name))
        connection.execute(
            sql.SQL(
                "CREATE POLICY {} ON karte.{} USING (workspace_id = nullif(current_setting({}, true), '')::bigint)"
            ).format(sql.Identifier(_POLICY), name, sql.Literal(SETTING))
        )


def _install_citus(connection: psycopg.Connection) -> None:
    """Add Citus before roles and policies are made, so that it makes them on the other machines too."""
    available = connection.execute("SELECT 1 FROM pg_available_extensions WHERE name = 'citus'").fetchone()
    if available is None:
        raise ExtensionMissing("The server has no Citus.", hint="Install Citus on all nodes, then run this again.")
    try:
        connection.execute("CREATE EXTENSION IF NOT EXISTS citus")
    except errors.InsufficientPrivilege as error:
        raise ExtensionMissing(
            "This database lacks the extension citus, and this role may not add it.",
            hint="Have a superuser run CREATE EXTENSION citus in this database, then try again.",
        ) from error


def _distribute(connection: psycopg.Connection) -> tuple[str, ...]:
    """Spread all tables by workspace, together, so that the rows of one workspace are on one machine.

    Each in a transaction of its own, so that an interrupted run goes on where it was. Citus spreads no table that has a
    trigger: there the audit log is kept from being changed by what the role may not do alone.
    """
    done = {name for (name,) in connection.execute("SELECT table_name::text FROM citus_tables")}
    if f"karte.{_SAME_FOR_ALL}" not in done:
        connection.execute("SELECT create_reference_table(%s)", (f"karte.{_SAME_FOR_ALL}",))
    waiting = [name for name in tables(connection) if f"karte.{name}" not in done]
    if _ONLY_GROWS in waiting:
        connection.execute(f"DROP TRIGGER IF EXISTS audit_is_append_only ON karte.{_ONLY_GROWS}".encode())
    for name in sorted(waiting, key=lambda name: name != _FIRST):
        together = "default" if name == _FIRST else f"karte.{_FIRST}"
        connection.execute(
            "SELECT create_distributed_table(%s, 'workspace_id', colocate_with => %s)", (f"karte.{name}", together)
        )
    return tuple(waiting)
