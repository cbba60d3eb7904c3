"""The outermost boundary: whatever is raised ends as a sentence and an exit code."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from karte.errors import NotCurrent
from karte.surfaces.cli.boundary import as_error, exit_code


def conflict() -> Any:
    raise NotCurrent


def divide() -> Any:
    return 1 // 0


def open_missing() -> Any:
    return Path("none.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("run", "code", "says"),
    [
        (conflict, 5, "Another statement is in force now; nothing was changed."),
        (open_missing, 1, "none.txt: No such file or directory."),
        (divide, 1, "ZeroDivisionError: integer division or modulo by zero"),
    ],
)
def test_what_is_raised_is_said_in_one_sentence(
    run: Callable[[], Any], code: int, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(run, as_json=False) == code
    written = capsys.readouterr()
    assert (written.out, written.err.splitlines()[0].endswith(says)) == ("", True)


def test_a_mistake_of_ours_says_where_it_happened_and_asks_for_a_report(capsys: pytest.CaptureFixture[str]) -> None:
    assert exit_code(divide, as_json=True) == 1
    error = json.loads(capsys.readouterr().out)["error"]
    assert (error["category"], error["code"]) == ("fault", "fault")
    assert error["message"].startswith("Something unforeseen happened in ")
    assert "report" in error["hint"]


@pytest.mark.parametrize(("given", "code"), [(None, 0), (0, 0), (1, 1)])
def test_a_command_that_ends_well_has_the_code_that_it_gives(
    given: int | None, code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert exit_code(lambda: given, as_json=False) == code
    assert capsys.readouterr() == ("", "")


def test_an_error_of_the_system_without_a_file_is_still_a_sentence() -> None:
    assert as_error(OSError(28, "No space left on device")).message == "The system: No space left on device."
