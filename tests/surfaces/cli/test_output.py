"""What is written where: pipes that close, full disks, encodings, terminals, and characters that would steer one."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from karte.surfaces.cli.output import plain
from tests.surfaces.cli.running import Machine, Outcome, answer, invoke, on_terminal


@pytest.fixture(autouse=True)
def stored(workspace: str) -> None:  # noqa: ARG001 - it is where commands look
    answer("store", "部署到 Cloudflare Workers 🚀")


def shell(machine: Machine, line: str, **settings: str) -> subprocess.CompletedProcess[str]:
    """Run a line of bash in which `karte` is the command."""
    environment = {**machine.environment, **settings}
    defined = f'karte() {{ "{sys.executable}" -m karte "$@"; }}; {line}'
    return subprocess.run(
        ["bash", "-o", "pipefail", "-c", defined],
        cwd=machine.folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_reader_that_closes_the_pipe_is_no_fault(machine: Machine) -> None:
    ended = shell(machine, "karte list --json | true")
    assert (ended.returncode, ended.stderr) == (0, "")


def test_an_answer_that_cannot_be_written_is_a_fault_in_one_line(machine: Machine) -> None:
    if not Path("/dev/full").exists():
        pytest.skip("this system has no /dev/full")
    ended = shell(machine, "karte list > /dev/full")
    said = "What was asked is done, but the answer could not be written: No space left on device.\n"
    assert (ended.returncode, ended.stderr) == (1, said)


def test_a_closed_standard_output_is_no_fault(machine: Machine) -> None:
    ended = shell(machine, "karte list >&-")
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "cp950", "utf-8"])
def test_json_can_be_read_whatever_the_encoding_of_the_terminal(machine: Machine, encoding: str) -> None:
    ended = shell(machine, "karte list --json", PYTHONIOENCODING=encoding)
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["memories"][0]["content"] == "部署到 Cloudflare Workers 🚀"


def test_text_that_the_terminal_cannot_show_is_written_as_escapes(machine: Machine) -> None:
    ended = shell(machine, "karte list", PYTHONIOENCODING="ascii")
    assert ended.returncode == 0
    assert ended.stdout.splitlines()[0] == r"\u90e8\u7f72\u5230 Cloudflare Workers \U0001f680"


READING = ["0", "0x0"]
"""How Linux on x86-64 shows a process that sleeps in read(2) of its standard input."""


def _calls(pid: int | str) -> list[str]:
    try:
        return Path(f"/proc/{pid}/syscall").read_text(encoding="ascii").split()[:2]
    except OSError:
        return []


def _hear_control_c() -> None:
    """A process that was started in the background ignores the signal, and so would this one."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@pytest.mark.skipif(os.uname().machine != "x86_64" or not _calls("self"), reason="cannot see what a process waits for")
def test_control_c_ends_with_130_and_without_a_trace(machine: Machine) -> None:
    started = subprocess.Popen(
        machine.command(["store", "-"]),
        cwd=machine.folder,
        env=machine.environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        preexec_fn=_hear_control_c,  # noqa: PLW1509 - no thread is started in between
    )
    while started.poll() is None and _calls(started.pid) != READING:
        pass
    started.send_signal(signal.SIGINT)
    out, err = started.communicate(timeout=60)
    assert (started.returncode, out, err) == (130, b"", b"")


def test_colours_are_for_terminals_only_and_can_be_turned_off(machine: Machine) -> None:
    coloured = on_terminal(machine, "list")
    plain_text = on_terminal(machine, "list", NO_COLOR="1")
    piped = machine.run("list")
    assert ("\x1b[1m" in coloured[1], coloured[0], plain_text[0]) == (True, 0, 0)
    assert not any(f"\x1b[{number}" in plain_text[1] for number in range(30, 50))
    assert "\x1b" not in piped.out


def test_json_on_a_terminal_is_plain_json(machine: Machine) -> None:
    code, shown = on_terminal(machine, "list", "--json")
    assert (code, len(json.loads(shown)["memories"])) == (0, 1)


@pytest.mark.parametrize(("typed", "code", "left"), [(b"n\n", 3, 1), (b"\n", 3, 1), (b"y\n", 0, 0)])
def test_on_a_terminal_erasing_asks_first(machine: Machine, typed: bytes, code: int, left: int) -> None:
    memory_id = answer("list")["memories"][0]["id"]
    ended, shown = on_terminal(machine, "erase", memory_id, typed=typed)
    assert (ended, "Erase 1 for good? [y/N]" in shown) == (code, True)
    assert answer("stats")["total"] == left


def test_long_work_shows_a_bar_on_a_terminal_and_nothing_in_a_pipe(machine: Machine) -> None:
    Path("many.jsonl").write_text('{"content": "一"}\n', encoding="utf-8")
    code, shown = on_terminal(machine, "store-many", "many.jsonl")
    assert (code, "Storing" in shown) == (0, True)
    assert machine.run("store-many", "many.jsonl").err == ""


STEERING = "\x1b[31mred\x1b[0m\a\b\r\x9b1m\u202eevil\u2066"


def test_what_a_memory_holds_cannot_steer_the_terminal() -> None:
    stored = answer("store", f"before {STEERING} after", "--subject", f"s{STEERING}", "--predicate", "p", "-a", "dudu")
    assert stored["marks"] == ["prompt_injection"]
    review = ("approve", "show", stored["review_id"])
    assert steering(invoke("approve", "list")) == steering(invoke(*review)) == []
    answer("approve", "accept", stored["review_id"], "--digest", answer(*review)["digest"])
    for command in (
        ["list"],
        ["read", stored["memory_id"]],
        ["search", "before"],
        ["search", "before", "--explain"],
        ["history", stored["memory_id"]],
        ["timeline", f"s{STEERING}"],
    ):
        assert steering(invoke(*command, "-a", "dudu")) == []
    assert answer("read", stored["memory_id"], "-a", "dudu")["content"] == f"before {STEERING} after"


def steering(shown: Outcome) -> list[str]:
    """What of the characters that steer a terminal is in the answer of a command that ends well."""
    assert shown.code == 0
    return [character for character in shown.out if character in STEERING and not character.isprintable()]


def test_an_error_cannot_steer_the_terminal_either() -> None:
    assert invoke("read", "mem_\x1b[31m").err.splitlines()[0] == r"There is no memory mem_\x1b[31m here."


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("a\r\nb", "a\nb"),
        ("a\rb", r"a\x0db"),
        ("\x1b[2J", r"\x1b[2J"),
        ("\u202e", r"\u202e"),
        ("\ud800", r"\ud800"),
        ("한국어 👩\u200d💻 ไทย", "한국어 👩\u200d💻 ไทย"),
        ("[bold]not markup[/bold]", "[bold]not markup[/bold]"),
    ],
)
def test_only_what_steers_is_written_out(text: str, shown: str) -> None:
    assert plain(text) == shown


def test_markup_of_the_drawing_library_in_a_text_is_only_text() -> None:
    answer("store", "[bold red]warning[/] :smile:")
    assert "[bold red]warning[/] :smile:" in invoke("list").out
