"""The LongMemEval bench on three pooled questions and two with sessions of their own."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from karte.bench import longmemeval
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.longmemeval import Answered, Question, judge, read_date
from tests.unit.bench.writing import IN_KEYWORD, ORACLE, packed, write_longmemeval

RANKED = ["older:1", "other:0", "newer:2", "newer:0"]


@pytest.fixture(scope="module")
def figures(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], float]:
    folder = tmp_path_factory.mktemp("data")
    write_longmemeval(folder)
    measured = longmemeval.measure(DataSets(folder), IN_KEYWORD)
    return {(figure.group, figure.name): figure.value for figure in measured.figures}


@pytest.mark.parametrize(
    ("group", "name", "expected"),
    [
        ("pooled", "any@5", 2 / 3),
        ("pooled", "session recall@5", 1 / 2),
        ("pooled", "session recall@10", 1 / 2),
        ("pooled", "turn recall@10", 3 / 4),
        ("pooled", "newest evidence above older", 1.0),
        ("pooled", "questions", 3),
        ("pooled", "questions with marked turns", 2),
        ("pooled", "questions about a change", 1),
        ("pooled: knowledge-update", "session recall@10", 1 / 2),
        ("pooled: multi-session", "session recall@10", 0.0),
        ("S-lite", "any@5", 1 / 2),
        ("S-lite", "session recall@10", 1 / 2),
        ("S-lite", "questions with marked turns", 0),
    ],
)
def test_figures_are_the_means_over_the_questions_that_say_something_of_them(
    figures: dict[tuple[str, str], float], group: str, name: str, expected: float
) -> None:
    assert figures[group, name] == pytest.approx(expected)


def test_what_no_question_says_anything_of_is_no_figure(figures: dict[tuple[str, str], float]) -> None:
    assert [name for group, name in figures if group == "S-lite" and name in {"turn recall@10", "any@5"}] == ["any@5"]


@pytest.mark.parametrize(
    ("kind", "newest", "above"),
    [("knowledge-update", "newer", False), ("knowledge-update", "older", True), ("multi-session", "newer", None)],
)
def test_sessions_rank_by_their_first_turn(kind: str, newest: str, above: bool | None) -> None:
    evidence = frozenset({"older", "newer"})
    question = Question(
        "?", kind, datetime(2023, 3, 15, tzinfo=UTC), "pool", evidence, newest, frozenset({"newer:0", "older:9"})
    )
    assert judge(question, RANKED) == Answered(kind, {5: 1.0, 10: 1.0}, 0.5, above)


def test_a_session_that_comes_again_is_kept_once_with_its_first_date() -> None:
    pooled = longmemeval.pooled(ORACLE)
    (sessions,) = pooled.agents.values()
    assert [(session.id, session.time.day, len(session.turns)) for session in sessions] == [
        ("s1", 2, 2),
        ("s2", 1, 1),
        ("s3", 1, 1),
    ]
    assert [question.newest for question in pooled.questions] == [None, "s3", None]


def test_a_date_is_read_without_its_weekday() -> None:
    assert read_date("2023/05/22 (Mon) 23:57") == datetime(2023, 5, 22, 23, 57, tzinfo=UTC)


def test_data_of_another_shape_is_incorrect(tmp_path: Path) -> None:
    write_longmemeval(tmp_path)
    packed(tmp_path, "longmemeval/oracle_dev.json.gz", [{"question": "?"}])
    with pytest.raises(UnreadableData):
        longmemeval.measure(DataSets(tmp_path), IN_KEYWORD)
