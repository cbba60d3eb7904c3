"""The store over one database: units of work, and what happens when the server goes away in one."""

from __future__ import annotations

import secrets
from collections.abc import Collection, Iterator
from contextlib import closing, contextmanager, suppress
from typing import Final

import psycopg
from psycopg import errors
from psycopg.adapt import AdaptersMap

from karte.errors import Fault, Interrupted, KarteError, SignInRefused, Uncertain, WorkspaceMissing
from karte.stores.postgres.address import Address
from karte.stores.postgres.binding import adapters
from karte.stores.postgres.connecting import PATIENCE, Connections, Line, connect, pauses
from karte.stores.postgres.errors import READ_ONLY, passes, translated
from karte.stores.postgres.migrating import check_version, migrate, read_script
from karte.stores.postgres.rows import QUERIES, PostgresRows
from karte.stores.postgres.settings import settings
from karte.stores.relational import Unit

_SAMPLES: Final = ("pg_catalog.pg_statistic", "pg_catalog.pg_statistic_ext_data")
"""Where the server keeps samples of what is in columns. The owner of a database may rewrite them."""

_READING: Final = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY;"

_WRITING: Final = "BEGIN ISOLATION LEVEL READ COMMITTED;"
_TURNS_END: Final = """
    SET LOCAL idle_in_transaction_session_timeout = '25s';
    SET LOCAL tcp_keepalives_idle = 10;
    SET LOCAL tcp_keepalives_interval = 5;
    SET LOCAL tcp_keepalives_count = 3;
"""
"""A program that fell silent loses its turn to write before those who wait for it give up."""


class PostgresStore:
    """A workspace in a PostgreSQL database.

    Writers of one workspace take turns by the lock of its row; those of others never meet. With `create`, the schema is
    made or migrated where it is not there and the role may, and the workspace where it is new. While the server is away,
    a unit of work waits for it up to `patience` (seconds). Raises what `connect` and `check_version` raise, and
    `WorkspaceMissing` without `create`.
    """

    def __init__(self, address: Address, *, create: bool = True, patience: float = PATIENCE) -> None:
        self.address = address
        self._patience = patience
        self._closed = False
        self._connections = Connections(address, self._opened(create=create), patience)

    def __repr__(self) -> str:
        return f"<PostgresStore {self.address} ({'closed' if self._closed else 'open'})>"

    def _opened(self, *, create: bool) -> AdaptersMap:
        """See to it that all is there; a second time where the connection is lost meanwhile."""
        lost: Interrupted | None = None
        for left in pauses(self._patience):
            try:
                with translated(), connect(self.address, left) as connection:
                    return self._looked_at(connection, create=create)
            except Interrupted as error:
                lost = error
        raise lost or Interrupted

    def _looked_at(self, connection: psycopg.Connection, *, create: bool) -> AdaptersMap:
        if create:
            with suppress(errors.InsufficientPrivilege, errors.ReadOnlySqlTransaction):
                migrate(connection)
        check_version(connection)
        self._settings = settings(connection)
        self._find(connection, create=create)
        return adapters(connection)

    def _find(self, connection: psycopg.Connection, *, create: bool) -> None:
        """Look for the workspace, and make it if it may be made."""
        named = {"workspace": self.address.workspace_id, "name": self.address.workspace}
        with connection.transaction():
            connection.execute(self._at_the_start)
            found = connection.execute(QUERIES["find_workspace"].encode(), named).fetchone()
            if found is None and create:
                keys = {name: secrets.token_bytes(32) for name in ("lexicon_key", "origin_key")}
                connection.execute(QUERIES["add_workspace"].encode(), {**named, **keys})
                connection.execute(QUERIES["add_own_namespace"].encode(), named)
                found = connection.execute(QUERIES["find_workspace"].encode(), named).fetchone()
        if found is None:
            raise WorkspaceMissing(f"There is no workspace {self.address.workspace!r} in this database.")
        if found[0] != self.address.workspace:
            raise Fault(f"The names {found[0]!r} and {self.address.workspace!r} share a number; use another name.")

    @property
    def _at_the_start(self) -> bytes:
        """The settings of a transaction and, for row-level security, its workspace: a number, so nothing is quoted."""
        return f"{self._settings} SET LOCAL karte.workspace_id = '{self.address.workspace_id}';".encode()

    @contextmanager
    def reading(self) -> Iterator[Unit]:
        """A consistent view: what was committed before it began."""
        with translated(), self._transaction(_READING) as line:
            with closing(self._rows(line)) as rows:
                yield Unit(rows)
            line.execute("COMMIT")  # after a rollback the driver would forget all statements that it prepared

    @contextmanager
    def writing(self) -> Iterator[Unit]:
        """One transaction, durable when it ends, undone when it raises."""
        with translated():
            with self._transaction(_WRITING, _TURNS_END) as line:
                self._lock(line)
                with line.pipeline() as pipeline:
                    rows = self._rows(line, pipeline)
                    unit = Unit(rows)
                    yield unit
                    unit.tidy()
                    self._leave_mark(rows, line)
                answered = self._commit(line)
            if not answered and not self._was_kept(line):
                raise Interrupted

    @contextmanager
    def _transaction(self, begin: str, after: str = "", patience: float | None = None) -> Iterator[Line]:
        line = self._connections.begin(begin.encode() + self._at_the_start + after.encode(), patience)
        try:
            yield line
        except errors.ReadOnlySqlTransaction:
            line.close()  # the next one may lead to the primary
            raise
        finally:
            self._connections.end(line)

    def _rows(self, line: Line, pipeline: psycopg.Pipeline | None = None) -> PostgresRows:
        return PostgresRows(line, self.address.workspace_id, pipeline)

    def _lock(self, line: Line) -> None:
        """Wait for the turn to write."""
        if self._rows(line).one("lock") is None:
            raise WorkspaceMissing(f"There is no workspace {self.address.workspace!r} in this database any more.")

    def _leave_mark(self, rows: PostgresRows, line: Line) -> None:
        """Make it possible to find out afterwards whether this transaction was committed."""
        line.turn += 1
        if line.turn == 1:
            rows.run("forget_marks")
        rows.run("leave_mark", line=line.name, number=line.turn)

    def _commit(self, line: Line) -> bool:
        """Commit; tells whether the server answered."""
        try:
            done = line.execute("COMMIT")
        except psycopg.Error as error:
            if not passes(error):
                raise
            return False
        if done.statusmessage != "COMMIT":
            raise Fault("The database undid the transaction; nothing was changed.")
        return True

    def _was_kept(self, line: Line) -> bool:
        """Whether the last turn of a lost connection was committed; raises `Uncertain` where nobody can tell in time.

        Who has the turn to write knows that it has ended: until then it kept the workspace locked. A replica that
        follows may not have heard of it yet, so it is not believed.
        """
        for left in pauses(self._patience):
            try:
                with self._transaction(_WRITING, patience=left) as other:
                    self._lock(other)
                    return bool(self._rows(other).value("find_mark", line=line.name) == line.turn)
            except psycopg.Error as error:
                if not passes(error) and error.sqlstate != READ_ONLY:
                    raise Uncertain from error
            except KarteError as error:
                raise Uncertain from error
        raise Uncertain

    def check(self) -> None:
        """The files are the server's, which checks its pages itself."""

    @property
    def shared(self) -> bool:
        """The tables hold all workspaces of the database."""
        return True

    def scrub(self) -> None:
        """Rewrite all tables, so that no byte of what was erased is left in them; every workspace waits meanwhile.

        Samples of the values, which the server keeps for its planner, are taken anew and rewritten, too. Raises
        `SignInRefused` where the role may not. Older write-ahead log and backups keep what they hold.
        """
        with translated(), connect(self.address) as connection:
            skipped: list[str] = []
            connection.add_notice_handler(lambda notice: skipped.append(notice.message_primary or ""))
            for table in read_script("schema.sql").split("CREATE TABLE ")[1:]:
                connection.execute(f"VACUUM (FULL, ANALYZE) {table.split()[0]}".encode())
            connection.execute(read_script("samples.sql").encode())
            for table in _SAMPLES:
                connection.execute(f"VACUUM (FULL) {table}".encode())
        if skipped:
            raise SignInRefused(
                f"Only the owner of the tables and of the database can rewrite them. The server says: {skipped[0]}."
            )

    def traces(self, texts: Collection[str]) -> frozenset[str] | None:  # noqa: ARG002 - the contract's
        """The files are the server's."""
        return None

    def keep_outside(self, text: str) -> None:
        """A server's backups hold all that is in it, so there is no place outside them."""

    def kept_outside(self) -> str | None:
        """There is no place beside it."""
        return None

    def close(self) -> None:
        """Close all connections."""
        self._closed = True
        self._connections.close()
