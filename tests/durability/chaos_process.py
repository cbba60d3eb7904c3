"""A process with several clients at work on one workspace, each in a thread; what they were told goes out as JSON lines.

In come `{url, clients, calls, seed, taking_turns}`, an empty line to begin, and another one to end. Out come, beside `ready` and
`ended`: `kept` (id to text, each said once), `gone` and `again` (ids that are no longer in force, and again), `unsure`
(ids whose call failed), `counted` (a number that the common counter was set to), `failed` and `refused` (the code of an
error), and `broken`: what must never be seen.
"""

import json
import sys
from collections.abc import Callable
from itertools import pairwise
from random import Random
from threading import Event, Lock, Thread
from typing import Any, Final

from karte.bootstrap import open_workspace
from karte.core.results import Receipt
from karte.errors import Conflict, Fault, KarteError, NotFound
from karte.stores.postgres.rows import QUERIES
from karte.workspace import Workspace

COUNTER: Final = ("計數器", "stands at")
GUESTS: Final = ("Mei", "小林", "박서준", "王芳")
STAYS: Final = "stays in"
TEXTS: Final = ("Pump {} was read", "温度计{}已校正", "会議室{}を予約した", "창고 {} 정리 완료", "倉庫 {} 已盤點")

_OUT: Final = Lock()
_REPETITIONS: Final = 20

CALLS: Final = {
    "keep": 4,
    "keep_by_key": 4,
    "keep_many": 2,
    "move_in": 5,
    "move_out": 1,
    "take_over": 3,
    "withdraw": 2,
    "count": 4,
    "search": 3,
    "look_back": 2,
    "come_in": 1,
}
"""What clients do, and how often."""

WITHOUT_TURNS: Final = {
    "lock": "SELECT name FROM karte.workspace WHERE workspace_id = %(workspace)s",
    "learn": (
        "SELECT greatest(%(now)s, last_learned + %(count)s * interval '1 microsecond') FROM karte.workspace "
        "WHERE workspace_id = %(workspace)s"
    ),
}
"""The statements by which writers take turns, made so that nobody waits: what the checks must notice."""


def say(**told: object) -> None:
    """Send one line at once."""
    with _OUT:
        sys.stdout.write(f"{json.dumps(told)}\n")
        sys.stdout.flush()


class Client:
    """Makes one call after the other, drawn by chance."""

    def __init__(self, workspace: Workspace, name: str, asked: dict[str, Any]) -> None:
        self._url, self._calls, self._workspace, self._name = asked["url"], asked["calls"], workspace, name
        self._chance = Random(f"{asked['seed']} {name}")  # noqa: S311 - draws calls, not keys
        self._serial = 0
        self._texts: dict[str, str] = {}
        self._held: set[str] = set()
        self._before: dict[str, str] = {}

    def work(self, ended: Event) -> None:
        """Call until the end; an error of Karte's is a kind of answer, any other one is not."""
        while not ended.is_set():
            (call,) = self._chance.choices(list(self._calls), list(self._calls.values()))
            try:
                getattr(self, f"_{call}")()
            except (NotFound, Conflict) as error:
                say(refused=error.code)
            except KarteError as error:
                say(failed=error.code)
            except Exception as error:  # noqa: BLE001 - that is what is looked for
                say(broken=f"{type(error).__module__}.{type(error).__name__}: {error}")

    def _text(self) -> str:
        self._serial += 1
        return self._chance.choice(TEXTS).format(f"{self._name}n{self._serial}e")

    def _told(self, receipt: Receipt, text: str) -> None:
        say(kept={receipt.memory_id: text})
        self._texts[receipt.memory_id] = text
        self._held.add(receipt.memory_id)

    def _keep(self) -> None:
        text = self._text()
        self._told(self._workspace.store(text), text)

    def _keep_by_key(self) -> None:
        """Repeat a call by its key, whatever became of it: the receipts are one."""
        text, key = self._text(), f"{self._name} {self._serial}"
        first = self._by_key(text, key)
        second = self._by_key(text, key)
        self._told(first, text)
        if second != first:
            say(broken=f"the key {key} gave {first} and {second}")

    def _by_key(self, text: str, key: str) -> Receipt:
        for _ in range(_REPETITIONS):
            try:
                return self._workspace.store(text, idempotency_key=key)
            except Fault as error:
                say(failed=error.code)
        return self._workspace.store(text, idempotency_key=key)

    def _keep_many(self) -> None:
        texts = [self._text() for _ in range(self._chance.randint(2, 5))]
        receipts = self._workspace.store_many([{"content": text} for text in texts])
        for receipt, text in zip(receipts, texts, strict=True):
            self._told(receipt, text)

    def _move_in(self) -> None:
        guest, room = self._chance.choice(GUESTS), self._text()
        text = f"{guest} stays in {room}"
        say(kept={self._workspace.store(text, subject=guest, predicate=STAYS, object=room).memory_id: text})

    def _move_out(self) -> None:
        self._workspace.end_fact(self._chance.choice(GUESTS), STAYS)

    def _take_over(self) -> None:
        if self._held:
            old, text = self._chosen(), self._text()
            receipt = self._ending(old, lambda: self._workspace.supersede(old, text))
            self._told(receipt, text)
            self._before[receipt.memory_id] = old
            if receipt.superseded != (old,):
                say(broken=f"{receipt} does not supersede {old}")

    def _withdraw(self) -> None:
        if self._held:
            old = self._chosen()
            withdrawn = self._ending(old, lambda: self._workspace.withdraw(old, "entered twice"))
            revived = (self._before[old],) if old in self._before else ()
            if (withdrawn.memory_ids, withdrawn.revived) != ((old,), revived):
                say(broken=f"{withdrawn} does not withdraw {old} and revive {revived}")
            self._held.update(revived)
            say(again=revived)

    def _chosen(self) -> str:
        return self._chance.choice(sorted(self._held))

    def _ending(self, old: str, call: Callable[[], Any]) -> Any:
        self._held.remove(old)
        try:
            done = call()
        except KarteError:
            say(unsure=[old, self._before.get(old, old)])
            raise
        say(gone=[old])
        return done

    def _count(self) -> None:
        """Set the counter to the next number if it still stands where it was seen."""
        (seen,) = self._workspace.at(*COUNTER).memories
        assert seen.memory.triple is not None
        number = int(str(seen.memory.triple.object)) + 1
        self._workspace.store(
            f"It was set to {number} by {self._name}",
            subject=COUNTER[0],
            predicate=COUNTER[1],
            object=str(number),
            expect_current=seen.id,
        )
        say(counted=number)

    def _search(self) -> None:
        if self._held:
            wanted = self._chosen()
            found = [hit.memory.id for hit in self._workspace.search(self._texts[wanted], limit=20).hits]
            if wanted not in found:
                say(broken=f"{self._texts[wanted]!r} is not found")
            say(found=wanted)

    def _look_back(self) -> None:
        guest = self._chance.choice(GUESTS)
        chapters = self._workspace.history(guest, STAYS).chain
        segments = sorted(segment for chapter in chapters for segment in chapter.segments)
        if any(end > start for (_, end), (start, _) in pairwise(segments)):
            say(broken=f"{guest} stays in two rooms at once: {segments}")
        say(seen=len(chapters))

    def _come_in(self) -> None:
        """Another program opens the workspace and leaves it again."""
        with open_workspace(self._url, create=False) as workspace:
            text = self._text()
            self._told(workspace.store(text), text)


def main() -> None:
    """Work until the second line comes, or no more come."""
    asked = json.loads(sys.stdin.readline())
    if not asked["taking_turns"]:
        QUERIES.update(WITHOUT_TURNS)
    with open_workspace(asked["url"], create=False) as workspace:
        say(ready=asked["clients"])
        sys.stdin.readline()
        ended = Event()
        clients = [Client(workspace, name, asked) for name in asked["clients"]]
        threads = [Thread(target=client.work, args=(ended,)) for client in clients]
        for thread in threads:
            thread.start()
        sys.stdin.readline()
        ended.set()
        for thread in threads:
            thread.join()
    say(ended=True)


if __name__ == "__main__":
    main()
