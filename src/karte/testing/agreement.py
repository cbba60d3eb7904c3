"""The agreement machine: stores side by side run the same random program and must give the same answers.

A subclass names the stores; hypothesis finds the shortest program on which they differ:

    class Agreement(StoreAgreement):
        def stores(self):
            return {"memory": MemoryStore(), "mine": MyStore()}

    TestAgreement = Agreement.TestCase

Answers are compared as the shapes that callers see, without timings, scores to 1e-9; errors by class and message. At
the end the doctor must find nothing in any of them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from functools import partial
from itertools import cycle
from typing import Any, Final

from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, consumes, initialize, invariant, multiple, rule

from karte.bootstrap import Parts, open_workspace
from karte.core.granting import Grantee, Level
from karte.core.memories import Place
from karte.errors import KarteError
from karte.ports import Domain, Grant, Store, Writing
from karte.testing.parts import CountedIds, GivenClock
from karte.testing.programs import TOLD, day
from karte.workspace import Chart, Workspace

TOLERANCE: Final = 1e-9
"""How far two stores' scores may differ."""

_UNKNOWN: Final = "mem_nowhere"
_SUBJECTS: Final = ("Ada", "ada", "小雨", "ゆき")
_PREDICATES: Final = ("lives in", "喜歡")
_OBJECTS: Final = ("Paris", "東京", "서울")
_TEXTS: Final = (
    "Ada moved to Paris in spring",
    "ada moved to paris in spring!",
    "The lease of room 4 ends in 12 weeks",
    "The lease of room 5 ends in 12 weeks",
    "小雨喜歡在東京喝咖啡",
    "小雨喜欢喝茶",
    "ゆきは京都に住んでいる",
    "오늘 서울에는 비가 온다",
    "rm -rf node_modules",
)
_QUERIES: Final = (
    *_TEXTS,
    "Paris",
    "東京",
    "咖啡",
    "서울",
    "room",
    "lives",
    '"12 weeks"',
    "rm -rf",
    "nothing like it",
    "",
)
_BROAD: Final = "Ada Paris spring room weeks 東京 喝茶 京都 비가 rm"
"""A query that shares terms with nearly everything."""

_ORIGINS: Final = (
    "user_direct:chat:42:m1",
    "user_direct:chat:42:m2",
    "channel:line:7:m1",
    "import:notes.md",
    "tool_echo:run-9",
)

_DOMAINS: Final = (
    Place("work"),
    Place("Work"),
    Place("architecture", "karte"),
    Place("決策"),
    Place("決策", "Karte"),
    Place(None, "karte"),
)
_GRANTEES: Final = (Grantee.agent("dudu"), Grantee.agent("小雨"), Grantee.role("小雨"), Grantee.role("Engineer"))

_names = st.sampled_from(["dudu"] * 8 + ["小雨", ""])
_days = st.integers(-1, 12).map(lambda half: day(half / 2))
_later_days = st.integers(13, 20).map(lambda half: day(half / 2))
_maybe_days = st.one_of(st.none(), st.none(), _days)
_INSTANTS: Final = (None, day(6))
"""When every step is looked at: now, and when most of what is told held."""

_learned = st.one_of(st.none(), st.none(), st.integers(-1, 30).map(lambda s: TOLD + timedelta(seconds=s)))
_places = st.sampled_from([{}, {}, {}, {}, {}, {"domain": "work"}, {"repo": "karte", "domain": "architecture"}])
_texts = st.sampled_from(_TEXTS)
_subjects, _predicates = st.sampled_from(_SUBJECTS), st.sampled_from(_PREDICATES)
_values = st.sampled_from([None, *_OBJECTS])
_triples = st.one_of(
    st.just({}),
    *[st.fixed_dictionaries({"subject": _subjects, "predicate": _predicates, "object": _values})] * 3,
)
_plain_details = st.fixed_dictionaries(
    {},
    optional={
        "observed_at": _days,
        "valid_from": _days,
        "valid_until": _later_days,
        "origin": st.sampled_from(_ORIGINS),
        "trust": st.sampled_from([1.0, 0.6, 0.4, 0.3]),
        "layer": st.sampled_from(["semantic", "semantic", "episodic"]),
        "memory_type": st.sampled_from(["preference", "event"]),
        "tags": st.sampled_from([["家"], ["home", "家"]]),
        "importance": st.sampled_from([0, 7.5]),
        "confidence": st.sampled_from([0.9, 0.2]),
        "metadata": st.sampled_from([{}, {"渠道": ["x", 1]}]),
        "ttl_hours": st.sampled_from([1, 48]),
        "source_event": st.just("call"),
    },
)
_odd_details = st.fixed_dictionaries(
    {},
    optional={
        "idempotency_key": st.sampled_from(["k1", "k2"]),
        "valid_until": _days,
        "observed_at": st.just(TOLD + timedelta(days=1)),
        "origin": st.just("rumour:1"),
        "subject": st.just("Ada"),
        "ttl_hours": st.just(-1),
    },
)
_details = st.one_of(_plain_details, _plain_details, _plain_details, _odd_details)


def _joined(*parts: dict[str, Any]) -> dict[str, Any]:
    return {name: value for part in parts for name, value in part.items()}


_plain_statements = st.builds(_joined, _triples, _places, _plain_details)
_statements = st.builds(_joined, _triples, _places, _details)
_as_of = st.fixed_dictionaries({}, optional={"at": _days, "known_at": _learned})
_wanted = st.fixed_dictionaries(
    {},
    optional={
        "layer": st.sampled_from(["semantic", "episodic"]),
        "domain": st.just("Work"),
        "repo": st.just("karte"),
        "tags": st.just(["家"]),
        "types": st.just(["preference"]),
    },
)
_filters = st.one_of(st.just({}), _as_of, _as_of, st.builds(_joined, _as_of, _wanted))


class StoreAgreement(RuleBasedStateMachine):
    """Runs every step on all stores and compares what they answer; `stores` says which."""

    ids = Bundle("ids")

    def __init__(self) -> None:
        super().__init__()
        self.clock = GivenClock(TOLD)
        self._instants = cycle(_INSTANTS)
        self.workspaces = {name: self._open(store) for name, store in self.stores().items()}

    def stores(self) -> Mapping[str, Store]:
        """New and empty stores by name, at least two."""
        raise NotImplementedError

    def _open(self, store: Store) -> Workspace:
        return open_workspace(":memory:", parts=Parts(store=store, clock=self.clock, ids=CountedIds()))

    def all(self, ask: Callable[[Workspace], Any]) -> Any:
        """Ask every workspace; the answers must be the same. Gives the first."""
        answers = {name: _answer(ask, workspace) for name, workspace in self.workspaces.items()}
        (first, shown), *others = ((name, _shape(answer)) for name, answer in answers.items())
        for name, shape in others:
            assert same(shown, shape), f"{first}: {shown}\n{name}: {shape}"
        return answers[first]

    def each(self, agent: str, ask: Callable[[Chart], Any]) -> Any:
        """Ask the chart of an agent, the workspace's own where the name is empty."""
        return self.all(lambda workspace: ask(workspace.agent(agent) if agent else workspace))

    @initialize(target=ids, items=st.lists(st.tuples(_texts, _plain_statements), min_size=2, max_size=6))
    def begin(self, items: list[tuple[str, dict[str, Any]]]) -> Any:
        """Begin with a few statements of one agent and what follows from the first, so that there is a difference to find."""
        batch = [{"content": text, **options} for text, options in items]
        stored = self.each("dudu", lambda chart: chart.store_many(batch))
        if not isinstance(stored, KarteError):
            stored.append(self.each("dudu", lambda chart: chart.store("So it is", derived_from=[stored[0].memory_id])))
        return _ids(stored)

    @rule(seconds=st.sampled_from([1, 1, 1, 60, 90_000, -30]))
    def let_time_pass(self, seconds: int) -> None:
        """Move the clock; an earlier time must not disturb anybody."""
        self.clock.advance(seconds)

    @rule(target=ids, agent=_names, text=_texts, options=_statements)
    def store(self, agent: str, text: str, options: dict[str, Any]) -> Any:
        """Store a statement."""
        return _ids(self.each(agent, lambda chart: chart.store(text, **options)))

    @rule(target=ids, text=_texts, options=_plain_statements)
    def store_more(self, text: str, options: dict[str, Any]) -> Any:
        """Store a statement that nothing speaks against, for the agent who is asked most."""
        return self.store("dudu", text, options)

    @rule(target=ids, agent=_names, items=st.lists(st.tuples(_texts, _statements), max_size=4))
    def store_many(self, agent: str, items: list[tuple[str, dict[str, Any]]]) -> Any:
        """Store several statements in one transaction."""
        batch = [{"content": text, **options} for text, options in items]
        return _ids(self.each(agent, lambda chart: chart.store_many(batch)))

    @rule(target=ids, agent=_names, parents=st.lists(ids, min_size=1, max_size=2), options=_statements)
    def derive(self, agent: str, parents: list[str], options: dict[str, Any]) -> Any:
        """Store what follows from other memories."""
        return _ids(self.each(agent, lambda chart: chart.store("It follows", derived_from=parents, **options)))

    @rule(target=ids, agent=_names, expected=ids, options=_statements)
    def replace_current(self, agent: str, expected: str, options: dict[str, Any]) -> Any:
        """Store a statement only if another one is in force."""
        return _ids(self.each(agent, lambda chart: chart.store("Instead", expect_current=expected, **options)))

    @rule(target=ids, agent=_names, loser=ids, text=_texts, effective=_maybe_days)
    def supersede(self, agent: str, loser: str, text: str, effective: datetime | None) -> Any:
        """Let a new text take over."""
        return _ids(self.each(agent, lambda chart: chart.supersede(loser, text, effective=effective)))

    @rule(agent=_names, loser=ids, winner=ids, effective=_maybe_days)
    def take_over(self, agent: str, loser: str, winner: str, effective: datetime | None) -> None:
        """Let one memory take over from another."""
        self.each(agent, lambda chart: chart.supersede(loser, winner, effective=effective))

    @rule(target=ids, agent=_names, memory_id=ids, at=_maybe_days)
    def end(self, agent: str, memory_id: str, at: datetime | None) -> Any:
        """End a memory."""
        return _ids(self.each(agent, lambda chart: chart.end(memory_id, at)))

    @rule(
        target=ids,
        agent=_names,
        subject=_subjects,
        predicate=_predicates,
        value=_values,
        at=_maybe_days,
        place=_places,
    )
    def end_fact(
        self, agent: str, subject: str, predicate: str, value: str | None, at: datetime | None, place: dict[str, str]
    ) -> Any:
        """End a fact by its names."""
        return _ids(self.each(agent, lambda chart: chart.end_fact(subject, predicate, value, at=at, **place)))

    @rule(agent=_names, memory_id=ids, ceiling=st.sampled_from([10_000, 10_000, 3_000]))
    def withdraw(self, agent: str, memory_id: str, ceiling: int) -> None:
        """Withdraw a memory, also by somebody who is not trusted enough."""
        self.each(agent, lambda chart: chart.acting(trust_ceiling=ceiling).withdraw(memory_id, "wrong"))

    @rule(target=ids, agent=_names, memory_id=ids, text=_texts, value=_values)
    def correct(self, agent: str, memory_id: str, text: str, value: str | None) -> Any:
        """State the right thing instead."""
        return _ids(self.each(agent, lambda chart: chart.correct(memory_id, text, object=value, reason="wrong")))

    @rule(agent=_names, origin=st.sampled_from([*_ORIGINS, "user_direct:chat:42", "channel:line"]), since=_learned)
    def invalidate(self, agent: str, origin: str, since: datetime | None) -> None:
        """Withdraw what a source said."""
        self.each(agent, lambda chart: chart.invalidate_by_origin(origin, since))

    @rule(agent=_names, memory_id=consumes(ids), other=ids)
    def erase(self, agent: str, memory_id: str, other: str) -> None:
        """Erase a memory, and perhaps another one with it."""
        named = [memory_id, _UNKNOWN, *([other] if other > memory_id else [])]
        self.each(agent, lambda chart: chart.erase(named, scrub=False))

    @rule(agent=_names, one=st.sampled_from([*_SUBJECTS, *_OBJECTS]), other=st.sampled_from([*_SUBJECTS, *_OBJECTS]))
    def add_alias(self, agent: str, one: str, other: str) -> None:
        """Join two names."""
        self.each(agent, lambda chart: chart.add_alias(one, other))

    @rule(agent=_names, pick=st.integers(0, 3))
    def remove_alias(self, agent: str, pick: int) -> None:
        """Part two names again."""
        known = self.each(agent, lambda chart: chart.aliases())
        if known:
            alias = known[pick % len(known)]
            self.each(agent, lambda chart: chart.remove_alias(alias.canonical, alias.alias))

    @rule(agent=_names, predicate=_predicates, many=st.sampled_from([True, True, False]))
    def declare(self, agent: str, predicate: str, many: bool) -> None:  # noqa: FBT001 - hypothesis gives arguments by name
        """Say whether a predicate has many values."""
        self.each(agent, lambda chart: chart.set_predicate(predicate, multi_valued=many))
        self.each(agent, lambda chart: chart.multi_valued())

    @rule(agent=_names, query=st.sampled_from(_QUERIES), limit=st.sampled_from([1, 3, 10]), filters=_filters)
    def search(self, agent: str, query: str, limit: int, filters: dict[str, Any]) -> None:
        """Search, with all that was left out."""
        self.each(agent, lambda chart: chart.search(query, limit=limit, explain=True, **filters))

    @rule(agent=_names, limit=st.sampled_from([1, 20]), filters=_filters)
    def list_newest(self, agent: str, limit: int, filters: dict[str, Any]) -> None:
        """List what was kept last."""
        self.each(agent, lambda chart: chart.list(limit, **filters))

    @rule(
        agent=_names,
        subject=_subjects,
        predicate=_predicates,
        at=_maybe_days,
        known_at=_learned,
    )
    def read_fact(
        self, agent: str, subject: str, predicate: str, at: datetime | None, known_at: datetime | None
    ) -> None:
        """Read a fact at an instant, its history, and all that is known of its subject."""
        self.each(agent, lambda chart: chart.at(subject, predicate, at, known_at=known_at))
        self.each(agent, lambda chart: chart.history(subject, predicate, known_at=known_at))
        self.each(agent, lambda chart: chart.timeline(subject, known_at=known_at))

    @rule(target=ids, agent=_names, text=_texts, session=st.sampled_from(["s1", "會議"]), options=_plain_details)
    def work_in_a_session(self, agent: str, text: str, session: str, options: dict[str, Any]) -> Any:
        """Observe something, keep something for a session, and look there."""
        kept = {name: options[name] for name in ("origin", "trust", "memory_type", "importance") if name in options}
        self.each(agent, lambda chart: chart.observe(text, **kept))
        stored = self.each(agent, lambda chart: chart.remember(text, session, ttl_hours=1, **kept))
        self.each(agent, lambda chart: chart.search(text, session=session, explain=True))
        return _ids(stored)

    @rule(agent=_names, text=st.sampled_from(["", *_TEXTS]), known_at=_learned)
    def write_notes(self, agent: str, text: str, known_at: datetime | None) -> None:
        """Write a pad anew or clear it, and read it, now and then."""
        self.each(agent, lambda chart: chart.update_notes(text))
        self.each(agent, lambda chart: chart.notes(known_at=known_at))

    @rule(agent=_names)
    def keep_up(self, agent: str) -> None:
        """Consolidate what one owner keeps, and harmonise what all agents hold; first only say what would be done."""
        for dry_run in (True, False):
            self.each(agent, partial(Chart.consolidate, dry_run=dry_run))
            self.all(partial(Workspace.harmonize, dry_run=dry_run))

    @rule(agent=_names, memory_ids=st.lists(ids, min_size=1, max_size=3), known_at=_learned)
    def read(self, agent: str, memory_ids: list[str], known_at: datetime | None) -> None:
        """Read memories by id, and the history of one."""
        self.each(agent, lambda chart: chart.fetch([*memory_ids, _UNKNOWN]))
        self.each(agent, lambda chart: chart.read(memory_ids[0]))
        self.each(agent, lambda chart: chart.history(memory_ids[0], known_at=known_at))
        self.all(lambda workspace: workspace.stats())

    @rule(
        place=st.sampled_from(_DOMAINS),
        label=st.sampled_from(["", "決策", "Work"]),
        confidential=st.booleans(),
        usual=st.sampled_from(Level),
    )
    def keep_domain(self, place: Place, label: str, *, confidential: bool, usual: Level) -> None:
        """Keep a domain in the place of the one with its scope; agents see what the workspace holds in it."""
        domain = Domain(place, label, label, confidential, usual, "", self.clock.now())
        self.all(partial(_put, put=lambda unit: unit.domains.keep(domain)))
        self.all(_known)

    @rule(place=st.sampled_from(_DOMAINS), grantee=st.sampled_from(_GRANTEES), level=st.sampled_from(Level))
    def grant(self, place: Place, grantee: Grantee, level: Level) -> None:
        """Say what somebody may do in a domain, be it there or not."""
        self.all(partial(_put, put=lambda unit: unit.domains.grant(Grant(place.scope, grantee, level))))
        self.all(_known)

    @invariant()
    def show_the_same(self) -> None:
        """After every step: by turns what holds now, and what held when most of what is told held."""
        self.each("dudu", partial(_look, at=next(self._instants)))

    def teardown(self) -> None:
        """Look at the end, and close every workspace whatever is found: what stays open would fail another test."""
        try:
            self.look_at_the_end()
        finally:
            for workspace in self.workspaces.values():
                workspace.close()

    def look_at_the_end(self) -> None:
        """Look at what is left and at the domains once more, and let the doctor look at every workspace."""
        for _ in _INSTANTS:
            self.show_the_same()
        self.all(_known)
        for name, workspace in self.workspaces.items():
            assert (name, *workspace.doctor().differences) == (name,)


def _look(chart: Chart, at: datetime | None) -> list[Any]:
    return [chart.list(20, at=at), chart.search(_BROAD, limit=5, at=at)]


def _put(workspace: Workspace, put: Callable[[Writing], None]) -> None:
    """Write to the store of a workspace as no command does: at any time, by anybody."""
    with workspace._services.store.writing() as unit:  # noqa: SLF001 - see above
        put(unit)


def _known(workspace: Workspace) -> list[Any]:
    """The domains and the grants in them, by both ways to ask."""
    with workspace._services.store.reading() as unit:  # noqa: SLF001 - no command shows them as they are kept
        found = [unit.domains.find(place.scope) for place in _DOMAINS]
        return [unit.domains.all(), unit.domains.grants(), found]


def _answer(ask: Callable[[Workspace], Any], workspace: Workspace) -> Any:
    try:
        return ask(workspace)
    except KarteError as error:
        return error


def _ids(answer: Any) -> Any:
    """The ids that a write gave."""
    if isinstance(answer, KarteError):
        return multiple()
    receipts = answer if isinstance(answer, list) else [answer]
    return multiple(*(receipt.memory_id for receipt in receipts))


def _shape(answer: Any) -> Any:
    """An answer as callers see it."""
    if isinstance(answer, KarteError):
        return [type(answer).__name__, answer.message]
    if isinstance(answer, list):
        return [_shape(part) for part in answer]
    shape = answer.to_dict() if hasattr(answer, "to_dict") else answer
    return {name: part for name, part in shape.items() if name != "timings_ms"} if isinstance(shape, dict) else shape


def same(one: Any, other: Any) -> bool:
    """Whether two shapes are equal, numbers to `TOLERANCE`."""
    if isinstance(one, float) and isinstance(other, float):
        return abs(one - other) <= TOLERANCE
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(part, other[name]) for name, part in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(same(*parts) for parts in zip(one, other, strict=True))
    return bool(one == other)
