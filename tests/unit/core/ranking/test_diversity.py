"""The floor, and marginal relevance: retellings step back, relevance leads."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from karte.core.ranking.diversity import Likeness, Row, above_floor, diversified, likeness_of
from karte.core.ranking.fusion import ordered

ALIKE, UNLIKE = 0.9, 0.05


def of_matrix(matrix: list[list[float]]) -> Likeness:
    rows = np.array(matrix)
    return lambda place: rows[place]


def of_groups(groups: list[int]) -> Likeness:
    """Members of one group are alike, all others are not."""
    return of_matrix([[1.0 if a is b else ALIKE if a == b else UNLIKE for b in groups] for a in groups])


class TestFloor:
    def test_what_reaches_the_floor_stays(self) -> None:
        assert above_floor({1: 0.29, 2: 0.3, 3: 0.31}, 0.3) == {2, 3}

    def test_nothing_may_be_left(self) -> None:
        assert above_floor({1: 0.29}, 0.3) == set()

    def test_a_floor_of_0_gives_everything(self) -> None:
        assert above_floor({1: 0.0, 2: 1.0}, 0) == {1, 2}


class TestDiversified:
    def test_five_retellings_do_not_crowd_out_four_others(self) -> None:
        retellings = dict(zip(range(1, 6), [1.0, 0.98, 0.96, 0.94, 0.92], strict=True))
        others = dict(zip(range(6, 10), [0.70, 0.68, 0.66, 0.64], strict=True))
        alike = of_matrix([[1.0 if a == b else ALIKE if max(a, b) < 5 else UNLIKE for b in range(9)] for a in range(9)])
        # a second retelling: 0.7 * 0.98 - 0.3 * 0.9 = 0.416; the least of the others: 0.7 * 0.64 - 0.3 * 0.05 = 0.433
        assert diversified(retellings | others, 5, 0.7, alike) == [1, 6, 7, 8, 9]

    def test_without_diversity_the_retellings_would_fill_the_answer(self) -> None:
        scores = dict(zip(range(1, 10), [1.0, 0.98, 0.96, 0.94, 0.92, 0.70, 0.68, 0.66, 0.64], strict=True))
        assert diversified(scores, 5, 1.0, of_groups([1] * 9)) == [1, 2, 3, 4, 5]

    def test_scores_of_reciprocal_ranks_do_not_drown_in_likeness(self) -> None:
        scores = {1: 1 / 61, 2: 1 / 62, 3: 1 / 160}  # 0.0164, 0.0161, 0.0063
        shared = [[1.0, 0.3, 0.0], [0.3, 1.0, 0.0], [0.0, 0.0, 1.0]]
        # 0.7 * 61/62 - 0.3 * 0.3 = 0.599 against 0.7 * 61/160 = 0.267
        assert diversified(scores, 3, 0.7, of_matrix(shared)) == [1, 2, 3]
        # undivided: 0.7 * 0.0161 - 0.3 * 0.3 = -0.079 against 0.7 * 0.0063 = 0.004: relevance is lost from rank 2 on
        assert _undivided(scores, shared) == [1, 3, 2]

    @pytest.mark.parametrize("scale", [1e-6, 0.016, 1.0, 1e6])
    def test_the_scale_of_the_scores_does_not_matter(self, scale: float) -> None:
        scores = {number: score * scale for number, score in {1: 1.0, 2: 0.9, 3: 0.6, 4: 0.1}.items()}
        assert diversified(scores, 4, 0.7, of_groups([1, 1, 2, 3])) == [1, 3, 2, 4]

    def test_a_hit_far_above_the_rest_stays_above_although_it_retells_the_first(self) -> None:
        scores = {1: 1.0, 2: 0.95, 3: 0.5}  # 0.7 * 0.95 - 0.3 * 0.9 = 0.395 against 0.7 * 0.5 - 0.3 * 0.05 = 0.335
        assert diversified(scores, 2, 0.7, of_groups([1, 1, 2])) == [1, 2]

    @pytest.mark.parametrize("worst", [0.0, 1.0])
    def test_the_best_leads_whatever_it_is_like(self, worst: float) -> None:
        assert diversified({5: 0.4, 6: 0.39, 7: 0.38}, 3, 0.5, lambda _: np.full(3, worst))[0] == 5

    def test_without_likeness_the_order_is_that_of_the_scores(self) -> None:
        assert diversified({5: 0.4, 6: 0.8, 7: 0.4}, 2, 0.7, None) == [6, 5]

    def test_candidates_without_any_score_keep_their_order(self) -> None:
        assert diversified({5: 0.0, 6: 0.0, 7: 0.0}, 3, 0.7, of_groups([1, 1, 1])) == [5, 6, 7]

    def test_no_candidates_give_no_hits(self) -> None:
        assert diversified({}, 10, 0.7, likeness_of([], {}, {})) == []

    @given(st.lists(st.tuples(st.floats(0.001, 1), st.floats(0, 1)), min_size=3, max_size=12), st.data())
    def test_a_lead_beyond_any_likeness_is_never_lost(
        self, drawn: list[tuple[float, float]], data: st.DataObject
    ) -> None:
        scores = {number: score for number, (score, _) in enumerate(drawn, 1)}
        size = len(drawn)
        upper = data.draw(
            st.lists(st.lists(st.floats(0, 1), min_size=size, max_size=size), min_size=size, max_size=size)
        )
        taken = diversified(scores, size, 0.7, of_matrix(upper))
        best = max(scores.values())
        lost = [
            (earlier, later)
            for place, earlier in enumerate(taken)
            for later in taken[place + 1 :]
            if scores[later] - scores[earlier] > 0.4286 * best
        ]
        assert lost == []
        assert sorted(taken) == sorted(scores)

    @given(st.dictionaries(st.integers(1, 50), st.floats(0.001, 1), max_size=10), st.integers(1, 12))
    def test_it_gives_as_many_as_asked_for_and_each_once(self, scores: dict[int, float], limit: int) -> None:
        likeness = likeness_of(ordered(scores), {}, {number: {str(number % 3)} for number in scores})
        taken = diversified(scores, limit, 0.7, likeness)
        assert len(taken) == len(set(taken)) == min(limit, len(scores))


class TestLikeness:
    def test_terms_count_by_what_two_share_of_all_that_they_have(self) -> None:
        terms = {1: {"port", "of", "a"}, 2: {"port", "of", "b"}, 3: {"茶"}, 4: set()}
        assert rows(likeness_of([1, 2, 3, 4], {}, terms), 4) == [  # 2 of 4 terms
            [1.0, 0.5, 0.0, 0.0],
            [0.5, 1.0, 0.0, 0.0],
            [0.0, 0.0, 1.0, 0.0],
            [0.0, 0.0, 0.0, 0.0],
        ]

    def test_a_cosine_counts_from_the_usual_one_of_the_candidates(self) -> None:
        one, other = np.array([1.0, 0.0]), np.array([0.6, 0.8])
        row = likeness_of([1, 2, 3], {1: one, 2: one, 3: other}, {})(0)
        # cosines of pairs: 1, 0.6, 0.6; usual (1 + 0.6 + 0.6) / 3 = 0.7333; (1 - 0.7333) / (1 - 0.7333), below it 0
        assert row.tolist() == pytest.approx([1.0, 1.0, 0.0])

    def test_vectors_that_crowd_together_still_tell_a_retelling_from_the_rest(self) -> None:
        retelling = _unit([10.0, 1.0, 0.0, 0.0])
        others = {number: _unit([10.0, *np.eye(3)[number - 3] * 6.0]) for number in (3, 4, 5)}
        row = likeness_of([1, 2, 3, 4, 5], {1: retelling, 2: retelling, **others}, {})(0)
        cosines = [float(retelling @ vector) for vector in others.values()]
        assert min(cosines) > 0.8
        assert row[1] == pytest.approx(1.0)
        assert max(row[2:]) < 0.5

    def test_where_one_of_two_has_no_vector_their_terms_are_compared(self) -> None:
        vectors = {1: np.array([1.0, 0.0]), 3: np.array([0.0, 1.0])}
        terms = {1: {"a", "b"}, 2: {"a", "b"}, 3: {"a", "b"}}
        assert rows(likeness_of([1, 2, 3], vectors, terms), 3) == [[1, 1, 0], [1, 1, 1], [0, 1, 1]]

    def test_a_lone_vector_is_like_itself(self) -> None:
        assert likeness_of([1, 2], {1: np.array([1.0])}, {2: {"a"}})(0).tolist() == [1.0, 0.0]


def rows(likeness: Likeness, count: int) -> list[list[float]]:
    return [[round(float(value), 6) for value in likeness(place)] for place in range(count)]


def _unit(values: list[float]) -> Row:
    vector = np.array(values)
    unit: Row = vector / np.linalg.norm(vector)
    return unit


def _undivided(scores: dict[int, float], likeness: list[list[float]]) -> list[int]:
    """Marginal relevance of scores that were not divided by the best: the fault of an earlier system."""
    left, taken = ordered(scores), list[int]()
    places = {number: place for place, number in enumerate(left)}
    while left:
        alike = {n: max((likeness[places[n]][places[t]] for t in taken), default=0.0) for n in left}
        best = max(left, key=lambda n: 0.7 * scores[n] - 0.3 * alike[n])
        taken.append(best)
        left.remove(best)
    return taken
