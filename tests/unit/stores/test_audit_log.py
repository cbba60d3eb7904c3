"""The audit log only grows: the database itself refuses to change or remove a line."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import psycopg
import pytest

from karte.ports import AuditEntry, Store
from karte.stores.postgres import Address, PostgresStore
from karte.stores.sqlite import SQLiteStore
from tests.servers.postgres import fresh_workspace

LINES = [AuditEntry(number, 5, "operator", "forget", "dudu", "來源", "{}", b"", bytes([number])) for number in (1, 3)]


def keep_lines(store: Store) -> None:
    with store.writing() as unit:
        for line in LINES:
            unit.audit.append(line)


def lines(store: Store) -> list[AuditEntry]:
    with store.reading() as unit:
        return list(unit.audit.after(0, 9))


class TestSQLite:
    @pytest.fixture
    def path(self, tmp_path: Path) -> Path:
        with closing(SQLiteStore(tmp_path / "w.karte")) as store:
            keep_lines(store)
        return tmp_path / "w.karte"

    @staticmethod
    def run(path: Path, *statements: str) -> None:
        with closing(apsw.Connection(str(path))) as connection:
            for statement in statements:
                connection.execute(statement).fetchall()

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE audit SET actor = 'somebody else' WHERE sequence = 3",
            "UPDATE audit SET sequence = 4 WHERE sequence = 3",
            "DELETE FROM audit WHERE sequence = 3",
            "DELETE FROM audit",
            "INSERT INTO audit VALUES (2, 5, 'somebody', 'erase', '', '', '{}', x'', x'')",
            "INSERT OR REPLACE INTO audit VALUES (3, 5, 'somebody', 'erase', '', '', '{}', x'', x'')",
        ],
    )
    def test_no_line_is_changed_removed_or_put_between(self, path: Path, statement: str) -> None:
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            self.run(path, statement)
        with closing(SQLiteStore(path)) as store:
            assert lines(store) == LINES

    def test_whoever_takes_the_triggers_away_can(self, path: Path) -> None:
        """The control: it is the triggers that refuse."""
        self.run(path, "DROP TRIGGER audit_is_not_cut", "DELETE FROM audit WHERE sequence = 3")
        with closing(SQLiteStore(path)) as store:
            assert lines(store) == LINES[:1]

    def test_a_scrub_keeps_the_lines_and_the_triggers(self, path: Path) -> None:
        with closing(SQLiteStore(path)) as store:
            store.scrub()
            assert lines(store) == LINES
        with pytest.raises(apsw.ConstraintError, match="append-only"):
            self.run(path, "DELETE FROM audit")


class TestPostgres:
    @pytest.fixture
    def store(self) -> Iterator[PostgresStore]:
        with closing(PostgresStore(Address.read(fresh_workspace()))) as store:
            keep_lines(store)
            yield store

    @staticmethod
    def run(store: PostgresStore, *statements: str) -> None:
        """Run statements as the owner of the tables; `?` is the workspace."""
        number = str(store.address.workspace_id)
        with psycopg.connect(store.address.database) as connection:
            for statement in statements:
                connection.execute(statement.replace("?", number).encode())

    @pytest.mark.parametrize(
        "statement",
        [
            "UPDATE karte.audit SET actor = 'somebody else' WHERE workspace_id = ? AND sequence = 3",
            "DELETE FROM karte.audit WHERE workspace_id = ? AND sequence = 3",
            "DELETE FROM karte.audit WHERE workspace_id = ?",
            (
                "INSERT INTO karte.audit SELECT * FROM karte.audit WHERE workspace_id = ? AND sequence = 3 "
                "ON CONFLICT (workspace_id, sequence) DO UPDATE SET actor = 'somebody else'"
            ),
        ],
    )
    def test_no_line_is_changed_or_removed(self, store: PostgresStore, statement: str) -> None:
        with pytest.raises(psycopg.errors.RestrictViolation, match="append-only"):
            self.run(store, statement)
        assert lines(store) == LINES

    def test_the_log_goes_with_its_workspace(self, store: PostgresStore) -> None:
        rows = "FROM karte.{} WHERE workspace_id = ?"
        self.run(store, f"DELETE {rows.format('workspace')}", f"DELETE {rows.format('audit')}")
        assert lines(store) == []
