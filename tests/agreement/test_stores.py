"""All stores run the same random programs and give the same answers."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import multiple, rule

from karte.engine.deciding.reviewing import Decided
from karte.engine.remembering.turns import Chat, Turn
from karte.errors import KarteError
from karte.ports import Store
from karte.testing.agreement import StoreAgreement
from karte.testing.programs import TOLD
from karte.workspace import Chart, Workspace
from tests.conftest import PROFILE
from tests.stores import STORES

PROGRAMS = 40 if PROFILE == "fast" else 600
STEPS = 25
"""Of each program; after each step the stores are looked at twice, which takes most of the time."""

YEARS = 2 * 365 * 86_400

ALLOWED = (
    "é",
    "e\u0301",
    "E",
    "ß",
    "SS",
    "İ",
    "ı",
    "x",
    "x ",
    "x\n",
    "100%",
    "a_b",
    "a\\b",
    "it's",
    '"; DROP TABLE memory; --',
    "$1 :name %s {}",
    "\u00a0",
    "\u200b",
    "\ufeff",
    "\uffee",
    "\U00010000",
    "👩\u200d💻",
    "𠮷野家",
    "한국어",
    "(long)",
    '{"a": [1, null]}',
)
"""Texts that databases sort, fold, trim, quote, index or cut each in its own way."""

REFUSED = ("", " ", "a\0b", "\0", "\ud83e", "a\udc80", "(too long)")

SPELLED = {"(long)": "長" * 3_000, "(too long)": "長" * 30_000}
"""What stands for a text, so that a program is not too long to be read."""

odd = st.sampled_from([*ALLOWED, *ALLOWED, *REFUSED]).map(lambda text: SPELLED.get(text, text))
owners = st.one_of(st.just("dudu"), st.just("dudu"), odd)

EARLY, LATE = datetime(1, 1, 1, tzinfo=UTC), datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
MOMENT = timedelta(microseconds=1)
instants = st.sampled_from(
    [
        EARLY,
        EARLY + MOMENT,
        datetime(1883, 11, 18, tzinfo=UTC),
        datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
        datetime(1970, 1, 1, tzinfo=UTC),
        TOLD - MOMENT,
        TOLD,
        datetime(2000, 1, 1, 0, 0, 0, 1, tzinfo=UTC),
        LATE - MOMENT,
        LATE,
        "2026-03-29T02:30:00.123456+08:00",
        "1700-02-28",
    ]
)
options = st.fixed_dictionaries(
    {},
    optional={
        **dict.fromkeys(("domain", "repo", "topic", "session", "speaker", "source_event", "idempotency_key"), odd),
        **dict.fromkeys(("observed_at", "valid_from", "valid_until"), instants),
        "origin": odd.map(lambda text: f"channel:{text}"),
        "tags": st.lists(odd, max_size=3),
        "metadata": st.dictionaries(odd, st.one_of(odd, st.integers(), st.floats(allow_nan=False)), max_size=2),
        "layer": st.sampled_from(["semantic", "episodic"]),
        "importance": st.floats(0, 10),
        "confidence": st.floats(0, 1),
        "trust": st.floats(0, 1),
    },
)
triples: st.SearchStrategy[dict[str, Any]] = st.one_of(
    st.just({}), st.fixed_dictionaries({"subject": odd, "predicate": st.just("likes"), "object": odd})
)
wanted = st.fixed_dictionaries(
    {},
    optional={
        "domain": odd,
        "repo": odd,
        "session": odd,
        "tags": st.lists(odd, max_size=2),
        "at": instants,
        "known_at": instants,
    },
)
turns = st.lists(
    st.tuples(st.sampled_from(["Mei", "İda", "x "]), odd, st.one_of(st.none(), st.integers(-3, 3))), max_size=4
)


def _maintained(workspace: Workspace) -> Any:
    """What maintenance did, but for whether files were scrubbed: where others share the tables that is left to them."""
    done = workspace.maintain().to_dict()
    return {**done, "decay": {name: value for name, value in done["decay"].items() if name != "scrubbed"}}


def _decided(
    decide: Callable[[Workspace, str, str], Decided], review_id: str, digest: str, workspace: Workspace
) -> Any:
    return decide(workspace, review_id, digest)


class Agreement(StoreAgreement):
    """Every store that there is, with texts, names and times that only some of them might bear."""

    def stores(self) -> Mapping[str, Store]:
        self.folder = TemporaryDirectory()
        return {name: making(Path(self.folder.name)) for name, making in STORES.items()}

    def teardown(self) -> None:
        try:
            super().teardown()
        finally:
            self.folder.cleanup()

    @rule(target=StoreAgreement.ids, agent=owners, text=odd, options=options, triple=triples)
    def store_what_is_odd(self, agent: str, text: str, options: dict[str, Any], triple: dict[str, Any]) -> Any:
        stored = self.each(agent, lambda chart: chart.store(text, **triple, **options))
        return multiple() if isinstance(stored, KarteError) else stored.memory_id

    @rule(agent=owners, query=odd, options=wanted)
    def look_for_what_is_odd(self, agent: str, query: str, options: dict[str, Any]) -> None:
        self.each(agent, lambda chart: chart.search(query, explain=True, floor=0, **options))
        self.each(agent, lambda chart: chart.list(20, **options))

    @rule(agent=owners, subject=odd, at=instants, known_at=instants)
    def read_what_is_odd(self, agent: str, subject: str, at: Any, known_at: Any) -> None:
        self.each(agent, lambda chart: chart.at(subject, "likes", at))
        self.each(agent, lambda chart: chart.history(subject, "likes", known_at=known_at))
        self.each(agent, lambda chart: chart.timeline(subject))
        self.all(lambda workspace: workspace.agents())

    @rule(agent=owners, name=odd, known=StoreAgreement.ids)
    def name_what_is_not_there(self, agent: str, name: str, known: str) -> None:
        self.each(agent, lambda chart: chart.read(name))
        self.each(agent, lambda chart: chart.fetch([name, known]))
        self.each(agent, lambda chart: chart.history(name))
        self.each(agent, lambda chart: chart.supersede(name, "newer"))
        self.each(agent, lambda chart: chart.supersede(known, name))
        self.each(agent, lambda chart: chart.end(name))
        self.each(agent, lambda chart: chart.end_fact(name, "likes"))
        self.each(agent, lambda chart: chart.withdraw(name, "gone"))
        self.each(agent, lambda chart: chart.correct(name, "right"))
        self.each(agent, lambda chart: chart.erase([name], scrub=False))
        self.each(agent, lambda chart: chart.restore([name]))
        self.each(agent, lambda chart: chart.store("So it is", derived_from=[name]))
        self.each(agent, lambda chart: chart.store("So it is", expect_current=name))

    @rule(agent=owners, name=odd)
    def ask_in_a_place_that_is_odd(self, agent: str, name: str) -> None:
        self.each(agent, lambda chart: chart.at("x", "likes", domain=name))
        self.each(agent, lambda chart: chart.history("x", "likes", repo=name))
        self.each(agent, lambda chart: chart.end_fact("x", "likes", name, repo=name))
        self.each(agent, lambda chart: chart.withdraw("mem_nowhere", name))
        self.each(agent, lambda chart: chart.invalidate_by_origin(f"channel:{name}"))
        self.each(agent, lambda chart: chart.remove_alias(name, "x"))

    @rule(name=owners, role=odd)
    def give_an_odd_role(self, name: str, role: str) -> None:
        self.all(lambda workspace: workspace.agent(name, role).owner)
        self.all(lambda workspace: workspace.agents())

    @rule(agent=owners, one=odd, other=odd)
    def join_what_is_odd(self, agent: str, one: str, other: str) -> None:
        self.each(agent, lambda chart: chart.add_alias(one, other))
        self.each(agent, lambda chart: chart.set_predicate(one, multi_valued=True))
        self.each(agent, lambda chart: chart.aliases())
        self.each(agent, lambda chart: chart.multi_valued())

    @rule(said=turns, session=odd)
    def hear_a_conversation(self, said: list[tuple[str, str, int | None]], session: str) -> None:
        told = (
            Turn("user", who, text, None if minute is None else TOLD + timedelta(minutes=minute), f"m{place}", session)
            for place, (who, text, minute) in enumerate(said)
        )
        conversation = Chat("talk", tuple(told))
        self.each("dudu", lambda chart: chart.ingest_chat(conversation))

    @rule(seconds=st.sampled_from([0, 0, YEARS]))
    def let_what_fades_fade(self, seconds: int) -> None:
        self.clock.advance(seconds)
        self.all(lambda workspace: workspace.maintain(dry_run=True))
        self.all(_maintained)

    @rule(decide=st.sampled_from([Workspace.approve, Workspace.deny]))
    def decide_what_waits(self, decide: Callable[[Workspace, str, str], Decided]) -> None:
        for shown in self.all(lambda workspace: [waiting.to_dict() for waiting in workspace.waiting(5)]):
            self.all(partial(_decided, decide, shown["id"], shown["digest"]))

    @rule(source=st.sampled_from(["tool_echo:run-9", "channel:team", "user_direct", "import:x"]))
    def forget_a_source(self, source: str) -> None:
        plan = self.all(lambda workspace: workspace.plan_to_forget(source))
        if not isinstance(plan, KarteError):
            self.all(lambda workspace: workspace.approve_plan(plan.id, plan.digest.hex()))
            self.all(lambda workspace: dict(workspace.forget(plan.id).counts))
            self.all(lambda workspace: [block.to_dict()["kind"] for block in workspace.blocks()])

    @rule(limit=st.sampled_from([1, 20]))
    def bring_back_what_faded(self, limit: int) -> None:
        found = self.each("dudu", lambda chart: chart.archived(limit))
        if not isinstance(found, KarteError) and found.memories:
            ids = [memory["id"] for memory in found.to_dict()["memories"]]
            self.each("dudu", lambda chart: chart.restore(ids))

    @rule(limit=st.sampled_from([2, 1_000]))
    def draw_the_graph(self, limit: int) -> None:
        def drawn(chart: Chart) -> Any:
            return chart.export_graph(limit)

        self.each("dudu", drawn)


TestAgreement = Agreement.TestCase
TestAgreement.settings = settings(max_examples=PROGRAMS, stateful_step_count=STEPS)
