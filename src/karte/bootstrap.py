"""The composition root: from settings to a workspace, by plain constructor calls."""

from __future__ import annotations

import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import uuid_utils

from karte.config import Settings, choose_embedder, embedder_key, load_settings
from karte.core.namespaces import Namespace, Principal
from karte.core.origins import Origin, OriginKind
from karte.engine.embeddings import Embeddings
from karte.engine.keeping import doctor
from karte.engine.keeping.background import Background
from karte.engine.keeping.embedding import keeping_up
from karte.engine.recalling.tally import Tally
from karte.engine.services import Services
from karte.errors import Incorrect
from karte.models.embedders import ENDPOINT, available, open_embedder
from karte.ports import Clock, Embedder, Identity, Ids, Store
from karte.stores.memory import MemoryStore
from karte.stores.sqlite import SQLiteStore
from karte.workspace import Desk, Workspace

IN_MEMORY: Final = ":memory:"
_NANOSECONDS: Final = 1_000


class SystemClock:
    """The clock of this machine."""

    def now(self) -> int:
        """Microseconds since the epoch."""
        return time.time_ns() // _NANOSECONDS


class TimeSortedIds:
    """Ids that sort by the time they were made: UUID version 7."""

    def new(self, prefix: str) -> str:
        """A new id."""
        return prefix + uuid_utils.uuid7().hex


@dataclass(frozen=True)
class Parts:
    """What a workspace is made of, where the defaults are not wanted."""

    settings: Settings | None = None
    store: Store | None = None
    clock: Clock | None = None
    ids: Ids | None = None
    embedder: Embedder | None = None


def open_workspace(
    path: str | Path, *, create: bool = True, origin: Origin | None = None, parts: Parts | None = None
) -> Workspace:
    """Open a workspace file, or `:memory:` for one that lives as long as the process; made if need be.

    `origin` is where statements come from unless a call names another one (default: the operator). Raises
    `WorkspaceMissing`, `NotAWorkspace`, `WorkspaceTooNew`.
    """
    chosen = parts or Parts()
    if str(path).startswith(("postgresql://", "postgres://")):
        raise Incorrect("This release keeps workspaces in files; give the path of a file.")
    settings = chosen.settings or (Settings() if str(path) == IN_MEMORY else load_settings(Path(path)))
    store = chosen.store or _store(path, create=create)
    embeddings = Embeddings(chosen.embedder or _embedder(settings), _installed)
    clock, ids = chosen.clock or SystemClock(), chosen.ids or TimeSortedIds()
    services = Services(store, clock, ids, settings.tiers, embeddings, rankings=settings.rankings)
    with ExitStack() as undone:
        undone.callback(store.close)
        doctor.keep_current(services)
        undone.pop_all()
    caller = Principal(Namespace(), origin or Origin(OriginKind.OPERATOR, "python"))
    background = Background(keeping_up(services)) if embeddings.embedder else None
    return Workspace(Desk(services, settings.zone, time.perf_counter, Tally(store), background), caller)


def _store(path: str | Path, *, create: bool) -> Store:
    return MemoryStore() if str(path) == IN_MEMORY else SQLiteStore(Path(path), create=create)


def _embedder(settings: Settings) -> Embedder | None:
    name, server = choose_embedder(settings), settings.server
    if name != ENDPOINT or server is None:
        return open_embedder(name, threads=settings.threads)
    from karte.models.embedders.endpoint import Address

    address = Address(server.base_url, server.model, server.dimensions, embedder_key(), server.timeout)
    return open_embedder(name, address=address)


def _installed(identity: Identity) -> Embedder | None:
    """The embedder that made vectors of that identity, if it is installed."""
    found = (open_embedder(name) for name in available())
    return next((embedder for embedder in found if embedder and embedder.identity == identity), None)
