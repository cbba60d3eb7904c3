"""Clients in other processes, what they were told, and what must be true of a workspace afterwards."""

import json
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Condition, Thread
from typing import Any, Final

from karte.bootstrap import open_workspace
from karte.stores.postgres import Address
from karte.workspace import Workspace
from tests.durability.chaos_process import CALLS, COUNTER, GUESTS, STAYS
from tests.durability.workload import observe
from tests.servers.postgres import Server

_PROGRAM: Final = Path(__file__).with_name("chaos_process.py")
_PATIENCE: Final = 120


class Journal:
    """All that the clients were told, in the order in which it was heard."""

    def __init__(self) -> None:
        self.lines: list[dict[str, Any]] = []
        self._heard = Condition()

    def hear(self, line: dict[str, Any]) -> None:
        """Write down a line."""
        with self._heard:
            self.lines.append(line)
            self._heard.notify_all()

    def wait_for(self, more: int) -> None:
        """Wait until so many more calls have ended."""
        with self._heard:
            enough = len(self.lines) + more
            assert self._heard.wait_for(lambda: len(self.lines) >= enough, _PATIENCE), self.lines[-1:]

    def told(self, kind: str) -> list[Any]:
        """All values of one kind."""
        return [line[kind] for line in self.lines if kind in line]

    def count(self) -> dict[str, int]:
        """How many lines there are of each kind, errors by their code."""
        kinds = (f"{kind} {value}" if kind in {"failed", "refused"} else kind for kind, value in self._pairs())
        return dict(sorted(Counter(kinds).items()))

    def _pairs(self) -> Iterator[tuple[str, Any]]:
        for line in self.lines:
            yield from line.items()


@dataclass(frozen=True)
class Crew:
    """So many processes with so many clients each, what they do and how often, and whether writers take turns."""

    processes: int = 4
    threads: int = 4
    calls: Mapping[str, int] = field(default_factory=CALLS.copy)
    taking_turns: bool = True


@contextmanager
def clients_at_work(url: str, seed: str, crew: Crew) -> Iterator[Journal]:
    """Processes with clients, all at work from the beginning of the block to its end; they have ended afterwards."""
    journal = Journal()
    with ExitStack() as stack:
        started = [
            stack.enter_context(
                subprocess.Popen(
                    [sys.executable, str(_PROGRAM)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, encoding="utf-8"
                )
            )
            for _ in range(crew.processes)
        ]
        for number, process in enumerate(started):
            names = [f"p{number}t{thread}" for thread in range(crew.threads)]
            asked = {"url": url, "clients": names, "calls": crew.calls, "seed": seed, "taking_turns": crew.taking_turns}
            tell(process, json.dumps(asked))
        for process in started:
            hear(process)
        listeners = [Thread(target=listen, args=(process, journal)) for process in started]
        for listener in listeners:
            listener.start()
        for process in started:
            tell(process, "")
        try:
            yield journal
        finally:
            for process in started:
                tell(process, "")
            for listener in listeners:
                listener.join()
    assert [process.returncode for process in started] == [0] * crew.processes


def tell(process: subprocess.Popen[str], line: str) -> None:
    """Send a line to a process."""
    assert process.stdin is not None
    process.stdin.write(f"{line}\n")
    process.stdin.flush()


def hear(process: subprocess.Popen[str]) -> dict[str, Any]:
    """The next line of a process."""
    assert process.stdout is not None
    line: dict[str, Any] = json.loads(process.stdout.readline())
    return line


def listen(process: subprocess.Popen[str], journal: Journal) -> None:
    """Write down all lines of a process until it ends."""
    assert process.stdout is not None
    for line in process.stdout:
        journal.hear(json.loads(line))


def problems(journal: Journal, url: str, server: Server) -> list[str]:
    """What is wrong with a workspace after clients worked on it, by what they were told."""
    with open_workspace(url, create=False) as workspace:
        return [
            *map(str, journal.told("broken")),
            *lost(journal, workspace),
            *miscounted(journal, workspace),
            *two_at_once(workspace),
            *doubled(server, Address.read(url).workspace_id),
            *workspace.doctor().differences,
        ]


def lost(journal: Journal, workspace: Workspace) -> Iterator[str]:
    """What a call that returned had stored, and is not there as told; what it had ended, and is still in force."""
    kept = {memory_id: text for line in journal.told("kept") for memory_id, text in line.items()}
    state = observe(workspace, kept)
    if len(kept) != len(journal_ids(journal)):
        yield "one memory was told to two calls"
    for memory_id, text in kept.items():
        if state.texts.get(memory_id) != text:
            yield f"{memory_id} should say {text!r}, and says {state.texts.get(memory_id)!r}"
    gone = ended(journal)
    unsure = {memory_id for line in journal.told("unsure") for memory_id in line}
    stays = {memory_id for memory_id, text in kept.items() if STAYS in text}
    for memory_id in kept.keys() - unsure - stays:
        item = workspace.read(memory_id)
        if (item.validity.status == "in_force") is (memory_id in gone):
            yield f"{memory_id} is {item.validity.status}, and was told to be {'ended' if memory_id in gone else 'kept'}"


def ended(journal: Journal) -> set[str]:
    """The ids that are not in force after all that was told."""
    gone: set[str] = set()
    for line in journal.lines:
        gone = gone.union(line.get("gone", ())).difference(line.get("again", ()))
    return gone


def journal_ids(journal: Journal) -> list[str]:
    """Every id that was told as kept, as often as it was."""
    return [memory_id for line in journal.told("kept") for memory_id in line]


def miscounted(journal: Journal, workspace: Workspace) -> Iterator[str]:
    """Whether each number of the counter was set by one call, and the calls that returned are all there are."""
    counted = sorted(journal.told("counted"))
    (last,) = workspace.at(*COUNTER).memories
    assert last.memory.triple is not None
    reached = int(str(last.memory.triple.object))
    unsure = journal.count().get("failed uncertain", 0)
    if len(set(counted)) != len(counted):
        yield f"two calls set the counter to the same number: {counted}"
    if not reached - unsure <= len(counted) <= reached:
        yield f"the counter stands at {reached} after {len(counted)} calls"


def two_at_once(workspace: Workspace) -> Iterator[str]:
    """Facts with two values in force at an instant, asked for at each instant at which one begins or ends."""
    for guest in GUESTS:
        chain = workspace.history(guest, STAYS).chain
        instants = sorted({instant for chapter in chain for segment in chapter.segments for instant in segment})
        for instant in instants[:-1]:
            in_force = [chapter.item.id for chapter in chain if any(s <= instant < e for s, e in chapter.segments)]
            if len(in_force) > 1:
                yield f"{guest} stays in {len(in_force)} rooms at {instant}"


_DOUBLES: Final = {
    "two segments of a chain overlap": """
        SELECT a.chain FROM karte.segment AS a JOIN karte.segment AS b USING (workspace_id, ns, chain, free)
        WHERE workspace_id = %s AND a.ctid <> b.ctid AND a.valid_from <= b.valid_from AND a.valid_until > b.valid_from
    """,
    "a text is kept twice": """
        SELECT content FROM karte.memory WHERE workspace_id = %s AND content <> '' GROUP BY content HAVING count(*) > 1
    """,
    "a memory was said twice": """
        SELECT content FROM karte.assertion JOIN karte.memory USING (workspace_id, ns, number)
        WHERE workspace_id = %s AND content <> '' GROUP BY number, content HAVING count(*) > 1
    """,
    "a system time was given twice": """
        SELECT learned_at FROM karte.assertion WHERE workspace_id = %s GROUP BY learned_at HAVING count(*) > 1
    """,
}


def doubled(server: Server, workspace_id: int) -> Iterator[str]:
    """What is in the tables twice."""
    for problem, query in _DOUBLES.items():
        yield from (f"{problem}: {row[0]}" for row in server.execute(query, workspace_id))
