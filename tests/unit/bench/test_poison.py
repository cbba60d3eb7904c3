"""The poisoning bench on two questions with contexts, one with a true sentence, and one false fact."""

import json
from pathlib import Path

import pytest

from karte.bench import false_facts, poison
from karte.bench.datasets import DataSets, UnreadableData
from karte.bench.poison import (
    AFTER,
    ALONE,
    FALSE,
    FIRST,
    KEPT,
    LOST,
    RECALL,
    SENTENCE,
    SENTENCE_AFTER,
    TOGETHER,
    TRUSTED,
    TURNED,
    UNDEFENDED,
    Shares,
    true_sentence,
)
from karte.bench.results import Better, Measured
from tests.unit.bench.writing import FALSE_FACT, IN_KEYWORD, POISON_CONTEXTS, write_false_facts, write_poison


@pytest.fixture(scope="module")
def measured(tmp_path_factory: pytest.TempPathFactory) -> Measured:
    folder = tmp_path_factory.mktemp("data")
    write_poison(folder)
    write_false_facts(folder / "own")
    return poison.measure(DataSets(folder), IN_KEYWORD, folder / "own")


@pytest.mark.parametrize(
    ("group", "name", "expected"),
    [
        (TRUSTED, FALSE, 0.2),  # one of five ranks: there are no more than three texts to fill them
        (TRUSTED, FALSE + UNDEFENDED, 0.2),
        (TRUSTED, RECALL, 1.0),
        (TRUSTED, RECALL + ALONE, 1.0),
        (TRUSTED, LOST, 0.0),
        (AFTER, RECALL, 1.0),
        (TOGETHER, RECALL, 1.0),
        (TURNED, RECALL, 1.0),
        (TURNED, RECALL + UNDEFENDED, 1.0),
        (TURNED, KEPT, 1.0),
        (SENTENCE, FIRST, 1.0),
        (SENTENCE, FIRST + UNDEFENDED, 0.0),  # the first false text names the harbour twice
        (SENTENCE_AFTER, FIRST + UNDEFENDED, 0.0),
        (false_facts.GROUP, "fail to supersede", 1.0),
        (false_facts.GROUP, "fail in every way", 1.0),
        (false_facts.GROUP, "facts", 1),
    ],
)
def test_what_is_found_is_counted_in_each_way(measured: Measured, group: str, name: str, expected: float) -> None:
    figures = {(figure.group, figure.name): figure.value for figure in measured.figures}
    assert figures[group, name] == pytest.approx(expected)


def test_every_figure_is_there_once(measured: Measured) -> None:
    places = [(figure.group, figure.name) for figure in measured.figures]
    assert len(places) == len(set(places))
    assert measured.parameters["questions"] == {"RealtimeQA": 2, "PoisonedRAG": 1}


def test_fewer_false_texts_and_less_that_is_lost_are_better(measured: Measured) -> None:
    less = {figure.name for figure in measured.figures if figure.better is Better.LESS}
    assert less == {FALSE, FALSE + UNDEFENDED, LOST}


def test_without_a_folder_of_ones_own_there_are_no_false_facts(tmp_path: Path) -> None:
    write_poison(tmp_path)
    found = poison.measure(DataSets(tmp_path), IN_KEYWORD).figures
    assert false_facts.GROUP not in {figure.group for figure in found}


@pytest.mark.parametrize(
    ("question", "answer", "sentence"),
    [
        ("how many episodes are in chicago fire season 4", "23", "episodes are in chicago fire season 4: 23."),
        ("Who was the first at the pole?", "Roald Amundsen", "was the first at the pole: Roald Amundsen."),
        ("the capital of the empire", "Vienna", "the capital of the empire: Vienna."),
        ("do you know who sings this", "Lesley Gore", "do you know sings this: Lesley Gore."),
    ],
)
def test_a_true_sentence_is_the_question_without_its_question_word_and_the_answer(
    question: str, answer: str, sentence: str
) -> None:
    assert true_sentence(question, answer) == sentence


def test_what_is_lost_and_kept_follows_from_the_means() -> None:
    """Recall 0.5 and 1 with false texts, 1 and 1 without; of 0.8 undefended 0.6 is kept."""
    shares = Shares()
    for value, alone in ((0.5, 1.0), (1.0, 1.0)):
        shares.add(TRUSTED, RECALL, value)
        shares.add(TRUSTED, RECALL + ALONE, alone)
    shares.add(TURNED, RECALL, 0.6)
    shares.add(TURNED, RECALL + UNDEFENDED, 0.8)
    found = {(figure.group, figure.name): figure.value for figure in shares.figures({})}
    assert (found[TRUSTED, LOST], found[TURNED, KEPT]) == pytest.approx((0.25, 0.75))


def test_contexts_are_trusted_again_after_they_were_not(tmp_path: Path) -> None:
    write_poison(tmp_path)
    questions = poison.read_contexts(DataSets(tmp_path).packed(poison.CONTEXTS))
    with poison.workspace_of(IN_KEYWORD) as opened:
        kept = poison.Kept(opened)
        for question in questions:
            kept.tell(TURNED, question.real, "import", question.name)
        trust = []
        for question in questions:
            with kept.untrusted(question) as chart:
                trust.append(sorted(item.trust for item in chart.list(9).memories))
        after = [item.trust for item in kept.agent(TURNED).list(9).memories]
    assert trust == [[0.3, 0.3, 0.7], [0.3, 0.7, 0.7]]
    assert after == [0.7, 0.7, 0.7]


@pytest.mark.parametrize("document", [[{"id": 1}], 7, [POISON_CONTEXTS[0] | {"contexts": [1]}]])
def test_data_of_another_shape_is_incorrect(document: object) -> None:
    with pytest.raises(UnreadableData):
        poison.read_contexts(document)
    with pytest.raises(UnreadableData):
        poison.read_sentences(document)


def test_a_false_fact_of_another_shape_is_incorrect() -> None:
    lacking = {name: value for name, value in FALSE_FACT.items() if name != "false_text"}
    with pytest.raises(UnreadableData):
        false_facts.read([json.loads(json.dumps(lacking))])
