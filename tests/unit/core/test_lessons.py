"""Lessons: which mistakes teach the same, in five languages; what splits them and what does not."""

from collections.abc import Mapping, Sequence
from itertools import permutations

import pytest

from karte.core.lessons import Evidence, Sharing, in_common, read_lesson
from tests.unit.core.lesson_groups import GROUPS, HELD_OUT


def clusters(texts: Sequence[str], near: float | None = None) -> list[set[str]]:
    sharing = Sharing([read_lesson(text) for text in texts], lambda _one, _other: near)
    return [{texts[place] for place in cluster} for cluster in sharing.clusters(range(len(texts)))]


@pytest.mark.parametrize("groups", [GROUPS, HELD_OUT], ids=["seen", "held out"])
class TestGroups:
    def test_no_two_lessons_are_taken_for_one(self, groups: Mapping[str, tuple[str, ...]]) -> None:
        group_of = {text: name for name, texts in groups.items() for text in texts}
        mixed = [cluster for cluster in clusters(list(group_of)) if len({group_of[text] for text in cluster}) > 1]
        assert mixed == []

    def test_of_twenty_lessons_nineteen_are_known_again_in_all_their_wordings(
        self, groups: Mapping[str, tuple[str, ...]]
    ) -> None:
        found = clusters([text for texts in groups.values() for text in texts])
        whole = [name for name, texts in groups.items() if set(texts) in found]
        assert len(whole) >= 0.95 * len(groups)


class TestSharing:
    def test_a_value_does_not_split_a_lesson(self) -> None:
        texts = ["退款超過 3000 元要先問主管", "退款超過 5000 元要先問主管"]
        assert clusters(texts) == [set(texts)]

    @pytest.mark.parametrize(
        ("one", "other"),
        [
            ("Deploy on Fridays", "Never deploy on Fridays"),
            ("Deploy on Fridays", "Avoid deploying on Fridays"),
            ("週五可以部署", "週五不可以部署"),
            ("週五要部署", "禁止週五部署"),
            ("金曜日にデプロイする", "金曜日にデプロイしない"),
            ("금요일에 배포한다", "금요일에 배포하지 않는다"),
        ],
    )
    def test_a_denial_does(self, one: str, other: str) -> None:
        assert (in_common(read_lesson(one), read_lesson(other)), len(clusters([one, other]))) == (0.0, 2)

    @pytest.mark.parametrize(
        ("told", "rule"),
        [
            ("Deployed without running the tests", "Run the tests before you deploy"),
            ("部署前沒有跑測試", "部署前要跑測試"),
            ("テストを実行せずにデプロイした", "デプロイの前にテストを実行しなければならない"),
            ("테스트를 실행하지 않고 배포했다", "배포 전에 테스트를 실행한다"),
        ],
    )
    def test_what_was_left_out_teaches_to_do_it(self, told: str, rule: str) -> None:
        assert (read_lesson(told).denies, read_lesson(rule).denies) == (False, False)

    def test_the_share_is_twice_what_is_common_over_both(self) -> None:
        one, other = read_lesson("alpha beta gamma"), read_lesson("alpha beta delta epsilon")
        assert in_common(one, other) == pytest.approx(2 * 2 / (3 + 4))

    def test_nearness_of_vectors_counts_only_beside_words(self) -> None:
        far = ["alpha beta gamma delta", "epsilon zeta eta theta"]
        half = ["alpha beta gamma delta", "alpha beta zeta eta"]
        assert [len(clusters(half, near)) for near in (None, 0.9, 0.95)] == [2, 2, 1]
        assert len(clusters(far, 1.0)) == 2

    def test_a_denial_splits_whatever_the_vectors_say(self) -> None:
        assert len(clusters(["Deploy on Fridays", "Never deploy on Fridays"], 1.0)) == 2

    def test_clusters_are_the_same_in_every_order(self) -> None:
        texts = [*GROUPS["時區"], *GROUPS["退款"]]
        expected = {frozenset(GROUPS["時區"]), frozenset(GROUPS["退款"])}
        assert all({frozenset(c) for c in clusters(order)} == expected for order in permutations(texts))

    def test_texts_without_words_share_nothing(self) -> None:
        assert clusters(["!!!", "???", "3000"]) == [{"!!!"}, {"???"}, {"3000"}]

    def test_a_mistake_joins_the_group_that_it_shares_most_with(self) -> None:
        texts = ["alpha beta gamma", "alpha beta gamma delta", "alpha beta gamma delta epsilon", "other words here"]
        sharing = Sharing([read_lesson(text) for text in texts])
        assert (sharing.nearest(1, [[3], [0], [2]]), sharing.nearest(1, [[3]]), sharing.nearest(1, [])) == (
            2,
            None,
            None,
        )


def test_evidence_of_a_program_is_told_from_opinions() -> None:
    found = [evidence.value for evidence in Evidence if evidence.programmatic]
    assert found == ["tool_error", "assertion_failed", "verdict_rejected"]
