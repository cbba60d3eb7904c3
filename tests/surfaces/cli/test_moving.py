"""`karte export`, `karte import` and `karte copy`: what they say, write and refuse, and being killed in the middle."""

import json
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest

from tests.surfaces.cli.running import Machine, answer, invoke, on_terminal

EMPTY = dict.fromkeys(
    (
        *("links", "withdrawals", "likenesses", "receipts", "usage", "archived"),
        *("domains", "grants", "reviews", "blocks", "plans", "audit"),
    ),
    0,
)


@pytest.fixture
def team() -> str:
    """A workspace with a fact of an agent and a statement of its own."""
    invoke("store", "部署到東京", "--subject", "部署", "--predicate", "去", "--agent", "小雨", "-w", "source.karte")
    invoke("store", "배포는 서울로 간다", "-w", "source.karte")
    return "source.karte"


def words(text: str) -> str:
    return " ".join(text.split())


class TestExport:
    def test_everything_is_written_into_one_file(self, team: str) -> None:
        shape = answer("export", "team.zip", "-w", team)
        assert shape["file"] == "team.zip"
        assert shape["rows"] == {"owners": 2, "memories": 2, "assertions": 2, **EMPTY}
        with ZipFile("team.zip") as packed:
            contents = [json.loads(row)["content"] for row in packed.read("memories.ndjson").splitlines()]
        assert contents == ["배포는 서울로 간다", "部署到東京"]

    def test_people_are_told_what_was_written(self, team: str) -> None:
        outcome = invoke("export", "team.zip", "-w", team)
        assert (outcome.code, outcome.err) == (0, "")
        assert "Wrote team.zip" in outcome.out
        assert "memories 2" in words(outcome.out)

    def test_a_file_that_is_there_is_replaced_by_force_only(self, team: str) -> None:
        Path("team.zip").write_text("mine")
        outcome = invoke("export", "team.zip", "-w", team)
        assert (outcome.code, Path("team.zip").read_text()) == (5, "mine")
        assert outcome.err.splitlines() == [
            "team.zip is there already; it was left untouched.",
            "Give another name, or replace the file with --force.",
        ]
        assert invoke("export", "team.zip", "--force", "-w", team).code == 0
        assert Path("team.zip").read_bytes()[:2] == b"PK"

    def test_a_workspace_that_is_missing_is_not_made(self) -> None:
        assert invoke("export", "team.zip", "-w", "none.karte").code == 4
        assert list(Path().iterdir()) == []


class TestImport:
    def test_what_was_exported_is_there_again(self, team: str) -> None:
        exported = answer("export", "team.zip", "-w", team)
        shape = answer("import", "team.zip", "-w", "other.karte")
        assert shape == {"workspace": "other.karte", "digest": exported["digest"], "rows": exported["rows"]}
        before, after = (
            answer("history", "部署", "去", "--agent", "小雨", "-w", each) for each in (team, "other.karte")
        )
        assert after == before
        assert [chapter["content"] for chapter in after["chain"]] == ["部署到東京"]

    def test_without_a_name_it_goes_where_the_other_commands_look(
        self, team: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        invoke("export", "team.zip", "-w", team)
        monkeypatch.setenv("KARTE_WORKSPACE", "mine.karte")
        assert answer("import", "team.zip")["workspace"] == "mine.karte"
        assert answer("stats")["total"] == 2

    def test_a_workspace_that_is_not_empty_is_left_as_it_is(self, team: str) -> None:
        invoke("export", "team.zip", "-w", team)
        outcome = invoke("import", "team.zip", "-w", team)
        assert outcome.code == 5
        assert outcome.err.splitlines() == [
            "The workspace is not empty (memories: 2); nothing was changed.",
            "A workspace is moved into a new one only: give a place where there is none yet.",
        ]
        assert answer("stats", "-w", team)["total"] == 2

    @pytest.mark.parametrize(
        ("content", "code", "message"),
        [
            (None, 4, "There is no file team.zip."),
            (b"", 2, "team.zip is not an export of Karte."),
            (b"PK\x03\x04...", 1, "team.zip is cut off: its end is missing; nothing was written."),
        ],
    )
    def test_what_is_no_export_is_refused_before_anything_is_made(
        self, content: bytes | None, code: int, message: str
    ) -> None:
        if content is not None:
            Path("team.zip").write_bytes(content)
        outcome = invoke("import", "team.zip", "-w", "new.karte")
        assert (outcome.code, outcome.err.splitlines()[0]) == (code, message)
        assert not Path("new.karte").exists()

    def test_a_newer_format_is_refused(self, team: str) -> None:
        invoke("export", "team.zip", "-w", team)
        with ZipFile("team.zip") as packed:
            members = {name: packed.read(name) for name in packed.namelist()}
        members["manifest.json"] = members["manifest.json"].replace(b'"format": 1', b'"format": 9')
        with ZipFile("newer.zip", "w") as packed:
            for name, content in members.items():
                packed.writestr(name, content)
        outcome = invoke("import", "newer.zip", "-w", "new.karte")
        assert outcome.code == 3
        assert outcome.err.splitlines() == [
            "newer.zip has format 9, and this Karte reads up to 1.",
            "Upgrade this installation: pip install --upgrade karte.",
        ]

    @pytest.mark.parametrize("file", ["", " ", "a\0b"])
    def test_what_is_no_name_of_a_file_is_refused(self, file: str, team: str) -> None:
        for command in ("export", "import"):
            assert invoke(command, file, "-w", team).code == 2


class TestCopy:
    def test_a_copy_is_compared_in_the_end(self, team: str) -> None:
        shape = answer("copy", team, "other.karte")
        assert (shape["source"], shape["destination"]) == (team, "other.karte")
        assert shape["rows"] == {"owners": 2, "memories": 2, "assertions": 2, **EMPTY}
        assert shape["compared"]["differences"] == []
        assert {"search keyword", "search hybrid", "history", "at", "list", "fetch"} <= shape["compared"][
            "answers"
        ].keys()
        assert (
            answer("export", "a.zip", "-w", team)["digest"] == answer("export", "b.zip", "-w", "other.karte")["digest"]
        )
        assert Path("a.zip").read_bytes() == Path("b.zip").read_bytes()

    def test_people_are_told_what_was_compared(self, team: str) -> None:
        out = words(invoke("copy", team, "other.karte").out)
        assert f"Copied {team} to other.karte" in out
        assert "Compared and found equal: all rows, and the answers to" in out
        assert "Not asked in full: vector: no embedder is set" in out

    @pytest.mark.parametrize(
        ("source", "destination", "code", "message"),
        [
            ("source.karte", "source.karte", 2, "source.karte cannot be copied onto itself"),
            ("none.karte", "new.karte", 4, "There is no workspace at none.karte."),
            ("source.karte", "", 2, "DST is empty; give a path or a URL."),
            ("", "new.karte", 2, "SRC is empty; give a path or a URL."),
            ("source.karte", "mysql://host/db", 2, "There is no store for mysql://"),
            ("source.karte", ":memory:", 2, "A workspace in memory would end with the command"),
        ],
    )
    def test_what_cannot_be_copied_is_said_in_a_sentence(
        self, source: str, destination: str, code: int, message: str, team: str
    ) -> None:
        outcome = invoke("copy", source, destination)
        assert (outcome.code, outcome.err.startswith(message)) == (code, True), outcome.err
        assert [path.name for path in Path().glob("*.karte")] == [team]

    def test_there_and_back_again_through_every_place_it_is_the_same_to_the_byte(self, team: str, address: str) -> None:
        answer("copy", team, address)
        answer("copy", address, "back.karte")
        for name, workspace in (("a.zip", team), ("b.zip", address), ("c.zip", "back.karte")):
            answer("export", name, "-w", workspace)
        assert Path("a.zip").read_bytes() == Path("b.zip").read_bytes() == Path("c.zip").read_bytes()

    def test_a_terminal_sees_how_far_it_is(self, machine: Machine) -> None:
        machine.run("store", "部署到東京", "-w", "source.karte")
        code, shown = on_terminal(machine, "copy", "source.karte", "other.karte")
        assert (code, "Copying" in shown) == (0, True)


KILLED = """
import os, signal, sys
from karte.bootstrap import import_workspace
from karte.engine.moving import loading

loading.BATCH = 7
reports = iter(range(int(sys.argv[1])))

def report(done, total):
    if next(reports, None) is None:
        os.kill(os.getpid(), signal.SIGKILL)

import_workspace("team.zip", sys.argv[2], report)
"""


class TestKilling:
    """A process that is killed without warning in the middle of an import."""

    @pytest.fixture
    def filled(self, machine: Machine) -> Any:
        lines = "".join(json.dumps({"content": f"note {number} 小雨"}) + "\n" for number in range(40))
        Path("notes.jsonl").write_text(lines)
        machine.run("store-many", "notes.jsonl", "-w", "source.karte")
        machine.run("export", "team.zip", "-w", "source.karte")
        return machine

    @pytest.mark.parametrize("reports", [15, 23])
    def test_the_command_goes_on_and_nothing_else_opens_it_before(
        self, filled: Machine, reports: int, address: str
    ) -> None:
        killed = subprocess.run(
            [sys.executable, "-c", KILLED, str(reports), address],
            cwd=filled.folder,
            env=filled.environment,
            check=False,
        )
        assert killed.returncode == -signal.SIGKILL
        refused = filled.run("stats", "-w", address)
        assert (refused.code, refused.err.splitlines()) == (
            5,
            [
                "The workspace was filled in part by an import or a copy that was interrupted.",
                "Run the same `karte import` or `karte copy` again: it goes on where it stopped. Or remove the workspace.",
            ],
        )
        assert filled.run("import", "team.zip", "-w", address).code == 0
        assert filled.run("export", "again.zip", "-w", address).code == 0
        assert Path("again.zip").read_bytes() == Path("team.zip").read_bytes()
        assert json.loads(filled.run("doctor", "--json", "-w", address).out)["healthy"] is True
