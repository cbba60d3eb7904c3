"""Laws of mistakes and rules, on every store: of order, of what is derived, and of forgetting a source."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from karte.core.origins import Origin
from karte.errors import UnknownOrigin
from karte.testing.programs import TOLD
from karte.workspace import Chart
from tests.conftest import PROFILE
from tests.knowledge.test_rules import CURRENCIES, INVOICES, ZONES
from tests.knowledge.wholes import forget
from tests.laws.opening import Desk, opened
from tests.stores import STORES

PROGRAMS = 10 if PROFILE == "fast" else 300
SOURCES = (Origin("operator", "s"), Origin("tool_echo", "t"), Origin("channel", "u"))
LESSONS = (*INVOICES, *ZONES, *CURRENCIES)
SAFETY = len(LESSONS) - 1
ASKED = "問題，出自來源"


@dataclass(frozen=True)
class Told:
    """A mistake that one of the sources tells: which lesson, on which day; one lesson is of a category of its own."""

    lesson: int
    source: int
    day: int

    def tell(self, chart: Chart) -> None:
        """Record it."""
        chart.record_mistake(
            "safety" if self.lesson == SAFETY else "factual",
            LESSONS[self.lesson],
            origin=SOURCES[self.source],
            observed_at=TOLD - timedelta(days=self.day),
            asked=f"{ASKED}{self.source}",
        )


def programs() -> st.SearchStrategy[list[Told]]:
    """Mistakes of three lessons, each on a day of its own."""
    lesson, source = st.integers(0, len(LESSONS) - 1), st.integers(0, len(SOURCES) - 1)
    told = st.builds(Told, lesson, source, st.integers(1, 300))
    return st.lists(told, min_size=3, max_size=14, unique_by=lambda each: each.day)


LESS_TRUSTED_LATER = [*(Told(1, 0, day) for day in (4, 5, 6, 7)), Told(0, 2, 1), Told(0, 2, 2), Told(1, 0, 3)]
"""A rule, then as many mistakes again of which some are trusted less."""


def tell(desk: Desk, program: Sequence[Told], *, reflecting: int = 0) -> None:
    """Tell a program, a minute a step; reflect after every so many steps, and at the end."""
    for step, told in enumerate(program, 1):
        desk.clock.advance(60)
        told.tell(desk.chart)
        if reflecting and step % reflecting == 0:
            desk.chart.reflect()
    desk.chart.reflect()


def learned(chart: Chart) -> tuple[list[Any], list[Any]]:
    """Rules and mistakes, without ids and system times."""
    rules = [{**rule.to_dict(), "sources": len(rule.item.derived_from)} for rule in chart.rules()]
    mistakes = [mistake.to_dict() for mistake in chart.mistakes(unresolved=False, limit=1_000)]
    for shape in (*rules, *mistakes):
        for name in ("id", "made_at", "since", "supersedes", "rule", "resolved_by"):
            shape[name] = bool(shape.get(name))
    return sorted(rules, key=str), sorted(mistakes, key=str)


@pytest.mark.parametrize("store", STORES)
class TestLaws:
    def test_the_same_mistakes_in_any_order_become_the_same_rules(self, store: str) -> None:
        @settings(max_examples=PROGRAMS)
        @given(programs(), st.randoms(use_true_random=False))
        def agree(program: list[Told], chance: Any) -> None:
            with opened(STORES[store]) as desk, opened(STORES[store]) as other:
                tell(desk, program)
                chance.shuffle(program)
                tell(other, program)
                assert learned(desk.chart) == learned(other.chart)

        agree()

    def test_a_rule_is_not_above_its_mistakes_and_covers_what_it_says(self, store: str) -> None:
        @settings(max_examples=PROGRAMS)
        @given(programs(), st.integers(2, 5))
        def bounded(program: list[Told], reflecting: int) -> None:
            with opened(STORES[store]) as desk:
                tell(desk, program, reflecting=reflecting)
                mistakes = {mistake.id: mistake for mistake in desk.chart.mistakes(unresolved=False, limit=1_000)}
                for rule in desk.chart.rules():
                    sources = [mistakes[memory_id] for memory_id in rule.item.derived_from]
                    assert rule.item.trust <= min(mistake.item.trust for mistake in sources)
                    assert {mistake.entry.category for mistake in sources} == {rule.category}
                    assert all(mistake.entry.lesson in rule.item.content for mistake in sources)
                assert desk.workspace.doctor().differences == ()

        bounded()

    def test_reflecting_again_changes_nothing(self, store: str) -> None:
        @settings(max_examples=PROGRAMS)
        @given(programs(), st.integers(2, 5))
        @example(LESS_TRUSTED_LATER, 2)
        def still(program: list[Told], reflecting: int) -> None:
            with opened(STORES[store]) as desk:
                tell(desk, program, reflecting=reflecting)
                before = learned(desk.chart)
                assert (desk.chart.reflect().rules, learned(desk.chart)) == ((), before)

        still()

    def test_forgetting_a_source_and_reflecting_is_never_having_heard_it(self, store: str) -> None:
        @settings(max_examples=PROGRAMS)
        @given(programs(), st.integers(0, len(SOURCES) - 1))
        def equal(program: list[Told], source: int) -> None:
            with opened(STORES[store]) as desk, opened(STORES[store]) as never:
                tell(desk, program)
                tell(never, [told for told in program if told.source != source])
                try:
                    forget(desk.workspace, SOURCES[source])
                except UnknownOrigin:
                    return
                desk.chart.reflect()
                assert learned(desk.chart) == learned(never.chart)
                assert f"{ASKED}{source}" not in str(learned(desk.chart)[1])

        equal()
