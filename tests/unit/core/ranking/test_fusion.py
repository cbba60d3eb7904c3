"""Fusion against sums worked out by hand, and its laws for whatever the voices say."""

from collections.abc import Mapping
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.intent import Aim
from karte.core.ranking.fusion import Heard, evidence, fuse, ordered, ranks_of
from karte.core.ranking.profiles import BALANCED, COGNITIVE, POLYPHONIC, PROFILES, Profile
from karte.core.results import Voice

LEXICAL = Heard({1: 8.0, 2: 4.0, 3: 2.0}, full=10.0)
VECTOR = Heard({1: 0.52, 2: 0.76, 4: 0.36}, low=0.2)

numbers = st.integers(1, 6)
raws = st.dictionaries(numbers, st.floats(0, 10), max_size=6)
shares = st.dictionaries(numbers, st.floats(0, 1), max_size=6)
profiles = st.sampled_from(list(PROFILES.values()))
aims = st.sampled_from(Aim)


@st.composite
def told(draw: st.DrawFn) -> dict[str, Heard]:
    """What some of all voices said about at most six memories."""
    voices = {name: Heard(draw(raws), full=draw(st.floats(0.5, 20))) for name in ("lexical", "graph")}
    voices |= {name: Heard(draw(shares)) for name in ("temporal", "recency", "importance")}
    voices["vector"] = Heard(draw(shares), low=draw(st.floats(0, 0.9)))
    return {name: voices[name] for name in draw(st.sets(st.sampled_from(sorted(voices))))}


class TestBalanced:
    def test_two_voices_share_the_weight_by_how_much_of_the_query_they_find(self) -> None:
        fused = fuse(BALANCED, {"lexical": LEXICAL, "vector": VECTOR})
        # lexical 8/10, 4/10, 2/10; vector (0.52-0.2)/0.8, (0.76-0.2)/0.8, (0.36-0.2)/0.8; weights 0.4 and 0.6
        # 0.4 * 0.8 + 0.6 * 0.4; 0.4 * 0.4 + 0.6 * 0.7; 0.4 * 0.2; 0.6 * 0.2
        assert fused.scores == pytest.approx({1: 0.56, 2: 0.58, 3: 0.08, 4: 0.12})
        assert ordered(fused.scores) == [2, 1, 4, 3]

    def test_every_part_is_shown_with_raw_score_share_rank_and_weight(self) -> None:
        parts = fuse(BALANCED, {"lexical": LEXICAL, "vector": VECTOR}).parts(1)
        assert parts["lexical"] == Voice(8.0, 0.8, 1, 0.4)
        assert parts["vector"].to_dict() == pytest.approx({"raw": 0.52, "normalised": 0.4, "rank": 2, "weight": 0.6})

    def test_a_voice_that_gave_a_hit_nothing_is_no_part_of_it(self) -> None:
        assert list(fuse(BALANCED, {"lexical": LEXICAL, "vector": VECTOR}).parts(3)) == ["lexical"]

    def test_four_voices_share_the_weight(self) -> None:
        heard = {
            "lexical": Heard({1: 3.0, 2: 6.0}, full=10.0),
            "vector": Heard({1: 0.9}, low=0.5),
            "graph": Heard({2: 0.5, 1: 0.25}),
            "temporal": Heard({1: 0.5}),
        }
        # weights 0.4 + 0.6 + 0.3 + 0.3 = 1.6
        # memory 1: (0.4 * 0.3 + 0.6 * 0.8 + 0.3 * 0.25 + 0.3 * 0.5) / 1.6 = 0.825 / 1.6
        # memory 2: (0.4 * 0.6 + 0.3 * 0.5) / 1.6 = 0.39 / 1.6
        assert fuse(BALANCED, heard).scores == pytest.approx({1: 0.515625, 2: 0.24375})

    def test_a_memory_scores_the_same_whatever_the_others_score(self) -> None:
        alone = {"lexical": Heard({1: 4.0}, full=10.0), "vector": Heard({1: 0.52}, low=0.2)}
        beside = {"lexical": Heard({1: 4.0, 2: 10.0}, full=10.0), "vector": Heard({1: 0.52, 2: 1.0}, low=0.2)}
        assert (fuse(BALANCED, alone).scores[1], fuse(BALANCED, beside).scores[1]) == (0.4, 0.4)  # 0.16 + 0.24

    def test_more_than_everything_asked_for_counts_as_everything(self) -> None:
        fused = fuse(BALANCED, {"lexical": Heard({1: 14.0}, full=10.0)})
        assert fused.parts(1) == {"lexical": Voice(14.0, 1.0, 1, 1.0)}

    def test_time_is_not_measured_against_the_best(self) -> None:
        fused = fuse(BALANCED, {"temporal": Heard({1: 0.5, 2: 0.25})})
        assert fused.scores == {1: 0.5, 2: 0.25}

    def test_a_vector_at_the_ordinary_counts_nothing_be_it_the_nearest(self) -> None:
        assert fuse(BALANCED, {"vector": Heard({1: 0.3, 2: 0.2}, low=0.3)}).scores == {1: 0.0, 2: 0.0}

    def test_a_vector_below_the_ordinary_counts_nothing_and_takes_nothing_away(self) -> None:
        fused = fuse(BALANCED, {"lexical": Heard({1: 1.0}), "vector": Heard({1: 0.1, 2: 0.9}, low=0.5)})
        assert fused.scores[1] == pytest.approx(0.4)

    def test_the_words_of_neighbours_weigh_as_much_as_the_memory_s_own(self) -> None:
        fused = fuse(BALANCED, {"lexical": LEXICAL, "vector": VECTOR})
        around = fused.surrounded(BALANCED, {"neighbours": {1: 0.1, 3: 0.5}})
        # 0.56 + 0.4 * 0.1; 0.08 + 0.4 * 0.5
        assert [around.scores[number] for number in (1, 2, 3, 4)] == pytest.approx([0.6, 0.58, 0.28, 0.12])
        assert around.parts(3)["neighbours"] == Voice(0.5, 0.5, 1, 0.4)

    def test_neighbours_share_the_weight_that_the_words_have_among_the_voices_that_speak(self) -> None:
        fused = fuse(BALANCED, {"lexical": Heard({1: 4.0}, full=10.0)})
        around = fused.surrounded(BALANCED, {"neighbours": {1: 0.25, 2: 0.5}})
        assert around.scores == pytest.approx({1: 0.65, 2: 0.5})  # the words alone weigh 1: 0.4 + 0.25
        assert around.parts(2) == {"neighbours": Voice(0.5, 0.5, 1, 1.0)}

    def test_speaker_and_name_come_on_top(self) -> None:
        fused = fuse(BALANCED, {"lexical": Heard({1: 4.0, 2: 6.0}, full=10.0)})
        around = fused.surrounded(BALANCED, {"speaker": {1: 1.0}, "named": {1: 1.0, 2: 1.0}})
        assert around.scores == pytest.approx({1: 0.6, 2: 0.7})  # 0.4 + 0.1 + 0.1; 0.6 + 0.1
        assert around.parts(2) == {"lexical": Voice(6.0, 0.6, 1, 1.0), "named": Voice(1.0, 1.0, 1, 0.1)}

    def test_what_comes_on_top_can_be_taken_off(self) -> None:
        fused = fuse(BALANCED, {"lexical": Heard({1: 4.0, 2: 6.0}, full=10.0)})
        context = {"session": {1: 0.6, 2: 0.6}, "speaker": {1: 1.0}, "named": {1: 1.0, 2: 1.0}}
        around = fused.surrounded(BALANCED, context)
        # 0.7 * 0.4 + 0.3 * 0.6 = 0.46; 0.6
        assert around.scores == pytest.approx({1: 0.66, 2: 0.7})
        assert around.without("speaker", "named").scores == pytest.approx({1: 0.46, 2: 0.6})

    def test_the_session_gets_its_share_of_what_the_voices_share(self) -> None:
        fused = fuse(BALANCED, {"lexical": LEXICAL, "vector": VECTOR})
        around = fused.surrounded(BALANCED, {"session": {1: 0.58, 2: 0.58, 3: 0.08, 4: 0.12}})
        # 0.7 * 0.56 + 0.3 * 0.58 = 0.566; where the best of the session is the memory itself nothing changes
        assert around.scores == pytest.approx({1: 0.566, 2: 0.58, 3: 0.08, 4: 0.12})
        weights = {name: part.weight for name, part in around.parts(1).items()}
        assert weights == pytest.approx({"lexical": 0.28, "vector": 0.42, "session": 0.3})

    def test_the_words_of_neighbours_give_way_to_the_session_as_the_memory_s_own_do(self) -> None:
        fused = fuse(BALANCED, {"lexical": Heard({1: 4.0}, full=10.0)})
        around = fused.surrounded(BALANCED, {"neighbours": {1: 0.2}, "session": {1: 0.9}, "speaker": {1: 1.0}})
        assert around.scores == pytest.approx({1: 0.79})  # 0.7 * (0.4 + 0.2) + 0.3 * 0.9 + 0.1

    def test_a_session_that_nobody_scores_in_takes_no_share(self) -> None:
        fused = fuse(BALANCED, {"lexical": Heard({1: 4.0}, full=10.0)})
        assert fused.surrounded(BALANCED, {"session": {1: 0.0}}).scores == {1: 0.4}

    def test_surroundings_add_at_most_their_weight(self) -> None:
        around = fuse(BALANCED, {"lexical": Heard({1: 4.0})}).surrounded(BALANCED, {"session": {1: 2.5}})
        assert around.parts(1)["session"] == Voice(2.5, 1.0, 1, 0.3)

    def test_surroundings_that_a_profile_does_not_weigh_change_nothing(self) -> None:
        fused = fuse(POLYPHONIC, {"lexical": Heard({1: 4.0})})
        assert fused.surrounded(POLYPHONIC, {"neighbours": {1: 0.5}}).scores == fused.scores


class TestPolyphonic:
    HEARD = {  # noqa: RUF012 - a table that no test changes
        "vector": Heard({7: 0.9, 8: 0.8}),
        "graph": Heard({7: 0.1}),
        "lexical": Heard({8: 9.0, 7: 5.0}),
        "temporal": Heard({7: 1.0}),
    }

    def test_ranks_and_the_intent_decide(self) -> None:
        fused = fuse(POLYPHONIC, self.HEARD, Aim.TEMPORAL)
        # weights: vector 0.35 * 0.6 = 0.21, graph 0.25, lexical 0.25 * 1.5 = 0.375, temporal 0.15 * 2 = 0.3: 1.135
        # memory 7: (0.21 * 61/61 + 0.25 * 61/61 + 0.375 * 61/62 + 0.3 * 61/61) / 1.135
        # memory 8: (0.21 * 61/62 + 0.375 * 61/61) / 1.135 = 0.581612903226 / 1.135
        assert fused.scores == pytest.approx({7: 0.994671024584, 8: 0.512434275089})

    def test_it_is_reciprocal_rank_fusion_divided_by_its_maximum(self) -> None:
        fused = fuse(POLYPHONIC, {name: self.HEARD[name] for name in ("vector", "lexical")})
        # memory 7: (0.35 / 61 + 0.25 / 62) / (0.6 / 61)
        assert fused.scores[7] == pytest.approx((0.35 / 61 + 0.25 / 62) / (0.6 / 61))

    def test_the_first_of_every_voice_has_1(self) -> None:
        assert fuse(POLYPHONIC, dict.fromkeys(POLYPHONIC.weights, Heard({3: 0.4, 2: 0.1}))).scores[3] == 1.0

    def test_equal_scores_share_a_rank_and_the_next_is_counted_after_them(self) -> None:
        assert ranks_of({1: 0.5, 2: 0.9, 3: 0.5, 4: 0.1}) == {2: 1, 1: 2, 3: 2, 4: 4}


class TestCognitive:
    HEARD = {  # noqa: RUF012 - a table that no test changes
        "recency": Heard({1: 0.5, 2: 1.0}),
        "importance": Heard({1: 0.8, 2: 0.3}),
        "lexical": Heard({1: 6.0, 2: 3.0}),
        "graph": Heard({1: 0.01, 2: 0.02}),
        "vector": Heard({1: 0.4, 2: 1.0}),
    }

    def test_recency_importance_keyword_graph_and_vector_are_divided_by_1_25(self) -> None:
        # memory 1: (0.25 * 0.5 + 0.35 * 0.8 + 0.35 * 1 + 0.15 * 0.5 + 0.15 * 0.4) / 1.25 = 0.89 / 1.25
        # memory 2: (0.25 * 1 + 0.35 * 0.3 + 0.35 * 0.5 + 0.15 * 1 + 0.15 * 1) / 1.25 = 0.83 / 1.25
        assert fuse(COGNITIVE, self.HEARD).scores == pytest.approx({1: 0.712, 2: 0.664})

    def test_without_a_vector_the_others_share_its_weight(self) -> None:
        heard = {name: said for name, said in self.HEARD.items() if name != "vector"}
        assert fuse(COGNITIVE, heard).scores == pytest.approx({1: 0.83 / 1.1, 2: 0.68 / 1.1})

    def test_where_no_vector_stands_out_the_nearest_counts_fully(self) -> None:
        assert fuse(COGNITIVE, {"vector": Heard({1: 0.3, 2: 0.2}, low=0.3)}).scores == {1: 1.0, 2: 0.0}


class TestSilence:
    def test_a_voice_that_is_off_ranks_as_if_it_had_never_been_asked(self) -> None:
        heard = {"lexical": LEXICAL, "vector": VECTOR, "graph": Heard({1: 0.4, 9: 0.9})}
        off = fuse(BALANCED.adjusted({"graph": 0}), heard)
        without = fuse(BALANCED, {"lexical": LEXICAL, "vector": VECTOR})
        assert (off.scores, off.parts(1)) == (without.scores, without.parts(1))

    def test_a_memory_without_a_vector_yet_is_judged_by_the_other_voices(self) -> None:
        heard = {"lexical": Heard({1: 5.0, 2: 5.0}, full=10.0), "vector": Heard({1: 0.9}, deaf=frozenset({2}))}
        fused = fuse(BALANCED, heard)
        assert fused.scores == pytest.approx({1: 0.74, 2: 0.5})  # 0.4 * 0.5 + 0.6 * 0.9; the words alone
        assert (fused.parts(1)["lexical"].weight, fused.parts(2)["lexical"].weight) == (0.4, 1.0)

    def test_a_voice_can_be_left_out_afterwards(self) -> None:
        heard = {"lexical": LEXICAL, "vector": VECTOR, "temporal": Heard({3: 1.0, 9: 1.0})}
        assert fuse(BALANCED, heard).without("temporal") == fuse(BALANCED, {"lexical": LEXICAL, "vector": VECTOR})

    def test_without_a_voice_the_surroundings_stay(self) -> None:
        heard = {"lexical": Heard({1: 4.0}, full=10.0), "temporal": Heard({1: 1.0, 2: 1.0})}
        around = fuse(BALANCED, heard).surrounded(BALANCED, {"session": {1: 0.6, 2: 0.6}, "named": {2: 1.0}})
        # 0.7 * 0.4 + 0.3 * 0.6; 0.3 * 0.6 + 0.1
        assert around.without("temporal").scores == pytest.approx({1: 0.46, 2: 0.28})

    def test_voices_that_say_nothing_find_nothing(self) -> None:
        assert fuse(BALANCED, {"lexical": Heard({}), "graph": Heard({4: 0.0})}).scores == {}


class TestLaws:
    @given(profiles, told(), aims)
    def test_the_score_is_the_sum_of_the_parts_shown(self, profile: Profile, heard: dict[str, Heard], aim: Aim) -> None:
        fused = fuse(profile, heard, aim)
        for number, score in fused.scores.items():
            total = 0.0
            for part in fused.parts(number).values():
                total += part.weight * part.normalised
            assert total == score

    @given(profiles, told(), aims)
    def test_parts_and_scores_stay_within_0_and_1(self, profile: Profile, heard: dict[str, Heard], aim: Aim) -> None:
        fused = fuse(profile, heard, aim)
        parts = [part for number in fused.numbers for part in fused.parts(number).values()]
        assert all(0 <= part.normalised <= 1 and 0 < part.weight <= 1 and part.rank >= 1 for part in parts)
        assert all(0 <= score <= 1 + 1e-12 for score in fused.scores.values())

    @given(profiles, told(), aims)
    def test_the_weights_of_the_voices_that_speak_sum_to_1(
        self, profile: Profile, heard: dict[str, Heard], aim: Aim
    ) -> None:
        fused = fuse(profile, heard, aim)
        weights = {name: part.weight for number in fused.numbers for name, part in fused.parts(number).items()}
        assert not weights or sum(weights.values()) == pytest.approx(1.0)

    @given(profiles, told(), aims, st.data())
    def test_a_voice_that_falls_silent_never_lowers_a_hit_that_others_found(
        self, profile: Profile, heard: dict[str, Heard], aim: Aim, data: st.DataObject
    ) -> None:
        silenced = data.draw(st.sampled_from([*heard, "none"]))
        before = fuse(profile, heard, aim)
        after = fuse(profile, {name: said for name, said in heard.items() if name != silenced}, aim).scores
        others = {number for number in before.numbers if silenced not in before.parts(number)}
        assert {number for number in others if after[number] < before.score(number) - 1e-12} == set()

    @given(profiles, told(), aims, numbers)
    def test_a_memory_that_a_voice_cannot_judge_is_not_lowered_by_it(
        self, profile: Profile, heard: dict[str, Heard], aim: Aim, number: int
    ) -> None:
        vector = heard.get("vector", Heard({}))
        raw = {n: score for n, score in vector.raw.items() if n != number}
        unjudged = fuse(profile, heard | {"vector": replace(vector, raw=raw)}, aim)
        deaf = fuse(profile, heard | {"vector": replace(vector, raw=raw, deaf=frozenset({number}))}, aim)
        assert deaf.score(number) >= unjudged.score(number) - 1e-12

    @given(profiles, told(), aims, st.randoms(use_true_random=False))
    def test_the_order_in_which_things_are_told_changes_nothing(
        self, profile: Profile, heard: dict[str, Heard], aim: Aim, drawn: Random
    ) -> None:
        def shuffled(told: Mapping[Any, Any]) -> dict[Any, Any]:
            return dict(drawn.sample(list(told.items()), len(told)))

        anew = {name: replace(said, raw=shuffled(said.raw)) for name, said in shuffled(heard).items()}
        assert fuse(profile, anew, aim).scores == fuse(profile, heard, aim).scores

    @given(profiles, told(), aims, st.data())
    def test_a_higher_raw_score_never_lowers_the_hit(
        self, profile: Profile, heard: dict[str, Heard], aim: Aim, data: st.DataObject
    ) -> None:
        fused = fuse(profile, heard, aim)
        found = [(name, number) for number in sorted(fused.numbers) for name in fused.parts(number)]
        if not found:
            return
        name, number = data.draw(st.sampled_from(found))
        said = heard[name]
        raised = said.raw[number] + data.draw(st.floats(0, 1 - said.raw[number] if said.raw[number] < 1 else 1))
        louder = heard | {name: replace(said, raw={**said.raw, number: raised})}
        assert fuse(profile, louder, aim).score(number) >= fused.score(number) - 1e-12

    @given(told(), shares)
    def test_a_session_of_its_own_changes_no_score_and_weights_still_sum_to_1(
        self, heard: dict[str, Heard], lent: dict[int, float]
    ) -> None:
        fused = fuse(BALANCED, heard)
        if "lexical" not in fused.voices:
            lent = {}
        before = fused.surrounded(BALANCED, {"neighbours": lent}).scores
        alone = {n: score for n, score in before.items() if score <= 1}
        around = fused.surrounded(BALANCED, {"neighbours": lent, "session": alone})
        assert {n: around.score(n) for n in alone} == pytest.approx(alone, abs=1e-12)
        shown = {name: part.weight for n in around.numbers for name, part in around.parts(n).items()}
        shared = [weight for name, weight in shown.items() if name != "neighbours"]
        assert not shared or sum(shared) == pytest.approx(1.0)

    @given(profiles, told(), shares, shares)
    def test_the_score_is_the_sum_of_the_parts_shown_with_surroundings(
        self, profile: Profile, heard: dict[str, Heard], lent: dict[int, float], best: dict[int, float]
    ) -> None:
        around = fuse(profile, heard).surrounded(profile, {"neighbours": lent, "session": best, "speaker": best})
        for number, score in around.scores.items():
            total = 0.0
            for part in around.parts(number).values():
                total += part.weight * part.normalised
            assert total == score


class TestEvidence:
    def test_a_voice_gives_evidence_between_nothing_and_certainty(self) -> None:
        lexical = Heard({1: 2.0, 2: 8.0, 3: 20.0}, fit=(0.0, 10.0))
        assert evidence({"lexical": lexical}) == pytest.approx({1: 0.2, 2: 0.8, 3: 1.0})

    def test_two_voices_are_two_witnesses(self) -> None:
        heard = {"lexical": Heard({1: 5.0}, fit=(0.0, 10.0)), "vector": Heard({1: 0.5, 2: 0.2}, fit=(0.3, 0.7))}
        assert evidence(heard) == pytest.approx({1: 0.75, 2: 0.0})  # 1 - 0.5 * 0.5

    def test_the_best_of_a_query_that_nothing_fits_has_little_evidence(self) -> None:
        heard = {"vector": Heard({1: 0.32, 2: 0.31}, low=0.3, fit=(0.3, 0.7))}
        assert fuse(COGNITIVE, heard).scores[1] == 1.0
        assert fuse(BALANCED, heard).scores[1] == pytest.approx(0.02 / 0.7)
        assert evidence(heard)[1] == pytest.approx(0.05)

    def test_a_voice_that_cannot_tell_neither_helps_nor_hinders(self) -> None:
        heard = {"lexical": Heard({1: 5.0}, fit=(0.0, 10.0)), "graph": Heard({1: 0.9, 2: 0.9})}
        assert evidence(heard) == pytest.approx({1: 0.5, 2: 0.0})

    def test_where_no_voice_can_tell_everything_fits(self) -> None:
        assert evidence({"graph": Heard({1: 0.01})}) == {1: 1.0}

    @given(raws, shares, numbers)
    def test_another_witness_never_lowers_it(
        self, lexical: dict[int, float], vector: dict[int, float], one: int
    ) -> None:
        alone = {"lexical": Heard(lexical, fit=(1.0, 9.0))}
        both = alone | {"vector": Heard(vector, fit=(0.2, 0.8))}
        assert 0 <= evidence(alone).get(one, 0.0) <= evidence(both).get(one, 0.0) <= 1


def test_ties_break_by_number() -> None:
    assert ordered({9: 0.5, 2: 0.5, 4: 0.7}) == [4, 2, 9]
