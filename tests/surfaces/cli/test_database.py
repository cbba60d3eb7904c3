"""A workspace in a database, named by a URL: made, chosen and used like a file, and its password is never shown."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from karte.config import read_location
from tests.servers.postgres import OWNER, fresh_workspace
from tests.surfaces.cli.running import Machine, Outcome, answer, invoke
from tests.surfaces.cli.test_startup import IMPORTED

SECRET = "s3cret"  # noqa: S105 - what must not be shown; the server of these tests asks for no password


@pytest.fixture
def url() -> str:
    """The address of a workspace that is not there yet."""
    return fresh_workspace()


@pytest.fixture
def secret_url(url: str) -> str:
    """The same with a password in it."""
    return url.replace(f"{OWNER}@", f"{OWNER}:{SECRET}@")


class TestMaking:
    @pytest.mark.parametrize("option", [[], ["--workspace"]])
    def test_init_makes_a_workspace_in_the_database_and_nothing_here(
        self, folder: Path, url: str, option: list[str]
    ) -> None:
        own = str(folder.parent / "home" / "data" / "karte" / "workspace.karte")
        assert answer("init", *option, url) == {"workspace": url, "created": True, "used_here": own}
        assert answer("init", *option, url)["created"] is False
        assert (list(folder.iterdir()), Path(own).parent.exists()) == ([], False)
        assert answer("stats", "--workspace", url)["total"] == 0

    def test_init_says_how_the_workspace_is_used_from_here(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        assert "set KARTE_WORKSPACE to it" in invoke("init", url).out
        monkeypatch.setenv("KARTE_WORKSPACE", url)
        assert invoke("init", url).out == f"The workspace {url} is there already; nothing was changed.\n"

    def test_init_is_given_one_place(self, url: str) -> None:
        assert invoke("init", url, "--workspace", url, "--json").error["code"] == "invalid_value"

    def test_what_writes_makes_the_workspace_and_says_so_once(self, url: str) -> None:
        outcome = invoke("store", "一句話", "--workspace", url)
        assert (outcome.code, outcome.err) == (0, f"Made the workspace {url}.\n")
        assert invoke("store", "第二句", "--workspace", url).err == ""

    @pytest.mark.parametrize(
        "command", [["list"], ["search", "x"], ["stats"], ["doctor"], ["agent", "list"], ["maintain", "--once"]]
    )
    def test_what_only_reads_makes_none(self, url: str, command: list[str]) -> None:
        for _ in range(2):
            outcome = invoke(*command, "--workspace", url, "--json")
            assert (outcome.code, outcome.error["code"]) == (4, "workspace_missing")
            assert "karte init" in outcome.error["hint"]


class TestUsing:
    def test_the_variable_names_it(self, url: str, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        monkeypatch.setenv("KARTE_WORKSPACE", url)
        assert invoke("store", "部署到 Vercel", "--agent", "dudu").code == 0
        assert [hit["memory"]["owner"] for hit in answer("search", "部署", "--agent", "dudu")["hits"]] == ["dudu"]
        assert list(folder.iterdir()) == []

    def test_workspaces_of_one_database_do_not_see_each_other(self, url: str) -> None:
        other = fresh_workspace()
        answer("init", other)
        invoke("store", "ours", "--workspace", url)
        assert answer("list", "--workspace", other) == {"memories": []}

    def test_commands_that_look_after_a_workspace_look_after_it_there(self, url: str) -> None:
        invoke("store", "十年前的事", "--workspace", url)
        where = ("--workspace", url)
        assert answer("doctor", *where)["healthy"] is True
        assert answer("maintain", "--once", *where)["dry_run"] is False
        assert answer("embedder", "status", *where)["set"] == "none"
        assert answer("archive", "list", *where)["memories"] == []
        (memory,) = answer("list", *where)["memories"]
        assert answer("erase", memory["id"], *where, "--yes")["memory_ids"] == [memory["id"]]
        assert answer("stats", *where)["total"] == 0

    def test_the_tour_can_be_taken_there_and_its_commands_can_be_typed(self, secret_url: str) -> None:
        shape = invoke("tour", "--workspace", secret_url, "--json").json
        shown = str(read_location(secret_url))
        assert shape["workspace"] == shown
        assert all(shown in step["command"].replace("'", "") for step in shape["steps"])

    def test_an_agent_is_served_from_it(self, machine: Machine, url: str) -> None:
        assert machine.run("mcp", "--agent", "coco", "--workspace", url).code == 0
        assert [agent["name"] for agent in answer("agent", "list", "--workspace", url)["agents"]] == ["coco"]


class TestSecrets:
    @pytest.mark.parametrize(
        "command",
        [
            ["init"],
            ["init", "--json"],
            ["store", "x"],
            ["list"],
            ["read", "mem_x"],
            ["stats"],
            ["doctor"],
            ["tour"],
            ["embedder", "status"],
            ["connect", "claude-code", "--yes"],
            ["connect", "claude-code", "--yes", "--json"],
        ],
    )
    def test_no_command_shows_the_password(self, secret_url: str, command: list[str]) -> None:
        broken = f"postgresql://dudu:{SECRET}/x@host/db"
        for workspace in (secret_url, secret_url.replace("&workspace=", "&x=y&workspace="), broken):
            outcome = invoke(*command, "--workspace", workspace)
            assert SECRET not in outcome.out + outcome.err

    def test_a_claude_code_is_given_a_url_without_a_password(self, url: str) -> None:
        server = answer("connect", "claude-code", "--workspace", url, "--yes")["server"]
        assert server["args"][-5:] == ["mcp", "--agent", "claude-code", "--workspace", url]
        assert json.loads(Path(".mcp.json").read_text(encoding="utf-8"))["mcpServers"]["karte"] == server

    @pytest.mark.parametrize("named", [True, False])
    def test_a_password_is_not_written_into_the_configuration_of_a_client(
        self, secret_url: str, monkeypatch: pytest.MonkeyPatch, named: bool
    ) -> None:
        if not named:
            monkeypatch.setenv("KARTE_WORKSPACE", secret_url)
        outcome = invoke("connect", "claude-code", "--yes", "--json", *(["--workspace", secret_url] if named else []))
        assert (outcome.code, outcome.error["category"], Path(".mcp.json").exists()) == (3, "refused", False)
        assert "~/.pgpass" in outcome.error["hint"]


def lacking(machine: Machine, driver: str) -> Outcome:
    """What is said of a URL on a machine where importing the driver does this."""
    folder = machine.folder.parent / "lacking"
    folder.mkdir()
    (folder / "psycopg.py").write_text(driver, encoding="utf-8")
    path = f"{folder}{os.pathsep}{machine.environment['PYTHONPATH']}"
    return Machine(machine.folder, {"PYTHONPATH": path}).run("stats", "--workspace", "postgresql://host/db")


@pytest.mark.parametrize(
    "driver", ['raise ModuleNotFoundError(name="psycopg")', 'raise ImportError("no pq wrapper available.")']
)
def test_without_the_driver_it_is_said_what_to_install(machine: Machine, driver: str) -> None:
    outcome = lacking(machine, driver)
    assert (outcome.code, outcome.out) == (1, "")
    assert outcome.err.splitlines() == [
        "The driver for PostgreSQL is not installed.",
        "Install it with: pip install 'karte[postgres]'.",
    ]


def test_another_module_that_is_missing_is_not_taken_for_the_driver(machine: Machine) -> None:
    outcome = lacking(machine, "import a_module_that_is_not_there")
    assert (outcome.code, "a_module_that_is_not_there" in outcome.err) == (1, True)


@pytest.mark.parametrize(("there", "imported"), [("a.karte", False), ("postgresql://host.invalid/db", True)])
def test_the_driver_is_imported_for_a_url_only(machine: Machine, there: str, imported: bool) -> None:
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTED, "store", "x", "--workspace", there],
        cwd=machine.folder,
        env=machine.environment,
        capture_output=True,
        check=True,
    )
    assert ("psycopg" in json.loads(ended.stderr.splitlines()[-1])) is imported
