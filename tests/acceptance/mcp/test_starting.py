"""Starting `karte mcp`: what is refused before a byte of the protocol, and how."""

import subprocess

import pytest

import karte
from tests.acceptance.mcp.processes import command


@pytest.mark.parametrize(
    ("agent", "profile", "scopes", "exit_code", "told"),
    [
        ("dudu", "everything", (), 2, "'everything' is no profile."),
        ("dudu", "admin", (), 3, "The profile admin needs the scope admin."),
        ("dudu", "core", ("memory:read",), 4, "There is no agent 'dudu' in this workspace."),
    ],
)
def test_a_server_that_makes_no_sense_does_not_start(
    place: str, agent: str, profile: str, scopes: tuple[str, ...], exit_code: int, told: str
) -> None:
    process = subprocess.run(
        command(place, agent, profile, scopes),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (process.returncode, process.stdout, told in process.stderr) == (exit_code, "", True), process.stderr
    assert "Traceback" not in process.stderr


@pytest.mark.parametrize(
    ("agent", "profile", "scopes", "told"),
    [
        ("dudu", "core", (), "The token is for another agent; with it nobody acts as 'dudu'."),
        (None, "core", ("memory:read", "admin"), "The token does not have the scope admin."),
        (None, "admin", (), "The profile admin needs the scope admin."),
    ],
)
def test_options_that_contradict_the_token_are_refused(
    place: str,
    monkeypatch: pytest.MonkeyPatch,
    agent: str | None,
    profile: str,
    scopes: tuple[str, ...],
    told: str,
) -> None:
    with karte.open(place) as workspace:
        workspace.agent("dudu")
        workspace.agent("momo")
        token = workspace.create_token("momo's", ["memory:read", "memory:write"], agent="momo").text
    monkeypatch.setenv("KARTE_TOKEN", token)
    process = subprocess.run(
        command(place, agent, profile, scopes),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert (process.returncode, process.stdout, told in process.stderr) == (3, "", True), process.stderr
