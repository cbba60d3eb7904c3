"""A day in the life of a workspace: one acknowledged call after the other, and what must be there after each."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType

from karte.workspace import Chart, Workspace

AGENT = "嘟嘟"
ALIASES = (("Kaohsiung", "高雄"), ("Tokyo", "東京"), ("Seoul", "서울"), ("Beijing", "北京"))
NOTES = (
    "Meter {word} of the pump house was read in the morning",
    "第二倉庫的溫度計 {word} 已經校正",
    "财务系统的凭证 {word} 已经核对完毕",
    "会議室の予約は {word} です",
    "창고의 재고 번호는 {word} 입니다",
)
_BULK = 130
_ROUNDS = 12
_FETCHED = 100


@dataclass(frozen=True)
class State:
    """What a workspace must hold: every readable text by id, the ids of those in force, the aliases and the agents."""

    texts: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    in_force: frozenset[str] = frozenset()
    aliases: frozenset[tuple[str, str]] = frozenset()
    agents: frozenset[str] = frozenset()

    def __repr__(self) -> str:
        return f"<{len(self.texts)} texts, {len(self.in_force)} in force, {len(self.aliases)} aliases>"

    def with_texts(self, stored: Mapping[str, str], *, over: Collection[str] = ()) -> "State":
        """The state after these were stored, and took over from the ids in `over`."""
        in_force = (self.in_force | stored.keys()) - frozenset(over)
        return replace(self, texts=dict(self.texts) | dict(stored), in_force=in_force)

    def without(self, memory_id: str) -> "State":
        """The state after a memory was erased."""
        texts = {name: text for name, text in self.texts.items() if name != memory_id}
        return replace(self, texts=texts, in_force=self.in_force - {memory_id})


def charts(workspace: Workspace) -> list[Chart]:
    """The workspace itself and every agent in it."""
    return [workspace, *(workspace.agent(agent.name, create=False) for agent in workspace.agents())]


def observe(workspace: Workspace, ids: Collection[str]) -> State:
    """What a workspace does hold, of all the ids that were ever given out."""
    ordered = sorted(ids)
    pages = [ordered[start : start + _FETCHED] for start in range(0, len(ordered), _FETCHED)]
    items = [item for chart in charts(workspace) for page in pages for item in chart.fetch(page).memories]
    return State(
        {item.id: item.content for item in items},
        frozenset(item.id for chart in charts(workspace) for item in chart.list(1_000).memories),
        frozenset((alias.canonical, alias.alias) for alias in workspace.aliases()),
        frozenset(agent.name for agent in workspace.agents()),
    )


class Day:
    """Writes to a workspace through its facade and keeps count of what must be there."""

    def __init__(self, workspace: Workspace) -> None:
        self.state = State()
        self._workspace = workspace
        self._count = 0

    def run(self) -> Iterator[State]:
        """Make one call after the other; gives the state that is acknowledged by the call's return."""
        agent = self._workspace.agent(AGENT, role="engineer")
        yield self._keep(State(agents=frozenset({AGENT})))
        yield self._store_many(_BULK)
        yield self._store_many(_BULK)
        for number in range(_ROUNDS):
            yield from self._round(number, agent)
        yield self._store_many(_BULK)
        for _ in range(2):
            yield from self._erase()

    def _round(self, number: int, agent: Chart) -> Iterator[State]:
        yield self._store(self._workspace)
        yield self._store(agent)
        yield self._store(self._workspace, idempotency_key=f"request {number}")
        yield self._move_in(number)
        yield self._supersede(self._newest())
        yield self._store_many(9)
        yield self._withdraw(self._newest())
        if number < len(ALIASES):
            yield self._name(*ALIASES[number])

    def _store(self, chart: Chart, **options: str) -> State:
        text = self._text()
        receipt = chart.store(text, **options)  # type: ignore[arg-type]  # every option passed here takes a text
        return self._keep(self.state.with_texts({receipt.memory_id: text}, over=receipt.superseded))

    def _move_in(self, number: int) -> State:
        """A guest moves to another room, so that the new fact takes over from the old one."""
        return self._store(
            self._workspace, subject=f"guest {number // 3}", predicate="stays in", object=f"room {number}"
        )

    def _store_many(self, count: int) -> State:
        texts = [self._text() for _ in range(count)]
        receipts = self._workspace.store_many([{"content": text} for text in texts])
        return self._keep(self.state.with_texts(dict(zip((r.memory_id for r in receipts), texts, strict=True))))

    def _supersede(self, old: str) -> State:
        text = self._text()
        receipt = self._workspace.supersede(old, text)
        return self._keep(self.state.with_texts({receipt.memory_id: text}, over={old}))

    def _withdraw(self, memory_id: str) -> State:
        self._workspace.withdraw(memory_id, "entered twice")
        return self._keep(replace(self.state, in_force=self.state.in_force - {memory_id}))

    def _name(self, canonical: str, alias: str) -> State:
        said = self._workspace.add_alias(canonical, alias)
        return self._keep(replace(self.state, aliases=self.state.aliases | {(said.canonical, said.alias)}))

    def _erase(self) -> Iterator[State]:
        yield self._store(self._workspace)
        gone = self._newest()
        self._workspace.erase([gone])
        yield self._keep(self.state.without(gone))

    def _newest(self) -> str:
        return next(memory_id for memory_id in reversed(list(self.state.texts)) if memory_id in self.state.in_force)

    def _text(self) -> str:
        self._count += 1
        return NOTES[self._count % len(NOTES)].format(word=f"k{self._count:04d}")

    def _keep(self, state: State) -> State:
        self.state = state
        return state


def word_of(text: str) -> str:
    """The word that no other text of the day holds."""
    return next(part for part in text.split() if part.startswith("k") and part[1:].isdecimal())
