"""Storing: what each write does, what it answers, and that a refused one changes nothing."""

from typing import Any

import pytest

from karte.core.namespaces import Scope
from karte.core.periods import instant_of
from karte.core.results import Outcome, Status
from karte.errors import (
    FutureObservation,
    InvalidValue,
    KarteError,
    KeyReused,
    MissingScope,
    NotCurrent,
    ReversedPeriod,
    UnknownMemory,
)
from karte.testing.parts import GivenClock
from karte.workspace import Chart, Workspace
from tests.unit.engine.conftest import NOW


def lives(chart: Chart, value: str, start: str | None = None, **options: Any) -> Any:
    options = {"valid_from": start, **options}
    return chart.store(f"Ada lives in {value}", subject="Ada", predicate="lives in", object=value, **options)


def city(chart: Chart, at: str | None = None) -> list[str | None]:
    return [memory.object for memory in chart.at("Ada", "lives in", at).memories]


class TestReceipts:
    def test_a_new_statement_is_stored_in_a_chain_of_its_own(self, dudu: Chart) -> None:
        receipt = lives(dudu, "Paris")
        assert (receipt.status, receipt.memory_id, receipt.chain_id) == (Outcome.STORED, "mem_00000001", "chn_00000001")
        assert (receipt.superseded, receipt.revived, receipt.similar) == ((), (), ())

    def test_a_later_one_supersedes_and_names_what_it_took_over_from(self, dudu: Chart) -> None:
        first, second = lives(dudu, "Paris", "2026-01-01"), lives(dudu, "London", "2026-05-01")
        assert (second.status, second.superseded) == (Outcome.SUPERSEDED, (first.memory_id,))
        assert second.chain_id == first.chain_id

    def test_an_older_one_enters_the_past_only(self, dudu: Chart) -> None:
        lives(dudu, "Paris", "2026-05-01")
        assert lives(dudu, "London", "2026-01-01").status is Outcome.HISTORICAL
        assert (city(dudu), city(dudu, "2026-02-01")) == (["Paris"], ["London"])

    def test_a_period_that_is_over_enters_the_past_also_where_there_was_nothing(self, dudu: Chart) -> None:
        assert lives(dudu, "Paris", "2026-01-01", valid_until="2026-02-01").status is Outcome.HISTORICAL

    def test_the_same_again_by_somebody_else_reaffirms(self, dudu: Chart) -> None:
        first = lives(dudu, "Paris", "2026-01-01", origin="import:a.md")
        again = dudu.store(
            "ADA lives in  paris", subject="ada", predicate="lives in", object="PARIS", origin="import:b.md"
        )
        assert (again.status, again.memory_id) == (Outcome.REAFFIRMED, first.memory_id)

    def test_the_very_same_again_is_unchanged(self, dudu: Chart, clock: GivenClock) -> None:
        told = {"origin": "import:a.md", "observed_at": "2026-01-01"}
        first = lives(dudu, "Paris", "2026-01-01", **told)
        clock.advance(60)
        assert lives(dudu, "Paris", "2026-01-01", **told).status is Outcome.UNCHANGED
        item = dudu.read(first.memory_id)
        assert (item.learned_at, len(item.said)) == (instant_of(NOW) + 1, 1)

    def test_a_claim_under_a_more_trusted_one_is_shadowed(self, dudu: Chart) -> None:
        lives(dudu, "Paris", "2026-01-01")
        receipt = lives(dudu, "London", "2026-05-01", origin="channel:line")
        assert (receipt.status, city(dudu)) == (Outcome.SHADOWED, ["Paris"])
        assert dudu.read(receipt.memory_id).status is Status.SHADOWED

    def test_a_start_in_the_future_supersedes_from_then_on(self, dudu: Chart) -> None:
        lives(dudu, "Paris", "2026-01-01")
        receipt = lives(dudu, "London", "2026-08-01")
        assert (receipt.status, city(dudu), city(dudu, "2026-08-01")) == (Outcome.SUPERSEDED, ["Paris"], ["London"])

    def test_after_an_end_a_value_is_stored_and_supersedes_nothing(self, dudu: Chart) -> None:
        lives(dudu, "Paris", "2026-01-01")
        dudu.end_fact("Ada", "lives in", at="2026-02-01")
        receipt = lives(dudu, "London", "2026-05-01")
        assert (receipt.status, receipt.superseded) == (Outcome.STORED, ())

    def test_texts_that_are_nearly_equal_are_linked_and_both_kept(self, dudu: Chart) -> None:
        first = dudu.store("The lease of room 4 ends in 12 weeks")
        second = dudu.store("The lease of room 5 ends in 12 weeks")
        assert (second.status, second.similar) == (Outcome.STORED, (first.memory_id,))
        assert len(dudu.list().memories) == 2

    def test_other_texts_and_texts_of_other_domains_are_not_linked(self, dudu: Chart) -> None:
        dudu.store("The lease of room 4 ends in 12 weeks")
        assert dudu.store("小雨喜歡在東京喝咖啡").similar == ()
        assert dudu.store("The lease of room 5 ends in 12 weeks", domain="work").similar == ()
        assert dudu.store("Hi").similar == dudu.store("Ho").similar == ()


class TestTimes:
    def test_observed_and_valid_default_to_the_time_of_learning(self, dudu: Chart) -> None:
        item = dudu.read(dudu.store("x").memory_id)
        learned = instant_of(NOW) + 1
        assert (item.learned_at, item.said[0].observed_at, item.validity.start) == (learned, learned, learned)

    def test_valid_from_defaults_to_observed_at(self, dudu: Chart) -> None:
        item = dudu.read(dudu.store("x", observed_at="2026-01-01").memory_id)
        assert str(item.valid_from) == "2026-01-01 00:00:00+00:00"

    def test_a_clock_that_steps_back_never_reorders_what_was_learned(self, dudu: Chart, clock: GivenClock) -> None:
        first = dudu.read(dudu.store("first").memory_id).learned_at
        clock.advance(-3_600)
        second = dudu.read(dudu.store("second").memory_id).learned_at
        assert second == first + 1
        assert [memory.content for memory in dudu.list().memories] == ["second", "first"]

    def test_a_start_in_the_future_comes_into_force_by_the_clock_with_no_write(
        self, dudu: Chart, clock: GivenClock
    ) -> None:
        lives(dudu, "Paris", "2026-01-01")
        later = lives(dudu, "London", "2026-07-02")
        before = (city(dudu), dudu.read(later.memory_id).status)
        clock.advance(24 * 3_600)
        assert before == (["Paris"], Status.FUTURE)
        assert (city(dudu), dudu.read(later.memory_id).status) == (["London"], Status.IN_FORCE)

    @pytest.mark.parametrize("options", [{"ttl_hours": 1}, {"expires_at": "2026-07-01T01:00:00Z"}])
    def test_what_expires_is_gone_from_every_read_and_its_predecessor_is_back(
        self, dudu: Chart, clock: GivenClock, options: dict[str, Any]
    ) -> None:
        lives(dudu, "Paris", "2026-01-01")
        expiring = lives(dudu, "London", **options)
        before = city(dudu)
        clock.advance(3_601)
        assert (before, city(dudu)) == (["London"], ["Paris"])
        assert dudu.search("London").hits == ()
        assert dudu.fetch([expiring.memory_id]).missing_ids == (expiring.memory_id,)
        assert [chapter.item.object for chapter in dudu.history("Ada", "lives in").chain] == ["Paris"]
        assert [memory.object for memory in dudu.list().memories] == ["Paris"]

    @pytest.mark.parametrize(
        ("options", "error"),
        [
            ({"observed_at": "2026-07-02"}, FutureObservation),
            ({"valid_from": "2026-02-01", "valid_until": "2026-02-01"}, ReversedPeriod),
            ({"valid_until": "2026-01-01"}, ReversedPeriod),
            ({"expires_at": "2026-06-01"}, InvalidValue),
            ({"valid_from": "2026-09-01", "expires_at": "2026-08-01"}, InvalidValue),
            ({"derived_from": ["mem_x"]}, UnknownMemory),
            ({"expect_current": "mem_x"}, UnknownMemory),
        ],
    )
    def test_what_cannot_be_is_refused_and_nothing_is_kept(
        self, dudu: Chart, ws: Workspace, options: dict[str, Any], error: type[KarteError]
    ) -> None:
        with pytest.raises(error):
            dudu.store("x", **options)
        assert ws.stats().to_dict() == {"memories": {"workspace": 0, "dudu": 0}, "total": 0}


class TestBatches:
    def test_a_batch_is_stored_in_order(self, dudu: Chart) -> None:
        receipts = dudu.store_many(
            [
                {
                    "content": "Ada lives in Paris",
                    "subject": "Ada",
                    "predicate": "lives in",
                    "valid_from": "2026-01-01",
                },
                {"content": "Ada lives in 東京", "subject": "Ada", "predicate": "lives in", "valid_from": "2026-05-01"},
            ]
        )
        assert [receipt.status for receipt in receipts] == [Outcome.STORED, Outcome.SUPERSEDED]

    def test_an_empty_batch_does_nothing(self, dudu: Chart) -> None:
        assert dudu.store_many([]) == []

    def test_one_that_cannot_be_kept_leaves_all_of_its_batch_behind(self, dudu: Chart, ws: Workspace) -> None:
        with pytest.raises(ReversedPeriod):
            dudu.store_many(
                [{"content": "x"}, {"content": "y", "valid_from": "2026-01-01", "valid_until": "2025-01-01"}]
            )
        assert ws.stats().memories["dudu"] == 0
        assert dudu.search("x").hits == ()

    @pytest.mark.parametrize("item", [{}, "x", {"text": "x"}])
    def test_an_item_without_content_is_named_by_its_place(self, dudu: Chart, item: Any) -> None:
        with pytest.raises(InvalidValue, match="Item 2"):
            dudu.store_many([{"content": "x"}, item])


class TestConditions:
    def test_a_retry_under_a_key_gives_the_first_receipt(self, dudu: Chart, clock: GivenClock) -> None:
        first = lives(dudu, "Paris", idempotency_key="k1")
        clock.advance(60)
        assert lives(dudu, "Paris", idempotency_key="k1") == first
        assert len(dudu.read(first.memory_id).said) == 1

    def test_another_request_under_the_same_key_is_refused(self, dudu: Chart) -> None:
        lives(dudu, "Paris", idempotency_key="k1")
        with pytest.raises(KeyReused):
            lives(dudu, "London", idempotency_key="k1")
        assert city(dudu) == ["Paris"]

    def test_keys_of_two_agents_are_two_keys(self, ws: Workspace) -> None:
        first, second = (lives(ws.agent(name), "Paris", idempotency_key="k1") for name in ("dudu", "ゆき"))
        assert first.memory_id != second.memory_id

    def test_a_supersession_on_condition_succeeds_where_the_condition_holds(self, dudu: Chart) -> None:
        first = lives(dudu, "Paris", "2026-01-01")
        assert lives(dudu, "London", expect_current=first.memory_id).superseded == (first.memory_id,)

    def test_it_is_lost_where_another_statement_is_in_force(self, dudu: Chart) -> None:
        first = lives(dudu, "Paris", "2026-01-01")
        lives(dudu, "London", "2026-05-01")
        with pytest.raises(NotCurrent):
            lives(dudu, "Rome", expect_current=first.memory_id)
        assert city(dudu) == ["London"]

    def test_it_is_lost_where_nothing_answers_the_question(self, dudu: Chart) -> None:
        first = dudu.store("free text")
        with pytest.raises(NotCurrent):
            lives(dudu, "Rome", expect_current=first.memory_id)
        with pytest.raises(NotCurrent):
            dudu.store("other text", expect_current=first.memory_id)

    def test_the_statement_itself_may_be_the_one_expected(self, dudu: Chart) -> None:
        first = dudu.store("free text")
        assert dudu.store("Free text", expect_current=first.memory_id).status is Outcome.REAFFIRMED

    @pytest.mark.parametrize("scope", [Scope.READ, Scope.REVIEW, Scope.ADMIN])
    def test_a_caller_without_the_scope_to_write_is_refused(self, dudu: Chart, scope: Scope) -> None:
        with pytest.raises(MissingScope):
            dudu.acting(scopes=frozenset({scope})).store("x")


class TestDerivation:
    def test_what_is_derived_names_its_parents_and_is_no_more_trusted(self, dudu: Chart) -> None:
        parent = lives(dudu, "Paris", origin="channel:line")
        child = dudu.store("Ada speaks French", derived_from=[parent.memory_id])
        item = dudu.read(child.memory_id)
        assert (item.derived_from, item.trust, item.marks) == ((parent.memory_id,), 0.3, ())

    def test_it_is_stale_while_its_parent_is_not_in_force(self, dudu: Chart) -> None:
        parent = lives(dudu, "Paris", "2026-01-01")
        child = dudu.store("Ada speaks French", derived_from=[parent.memory_id])
        lives(dudu, "London", "2026-05-01")
        assert dudu.read(child.memory_id).marks == ("stale",)

    def test_its_trust_falls_to_a_tenth_when_its_parent_is_withdrawn(self, dudu: Chart) -> None:
        parent = lives(dudu, "Paris")
        child = dudu.store("Ada speaks French", derived_from=[parent.memory_id])
        dudu.withdraw(parent.memory_id)
        item = dudu.read(child.memory_id)
        assert (item.trust, item.marks) == (0.1, ("stale",))

    def test_a_fall_of_trust_lets_a_more_trusted_rival_into_force(self, dudu: Chart) -> None:
        parent = dudu.store("Her passport says Paris")
        lives(dudu, "London", "2026-01-01", trust=0.5)
        lives(dudu, "Paris", "2026-05-01", derived_from=[parent.memory_id])
        before = city(dudu)
        dudu.withdraw(parent.memory_id)
        assert (before, city(dudu)) == (["Paris"], ["London"])

    def test_a_further_assertion_that_is_derived_adds_its_parents(self, dudu: Chart) -> None:
        parent = dudu.store("Her passport says Paris")
        first = lives(dudu, "Paris", "2026-01-01")
        lives(dudu, "Paris", "2026-01-01", derived_from=[parent.memory_id], origin="agent_derived")
        assert dudu.read(first.memory_id).derived_from == (parent.memory_id,)
