"""The background: work follows writes, one run at a time, and is tried again."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Semaphore

import pytest

from karte.bootstrap import open_workspace
from karte.core.namespaces import Namespace
from karte.engine.embeddings import Embeddings
from karte.engine.keeping.background import Background, KeepOn
from karte.engine.keeping.embedding import BATCH, Embedded, keeping_up
from karte.errors import EmbedderFailed
from karte.importers.chat import parse_chat
from karte.workspace import Desk, Workspace
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

    background = Background(work)
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

    background = Background(work)
    background.wake(ADA)
    assert begun.wait(PATIENT)
    for namespace in (ADA, YUKI, ADA):
        background.wake(namespace)
    go_on.set()
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

    background = Background(work, patience=0.001)
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

    background = Background(work)
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
        background = Background(keeping_up(services), patience=0.001)
        workspace.store("tea")
        background.wake(Namespace())
        assert all(tried.acquire(timeout=PATIENT) for _ in range(4))
        embedder.down = False
        while not embedder.texts:
            assert tried.acquire(timeout=PATIENT)
        background.close()
        with services.store.reading() as unit:
            assert unit.vectors.reached(Namespace(), 1) == 1


@contextmanager
def workspace_with(path: Path, embedder: WordEmbedder, *, background: bool) -> Iterator[Workspace]:
    """A workspace whose memories get vectors, in the background or when it is asked to."""
    with open_workspace(path) as plain:
        services = services_of(plain, Embeddings(embedder))
        follower = Background(keeping_up(services)) if background else None
        desk = plain._desk
        yield Workspace(Desk(services, desk.zone, desk.timer, desk.tally, follower), plain._caller)


def numbers_with_vectors(path: Path, agent: str) -> list[int]:
    with open_workspace(path) as workspace, workspace._services.store.reading() as unit:
        return [number for number, _ in unit.vectors.since(Namespace(agent), 1, 0)]


def test_every_write_of_a_workspace_is_followed(tmp_path: Path) -> None:
    path, embedder = tmp_path / "w.karte", WordEmbedder()
    with workspace_with(path, embedder, background=True) as workspace:
        dudu = workspace.agent("dudu")
        stored = dudu.store("tea").memory_id
        dudu.store_many([{"content": "coffee"}])
        dudu.supersede(stored, "green tea")
        dudu.correct(stored, "black tea")
        dudu.ingest_chat(parse_chat('[{"role": "user", "content": "雨が降る"}]'.encode(), "chat.json"))
        workspace.close()
    assert numbers_with_vectors(path, "dudu") == [1, 2, 3, 4, 5]


def test_without_a_background_vectors_are_filled_in_when_asked(tmp_path: Path) -> None:
    path, embedder = tmp_path / "w.karte", WordEmbedder()
    with workspace_with(path, embedder, background=False) as workspace:
        workspace.agent("dudu").store("tea")
        assert workspace.embed(most=0) == Embedded(waiting=1)
        assert workspace.embed() == Embedded(embedded=1)
        workspace.close()
    assert numbers_with_vectors(path, "dudu") == [1]
