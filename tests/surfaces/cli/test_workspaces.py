"""Which workspace is used, and what is said of a file that is none, too new, locked, read-only, damaged or full."""

import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import apsw
import psycopg
import pytest

import karte
from karte.stores.postgres import Address
from karte.stores.sqlite import connecting
from tests.stores import FILE
from tests.surfaces.cli.running import Machine, Outcome, answer, invoke


def own(folder: Path) -> Path:
    """The user's own workspace, below the home of the test."""
    return folder.parent / "home" / "data" / "karte" / "workspace.karte"


class TestChoosing:
    def test_init_makes_a_workspace_that_commands_below_the_folder_use(
        self, folder: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        made = folder / ".karte" / "workspace.karte"
        assert answer("init") == {"workspace": str(made), "created": True, "used_here": str(made)}
        below = folder / "a" / "b"
        below.mkdir(parents=True)
        monkeypatch.chdir(below)
        answer("store", "一句話")
        assert answer("stats", "--workspace", str(made))["total"] == 1

    def test_init_of_what_is_there_changes_nothing_and_says_so(self, folder: Path) -> None:
        answer("init")
        answer("store", "一句話")
        before = (folder / ".karte" / "workspace.karte").read_bytes()
        again = invoke("init")
        assert (again.code, "is there already; nothing was changed" in " ".join(again.out.split())) == (0, True)
        assert (folder / ".karte" / "workspace.karte").read_bytes() == before

    @pytest.mark.parametrize("place", ["notes.karte", "sub/notes.karte"])
    def test_init_makes_the_file_it_is_given(self, place: str) -> None:
        assert answer("init", place)["created"] is True
        assert Path(place).is_file()

    def test_init_makes_a_workspace_in_the_folder_it_is_given(self, folder: Path) -> None:
        (folder / "sub").mkdir()
        assert answer("init", "sub")["workspace"] == "sub/.karte/workspace.karte"
        assert (folder / "sub" / ".karte" / "workspace.karte").is_file()

    def test_init_says_what_is_used_where_it_is_not_what_it_made(self) -> None:
        said = " ".join(invoke("init", "notes.karte").out.split())
        assert "name the other one with --workspace" in said

    def test_a_workspace_that_came_with_a_folder_is_used_only_once_it_is_trusted(self, folder: Path) -> None:
        with karte.open(folder / ".karte" / "workspace.karte") as workspace:
            workspace.store("from somebody else")
        invoke("store", "自己的話")
        assert [memory["content"] for memory in answer("list")["memories"]] == ["自己的話"]
        answer("init", "--trust")
        assert [memory["content"] for memory in answer("list")["memories"]] == ["from somebody else"]

    def test_a_first_memory_makes_the_users_own_workspace_and_says_where(self, folder: Path) -> None:
        outcome = invoke("store", "一句話")
        assert (outcome.code, outcome.err) == (0, f"Made the workspace {own(folder)}.\n")
        assert invoke("store", "第二句").err == ""

    def test_a_named_workspace_is_made_by_what_writes(self) -> None:
        assert invoke("store", "一句話", "--workspace", "new.karte", "--json").json["status"] == "stored"
        assert Path("new.karte").is_file()

    def test_the_variable_names_a_workspace(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("KARTE_WORKSPACE", "there.karte")
        assert invoke("store", "一句話").code == 0
        assert Path("there.karte").is_file()

    @pytest.mark.parametrize(
        "command",
        [
            ["list"],
            ["search", "x"],
            ["read", "mem_x"],
            ["fetch", "mem_x"],
            ["history", "a", "b"],
            ["at", "a", "b"],
            ["timeline", "a"],
            ["stats"],
            ["doctor"],
            ["agent", "list"],
            ["alias", "list"],
            ["predicate", "list"],
            ["supersede", "mem_x", "newer"],
            ["withdraw", "mem_x"],
            ["erase", "mem_x"],
        ],
    )
    def test_what_needs_a_workspace_makes_none(self, folder: Path, command: list[str]) -> None:
        outcome = invoke(*command, "--json")
        assert (outcome.code, outcome.error["code"]) == (4, "workspace_missing")
        assert "karte init" in outcome.error["hint"]
        assert (list(folder.iterdir()), own(folder).exists()) == ([], False)

    @pytest.mark.parametrize(
        ("named", "code"),
        [
            ("", "invalid_value"),
            (":memory:", "invalid_value"),
            ("\udcff.karte", "invalid_value"),
            ("a\0b", "invalid_value"),
            ("mysql://db/team?workspace=x", "invalid_value"),
            ("postgresql:/db/team", "invalid_value"),
        ],
    )
    def test_what_is_neither_a_path_nor_a_url_is_refused(self, folder: Path, named: str, code: str) -> None:
        outcome = invoke("store", "x", "--workspace", named, "--json")
        assert (outcome.code, outcome.error["code"]) == (2, code)
        assert list(folder.iterdir()) == []


class TestFiles:
    def test_a_file_that_is_no_workspace_is_left_as_it_was(self, folder: Path) -> None:
        other = folder / "notes.txt"
        other.write_text("My notes, which are no database.", encoding="utf-8")
        for command in (["list"], ["store", "x"], ["init"]):
            outcome = invoke(*command, "--workspace", "notes.txt", "--json")
            assert (outcome.code, outcome.error["code"]) == (2, "not_a_workspace")
        assert other.read_text(encoding="utf-8") == "My notes, which are no database."
        assert list(folder.iterdir()) == [other]

    def test_a_database_of_another_program_is_left_as_it_was(self, folder: Path) -> None:
        other = folder / "other.db"
        database = apsw.Connection(str(other))
        database.execute("CREATE TABLE t (x)")
        database.close()
        before = other.read_bytes()
        outcome = invoke("store", "x", "--workspace", "other.db", "--json")
        assert (outcome.code, outcome.error["code"], other.read_bytes()) == (2, "not_a_workspace", before)

    def test_a_folder_is_no_workspace(self) -> None:
        assert invoke("list", "--workspace", ".", "--json").error["code"] == "not_a_workspace"

    def test_a_newer_workspace_is_refused_and_left_as_it_was(self, folder: Path) -> None:
        answer("init", "w.karte")
        database = apsw.Connection("w.karte")
        database.execute("UPDATE meta SET value = 1000 WHERE name = 'oldest_reader'").fetchall()
        database.execute("PRAGMA user_version = 1000").fetchall()
        database.execute("PRAGMA journal_mode = delete").fetchall()
        database.close()
        before = (folder / "w.karte").read_bytes()
        outcome = invoke("store", "x", "--workspace", "w.karte", "--json")
        assert (outcome.code, outcome.error["code"]) == (3, "workspace_too_new")
        assert "pip install --upgrade karte" in outcome.error["hint"]
        assert (folder / "w.karte").read_bytes() == before

    def test_a_locked_workspace_can_be_read_and_a_write_says_what_to_do(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(connecting, "BUSY_MILLISECONDS", 20)  # not a minute, as people get
        answer("init", "w.karte")
        holder = apsw.Connection("w.karte")
        holder.execute("BEGIN IMMEDIATE").fetchall()
        try:
            assert answer("list", "--workspace", "w.karte") == {"memories": []}
            outcome = invoke("store", "x", "--workspace", "w.karte")
        finally:
            holder.close()
        assert (outcome.code, outcome.out) == (1, "")
        assert outcome.err.splitlines() == [
            "Another process kept the workspace locked for too long; nothing was changed. Try again.",
            "If no other process is at work, a stopped one may hold the file: look for it and end it.",
        ]

    def test_a_damaged_workspace_says_what_to_do(self, folder: Path) -> None:
        answer("init", "w.karte")
        for number in range(20):
            answer("store", f"第 {number} 句話", "--workspace", "w.karte")
        whole = (folder / "w.karte").read_bytes()
        (folder / "w.karte").write_bytes(whole[:4096] + b"\xaa" * (len(whole) - 4096))
        outcome = invoke("list", "--workspace", "w.karte", "--json")
        assert (outcome.code, outcome.error["code"]) == (1, "workspace_damaged")
        assert "backup" in outcome.error["hint"]

    def test_a_file_that_may_not_grow_ends_in_a_sentence(self, machine: Machine) -> None:
        answer("init", "w.karte")

        def run_small() -> Outcome:
            ended = subprocess.run(
                machine.command(["store", "字" * 20_000, "--workspace", "w.karte"]),
                cwd=machine.folder,
                env={
                    **machine.environment,
                    "PYTHONDONTWRITEBYTECODE": "1",
                },  # compiled modules would be cut short as well
                capture_output=True,
                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, 20_000)),
                check=False,
            )
            return Outcome(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

        outcome = run_small()
        assert (outcome.code, outcome.out, "Traceback" in outcome.err) == (1, "", False)
        assert any(word in outcome.err for word in ("disk", "space"))
        assert answer("stats", "--workspace", "w.karte")["total"] == 0


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user may enter."""
    folder = Path(tempfile.mkdtemp(prefix="karte-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


# Imports all that a command needs while it may, gives up its powers, and runs the command.
AS_STRANGER = """
import os, sys
from typer.testing import CliRunner
from karte.surfaces.cli import app
CliRunner().invoke(app, ["store", "x", "--workspace", "warm/w.karte"])
if os.geteuid() == 0:
    os.setuid(65534)
app(sys.argv[1:])
"""


def as_stranger(folder: Path, *arguments: str) -> Outcome:
    """Run `karte` as a user who may not write in the folder."""
    (folder / "warm").mkdir(exist_ok=True)
    folder.chmod(0o555)
    ended = subprocess.run(
        [sys.executable, "-c", AS_STRANGER, *arguments],
        cwd=folder,
        env=Machine(folder).environment,
        capture_output=True,
        check=False,
    )
    return Outcome(ended.returncode, ended.stdout.decode(), ended.stderr.decode())


@pytest.mark.skipif(sys.platform == "win32", reason="permissions of another kind")
class TestReadOnly:
    def test_a_read_only_workspace_is_read_and_a_write_says_what_to_do(self, open_folder: Path) -> None:
        file = open_folder / "w.karte"
        invoke("store", "部署到 Vercel", "--workspace", str(file))
        file.chmod(0o444)
        read = as_stranger(open_folder, "list", "--workspace", "w.karte", "--json")
        assert ([memory["content"] for memory in read.json["memories"]], read.code) == (["部署到 Vercel"], 0)
        written = as_stranger(open_folder, "store", "x", "--workspace", "w.karte", "--json")
        assert (written.code, written.error["code"]) == (3, "workspace_read_only")
        assert "write permission" in written.error["hint"]

    def test_a_file_that_may_not_be_read_ends_in_a_sentence(self, open_folder: Path) -> None:
        file = open_folder / "w.karte"
        invoke("store", "部署到 Vercel", "--workspace", str(file))
        file.chmod(0o000)
        outcome = as_stranger(open_folder, "list", "--workspace", "w.karte")
        assert (outcome.code, outcome.out, "Traceback" in outcome.err) == (1, "", False)
        assert "w.karte" in outcome.err


def lose_segments(kept_in: str, address: str) -> None:
    """Take the fold away, behind the back of Karte."""
    if kept_in == FILE:
        file = apsw.Connection(address)
        file.execute("DELETE FROM segment").fetchall()
        file.close()
        return
    read = Address.read(address)
    with psycopg.connect(read.database) as database:
        named = {"workspace": read.workspace_id}
        lost = database.execute("DELETE FROM karte.segment WHERE workspace_id = %(workspace)s", named)
        assert lost.rowcount > 0


class TestDoctor:
    def test_what_differs_from_the_records_is_named_and_mended_on_request(self, kept_in: str, workspace: str) -> None:
        where = ("--workspace", workspace)
        for value, start in (("台北", "2026-01-01"), ("高雄", "2026-02-01")):
            fact = ("--subject", "user", "--predicate", "city", "--object", value, "--valid-from", start)
            answer("store", f"住在{value}", *fact, *where)
        lose_segments(kept_in, workspace)

        found = invoke("doctor", *where, "--json")
        assert (found.code, found.json["healthy"], found.json["repaired"]) == (1, False, False)
        assert len(found.json["differences"]) >= 1
        assert invoke("doctor", *where).out.splitlines()[-1] == "Nothing was changed; karte doctor --repair mends it."
        mended = invoke("doctor", "--repair", *where)
        assert (mended.code, mended.out.splitlines()[-1]) == (0, "Repaired.")
        assert answer("doctor", *where)["healthy"] is True
        assert [each["object"] for each in answer("at", "user", "city", *where)["memories"]] == ["高雄"]
