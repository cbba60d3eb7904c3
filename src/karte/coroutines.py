"""The coroutine twin of the Python interface: the same verbs, to be awaited.

Each verb runs the method of the same name in a thread, so the event loop goes on meanwhile; nothing is done in another
way. It works under asyncio and trio. A call that has begun is never left alone: who is cancelled while it runs waits
until it has ended, so afterwards it is either done or was never begun, and nothing goes on behind anybody's back.
"""

from __future__ import annotations

import functools
import math
import threading
from collections.abc import Awaitable, Callable, Coroutine, Generator
from concurrent.futures import CancelledError
from types import TracebackType
from typing import Any, Concatenate, Final, Generic, ParamSpec, Self, TypeVar

from anyio import CancelScope, CapacityLimiter, get_cancelled_exc_class, to_thread

from karte.bootstrap import Parts, open_workspace
from karte.config import Location
from karte.core.namespaces import Principal
from karte.core.origins import Origin
from karte.engine.happening import Listener
from karte.ports import Identity
from karte.workspace import Chart, Workspace

MOST_AT_ONCE: Final = 8
"""Calls of one workspace that run at the same time, each in a thread with a connection of its own; others wait."""

Given = ParamSpec("Given")
Result = TypeVar("Result")
Verb = Callable[Concatenate["AsyncChart", Given], Coroutine[Any, Any, Result]]


class Threads:
    """Where the calls of one workspace run: at most `MOST_AT_ONCE` at a time, each in a thread."""

    def __init__(self) -> None:
        self._places = CapacityLimiter(MOST_AT_ONCE)
        self._unbounded = CapacityLimiter(math.inf)

    async def run(self, work: Callable[[], Result]) -> Result:
        """Run work in a thread; one that is cancelled when it has begun waits until it has ended."""
        async with self._places:
            call = _Call(work)
            try:
                return await to_thread.run_sync(call, limiter=self._unbounded)
            except get_cancelled_exc_class():
                if not call.give_up():
                    await self._outlast(call)
                raise

    async def run_last(self, work: Callable[[], Result]) -> Result:
        """Run work when everything that was asked before has ended."""
        self._places.total_tokens = 1
        return await to_the_end(functools.partial(self.run, work))

    async def _outlast(self, call: _Call[Any]) -> None:
        await to_the_end(functools.partial(to_thread.run_sync, call.ended.wait, limiter=self._unbounded))


class _Call(Generic[Result]):
    """Work that is begun or given up, whichever comes first."""

    def __init__(self, work: Callable[[], Result]) -> None:
        self._work = work
        self._claim = threading.Lock()
        self.ended = threading.Event()

    def __call__(self) -> Result:
        if not self._claim.acquire(blocking=False):
            raise CancelledError
        try:
            return self._work()
        finally:
            self.ended.set()

    def give_up(self) -> bool:
        """Keep the work from beginning; false where it has begun."""
        return self._claim.acquire(blocking=False)


async def to_the_end(wait: Callable[[], Awaitable[Result]]) -> Result:
    """Wait for something that must come to its end, however often the waiting is cancelled; then it is cancelled."""
    interrupted: BaseException | None = None
    with CancelScope(shield=True):
        while True:
            try:
                result = await wait()
                break
            except get_cancelled_exc_class() as error:
                # A task of asyncio can be cancelled in spite of the shield, and as often as somebody likes.
                interrupted = error
    if interrupted is not None:
        raise interrupted
    return result


def verb(method: Callable[Concatenate[Any, Given], Result]) -> Verb[Given, Result]:
    """A method of a chart or a workspace as a coroutine function with the same arguments and the same result."""

    @functools.wraps(method)
    async def coroutine(twin: AsyncChart, /, *args: Given.args, **kwargs: Given.kwargs) -> Result:
        return await twin.threads.run(functools.partial(method, twin.chart, *args, **kwargs))

    return coroutine


class AsyncChart:
    """The memories of one owner, for one caller: the verbs of `Chart` as coroutines."""

    def __init__(self, chart: Chart, threads: Threads) -> None:
        self.chart, self.threads = chart, threads

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self.owner}>"

    @property
    def owner(self) -> str:
        """Whose memories these are: an agent's name, or `workspace`."""
        return self.chart.owner

    @property
    def caller(self) -> Principal:
        """Who calls, for which agent, with which scopes and other bounds."""
        return self.chart.caller

    def acting(self, **changes: Any) -> AsyncChart:
        """The same memories for a caller with other powers: `origin`, `scopes`, `origin_kinds`, `trust_ceiling`."""
        return AsyncChart(self.chart.acting(**changes), self.threads)

    store = verb(Chart.store)
    store_many = verb(Chart.store_many)
    ingest_chat = verb(Chart.ingest_chat)
    search = verb(Chart.search)
    list = verb(Chart.list)
    read = verb(Chart.read)
    fetch = verb(Chart.fetch)
    history = verb(Chart.history)
    at = verb(Chart.at)
    export_graph = verb(Chart.export_graph)
    timeline = verb(Chart.timeline)
    supersede = verb(Chart.supersede)
    end = verb(Chart.end)
    end_fact = verb(Chart.end_fact)
    withdraw = verb(Chart.withdraw)
    correct = verb(Chart.correct)
    invalidate_by_origin = verb(Chart.invalidate_by_origin)
    erase = verb(Chart.erase)
    concerned = verb(Chart.concerned)
    erase_subject = verb(Chart.erase_subject)
    erase_everything = verb(Chart.erase_everything)
    pending = verb(Chart.pending)
    origins = verb(Chart.origins)
    taught_by = verb(Chart.taught_by)
    archived = verb(Chart.archived)
    restore = verb(Chart.restore)
    add_alias = verb(Chart.add_alias)
    remove_alias = verb(Chart.remove_alias)
    aliases = verb(Chart.aliases)
    set_predicate = verb(Chart.set_predicate)
    multi_valued = verb(Chart.multi_valued)
    create_domain = verb(Chart.create_domain)
    grant = verb(Chart.grant)
    domains = verb(Chart.domains)
    propose_fact = verb(Chart.propose_fact)
    supersede_fact = verb(Chart.supersede_fact)
    withdraw_fact = verb(Chart.withdraw_fact)
    conflicts = verb(Chart.conflicts)
    resolve_conflict = verb(Chart.resolve_conflict)
    record_mistake = verb(Chart.record_mistake)
    mistakes = verb(Chart.mistakes)
    reflect = verb(Chart.reflect)
    rules = verb(Chart.rules)
    promote_rule = verb(Chart.promote_rule)
    notes = verb(Chart.notes)
    update_notes = verb(Chart.update_notes)
    observe = verb(Chart.observe)
    remember = verb(Chart.remember)
    consolidate = verb(Chart.consolidate)
    harmonize = verb(Chart.harmonize)
    propose_policy = verb(Chart.propose_policy)
    supersede_policy = verb(Chart.supersede_policy)
    end_policy = verb(Chart.end_policy)
    policies = verb(Chart.policies)
    context = verb(Chart.context)


class AsyncWorkspace(AsyncChart):
    """A workspace: the verbs of `Workspace` as coroutines. `karte.aopen` opens one."""

    def __init__(self, workspace: Workspace, threads: Threads) -> None:
        super().__init__(workspace, threads)
        self._workspace = workspace

    async def agent(self, name: str, role: str | None = None, *, create: bool = True) -> AsyncChart:
        """Act as an agent; it is created if need be, unless `create` is off: then `UnknownAgent` is raised."""
        work = functools.partial(self._workspace.agent, name, role, create=create)
        return AsyncChart(await self.threads.run(work), self.threads)

    agents = verb(Workspace.agents)
    stats = verb(Workspace.stats)
    doctor = verb(Workspace.doctor)
    maintain = verb(Workspace.maintain)
    export = verb(Workspace.export)
    backup = verb(Workspace.backup)
    scrub = verb(Workspace.scrub)
    embed = verb(Workspace.embed)
    waiting = verb(Workspace.waiting)
    review = verb(Workspace.review)
    approve = verb(Workspace.approve)
    deny = verb(Workspace.deny)
    plan_to_forget = verb(Workspace.plan_to_forget)
    plan_of = verb(Workspace.plan_of)
    approve_plan = verb(Workspace.approve_plan)
    forget = verb(Workspace.forget)
    resume_forgetting = verb(Workspace.resume_forgetting)
    forgotten = verb(Workspace.forgotten)
    blocks = verb(Workspace.blocks)
    unblock = verb(Workspace.unblock)
    create_token = verb(Workspace.create_token)
    tokens = verb(Workspace.tokens)
    revoke_token = verb(Workspace.revoke_token)
    check_token = verb(Workspace.check_token)
    audit = verb(Workspace.audit)
    verify_audit = verb(Workspace.verify_audit)

    def on_event(self, listener: Listener) -> None:
        """Let a function be told when something is quarantined, released or rejected, once it is kept for good.

        It is a plain function, called in a thread of its own.
        """
        self._workspace.on_event(listener)

    @property
    def embedder(self) -> Identity | None:
        """What the vectors of the embedder that is set are told by; None where none is set."""
        return self._workspace.embedder

    async def close(self) -> None:
        """Wait for what was asked, let work in the background end, write down what waits and release the store."""
        await self.threads.run_last(self._workspace.close)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()


class Opening:
    """A workspace that is about to be opened: enter it with `async with`, or await it and close it later."""

    def __init__(self, work: Callable[[], Workspace]) -> None:
        self._work = work
        self._workspace: AsyncWorkspace | None = None

    def __await__(self) -> Generator[Any, Any, AsyncWorkspace]:
        return self._opened().__await__()

    async def __aenter__(self) -> AsyncWorkspace:
        self._workspace = await self._opened()
        return self._workspace

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._workspace is not None:
            await self._workspace.close()

    async def _opened(self) -> AsyncWorkspace:
        threads, opened = Threads(), []

        def work() -> None:
            opened.append(AsyncWorkspace(self._work(), threads))

        try:
            await threads.run(work)
        except get_cancelled_exc_class():
            for workspace in opened:
                await workspace.close()
            raise
        return opened[0]


def aopen(
    place: str | Location,
    *,
    create: bool = True,
    origin: Origin | None = None,
    token: str | None = None,
    parts: Parts | None = None,
) -> Opening:
    """Open a workspace for coroutines, with what `karte.open` takes: `async with karte.aopen("team.karte") as ws`."""
    return Opening(functools.partial(open_workspace, place, create=create, origin=origin, token=token, parts=parts))
