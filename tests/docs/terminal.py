"""A reader's terminal: commands run one after the other, each where the last one left folder and variables."""

import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.blocks import Block, matches

LONGEST_SECONDS = 120
_INSTALLS = re.compile(r"(?:^|[;&|]\s*)(?:sudo\s+)?(?:apt(?:-get)?|make|pip3?|pipx|python3? -m pip|uv|uvx)\b")

# Runs one command ($3) where the last one ended: $1 keeps the variables, $2 the folder.
_STEP = """
set -a -o pipefail
[ ! -f "$1" ] || . "$1"
state=$1 folder=$2 command=$3
cd "$(cat "$folder")"
trap 'status=$?; export -p >"$state"; pwd >"$folder"; exit "$status"' EXIT
eval "$command"
"""


@dataclass(frozen=True)
class Outcome:
    """How a command ended, and all that it wrote, in the order in which it was written."""

    status: int
    output: str


@dataclass(frozen=True)
class Command:
    """One command of a block, the line of the block where it starts, and in a console block what it should print."""

    line: int
    text: str
    expected: str | None = None


class Terminal:
    """Bash, started in a folder with exactly the given environment; its own notes lie in `notes`."""

    def __init__(self, folder: Path, notes: Path, environment: dict[str, str]) -> None:
        self._environment = environment
        self._variables = notes / "variables"
        self._folder = notes / "folder"
        self._folder.write_text(str(folder), encoding="utf-8")

    @property
    def folder(self) -> Path:
        """Where the last command ended."""
        return Path(self._folder.read_text(encoding="utf-8").rstrip("\n"))

    def enter(self, command: str) -> Outcome:
        """Run one command without input; raises TimeoutExpired for one that does not end."""
        step = ["bash", "-c", _STEP, "bash", str(self._variables), str(self._folder), command]
        ended = subprocess.run(
            step,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            encoding="utf-8",
            timeout=LONGEST_SECONDS,
            check=False,
        )
        return Outcome(ended.returncode, ended.stdout)


def run(block: Block, terminal: Terminal) -> None:
    """Run a block; raises BrokenBlock for a command that fails, that prints something else, or that installs."""
    for command in commands(block):
        if _INSTALLS.search(command.text):
            raise block.broken(f"`{command.text}` installs: fence it as text", command.line)
        outcome = terminal.enter(command.text)
        if outcome.status != 0:
            raise block.broken(f"`{command.text}` ended with {outcome.status}:\n{outcome.output}", command.line)
        if command.expected is not None and not matches(command.expected, outcome.output):
            raise block.broken(f"`{command.text}` printed:\n{outcome.output}", command.line)


def commands(block: Block) -> Iterator[Command]:
    """The commands of a block: every line of a script, the lines after `$` of a console."""
    return _console(block) if block.language == "console" else _script(block)


def _script(block: Block) -> Iterator[Command]:
    lines = enumerate(block.text.splitlines(), 1)
    for number, line in lines:
        if line.strip() and not line.lstrip().startswith("#"):
            yield Command(number, _whole(line, lines))


def _console(block: Block) -> Iterator[Command]:
    lines = block.text.splitlines()
    starts = [number for number, line in enumerate(lines) if line.startswith("$ ")]
    if not starts or starts[0] != 0:
        raise block.broken("a console block begins with `$ ` and a command")
    for start, end in zip(starts, [*starts[1:], len(lines)], strict=True):
        rest = iter(list(enumerate(lines[start + 1 : end], start + 2)))
        command = _whole(lines[start].removeprefix("$ "), rest)
        yield Command(start + 1, command, "\n".join(line for _, line in rest))


def _whole(first: str, rest: Iterator[tuple[int, str]]) -> str:
    """A command that starts with a line, with as many of the next ones as its quotes and here-documents need."""
    command = first
    while not _complete(command):
        following = next(rest, None)
        if following is None:
            break
        command = f"{command}\n{following[1].removeprefix('> ')}"
    return command


def _complete(command: str) -> bool:
    if command.endswith("\\"):
        return False
    checked = subprocess.run(["bash", "-n", "-c", command], capture_output=True, text=True, check=False)
    return not re.search(r"unexpected (end of file|EOF)|delimited by end-of-file", checked.stderr)
