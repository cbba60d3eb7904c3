"""Connecting Claude Code: the change is shown, nothing else in the file is touched, and doing it again does nothing."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from tests.surfaces.cli.running import Machine, answer, invoke, on_terminal

SERVER_ARGUMENTS = ["mcp", "--agent", "claude-code", "--workspace"]


pytestmark = pytest.mark.usefixtures("workspace")


def written(path: Path = Path(".mcp.json")) -> object:
    return json.loads(path.read_text(encoding="utf-8"))


def test_the_server_is_written_for_the_project(folder: Path, workspace: str) -> None:
    shape = answer("connect", "claude-code", "--yes")
    server = shape["server"]
    assert written() == {"mcpServers": {"karte": server}}
    assert (shape["file"], shape["written"]) == (str(folder / ".mcp.json"), True)
    assert (server["type"], Path(server["command"]).is_absolute()) == ("stdio", True)
    assert server["args"][-5:] == [*SERVER_ARGUMENTS, workspace]


def test_the_command_that_is_written_is_the_one_that_runs(machine: Machine, folder: Path) -> None:
    script = folder / "bin" / "karte"
    script.parent.mkdir()
    script.write_text("#!/usr/bin/env python\nfrom karte.surfaces.cli import main\nmain()\n", encoding="utf-8")
    script.chmod(0o755)
    search = f"{script.parent}{os.pathsep}{machine.environment['PATH']}"
    elsewhere = Machine(folder, {"PATH": search})
    shown = elsewhere.run("connect", "claude-code", "--json")
    assert shown.json["server"]["command"].endswith("python")
    ended = subprocess.run(
        ["karte", "connect", "claude-code", "--json"],
        cwd=folder,
        env=elsewhere.environment,
        capture_output=True,
        check=True,
    )
    server = json.loads(ended.stdout)["server"]
    assert (server["command"], server["args"][:4]) == (str(script), SERVER_ARGUMENTS)


def test_the_users_own_file_is_written_for_all_projects(folder: Path) -> None:
    home = folder.parent / "home" / ".claude.json"
    home.write_text('{"numStartups": 41, "projects": {"/a": {"mcpServers": {}}}, "mcpServers": {}}', encoding="utf-8")
    server = answer("connect", "claude-code", "--user", "--yes", "--agent", "多多")["server"]
    assert server["args"][-3] == "多多"
    assert written(home) == {
        "numStartups": 41,
        "projects": {"/a": {"mcpServers": {}}},
        "mcpServers": {"karte": server},
    }


def test_everything_else_in_the_file_stays_as_it_is_and_where_it_is() -> None:
    before = (
        '{\n\t"later": [1.50, 1e3, -0.0, 12345678901234567890],\n\t"mcpServers": {\n\t\t"other": {"command": "其他"},\n'
        '\t\t"karte": {"command": "old"},\n\t\t"last": {}\n\t},\n\t"half": "\\ud83d",\n\t"name": "台北"\n}'
    )
    Path(".mcp.json").write_text(before, encoding="utf-8")
    server = answer("connect", "claude-code", "--yes")["server"]
    after = Path(".mcp.json").read_text(encoding="utf-8")
    expected = json.loads(before)
    expected["mcpServers"]["karte"] = server
    assert list(json.loads(after).items()) == list(expected.items())
    assert list(json.loads(after)["mcpServers"]) == ["other", "karte", "last"]
    assert (after.startswith('{\n\t"later"'), after.endswith("}")) == (True, True)


def test_characters_are_not_turned_into_escapes_and_line_ends_are_kept() -> None:
    Path(".mcp.json").write_bytes('{\r\n    "name": "台北"\r\n}\r\n'.encode())
    answer("connect", "claude-code", "--yes")
    after = Path(".mcp.json").read_bytes().decode()
    assert '\r\n    "name": "台北",\r\n' in after
    assert after.count("\n") == after.count("\r\n")
    assert after.endswith("}\r\n")


def test_doing_it_again_writes_nothing() -> None:
    answer("connect", "claude-code", "--yes")
    before = Path(".mcp.json").stat()
    again = answer("connect", "claude-code", "--yes")
    after = Path(".mcp.json").stat()
    assert (again["written"], again["difference"]) == (False, "")
    assert (before.st_mtime_ns, before.st_ino) == (after.st_mtime_ns, after.st_ino)
    assert "says so already" in invoke("connect", "claude-code").out


def test_without_yes_nothing_is_written_where_nobody_can_be_asked() -> None:
    for options in ([], ["--json"]):
        outcome = invoke("connect", "claude-code", *options)
        assert (outcome.code, Path(".mcp.json").exists()) == (0, False)
        assert "mcpServers" in outcome.out


@pytest.mark.parametrize(("typed", "code"), [(b"y\n", 0), (b"n\n", 3), (b"\n", 3)])
def test_on_a_terminal_the_change_is_shown_and_then_asked_for(machine: Machine, typed: bytes, code: int) -> None:
    ended, shown = on_terminal(machine, "connect", "claude-code", typed=typed)
    assert ended == code
    assert shown.index("mcpServers") < shown.index("[y/N]")
    assert Path(".mcp.json").exists() == (code == 0)


def test_the_change_is_a_unified_diff() -> None:
    Path(".mcp.json").write_text('{\n  "mcpServers": {}\n}\n', encoding="utf-8")
    lines = answer("connect", "claude-code")["difference"].splitlines()
    assert [line[:3] for line in lines[:3]] == ["---", "+++", "@@ "]
    assert '-  "mcpServers": {}' in lines
    assert '+  "mcpServers": {' in lines


@pytest.mark.parametrize(
    ("content", "says"),
    [
        (b"{", "Expecting property name"),
        (b'{"a": 1,}', "line 1 column"),
        (b"[]", "holds no object"),
        (b'{"mcpServers": []}', "mcpServers is no object"),
        (b'{"a": 1, "a": 2}', "'a' occurs twice"),
        (b'{"a": NaN}', "NaN is no JSON"),
        (b'{"a": 1e999}', "too large to be written again"),
        (b"// comment\n{}", "Expecting value"),
        (b"\xff\xfe", "no UTF-8"),
        (b"[" * 100_000, "recursion"),
    ],
)
def test_a_file_that_cannot_be_kept_whole_is_refused_and_left_as_it_was(content: bytes, says: str) -> None:
    Path(".mcp.json").write_bytes(content)
    outcome = invoke("connect", "claude-code", "--yes", "--json")
    assert (outcome.code, outcome.error["code"]) == (2, "invalid_value")
    assert "nothing was written" in outcome.error["message"]
    assert says.lower() in outcome.error["message"].lower()
    assert Path(".mcp.json").read_bytes() == content


def test_an_empty_file_is_a_beginning() -> None:
    Path(".mcp.json").touch()
    assert answer("connect", "claude-code", "--yes")["written"] is True


def test_a_link_stays_a_link_and_permissions_stay() -> None:
    Path("real.json").write_text("{}", encoding="utf-8")
    Path("real.json").chmod(0o600)
    Path(".mcp.json").symlink_to("real.json")
    answer("connect", "claude-code", "--yes")
    assert Path(".mcp.json").is_symlink()
    assert Path("real.json").stat().st_mode & 0o777 == 0o600
    assert {path.name for path in Path().iterdir()} - {".karte"} == {".mcp.json", "real.json"}


def test_another_file_can_be_named() -> None:
    shape = answer("connect", "claude-code", "--file", "sub/config.json", "--yes")
    assert (shape["written"], Path("sub/config.json").is_file()) == (True, True)


@pytest.mark.parametrize("arguments", [["--agent", ""], ["--workspace", ""], ["--agent", "\udcff"]])
def test_a_server_that_could_not_start_is_not_written(arguments: list[str]) -> None:
    outcome = invoke("connect", "claude-code", "--yes", *arguments, "--json")
    assert (outcome.code, Path(".mcp.json").exists()) == (2, False)
