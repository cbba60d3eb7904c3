"""How a file is led to a newer format, shown with a format that this program does not have yet.

`next_format` gives the program one more step: a table. `MIGRATIONS`, `SCHEMA` and the reading of scripts are what a
release with that step would have; everything else is the product as it is.
"""

from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from karte.bootstrap import open_workspace
from karte.errors import KarteError, WorkspaceTooNew
from karte.stores.sqlite import SQLiteStore, migrating
from karte.stores.sqlite.connecting import Durability
from karte.stores.sqlite.migrating import SCHEMA, backup_of, backups
from tests.durability.chance import chance_of
from tests.durability.opening import integrity
from tests.durability.power import FilmedDisk, losses

STEP = "CREATE TABLE colour (name TEXT PRIMARY KEY) WITHOUT ROWID; INSERT INTO colour VALUES ('紅'), ('blue');"
BROKEN = "CREATE TABLE colour (name TEXT); INSERT INTO nowhere VALUES (1);"
TEXT = "台北的倉庫 warehouse"
PRESENT, NEXT = SCHEMA, SCHEMA + 1

Release = Callable[..., None]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A workspace of the present format."""
    with open_workspace(tmp_path / "kept.karte") as workspace:
        workspace.store(TEXT)
    return tmp_path / "kept.karte"


@pytest.fixture
def next_format(monkeypatch: pytest.MonkeyPatch) -> Release:
    """Make this program the one that comes next."""
    present = migrating.read_script

    def release(script: str = STEP, *, oldest_reader: int = PRESENT) -> None:
        monkeypatch.setattr(migrating, "SCHEMA", NEXT)
        monkeypatch.setattr(migrating, "OLDEST_READER", oldest_reader)
        monkeypatch.setattr(migrating, "MIGRATIONS", {**migrating.MIGRATIONS, PRESENT: "next.sql"})
        monkeypatch.setattr(migrating, "read_script", lambda name: script if name == "next.sql" else present(name))

    return release


@pytest.fixture
def present_format(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Make this program the present one again."""
    return monkeypatch.undo


def values(path: Path, query: str) -> list[tuple[object, ...]]:
    connection = apsw.Connection(str(path))
    rows = connection.execute(query).fetchall()
    connection.close()
    return rows


def format_of(path: Path) -> object:
    return values(path, "PRAGMA user_version")[0][0]


def tables(path: Path) -> set[object]:
    return {name for (name,) in values(path, "SELECT name FROM sqlite_schema WHERE type = 'table'")}


def check_answers(path: Path) -> None:
    with open_workspace(path) as workspace:
        assert [hit.memory.content for hit in workspace.search("warehouse").hits] == [TEXT]
        assert workspace.doctor().differences == ()


def test_an_older_file_is_migrated_when_it_is_opened(path: Path, next_format: Release) -> None:
    next_format()
    check_answers(path)
    assert format_of(path) == NEXT
    assert values(path, "SELECT name FROM colour") == [("blue",), ("紅",)]


def test_a_backup_of_the_older_format_lies_beside_it_and_can_be_opened(
    path: Path, next_format: Release, present_format: Callable[[], None]
) -> None:
    next_format()
    SQLiteStore(path).close()
    present_format()
    assert backups(path) == [backup_of(path, PRESENT)]
    assert format_of(backup_of(path, PRESENT)) == PRESENT
    check_answers(backup_of(path, PRESENT))


def test_opening_it_again_changes_nothing(path: Path, next_format: Release) -> None:
    next_format()
    SQLiteStore(path).close()
    before = {file.name: file.read_bytes() for file in path.parent.iterdir()}
    SQLiteStore(path).close()
    assert {file.name: file.read_bytes() for file in path.parent.iterdir()} == before


def test_a_migration_that_fails_leaves_the_file_as_it_was(
    path: Path, next_format: Release, present_format: Callable[[], None]
) -> None:
    rows = values(path, "SELECT * FROM meta ORDER BY name")
    next_format(BROKEN)
    with pytest.raises(KarteError):
        SQLiteStore(path)
    present_format()
    assert (format_of(path), "colour" in tables(path)) == (PRESENT, False)
    assert values(path, "SELECT * FROM meta ORDER BY name") == rows
    check_answers(path)


def test_a_migration_that_failed_can_be_made_later(path: Path, next_format: Release) -> None:
    next_format(BROKEN)
    with pytest.raises(KarteError):
        SQLiteStore(path)
    next_format()
    check_answers(path)
    assert format_of(path) == NEXT


def test_a_loss_of_power_during_a_migration_leaves_the_old_format_or_the_new_one(
    path: Path, tmp_path: Path, next_format: Release, seed: str
) -> None:
    disk = FilmedDisk("migrating")
    kept = path.read_bytes()
    next_format()
    SQLiteStore(path, durability=Durability(vfs=disk.name)).close()
    disk.unregister()
    formats = set()
    for loss in losses(disk.film, range(len(disk.film) + 1), chance_of(seed), {path.name: kept}):
        folder = tmp_path / f"loss-{loss.moment}"
        folder.mkdir()
        loss.restore(folder)
        formats.add(format_of(folder / path.name))
        assert ("colour" in tables(folder / path.name)) == (format_of(folder / path.name) == NEXT)
        check_answers(folder / path.name)
        assert format_of(folder / path.name) == NEXT
        assert integrity(folder / path.name) == "ok"
    assert formats == {PRESENT, NEXT}


def test_an_old_program_refuses_a_file_that_asks_for_a_newer_reader_and_leaves_it_untouched(
    path: Path, next_format: Release, present_format: Callable[[], None]
) -> None:
    next_format(oldest_reader=NEXT)
    SQLiteStore(path).close()
    present_format()
    before = path.read_bytes()
    with pytest.raises(WorkspaceTooNew, match=f"format {NEXT}"):
        open_workspace(path)
    assert path.read_bytes() == before


def test_an_old_program_may_go_on_with_a_file_that_lets_it(
    path: Path, next_format: Release, present_format: Callable[[], None]
) -> None:
    next_format(oldest_reader=PRESENT)
    SQLiteStore(path).close()
    present_format()
    check_answers(path)
    with open_workspace(path) as workspace:
        workspace.store("較舊的程式寫入")
    assert format_of(path) == NEXT


def test_a_new_file_of_the_next_format_needs_no_backup(tmp_path: Path, next_format: Release) -> None:
    next_format()
    SQLiteStore(tmp_path / "new.karte").close()
    assert (format_of(tmp_path / "new.karte"), backups(tmp_path / "new.karte")) == (NEXT, [])


@pytest.mark.parametrize("name", ["kept.karte", "倉庫.karte", "[o].karte"])
def test_a_scrub_removes_the_backups_of_this_file_and_no_other(tmp_path: Path, name: str, next_format: Release) -> None:
    path, other = tmp_path / name, tmp_path / "o.karte"
    for made in (path, other):
        SQLiteStore(made).close()
    next_format()
    for made in (path, other):
        SQLiteStore(made).close()
    with open_workspace(path) as workspace:
        assert workspace.erase([workspace.store("秘密").memory_id]).scrubbed
    assert (backups(path), backups(other)) == ([], [backup_of(other, PRESENT)])
    assert not backup_of(path, PRESENT).exists()


def test_of_two_programs_that_migrate_at_once_the_slower_one_keeps_the_backup_of_the_old_format(
    path: Path, monkeypatch: pytest.MonkeyPatch, next_format: Release
) -> None:
    """The faster one comes in just when the slower one is about to make its backup."""
    next_format()
    back_up, overtaken = migrating._back_up, list[Path]()

    def slowly(connection: apsw.Connection, target: Path, version: int) -> None:
        if not overtaken:
            overtaken.append(target)
            SQLiteStore(path).close()
        back_up(connection, target, version)

    monkeypatch.setattr(migrating, "_back_up", slowly)
    SQLiteStore(path).close()
    assert format_of(path) == NEXT
    assert format_of(backup_of(path, PRESENT)) == PRESENT
