"""Files that are no workspace, cannot be used or belong to a newer Karte: the right error, and not a byte changed."""

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import apsw
import pytest

from karte.bootstrap import open_workspace
from karte.errors import (
    KarteError,
    NotAWorkspace,
    WorkspaceDamaged,
    WorkspaceLocked,
    WorkspaceMissing,
    WorkspaceReadOnly,
    WorkspaceTooNew,
)
from karte.stores.sqlite import connecting
from karte.stores.sqlite.migrating import SCHEMA
from tests.durability.clerks import Clerk

HEADER = b"SQLite format 3\0"
TEXT = "台北的倉庫 warehouse"
PAGE = 4_096


def run(path: Path, *statements: str) -> None:
    connection = apsw.Connection(str(path))
    for statement in statements:
        connection.execute(statement).fetchall()
    connection.close()


def another_database(path: Path) -> None:
    run(path, "CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT)", "INSERT INTO orders VALUES (1, '茶葉')")


def another_database_with_a_log(path: Path) -> None:
    run(path, "PRAGMA journal_mode=wal", "CREATE TABLE orders (id INTEGER PRIMARY KEY, item TEXT)")


def another_database_with_a_mark(path: Path) -> None:
    run(path, "PRAGMA application_id=1196444487", "PRAGMA user_version=1", "CREATE TABLE meta (name, value)")


def another_database_that_is_empty(path: Path) -> None:
    run(path, "PRAGMA user_version=9")


def another_database_in_use(path: Path) -> None:
    """One whose log was left behind by a killed process."""
    with tempfile.TemporaryDirectory() as folder:
        busy = apsw.Connection(f"{folder}/busy")
        for statement in (
            "PRAGMA journal_mode=wal",
            "CREATE TABLE orders (id, item)",
            "INSERT INTO orders VALUES (1, 2)",
        ):
            busy.execute(statement).fetchall()
        shutil.copy(f"{folder}/busy", path)
        shutil.copy(f"{folder}/busy-wal", f"{path}-wal")
        busy.close()


def a_workspace(path: Path) -> None:
    with open_workspace(path) as workspace:
        workspace.store(TEXT)
        workspace.store_many([{"content": f"{number} {'貨架 ' * 300}"} for number in range(40)])


def of_a_newer_format(path: Path) -> None:
    a_workspace(path)
    run(path, f"PRAGMA user_version={SCHEMA + 1}", "UPDATE meta SET value=value + 99 WHERE name='oldest_reader'")


def of_a_newer_format_that_names_no_reader(path: Path) -> None:
    a_workspace(path)
    run(path, f"PRAGMA user_version={SCHEMA + 1}", "DELETE FROM meta WHERE name='oldest_reader'")


FOREIGN: dict[str, tuple[Callable[[Path], object], type[KarteError]]] = {
    "a text file": (lambda path: path.write_text("shopping list: 茶, 米", encoding="utf-8"), NotAWorkspace),
    "one byte": (lambda path: path.write_bytes(b"S"), NotAWorkspace),
    "zeros": (lambda path: path.write_bytes(bytes(PAGE)), NotAWorkspace),
    "a folder": (Path.mkdir, NotAWorkspace),
    "a cut header": (lambda path: path.write_bytes(HEADER), NotAWorkspace),
    "garbage after the header": (lambda path: path.write_bytes(HEADER + b"\xff\x07" * PAGE), NotAWorkspace),
    "another database": (another_database, NotAWorkspace),
    "another database with a log": (another_database_with_a_log, NotAWorkspace),
    "another database in use": (another_database_in_use, NotAWorkspace),
    "another database with a mark": (another_database_with_a_mark, NotAWorkspace),
    "another database that is empty": (another_database_that_is_empty, NotAWorkspace),
    "a newer format": (of_a_newer_format, WorkspaceTooNew),
    "a newer format that names no reader": (of_a_newer_format_that_names_no_reader, WorkspaceTooNew),
}


def contents(folder: Path) -> dict[str, str]:
    """The digest of every file, and the name of every folder, in a folder."""
    return {
        path.name: hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else "folder"
        for path in folder.iterdir()
    }


@pytest.mark.parametrize("create", [True, False])
@pytest.mark.parametrize("kind", FOREIGN)
def test_what_is_not_ours_to_open_is_refused_and_left_untouched(tmp_path: Path, kind: str, create: bool) -> None:
    make, error = FOREIGN[kind]
    make(tmp_path / "file")
    before = contents(tmp_path)
    with pytest.raises(KarteError) as caught:
        open_workspace(tmp_path / "file", create=create)
    assert type(caught.value) is error
    assert caught.value.message.endswith(".")
    assert caught.value.hint is not None
    assert contents(tmp_path) == before


def test_a_newer_format_that_lets_this_program_read_is_opened_and_keeps_its_number(tmp_path: Path) -> None:
    path = tmp_path / "newer"
    a_workspace(path)
    run(path, f"PRAGMA user_version={SCHEMA + 7}")
    with open_workspace(path) as workspace:
        workspace.store("寫入較新的檔案")
        assert len(workspace.search("warehouse").hits) == 1
        assert workspace.doctor().differences == ()
    connection = apsw.Connection(str(path))
    assert connection.execute("PRAGMA user_version").fetchall() == [(SCHEMA + 7,)]
    connection.close()


def test_a_missing_file_is_not_made_when_nobody_asked_for_it(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceMissing, match=r"There is no workspace at .*\."):
        open_workspace(tmp_path / "folder" / "missing", create=False)
    assert contents(tmp_path) == {}


def test_an_empty_file_becomes_a_workspace_only_when_one_may_be_made(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(NotAWorkspace):
        open_workspace(path, create=False)
    assert path.read_bytes() == b""
    with open_workspace(path) as workspace:
        assert workspace.store(TEXT).memory_id


def test_a_path_below_a_file_cannot_be_made(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(KarteError, match=r"cannot be made"):
        open_workspace(tmp_path / "file" / "below" / "workspace")
    assert contents(tmp_path).keys() == {"file"}


def test_a_damaged_page_is_named_as_damage_and_never_answered_from(tmp_path: Path) -> None:
    path = tmp_path / "damaged"
    a_workspace(path)
    body = path.read_bytes()
    path.write_bytes(body[:PAGE] + b"\xa5" * (len(body) - PAGE))
    with pytest.raises(WorkspaceDamaged), open_workspace(path) as workspace:
        workspace.list()


def test_a_file_that_was_cut_short_is_named_as_damage(tmp_path: Path) -> None:
    path = tmp_path / "cut"
    a_workspace(path)
    os.truncate(path, 5 * PAGE)
    with pytest.raises(WorkspaceDamaged), open_workspace(path) as workspace:
        workspace.doctor()


def test_a_lock_held_too_long_is_told_and_nothing_is_changed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "locked"
    a_workspace(path)
    monkeypatch.setattr(connecting, "BUSY_MILLISECONDS", 1)
    other = apsw.Connection(str(path))
    with open_workspace(path) as workspace:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(WorkspaceLocked) as caught:
            workspace.store("不會寫入")
        assert caught.value.message.endswith("nothing was changed. Try again.")
        assert [hit.memory.content for hit in workspace.search("warehouse").hits] == [TEXT]
        other.execute("ROLLBACK")
        assert workspace.search("不會寫入").hits == ()
        assert workspace.store("可以寫入").memory_id
    other.close()


class TestPermissions:
    """Each in a process without privileges, which permissions bind."""

    @pytest.fixture
    def folder(self) -> Iterator[Path]:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name, "open to all")
            folder.mkdir()
            for path in (folder.parent, folder):
                path.chmod(0o777)
            yield folder

    @pytest.fixture
    def nobody(self) -> Iterator[Clerk]:
        with Clerk() as clerk:
            assert clerk.ask("lose_privileges")["user"] != 0
            yield clerk

    def told(self, answer: dict[str, Any]) -> tuple[str, str]:
        assert answer["error"]["message"].endswith(".")
        assert answer["error"]["hint"]
        return answer["error"]["category"], answer["error"]["code"]

    def check_reading_only(self, nobody: Clerk, path: Path) -> None:
        before = path.read_bytes()
        assert nobody.ask("open", path=str(path), agent="") == {"opened": str(path)}
        assert len(nobody.ask("search", query="warehouse")["ids"]) == 1
        assert self.told(nobody.ask("store", count=1)) == ("refused", "workspace_read_only")
        assert len(nobody.ask("search", query="warehouse")["ids"]) == 1
        assert path.read_bytes() == before

    def test_a_read_only_file_can_be_read(self, folder: Path, nobody: Clerk) -> None:
        a_workspace(folder / "file")
        (folder / "file").chmod(0o444)
        self.check_reading_only(nobody, folder / "file")

    def test_a_file_in_a_read_only_folder_can_be_read(self, folder: Path, nobody: Clerk) -> None:
        a_workspace(folder / "file")
        (folder / "file").chmod(0o666)
        folder.chmod(0o555)
        self.check_reading_only(nobody, folder / "file")
        assert contents(folder).keys() == {"file"}

    def test_nothing_can_be_made_in_a_read_only_folder(self, folder: Path, nobody: Clerk) -> None:
        folder.chmod(0o555)
        for path in (folder / "new", folder / "below" / "new"):
            assert self.told(nobody.ask("open", path=str(path), agent="")) == ("refused", WorkspaceReadOnly().code)
        assert contents(folder) == {}

    def test_a_file_that_may_not_be_read_is_named(self, folder: Path, nobody: Clerk) -> None:
        a_workspace(folder / "file")
        (folder / "file").chmod(0o000)
        assert self.told(nobody.ask("open", path=str(folder / "file"), agent="")) == ("fault", "workspace_unreadable")

    def test_a_file_in_a_folder_that_may_not_be_entered_is_named(self, folder: Path, nobody: Clerk) -> None:
        a_workspace(folder / "file")
        folder.chmod(0o000)
        assert self.told(nobody.ask("open", path=str(folder / "file"), agent="")) == ("fault", "workspace_unreadable")
