"""Running `karte` in tests: inside this process for breadth, as a process of its own where that is the point."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from typer.testing import CliRunner

import karte
from karte.surfaces.cli import app

LONGEST_SECONDS = 60


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and what it wrote where."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on standard output."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, Any]:
        """The error of a command that was run with --json."""
        error: dict[str, Any] = self.json["error"]
        return error


def invoke(*arguments: str, given: str | bytes | None = None) -> Outcome:
    """Run a command line inside this process."""
    result = CliRunner().invoke(app, arguments, input=given)
    return Outcome(result.exit_code, result.stdout, result.stderr)


def answer(*arguments: str, given: str | bytes | None = None) -> Any:
    """The JSON document of a command that must succeed."""
    outcome = invoke(*arguments, "--json", given=given)
    assert (outcome.code, outcome.err) == (0, ""), outcome
    return outcome.json


@dataclass(frozen=True)
class Machine:
    """A folder with a home of its own, where `karte` runs as a process."""

    folder: Path
    settings: dict[str, str] = field(default_factory=dict)

    @property
    def environment(self) -> dict[str, str]:
        """The environment of a new machine, with what this test sets."""
        home = self.folder.parent / "home"
        return {
            "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.defpath}",
            "PYTHONPATH": str(Path(karte.__file__).parents[1]),
            "HOME": str(home),
            "XDG_CONFIG_HOME": str(home / "config"),
            "XDG_DATA_HOME": str(home / "data"),
            "COLUMNS": "80",
            "LANG": "C.UTF-8",
            "KARTE_EMBEDDER": "none",
            **{name: os.environ[name] for name in ("KARTE_WORKSPACE",) if name in os.environ},
            **self.settings,
        }

    def run(self, *arguments: str | bytes, given: bytes | None = None) -> Outcome:
        """Run a command line to its end."""
        ended = subprocess.run(
            self.command(arguments),
            cwd=self.folder,
            env=self.environment,
            input=given if given is not None else b"",
            capture_output=True,
            timeout=LONGEST_SECONDS,
            check=False,
        )
        return Outcome(ended.returncode, ended.stdout.decode(), ended.stderr.decode())

    def command(self, arguments: Sequence[str | bytes]) -> list[str | bytes]:
        """The command line of a process."""
        return [sys.executable, "-m", "karte", *arguments]


def on_terminal(machine: Machine, *arguments: str, typed: bytes = b"", **settings: str) -> tuple[int, str]:
    """Run `karte` on a terminal of its own; gives the exit code and all that the terminal shows."""
    terminal, its_end = pty.openpty()
    started = subprocess.Popen(
        machine.command(arguments),
        cwd=machine.folder,
        env={**machine.environment, "TERM": "xterm-256color", **settings},
        stdin=its_end,
        stdout=its_end,
        stderr=its_end,
    )
    os.close(its_end)
    os.write(terminal, typed)
    shown = b"".join(_pieces(terminal))
    os.close(terminal)
    return started.wait(), shown.decode()


def _pieces(terminal: int) -> Iterator[bytes]:
    try:
        while piece := os.read(terminal, 4096):
            yield piece
    except OSError:
        return  # how a terminal says that its last process has gone
