"""Random programs of commands for a workspace, with what must come before what.

A program is a list of steps in an order that makes sense. Two steps are bound to that order only where one acts on
what the other says: whatever is withdrawn, corrected, superseded or ended must have been said, and exactly that must
have been said. All other steps may be told in any order, and the workspace must come to the same. Everything that
could let the order leak is given: observed_at and valid_from always, and each command has an instant of its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any, Final

from hypothesis import strategies as st

from karte.core.origins import Origin
from karte.core.results import Receipt
from karte.workspace import Chart

START: Final = datetime(2026, 1, 1, tzinfo=UTC)
"""When the first thing holds; instants of the world are whole days after it."""

TOLD: Final = datetime(2027, 1, 1, tzinfo=UTC)
"""When a program begins to be told."""

DAYS: Final = 16
_LATER: Final = 20


def day(number: float) -> datetime:
    """An instant of the world that programs speak about."""
    return START + timedelta(days=number)


INSTANTS: Final = tuple(day(number + half) for number in range(-1, _LATER) for half in (0, 0.5))


@dataclass(frozen=True)
class Row:
    """What a store states; `spellings` are ways to write its text."""

    spellings: tuple[str, ...]
    triple: tuple[str, str, str | None] | None = None

    @property
    def name(self) -> str:
        """The row as steps name it."""
        return f"{self.triple}: {self.spellings[0]}"


def _keyed(subject: str, predicate: str, value: str) -> Row:
    return Row(
        (f"{subject} {predicate} {value}", f"{subject} {predicate}  {value.upper()}"), (subject, predicate, value)
    )


_PEOPLE: Final = ("ada", "小雨")
_VALUES: Final = ("paris", "東京")
_ADA: Final = tuple(_keyed("ada", predicate, value) for predicate in ("lives_in", "喜歡") for value in _VALUES)
_LIKED: Final = (
    Row(("ada 喜歡 little",), ("ada", "喜歡", None)),
    *(_keyed("小雨", "喜歡", value) for value in _VALUES),
)
_HOMES: Final = tuple(_keyed(person, "lives_in", value) for person in _PEOPLE for value in _VALUES)
_THERE: Final = tuple(Row(("over there",), (person, "lives_in", value)) for person in _PEOPLE for value in _VALUES)
_FREE: Final = tuple(Row((text,)) for text in ("비가 온다", "晴れ", "the office is closed"))

ROWS: Final = tuple(dict.fromkeys((*_ADA, *_LIKED, *_HOMES, *_THERE, *_FREE)))
"""All that programs state."""

SCENES: Final = (ROWS, _ADA, (*_LIKED, *_ADA[2:]), _HOMES, (*_THERE, *_HOMES[:2]), (*_FREE, *_ADA[:2]))
"""Rows that are likely to meet: one subject, many values, two subjects, statements under aliases, free text."""

_ORIGINS: Final = tuple(
    Origin(kind, box, item)
    for kind, box in (("operator", "s"), ("user_direct", "t"), ("channel", "u"))
    for item in "12"
)


@dataclass
class Telling:
    """A program that is being told to a chart: the ids of what was said so far, by name."""

    chart: Chart
    ids: dict[str, str] = field(default_factory=dict)

    def keep(self, name: str, receipt: Receipt) -> None:
        """Remember under which id a row is kept."""
        self.ids[name] = receipt.memory_id

    def acting(self, trust: int) -> Chart:
        """The chart for a caller of this trust, in basis points."""
        return self.chart.acting(origin=Origin("operator", f"trusted-{trust}"), trust_ceiling=trust)


@dataclass(frozen=True)
class Step:
    """One command: what it says, what it acts on, and how it is told. `says` and `reads` are names of rows and links."""

    words: str
    tell: Callable[[Telling], Any] = field(repr=False, compare=False)
    says: frozenset[str] = field(default=frozenset(), repr=False)
    reads: frozenset[str] = field(default=frozenset(), repr=False)

    def bound_to(self, earlier: Step) -> bool:
        """Whether the order of these two steps matters: one acts on what the other says."""
        return bool(self.reads & earlier.says or self.says & earlier.reads or self.words == earlier.words)

    def names(self, row: str) -> bool:
        """Whether the step acts on a row."""
        return bool(self.reads & {row, f"first {row}"})


Program = list[Step]


def names_stored(program: Program) -> list[str]:
    """The rows that a program stores, by name, in order."""
    stored = {name for step in program if step.words.startswith("store ") for name in step.says}
    return sorted(stored & {row.name for row in ROWS})


def orders(program: Program, chance: Random) -> Iterator[Program]:
    """Random orders of a program that keep what must come before what, without end."""
    before = [{place for place in range(at) if step.bound_to(program[place])} for at, step in enumerate(program)]
    while True:
        told: list[int] = []
        while len(told) < len(program):
            ready = [at for at in range(len(program)) if at not in told and before[at] <= set(told)]
            told.append(chance.choice(ready))
        yield [program[at] for at in told]


def tell(program: Program, chart: Chart, after: Callable[[], None]) -> Telling:
    """Tell a program to a chart; `after` is called after each step."""
    telling = Telling(chart)
    for step in program:
        step.tell(telling)
        after()
    return telling


@dataclass(frozen=True)
class _Writing:
    """A program that is being written."""

    draw: st.DrawFn
    steps: Program
    rows: Sequence[Row]

    def one_of(self, things: Sequence[Any]) -> Any:
        return self.draw(st.sampled_from(things))

    @property
    def told(self) -> list[str]:
        return sorted({name for step in self.steps for name in step.says if name.startswith(("(", "None", "by "))})

    @property
    def endable(self) -> list[tuple[str, str, str | None]]:
        """The facts that can be ended whether or not their predicate has many values."""
        return sorted(
            {row.triple for row in self.rows if row.triple and row.triple[2] and row.name in self.told}, key=str
        )

    def options(self) -> dict[str, Any]:
        start = self.one_of(range(8))
        length = self.one_of([None, None, 1, 2, 5])
        return {
            "observed_at": day(self.one_of(range(3))),
            "valid_from": day(start),
            "valid_until": None if length is None else day(start + length),
            "origin": self.one_of(_ORIGINS),
            "trust": self.one_of([1.0, 1.0, 0.6, 0.4, 0.3]),
            "tags": self.one_of([None, ["家"], ["집", "家"]]),
            "importance": self.one_of([None, 2, 9]),
            "confidence": self.one_of([None, 0.9, 0.2]),
            "expires_at": self.one_of([None, None, None, TOLD + timedelta(days=30)]),
        }

    def store(self, parents: Sequence[str] = ()) -> Step:
        row, options = self.one_of(self.rows), self.options()
        text = self.one_of(row.spellings)
        names: dict[str, Any] = dict(zip(("subject", "predicate", "object"), row.triple or (), strict=False))

        def told(telling: Telling) -> None:
            derived = [telling.ids[parent] for parent in parents] or None
            telling.keep(row.name, telling.chart.store(text, derived_from=derived, **names, **options))

        says = frozenset({row.name, f"from {options['origin']}"})
        reads = frozenset(f"first {parent}" for parent in parents)
        words = f"store {text!r} {_told(options)} from {list(parents)}"
        return Step(words, told, says | self._first(row.name), reads)

    def _first(self, name: str) -> frozenset[str]:
        """What a derivation waits for: that its parent is there, whoever says it again later."""
        return frozenset() if name in self.told else frozenset({f"first {name}"})

    def derive(self) -> Step:
        return self.store(self.draw(st.lists(st.sampled_from(self.told), min_size=1, max_size=2, unique=True)))

    def withdraw(self) -> Step:
        name, trust = self.one_of(self.told), self.one_of([10_000, 3_000])
        return Step(
            f"withdraw {name} by {trust}",
            lambda telling: telling.acting(trust).withdraw(telling.ids[name]),
            reads=frozenset({name}),
        )

    def supersede(self) -> Step:
        name, trust, number = self.one_of(self.told), self.one_of([10_000, 10_000, 3_000]), len(self.steps)
        text = f"by {number}"

        def told(telling: Telling) -> None:
            chart = telling.acting(trust)
            telling.keep(text, chart.supersede(telling.ids[name], text, object=text, effective=day(8 + number / 8)))

        return Step(
            f"supersede {name} by {trust}, {number}", told, frozenset({text, f"first {text}"}), frozenset({name})
        )

    def take_over(self) -> Step:
        """Supersede one memory by another: a guest, where they answer two questions."""
        loser, winner = self.draw(st.permutations(self.told))[:2]
        number = len(self.steps)

        def told(telling: Telling) -> None:
            telling.chart.supersede(telling.ids[loser], telling.ids[winner], effective=day(8 + number / 8))

        return Step(f"{winner} supersedes {loser}, {number}", told, frozenset({winner}), frozenset({loser, winner}))

    def end(self) -> Step:
        subject, predicate, value = self.one_of(self.endable)
        number, trust = len(self.steps), self.one_of([10_000, 10_000, 3_000])

        def told(telling: Telling) -> None:
            receipt = telling.acting(trust).end_fact(subject, predicate, value, at=day(8 + number / 8))
            telling.keep(f"end {number}", receipt)

        named = frozenset(f"first {row.name}" for row in self.rows if row.triple == (subject, predicate, value))
        words = f"end {subject} {predicate} {value} by {trust}, {number}"
        return Step(words, told, reads=frozenset({f"predicate {predicate}"}) | named & self._said())

    def _said(self) -> frozenset[str]:
        return frozenset(name for step in self.steps for name in step.says)

    def alias(self) -> Step:
        one, other = self.one_of([("ada", "小雨"), ("小雨", "ada"), ("paris", "東京"), ("ada", "paris")])
        name = frozenset({f"alias {sorted((one, other))}"})
        return Step(f"alias {one} {other}", lambda telling: telling.chart.add_alias(one, other), name, name)

    def unalias(self) -> Step:
        joined = [step for step in self.steps if step.words.startswith("alias ")]
        apart = [step for step in self.steps if step.words.startswith("unalias ")]
        standing = [step for step in joined if not any(step.says == other.says for other in apart)]
        if not standing:
            return self.alias()
        _, one, other = self.one_of(standing).words.split()
        name = frozenset({f"alias {sorted((one, other))}"})
        return Step(f"unalias {one} {other}", lambda telling: telling.chart.remove_alias(one, other), name, name)

    def declare(self) -> Step:
        predicate, many = self.one_of(["lives_in", "喜歡"]), self.one_of([True, True, False])
        name = frozenset({f"predicate {predicate}"})
        return Step(
            f"declare {predicate} {many} {len(self.steps)}",
            lambda telling: telling.chart.set_predicate(predicate, multi_valued=many),
            name,
            name,
        )

    def purge(self) -> Step:
        origin = self.one_of(sorted({name for step in self.steps for name in step.says if name.startswith("from ")}))
        return Step(
            f"purge {origin}",
            lambda telling: telling.chart.invalidate_by_origin(origin.removeprefix("from ")),
            reads=frozenset({origin}),
        )


def _told(options: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={value}" for name, value in options.items() if value is not None)


_KINDS: Final = ("store",) * 6 + (
    "derive",
    "withdraw",
    "supersede",
    "take_over",
    "end",
    "alias",
    "unalias",
    "declare",
    "purge",
)
_NEEDS_TWO: Final = ("take_over",)


@st.composite
def programs(
    draw: st.DrawFn,
    most: int = 10,
    kinds: Sequence[str] = _KINDS,
    scenes: Sequence[Sequence[Row]] = SCENES,
) -> Program:
    """Programs of at most `most` steps about the facts of one scene; a kind may stand in `kinds` more than once."""
    writing = _Writing(draw, [], draw(st.sampled_from(scenes)))
    for kind in draw(st.lists(st.sampled_from(kinds), min_size=most // 2, max_size=most)):
        possible = _possible(writing, kind)
        step = getattr(writing, kind if possible else "store")()
        writing.steps.append(step)
    return writing.steps


def retelling(most: int = 10) -> st.SearchStrategy[Program]:
    """Programs in which aliases make statements of several rows, and some of them are guests."""
    return programs(most, ("store", "store", "store", "alias", "take_over"), [_THERE])


def deriving(most: int = 8) -> st.SearchStrategy[Program]:
    """Programs in which much rests on something else."""
    return programs(most, ("store", "store", "derive", "derive", "derive", "withdraw", "purge"))


def _possible(writing: _Writing, kind: str) -> bool:
    if kind == "end":
        return bool(writing.endable)
    if kind == "purge":
        return any(step.words.startswith("store") for step in writing.steps)
    return len(writing.told) > (kind in _NEEDS_TWO)
