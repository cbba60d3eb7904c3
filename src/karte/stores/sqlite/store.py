"""The store over one file: connections, units of work, scrubbing."""

from __future__ import annotations

import threading
from collections.abc import Collection, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import apsw

from karte.errors import Fault, WorkspaceDamaged, WorkspaceLocked, WorkspaceReadOnly, WorkspaceUnreadable
from karte.stores.relational import Tails, Unit
from karte.stores.sqlite.connecting import APPLICATION_ID, Durability, connect, not_a_workspace, read_header, rewrite
from karte.stores.sqlite.errors import translated
from karte.stores.sqlite.making import make, put
from karte.stores.sqlite.migrating import SCHEMA, backups, check_version, migrate, undo
from karte.stores.sqlite.outside import outside, read_outside
from karte.stores.sqlite.rows import SQLiteRows
from karte.stores.sqlite.traces import texts_found


class SQLiteStore:
    """A workspace in a SQLite file.

    Each unit of work has a connection of its own while it lasts, so threads do not disturb each other; writers of all
    processes take turns. Raises `WorkspaceMissing`, `NotAWorkspace`, `WorkspaceTooNew`.
    """

    def __init__(self, path: Path, *, create: bool = True, durability: Durability | None = None) -> None:
        self.path = path
        self._durability = durability or Durability()
        self._idle: list[apsw.Connection] = []
        self._lock = threading.Lock()
        self._turn = threading.Lock()
        self._tails = Tails()
        self._closed = False
        with translated():
            self.writable = self._prepare(create=create)

    def __repr__(self) -> str:
        state = "closed" if self._closed else "open" if self.writable else "read-only"
        return f"<SQLiteStore {self.path} ({state})>"

    def _prepare(self, *, create: bool) -> bool:
        self._look(create=create)
        try:
            connection = connect(self.path, self._durability, writable=True)
            with ExitStack() as undone:
                undone.callback(connection.close)
                check_version(connection, self.path)
                writable = not connection.readonly("main")
                if writable:
                    migrate(connection, self.path)
                undone.pop_all()
        except (apsw.ReadOnlyError, apsw.CantOpenError):
            connection, writable = connect(self.path, self._durability, writable=False), False
        self._idle.append(connection)
        return writable

    def _look(self, *, create: bool) -> None:
        """Make the file if it may be made, and refuse what is no workspace or too new before anything is opened."""
        if create and not self._exists():
            make(self.path)
        header = read_header(self.path)
        if header is None and create:
            make(self.path)
            header = read_header(self.path)
        if header is None or header.application != APPLICATION_ID:
            raise not_a_workspace(self.path)
        if header.version > SCHEMA:
            connection = connect(self.path, self._durability, writable=False)
            try:
                check_version(connection, self.path)
            finally:
                connection.close()

    def _exists(self) -> bool:
        try:
            return self.path.exists()
        except PermissionError:
            raise WorkspaceUnreadable(f"{self.path} may not be read by this user.") from None

    @contextmanager
    def reading(self) -> Iterator[Unit]:
        """A consistent view: what was committed before it began."""
        with translated(), self._connection() as connection:
            connection.execute("BEGIN").fetchall()
            try:
                yield Unit(SQLiteRows(connection, settled=True), self._tails)
            finally:
                undo(connection)

    @contextmanager
    def writing(self) -> Iterator[Unit]:
        """One transaction, durable when it ends, undone when it raises."""
        if not self.writable:
            raise WorkspaceReadOnly
        with translated(), self._turn, self._connection() as connection:
            connection.execute("BEGIN IMMEDIATE").fetchall()
            try:
                unit = Unit(SQLiteRows(connection))
                yield unit
                unit.tidy()
                connection.execute("COMMIT").fetchall()
            finally:
                undo(connection)

    @contextmanager
    def _connection(self) -> Iterator[apsw.Connection]:
        with self._lock:
            if self._closed:
                raise Fault("The workspace is closed; open it again.")
            connection = self._idle.pop() if self._idle else None
        connection = connection or connect(self.path, self._durability, writable=self.writable)
        try:
            yield connection
        finally:
            self._put_back(connection)

    def _put_back(self, connection: apsw.Connection) -> None:
        with self._lock:
            if not self._closed:
                self._idle.append(connection)
                return
        connection.close()

    def check(self) -> None:
        """Look through every page, and compare every index with its table; raises `WorkspaceDamaged`.

        Takes about as long as reading the whole file does: an index that lacks a row reads well, so `quick_check`, which
        leaves the indexes out, would not see it.
        """
        with translated(), self._connection() as connection:
            found = [line for (line,) in connection.execute("PRAGMA integrity_check(1)").fetchall()]
        if found != ["ok"]:
            raise WorkspaceDamaged

    @property
    def shared(self) -> bool:
        """A file holds one workspace."""
        return False

    def scrub(self) -> None:
        """Rewrite the file and empty its log, so that no byte of what was erased is left; old backups go too.

        Raises `WorkspaceLocked` where other processes keep reading the old state.
        """
        if not self.writable:
            raise WorkspaceReadOnly
        with translated(), self._turn, self._connection() as connection:
            self._empty_log(connection)
            rewrite(connection)
            self._empty_log(connection)
        for backup in backups(self.path):
            backup.unlink(missing_ok=True)

    def _empty_log(self, connection: apsw.Connection) -> None:
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()[0]
        if busy:
            raise WorkspaceLocked("Another process is reading old pages, so erased bytes cannot be removed yet.")

    def traces(self, texts: Collection[str]) -> frozenset[str] | None:
        """Those of these texts that can be read in the file, its log or a backup that a migration left beside it."""
        log = self.path.with_name(f"{self.path.name}-wal")
        return frozenset(texts_found([self.path, log, *backups(self.path)], texts))

    def keep_outside(self, text: str) -> None:
        """Keep a text in the file of the same name with `.blocks` at its end; a copy of the workspace lacks it."""
        if not self.writable:
            raise WorkspaceReadOnly
        put(outside(self.path), text.encode())

    def kept_outside(self) -> str | None:
        """The text in that file, if there is one."""
        return read_outside(self.path)

    def take_over(self, path: Path) -> None:
        """Take over the whole content of another workspace file in one transaction.

        Who has this one open goes on with the new content; who is reading goes on with the old one to the end.
        """
        if not self.writable:
            raise WorkspaceReadOnly
        with translated(), self._turn, self._connection() as connection:
            source = apsw.Connection(str(path), apsw.SQLITE_OPEN_READONLY)
            with closing(source), connection.backup("main", source, "main") as backup:
                backup.step()

    def close(self) -> None:
        """Close all connections; the log is moved into the file by the last one."""
        with self._lock:
            self._closed = True
            idle, self._idle = self._idle, []
        with translated():
            for connection in idle:
                connection.close()
