"""Starting: what is imported before a command runs, the version, help, completion."""

import importlib.metadata
import json
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
import typer

from karte.surfaces.cli import app
from tests.surfaces.cli.running import Machine, invoke

HEAVY = {"apsw", "mcp", "numpy", "Stemmer", "karte.bootstrap", "karte.core", "karte.engine", "karte.stores"}

IMPORTED = """
import json, sys
from karte.surfaces.cli import main
try:
    main()
except SystemExit:
    pass
json.dump(sorted(sys.modules), sys.stderr)
"""


def commands(command: Any, name: str = "karte") -> Iterator[tuple[str, Any]]:
    """Every command with its whole name; groups are left out."""
    children = getattr(command, "commands", None)
    if children is None:
        yield name, command
    for child, each in (children or {}).items():
        yield from commands(each, f"{name} {child}")


def imported(machine: Machine, *arguments: str) -> set[str]:
    """The modules that are there when a command has ended."""
    ended = subprocess.run(
        [sys.executable, "-c", IMPORTED, *arguments],
        cwd=machine.folder,
        env=machine.environment,
        capture_output=True,
        check=True,
    )
    return set(json.loads(ended.stderr.splitlines()[-1]))


@pytest.mark.parametrize("arguments", [["--help"], ["store", "--help"], [], ["alias", "-h"], ["bench", "--help"]])
def test_help_imports_nothing_of_the_engine(machine: Machine, arguments: list[str]) -> None:
    assert imported(machine, *arguments) & HEAVY == set()


def test_a_command_that_needs_the_engine_imports_it(machine: Machine) -> None:
    """The control of the test above: the same look at the same names."""
    assert imported(machine, "store", "x") >= {"apsw", "numpy", "karte.engine", "karte.stores"}


def test_the_version_is_that_of_the_installed_package() -> None:
    try:
        version = importlib.metadata.version("karte")
    except importlib.metadata.PackageNotFoundError:
        pytest.skip("karte is run from its source, so there is no version")
    assert invoke("--version").out == f"karte {version}\n"


def test_karte_alone_shows_what_there_is() -> None:
    outcome = invoke()
    assert (outcome.code, outcome.err) == (0, "")
    assert [line for line in outcome.out.splitlines() if line.startswith("  store ")]


def test_help_lists_options_under_titles_and_what_all_have_last() -> None:
    titles = [line for line in invoke("store", "--help").out.splitlines() if line[:1].isalpha()]
    assert titles == [
        "Usage: karte store [OPTIONS] TEXT",
        "Arguments:",
        "The fact:",
        "When it holds:",
        "Where it belongs:",
        "How it is judged:",
        "Where it comes from:",
        "Repeating and racing:",
        "Everywhere:",
    ]


def test_every_command_can_answer_in_json_but_one_that_speaks_a_protocol_and_one_that_writes_a_page() -> None:
    found = dict(commands(typer.main.get_command(app)))
    without = [name for name, each in found.items() if not any("--json" in p.opts for p in each.params)]
    assert without == ["karte mcp", "karte bench report"]
    assert len(found) > 20


def test_every_command_but_the_benches_takes_a_workspace() -> None:
    found = dict(commands(typer.main.get_command(app)))
    without = [name for name, each in found.items() if not any("--workspace" in p.opts for p in each.params)]
    named = {"karte copy"}  # names two of its own
    assert [name for name in without if not name.startswith("karte bench ") and name not in named] == []


@pytest.mark.parametrize(
    ("shell", "sign"), [("bash", "complete -o default"), ("zsh", "#compdef"), ("fish", "complete")]
)
def test_completion_can_be_shown_for_each_shell(machine: Machine, shell: str, sign: str) -> None:
    shown = Machine(machine.folder, {"_KARTE_COMPLETE": f"source_{shell}"}).run()
    assert (shown.code, sign in shown.out) == (0, True), shown


def test_completion_offers_the_commands_that_begin_like_the_word(machine: Machine) -> None:
    settings = {"_KARTE_COMPLETE": "complete_bash", "COMP_WORDS": "karte sto", "COMP_CWORD": "1"}
    assert Machine(machine.folder, settings).run().out.split() == ["store", "store-many"]
