"""`karte backup` and `karte restore`: what they say, write and refuse, and asking first."""

import json
from pathlib import Path

import pytest

from tests.surfaces.cli.running import Machine, answer, invoke, on_terminal


@pytest.fixture
def team() -> str:
    """A workspace with two sources, of which a backup was made before one of them was forgotten."""
    invoke("store", "部署到東京", "-w", "team.karte")
    invoke("store", "門鎖密碼是 4711", "--origin", "channel:eve:m1", "-w", "team.karte")
    invoke("backup", "team.backup", "-w", "team.karte")
    plan = answer("forget", "plan", "channel:eve", "-w", "team.karte")
    answer("forget", "apply", plan["id"], "--digest", plan["digest"], "-w", "team.karte")
    return "team.karte"


def contents(place: str) -> list[str]:
    return [memory["content"] for memory in answer("list", "-w", place)["memories"]]


def test_a_backup_is_an_export(team: str) -> None:
    assert answer("backup", "one.zip", "-w", team)["digest"] == answer("export", "two.zip", "-w", team)["digest"]
    assert Path("one.zip").read_bytes() == Path("two.zip").read_bytes()


def test_a_file_that_is_there_is_replaced_by_force_only(team: str) -> None:
    outcome = invoke("backup", "team.backup", "-w", team)
    assert (outcome.code, outcome.err.splitlines()[0]) == (5, "team.backup is there already; it was left untouched.")
    assert invoke("backup", "team.backup", "--force", "-w", team).code == 0


def test_what_was_forgotten_since_does_not_come_back(team: str) -> None:
    shape = answer("restore", "team.backup", "--yes", "-w", team)
    assert (shape["workspace"], shape["rows"]["memories"]) == (team, 2)
    assert (shape["blocks"], shape["forgotten"], shape["scrubbed"]) == (1, 1, True)
    assert contents(team) == ["部署到東京"]


def test_people_are_told_what_stays_out(team: str) -> None:
    told = " ".join(invoke("restore", "team.backup", "--yes", "-w", team).out.split())
    assert told.startswith("Restored the workspace team.karte")
    assert told.endswith("Sources that stay out, and how many of them the backup still held blocked 1 forgotten 1")


def test_a_place_that_is_not_there_is_made_and_knows_no_blocks(team: str) -> None:
    assert answer("restore", "team.backup", "-w", "other.karte")["blocks"] == 0
    assert sorted(contents("other.karte")) == sorted(["部署到東京", "門鎖密碼是 4711"]) != contents(team)


@pytest.mark.parametrize("name", ["none.backup", "team.karte"])
def test_what_is_no_backup_changes_nothing(team: str, name: str) -> None:
    before = Path(team).read_bytes()
    assert invoke("restore", name, "--yes", "-w", team).code in (2, 4)
    assert Path(team).read_bytes() == before


def test_the_backup_of_another_workspace_is_refused_where_blocks_would_be_lost(team: str) -> None:
    invoke("store", "Somebody else's", "-w", "other.karte")
    invoke("backup", "other.backup", "-w", "other.karte")
    outcome = invoke("restore", "other.backup", "--yes", "-w", team, "--json")
    assert (outcome.code, outcome.error["code"]) == (5, "other_workspace")
    assert contents(team) == ["部署到東京"]


def test_without_a_terminal_nothing_is_replaced_unless_told_to(team: str) -> None:
    invoke("store", "下週搬家", "-w", team)
    outcome = invoke("restore", "team.backup", "-w", team)
    question = "Replace the workspace team.karte by the backup?"
    assert (outcome.code, outcome.err) == (3, f"Nothing was restored.\n{question} Then give --yes.\n")
    assert sorted(contents(team)) == sorted(["部署到東京", "下週搬家"])


def test_a_backup_that_is_not_there_is_told_before_anybody_is_asked(team: str) -> None:
    outcome = invoke("restore", "none.backup", "-w", team)
    assert (outcome.code, outcome.err.splitlines()[0]) == (4, "There is no file none.backup.")


def test_no_word_is_needed_where_nothing_is_replaced_and_one_is_from_then_on(address: str) -> None:
    invoke("store", "部署到東京", "-w", "other.karte")
    invoke("backup", "other.backup", "-w", "other.karte")
    invoke("postgres", "prepare")
    assert answer("restore", "other.backup")["workspace"].split("@")[-1] in address
    assert contents(address) == ["部署到東京"]
    assert invoke("restore", "other.backup").code == 3
    assert invoke("restore", "other.backup", "--yes").code == 0


def test_on_a_terminal_it_asks_first(folder: Path) -> None:
    machine = Machine(folder)
    machine.run("store", "部署到東京", "-w", "team.karte")
    machine.run("backup", "team.backup", "-w", "team.karte")
    machine.run("store", "One more", "-w", "team.karte")
    code, shown = on_terminal(machine, "restore", "team.backup", "-w", "team.karte", typed=b"n\n")
    assert (code, "Replace the workspace team.karte" in shown) == (3, True)
    assert len(json.loads(machine.run("list", "-w", "team.karte", "--json").out)["memories"]) == 2
    code, shown = on_terminal(machine, "restore", "team.backup", "-w", "team.karte", typed=b"y\n")
    assert (code, "Restored the workspace" in shown) == (0, True)
    assert len(json.loads(machine.run("list", "-w", "team.karte", "--json").out)["memories"]) == 1
