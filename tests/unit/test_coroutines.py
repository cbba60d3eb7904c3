"""The coroutine twin: the same verbs and answers, many at once, and nothing half done when somebody is cancelled."""

import asyncio
import functools
import inspect
import threading
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime
from importlib.util import find_spec
from typing import Any, assert_type

import anyio
import pytest

import karte
from karte.bootstrap import Parts, open_workspace
from karte.core.namespaces import Scope
from karte.core.results import Listing, Recall, Receipt
from karte.coroutines import MOST_AT_ONCE, AsyncChart, AsyncWorkspace, Opening, Threads, aopen
from karte.errors import Fault, UnknownAgent, UnknownMemory, WorkspaceMissing
from karte.stores.memory import MemoryStore
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart, Workspace

LOOPS = ["asyncio", *(["trio"] if find_spec("trio") else [])]
PATIENCE = 60
SOME_TURNS = 50


def public(kind: type) -> set[str]:
    return {name for name in dir(kind) if not name.startswith("_")}


def given_parts() -> Parts:
    return Parts(clock=GivenClock(datetime(2026, 7, 1, tzinfo=UTC)), ids=CountedIds())


async def turns(count: int = SOME_TURNS) -> None:
    """Let everything else that is ready have its turn, several times."""
    for _ in range(count):
        await anyio.lowlevel.checkpoint()


class Gate:
    """Work that says that it has begun, and goes on when it may."""

    def __init__(self) -> None:
        self.told: list[str] = []
        self._begun, self._open = threading.Semaphore(0), threading.Event()

    def work(self) -> str:
        self._begun.release()
        assert self._open.wait(PATIENCE)
        self.told.append("worked")
        return "done"

    async def begun(self, times: int = 1) -> None:
        for _ in range(times):
            assert await anyio.to_thread.run_sync(functools.partial(self._begun.acquire, timeout=PATIENCE))

    def open(self) -> None:
        self._open.set()


@pytest.fixture(params=LOOPS)
def run(request: pytest.FixtureRequest) -> Callable[[Callable[[], Awaitable[None]]], None]:
    """Run a coroutine function in a loop of its own, once on each kind of loop that is installed."""
    return functools.partial(anyio.run, backend=request.param)


Run = Callable[[Callable[[], Awaitable[None]]], None]


class TestVerbs:
    def test_the_twin_of_a_chart_has_its_verbs_and_no_others(self) -> None:
        assert public(AsyncChart) == public(Chart)

    def test_the_twin_of_a_workspace_has_its_verbs_and_no_others(self) -> None:
        assert public(AsyncWorkspace) == public(Workspace)

    def test_what_works_on_the_store_is_a_coroutine_function_and_what_does_not_is_none(self) -> None:
        told = {name for name in public(AsyncWorkspace) if inspect.iscoroutinefunction(getattr(AsyncWorkspace, name))}
        assert public(AsyncWorkspace) - told == {"acting", "caller", "embedder", "on_event", "owner"}

    @pytest.mark.parametrize("name", sorted(public(AsyncWorkspace) - {"caller", "embedder", "owner"}))
    def test_a_verb_takes_what_the_verb_of_the_same_name_takes_and_says_the_same_of_itself(self, name: str) -> None:
        twin, verb = getattr(AsyncWorkspace, name), getattr(Workspace, name)
        assert inspect.signature(twin).parameters == inspect.signature(verb).parameters
        assert twin.__doc__.split(".")[0].split(";")[0] in verb.__doc__ or name == "close"

    def test_opening_takes_what_open_takes(self) -> None:
        assert inspect.signature(karte.aopen).parameters == inspect.signature(karte.open).parameters

    def test_a_type_checker_knows_the_arguments_and_the_results(self, run: Run) -> None:
        """The checks are mypy's: a wrong type here, or a mistake that it no longer sees, fails its run over the tests."""

        async def typed() -> None:
            async with karte.aopen(":memory:") as ws:
                dudu = await ws.agent("dudu")
                assert_type(dudu, AsyncChart)
                assert_type(await dudu.store("東京は雨", subject="東京", predicate="weather"), Receipt)
                assert_type(await dudu.search("雨", limit=5), Recall)
                assert_type(await dudu.list(3, layer="semantic"), Listing)
                with pytest.raises(TypeError):
                    await dudu.set_predicate("p")  # type: ignore[call-arg]  # refused: multi_valued is missing
                with pytest.raises(TypeError):
                    await dudu.read("mem_a", "mem_b")  # type: ignore[call-arg]  # refused: that is fetch

        run(typed)


class TestAnswers:
    def test_both_give_the_same_answers(self, run: Run) -> None:
        with open_workspace(":memory:", parts=given_parts()) as ws:
            dudu = ws.agent("dudu", role="engineer")
            first = dudu.store("Deploys go to Vercel", subject="user", predicate="deploy_target", object="Vercel")
            dudu.store("老闆喜歡喝烏龍茶", tags=["tea"])
            dudu.supersede(first.memory_id, "Deploys go to Fly", object="Fly")
            expected = [
                dudu.search("烏龍茶", explain=True).to_dict()["hits"],
                dudu.history("user", "deploy_target").to_dict(),
                dudu.at("user", "deploy_target").to_dict(),
                dudu.list().to_dict(),
                ws.stats().to_dict(),
            ]
        answers: list[Any] = []

        async def asked() -> None:
            async with karte.aopen(":memory:", parts=given_parts()) as ws:
                dudu = await ws.agent("dudu", role="engineer")
                first = await dudu.store(
                    "Deploys go to Vercel", subject="user", predicate="deploy_target", object="Vercel"
                )
                await dudu.store("老闆喜歡喝烏龍茶", tags=["tea"])
                await dudu.supersede(first.memory_id, "Deploys go to Fly", object="Fly")
                answers.append((await dudu.search("烏龍茶", explain=True)).to_dict()["hits"])
                answers.append((await dudu.history("user", "deploy_target")).to_dict())
                answers.append((await dudu.at("user", "deploy_target")).to_dict())
                answers.append((await dudu.list()).to_dict())
                answers.append((await ws.stats()).to_dict())

        run(asked)
        assert answers == expected

    def test_what_was_kept_is_there_when_it_is_opened_again_in_either_way(self, run: Run, address: str) -> None:
        async def kept() -> None:
            async with karte.aopen(address) as ws:
                await (await ws.agent("小明")).store("明天下午三點開會")

        run(kept)
        with karte.open(address, create=False) as ws:
            assert [item.content for item in ws.agent("小明").list().memories] == ["明天下午三點開會"]

    def test_errors_come_through_as_they_are(self, run: Run, address: str) -> None:
        async def refused() -> None:
            with pytest.raises(WorkspaceMissing):
                await karte.aopen(address, create=False)
            async with karte.aopen(address) as ws:
                with pytest.raises(UnknownMemory):
                    await ws.read("mem_x")
                with pytest.raises(UnknownAgent):
                    await ws.agent("nobody", create=False)

        run(refused)

    def test_a_chart_can_act_with_other_powers(self, run: Run) -> None:
        async def acting() -> None:
            async with karte.aopen(":memory:") as ws:
                reader = (await ws.agent("dudu")).acting(scopes=frozenset({Scope.READ}))
                assert (reader.owner, repr(reader)) == ("dudu", "<AsyncChart of dudu>")
                with pytest.raises(karte.KarteError, match="scope"):
                    await reader.store("x")

        run(acting)

    def test_a_workspace_can_be_awaited_and_closed_later(self, run: Run) -> None:
        async def later() -> None:
            ws = await karte.aopen(":memory:")
            assert ws.embedder is None
            await ws.store("一句話")
            await ws.close()
            await ws.close()
            with pytest.raises(Fault, match="closed"):
                await ws.store("too late")

        run(later)


class TestManyAtOnce:
    def test_coroutines_of_one_workspace_do_not_disturb_each_other(self, run: Run, address: str) -> None:
        async def many() -> None:
            async with karte.aopen(address) as ws:
                charts = [await ws.agent(name) for name in ("dudu", "小明", "ミカ")]

                async def work(number: int) -> None:
                    chart = charts[number % 3]
                    await chart.store(f"note {number}", subject="counter", predicate="value", object=str(number % 3))
                    await chart.search(f"note {number}")

                async with anyio.create_task_group() as group:
                    for number in range(30):
                        group.start_soon(work, number)
                assert (await ws.stats()).to_dict()["total"] == 30
                for chart in charts:
                    assert len((await chart.at("counter", "value")).memories) == 1
                assert (await ws.doctor()).differences == ()

        run(many)

    def test_as_many_as_may_run_at_once_do_and_no_more(self, run: Run) -> None:
        together = threading.Barrier(MOST_AT_ONCE, timeout=PATIENCE)
        running, most = 0, 0
        lock = threading.Lock()

        def work() -> None:
            nonlocal running, most
            with lock:
                running += 1
                most = max(most, running)
            together.wait()
            with lock:
                running -= 1
            together.wait()

        async def full() -> None:
            threads = Threads()
            async with anyio.create_task_group() as group:
                for _ in range(MOST_AT_ONCE * 3):
                    group.start_soon(threads.run, work)

        run(full)
        assert most == MOST_AT_ONCE

    def test_the_loop_goes_on_while_a_call_runs(self, run: Run) -> None:
        async def both() -> None:
            gate, threads = Gate(), Threads()
            async with anyio.create_task_group() as group:
                group.start_soon(threads.run, gate.work)
                await gate.begun()
                gate.open()
            assert gate.told == ["worked"]

        run(both)


class TestCancelling:
    def test_a_call_that_has_begun_is_waited_for(self, run: Run) -> None:
        async def cancelled() -> None:
            gate, threads = Gate(), Threads()

            async def call() -> None:
                try:
                    await threads.run(gate.work)
                finally:
                    gate.told.append("left")

            async with anyio.create_task_group() as group:
                group.start_soon(call)
                await gate.begun()
                group.cancel_scope.cancel()
                with anyio.CancelScope(shield=True):
                    await turns()
                    assert gate.told == []
                    gate.open()
            assert gate.told == ["worked", "left"]

        run(cancelled)

    def test_a_task_of_asyncio_that_is_cancelled_again_and_again_waits_as_well(self) -> None:
        async def cancelled() -> None:
            gate, threads = Gate(), Threads()
            task = asyncio.create_task(threads.run(gate.work))
            await gate.begun()
            for _ in range(3):
                task.cancel()
                await turns()
                assert not task.done()
            gate.open()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert gate.told == ["worked"]

        asyncio.run(cancelled())

    def test_a_call_that_waits_for_its_turn_is_never_begun(self, run: Run) -> None:
        async def cancelled() -> None:
            gate, threads, begun = Gate(), Threads(), []
            async with anyio.create_task_group() as running:
                for _ in range(MOST_AT_ONCE):
                    running.start_soon(threads.run, gate.work)
                await gate.begun(MOST_AT_ONCE)
                async with anyio.create_task_group() as waiting:
                    waiting.start_soon(threads.run, lambda: begun.append("begun"))
                    await turns()
                    waiting.cancel_scope.cancel()
                gate.open()
            assert (begun, gate.told) == ([], ["worked"] * MOST_AT_ONCE)

        run(cancelled)

    def test_no_place_is_lost_by_calls_that_were_cancelled(self) -> None:
        async def cancelled() -> None:
            threads = Threads()
            for _ in range(MOST_AT_ONCE * 2):
                gate = Gate()
                task = asyncio.create_task(threads.run(gate.work))
                await gate.begun()
                task.cancel()
                gate.open()
                with pytest.raises(asyncio.CancelledError):
                    await task
            assert await threads.run(lambda: "room") == "room"

        asyncio.run(cancelled())

    def test_a_write_is_kept_whole_or_not_at_all_and_no_lock_stays(self, address: str) -> None:
        acknowledged: list[int] = []

        async def cancelled() -> None:
            async with karte.aopen(address) as ws:

                async def write(number: int) -> None:
                    await ws.store_many([{"content": f"{half} half of {number}"} for half in ("first", "second")])
                    acknowledged.append(number)

                tasks = [asyncio.create_task(write(number)) for number in range(24)]
                for number, task in enumerate(tasks):
                    await turns(number)
                    if number % 2:
                        task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
                assert (await ws.store("another")).status == "stored"

        asyncio.run(cancelled())
        with karte.open(address) as ws:
            kept = {item.content for item in ws.list(1_000).memories}
        numbers = {int(content.rpartition(" ")[2]) for content in kept - {"another"}}
        assert numbers >= set(acknowledged) >= set(range(0, 24, 2))
        assert kept == {"another", *(f"{half} half of {n}" for n in numbers for half in ("first", "second"))}


class TestClosing:
    def test_closing_waits_for_what_was_asked_before(self, run: Run) -> None:
        async def closed() -> None:
            gate, threads = Gate(), Threads()
            async with anyio.create_task_group() as group:
                for _ in range(MOST_AT_ONCE + 2):
                    group.start_soon(threads.run, gate.work)
                await gate.begun(MOST_AT_ONCE)
                group.start_soon(threads.run_last, lambda: gate.told.append("closed"))
                await turns()
                gate.open()
            assert gate.told == ["worked"] * (MOST_AT_ONCE + 2) + ["closed"]

        run(closed)

    def test_a_block_that_is_cancelled_closes_its_workspace(self, run: Run) -> None:
        store = MemoryStore()

        async def cancelled() -> None:
            with anyio.CancelScope() as scope:
                async with karte.aopen(":memory:", parts=Parts(store=store)) as ws:
                    await ws.store("一句話")
                    scope.cancel()
                    await turns()

        run(cancelled)
        assert repr(store) == "<MemoryStore (closed)>"

    def test_closing_that_is_cancelled_comes_to_its_end(self) -> None:
        store = MemoryStore()

        async def cancelled() -> None:
            ws = await karte.aopen(":memory:", parts=Parts(store=store))
            gate = Gate()
            running = asyncio.create_task(ws.threads.run(gate.work))
            await gate.begun()
            closing = asyncio.create_task(ws.close())
            await turns()
            closing.cancel()
            await turns()
            gate.open()
            with pytest.raises(asyncio.CancelledError):
                await closing
            assert (await running, repr(store)) == ("done", "<MemoryStore (closed)>")

        asyncio.run(cancelled())

    def test_an_opening_that_is_cancelled_leaves_nothing_open(self) -> None:
        store, gate = MemoryStore(), Gate()

        def opened() -> Workspace:
            gate.work()
            return open_workspace(":memory:", parts=Parts(store=store))

        async def cancelled() -> None:
            task = asyncio.ensure_future(Opening(opened))
            await gate.begun()
            task.cancel()
            gate.open()
            with pytest.raises(asyncio.CancelledError):
                await task

        asyncio.run(cancelled())
        assert repr(store) == "<MemoryStore (closed)>"

    def test_a_block_that_fails_closes_its_workspace_and_says_why(self, run: Run) -> None:
        store = MemoryStore()

        async def failed() -> None:
            with pytest.raises(ZeroDivisionError):
                async with aopen(":memory:", parts=Parts(store=store)):
                    1 / 0  # noqa: B018 - it fails

        run(failed)
        assert repr(store) == "<MemoryStore (closed)>"
