"""Programs in which several sources speak and command, to be told with one of them and without.

A step belongs to one source. Told without a source, its steps are left out, and those are refused that name what is not
there; the clock moves on all the same. What a source wrote bears its mark, a word that nobody else writes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from types import SimpleNamespace
from typing import Any, Final

from hypothesis import strategies as st

from karte.core.assertions import Assertion
from karte.core.origins import Origin
from karte.core.results import Receipt
from karte.core.reviews import ReviewKind
from karte.engine.deciding.reviewing import _endorse
from karte.errors import KarteError, UnknownMemory
from karte.testing.programs import SCENES, Row, day
from karte.workspace import Chart, Workspace

ORIGINS: Final = tuple(
    Origin(kind, container, f"{container}{number}")
    for kind, container in (("operator", "sierra"), ("user_direct", "tango"), ("channel", "uniform"))
    for number in "12"
)


def mark_of(origin: Origin) -> str:
    """The word that stands in all that an item, or any item of a container, wrote."""
    return origin.item or origin.container


def blanks_of(origin: Origin) -> int:
    """So many blanks, and nobody else so many, a source puts between two words."""
    return 2 + ORIGINS.index(origin)


@dataclass
class Telling:
    """A program that is being told: ids by the name of a row, which steps were refused, what a person approved."""

    workspace: Workspace
    chart: Chart
    ids: dict[str, str] = field(default_factory=dict)
    approved: dict[int, Assertion] = field(default_factory=dict)

    def id_of(self, name: str) -> str:
        """The id of a row that was said; raises `UnknownMemory` where it never was."""
        if name not in self.ids:
            raise UnknownMemory(name)
        return self.ids[name]

    def acting(self, origin: Origin, trust: float) -> Chart:
        """The chart for a source that is trusted so far."""
        return self.chart.acting(origin=origin, trust_ceiling=round(trust * 10_000))


@dataclass(frozen=True)
class Step:
    """One command of one source, by its place in the program; `again` is the place of the step that it repeats.

    What is `nobodys` comes from no source: memories fade by themselves.
    """

    place: int
    words: str
    origin: Origin
    tell: Callable[[Telling], Receipt | None] = field(repr=False, compare=False)
    stores: bool = False
    again: int | None = None
    nobodys: bool = False

    @property
    def first(self) -> int:
        """The place of the step that it is, or repeats."""
        return self.place if self.again is None else self.again


Program = list[Step]
PERSON: Final = Origin("operator")


@dataclass(frozen=True)
class _Writing:
    """A program that is being written. In a marked one each source writes in its own way, and copies from nobody."""

    draw: st.DrawFn
    steps: Program
    rows: Sequence[Row]
    marked: bool
    said: list[str] = field(default_factory=list)
    withdrawn: set[str] = field(default_factory=set)

    def one_of(self, things: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(things))

    @property
    def place(self) -> int:
        return len(self.steps)

    def _step(
        self, words: str, origin: Origin, tell: Callable[[Telling], Receipt | None], *, stores: bool = False
    ) -> Step:
        return Step(self.place, f"{words} [{origin}]", origin, tell, stores)

    def _options(self, origin: Origin) -> dict[str, Any]:
        start, length = self.one_of(range(8)), self.one_of([None, None, 1, 2, 5])
        options = {
            "observed_at": day(self.one_of(range(3))),
            "valid_from": day(start),
            "valid_until": None if length is None else day(start + length),
            "origin": origin,
            "trust": self.one_of([1.0, 1.0, 0.6, 0.4, 0.3]),
            "idempotency_key": self.one_of([None, f"key {mark_of(origin)} {self.place}"]),
            "veracity": "stated",
            "importance": 5,
        }
        return options | (self._marks(origin) if self.marked else {})

    def _marks(self, origin: Origin) -> dict[str, Any]:
        mark = mark_of(origin)
        return {
            "tags": self.one_of([None, ["家"], [f"tag {mark}", "家"]]),
            "metadata": self.one_of([None, {"from": f"meta {mark}"}]),
            "source_event": self.one_of([None, f"event {mark}"]),
            "session": self.one_of([None, f"session {mark}"]),
            "importance": self.one_of([2, 5, 9]),
            "confidence": self.one_of([None, 0.9, 0.2]),
            "veracity": self.one_of(["stated", "tool"]),
        }

    def _spelt(self, text: str, origin: Origin) -> str:
        """A text as this source writes it: so many blanks between the first two words."""
        return text.replace(" ", " " * blanks_of(origin), 1) if self.marked else text

    def store(self, parents: Sequence[str] = ()) -> Step:
        row, origin = self.one_of(self.rows), self.one_of(ORIGINS)
        options, text = self._options(origin), self._spelt(row.spellings[0], origin)
        names: dict[str, Any] = dict(zip(("subject", "predicate", "object"), row.triple or (), strict=False))

        def tell(telling: Telling) -> Receipt:
            derived = [telling.id_of(parent) for parent in parents] or None
            receipt = telling.chart.store(text, derived_from=derived, **names, **options)
            if receipt.status.kept:
                telling.ids[row.name] = receipt.memory_id
            return receipt

        self.said.append(row.name)
        given = {name: str(value) for name, value in options.items() if value is not None}
        return self._step(f"store {text!r} {given} from {list(parents)}", origin, tell, stores=True)

    def derive(self) -> Step:
        return self.store(self.draw(st.lists(st.sampled_from(self.said), min_size=1, max_size=2, unique=True)))

    def repeat(self) -> Step:
        first: Step = self.one_of([step for step in self.steps if step.stores])
        return replace(first, place=self.place, again=first.first)

    def _source(self) -> tuple[Origin, float]:
        return self.one_of(ORIGINS), self.one_of([1.0, 1.0, 0.3])

    def supersede(self) -> Step:
        (origin, trust), name, number = self._source(), self.one_of(self.said), self.place
        text = f"{mark_of(origin)} by {number}"

        def tell(telling: Telling) -> None:
            chart = telling.acting(origin, trust)
            newer = chart.supersede(telling.id_of(name), text, object=text, effective=day(8 + number / 8))
            telling.ids[text] = newer.memory_id

        self.said.append(text)
        return self._step(f"supersede {name}: {text}", origin, tell)

    def take_over(self) -> Step:
        (origin, trust), number = self._source(), self.place
        loser, winner = self.one_of(self.said), self.one_of(self.said)

        def tell(telling: Telling) -> None:
            named = telling.id_of(loser), telling.id_of(winner)
            telling.acting(origin, trust).supersede(*named, effective=day(8 + number / 8))

        return self._step(f"{winner} supersedes {loser}", origin, tell)

    def correct(self) -> Step:
        (origin, trust), number = self._source(), self.place
        name = self.one_of([name for name in self.said if name not in self.withdrawn] or self.said)
        if name in self.withdrawn:
            return self.store()
        text = f"{mark_of(origin)} right {number}"

        def tell(telling: Telling) -> None:
            chart = telling.acting(origin, trust)
            receipt = chart.correct(telling.id_of(name), text, object=text, reason=f"reason {mark_of(origin)}")
            telling.ids[text] = receipt.memory_id

        self.said.append(text)
        self.withdrawn.add(name)
        return self._step(f"correct {name}: {text}", origin, tell)

    def withdraw(self) -> Step:
        (origin, trust), name = self._source(), self.one_of(self.said)
        self.withdrawn.add(name)
        return self._step(
            f"withdraw {name}",
            origin,
            lambda telling: _do(
                telling.acting(origin, trust).withdraw(telling.id_of(name), f"reason {mark_of(origin)}")
            ),
        )

    def purge(self) -> Step:
        (origin, trust), named = self._source(), self.one_of(ORIGINS)
        self.withdrawn.update(self.said)
        return self._step(
            f"purge {named}",
            origin,
            lambda telling: _do(telling.acting(origin, trust).invalidate_by_origin(named)),
        )

    def end(self) -> Step:
        (origin, trust), number = self._source(), self.place
        row = self.one_of([row for row in self.rows if row.triple and row.triple[2]])
        subject, predicate, value = row.triple

        def tell(telling: Telling) -> None:
            telling.acting(origin, trust).end_fact(subject, predicate, value, at=day(8 + number / 8))

        return self._step(f"end {row.name}", origin, tell)

    def end_it(self) -> Step:
        (origin, trust), name, at = self._source(), self.one_of(self.said), day(self.one_of(range(1, 9)))
        return self._step(
            f"end by id {name} {at}",
            origin,
            lambda telling: _do(telling.acting(origin, trust).end(telling.id_of(name), at)),
        )

    def alias(self) -> Step:
        (origin, trust), (one, other) = (
            self._source(),
            self.one_of([("ada", "小雨"), ("小雨", "ada"), ("paris", "東京")]),
        )
        return self._step(
            f"alias {one} {other}", origin, lambda telling: _do(telling.acting(origin, trust).add_alias(one, other))
        )

    def unalias(self) -> Step:
        (origin, trust), (one, other) = self._source(), self.one_of([("ada", "小雨"), ("paris", "東京")])
        return self._step(
            f"unalias {one} {other}", origin, lambda telling: telling.acting(origin, trust).remove_alias(one, other)
        )

    def declare(self) -> Step:
        (origin, trust), predicate, many = (
            self._source(),
            self.one_of(["lives_in", "喜歡"]),
            self.one_of([True, True, False]),
        )
        return self._step(
            f"declare {predicate} {many}",
            origin,
            lambda telling: telling.acting(origin, trust).set_predicate(predicate, multi_valued=many),
        )

    def approve(self) -> Step:
        """A person approves the first claim that waits in the shadow of another, if any does."""
        place = self.place
        return self._step("approve", PERSON, lambda telling: _approve(telling, place))

    def archive(self) -> Step:
        """What was said fades and is archived."""
        name = self.one_of(self.said)
        words = f"archive {name}"
        return Step(self.place, words, PERSON, lambda telling: _archive(telling, name), nobodys=True)


def _archive(telling: Telling, name: str) -> None:
    chart = telling.chart
    with chart._services.store.writing() as unit:
        kept = unit.memories.by_id(chart._caller.namespace, [telling.id_of(name)])
        numbers = [one.memory.number for one in kept.values()]
        unit.archive.add(chart._caller.namespace, numbers, unit.last_learned())


def _do(_: object) -> None:
    """What a command gives is of no interest."""


def _approve(telling: Telling, place: int) -> None:
    waiting = [shown for shown in telling.workspace.waiting() if shown.review.kind is ReviewKind.SHADOWED]
    if not waiting:
        raise UnknownMemory("nothing waits")
    shown = min(waiting, key=lambda one: one.memory.key)
    telling.workspace.approve(shown.review.id, shown.digest)
    telling.approved[place] = shown.assertion


def endorse(telling: Telling, claim: Assertion) -> None:
    """Endorse a claim whether or not it waits; raises `UnknownMemory` where nobody made it."""
    services, person = telling.workspace._services, telling.workspace._caller
    owner = telling.chart._caller.namespace
    with services.store.writing() as unit:
        kept = unit.memories.by_key(owner, [claim.key]).get(claim.key)
        said = unit.records.assertions(owner, [kept.memory.number]) if kept else []
        found = next((a for a in said if a.identity == claim.identity), None)
        if kept is None or found is None:
            raise UnknownMemory("the claim was never made")
        shown: Any = SimpleNamespace(assertion=found)
        _endorse(services, replace(person, namespace=owner), unit, shown)


KINDS: Final = (
    *("store",) * 7,
    *("derive", "derive", "repeat", "withdraw", "purge", "supersede", "supersede", "take_over", "correct"),
    *("end", "end_it", "alias", "unalias", "declare", "approve"),
)
_FIRST: Final = frozenset({"store", "alias", "unalias", "declare", "purge"})


@st.composite
def programs(draw: st.DrawFn, most: int = 12, *, marked: bool | None = None) -> Program:
    """Programs of at most `most` steps of several sources, half of them marked unless it is said.

    What fades does so at the end: a source that says it again would bring it back, and forgotten, could not undo that.
    """
    rows = draw(st.sampled_from(SCENES))
    marked = draw(st.booleans()) if marked is None else marked
    writing = _Writing(draw, [], rows, marked)
    for kind in draw(st.lists(st.sampled_from(KINDS), min_size=most // 2, max_size=most)):
        possible = writing.said or kind in _FIRST
        if kind == "end" and not any(row.triple and row.triple[2] for row in rows):
            possible = False
        if kind == "repeat" and not any(step.stores for step in writing.steps):
            possible = False
        writing.steps.append(getattr(writing, kind if possible else "store")())
    for _ in range(draw(st.sampled_from([0, 0, 1, 2])) if writing.said else 0):
        writing.steps.append(writing.archive())
    return writing.steps


def told(step: Step, telling: Telling) -> KarteError | None:
    """Tell one step; gives why it was refused, if it was."""
    try:
        step.tell(telling)
    except KarteError as error:
        return error
    return None
