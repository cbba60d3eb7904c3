"""Workspaces to be moved: one that holds everything there is, what it says of itself, and moving it in one call."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta
from io import BytesIO
from typing import Any

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.core.granting import Grantee, Level
from karte.core.memories import Place
from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.periods import FOREVER
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.engine.embeddings import Embeddings
from karte.engine.graphs.keeping import Graphs
from karte.engine.moving.importing import fill
from karte.engine.moving.packing import pack
from karte.engine.moving.unpacking import Export
from karte.engine.services import Services
from karte.ports import (
    AuditEntry,
    Block,
    Domain,
    Grant,
    Identity,
    KeptPlan,
    KeptReceipt,
    Store,
    Token,
    Told,
    Usage,
    Writing,
)
from karte.testing.parts import CountedIds, GivenClock
from karte.workspace import Chart, Workspace
from tests.unit.engine.conftest import NOW
from tests.unit.engine.embedders import WordEmbedder

DUDU, YUKI = Namespace("dudu"), Namespace("ゆき")
TIERS = (4_000,)
TEXTS = (
    "Deploys go to Vercel, every Friday at noon",
    "部署到東京，每週五中午",
    "部署到东京，每周五中午",
    "毎週金曜日の正午に東京へデプロイする",
    "매주 금요일 정오에 서울로 배포한다",
    "C++ & rm -rf 🚀 \"quoted\" \\ \u2028 'NULL'",
)


@contextmanager
def opened(store: Store, clock: GivenClock | None = None, *, embedding: bool = True) -> Iterator[Workspace]:
    """A workspace over a store, with an embedder whose vectors can be worked out by hand, or with none."""
    embedder = WordEmbedder() if embedding else None
    parts = Parts(Settings(tiers=TIERS), store, clock or GivenClock(NOW), CountedIds(), embedder)
    workspace = open_workspace(":memory:", parts=parts)
    try:
        yield workspace
    finally:
        if workspace._desk.background is not None:
            workspace._desk.background.close()


def fill_with_everything(store: Store) -> dict[str, str]:
    """Let a store hold at least one row of every kind; gives some ids by name."""
    clock = GivenClock(NOW)
    with opened(store, clock) as workspace:
        workspace.store("The workspace's own tea", idempotency_key="鍵")
        workspace.add_alias("Ada", "Countess")
        ids = _tell_dudu(workspace.agent("dudu", role="engineer"), clock)
        for text in TEXTS:
            workspace.agent("ゆき").store(text, metadata={"渠道": ["x", 1.5, None]}, tags=["家", "home"])
            clock.advance()
        workspace.embed()
    with store.writing() as unit:
        older = unit.vectors.open_set(Identity("older", "7", 1))
        unit.vectors.add(DUDU, older, [(1, b"\x00\x3c"), (4, b"\x00\xbc")], 5)
        unit.archive.add(DUDU, [unit.memories.by_id(DUDU, [ids["rain"]])[ids["rain"]].memory.number], 1_234_567)
        _decide(unit)
        _grant(unit)
        unit.usages.count(DUDU, [1, 3], 77)
        unit.usages.count(DUDU, [3], 99)
    return ids


SECRET = b"\x07" * 32
"""With what the names of blocked sources are digested."""


def _decide(unit: Writing) -> None:
    """Keep what persons decided: reviews of both kinds, a block, plans, lines of the log; and what is not carried."""
    chat = Origin("channel", "line:7", "m9")
    held = Review("rev_2", ReviewKind.QUARANTINE, "mem_held", None, b"", chat, "小雨", 5, 99, "{}", '{"content": "家"}')
    shadowed = Review("rev_1", ReviewKind.SHADOWED, "mem", 1, b"\x01" * 16, chat, "", 5, 99, "{}", None)
    decided = replace(shadowed, id="rev_0", opened_at=7, state=ReviewState.APPROVED, decided_by="ゆき", decided_at=8)
    kept = replace(decided, id="rev_3", kind=ReviewKind.STALE, expires_at=FOREVER)
    for owner, review in ((DUDU, held), (DUDU, shadowed), (DUDU, decided), (DUDU, kept), (Namespace(), held)):
        unit.reviews.add(owner, review)
    unit.blocks.set_key(SECRET)
    unit.blocks.add(Block(b"\x02" * 16, "channel", "plan_1", "操作員", 6))
    done = KeptPlan("plan_1", b"\x03" * 32, '{"n": 1e3}', "done", 5, 9, "操作員", "ゆき", '{"removed": 3}')
    for plan in (done, replace(done, id="plan_2", state="approved", receipt=None)):
        unit.plans.keep(plan)
    before = last.sequence if (last := unit.audit.last()) else 0
    for number in (1, 2):
        unit.audit.append(
            AuditEntry(before + number, 5, "操作員", "forget", "dudu", "來源", "{}", b"", bytes([number]))
        )
    unit.bursts.add(DUDU, b"bucket", Told(5, b"told", 1))
    unit.tokens.keep(Token("tok_1", b"\x04" * 32, "小雨", None, ("review",), 5))
    unit.receipts.keep(DUDU, "with an assertion", KeptReceipt(b"r", "{}", b"\x05" * 16), 1)
    older = next(known.number for known in unit.vectors.sets() if known.identity.name == "older")
    unit.vectors.set_missing(DUDU, older, [3, 5])


DOMAINS = [
    Domain(Place("Builds", "karte"), "", "", confidential=False, usual=Level.READ, created_by="", created_at=6),
    Domain(Place("決策"), "決策", "誰が決めたか", confidential=True, usual=Level.NONE, created_by="小雨", created_at=5),
]
GRANTS = [
    Grant("repo:karte/builds", Grantee.role("engineer"), Level.WRITE),
    Grant("決策", Grantee.agent("dudu"), Level.READ),
    Grant("決策", Grantee.role("engineer"), Level.NONE),
]


def _grant(unit: Writing) -> None:
    """Keep domains, and who may do what in them."""
    for domain in DOMAINS:
        unit.domains.keep(domain)
    for grant in GRANTS:
        unit.domains.grant(grant)


def _tell_dudu(dudu: Chart, clock: GivenClock) -> dict[str, str]:
    ids: dict[str, str] = {}

    def keep(name: str, text: str, **options: Any) -> None:
        ids[name] = dudu.store(text, **options).memory_id
        clock.advance(1.000001)

    paris = {"subject": "Ada", "predicate": "lives in", "object": "Paris"}
    keep("paris", "Ada lives in Paris", **paris, valid_from="2026-01-01", confidence=0.25, importance=2)
    keep("again", "ADA  lives in paris", **paris, origin="channel:line:7:m1", trust=0.2, veracity="inferred")
    keep("london", "Ada lives in London", **{**paris, "object": "London"}, origin="channel:x", valid_from="2026-03-01")
    keep("rome", "The Countess lives in Rome", subject="countess", predicate="lives in", object="Rome", trust=0.9)
    keep("gone", "this will be erased: tea", idempotency_key="erased")
    keep("free", "a free text about tea and the weather", topic="茶", session="s1", speaker="小雨", source_event="call")
    keep("like", "a free text about tea and the Weather 2", expires_at="9999-12-31T23:59:59.999999Z")
    keep("rain", "비가 온다", layer="episodic", ttl_hours=5_000, domain="Work", repo="karte", idempotency_key="k1")
    keep("derived", "It follows that there is tea", derived_from=[ids["free"], ids["paris"]], memory_type="learning")
    keep("old", "long ago", observed_at="0001-01-01T00:00:00.000001Z", valid_until="1969-12-31T23:59:59.999999Z")
    keep("likes", "小雨喜歡茶", subject="小雨", predicate="喜歡", object="茶")
    dudu.set_predicate("喜歡", multi_valued=True)
    dudu.set_predicate("lives in", multi_valued=True)
    clock.advance()
    dudu.set_predicate("lives in", multi_valued=False)
    dudu.withdraw(ids["like"], "見間違い")
    dudu.correct(ids["london"], "Ada lives in Lyon", object="Lyon", reason="misheard")
    dudu.supersede(ids["rome"], "The Countess lives in Oslo", object="Oslo", effective=NOW - timedelta(days=3))
    dudu.supersede(ids["free"], ids["likes"])
    dudu.end(ids["likes"], NOW + timedelta(days=1))
    dudu.add_alias("茶", "tea")
    dudu.remove_alias("茶", "tea")
    dudu.erase([ids.pop("gone")])
    return ids


def packed(store: Store) -> bytes:
    """The export of a store."""
    file = BytesIO()
    with store.reading() as unit:
        pack(unit, file)
    return file.getvalue()


def export_of(data: bytes) -> Export:
    """An export that is open, from its bytes."""
    return Export(BytesIO(data), "team.zip")


def services_over(store: Store) -> Services:
    """What moving works with, over a store."""
    embeddings = Embeddings(WordEmbedder())
    return Services(store, GivenClock(NOW + timedelta(days=9)), CountedIds(), TIERS, embeddings, Graphs())


def moved(data: bytes, store: Store) -> Store:
    """The same store, filled from an export."""
    export = export_of(data)
    export.check()
    fill(services_over(store), export)
    return store


def looked_at(store: Store, ids: dict[str, str], moments: tuple[datetime, ...]) -> list[Any]:
    """All that a workspace says: every reading verb of every owner, at instants of both times, without timings.

    What persons decided is asked of the store.
    """
    with opened(store, GivenClock(NOW + timedelta(days=9))) as workspace:
        charts = [workspace, *(workspace.agent(agent.name, create=False) for agent in workspace.agents())]
        told: list[Any] = [workspace.stats().to_dict(), workspace.doctor().differences]
        for chart in charts:
            told += [chart.aliases(), chart.multi_valued(), chart.export_graph().to_dict()]
            told += [chart.archived().to_dict(), chart.fetch(list(ids.values())).to_dict()]
            told += [_untimed(chart.search(query, explain=True, floor=0)) for query in ("tea 茶 Ada", "비가", "東京")]
            for moment in moments:
                told += [chart.list(100, at=moment).to_dict(), chart.list(100, known_at=moment).to_dict()]
                told.append(_untimed(chart.search("tea Paris", at=moment, known_at=moment)))
        dudu = workspace.agent("dudu", create=False)
        told += [dudu.history(memory_id, known_at=moment).to_dict() for memory_id in ids.values() for moment in moments]
        return [*told, *_decided(store)]


def _decided(store: Store) -> list[Any]:
    with store.reading() as unit:
        owners = [Namespace(), *(Namespace(agent.name) for agent in unit.agents.all())]
        blocks = unit.blocks.all()
        return [
            [unit.reviews.listed(owner, tuple(ReviewState), 100) for owner in owners],
            [blocks, blocks and unit.blocks.key()],
            [plan for plan in unit.plans.all() if plan.state == "done"],
            list(unit.audit.after(0, 100)),
            [unit.domains.all(), unit.domains.grants()],
        ]


def _untimed(recall: Any) -> Any:
    return replace(recall, timings_ms={}).to_dict()


def counters(store: Store) -> dict[int, Usage]:
    """The counters of dudu's memories."""
    with store.reading() as unit:
        return unit.usages.of(DUDU, range(1, 100))
