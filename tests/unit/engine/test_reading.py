"""Reading time: what is in force, the course of a fact, all of a subject, memories by id, and the newest ones."""

from datetime import timedelta
from typing import Any

import pytest

from karte.core.namespaces import Scope
from karte.core.origins import Origin
from karte.core.results import Status
from karte.errors import EmptyText, InvalidValue, MissingScope, NaiveTime, TooManyIds, UnknownFact, UnknownMemory
from karte.testing.parts import GivenClock
from karte.workspace import Chart
from tests.unit.engine.conftest import NOW


def lives(chart: Chart, value: str, start: str = "2026-01-01", **options: Any) -> str:
    text = f"Ada lives in {value}"
    given = {"subject": "Ada", "predicate": "lives in", "object": value, "valid_from": start, **options}
    return chart.store(text, **given).memory_id


def learned(seconds: float) -> Any:
    """A system time after the start of the test."""
    return NOW + timedelta(seconds=seconds)


class TestAt:
    def test_it_gives_what_is_in_force_then(self, dudu: Chart) -> None:
        lives(dudu, "Paris", "2026-01-01", valid_until="2026-02-01")
        lives(dudu, "London", "2026-03-01")
        asked = ("2025-12-31", "2026-01-31", "2026-02-01", "2026-03-01")
        found = [[m.object for m in dudu.at("ada", "Lives In", at).memories] for at in asked]
        assert found == [[], ["Paris"], [], ["London"]]

    def test_a_memory_is_described_as_it_stands_then(self, dudu: Chart) -> None:
        paris, london = lives(dudu, "Paris"), lives(dudu, "London", "2026-03-01")
        (item,) = dudu.at("Ada", "lives in", "2026-02-01").memories
        assert (item.id, item.status, item.validity.superseded_by) == (paris, Status.IN_FORCE, london)
        assert (str(item.valid_from), str(item.valid_until)) == (
            "2026-01-01 00:00:00+00:00",
            "2026-03-01 00:00:00+00:00",
        )

    def test_as_of_a_system_time_only_what_was_known_counts(self, dudu: Chart, clock: GivenClock) -> None:
        lives(dudu, "Paris")
        clock.advance(60)
        lives(dudu, "London", "2026-03-01")
        asked = [learned(-1), learned(30), learned(90)]
        found = [[m.object for m in dudu.at("Ada", "lives in", known_at=at).memories] for at in asked]
        assert found == [[], ["Paris"], ["London"]]

    def test_of_a_question_that_nobody_answered_there_is_nothing(self, dudu: Chart) -> None:
        assert dudu.at("Ada", "lives in").memories == ()

    def test_a_domain_is_asked_alone_and_without_one_all_are(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        lives(dudu, "Rome", domain="Travel")
        lives(dudu, "Oslo", domain="Travel", repo="karte")
        asked: list[dict[str, Any]] = [{}, {"domain": "travel"}, {"domain": "travel", "repo": "Karte"}]
        found = [[m.object for m in dudu.at("Ada", "lives in", **place).memories] for place in asked]
        assert found == [["Paris", "Rome", "Oslo"], ["Rome"], ["Oslo"]]

    def test_a_time_without_a_zone_is_refused(self, dudu: Chart) -> None:
        with pytest.raises(NaiveTime):
            dudu.at("Ada", "lives in", "2026-01-01T00:00:00")


class TestHistory:
    def test_a_chain_is_told_oldest_first_with_what_ended_each(self, dudu: Chart, clock: GivenClock) -> None:
        lives(dudu, "London", "2026-03-01", origin="import:b.md:7")
        clock.advance(60)
        lives(dudu, "Paris", "2026-01-01", origin="import:a.md", source_event="moving day")
        chain = dudu.history("Ada", "lives in").chain
        assert [(c.item.object, c.item.status) for c in chain] == [
            ("Paris", Status.HISTORICAL),
            ("London", Status.IN_FORCE),
        ]
        assert [(c.to_dict()["invalidated_at"], c.invalidated_by_event) for c in chain] == [
            ("2026-07-01T00:00:00.000001Z", "import:b.md:7"),
            (None, None),
        ]

    def test_what_took_over_is_named_by_its_event_where_it_has_one(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        lives(dudu, "London", "2026-03-01", source_event="moving day")
        assert dudu.history("Ada", "lives in").chain[0].invalidated_by_event == "moving day"

    def test_a_value_that_returns_has_two_segments(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        lives(dudu, "London", "2026-03-01", valid_until="2026-04-01")
        paris = dudu.history("Ada", "lives in").chain[0].to_dict()
        assert paris["segments"] == [
            {"from": "2026-01-01T00:00:00Z", "until": "2026-03-01T00:00:00Z"},
            {"from": "2026-04-01T00:00:00Z", "until": None},
        ]

    def test_an_end_is_named_like_any_successor(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        dudu.end_fact("Ada", "lives in", at="2026-03-01")
        (chapter,) = dudu.history("Ada", "lives in").chain
        assert chapter.invalidated_by_event == "operator:python"
        assert str(chapter.item.valid_until) == "2026-03-01 00:00:00+00:00"

    def test_of_several_withdrawals_the_first_that_took_effect_ended_it(self, dudu: Chart, clock: GivenClock) -> None:
        paris = lives(dudu, "Paris")
        for seconds, ceiling, source in ((60, 3_000, "a"), (60, 10_000, "b"), (60, 10_000, "c")):
            clock.advance(seconds)
            dudu.acting(trust_ceiling=ceiling, origin=Origin("operator", source)).withdraw(paris)
        (chapter,) = dudu.history("Ada", "lives in").chain
        assert chapter.to_dict()["invalidated_at"] == "2026-07-01T00:02:00Z"

    def test_it_is_found_by_the_id_of_any_memory_of_the_chain(self, dudu: Chart) -> None:
        paris, london = lives(dudu, "Paris"), lives(dudu, "London", "2026-03-01")
        histories = [dudu.history(memory_id) for memory_id in (paris, london)]
        assert [(h.subject, h.predicate, len(h.chain)) for h in histories] == [("Ada", "lives in", 2)] * 2

    def test_the_history_of_a_free_text_has_no_names(self, dudu: Chart) -> None:
        history = dudu.history(dudu.store("비가 온다").memory_id)
        assert (history.subject, history.predicate, [c.item.content for c in history.chain]) == (
            None,
            None,
            ["비가 온다"],
        )

    def test_before_anything_was_known_it_is_empty(self, dudu: Chart) -> None:
        paris = lives(dudu, "Paris")
        assert dudu.history(paris, known_at=learned(-1)).chain == ()
        with pytest.raises(UnknownFact):
            dudu.history("Ada", "lives in", known_at=learned(-1))

    def test_a_shadowed_claim_and_a_future_one_stand_in_it(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        lives(dudu, "London", "2026-03-01", origin="channel:line")
        lives(dudu, "Rome", "2026-09-01")
        chain = dudu.history("Ada", "lives in").chain
        assert {c.item.object: c.item.status.value for c in chain} == {
            "Paris": "in_force",
            "London": "shadowed",
            "Rome": "future",
        }

    def test_a_guest_of_several_rows_is_described(self, dudu: Chart) -> None:
        ada = lives(dudu, "Paris")
        guest, _ = (
            dudu.store("there", subject="小雨", predicate="lives in", object=value, valid_from="2026-01-01")
            for value in ("paris", "巴黎")
        )
        dudu.add_alias("paris", "巴黎")
        dudu.supersede(ada, guest.memory_id, effective="2026-03-01")
        assert [c.item.content for c in dudu.history(ada).chain] == ["Ada lives in Paris", "there"]

    def test_an_unknown_fact_or_id_is_not_found(self, dudu: Chart) -> None:
        with pytest.raises(UnknownFact):
            dudu.history("Ada", "lives in")
        with pytest.raises(UnknownMemory):
            dudu.history("mem_x")

    def test_an_empty_name_is_refused(self, dudu: Chart) -> None:
        for names in (("", "p"), ("s", " ")):
            with pytest.raises(EmptyText):
                dudu.history(*names)


class TestTimeline:
    def test_all_facts_of_a_subject_are_told_by_predicate(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        lives(dudu, "London", "2026-03-01")
        dudu.store("Ada works in Rome", subject="ada", predicate="works in", object="Rome")
        dudu.store("Eve lives in Oslo", subject="Eve", predicate="lives in", object="Oslo")
        told = dudu.timeline("ADA")
        assert [(h.predicate, [c.item.object for c in h.chain]) for h in told.chains] == [
            ("lives in", ["Paris", "London"]),
            ("works in", ["Rome"]),
        ]

    def test_a_fact_of_which_all_has_expired_is_left_out(self, dudu: Chart, clock: GivenClock) -> None:
        lives(dudu, "Paris", "2026-06-01", ttl_hours=1)
        dudu.store("Ada works in Rome", subject="ada", predicate="works in", object="Rome")
        clock.advance(7_200)
        assert [history.predicate for history in dudu.timeline("Ada").chains] == ["works in"]

    def test_as_of_a_system_time(self, dudu: Chart, clock: GivenClock) -> None:
        lives(dudu, "Paris")
        clock.advance(60)
        lives(dudu, "London", "2026-03-01")
        assert [len(h.chain) for h in dudu.timeline("Ada", known_at=learned(30)).chains] == [1]

    def test_an_unknown_subject_is_not_found(self, dudu: Chart) -> None:
        with pytest.raises(UnknownFact):
            dudu.timeline("Ada")


class TestFetching:
    def test_memories_come_in_the_order_asked_once_each_and_missing_ones_are_named(self, dudu: Chart) -> None:
        ids = [dudu.store(text).memory_id for text in ("a", "b", "c")]
        asked = [ids[2], "mem_x", ids[0], ids[2], "mem_x"]
        fetched = dudu.fetch(asked)
        assert ([m.id for m in fetched.memories], fetched.missing_ids) == ([ids[2], ids[0]], ("mem_x",))

    def test_a_memory_shows_who_said_it_and_united_tags(self, dudu: Chart) -> None:
        first = dudu.store("x", origin="import:b.md", observed_at="2026-02-01", tags=["b"], importance=1, topic="late")
        dudu.store("X", origin="import:a.md", observed_at="2026-01-01", tags=["a"], importance=9, source_event="call")
        dudu.store("x", origin="import:c.md", observed_at="2026-03-01", source_event="mail")
        item = dudu.read(first.memory_id)
        assert (item.content, item.details.importance, item.details.topic, item.tags) == ("X", 9.0, None, ("a", "b"))
        assert [str(said.origin) for said in item.said] == ["import:a.md", "import:b.md", "import:c.md"]
        assert (item.reaffirmed_by, item.access_count) == (("import:b.md", "mail"), 2)

    def test_at_most_20_reaffirmations_are_shown(self, dudu: Chart) -> None:
        for number in range(25):
            receipt = dudu.store("x", origin=f"import:{number:02}", observed_at="2026-01-01")
        item = dudu.read(receipt.memory_id)
        assert (len(item.reaffirmed_by), item.to_dict()["mention_count"]) == (20, 25)

    @pytest.mark.parametrize("ids", [[], "mem_1", [7]])
    def test_a_list_of_ids_is_asked_for(self, dudu: Chart, ids: Any) -> None:
        with pytest.raises(InvalidValue):
            dudu.fetch(ids)

    def test_at_most_100_are_fetched_at_once(self, dudu: Chart) -> None:
        assert len(dudu.fetch([f"mem_{number}" for number in range(100)]).missing_ids) == 100
        with pytest.raises(TooManyIds):
            dudu.fetch([f"mem_{number}" for number in range(101)])

    def test_a_memory_that_is_not_there_cannot_be_read(self, dudu: Chart) -> None:
        with pytest.raises(UnknownMemory):
            dudu.read("mem_x")


class TestListing:
    @pytest.fixture(autouse=True)
    def _told(self, dudu: Chart) -> None:
        dudu.store("a", tags=["x", "y"], memory_type="preference", session="s1")
        dudu.store("b", layer="episodic", tags=["x"])
        dudu.store("c", domain="Work")
        dudu.store("d", domain="work", repo="Karte")

    def contents(self, dudu: Chart, limit: int = 20, **filters: Any) -> str:
        return "".join(memory.content for memory in dudu.list(limit, **filters).memories)

    def test_the_newest_come_first_and_no_more_than_asked_for(self, dudu: Chart) -> None:
        assert (self.contents(dudu), self.contents(dudu, 2), self.contents(dudu, 1)) == ("dcba", "dc", "d")

    @pytest.mark.parametrize(
        ("filters", "expected"),
        [
            ({"layer": "episodic"}, "b"),
            ({"domain": "WORK"}, "dc"),
            ({"repo": "karte"}, "d"),
            ({"tags": ["x"]}, "ba"),
            ({"tags": ["x", "y"]}, "a"),
            ({"types": ["preference", "goal"]}, "a"),
            ({"types": [], "tags": []}, "dcba"),
            ({"domain": "x"}, ""),
        ],
    )
    def test_filters_leave_what_is_wanted(self, dudu: Chart, filters: dict[str, Any], expected: str) -> None:
        assert self.contents(dudu, **filters) == expected

    def test_only_what_is_in_force_is_listed(self, dudu: Chart) -> None:
        lives(dudu, "Paris")
        lives(dudu, "London", "2026-03-01")
        assert [m.content for m in dudu.list(1).memories] == ["Ada lives in London"]
        assert [m.content for m in dudu.list(1, at="2026-02-01").memories] == ["Ada lives in Paris"]

    def test_it_looks_further_where_the_newest_are_not_wanted(self, dudu: Chart) -> None:
        for number in range(30):
            dudu.store(f"noise {number}", layer="episodic")
        assert self.contents(dudu, 2, layer="semantic") == "dc"

    @pytest.mark.parametrize("limit", [0, 1_001, True, "5", 2.0])
    def test_a_limit_is_a_number_from_1_to_1000(self, dudu: Chart, limit: Any) -> None:
        with pytest.raises(InvalidValue):
            dudu.list(limit)

    @pytest.mark.parametrize("filters", [{"layer": "x"}, {"types": ["x"]}, {"types": "fact"}, {"tags": "x"}])
    def test_a_filter_that_cannot_be_is_refused(self, dudu: Chart, filters: dict[str, Any]) -> None:
        with pytest.raises(InvalidValue):
            dudu.list(**filters)


def test_a_caller_without_the_scope_to_read_sees_nothing(dudu: Chart) -> None:
    paris = lives(dudu, "Paris")
    writer = dudu.acting(scopes=frozenset({Scope.WRITE}))
    for question in (
        lambda: writer.read(paris),
        lambda: writer.fetch([paris]),
        writer.list,
        lambda: writer.search("Paris"),
        lambda: writer.at("Ada", "lives in"),
        lambda: writer.history(paris),
        lambda: writer.timeline("Ada"),
        writer.aliases,
        writer.multi_valued,
    ):
        with pytest.raises(MissingScope):
            question()
