"""A workspace file with damaged pages: the doctor says so, as every other command does that meets them."""

import random
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from tests.surfaces.cli.running import invoke

PAGE = 4_096
FLIPPED = 300
PLACE = "team.karte"
TOLD = ("The workspace file is damaged.", "Restore the latest backup beside the file, then run `karte doctor`.")


@pytest.fixture(autouse=True)
def file(folder: Path) -> Path:
    """A workspace of 150 facts, all of it in one file."""
    rows = (
        f'{{"content": "倉庫 {n} 在台北", "subject": "倉庫 {n}", "predicate": "在", "object": "台北 {n}"}}'
        for n in range(150)
    )
    assert invoke("store-many", "-", "-w", PLACE, given="\n".join(rows)).code == 0
    assert not (folder / f"{PLACE}-wal").exists()
    return folder / PLACE


def pages(file: Path, name: str) -> list[int]:
    """The pages (from 0) that hold the rows of a table or an index, the fullest first."""
    with closing(apsw.Connection(str(file))) as connection:
        asked = "SELECT pageno - 1 FROM dbstat WHERE name = ? AND pagetype = 'leaf' ORDER BY unused, pageno"
        return [page for (page,) in connection.execute(asked, (name,))]


def flip(file: Path, page: int, seed: int) -> None:
    """Invert 300 bytes in a row where a page has its rows, at its end, as a bad block of a disk might."""
    body = bytearray(file.read_bytes())
    start = (page + 1) * PAGE - FLIPPED - random.Random(seed).randrange(1_000)  # noqa: S311 - a test that repeats itself
    body[start : start + FLIPPED] = bytes(byte ^ 0xFF for byte in body[start : start + FLIPPED])
    file.write_bytes(body)


@pytest.mark.parametrize("repair", [(), ("--repair",)], ids=["looking", "repairing"])
@pytest.mark.parametrize("name", ["memory", "assertion", "segment", "document", "memory_by_id"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_the_doctor_calls_no_damaged_file_healthy(file: Path, name: str, seed: int, repair: tuple[str, ...]) -> None:
    flip(file, pages(file, name)[0], seed)
    before = file.read_bytes()
    outcome = invoke("doctor", *repair, "-w", PLACE)
    assert (outcome.code, tuple(outcome.err.splitlines())) == (1, TOLD)
    assert file.read_bytes() == before


def test_the_doctor_sees_that_an_index_holds_another_value_than_its_table(file: Path) -> None:
    one, other, body = "台北 99".encode(), "台北 9:".encode(), bytearray(file.read_bytes())
    starts = [page * PAGE for page in pages(file, "memory_by_object")]
    (at,) = (found for start in starts if (found := body.find(one, start, start + PAGE)) >= 0)
    body[at : at + len(one)] = other
    file.write_bytes(body)
    outcome = invoke("doctor", "-w", PLACE)
    assert (outcome.code, tuple(outcome.err.splitlines())) == (1, TOLD)


def test_it_says_of_a_damaged_file_what_other_commands_say(file: Path) -> None:
    for page in pages(file, "memory"):
        flip(file, page, seed=4)
    errors = [invoke(*command, "-w", PLACE, "--json").error for command in (["list"], ["doctor"])]
    assert errors[0] == errors[1]
    assert (errors[0]["category"], errors[0]["code"]) == ("fault", "workspace_damaged")


def test_a_file_that_is_whole_is_healthy() -> None:
    assert invoke("doctor", "-w", PLACE, "--json").json["healthy"]
