"""Each sentence about the fold as an example with an answer computed by hand."""

import pytest

from karte.core.assertions import Details, LinkKind, Veracity
from karte.core.memories import Statement, Triple
from karte.core.origins import Origin
from karte.core.periods import FOREVER, Period
from karte.errors import ReversedPeriod
from tests.laws.telling import city, course, line_of, link, records, said, shadowed, value_at, withdrawn

PARIS, LONDON, TAIPEI = city("Paris"), city("London"), city("臺北")
MOVED = Statement("Ada moved to the office in Lyon")
OFFICE = Statement("The office is in Lyon", triple=Triple("office", "is in", "Lyon"))
NOTHING = Statement("", triple=Triple("Ada", "lives in"), nothing=True)
CHAT = Origin("channel", "chat:7", "m1")
LOW, HIGH = 3_000, 10_000


def likes(value: str) -> Statement:
    return Statement(f"小雨喜歡{value}", triple=Triple("小雨", "喜歡", value))


class TestTime:
    def test_a_later_start_takes_over_at_its_own_start_and_not_when_it_was_told(self) -> None:
        told = (said(PARIS, 0, observed_at=1), said(LONDON, 10, observed_at=99))
        assert course(PARIS, *told) == [(0, 10, "Paris"), (10, None, "London")]

    def test_an_older_start_that_arrives_late_becomes_a_bounded_piece_of_history(self) -> None:
        divorced = Statement("Ada is divorced", triple=Triple("Ada", "status", "divorced"))
        married = Statement("Ada is married", triple=Triple("Ada", "status", "married"))
        told = (said(divorced, 10, observed_at=1), said(married, 2, observed_at=2))
        assert course(married, *told) == [(2, 10, "married"), (10, None, "divorced")]

    def test_a_bounded_statement_inside_an_open_one_interrupts_it(self) -> None:
        on_leave = Statement("Ada is on leave", triple=Triple("Ada", "status", "on leave"))
        at_work = Statement("Ada is at work", triple=Triple("Ada", "status", "at work"))
        told = (said(at_work, 0), said(on_leave, 1, 10))
        assert course(at_work, *told) == [(0, 1, "at work"), (1, 10, "on leave"), (10, None, "at work")]

    def test_equal_neighbouring_values_are_one_spell(self) -> None:
        told = (said(PARIS, 0, 5), said(PARIS, 5, 9), said(PARIS, 9))
        assert course(PARIS, *told) == [(0, None, "Paris")]

    def test_there_and_back_leaves_exactly_one_value_in_force(self) -> None:
        told = (said(PARIS, 0), said(LONDON, 5), said(PARIS, 9))
        assert course(PARIS, *told) == [(0, 5, "Paris"), (5, 9, "London"), (9, None, "Paris")]

    def test_a_start_in_the_future_comes_into_force_by_the_clock_alone(self) -> None:
        told = (said(PARIS, 0), said(TAIPEI, 100))
        assert [value_at(at, PARIS, *told) for at in (99, 100)] == ["Paris", "臺北"]

    def test_the_start_belongs_to_a_period_and_the_end_does_not(self) -> None:
        assert [value_at(at, PARIS, said(PARIS, 3, 7)) for at in (2, 3, 6, 7)] == [None, "Paris", "Paris", None]

    @pytest.mark.parametrize("end", [3, 2])
    def test_a_period_without_width_or_reversed_is_refused(self, end: int) -> None:
        with pytest.raises(ReversedPeriod):
            Period(3, end)

    def test_an_expiry_ends_a_claim_and_what_it_covered_is_in_force_again(self) -> None:
        told = (said(PARIS, 0), said(LONDON, 2, details=Details(expires_at=6)))
        assert course(PARIS, *told) == [(0, 2, "Paris"), (2, 6, "London"), (6, None, "Paris")]

    def test_a_fact_that_ends_has_no_value_from_then_on(self) -> None:
        assert course(PARIS, said(PARIS, 0), said(NOTHING, 5)) == [(0, 5, "Paris"), (5, None, None)]

    def test_after_an_end_a_later_start_gives_a_value_again(self) -> None:
        told = (said(PARIS, 0), said(NOTHING, 5), said(LONDON, 8))
        assert course(PARIS, *told) == [(0, 5, "Paris"), (5, 8, None), (8, None, "London")]


class TestTies:
    def test_of_one_start_the_later_observation_wins(self) -> None:
        told = (said(LONDON, 0, observed_at=2), said(PARIS, 0, observed_at=1))
        assert course(PARIS, *told) == course(PARIS, *reversed(told)) == [(0, None, "London")]

    def test_of_one_observation_the_more_trusted_wins(self) -> None:
        told = (said(LONDON, 0, trust=9_000), said(PARIS, 0, trust=6_000))
        assert course(PARIS, *told) == course(PARIS, *reversed(told)) == [(0, None, "London")]

    def test_the_last_tie_is_broken_by_the_hash_of_the_statement_whoever_came_first(self) -> None:
        told = (said(LONDON, 0), said(PARIS, 0))
        greater = "London" if LONDON.of("dudu").key > PARIS.of("dudu").key else "Paris"
        assert course(PARIS, *told) == course(PARIS, *reversed(told)) == [(0, None, greater)]

    def test_the_hash_tells_two_objects_of_one_text_apart(self) -> None:
        one = Statement("There", triple=Triple("Ada", "lives in", "Paris"))
        other = Statement("There", triple=Triple("Ada", "lives in", "London"))
        told = (said(one, 0), said(other, 0))
        assert course(one, *told) == course(one, *reversed(told))


class TestGuard:
    def test_an_untrusted_claim_gives_the_same_timeline_whether_it_came_first_or_second(self) -> None:
        told = (said(LONDON, 5, trust=LOW), said(PARIS, 0, trust=HIGH))
        assert course(PARIS, *told) == course(PARIS, *reversed(told)) == [(0, None, "Paris")]
        assert shadowed(PARIS, *told) == shadowed(PARIS, *reversed(told)) == [(5, None, "London")]

    def test_a_shadowed_claim_comes_into_force_when_the_one_above_it_ends(self) -> None:
        told = (said(LONDON, 2, trust=LOW), said(PARIS, 0, 7, trust=HIGH))
        assert course(PARIS, *told) == [(0, 7, "Paris"), (7, None, "London")]

    def test_a_shadowed_claim_comes_into_force_when_the_one_above_it_is_withdrawn(self) -> None:
        above = said(PARIS, 0, trust=HIGH)
        assert course(PARIS, said(LONDON, 2, trust=LOW), above, withdrawn(above)) == [(2, None, "London")]

    def test_a_reaffirmation_of_a_lower_tier_is_not_shadowed(self) -> None:
        assert shadowed(PARIS, said(PARIS, 0, trust=HIGH), said(PARIS, 3, trust=LOW)) == []

    def test_an_older_claim_of_a_lower_tier_under_a_later_one_is_not_shadowed(self) -> None:
        assert shadowed(PARIS, said(LONDON, 0, trust=LOW), said(PARIS, 0, observed_at=3, trust=HIGH)) == []

    def test_without_tiers_the_later_claim_wins_whatever_its_trust(self) -> None:
        told = (said(PARIS, 0, trust=HIGH), said(LONDON, 5, trust=LOW))
        assert course(PARIS, *told, tiers=()) == [(0, 5, "Paris"), (5, None, "London")]

    def test_with_two_thresholds_the_middle_tier_does_not_override_the_highest(self) -> None:
        told = (said(PARIS, 0, trust=9_000), said(LONDON, 5, trust=8_999))
        assert course(PARIS, *told, tiers=(4_000, 9_000)) == [(0, None, "Paris")]
        assert course(PARIS, *told) == [(0, 5, "Paris"), (5, None, "London")]

    def test_a_trust_of_exactly_the_threshold_is_trusted(self) -> None:
        told = (said(PARIS, 0, trust=4_000), said(LONDON, 5, trust=3_999))
        assert course(PARIS, *told) == [(0, None, "Paris")]


class TestWithdrawals:
    def test_what_was_displaced_is_in_force_again(self) -> None:
        wrong = said(LONDON, 5)
        assert course(PARIS, said(PARIS, 0), wrong, withdrawn(wrong)) == [(0, None, "Paris")]

    def test_as_of_before_the_withdrawal_nothing_was_withdrawn(self) -> None:
        wrong = said(LONDON, 5)
        told = (said(PARIS, 0), wrong, withdrawn(wrong))
        assert course(PARIS, *told, known_at=2) == [(0, 5, "Paris"), (5, None, "London")]

    def test_of_two_withdrawals_from_two_sources_either_is_enough(self) -> None:
        wrong = said(LONDON, 5)
        both = (withdrawn(wrong), withdrawn(wrong, Origin("operator", "chat:43")))
        answers = [course(PARIS, said(PARIS, 0), wrong, *kept) for kept in (both, both[:1], both[1:])]
        assert answers == [[(0, None, "Paris")]] * 3

    def test_a_withdrawal_names_one_assertion_and_not_what_else_was_said(self) -> None:
        wrong = said(LONDON, 5)
        told = (said(PARIS, 0), wrong, said(LONDON, 8), withdrawn(wrong))
        assert course(PARIS, *told) == [(0, 8, "Paris"), (8, None, "London")]

    def test_a_withdrawal_of_a_lower_tier_changes_nothing(self) -> None:
        kept = said(LONDON, 5)
        assert course(LONDON, kept, withdrawn(kept, CHAT, LOW)) == [(5, None, "London")]

    def test_an_untrusted_source_withdraws_what_is_untrusted(self) -> None:
        gone = said(LONDON, 5, trust=LOW)
        assert course(LONDON, gone, withdrawn(gone, CHAT, LOW)) == []

    def test_what_is_withdrawn_stays_in_its_chain(self) -> None:
        gone = said(LONDON, 5)
        line = line_of(LONDON, gone, withdrawn(gone))
        (standing,) = line.standings.values()
        assert (standing.said, len(standing.withdrawn), standing.trust) == ((), 1, 0)


class TestChains:
    def test_an_alias_makes_two_chains_one(self) -> None:
        countess = city("London", "Countess of Lovelace")
        alias = link(LinkKind.ALIAS, "ada", "countess of lovelace")
        assert course(PARIS, said(PARIS, 0), said(countess, 5), alias) == [(0, 5, "Paris"), (5, None, "London")]

    def test_a_withdrawn_alias_parts_them_again(self) -> None:
        countess = city("London", "Countess of Lovelace")
        alias = link(LinkKind.ALIAS, "ada", "countess of lovelace")
        told = (said(PARIS, 0), said(countess, 5), alias, withdrawn(alias))
        assert (course(PARIS, *told), course(countess, *told)) == ([(0, None, "Paris")], [(5, None, "London")])

    def test_an_alias_of_an_alias_names_the_same(self) -> None:
        king = city("London", "Augusta King")
        aliases = (
            link(LinkKind.ALIAS, "countess of lovelace", "augusta king"),
            link(LinkKind.ALIAS, "ada", "countess of lovelace"),
        )
        assert course(PARIS, said(PARIS, 0), said(king, 5), *aliases) == [(0, 5, "Paris"), (5, None, "London")]

    def test_an_untrusted_alias_joins_nothing(self) -> None:
        countess = city("London", "Countess of Lovelace")
        alias = link(LinkKind.ALIAS, "ada", "countess of lovelace", LOW)
        assert course(PARIS, said(PARIS, 0), said(countess, 5), alias) == [(0, None, "Paris")]

    def test_names_are_compared_in_normal_form(self) -> None:
        shouted = city("ＬＯＮＤＯＮ", " ADA ")
        assert course(PARIS, said(PARIS, 0), said(shouted, 5)) == [(0, 5, "Paris"), (5, None, "ＬＯＮＤＯＮ")]

    def test_two_domains_are_two_questions(self) -> None:
        private = city("Rome", domain="private")
        told = (said(PARIS, 0), said(private, 5))
        assert (course(PARIS, *told), course(private, *told)) == ([(0, None, "Paris")], [(5, None, "Rome")])

    def test_a_predicate_of_many_values_has_them_side_by_side(self) -> None:
        many = link(LinkKind.MULTI_VALUED, "喜歡", "")
        told = (said(likes("茶"), 0), said(likes("咖啡"), 5), many)
        assert [course(likes(value), *told) for value in ("茶", "咖啡")] == [[(0, None, "茶")], [(5, None, "咖啡")]]

    def test_an_end_of_one_of_many_values_leaves_the_others(self) -> None:
        many = link(LinkKind.MULTI_VALUED, "喜歡", "")
        no_tea = Statement("", triple=Triple("小雨", "喜歡", "茶"), nothing=True)
        told = (said(likes("茶"), 0), said(likes("咖啡"), 0), many, said(no_tea, 5))
        assert course(likes("茶"), *told) == [(0, 5, "茶"), (5, None, None)]
        assert course(likes("咖啡"), *told) == [(0, None, "咖啡")]

    def test_what_supersedes_from_another_question_is_a_guest_and_changes_no_question(self) -> None:
        office, paris, london = said(OFFICE, 5), said(PARIS, 0), said(LONDON, 8)
        told = (paris, office, london, link(LinkKind.SUPERSEDES, office, paris))
        assert course(PARIS, *told) == [(0, 5, "Paris"), (5, 8, "Lyon"), (8, None, "London")]
        assert course(OFFICE, *told) == [(5, None, "Lyon")]

    def test_free_text_joins_the_one_chain_that_it_supersedes(self) -> None:
        moved, paris = said(MOVED, 5), said(PARIS, 0)
        told = (paris, moved, link(LinkKind.SUPERSEDES, moved, paris))
        assert course(PARIS, *told) == course(MOVED, *told) == [(0, 5, "Paris"), (5, None, MOVED.content)]

    def test_free_text_that_supersedes_in_two_chains_is_a_guest_of_both(self) -> None:
        moved, paris, office = said(MOVED, 5), said(PARIS, 0), said(OFFICE, 0)
        told = (
            paris,
            office,
            moved,
            link(LinkKind.SUPERSEDES, moved, paris),
            link(LinkKind.SUPERSEDES, moved, office),
        )
        assert course(PARIS, *told) == [(0, 5, "Paris"), (5, None, MOVED.content)]
        assert course(OFFICE, *told) == [(0, 5, "Lyon"), (5, None, MOVED.content)]
        assert course(MOVED, *told) == [(5, None, MOVED.content)]

    def test_two_that_supersede_each_other_are_accepted_and_the_fold_decides(self) -> None:
        rain, sun = said(Statement("비가 온다"), 0), said(Statement("晴れている"), 5)
        told = (rain, sun, link(LinkKind.SUPERSEDES, rain, sun), link(LinkKind.SUPERSEDES, sun, rain))
        assert course(Statement("비가 온다"), *told) == [(0, 5, "비가 온다"), (5, None, "晴れている")]

    def test_a_link_of_a_lower_tier_than_what_it_joins_does_not_act(self) -> None:
        moved, paris = said(MOVED, 5), said(PARIS, 0)
        told = (paris, moved, link(LinkKind.SUPERSEDES, moved, paris, LOW))
        assert course(PARIS, *told) == [(0, None, "Paris")]


class TestStatements:
    def test_two_rows_with_equal_object_and_text_under_an_alias_are_one_statement(self) -> None:
        mine = Statement("In Paris", triple=Triple("Ada", "lives in", "Paris"))
        hers = Statement("in  paris", triple=Triple("Countess", "lives in", "Paris"))
        told = (said(mine, 0, 5), said(hers, 5, 9), link(LinkKind.ALIAS, "ada", "countess"))
        (standing,) = line_of(mine, *told).standings.values()
        assert (len(standing.memories), len(standing.said)) == (2, 2)
        assert course(mine, *told) == [(0, 9, "Paris")]

    def test_same_as_makes_a_retelling_the_same_statement(self) -> None:
        rain, pours = said(Statement("雨"), 0, 5), said(Statement("It rains"), 5)
        (standing,) = line_of(Statement("雨"), rain, pours, link(LinkKind.SAME_AS, rain, pours)).standings.values()
        assert len(standing.memories) == 2

    @pytest.mark.parametrize(
        ("veracities", "containers", "confidence"),
        [
            (["inferred"], ["a"], 0.7),
            (["inferred", "tool"], ["a", "b"], 0.745),  # 0.7 + 0.3 * 0.5 * 0.3
            (["inferred", "tool"], ["a", "a"], 0.7),
            (["inferred", "tool", "imported"], ["a", "b", "c"], 0.7909),  # 0.745 + 0.255 * 0.6 * 0.3
            (["stated", "tool"], ["a", "b"], 1.0),
        ],
    )
    def test_each_further_container_raises_confidence_by_a_share_of_the_doubt(
        self, veracities: list[str], containers: list[str], confidence: float
    ) -> None:
        told = [
            said(PARIS, 0, observed_at=at, origin=Origin("import", box), details=Details(veracity=Veracity(veracity)))
            for at, (veracity, box) in enumerate(zip(veracities, containers, strict=True))
        ]
        (standing,) = line_of(PARIS, *told).standings.values()
        assert standing.confidence == pytest.approx(confidence, abs=1e-12)

    def test_the_first_to_observe_gives_the_confidence_whoever_was_learned_first(self) -> None:
        sure, unsure = Details(confidence=0.9), Details(confidence=0.2, veracity=Veracity.TOOL)
        later = said(PARIS, 0, observed_at=2, origin=Origin("import", "b"), details=unsure)
        first = said(PARIS, 0, observed_at=1, origin=Origin("import", "a"), details=sure)
        (standing,) = line_of(PARIS, later, first).standings.values()
        assert standing.confidence == pytest.approx(0.915, abs=1e-12)  # 0.9 + 0.1 * 0.5 * 0.3

    def test_a_statement_is_as_trusted_as_its_most_trusted_source(self) -> None:
        (standing,) = line_of(PARIS, said(PARIS, 0, trust=3_000), said(PARIS, 0, trust=7_000)).standings.values()
        assert standing.trust == 7_000


class TestDerivation:
    TEA, COFFEE = likes("茶"), likes("咖啡")

    def _trust(self, *events: object) -> int:
        line = line_of(self.COFFEE, *events)  # type: ignore[arg-type]  # events of telling
        return next(s.trust for s in line.standings.values() if s.representative.key == self.COFFEE.of("dudu").key)

    def test_what_is_derived_is_no_more_trusted_than_its_least_trusted_parent(self) -> None:
        parents = (PARIS.of("dudu").key, OFFICE.of("dudu").key)
        derived = said(self.COFFEE, 0, trust=9_000, parents=parents)
        assert self._trust(said(PARIS, 0, trust=7_000), said(OFFICE, 0, trust=5_000), derived) == 5_000

    def test_a_parent_that_is_said_by_somebody_more_trusted_lifts_what_was_derived_before(self) -> None:
        derived = said(self.COFFEE, 0, trust=9_000, parents=(PARIS.of("dudu").key,))
        assert self._trust(said(PARIS, 0, trust=3_000), derived, said(PARIS, 0, trust=8_000)) == 8_000

    def test_what_rests_on_a_withdrawn_parent_has_a_trust_of_one_tenth(self) -> None:
        paris = said(PARIS, 0)
        derived = said(self.COFFEE, 0, trust=9_000, parents=(PARIS.of("dudu").key,))
        assert self._trust(paris, derived, withdrawn(paris)) == 1_000

    def test_what_rests_on_itself_alone_has_a_trust_of_one_tenth(self) -> None:
        tea, coffee = self.TEA.of("dudu").key, self.COFFEE.of("dudu").key
        circle = (said(self.TEA, 0, parents=(coffee,)), said(self.COFFEE, 0, parents=(tea,)))
        assert self._trust(*circle) == 1_000

    def test_a_circle_with_a_base_is_as_trusted_as_the_base(self) -> None:
        tea, coffee = self.TEA.of("dudu").key, self.COFFEE.of("dudu").key
        circle = (said(self.TEA, 0, parents=(coffee,)), said(self.COFFEE, 0, parents=(tea,)))
        assert self._trust(*circle, said(self.TEA, 0, trust=6_000)) == 6_000

    def test_the_tier_of_what_is_derived_is_that_of_its_trust(self) -> None:
        derived = said(LONDON, 5, parents=(OFFICE.of("dudu").key,))
        told = (said(PARIS, 0), said(OFFICE, 0, trust=LOW), derived)
        assert course(PARIS, *told) == [(0, None, "Paris")]


def test_asking_as_of_a_time_before_anything_was_learned_finds_no_chain() -> None:
    from karte.core.standing import resolve

    assert resolve(records(said(PARIS, 0)), (), 0) == []


def test_an_open_end_is_later_than_every_instant() -> None:
    assert value_at(FOREVER - 1, PARIS, said(PARIS, 0)) == "Paris"
