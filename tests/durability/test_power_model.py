"""The simulated disk itself: what was synced stays, what was not may be torn between sectors."""

from pathlib import Path

import apsw
import pytest

from tests.durability.chance import chance_of
from tests.durability.power import SECTOR, FilmedDisk, Kind, Operation, losses

OLD, NEW = b"o" * 2 * SECTOR, b"n" * 2 * SECTOR
MADE = [
    Operation(Kind.CREATE, "f"),
    Operation(Kind.WRITE, "f", 0, OLD),
    Operation(Kind.SYNC, "f"),
    Operation(Kind.SYNC_FOLDER),
]


def left(film: list[Operation], times: int = 400) -> set[bytes | None]:
    """Every state of the file `f` that some loss at the end of a film leaves."""
    return {loss.files.get("f") for loss in losses(film, [len(film)] * times, chance_of(7))}


def test_what_was_synced_stays() -> None:
    assert left(MADE) == {OLD}


def test_each_sector_of_an_unsynced_write_is_old_or_new_by_itself() -> None:
    o, n = OLD[:SECTOR], NEW[:SECTOR]
    assert left([*MADE, Operation(Kind.WRITE, "f", 0, NEW)]) == {o + o, o + n, n + o, n + n}


def test_of_two_unsynced_writes_to_a_sector_either_one_may_be_left() -> None:
    writes = [Operation(Kind.WRITE, "f", 0, b"1"), Operation(Kind.WRITE, "f", 1, b"2")]
    assert left([*MADE, *writes]) == {OLD, b"1" + OLD[1:], b"12" + OLD[2:]}


def test_a_write_beyond_the_end_may_leave_a_longer_file_full_of_zeros() -> None:
    assert left([*MADE, Operation(Kind.WRITE, "f", 2 * SECTOR, b"x")]) == {OLD, OLD + b"\0", OLD + b"x"}


def test_an_unsynced_truncation_may_be_undone() -> None:
    assert {OLD, b""} <= left([*MADE, Operation(Kind.TRUNCATE, "f", 0)])


def test_a_synced_truncation_is_not_undone() -> None:
    assert left([*MADE, Operation(Kind.TRUNCATE, "f", 0), Operation(Kind.SYNC, "f")]) == {b""}


def test_a_name_is_durable_once_the_folder_is_synced() -> None:
    assert left(MADE[:3]) == {None, OLD}


def test_a_deletion_may_be_undone_until_the_folder_is_synced() -> None:
    assert left([*MADE, Operation(Kind.DELETE, "f")]) == {None, OLD}
    assert left([*MADE, Operation(Kind.DELETE, "f"), Operation(Kind.SYNC_FOLDER)]) == {None}


def test_without_a_loss_of_anything_the_film_ends_in_the_files_that_sqlite_left(tmp_path: Path) -> None:
    disk = FilmedDisk("plain")
    connection = apsw.Connection(str(tmp_path / "f"), vfs=disk.name)
    for statement in ("PRAGMA journal_mode=wal", "CREATE TABLE t (x)", "INSERT INTO t VALUES (zeroblob(50000))"):
        connection.execute(statement).fetchall()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    connection.execute("DELETE FROM t").fetchall()
    expected = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.name != "f-shm"}
    moment = len(disk.film)
    connection.close()
    disk.unregister()
    kept = [loss.files for loss in losses(disk.film, [moment] * 60, chance_of(3)) if loss.luck.kept == 1]
    assert kept != []
    assert [files for files in kept if files != expected] == []


@pytest.mark.parametrize("moment", [0, 1])
def test_before_anything_is_synced_nothing_is_left_for_sure(moment: int) -> None:
    film = [Operation(Kind.CREATE, "f"), Operation(Kind.WRITE, "f", 0, OLD)]
    assert None in {loss.files.get("f") for loss in losses(film, [moment] * 40, chance_of(7))}
