"""The store over one database: a pool of connections, units of work, and what happens when the server goes away."""

from __future__ import annotations

import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

import psycopg

from karte.errors import Fault, Interrupted, SignInRefused, StoreUnreachable, Uncertain, WorkspaceMissing
from karte.stores.postgres.address import Address
from karte.stores.postgres.binding import adapters
from karte.stores.postgres.connecting import connect, pauses, pool
from karte.stores.postgres.errors import passes, translated
from karte.stores.postgres.migrating import check_version, migrate, read_script
from karte.stores.postgres.rows import QUERIES, PostgresRows
from karte.stores.relational import Unit

_LIMITS: Final = """
    SET LOCAL statement_timeout = '60s';
    SET LOCAL lock_timeout = '45s';
    SET LOCAL idle_in_transaction_session_timeout = '300s';
"""
"""No transaction waits or lingers for ever, whatever becomes of the program that began it."""

_PLANS: Final = """
    SET LOCAL enable_seqscan = off;
    SET LOCAL enable_hashjoin = off;
    SET LOCAL enable_mergejoin = off;
    SET LOCAL join_collapse_limit = 1;
    SET LOCAL jit = off;
    SET LOCAL plan_cache_mode = force_generic_plan;
"""
"""Each query is written for an index; statistics of a table that was small a moment ago would have it read whole."""


class PostgresStore:
    """A workspace in a PostgreSQL database.

    Writers of one workspace take turns by the lock of its row; those of others never meet. With `create`, the schema is
    made or migrated where it is not there and the role may, and the workspace where it is new. Raises what `connect`
    and `check_version` raise, and `WorkspaceMissing` without `create`.
    """

    def __init__(self, address: Address, *, create: bool = True) -> None:
        self.address = address
        self._closed = False
        with translated(), connect(address) as connection:
            if create:
                migrate(connection)
            check_version(connection)
            self._adapters = adapters(connection)
            self._find(connection, create=create)
        self._pool = pool(address, self._adapters)

    def __repr__(self) -> str:
        return f"<PostgresStore {self.address} ({'closed' if self._closed else 'open'})>"

    def _find(self, connection: psycopg.Connection, *, create: bool) -> None:
        """Look for the workspace, and make it if it may be made."""
        named = {"workspace": self.address.workspace_id, "name": self.address.workspace}
        with connection.transaction():
            connection.execute(self._bound_to_workspace)
            found = connection.execute(QUERIES["find_workspace"].encode(), named).fetchone()
            if found is None and create:
                connection.execute(QUERIES["add_workspace"].encode(), {**named, "key": secrets.token_bytes(32)})
                connection.execute(QUERIES["add_own_namespace"].encode(), named)
                found = connection.execute(QUERIES["find_workspace"].encode(), named).fetchone()
        if found is None:
            raise WorkspaceMissing(f"There is no workspace {self.address.workspace!r} in this database.")
        if found[0] != self.address.workspace:
            raise Fault(f"The names {found[0]!r} and {self.address.workspace!r} share a number; use another name.")

    @property
    def _bound_to_workspace(self) -> bytes:
        """What row-level security goes by, where it is switched on; a number, so nothing needs quoting."""
        return f"SET LOCAL karte.workspace_id = '{self.address.workspace_id}'".encode()

    @contextmanager
    def reading(self) -> Iterator[Unit]:
        """A consistent view: what was committed before it began."""
        with translated(), self._transaction("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY") as connection:
            yield Unit(PostgresRows(connection, self.address.workspace_id))
            connection.execute("COMMIT")

    @contextmanager
    def writing(self) -> Iterator[Unit]:
        """One transaction, durable when it ends, undone when it raises."""
        with translated(), self._transaction("BEGIN READ WRITE") as connection:
            number = self._lock(connection)
            with connection.pipeline():
                yield Unit(PostgresRows(connection, self.address.workspace_id))
            self._commit(connection, number)

    @contextmanager
    def _transaction(self, begin: str) -> Iterator[psycopg.Connection]:
        connection = self._begin(f"{begin};{_LIMITS}{_PLANS}".encode() + self._bound_to_workspace)
        try:
            yield connection
        finally:
            with suppress(psycopg.Error):
                connection.rollback()
            self._pool.putconn(connection)

    def _begin(self, script: bytes) -> psycopg.Connection:
        """Begin on a connection that is alive; those that died are left behind until patience ends."""
        last: psycopg.Error | None = None
        for left in pauses():
            connection = self._pool.getconn(timeout=left)
            try:
                connection.execute(script)
            except psycopg.Error as error:
                self._pool.putconn(connection)
                if not passes(error):
                    raise
                last = error
            else:
                return connection
        raise StoreUnreachable from last

    def _lock(self, connection: psycopg.Connection) -> str:
        """Wait for the turn to write; gives the number of the transaction."""
        row = connection.execute(QUERIES["lock"].encode(), {"workspace": self.address.workspace_id}).fetchone()
        if row is None:
            raise WorkspaceMissing(f"There is no workspace {self.address.workspace!r} in this database any more.")
        return str(row[0])

    def _commit(self, connection: psycopg.Connection, number: str) -> None:
        """Commit; where the connection is lost on the way, ask the server what became of the transaction."""
        try:
            connection.execute("COMMIT")
        except psycopg.Error as error:
            if not passes(error):
                raise
            self._clear_up(number)

    def _clear_up(self, number: str) -> None:
        """Return where a transaction was committed; raises `Interrupted` where it was not, else `Uncertain`."""
        for left in pauses():
            try:
                status = self._status(number, left)
            except psycopg.DataError:
                raise Interrupted from None
            except psycopg.Error as error:
                if not passes(error):
                    raise Uncertain from error
                continue
            if status == "committed":
                return
            if status == "aborted":
                raise Interrupted
        raise Uncertain

    def _status(self, number: str, patience: float) -> str | None:
        with self._pool.connection(timeout=patience) as connection:
            named = {"workspace": self.address.workspace_id, "number": number}
            row = connection.execute(QUERIES["transaction_status"].encode(), named).fetchone()
            return None if row is None else row[0]

    def scrub(self) -> None:
        """Rewrite all tables, so that no byte of what was erased is left in them; every workspace waits meanwhile.

        Raises `SignInRefused` where the role may not. Older write-ahead log and backups keep what they hold.
        """
        with translated(), connect(self.address) as connection:
            skipped: list[str] = []
            connection.add_notice_handler(lambda notice: skipped.append(notice.message_primary or ""))
            for table in read_script("schema.sql").split("CREATE TABLE ")[1:]:
                connection.execute(f"VACUUM (FULL) {table.split()[0]}".encode())
        if skipped:
            raise SignInRefused(f"Only the owner of the tables can rewrite them. The server says: {skipped[0]}.")

    def close(self) -> None:
        """Close all connections."""
        self._closed = True
        self._pool.close()
