"""`karte maintain` and `karte archive`: what they say, write and refuse, and two processes at once."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

import karte
from karte.bootstrap import Parts, open_workspace
from karte.testing.parts import GivenClock
from tests.surfaces.cli.running import Machine, Outcome, answer, invoke

LONG_AGO = datetime(2020, 1, 1, tzinfo=UTC)
DAYS = 86_400


@pytest.fixture
def turns(address: str) -> list[str]:
    """A workspace in which two turns of long ago have faded, and a fact and a decision have not."""
    with open_workspace(address, parts=Parts(clock=GivenClock(LONG_AGO))) as workspace:
        dudu = workspace.agent("dudu")
        dudu.store("小雨喜歡喝茶")
        dudu.store("we use pnpm", layer="episodic", importance=7)
        texts = ("中午吃了拉麵", "lunch was\x1b[2J ramen")
        return [dudu.store(text, layer="episodic", importance=2).memory_id for text in texts]


def listed(*arguments: str) -> list[str]:
    return [memory["id"] for memory in answer(*arguments, "--agent", "dudu")["memories"]]


def words(outcome: Outcome) -> str:
    return " ".join(outcome.out.split())


def test_a_dry_run_says_what_a_run_would_do_and_why(turns: list[str]) -> None:
    shape = answer("maintain", "--dry-run")
    assert (shape["dry_run"], shape["decay"]["archived"], shape["decay"]["purged"]) == (True, 2, 0)
    assert [faded["memory_id"] for faded in shape["decay"]["faded"]] == turns[::-1]
    assert set(shape["decay"]) == {"examined", "archived", "purged", "held", "scrubbed", "faded", "purged_ids"}
    assert set(turns) <= set(listed("list"))
    drawn = invoke("maintain", "--dry-run")
    for said in (
        "Memories examined: 4",
        "To archive: 2",
        "To purge: 0",
        "age",
        "importance",
        "dudu: 中午吃了拉麵",
        turns[0],
    ):
        assert said in words(drawn)
    assert "\x1b[2J" not in drawn.out


def test_a_run_archives_what_faded_and_restore_brings_it_back(turns: list[str]) -> None:
    assert answer("maintain", "--once")["decay"]["archived"] == 2
    assert (listed("archive", "list"), len(listed("list"))) == (turns[::-1], 2)
    assert listed("archive", "list", "--limit", "1") == turns[1:]
    assert answer("archive", "restore", turns[0], "mem_x", "--agent", "dudu") == {
        "memory_ids": [turns[0]],
        "missing_ids": ["mem_x"],
    }
    assert (listed("archive", "list"), turns[0] in listed("list")) == (turns[1:], True)


def test_what_lies_in_the_archive_is_drawn_with_its_times(turns: list[str]) -> None:
    assert words(invoke("archive", "list", "--agent", "dudu")) == "The archive is empty."
    assert "Archived: 2" in words(invoke("maintain", "--once"))
    drawn = words(invoke("archive", "list", "--agent", "dudu"))
    assert ("purged from" in drawn, turns[0] in drawn) == (True, True)
    back = words(invoke("archive", "restore", turns[0], "mem_x", "--agent", "dudu"))
    assert back == f"In recall again: 1 {turns[0]} not in the archive: mem_x"


def test_more_than_a_screen_is_counted(address: str) -> None:
    with open_workspace(address, parts=Parts(clock=GivenClock(LONG_AGO))) as workspace:
        workspace.store_many([{"content": f"t{n}", "layer": "episodic", "importance": 2} for n in range(23)])
    assert "... and 3 more" in words(invoke("maintain", "--dry-run"))


def test_what_was_purged_is_named(turns: list[str], address: str) -> None:
    clock = GivenClock(LONG_AGO)
    with open_workspace(address, parts=Parts(clock=clock)) as workspace:
        clock.advance(40 * DAYS)
        workspace.maintain()
    assert "To purge: 2" in words(invoke("maintain", "--dry-run"))
    drawn = words(invoke("maintain", "--once"))
    assert ("Purged: 2" in drawn, turns[0] in drawn) == (True, True)
    if Path(address).is_file():
        assert "拉麵".encode() not in Path(address).read_bytes()


@pytest.mark.usefixtures("turns")
@pytest.mark.parametrize(
    ("command", "code", "error"),
    [
        (["maintain"], 2, "invalid_value"),
        (["archive", "list", "--limit", "0"], 2, "invalid_value"),
        (["archive", "list", "--agent", "nobody"], 4, "unknown_agent"),
        (["archive", "restore", "mem_x"], 4, "unknown_memory"),
        (["archive", "restore"], 2, "usage"),
        (["maintain", "--once", "--workspace", "missing.karte"], 4, "workspace_missing"),
    ],
)
def test_what_cannot_be_done_is_refused(command: list[str], code: int, error: str) -> None:
    outcome = invoke(*command, "--json")
    assert (outcome.code, outcome.error["code"]) == (code, error)


def test_a_second_process_is_refused_while_one_runs_and_may_look(
    turns: list[str], address: str, machine: Machine
) -> None:
    refused: list[Outcome] = []

    def meanwhile(_done: int, _total: int) -> None:
        if refused:
            return
        refused.extend(machine.run("maintain", *how, "--json") for how in (("--once",), ("--dry-run",)))

    with karte.open(address) as workspace:
        assert workspace.maintain(meanwhile).decay.archived == len(turns)
    assert [outcome.code for outcome in refused] == [5, 0]
    assert refused[0].error["code"] == "maintenance_running"
    assert machine.run("maintain", "--once").code == 0
