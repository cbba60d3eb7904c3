"""Mistakes by the meaning of the task: vectors that were filled in count beside the words."""

from collections.abc import Iterator

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.core.memories import Layer
from karte.engine.asking import asking
from karte.engine.learning.mistakes import fitting
from karte.testing.parts import CountedIds, GivenClock
from karte.testing.programs import TOLD
from karte.workspace import Chart, Workspace
from tests.unit.engine.embedders import WordEmbedder

TEA, COFFEE, RAIN = "泡茶前要先量水溫", "コーヒーは注文を聞いてから淹れる", "비가 오면 배달이 늦는다고 알린다"


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture
def ws(embedder: WordEmbedder) -> Iterator[Workspace]:
    parts = Parts(clock=GivenClock(TOLD), ids=CountedIds(), embedder=embedder)
    with open_workspace(":memory:", parts=parts) as workspace:
        for lesson in (TEA, COFFEE, RAIN):
            workspace.agent("dudu").record_mistake("factual", lesson)
        workspace.embed()
        yield workspace


@pytest.fixture
def dudu(ws: Workspace) -> Chart:
    return ws.agent("dudu")


def warned(chart: Chart, task: str) -> list[str]:
    return [mistake.entry.lesson for mistake in chart.mistakes(task=task)]


def by_context(chart: Chart, task: str) -> list[str]:
    """What the prompt is given, in one unit of work."""
    with asking(chart._services, chart.caller, layers=[Layer.MISTAKE]) as question:
        return [mistake.entry.lesson for mistake in fitting(question, chart._services, task, 3)]


@pytest.mark.parametrize(("task", "expected"), [("Serve tea", TEA), ("coffee for two", COFFEE), ("rain", RAIN)])
def test_a_task_finds_the_mistake_on_its_topic_in_another_language(dudu: Chart, task: str, expected: str) -> None:
    assert warned(dudu, task) == [expected]


def test_words_and_meaning_together_come_before_either(dudu: Chart, ws: Workspace) -> None:
    dudu.record_mistake("factual", "Serve guests first")
    dudu.record_mistake("factual", "Serve tea to guests first")
    ws.embed()
    assert warned(dudu, "Serve tea") == ["Serve tea to guests first", TEA, "Serve guests first"]


def test_the_prompt_embeds_nothing_and_uses_what_was_embedded_before(dudu: Chart, embedder: WordEmbedder) -> None:
    embedder.asked.clear()
    assert (len(by_context(dudu, "Serve tea")), embedder.texts) == (3, [])
    dudu.search("Serve tea")
    assert (by_context(dudu, "Serve tea"), embedder.texts) == ([TEA], ["Serve tea"])


def test_a_list_for_a_task_embeds_the_task_and_nothing_else(dudu: Chart, embedder: WordEmbedder) -> None:
    embedder.asked.clear()
    warned(dudu, "Serve tea")
    warned(dudu, "Serve tea")
    assert embedder.texts == ["Serve tea"]


def test_while_the_embedder_is_down_words_are_enough(dudu: Chart, embedder: WordEmbedder) -> None:
    embedder.down = True
    assert warned(dudu, "幫客人泡茶") == [TEA]


def test_mistakes_without_a_vector_yet_are_found_by_their_words(dudu: Chart, embedder: WordEmbedder) -> None:
    embedder.down = True
    dudu.record_mistake("factual", "Serve cake with a fork")
    assert warned(dudu, "cake") == ["Serve cake with a fork"]


def test_lessons_with_half_their_words_in_common_are_one_if_their_meaning_is(
    ws: Workspace, embedder: WordEmbedder
) -> None:
    embedder.down = True
    chart = ws.agent("ゆき")
    for lesson in ("brew coffee over low heat", "brew coffee for visitors early", "brew coffee in small cups"):
        chart.record_mistake("capability", lesson)
    assert [lesson.count for lesson in chart.reflect(dry_run=True).waiting] == [1, 1, 1]
    embedder.down = False
    ws.embed()
    assert [made.lesson.count for made in chart.reflect(dry_run=True).rules] == [3]
