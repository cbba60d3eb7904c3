"""The background: work follows writes, one run at a time, and is tried again."""

from dataclasses import replace
from threading import Event, Semaphore

import pytest

from karte.bootstrap import open_workspace
from karte.core.namespaces import Namespace
from karte.engine.embeddings import Embeddings
from karte.engine.keeping.background import Background, KeepOn
from karte.engine.keeping.embedding import BATCH, Embedded, keeping_up
from karte.engine.services import Services
from karte.errors import EmbedderFailed
from karte.importers.chat import parse_chat
from karte.workspace import Workspace
from tests.unit.engine.embedders import WordEmbedder, services_of

ADA, YUKI = Namespace("Ada"), Namespace("ゆき")
PATIENT = 60.0
"""Longer than any test; a wait that takes it is a failure."""

Runs = list[frozenset[Namespace] | None]


def test_the_first_run_is_for_all_and_later_ones_for_what_was_written() -> None:
    runs, ran = Runs(), Semaphore(0)

    def work(namespaces: frozenset[Namespace] | None, keep_on: KeepOn) -> bool:
        assert keep_on()
        runs.append(namespaces)
        ran.release()
        return True

    background = Background(work, rest=0)
    for namespace in (ADA, YUKI, ADA):
        background.wake(namespace)
        assert ran.acquire(timeout=PATIENT)
    background.close()
    assert runs == [None, {YUKI}, {ADA}]


def test_writes_during_a_run_are_done_together_in_the_next() -> None:
    runs, begun, go_on = Runs(), Event(), Event()

    def work(namespaces: frozenset[Namespace] | None, keep_on: KeepOn) -> bool:  # noqa: ARG001 - what it is given
        runs.append(namespaces)
        begun.set()
        return go_on.wait(PATIENT)

    background = Background(work, rest=0)
    background.wake(ADA)
    assert begun.wait(PATIENT)
    for namespace in (ADA, YUKI, ADA):
        background.wake(namespace)
    go_on.set()
    background.close()
    assert runs == [None, {ADA, YUKI}]


def test_writes_soon_after_a_run_are_done_together_in_the_next() -> None:
    runs, ran = Runs(), Event()

    def work(namespaces: frozenset[Namespace] | None, keep_on: KeepOn) -> bool:  # noqa: ARG001 - what it is given
        runs.append(namespaces)
        ran.set()
        return True

    background = Background(work, rest=PATIENT)
    background.wake(ADA)
    assert ran.wait(PATIENT)
    for namespace in (ADA, YUKI, ADA):
        background.wake(namespace)
    background.close()
    assert runs == [None, {ADA, YUKI}]


@pytest.mark.parametrize("raises", [False, True])
def test_work_that_failed_is_tried_again_for_all(raises: bool) -> None:
    runs, succeeded = Runs(), Event()

    def work(namespaces: frozenset[Namespace] | None, keep_on: KeepOn) -> bool:  # noqa: ARG001 - what it is given
        runs.append(namespaces)
        if len(runs) == 3:
            succeeded.set()
        elif raises:
            raise EmbedderFailed
        return len(runs) == 3

    background = Background(work, patience=0.001, rest=0)
    background.wake(ADA)
    assert succeeded.wait(PATIENT)
    background.close()
    assert runs == [None, None, None]


def test_closing_lets_the_running_step_end_and_no_other_begin() -> None:
    steps, begun = [], Event()

    def work(namespaces: frozenset[Namespace] | None, keep_on: KeepOn) -> bool:  # noqa: ARG001 - what it is given
        while True:
            steps.append("begun")
            begun.set()
            while keep_on():
                pass
            steps.append("ended")
            if not keep_on():
                return True

    background = Background(work, rest=0)
    background.wake(ADA)
    assert begun.wait(PATIENT)
    background.close()
    assert steps == ["begun", "ended"]
    background.wake(ADA)
    background.close()
    assert steps == ["begun", "ended"]


def test_closing_what_never_ran_does_nothing() -> None:
    Background(lambda namespaces, keep_on: keep_on() and namespaces is None).close()


def test_what_was_written_just_before_closing_gets_its_vectors_a_batch_at_least() -> None:
    with open_workspace(":memory:") as workspace:
        services = services_of(workspace, Embeddings(WordEmbedder()))
        background = Background(keeping_up(services))
        workspace.store_many({"content": f"tea {number}"} for number in range(BATCH))
        background.wake(Namespace())
        background.close()
        with services.store.reading() as unit:
            assert len(list(unit.vectors.since(Namespace(), 1, 0))) == BATCH


def test_an_embedder_that_comes_back_fills_in_what_waited() -> None:
    embedder, tried = WordEmbedder(down=True), Semaphore(0)
    embedder.meanwhile = tried.release
    with open_workspace(":memory:") as workspace:
        services = services_of(workspace, Embeddings(embedder))
        background = Background(keeping_up(services), patience=0.001, rest=0)
        workspace.store("tea")
        background.wake(Namespace())
        assert all(tried.acquire(timeout=PATIENT) for _ in range(4))
        embedder.down = False
        while not embedder.texts:
            assert tried.acquire(timeout=PATIENT)
        background.close()
        with services.store.reading() as unit:
            assert unit.vectors.reached(Namespace(), 1) == 1


def followed(plain: Workspace, services: Services, background: Background | None) -> Workspace:
    """The same workspace with other services, and with work that follows its writes."""
    desk = plain._desk
    return Workspace(replace(desk, services=services, background=background), plain._caller)


def test_every_way_to_write_is_followed(address: str) -> None:
    runs, ran = Runs(), Semaphore(0)

    def work(namespaces: frozenset[Namespace] | None, keep_on: KeepOn) -> bool:  # noqa: ARG001 - what it is given
        runs.append(namespaces)
        ran.release()
        return True

    with open_workspace(address) as plain:
        workspace = followed(plain, plain._services, Background(work, rest=0))
        dudu = workspace.agent("Ada")
        chat = parse_chat('[{"role": "user", "content": "雨が降る"}]'.encode(), "chat.json")
        stored = plain.agent("Ada").store("tea").memory_id
        for write in (
            lambda: dudu.store("coffee"),
            lambda: dudu.store_many([{"content": "rain"}]),
            lambda: dudu.supersede(stored, "green tea"),
            lambda: dudu.correct(stored, "black tea"),
            lambda: dudu.ingest_chat(chat),
        ):
            write()
            assert ran.acquire(timeout=PATIENT)
        workspace.close()
    assert runs == [None, {ADA}, {ADA}, {ADA}, {ADA}]


def test_a_workspace_that_is_closed_has_given_its_last_memory_a_vector(address: str) -> None:
    with open_workspace(address) as plain:
        services = services_of(plain, Embeddings(WordEmbedder()))
        with followed(plain, services, Background(keeping_up(services))) as workspace:
            workspace.store("tea")
    with open_workspace(address) as again, again._services.store.reading() as unit:
        assert [number for number, _ in unit.vectors.since(Namespace(), 1, 0)] == [1]


def test_without_a_background_vectors_are_filled_in_when_asked(address: str) -> None:
    with open_workspace(address) as plain:
        workspace = followed(plain, services_of(plain, Embeddings(WordEmbedder())), None)
        workspace.store("tea")
        assert (workspace.embed(most=0), workspace.embed()) == (Embedded(waiting=1), Embedded(embedded=1))
