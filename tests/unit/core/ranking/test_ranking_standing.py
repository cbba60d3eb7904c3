"""The factors that say how far a memory is to be relied on."""

from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.ranking.fusion import ordered
from karte.core.ranking.profiles import BALANCED, COGNITIVE, POLYPHONIC
from karte.core.ranking.standing import (
    CONTESTED,
    STALE,
    Reliance,
    best_from,
    factors,
    rivals,
    says,
    stand,
    usage,
    yielding,
)

shares = st.floats(0, 1)
counts = st.integers(0, 10**6)
reliances = st.builds(Reliance, shares, shares, shares, counts, counts, st.booleans(), st.booleans())


class TestFactors:
    def test_polyphonic_lets_a_memory_fade_almost_to_nothing(self) -> None:
        reliance = Reliance(retention=0.5, confidence=0.6, trust=0.3, mentions=3, recalls=6)
        expected = {
            "retention": 0.51,  # 0.02 + 0.98 * 0.5
            "confidence": 0.92,  # 0.8 + 0.2 * 0.6
            "usage": 1.008228161799,  # 1 + 0.02 * ln(10 / 2) / ln(50)
            "trust": 0.93,  # (1 - 0.1) + 0.1 * 0.3
        }
        assert factors(POLYPHONIC, reliance) == pytest.approx(expected)

    def test_balanced_fades_less(self) -> None:
        assert factors(BALANCED, Reliance(retention=0.0))["retention"] == pytest.approx(0.95)

    def test_cognitive_knows_trust_alone(self) -> None:
        reliance = Reliance(retention=0.1, confidence=0.1, trust=0.3, mentions=9)
        assert factors(COGNITIVE, reliance) == pytest.approx({"trust": 0.93})

    def test_the_formula_of_cognitive_with_trust(self) -> None:
        assert stand(0.712, factors(COGNITIVE, Reliance(trust=0.3))) == pytest.approx(0.66216)  # 0.712 * 0.93

    def test_what_is_reliable_in_every_way_keeps_its_score_to_the_bit(self) -> None:
        assert stand(0.1 + 0.2, factors(BALANCED, Reliance())) == 0.1 + 0.2

    def test_stale_and_contested_are_listed_and_lower_the_score(self) -> None:
        marked = factors(COGNITIVE, Reliance(stale=True, contested=True))
        assert marked == {"trust": 1.0, "stale": STALE, "contested": CONTESTED}
        assert stand(0.5, marked) == pytest.approx(0.5 * 0.8 * 0.9)

    @given(st.lists(st.tuples(shares, reliances), max_size=8))
    def test_a_weight_of_0_for_trust_ranks_bit_for_bit_as_if_there_were_no_trust(
        self, candidates: list[tuple[float, Reliance]]
    ) -> None:
        def scores(profile_trust: float, *, trusting: bool) -> dict[int, float]:
            profile = POLYPHONIC.adjusted(trust=profile_trust)
            found = enumerate(candidates)
            listed = {n: (score, factors(profile, reliance)) for n, (score, reliance) in found}
            kept = {
                n: (score, {k: v for k, v in f.items() if trusting or k != "trust"}) for n, (score, f) in listed.items()
            }
            return {n: stand(score, standing) for n, (score, standing) in kept.items()}

        weightless, none = scores(0, trusting=True), scores(0.1, trusting=False)
        assert (weightless, ordered(weightless)) == (none, ordered(none))

    @given(reliances)
    def test_every_factor_lies_within_its_bounds(self, reliance: Reliance) -> None:
        found = factors(POLYPHONIC, reliance)
        assert 0.02 - 1e-12 <= found["retention"] <= 1
        assert 0.8 - 1e-12 <= found["confidence"] <= 1
        assert 0.9 - 1e-12 <= found["trust"] <= 1
        assert 1 <= found["usage"] <= 1.02

    @given(shares, shares)
    def test_more_trust_never_lowers_a_hit(self, one: float, other: float) -> None:
        less, more = (stand(0.7, factors(BALANCED, Reliance(trust=trust))) for trust in sorted((one, other)))
        assert less <= more


class TestYielding:
    @pytest.mark.parametrize(
        ("strength", "score", "rivals", "share", "factor"),
        [
            (0.1, 0.8, [0.6, 0.4], 1.0, 0.5),  # below the least of them
            (1.0, 0.8, [0.4], 1.0, 0.5),  # and no further
            (0.05, 0.8, [0.2], 1.0, 0.5),  # half the strength: the root of a quarter
            (0.1, 0.8, [0.4], 0.5, 0.25),  # half the base score of the best that yields
            (0.1, 0.3, [0.4], 1.0, 1.0),  # below it anyhow
            (0.1, 0.8, [], 1.0, 1.0),
            (0.0, 0.8, [0.4], 1.0, 1.0),
            (0.1, 0.0, [0.4], 0.0, 1.0),
        ],
    )
    def test_what_yields_stands_just_below_the_least_of_its_rivals(
        self, strength: float, score: float, rivals: list[float], share: float, factor: float
    ) -> None:
        assert yielding(strength, score, rivals, share) == pytest.approx(factor)

    def test_it_is_below_even_where_both_have_the_same_score(self) -> None:
        assert yielding(0.1, 0.4, [0.4]) < 1

    @given(shares, shares, st.lists(shares, max_size=4))
    def test_it_never_raises(self, strength: float, score: float, rivals: list[float]) -> None:
        assert 0 <= yielding(strength, score, rivals) <= 1


class TestRivals:
    TIERS: ClassVar = {1: 1, 2: 1, 3: 0, 4: 0}

    def test_what_has_four_fifths_outdoes_and_all_with_three_fifths_stand_above(self) -> None:
        """0.4 is four fifths of 0.5, and 0.3 three fifths; of 0.51 the better one has less than four fifths."""
        assert rivals({1: 0.4, 2: 0.3, 3: 0.5, 4: 0.51}, self.TIERS) == {3: [1, 2]}
        assert rivals({1: 0.4, 2: 0.29, 3: 0.5, 4: 0.51}, self.TIERS) == {3: [1]}

    def test_the_untrusted_are_no_rivals_of_each_other(self) -> None:
        assert rivals({3: 0.9, 4: 0.5}, self.TIERS) == {}

    def test_each_tier_has_its_rivals_in_those_above_it(self) -> None:
        found = rivals({1: 0.5, 2: 0.5, 3: 0.5}, {1: 2, 2: 1, 3: 0})
        assert found == {2: [1], 3: [1, 2]}

    def test_a_text_that_repeats_the_question_has_no_more_than_enough(self) -> None:
        """0.4 is four fifths of 0.5, however much more the other has."""
        assert rivals({1: 0.4, 3: 1.0}, self.TIERS, enough=0.5) == {3: [1]}
        assert rivals({1: 0.4, 3: 1.0}, self.TIERS) == {}

    def test_what_does_not_say_what_is_asked_outdoes_nothing(self) -> None:
        """0.8 * 0.5 is four fifths of 0.5."""
        found = [rivals({1: 0.8, 3: 0.5}, self.TIERS, {1: saying}) for saying in (0.0, 0.4, 0.5, 1.0)]
        assert found == [{}, {}, {3: [1]}, {3: [1]}]

    def test_what_has_no_evidence_has_any_for_rivals(self) -> None:
        assert rivals({1: 0.1, 3: 0.0}, self.TIERS) == {3: [1]}
        assert rivals({1: 0.0, 3: 0.0}, self.TIERS) == {}

    @given(st.dictionaries(counts, shares, max_size=9), st.integers(0, 2))
    def test_where_all_are_of_one_tier_there_are_none(self, evidence: dict[int, float], tier: int) -> None:
        assert rivals(evidence, dict.fromkeys(evidence, tier)) == {}

    @pytest.mark.parametrize(
        ("given", "far"),
        [
            ({"lexical": 0.85}, 0.5),
            ({"vector": 0.6}, 0.5),
            ({"lexical": 0.85, "vector": 0.65}, 1.0),
            ({"lexical": 0.8, "vector": 0.55, "graph": 1.0}, 0.0),
            ({}, 0.0),
        ],
    )
    def test_it_is_said_in_the_words_asked_or_in_others(self, given: dict[str, float], far: float) -> None:
        assert says(given) == pytest.approx(far)

    def test_the_best_of_a_tier_is_that_of_those_above_it_too(self) -> None:
        found = best_from({1: 0.3, 2: 0.9, 3: 0.5, 4: 0.7}, {1: 2, 2: 1, 3: 2, 4: 0})
        assert found == {2: 0.5, 1: 0.9, 0: 0.9}


class TestUsage:
    @pytest.mark.parametrize(
        ("mentions", "recalls", "factor"),
        [
            (1, 0, 1.0),
            (0, 0, 1.0),
            (3, 6, 1.020570404497),  # 1 + 0.05 * ln(10 / 2) / ln(50)
            (99, 0, 1.05),  # 1 + 0.05 * ln(100 / 2) / ln(50)
            (10**6, 10**6, 1.05),
        ],
    )
    def test_use_adds_little_and_at_most_its_strength(self, mentions: int, recalls: int, factor: float) -> None:
        assert usage(0.05, mentions, recalls) == pytest.approx(factor)

    @given(counts, counts)
    def test_it_grows_with_each_recall_and_never_beyond_1_05(self, mentions: int, recalls: int) -> None:
        assert 1 <= usage(0.05, mentions, recalls) <= usage(0.05, mentions, recalls + 1) <= 1.05
