"""Laws of what is derived by upkeep: beliefs, what is promoted of sessions, and what is merged."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, Final

from hypothesis import strategies as st

from karte.core.assertions import Assertion, LinkKind
from karte.core.beliefs import holders, is_copy
from karte.core.conflicts import Said
from karte.core.memories import Layer
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.results import Item
from karte.core.standing import counting_assertions
from karte.core.trust import DEFAULT_TIERS
from karte.engine.gathering import Frame
from karte.engine.learning.claims import believed_of
from karte.errors import UnknownOrigin
from karte.ports import Reading
from karte.testing.programs import TOLD
from karte.workspace import Chart
from tests.knowledge.wholes import everything, forget
from tests.laws.forgetting_workspaces import UNCOUNTED
from tests.laws.opening import Desk, opened
from tests.stores import Making

SOURCES: Final = (Origin("user_direct", "a"), Origin("agent_derived", "b"), Origin("channel", "c"))
AGENTS: Final = ("dudu", "ゆき", "민수")
LAW: Final = "法務"
_HOME: Final = {"subject": "Ada", "predicate": "lives in"}
FACTS: Final[tuple[dict[str, Any], ...]] = (
    {"content": "部署在東京機房執行"},
    {"content": "部署于东京机房执行"},
    {"content": "The API listens on port 80", "domain": LAW},
    {"content": "On port 80 the API listens", "domain": LAW},
    {"content": "The API listens on port 81", "domain": LAW},
    {"content": "Ada lives in Paris", **_HOME, "object": "Paris", "domain": LAW},
    {"content": "Ada's home is Paris", **_HOME, "object": "Paris", "domain": LAW},
    {"content": "Ada lives in Oslo", **_HOME, "object": "Oslo", "domain": LAW},
)
NOBODYS: Final = "what nobody says"
ITEMS: Final = ("週五不部署", "오늘은 쉰다")


@dataclass(frozen=True)
class Step:
    """What an agent does: it says a fact, or something for a session, derives from a fact or withdraws it; or upkeep runs."""

    kind: str
    agent: int
    what: int
    source: int
    trust: float
    session: int


Program = Sequence[Step]


def programs(most: int = 12) -> st.SearchStrategy[list[Step]]:
    """Programs in which agents often say the same."""
    kinds = st.sampled_from(["say"] * 6 + ["remember"] * 3 + ["derive", "withdraw", "upkeep"])
    trust, agent = st.sampled_from([1.0, 1.0, 0.6, 0.3]), st.sampled_from([0, 1, 0, 1, 2])
    what = st.sampled_from([0, 0, 1, 2, 2, 3, 4, 5, 6, 7])
    step = st.builds(Step, kinds, agent, what, st.integers(0, 2), trust, st.integers(0, 1))
    return st.lists(step, min_size=3, max_size=most)


@dataclass
class _Telling:
    desk: Desk

    def __post_init__(self) -> None:
        self.charts = [self.desk.workspace.agent(name) for name in AGENTS]
        self.desk.workspace.create_domain(LAW)

    def tell(self, place: int, step: Step) -> None:
        chart, fact = self.charts[step.agent], FACTS[step.what]
        said: dict[str, Any] = {
            "origin": Origin(*SOURCES[step.source].order[:2], f"m{place}"),
            "trust": step.trust,
            "observed_at": TOLD - timedelta(days=100 - place),
        }
        there = _own(chart, fact["content"])
        if step.kind == "say":
            chart.store(**fact, **said)
        elif step.kind == "remember":
            lasting = "decision" if step.what % 4 == 0 else None
            chart.remember(ITEMS[step.what % 2], f"s{step.session}", memory_type=lasting, **said)
        elif step.kind == "derive" and there:
            chart.store(f"由此得知 {place % 2}", derived_from=[there], domain=LAW, **said)
        elif step.kind == "withdraw" and there:
            chart.withdraw(there)
        elif step.kind == "upkeep":
            self.upkeep()

    def upkeep(self) -> None:
        for chart in (*self.charts, self.desk.workspace):
            chart.consolidate()
        self.desk.workspace.harmonize()


def _own(chart: Chart, content: str) -> str | None:
    """The id of a fact that an agent keeps in these words, whether or not it is in force."""
    owner = Namespace(chart.owner)
    with chart._services.store.reading() as unit:
        kept = unit.memories.get(owner, unit.memories.recent(owner, 1_000, 1_000)).values()
        found = [k.memory for k in kept if k.memory.content == content and k.memory.layer is Layer.SEMANTIC]
    return found[0].id if found else None


def _items(chart: Chart) -> list[Item]:
    return [item for item in chart.list(1_000).memories if item.owner == chart.owner]


def told(desk: Desk, program: Program, without: int | None = None) -> _Telling:
    """Tell a program, but for what one source says in it."""
    telling = _Telling(desk)
    for place, step in enumerate(program):
        if without is None or step.source != without or step.kind in ("withdraw", "upkeep"):
            telling.tell(place, step)
        desk.clock.advance()
    return telling


def above(program: Program, making: Making) -> list[str]:
    """L9: what is above what it was made of, or there without it."""
    with opened(making, DEFAULT_TIERS, UNCOUNTED) as desk:
        told(desk, program).upkeep()
        return [*_unfounded(desk), *_overmerged(desk), *_restless(desk)]


def _unfounded(desk: Desk) -> list[str]:
    """Copies of what no agent says, of what is believed less, of another time, or that one agent alone holds."""
    with desk.workspace._services.store.reading() as unit:
        said = _counting(unit, Namespace())
        sources = {a.identity: (a, trust) for name in AGENTS for a, trust in _believed(unit, Namespace(name))}
    copies = [assertion for assertion in said if is_copy(assertion)]
    found = [wrong for copy in copies for wrong in _wrong(copy, sources.get(copy.rests_on[0]))]
    return [*found, *(["one agent alone holds it"] if len(holders(copies)) == 1 else [])]


def _counting(unit: Reading, owner: Namespace) -> list[Assertion]:
    said = unit.records.assertions(owner, unit.memories.recent(owner, 1_000, 1_000))
    return counting_assertions(said, unit.records.withdrawals(owner, [a.identity for a in said]), DEFAULT_TIERS)


def _believed(unit: Reading, owner: Namespace) -> Iterator[tuple[Assertion, int]]:
    """What counts of what an owner was told, each with how far it is believed."""
    counting = {assertion.identity for assertion in _counting(unit, owner)}
    for number in unit.memories.recent(owner, 1_000, 1_000):
        believed = believed_of(Frame(unit, owner, DEFAULT_TIERS), number)
        said = unit.records.assertions(owner, [number])
        yield from ((a, believed[a.identity]) for a in said if a.identity in counting)


def _wrong(copy: Assertion, source: tuple[Assertion, int] | None) -> list[str]:
    if source is None:
        return [f"{copy.origin} says {NOBODYS}"]
    said, believed = source
    one, other = ((a.origin, a.observed_at, a.valid_from, a.ends_at) for a in (copy, said))
    return [
        *([f"{copy.origin} is trusted {copy.trust} over {believed}"] if copy.trust > believed else []),
        *([f"{copy.origin} is of another time or source"] if one != other else []),
    ]


def _overmerged(desk: Desk) -> list[str]:
    """Texts that are one statement and differ in a value."""
    found = []
    for name in ("", *AGENTS):
        owner = Namespace(name)
        with desk.workspace._services.store.reading() as unit:
            kept = unit.memories.get(owner, unit.memories.recent(owner, 1_000, 1_000))
            keys = {k.memory.key: k.memory.content for k in kept.values()}
            links = unit.records.memory_links(owner, keys) if unit.records.has_links(owner) else []
        for link in links:
            one, other = keys[bytes.fromhex(link.left)], keys[bytes.fromhex(link.right)]
            if link.kind is LinkKind.SAME_AS and _values(one) != _values(other):
                found.append(f"{one!r} and {other!r} are one statement")
    return found


def _values(text: str) -> set[str]:
    return {item.key for item in Said(text).wording.items if item.value}


def _restless(desk: Desk) -> list[str]:
    """What a second run of upkeep changes."""
    telling = _Telling(desk)
    before = everything(desk.workspace)
    telling.upkeep()
    after = everything(desk.workspace)
    return [f"a second run changes {name}" for name in before if before[name] != after[name]]


def forgotten(program: Program, making: Making, source: int) -> str | None:
    """L5: upkeep after a source was forgotten comes to the same as where it was never heard."""
    with opened(making, DEFAULT_TIERS, UNCOUNTED) as desk:
        telling = told(desk, program)
        try:
            forget(desk.workspace, SOURCES[source])
        except UnknownOrigin:
            return None
        left = [wrong for wrong in _unfounded(desk) if NOBODYS in wrong]
        telling.upkeep()
        found = _dump(telling)
    with opened(making, DEFAULT_TIERS, UNCOUNTED) as desk:
        telling = told(desk, program, source)
        telling.upkeep()
        expected = _dump(telling)
    if left:
        return f"before the next run: {left}"
    return None if found == expected else f"{found} in the place of {expected}"


def _dump(telling: _Telling) -> dict[str, Any]:
    """What is in force of each owner, and which conflicts wait."""
    owners = {chart.owner: sorted(map(_shown, _items(chart))) for chart in (*telling.charts, telling.desk.workspace)}
    sessions = [
        sorted(item.content for s in ("s0", "s1") for item in chart.list(session=s).memories)
        for chart in telling.charts
    ]
    waiting = sorted(sorted(fact.content for fact in conflict.facts) for conflict in telling.desk.workspace.conflicts())
    return {**owners, "sessions": sessions, "conflicts": waiting}


def _shown(item: Item) -> tuple[Any, ...]:
    said = sorted((str(one.origin), one.observed_at) for one in item.said)
    marks = tuple(mark for mark in item.marks if mark != "contested")
    return (item.content, item.object or "", item.trust, round(item.confidence, 9), tuple(said), marks)
