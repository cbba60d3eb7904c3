"""The BEAM bench on a chat of four turns."""

from pathlib import Path

import pytest

from karte.bench import beam
from karte.bench.beam import Answered, Question, judge, turn_ids
from karte.bench.datasets import DataSets, UnreadableData
from tests.unit.bench.writing import BEAM, IN_KEYWORD, packed, write_beam

SIDES = (frozenset({"1", "2"}), frozenset({"5"}))


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    folder = tmp_path_factory.mktemp("data")
    write_beam(folder)
    measured = beam.measure(DataSets(folder), IN_KEYWORD)
    return {(figure.group, figure.name): figure.value for figure in measured.figures}


@pytest.mark.parametrize(
    ("group", "name", "expected"),
    [
        ("all abilities", "recall@10", 1 / 2),
        ("all abilities", "all@10", 1 / 3),
        ("all abilities", "questions", 3),
        ("contradiction_resolution", "all@10", 1.0),
        ("contradiction_resolution", "both sides@10", 1.0),
        ("knowledge_update", "recall@10", 1 / 2),
        ("knowledge_update", "newer above older", 1.0),
        ("event_ordering", "recall@10", 0.0),
    ],
)
def test_figures_are_the_means_over_the_questions_of_an_ability(
    figures: dict[tuple[str, str], float], group: str, name: str, expected: float
) -> None:
    assert figures[group, name] == pytest.approx(expected)


def test_a_question_without_sources_is_left_out(figures: dict[tuple[str, str], float]) -> None:
    assert [group for group, _ in figures if group == "abstention"] == []


@pytest.mark.parametrize(
    ("ability", "turns", "expected"),
    [
        ("contradiction_resolution", ["5", "2"], (2 / 3, True, None)),
        ("contradiction_resolution", ["1", "2"], (2 / 3, False, None)),
        ("knowledge_update", ["9", "2", "5"], (2 / 3, None, True)),
        ("knowledge_update", ["5", "1"], (2 / 3, None, False)),
        ("summarization", ["1", "2", "5"], (1.0, None, None)),
        ("knowledge_update", [*"abcdefghij", "1", "5"], (0.0, None, True)),
    ],
)
def test_only_the_first_ten_count_and_an_update_goes_by_the_best_of_each_side(
    ability: str, turns: list[str], expected: tuple[float, bool | None, bool | None]
) -> None:
    question = Question("?", ability, frozenset({"1", "2", "5"}), SIDES)
    assert judge(question, turns) == Answered(ability, *expected)


def test_an_update_whose_sides_share_a_turn_has_no_order() -> None:
    question = Question("?", "knowledge_update", frozenset({"1"}), (frozenset({"1"}), frozenset({"1"})))
    assert judge(question, ["1"]).above is None


@pytest.mark.parametrize(
    ("sources", "expected"),
    [
        (None, []),
        ([3, [4, 5]], ["3", "4", "5"]),
        ({"first_event": [2], "second_event": [0]}, ["2", "0"]),
        ({"first_event": 7, "second_event": None}, ["7"]),
    ],
)
def test_sources_are_read_however_deep_they_are(sources: object, expected: list[str]) -> None:
    assert list(turn_ids(sources)) == expected


def test_the_mark_of_the_plan_is_no_text_and_a_batch_is_a_session() -> None:
    (conversation,) = beam.read(BEAM)
    turns = conversation.chat.turns
    assert [turn.text for turn in turns[:2]] == ["My API key lies in the vault.", "Noted."]
    assert [(turn.session, turn.time and turn.time.date().isoformat()) for turn in turns] == [
        ("batch 1", "2024-03-15"),
        ("batch 1", None),
        ("batch 1", None),
        ("batch 2", "2024-04-10"),
    ]


def test_data_of_another_shape_is_incorrect(tmp_path: Path) -> None:
    packed(tmp_path, "beam_100k/beam_dev.json.gz", [{"chat": []}])
    with pytest.raises(UnreadableData):
        beam.measure(DataSets(tmp_path), IN_KEYWORD)
