"""The LoCoMo bench on a conversation of five turns."""

from pathlib import Path

import pytest

from karte.bench import locomo
from karte.bench.datasets import DataSets, MissingData, UnreadableData
from karte.bench.locomo import evidence_ids
from tests.unit.bench.writing import IN_KEYWORD, packed, write_locomo


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    folder = tmp_path_factory.mktemp("data")
    write_locomo(folder)
    measured = locomo.measure(DataSets(folder), IN_KEYWORD)
    return {(figure.group, figure.name): figure.value for figure in measured.figures}


@pytest.mark.parametrize(
    ("entry", "expected"),
    [("D1:3", ["D1:3"]), ("D8:6; D9:17", ["D8:6", "D9:17"]), ("D:11:26", ["D11:26"]), ("D01:007", ["D1:7"]), ("D", [])],
)
def test_evidence_is_read_however_it_is_written(entry: str, expected: list[str]) -> None:
    assert evidence_ids(entry) == expected


@pytest.mark.parametrize(
    ("group", "name", "expected"),
    [
        ("4 single-hop", "recall@5", 1.0),
        ("1 multi-hop", "recall@5", 1.0),
        ("2 temporal", "recall@25", 0.0),
        ("categories 1-4", "recall@10", 2 / 3),
        ("categories 1-4", "session recall@5", 2 / 3),
        ("categories 1-4", "questions", 3),
        ("3 open-domain", "questions", 0),
        ("5 adversarial, apart", "questions", 1),
        ("categories 1-4", "overlap@10 with exact BM25", 1.0),
    ],
)
def test_figures_are_the_means_over_the_questions_of_a_category(
    figures: dict[tuple[str, str], float], group: str, name: str, expected: float
) -> None:
    assert figures[group, name] == pytest.approx(expected)


def test_a_caption_is_part_of_its_turn(tmp_path: Path) -> None:
    write_locomo(tmp_path)
    (conversation,) = locomo.read(DataSets(tmp_path).packed(locomo.PLACE))
    assert conversation.chat.turns[2].text == "Look at this. [image: a lighthouse at dusk]"


def test_the_split_is_read_that_was_asked_for(tmp_path: Path) -> None:
    write_locomo(tmp_path, "test")
    assert locomo.measure(DataSets(tmp_path, "test"), IN_KEYWORD).parameters["turns"] == 5
    with pytest.raises(MissingData):
        locomo.measure(DataSets(tmp_path), IN_KEYWORD)


def test_data_of_another_shape_is_incorrect(tmp_path: Path) -> None:
    packed(tmp_path, "locomo/locomo_dev.json.gz", [{"sample_id": "x", "conversation": {"session_1": []}}])
    with pytest.raises(UnreadableData):
        locomo.measure(DataSets(tmp_path), IN_KEYWORD)
