"""Superseding and ending: who takes over from when, and where a value stops."""

import pytest

from karte.core.namespaces import Scope
from karte.core.results import Outcome, Status
from karte.errors import EmptyText, InvalidValue, MissingScope, NotCurrent, UnknownFact, UnknownMemory
from karte.testing.parts import GivenClock
from karte.workspace import Chart, Workspace


def lives(chart: Chart, value: str, start: str = "2026-01-01", subject: str = "Ada") -> str:
    text = f"{subject} lives in {value}"
    return chart.store(text, subject=subject, predicate="lives in", object=value, valid_from=start).memory_id


def city(chart: Chart, at: str | None = None, subject: str = "Ada") -> list[str | None]:
    return [memory.object or memory.content for memory in chart.at(subject, "lives in", at).memories]


class TestSuperseding:
    def test_a_newer_text_takes_over_now(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        receipt = dudu.supersede(paris, "Ada moved to 臺北", object="臺北")
        assert (receipt.status, receipt.superseded) == (Outcome.SUPERSEDED, (paris,))
        assert (city(dudu), city(dudu, "2026-06-30")) == (["臺北"], ["Paris"])

    def test_it_takes_over_from_the_time_given(self, dudu: Chart) -> None:
        dudu.supersede(lives(dudu, "Paris"), "Ada moved", object="London", effective="2026-03-01")
        assert [city(dudu, at) for at in ("2026-02-28", "2026-03-01")] == [["Paris"], ["London"]]

    def test_it_never_takes_over_before_the_loser_began(self, dudu: Chart) -> None:
        dudu.supersede(lives(dudu, "Paris", "2026-03-01"), "Ada moved", object="London", effective="2026-01-01")
        assert [city(dudu, at) for at in ("2026-02-28", "2026-03-01")] == [[], ["London"]]

    def test_the_loser_keeps_its_history(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        london = dudu.supersede(paris, "Ada moved", object="London", effective="2026-03-01").memory_id
        item = dudu.read(paris)
        assert (item.status, item.validity.superseded_by, item.content) == (
            Status.HISTORICAL,
            london,
            "Ada lives in Paris",
        )
        assert dudu.read(london).validity.supersedes == paris

    def test_a_known_memory_takes_over_by_its_id(self, dudu: Chart) -> None:
        paris, london = lives(dudu, "Paris"), lives(dudu, "London", "2020-01-01")
        dudu.supersede(paris, london, effective="2026-03-01")
        assert [city(dudu, at) for at in ("2026-02-01", "2026-03-01")] == [["Paris"], ["London"]]

    def test_a_memory_of_another_question_is_a_guest_and_keeps_its_own(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        office = dudu.store("The office is in Lyon", subject="office", predicate="is in", object="Lyon").memory_id
        receipt = dudu.supersede(paris, office, effective="2026-03-01")
        lives(dudu, "London", "2026-05-01")
        assert receipt.status is Outcome.SUPERSEDED
        assert [city(dudu, at) for at in ("2026-02-01", "2026-03-01", "2026-05-01")] == [
            ["Paris"],
            ["Lyon"],
            ["London"],
        ]
        assert [m.object for m in dudu.at("office", "is in").memories] == ["Lyon"]

    def test_free_text_takes_over_from_free_text(self, dudu: Chart) -> None:
        rain = dudu.store("비가 온다", valid_from="2026-01-01").memory_id
        sun = dudu.supersede(rain, "晴れている", effective="2026-03-01")
        assert (sun.status, sun.superseded) == (Outcome.SUPERSEDED, (rain,))
        assert [m.content for m in dudu.list().memories] == ["晴れている"]
        assert [m.content for m in dudu.list(at="2026-02-01").memories] == ["비가 온다"]

    def test_free_text_takes_over_from_a_fact_and_joins_its_chain(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        moved = dudu.store("Ada moved away", valid_from="2026-02-01").memory_id
        dudu.supersede(paris, moved, effective="2026-03-01")
        assert city(dudu) == ["Ada moved away"]

    def test_one_of_many_values_takes_over_from_that_one_only(self, dudu: Chart) -> None:
        dudu.set_predicate("likes", multi_valued=True)
        ids = [
            dudu.store(f"Ada likes {value}", subject="Ada", predicate="likes", object=value, valid_from="2026-01-01")
            for value in ("tea", "milk")
        ]
        dudu.supersede(ids[0].memory_id, "Ada likes coffee", object="coffee", effective="2026-03-01")
        assert sorted(str(m.object) for m in dudu.at("Ada", "likes").memories) == ["coffee", "milk"]

    def test_somebody_less_trusted_does_not_take_over(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        receipt = dudu.acting(trust_ceiling=3_000).supersede(paris, "Ada moved", object="London")
        assert (receipt.status, receipt.superseded, city(dudu)) == (Outcome.SHADOWED, (), ["Paris"])

    def test_a_memory_cannot_supersede_itself(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        with pytest.raises(InvalidValue):
            dudu.supersede(paris, paris)
        with pytest.raises(InvalidValue):
            dudu.supersede(paris, "Ada lives in Paris")
        assert len(dudu.read(paris).said) == 1

    def test_what_is_not_there_cannot_be_superseded_or_take_over(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        for pair in (("mem_x", "text"), ("mem_x", paris), (paris, "mem_x")):
            with pytest.raises(UnknownMemory):
                dudu.supersede(*pair)

    def test_an_empty_text_is_refused(self, dudu: Chart) -> None:
        with pytest.raises(EmptyText):
            dudu.supersede(lives(dudu, "Paris"), "")


class TestEnding:
    def test_from_the_end_on_there_is_no_value(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        receipt = dudu.end(paris, "2026-03-01")
        assert (receipt.status, receipt.superseded) == (Outcome.ENDED, (paris,))
        assert [city(dudu, at) for at in ("2026-02-28", "2026-03-01")] == [["Paris"], []]
        assert dudu.search("Paris").hits == ()
        assert str(dudu.read(paris).valid_until) == "2026-03-01 00:00:00+00:00"

    def test_it_ends_now_unless_a_time_is_given(self, dudu: Chart) -> None:
        dudu.end(lives(dudu, "Paris"))
        assert (city(dudu), city(dudu, "2026-06-30")) == ([], ["Paris"])

    @pytest.mark.parametrize("seconds", [0, -3_600])
    def test_what_was_just_stored_ends_now_also_when_the_clock_stands_or_steps_back(
        self, dudu: Chart, clock: GivenClock, seconds: int
    ) -> None:
        kept = [dudu.store(text).memory_id for text in ("비가 온다", "晴れている")]
        dudu.store("Ada lives in Paris", subject="Ada", predicate="lives in")
        clock.advance(seconds)
        dudu.end(kept[0])
        dudu.end_fact("Ada", "lives in")
        assert [memory.id for memory in dudu.list().memories] == kept[1:]

    def test_an_end_is_no_memory_of_its_own_on_any_read(self, dudu: Chart, ws: Workspace) -> None:
        ended = dudu.end(lives(dudu, "Paris"), "2026-03-01").memory_id
        assert (ws.stats().memories["dudu"], dudu.list().memories) == (1, ())
        assert dudu.fetch([ended]).missing_ids == (ended,)
        assert len(dudu.history("Ada", "lives in").chain) == 1

    def test_an_end_that_was_wrong_is_withdrawn_like_any_statement(self, dudu: Chart) -> None:
        ended = dudu.end(lives(dudu, "Paris"), "2026-03-01").memory_id
        dudu.withdraw(ended)
        assert city(dudu) == ["Paris"]

    def test_a_free_text_ends(self, dudu: Chart) -> None:
        rain = dudu.store("비가 온다", valid_from="2026-01-01").memory_id
        receipt = dudu.end(rain, "2026-03-01")
        assert (receipt.status, receipt.superseded, dudu.list().memories) == (Outcome.ENDED, (rain,), ())
        assert [m.content for m in dudu.list(at="2026-02-01").memories] == ["비가 온다"]

    @pytest.mark.parametrize("at", ["2026-03-01", "2126-03-01"])
    def test_an_end_of_a_free_text_by_the_less_trusted_stays_in_its_shadow(self, dudu: Chart, at: str) -> None:
        rain = dudu.store("비가 온다", valid_from="2026-01-01").memory_id
        receipt = dudu.acting(trust_ceiling=3_000).end(rain, at)
        assert (receipt.status, receipt.superseded) == (Outcome.SHADOWED, ())
        assert [m.content for m in dudu.list(at="2127-01-01").memories] == ["비가 온다"]

    def test_an_end_in_the_future_is_an_end(self, dudu: Chart) -> None:
        rain = dudu.store("비가 온다", valid_from="2026-01-01").memory_id
        assert dudu.end(rain, "2126-03-01").status is Outcome.ENDED
        assert [len(dudu.list(at=at).memories) for at in ("2126-02-01", "2126-04-01")] == [1, 0]

    def test_a_free_text_that_ended_holds_again_when_it_is_told_again(self, dudu: Chart) -> None:
        rain = dudu.store("비가 온다", valid_from="2026-01-01").memory_id
        dudu.end(rain, "2026-03-01")
        dudu.store("비가 온다", valid_from="2026-05-01")
        assert [len(dudu.list(at=at).memories) for at in ("2026-02-01", "2026-04-01", "2026-06-01")] == [1, 0, 1]

    def test_a_fact_ends_by_its_names(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        assert dudu.end_fact("ADA", "Lives In", at="2026-03-01").status is Outcome.ENDED
        assert city(dudu) == []

    def test_one_of_many_values_ends(self, dudu: Chart) -> None:
        dudu.set_predicate("喜歡", multi_valued=True)
        for value in ("茶", "咖啡"):
            dudu.store(f"小雨喜歡{value}", subject="小雨", predicate="喜歡", object=value, valid_from="2026-01-01")
        dudu.end_fact("小雨", "喜歡", "茶", at="2026-03-01")
        assert [m.object for m in dudu.at("小雨", "喜歡").memories] == ["咖啡"]
        assert len(dudu.at("小雨", "喜歡", "2026-02-01").memories) == 2

    def test_of_many_values_the_one_that_ends_must_be_named_and_known(self, dudu: Chart) -> None:
        dudu.set_predicate("喜歡", multi_valued=True)
        dudu.store("小雨喜歡茶", subject="小雨", predicate="喜歡", object="茶", valid_from="2026-01-01")
        with pytest.raises(InvalidValue):
            dudu.end_fact("小雨", "喜歡")
        with pytest.raises(UnknownFact):
            dudu.end_fact("小雨", "喜歡", "牛奶")

    def test_a_fact_of_a_domain_ends_there_alone(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        options = {"subject": "Ada", "predicate": "lives in", "valid_from": "2026-01-01"}
        dudu.store("Ada lives near the office", domain="work", **options)  # type: ignore[arg-type]  # by name
        with pytest.raises(InvalidValue):
            dudu.end_fact("Ada", "lives in", at="2026-03-01")
        dudu.end_fact("Ada", "lives in", at="2026-03-01", domain="Work")
        assert city(dudu) == ["Paris"]

    def test_the_only_place_of_a_fact_need_not_be_named(self, dudu: Chart) -> None:
        dudu.store("near", subject="Ada", predicate="lives in", domain="work", valid_from="2026-01-01")
        dudu.end_fact("Ada", "lives in", at="2026-03-01")
        assert city(dudu) == []

    def test_a_memory_that_is_not_in_force_cannot_end(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris", "2026-01-01")
        lives(dudu, "London", "2026-03-01")
        for at in ("2025-12-31", "2026-03-01", None):
            with pytest.raises(NotCurrent):
                dudu.end(paris, at)
        assert city(dudu) == ["London"]

    def test_what_is_not_there_cannot_end(self, dudu: Chart) -> None:
        with pytest.raises(UnknownMemory):
            dudu.end("mem_x")
        with pytest.raises(UnknownFact):
            dudu.end_fact("Ada", "lives in")

    def test_an_end_by_somebody_less_trusted_leaves_the_value_in_force(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        receipt = dudu.acting(trust_ceiling=3_000).end(paris, "2026-03-01")
        assert (receipt.status, city(dudu)) == (Outcome.SHADOWED, ["Paris"])

    def test_a_fact_that_ends_before_a_later_start_leaves_that_alone(self, dudu: Chart) -> None:
        lives(dudu, "Paris", "2026-01-01")
        lives(dudu, "London", "2026-05-01")
        dudu.end_fact("Ada", "lives in", at="2026-03-01")
        assert [city(dudu, at) for at in ("2026-02-01", "2026-04-01", "2026-06-01")] == [["Paris"], [], ["London"]]


def test_a_caller_without_the_scope_to_write_is_refused(dudu: Chart) -> None:
    paris = lives(dudu, "Paris")
    reader = dudu.acting(scopes=frozenset({Scope.READ}))
    for command in (
        lambda: reader.supersede(paris, "x"),
        lambda: reader.end(paris),
        lambda: reader.end_fact("Ada", "lives in"),
        lambda: reader.withdraw(paris),
        lambda: reader.correct(paris, "x"),
        lambda: reader.add_alias("a", "b"),
        lambda: reader.remove_alias("a", "b"),
        lambda: reader.set_predicate("p", multi_valued=True),
    ):
        with pytest.raises(MissingScope):
            command()
