"""A graph that was kept up to date equals one that is read anew, whatever was said, withdrawn, renamed or erased."""

from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from karte.bootstrap import Parts, open_workspace
from karte.core.origins import Origin
from karte.engine.asking import asking
from karte.engine.graphs.keeping import Graphs
from karte.engine.graphs.network import Network
from karte.errors import KarteError
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart

NOW = datetime(2026, 7, 1, tzinfo=UTC)
NAMES = ("Kai", "Acme", "李老闆", "老闆", "New York", "東京", "카이", "york")
PREDICATES = ("works_at", "知道")
TEXTS = (
    "Kai went to New York",
    "老闆說東京很好",
    "李老板和 Acme 談了",
    "카이가 york 에 갔다",
    "Nothing of note",
    "acme and kai, again",
)
FILLER = tuple(f"{text} {number}" for number in range(6) for text in TEXTS)


def read(graphs: Graphs, chart: Chart) -> Network:
    with asking(chart._services, chart._caller) as question:
        return graphs.present(question.frame)


def contents(network: Network) -> list[Any]:
    joints = network.joints
    arrays = (network.memories, joints.left, joints.right, joints.kinds, network.spells)
    return [list(network.labels), *(array.tolist() for array in arrays)]


class Growing(RuleBasedStateMachine):
    """Two agents whose memories change at random, and the graphs that are kept of them all along."""

    def __init__(self) -> None:
        super().__init__()
        self.clock = GivenClock(NOW)
        self.workspace = open_workspace(":memory:", parts=Parts(clock=self.clock, ids=CountedIds()))
        self.charts = [self.workspace.agent("dudu"), self.workspace.agent("ゆき")]
        self.kept = Graphs(least_kept=0)
        self.ids: list[list[str]] = [[], []]

    @initialize(count=st.sampled_from([0, len(FILLER)]))
    def begin(self, count: int) -> None:
        self._keep(0, self.charts[0].store_many([{"content": text} for text in FILLER[:count]]))
        for who, chart in enumerate(self.charts):
            self._keep(who, [chart.store("Kai works at Acme", subject="Kai", predicate="works_at", object="Acme")])

    def _keep(self, who: int, receipts: list[Any]) -> None:
        self.ids[who] += [receipt.memory_id for receipt in receipts if receipt.memory_id not in self.ids[who]]

    @rule(
        who=st.integers(0, 1),
        names=st.tuples(st.sampled_from(NAMES), st.sampled_from(PREDICATES), st.sampled_from(NAMES)),
        parent=st.integers(0, 99),
        days=st.sampled_from([None, -3, 3]),
    )
    def state(self, who: int, names: tuple[str, str, str], parent: int, days: int | None) -> None:
        parents = [self.ids[who][parent]] if parent < len(self.ids[who]) else []
        until = None if days is None else NOW + timedelta(days=days)
        options: dict[str, Any] = {"valid_from": NOW - timedelta(days=9), "valid_until": until, "derived_from": parents}
        triple: dict[str, Any] = dict(zip(("subject", "predicate", "object"), names, strict=True))
        self._keep(who, [self.charts[who].store(" ".join(names), **triple, **options)])

    @rule(who=st.integers(0, 1), text=st.sampled_from(TEXTS), session=st.sampled_from([None, "s", "s", "t"]))
    def tell(self, who: int, text: str, session: str | None) -> None:
        origin = Origin("user_direct", "chat", str(len(self.ids[who])))
        self._keep(who, [self.charts[who].store(text, layer="episodic", session=session, origin=origin)])

    @rule(who=st.integers(0, 1), text=st.sampled_from(TEXTS), parent=st.integers(0, 99))
    def derive(self, who: int, text: str, parent: int) -> None:
        if parent < len(self.ids[who]):
            self._keep(who, [self.charts[who].store(f"{text}!", derived_from=[self.ids[who][parent]])])

    @rule(names=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)))
    def rename(self, names: tuple[str, str]) -> None:
        self._try(lambda: self.charts[0].add_alias(*names))

    @rule(names=st.tuples(st.sampled_from(NAMES), st.sampled_from(NAMES)))
    def part(self, names: tuple[str, str]) -> None:
        self._try(lambda: self.charts[0].remove_alias(*names))

    @rule(predicate=st.sampled_from(PREDICATES), many=st.booleans())
    def declare(self, predicate: str, many: bool) -> None:
        self._try(lambda: self.charts[0].set_predicate(predicate, multi_valued=many))

    @precondition(lambda self: any(self.ids))
    @rule(
        who=st.integers(0, 1), place=st.integers(0, 999), verb=st.sampled_from(["withdraw", "end", "correct", "erase"])
    )
    def change(self, who: int, place: int, verb: str) -> None:
        if not self.ids[who]:
            return
        chart, memory_id = self.charts[who], self.ids[who][place % len(self.ids[who])]
        verbs = {
            "withdraw": lambda: chart.withdraw(memory_id),
            "end": lambda: chart.end(memory_id),
            "correct": lambda: self._keep(who, [chart.correct(memory_id, f"Kai corrected {place}")]),
            "erase": lambda: self._erase(who, memory_id),
        }
        self._try(verbs[verb])

    def _erase(self, who: int, memory_id: str) -> None:
        gone = self.charts[who].erase([memory_id]).memory_ids
        self.ids[who] = [each for each in self.ids[who] if each not in gone]

    def _try(self, command: Any) -> None:
        """A command that is refused changes nothing, and that is as good as one that is not."""
        self.clock.advance()
        try:
            command()
        except KarteError:
            return

    @rule()
    def kept_equals_read_anew(self) -> None:
        for chart in self.charts:
            kept, anew = read(self.kept, chart), read(Graphs(), chart)
            assert contents(kept) == contents(anew)
            with asking(chart._services, chart._caller) as question:
                when = question.when
            for at in (when.at, when.at - 86_400_000_000, when.at + 345_600_000_000):
                views = kept.at(at, when.now), anew.at(at, when.now)
                assert views[0].graph.weights.tobytes() == views[1].graph.weights.tobytes()
                assert np.array_equal(views[0].told, views[1].told)

    def teardown(self) -> None:
        self.kept_equals_read_anew()
        self.workspace.close()


def test_a_kept_graph_equals_one_read_anew_after_a_thousand_random_operations() -> None:
    program = settings(max_examples=20, stateful_step_count=50, deadline=None)
    run_state_machine_as_test(Growing, settings=program)
