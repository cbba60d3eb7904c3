"""L9 through a whole workspace: what was derived is never above its parents, and names who said them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from hypothesis import strategies as st

from karte.core.origins import Origin
from karte.core.results import Item, Status
from karte.core.trust import FALLEN, FULL
from karte.errors import UnknownMemory, UnknownOrigin
from karte.testing.programs import day
from karte.workspace import Chart
from tests.laws.opening import Desk, opened
from tests.stores import Making

SOURCES = (("operator", "s"), ("agent_derived", "t"), ("channel", "u"))
_WORDS = ("비가 온다", "晴れ", "小雨住在東京", "the office is closed")


@dataclass(frozen=True)
class Step:
    """What is done: a text said by a source, one derived from others, or a text withdrawn, or a source forgotten.

    `days` are when the text holds; None: the source does not say.
    """

    kind: str
    picks: tuple[int, ...]
    source: int
    trust: float
    days: tuple[int, int | None] | None


Program = list[Step]


def programs(most: int = 9) -> st.SearchStrategy[Program]:
    """Programs in which most is derived."""
    kinds = st.sampled_from(["say", "say", "say again", "derive", "derive", "derive", "withdraw", "forget", "erase"])
    trust = st.sampled_from([1.0, 1.0, 0.6, 0.3, 0.2])
    # Days before the first instant that is told about, and after, so that some of it does not hold now.
    days = st.sampled_from([None, None, (-9, None), (-5, None), (-9, -2), (3, None)])
    picks = st.lists(st.integers(0, 20), min_size=1, max_size=3).map(tuple)
    return st.lists(st.builds(Step, kinds, picks, st.integers(0, 2), trust, days), min_size=4, max_size=most)


@dataclass
class _Telling:
    desk: Desk
    ids: list[str] = field(default_factory=list)
    parents: dict[str, set[str]] = field(default_factory=dict)
    bases: list[str] = field(default_factory=list)
    misdated: list[str] = field(default_factory=list)

    @property
    def chart(self) -> Chart:
        return self.desk.chart

    def there(self) -> list[str]:
        return [memory_id for memory_id in dict.fromkeys(self.ids) if _read(self.chart, memory_id)]

    def tell(self, step: Step) -> None:
        """Do one step; what is withdrawn or forgotten is something that is there."""
        there = self.there()
        picked = [there[pick % len(there)] for pick in step.picks] if there else []
        if step.kind in ("withdraw", "erase") and picked:
            command = self.chart.withdraw if step.kind == "withdraw" else lambda i: self.chart.erase([i], scrub=False)
            command(picked[0])
        elif step.kind == "forget":
            self._forget(Origin(*SOURCES[step.source]))
        else:
            self._say(step, picked if step.kind == "derive" else [])

    def _say(self, step: Step, parents: list[str]) -> None:
        again = step.kind == "say again" and self.bases
        text = self.bases[step.picks[0] % len(self.bases)] if again else f"{_WORDS[len(self.ids) % 4]} {len(self.ids)}"
        due = _time([self.chart.read(parent) for parent in parents])
        receipt = self.chart.store(
            text,
            origin=Origin(*SOURCES[step.source], f"m{len(self.ids)}"),
            trust=step.trust,
            derived_from=parents or None,
            **_when(step.days),
        )
        assert receipt.status.kept, receipt
        if due and step.days is None:
            told = _time([self.chart.read(receipt.memory_id)])
            self.misdated += [f"{receipt.memory_id} is of {told}, its parents of {due}"] if told != due else []
        self.ids.append(receipt.memory_id)
        if parents:
            self.parents[receipt.memory_id] = set(parents)
        else:
            self.bases.append(text)

    def _forget(self, origin: Origin) -> None:
        workspace = self.desk.workspace
        try:
            plan = workspace.plan_to_forget(origin)
        except UnknownOrigin:
            return
        workspace.approve_plan(plan.id, plan.digest.hex())
        workspace.forget(plan.id)
        for named in workspace.blocks():
            workspace.unblock(named.block.digest.hex())


def _when(days: tuple[int, int | None] | None) -> dict[str, Any]:
    if days is None:
        return {}
    start, end = days
    return {
        "observed_at": day(-1),
        "valid_from": day(365 + start),
        "valid_until": None if end is None else day(365 + end),
    }


def _time(items: Sequence[Item]) -> tuple[datetime, int] | None:
    """The latest start of the periods shown, and when the last was first said; None where one counts no more."""
    if not items or not all(item.said for item in items):
        return None
    starts = [item.valid_from for item in items if item.valid_from]
    return max(starts), max(min(said.observed_at for said in item.said) for item in items)


def _read(chart: Chart, memory_id: str) -> Item | None:
    try:
        return chart.read(memory_id)
    except UnknownMemory:
        return None


def above(program: Program, making: Making) -> list[str]:
    """L9: what is derived and is above its parents, of another time, hides who said them, or is there without them."""
    with opened(making) as desk:
        telling = _Telling(desk)
        for step in program:
            telling.tell(step)
            desk.clock.advance()
        items = {memory_id: _read(desk.chart, memory_id) for memory_id in telling.ids}
        return telling.misdated + [
            f"{child}: {wrong}"
            for child, parents in telling.parents.items()
            if (item := items[child]) is not None
            for wrong in _wrong(item, [items[parent] for parent in parents])
        ]


def _wrong(item: Item, parents: Sequence[Item | None]) -> list[str]:
    there = [parent for parent in parents if parent is not None]
    if len(there) < len(parents):
        return ["a parent is gone"]
    least = min(parent.trust if parent.said else FALLEN / FULL for parent in there)
    named = {_source(said) for said in item.to_dict()["origins"]}
    missing = {_source(said) for parent in there for said in parent.to_dict()["origins"]} - named
    fallen = any(parent.status is not Status.IN_FORCE for parent in there)
    return [
        *([f"trusted {item.trust} over {least}"] if item.said and item.trust > least else []),
        *([f"does not name {missing}"] if missing else []),
        *(["is not stale"] if item.said and fallen and "stale" not in item.marks else []),
        *(["is stale"] if item.said and not fallen and "stale" in item.marks else []),
        *(["counts who said its parents"] if item.to_dict()["mention_count"] != len(item.said) else []),
    ]


def _source(said: dict[str, Any]) -> tuple[Any, ...]:
    return (said["kind"], said["container"], said["item"])
