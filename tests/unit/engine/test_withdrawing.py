"""Withdrawing, correcting, and invalidating a source: what stops counting, and what is in force again."""

from datetime import timedelta

import pytest

from karte.core.namespaces import Scope
from karte.core.origins import Origin
from karte.core.results import Outcome, Status
from karte.errors import InvalidValue, MissingScope, NotCurrent, UnknownMemory, UnknownOrigin
from karte.testing.parts import GivenClock
from karte.workspace import Chart
from tests.unit.engine.conftest import NOW


def lives(chart: Chart, value: str, start: str = "2026-01-01", origin: str | None = None) -> str:
    text = f"Ada lives in {value}"
    options = {"subject": "Ada", "predicate": "lives in", "object": value}
    return chart.store(text, valid_from=start, origin=origin, **options).memory_id  # type: ignore[arg-type]  # by name


def city(chart: Chart, at: str | None = None) -> list[str | None]:
    return [memory.object for memory in chart.at("Ada", "lives in", at).memories]


class TestWithdrawing:
    def test_what_it_displaced_is_in_force_again(self, dudu: Chart) -> None:
        paris, london = lives(dudu, "Paris"), lives(dudu, "London", "2026-03-01")
        done = dudu.withdraw(london, "a misunderstanding")
        assert (done.assertions, done.standing, done.memory_ids, done.revived) == (1, 0, (london,), (paris,))
        assert city(dudu) == ["Paris"]

    def test_it_stands_in_history_with_the_time_and_the_event(self, dudu: Chart, clock: GivenClock) -> None:
        london = lives(dudu, "London")
        clock.advance(60)
        dudu.withdraw(london)
        (chapter,) = dudu.history("Ada", "lives in").chain
        assert (chapter.item.status, chapter.segments) == (Status.WITHDRAWN, ())
        assert chapter.to_dict()["invalidated_at"] == "2026-07-01T00:01:00Z"
        assert chapter.invalidated_by_event == "withdrawn"
        assert (chapter.item.trust, chapter.item.confidence, chapter.item.said) == (0.0, 0.0, ())

    def test_it_is_on_no_other_read(self, dudu: Chart) -> None:
        london = lives(dudu, "London")
        dudu.withdraw(london)
        assert (city(dudu), dudu.list().memories, dudu.search("London").hits) == ([], (), ())
        assert dudu.read(london).status is Status.WITHDRAWN

    def test_as_of_before_it_was_withdrawn_it_is_in_force(self, dudu: Chart, clock: GivenClock) -> None:
        london = lives(dudu, "London")
        clock.advance(60)
        dudu.withdraw(london)
        before = NOW + timedelta(seconds=30)
        assert [m.id for m in dudu.at("Ada", "lives in", known_at=before).memories] == [london]
        assert [hit.memory.id for hit in dudu.search("London", known_at=before).hits] == [london]
        assert [m.id for m in dudu.list(known_at=before).memories] == [london]

    def test_a_second_time_changes_nothing(self, dudu: Chart) -> None:
        london = lives(dudu, "London")
        dudu.withdraw(london)
        again = dudu.withdraw(london)
        assert (again.assertions, again.standing, again.memory_ids, again.revived) == (0, 0, (), ())

    def test_what_is_said_afterwards_counts(self, dudu: Chart) -> None:
        dudu.withdraw(lives(dudu, "London"))
        lives(dudu, "London", "2026-02-01")
        assert city(dudu) == ["London"]

    def test_all_that_was_said_of_the_memory_stops_counting(self, dudu: Chart) -> None:
        london = lives(dudu, "London", origin="import:a")
        lives(dudu, "London", origin="import:b")
        assert (dudu.withdraw(london).assertions, city(dudu)) == (2, [])

    def test_somebody_less_trusted_withdraws_nothing_and_hears_so(self, dudu: Chart) -> None:
        london = lives(dudu, "London")
        done = dudu.acting(trust_ceiling=3_000).withdraw(london)
        assert (done.assertions, done.standing, done.memory_ids, city(dudu)) == (0, 1, (), ["London"])

    def test_of_a_memory_that_two_tiers_assert_only_the_lower_part_is_withdrawn(self, dudu: Chart) -> None:
        london = lives(dudu, "London")
        lives(dudu, "London", origin="channel:line")
        done = dudu.acting(trust_ceiling=3_000).withdraw(london)
        assert (done.assertions, done.standing, len(dudu.read(london).said)) == (1, 1, 1)

    def test_what_is_not_there_cannot_be_withdrawn(self, dudu: Chart) -> None:
        with pytest.raises(UnknownMemory):
            dudu.withdraw("mem_x")


class TestCorrecting:
    def test_the_right_thing_is_stated_for_the_same_period(self, dudu: Chart) -> None:
        lives(dudu, "Rome", "2025-01-01")
        paris = lives(dudu, "Paris", "2026-01-01")
        receipt = dudu.correct(paris, "Ada lives in 巴黎", object="巴黎", reason="spelling")
        assert (receipt.status, receipt.memory_id == paris) == (Outcome.SUPERSEDED, False)
        assert [city(dudu, at) for at in ("2025-06-01", "2026-01-01")] == [["Rome"], ["巴黎"]]
        assert [c.invalidated_by_event for c in dudu.history(paris).chain if c.item.id == paris] == ["corrected"]

    def test_each_of_its_periods_is_stated_anew(self, dudu: Chart) -> None:
        options = {"subject": "Ada", "predicate": "lives in", "object": "Paris"}
        periods = [("2026-01-01", "2026-02-01"), ("2026-04-01", None)]
        for start, end in periods:
            receipt = dudu.store("Ada lives in Paris", valid_from=start, valid_until=end, **options)  # type: ignore[arg-type]  # by name
        dudu.correct(receipt.memory_id, "Ada lives in Lyon", object="Lyon")
        assert [city(dudu, at) for at in ("2026-01-15", "2026-03-01", "2026-05-01")] == [["Lyon"], [], ["Lyon"]]

    def test_a_correction_in_other_words_keeps_the_object(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        item = dudu.read(dudu.correct(paris, "Ada has a flat in Paris").memory_id)
        assert (item.object, item.content, item.details.veracity.value) == (
            "Paris",
            "Ada has a flat in Paris",
            "stated",
        )

    def test_a_free_text_is_corrected(self, dudu: Chart) -> None:
        wrong = dudu.store("The meeting is at 3", valid_from="2026-01-01").memory_id
        right = dudu.correct(wrong, "The meeting is at 4").memory_id
        assert [m.id for m in dudu.list().memories] == [right]

    def test_what_is_withdrawn_already_cannot_be_corrected(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        dudu.withdraw(paris)
        with pytest.raises(NotCurrent):
            dudu.correct(paris, "Ada lives in Parma", object="Parma")

    @pytest.mark.parametrize("change", ["correct", "supersede"])
    def test_a_text_without_the_value_of_the_fact_needs_another_value(self, dudu: Chart, change: str) -> None:
        phone = dudu.store(
            "小雨的電話是 0987-654-321", subject="小雨", predicate="phone", object="0987-654-321"
        ).memory_id
        with pytest.raises(InvalidValue, match="'0987-654-321'; give its value as object"):
            getattr(dudu, change)(phone, "小雨的電話是 0987-654-312")
        assert [item.object for item in dudu.at("小雨", "phone").memories] == ["0987-654-321"]
        right = getattr(dudu, change)(phone, "小雨的電話是 0987-654-312", object="0987-654-312").memory_id
        assert [(item.id, item.object) for item in dudu.at("小雨", "phone").memories] == [(right, "0987-654-312")]

    def test_a_text_that_never_had_the_value_may_be_told_in_other_words(self, dudu: Chart) -> None:
        city = dudu.store("Ada moved to the capital", subject="Ada", predicate="lives in", object="Paris").memory_id
        item = dudu.read(dudu.correct(city, "Ada has moved to the capital of France").memory_id)
        assert item.object == "Paris"

    def test_what_is_not_there_cannot_be_corrected(self, dudu: Chart) -> None:
        with pytest.raises(UnknownMemory):
            dudu.correct("mem_x", "x")


class TestInvalidating:
    @pytest.fixture(autouse=True)
    def _told(self, dudu: Chart) -> None:
        lives(dudu, "Rome", "2025-01-01", "user_direct:chat:4:m1")
        lives(dudu, "Paris", "2026-01-01", "user_direct:chat:42:m1")
        lives(dudu, "London", "2026-02-01", "user_direct:chat:42:m2")
        dudu.store("Ada speaks French", origin="user_direct:chat:42:m1")

    def test_a_container_names_all_its_items_and_no_other_container(self, dudu: Chart) -> None:
        done = dudu.invalidate_by_origin("user_direct:chat:42:")
        assert done.assertions == 3
        assert (city(dudu), dudu.search("French").hits) == (["Rome"], ())

    def test_an_item_names_only_itself(self, dudu: Chart) -> None:
        assert dudu.invalidate_by_origin(Origin("user_direct", "chat:42", "m2")).assertions == 1
        assert city(dudu) == ["Paris"]

    def test_history_keeps_the_chain_and_names_the_event(self, dudu: Chart) -> None:
        dudu.invalidate_by_origin({"kind": "user_direct", "container": "chat:42"})
        chain = dudu.history("Ada", "lives in").chain
        assert [(c.item.object, c.invalidated_by_event) for c in chain] == [
            ("Rome", None),
            ("Paris", "origin_purge"),
            ("London", "origin_purge"),
        ]

    def test_only_what_was_learned_since_is_withdrawn(self, dudu: Chart, clock: GivenClock) -> None:
        clock.advance(60)
        lives(dudu, "Oslo", "2026-03-01", "user_direct:chat:42:m3")
        done = dudu.invalidate_by_origin({"kind": "user_direct", "container": "chat:42"}, NOW + timedelta(seconds=30))
        assert (done.assertions, city(dudu)) == (1, ["London"])

    def test_what_was_derived_from_it_is_stale_and_hardly_trusted(self, dudu: Chart) -> None:
        parent = dudu.search("French").hits[0].memory.id
        child = dudu.store("Ada reads Le Monde", derived_from=[parent]).memory_id
        dudu.invalidate_by_origin("user_direct:chat:42:m1")
        item = dudu.read(child)
        assert (item.trust, item.marks) == (0.1, ("stale",))

    def test_a_source_that_said_nothing_is_unknown(self, dudu: Chart) -> None:
        for origin in ("import:x", "user_direct:chat:42:m9", "user_direct:chat"):
            with pytest.raises(UnknownOrigin):
                dudu.invalidate_by_origin(origin)

    def test_it_needs_the_scope_admin(self, dudu: Chart) -> None:
        with pytest.raises(MissingScope):
            dudu.acting(scopes=frozenset({Scope.READ, Scope.WRITE})).invalidate_by_origin("import:x")
