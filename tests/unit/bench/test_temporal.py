"""The bench of times on two small conversations, of which one has two sessions on a day."""

from typing import Any

import pytest

from karte.bench import temporal
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.options import Mode, Recalling
from karte.bench.temporal import set_f1
from tests.unit.bench.writing import packed

TIMES = Recalling(Mode.KEYWORD, ablation=False)


def turn(number: int, when: str, text: str) -> dict[str, Any]:
    return {"speaker": "Ana", "text": text, "date_time": when, "response_number": str(number)}


CONVERSATION = {
    "speaker_a": "Ana",
    "session_1_date_time": "9:00 AM on 8 May, 2023",
    "session_1": [
        turn(0, "09:00:00 AM on Monday 08 May, 2023", "I adopted a greyhound."),
        turn(1, "09:01:00 AM on Monday 08 May, 2023", "He is called Pixel."),
    ],
    "session_2_date_time": "2:00 PM on 9 June, 2023",
    "session_2": [turn(2, "02:00:00 PM on Friday 09 June, 2023", "I ran a marathon.")],
    "session_10_date_time": "3:00 PM on 22 October, 2023",
    "session_10": [turn(3, "03:00:00 PM on Sunday 22 October, 2023", "Pixel likes the sea.")],
}
ASKED = {
    "test_dates": {"1": [{"questions": ["greyhound Pixel?", "greyhound Pixel?"], "relevant_docs": [0, 1]}]},
    "test_month": {"1": [{"questions": ["marathon?", "zebra?"], "relevant_docs": [2]}]},
    "content_time_qs": {"1": [{"questions": ["Pixel?"], "relevant_docs": [2, 3]}]},
    "test_session": {"1": [{"questions": ["nothing is relevant"], "relevant_docs": []}]},
}


def document(**changes: Any) -> dict[str, Any]:
    return {"ConversationData": {"1": CONVERSATION | changes}, "TestData": ASKED}


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    folder = tmp_path_factory.mktemp("data")
    packed(folder, "temporal_locomo/temporal_dev.json.gz", document())
    measured = temporal.measure(DataSets(folder), TIMES)
    return {(figure.group, figure.name): figure.value for figure in measured.figures}


@pytest.mark.parametrize(
    ("group", "name", "expected"),
    [
        ("dates", "set F1", 1.0),
        ("dates", "questions", 1),
        ("months", "set F1", 0.5),
        ("months", "questions", 2),
        ("something at a time", "set F1", 0.5),
        ("sessions", "questions", 0),
        ("mean of all types but the last", "set F1", 0.75),
    ],
)
def test_figures_are_means_over_the_questions_of_a_type_and_over_the_types(
    figures: dict[tuple[str, str], float], group: str, name: str, expected: float
) -> None:
    """`Pixel?` gives two hits, of which one is relevant: F1 is 2 * 1 / (2 + 2)."""
    assert figures[group, name] == pytest.approx(expected)


@pytest.mark.parametrize(
    ("found", "relevant", "expected"),
    [
        ({"1"}, {"1"}, 1.0),
        ({"1"}, {"2"}, 0.0),
        (set(), {"1"}, 0.0),
        ({"1", "2"}, {"1"}, 2 / 3),
        ({"1"}, {"1", "2"}, 2 / 3),
    ],
)
def test_set_f1_weighs_what_is_missing_and_what_is_too_much(
    found: set[str], relevant: set[str], expected: float
) -> None:
    assert set_f1(found, relevant) == pytest.approx(expected)


def test_a_conversation_is_asked_at_the_start_of_its_last_session() -> None:
    (conversation,) = temporal.read(document())
    assert conversation.now.isoformat() == "2023-10-22T15:00:00+00:00"
    assert [turn.session for turn in conversation.chat.turns] == ["session_1", "session_1", "session_2", "session_10"]


@pytest.mark.parametrize(
    "broken",
    [{}, {"ConversationData": {"1": {}}, "TestData": {}}, document(session_10_date_time="22 October"), [1]],
    ids=["empty", "without sessions", "another date", "a list"],
)
def test_data_of_another_shape_is_incorrect(broken: Any) -> None:
    with pytest.raises(UnreadableData):
        list(temporal.read(broken))
