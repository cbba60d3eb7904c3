"""The three profiles as specified, and the checks of what a caller may change in them."""

import re

import pytest

from karte.core.intent import Aim
from karte.core.ranking.profiles import BALANCED, BOUNDS, COGNITIVE, POLYPHONIC, PROFILES, Fusion, profile_named
from karte.errors import InvalidValue


class TestProfiles:
    def test_balanced_weighs_four_voices_by_evidence_and_what_surrounds_them(self) -> None:
        assert BALANCED.fusion is Fusion.EVIDENCE
        assert BALANCED.weights == {"lexical": 0.4, "vector": 0.6, "graph": 0.3, "temporal": 0.3}
        assert BALANCED.context == {"neighbours": 1.0, "session": 0.3, "speaker": 0.1, "named": 0.1}
        assert (BALANCED.floor, BALANCED.nearness, BALANCED.relevance) == (0.25, 0.5, 0.9)
        assert (BALANCED.retention, BALANCED.confidence, BALANCED.usage, BALANCED.trust) == (0.05, 0.1, 0.02, 0.1)
        assert BALANCED.intents == {}

    def test_the_others_have_neither_surroundings_nor_a_floor(self) -> None:
        assert [(each.context, each.floor, each.nearness) for each in (POLYPHONIC, COGNITIVE)] == [({}, 0, 0)] * 2

    def test_polyphonic_weighs_four_voices_by_rank(self) -> None:
        assert POLYPHONIC.fusion is Fusion.RANKS
        assert POLYPHONIC.weights == {"vector": 0.35, "graph": 0.25, "lexical": 0.25, "temporal": 0.15}
        assert (POLYPHONIC.retention, POLYPHONIC.relevance) == (0.98, 0.7)

    @pytest.mark.parametrize(
        ("aim", "vector", "lexical", "temporal"),
        [
            (Aim.TEMPORAL, 0.6, 1.5, 2.0),
            (Aim.FACTUAL, 1.0, 1.2, 0.9),
            (Aim.ENTITY, 1.1, 1.0, 1.3),
            (Aim.PREFERENCE, 0.9, 0.8, 1.0),
            (Aim.PROCEDURAL, 1.3, 0.9, 0.7),
        ],
    )
    def test_polyphonic_listens_to_what_the_query_is_after(
        self, aim: Aim, vector: float, lexical: float, temporal: float
    ) -> None:
        assert POLYPHONIC.intents[aim] == {"vector": vector, "lexical": lexical, "temporal": temporal}

    def test_a_general_query_multiplies_nothing(self) -> None:
        assert Aim.GENERAL not in POLYPHONIC.intents

    def test_cognitive_weighs_recency_importance_and_three_voices(self) -> None:
        weights = {"recency": 0.25, "importance": 0.35, "lexical": 0.35, "graph": 0.15, "vector": 0.15}
        assert COGNITIVE.weights == weights
        assert (COGNITIVE.trust, COGNITIVE.retention, COGNITIVE.confidence, COGNITIVE.usage) == (0.10, 0, 0, 0)

    @pytest.mark.parametrize("profile", PROFILES.values(), ids=PROFILES)
    def test_every_number_of_a_profile_lies_within_its_bounds(self, profile: object) -> None:
        outside = {name for name, (least, most) in BOUNDS.items() if not least <= getattr(profile, name) <= most}
        assert outside == set()

    def test_a_profile_is_found_by_its_name(self) -> None:
        assert [profile_named(name) for name in ("balanced", "polyphonic", "cognitive")] == [
            BALANCED,
            POLYPHONIC,
            COGNITIVE,
        ]

    def test_an_unknown_name_is_refused_with_those_that_there_are(self) -> None:
        with pytest.raises(InvalidValue, match="one of balanced, polyphonic, cognitive, not 'quick'"):
            profile_named("quick")


class TestAdjusted:
    def test_a_weight_of_a_voice_and_of_the_context_can_be_changed(self) -> None:
        changed = BALANCED.adjusted({"graph": 0, "speaker": 0.5})
        assert changed.weights == {**BALANCED.weights, "graph": 0.0}
        assert changed.context == {**BALANCED.context, "speaker": 0.5}

    def test_a_number_can_be_changed_and_the_rest_stays(self) -> None:
        changed = POLYPHONIC.adjusted(trust=0.5, floor=0.2)
        assert (changed.trust, changed.floor, changed.retention) == (0.5, 0.2, 0.98)
        assert changed.weights == POLYPHONIC.weights

    def test_the_strength_of_a_standing_can_be_changed_like_a_weight(self) -> None:
        changed = BALANCED.adjusted({"trust": 0.05, "graph": 0})
        assert (changed.trust, changed.weights["graph"]) == (0.05, 0.0)
        assert changed == BALANCED.adjusted({"graph": 0}, trust=0.05)
        with pytest.raises(InvalidValue, match=r"usage is a number from 0 to 0\.05, not 0\.2"):
            BALANCED.adjusted({"usage": 0.2})

    def test_what_is_no_strength_is_no_weight(self) -> None:
        with pytest.raises(InvalidValue, match="has no weight floor"):
            BALANCED.adjusted({"floor": 0.2})

    def test_the_session_may_have_most_of_the_weight_and_not_all(self) -> None:
        assert BALANCED.adjusted({"session": 0.9}).context["session"] == 0.9
        with pytest.raises(InvalidValue, match=r"The weight of session is a number from 0 to 0\.9, not 0\.91"):
            BALANCED.adjusted({"session": 0.91})

    def test_nothing_changed_is_the_same_profile(self) -> None:
        assert BALANCED.adjusted() == BALANCED

    def test_the_profile_itself_does_not_change(self) -> None:
        before = dict(BALANCED.weights)
        BALANCED.adjusted({"lexical": 1.0})
        assert BALANCED.weights == before

    @pytest.mark.parametrize("value", [-0.01, 1.01, float("nan"), float("inf"), True, "0.5", None])
    def test_a_weight_out_of_0_to_1_is_refused_with_the_range(self, value: object) -> None:
        with pytest.raises(
            InvalidValue, match=re.escape(f"The weight of graph is a number from 0 to 1, not {value!r}.")
        ):
            BALANCED.adjusted({"graph": value})  # type: ignore[dict-item]  # that is what is refused

    @pytest.mark.parametrize(
        ("number", "value", "sentence"),
        [
            ("floor", 1.5, "floor is a number from 0 to 1, not 1.5."),
            ("usage", 0.06, "usage is a number from 0 to 0.05, not 0.06."),
            ("trust", -1, "trust is a number from 0 to 1, not -1."),
        ],
    )
    def test_a_number_out_of_its_range_is_refused_with_the_range(
        self, number: str, value: float, sentence: str
    ) -> None:
        with pytest.raises(InvalidValue, match=re.escape(sentence)):
            BALANCED.adjusted(None, **{number: value})

    def test_a_weight_that_the_profile_does_not_have_is_refused_with_those_that_it_has(self) -> None:
        sentence = "The profile polyphonic has no weight recency; it has vector, graph, lexical, temporal."
        with pytest.raises(InvalidValue, match=sentence):
            POLYPHONIC.adjusted({"recency": 0.2})

    def test_an_unknown_number_is_refused(self) -> None:
        with pytest.raises(InvalidValue, match="A profile has no number luck; it has retention, "):
            BALANCED.adjusted(luck=1.0)

    def test_a_profile_without_any_voice_is_refused(self) -> None:
        with pytest.raises(InvalidValue, match="At least one of vector, graph, lexical, temporal weighs more than 0"):
            POLYPHONIC.adjusted(dict.fromkeys(POLYPHONIC.weights, 0.0))
