"""The composition root: from settings to a workspace, by plain constructor calls."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import uuid_utils

from karte.config import (
    WEBHOOK_SECRET_VARIABLE,
    DatabaseUrl,
    Location,
    Settings,
    caller_token,
    choose_embedder,
    embedder_key,
    load_settings,
    read_location,
    webhook_secret,
)
from karte.core.namespaces import Namespace, Principal, Scope
from karte.core.origins import Origin, OriginKind
from karte.core.periods import SECOND
from karte.engine.deciding.tokens import authenticate
from karte.engine.embeddings import Embeddings
from karte.engine.forgetting.reapplying import heed
from karte.engine.graphs.keeping import Graphs
from karte.engine.heralding import Herald, Post
from karte.engine.keeping import doctor
from karte.engine.keeping.background import Background
from karte.engine.keeping.embedding import keeping_up
from karte.engine.moving.copying import Copied, copy
from karte.engine.moving.importing import Imported, fill
from karte.engine.moving.marks import is_unfinished, refuse_unfinished
from karte.engine.moving.unpacking import Export, open_export
from karte.engine.progress import WHOLE, Progress, silent, stage
from karte.engine.recalling.tally import Tally
from karte.engine.remembering.erasing import scrub_files
from karte.engine.restoring import Recovered, Staging, present_of, put_into_database
from karte.engine.services import Services
from karte.engine.trusting import outside
from karte.engine.trusting.outside import Outside
from karte.errors import DriverMissing, InvalidValue, WorkspaceMissing
from karte.models.embedders import ENDPOINT, available, open_embedder
from karte.ports import Clock, Embedder, Identity, Ids, Secrets, Store
from karte.stores.memory import MemoryStore
from karte.stores.sqlite import SQLiteStore, read_outside, remove_file
from karte.verbs.desk import Desk, Office
from karte.workspace import Workspace

if TYPE_CHECKING:
    from karte.stores.postgres.preparing import Prepared

IN_MEMORY: Final = ":memory:"
_OPERATOR: Final = Origin(OriginKind.OPERATOR, "python")
_CHECKED: Final = 50
"""So much of an import is done, of `WHOLE`, when its file is checked."""

_STAGED: Final = 600
"""So much of a restoring is done when what takes the place is made."""

_log = logging.getLogger(__name__)

_NANOSECONDS: Final = 1_000
_DRIVER: Final = frozenset({"psycopg", "psycopg_binary"})


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


class RandomSecrets:
    """Secrets from the chance of the operating system."""

    def new(self, count: int) -> bytes:
        """So many bytes."""
        return secrets.token_bytes(count)


@dataclass(frozen=True)
class Parts:
    """What a workspace is made of, where the defaults are not wanted."""

    settings: Settings | None = None
    store: Store | None = None
    clock: Clock | None = None
    ids: Ids | None = None
    embedder: Embedder | None = None
    secrets: Secrets | None = None


def open_workspace(
    place: str | Location,
    *,
    create: bool = True,
    origin: Origin | None = None,
    token: str | None = None,
    parts: Parts | None = None,
) -> Workspace:
    """Open a workspace; made if need be.

    `place` is the path of a file, a URL such as `postgresql://user@host/db?workspace=team`, or `:memory:` for a
    workspace that lives as long as the process. `origin` is where statements come from unless a call names another one
    (default: the operator). `token` (default: `KARTE_TOKEN`) says who calls and what they may do; without one it is the
    operator with every scope. A workspace that is opened with a token is not made. Raises `InvalidValue` for a URL that
    cannot be read, `WorkspaceMissing`, `NotAWorkspace`, `WorkspaceTooNew`, `InvalidToken`; for a URL also
    `DriverMissing`, `StoreUnreachable`, `SignInRefused`, `StoreTooOld`, `ExtensionMissing`.
    """
    chosen, location = parts or Parts(), read_location(place)
    settings = chosen.settings or _settings(location)
    shown = caller_token() if token is None else token
    services = _whole(_services(location, settings, chosen, create=create and shown is None))
    with ExitStack() as undone:
        undone.callback(services.store.close)
        caller = _caller(services, origin or _OPERATOR, shown)
        undone.pop_all()
    background = Background(keeping_up(services)) if services.embeddings.embedder else None
    office = Office(Herald(_webhook(settings, services.clock)), chosen.secrets or RandomSecrets(), shown)
    desk = Desk(services, settings.zone, time.perf_counter, Tally(services.store), background, office)
    return Workspace(desk, caller)


def _caller(services: Services, origin: Origin, token: str | None) -> Principal:
    return Principal(Namespace(), origin) if token is None else authenticate(services, token, origin)


def _webhook(settings: Settings, clock: Clock) -> Post | None:
    secret = webhook_secret()
    if settings.webhook is None:
        return None
    if secret is None:
        _log.warning("The webhook is not told of events: %s, which signs them, is not set.", WEBHOOK_SECRET_VARIABLE)
        return None
    from karte.webhooks import Webhook

    return Webhook(settings.webhook, secret, lambda: clock.now() // SECOND).post


def import_workspace(
    export: str | Path, place: str | Location, progress: Progress = silent, *, parts: Parts | None = None
) -> Imported:
    """Fill a new workspace from a file that `Workspace.export` wrote, or go on where that was interrupted.

    Nothing is written before the whole file is checked. Raises `ExportMissing`, `NotAnExport`, `ExportTooNew`,
    `ExportDamaged`, `WorkspaceNotEmpty`, `WorkspaceUnfinished` where another file was begun with, and what opening
    raises.
    """
    chosen, location = parts or Parts(), read_location(place)
    with open_export(Path(export), stage(progress, 0, _CHECKED)) as opened:
        services = _services(location, chosen.settings or _settings(location), chosen, create=True)
        with closing(services.store):
            imported = fill(services, opened, stage(progress, _CHECKED, WHOLE))
            heed(services, Principal(Namespace(), _OPERATOR))
            return imported


def copy_workspace(
    source: str | Location, destination: str | Location, progress: Progress = silent, *, parts: Parts | None = None
) -> Copied:
    """Copy a workspace into a new one, from store to store, or go on where that was interrupted.

    In the end all rows are compared, and a sample of answers. `parts` are those of the source. Raises
    `WorkspaceNotEmpty`, `WorkspaceUnfinished` where the source has changed since the interruption, `SourceChanged`,
    `CopyDiffers`, and what opening raises.
    """
    chosen, here, there = parts or Parts(), read_location(source), read_location(destination)
    if _same(here, there):
        raise InvalidValue(f"{here} cannot be copied onto itself; name another place.")
    services = _whole(_services(here, chosen.settings or _settings(here), chosen, create=False))
    with closing(services.store), closing(_store(there, create=True)) as store:
        embeddings = Embeddings(services.embeddings.embedder, _installed)
        target = replace(services, store=store, embeddings=embeddings, graphs=Graphs())
        copied = copy(services, target, _caller(services, _OPERATOR, caller_token()), progress)
        heed(target, Principal(Namespace(), _OPERATOR))
        return copied


def restore_workspace(
    backup: str | Path, place: str | Location, progress: Progress = silent, *, parts: Parts | None = None
) -> Recovered:
    """Put what `Workspace.backup` wrote in the place of a workspace, or go on where that was interrupted.

    Sources that were blocked since are forgotten before it takes the place; receipts, tokens and the audit log of the
    workspace that is replaced go on. `parts` are those of the place, without a store. Raises `OtherWorkspace`,
    `LogsDiffer`, and what `import_workspace` and opening raise.
    """
    chosen, location = parts or Parts(), read_location(place)
    if str(location) == IN_MEMORY:
        raise InvalidValue("A workspace in memory has no place; give the path of a file or a URL.")
    where = _Place(location, chosen.settings or _settings(location), chosen)
    with open_export(Path(backup), stage(progress, 0, _CHECKED)) as opened, ExitStack() as stack:
        there = where.services(create=False)
        if there is not None:
            stack.callback(there.store.close)
        staging = where.staging(Path(backup), opened, there)
        stack.callback(staging.staged.store.close)
        if not staging.is_whole:
            present = None if there is None else present_of(there)
            staging.fill(present, where.blocks_beside(), stage(progress, _CHECKED, _STAGED))
        recovered = where.take(staging, there, stage(progress, _STAGED, WHOLE))
    remove_file(_staged(Path(backup)))
    return recovered


def _staged(backup: Path) -> Path:
    """Where the workspace is made that takes the place of the one there."""
    return backup.with_name(f"{backup.name}.restoring")


@dataclass(frozen=True)
class _Place:
    """A place where a workspace is, or is going to be, that is to be restored."""

    location: Location
    settings: Settings
    parts: Parts

    def services(self, *, create: bool) -> Services | None:
        """The workspace there; None where there is none."""
        try:
            return self._services(self.parts, create=create)
        except WorkspaceMissing:
            return None

    def _services(self, parts: Parts, *, create: bool) -> Services:
        return _services(self.location, self.settings, parts, create=create)

    def staging(self, backup: Path, export: Export, there: Services | None) -> Staging:
        """What was begun with this backup; else a new one. One that is whole is used where the place was emptied for it."""
        caller = _restorer(there)
        begun = Staging(self._stage(backup), export, caller)
        if begun.is_begun or (begun.is_whole and there is not None and is_unfinished(there)):
            return begun
        begun.staged.store.close()
        remove_file(_staged(backup))
        return Staging(self._stage(backup), export, caller)

    def _stage(self, backup: Path) -> Services:
        return self._services(replace(self.parts, store=SQLiteStore(_staged(backup))), create=True)

    def blocks_beside(self) -> Outside:
        """The blocks that are kept beside the place, whether there is a workspace or not."""
        return Outside.read(read_outside(self.location) if isinstance(self.location, Path) else None)

    def take(self, staging: Staging, there: Services | None, progress: Progress) -> Recovered:
        """Put what is staged into the place."""
        with ExitStack() as stack:
            target = there or self._services(self.parts, create=True)
            if there is None:
                stack.callback(target.store.close)
            if isinstance(target.store, SQLiteStore):
                target.store.take_over(_path_of(staging.staged.store))
                outside.keep(target)
            else:
                put_into_database(staging.staged, target, staging.caller, progress)
            return staging.recovered(scrubbed=scrub_files(target))


def _path_of(store: Store) -> Path:
    assert isinstance(store, SQLiteStore)  # noqa: S101 - what is staged is in a file
    return store.path


def _restorer(there: Services | None) -> Principal:
    """Who restores: the operator, or whom a token of the workspace there names; raises where they may not."""
    token = caller_token()
    caller = Principal(Namespace(), _OPERATOR) if there is None else _caller(there, _OPERATOR, token)
    caller.decide(Scope.ADMIN)
    return caller


def _same(here: Location, there: Location) -> bool:
    paths = [place.resolve() if isinstance(place, Path) else place for place in (here, there)]
    return paths[0] == paths[1]


def _settings(location: Location) -> Settings:
    settings = Settings() if str(location) == IN_MEMORY else load_settings(location)
    for each in settings.notes:
        _log.warning("%s", each)
    return settings


def _services(location: Location, settings: Settings, chosen: Parts, *, create: bool) -> Services:
    store = chosen.store or _store(location, create=create)
    embeddings = Embeddings(chosen.embedder or _embedder(settings), _installed)
    clock, ids = chosen.clock or SystemClock(), chosen.ids or TimeSortedIds()
    return Services(
        store, clock, ids, settings.tiers, embeddings, rankings=settings.rankings, guarding=settings.guarding
    )


def _whole(services: Services) -> Services:
    """The same services, once it is sure that the workspace is whole and what is kept for speed is current."""
    with ExitStack() as undone:
        undone.callback(services.store.close)
        refuse_unfinished(services)
        doctor.keep_current(services)
        heed(services, Principal(Namespace(), _OPERATOR))
        undone.pop_all()
    return services


def _store(location: Location, *, create: bool) -> Store:
    if isinstance(location, DatabaseUrl):
        return _database(location, create=create)
    return MemoryStore() if str(location) == IN_MEMORY else SQLiteStore(location, create=create)


def _database(url: DatabaseUrl, *, create: bool) -> Store:
    with _needing_driver():
        from karte.stores.postgres import Address, PostgresStore

    return PostgresStore(Address.read(url.full), create=create)


def prepare_database(url: DatabaseUrl, *, role: str | None, row_security: bool, citus: bool) -> Prepared:
    """Make a database ready for workspaces, as its owner; raises what `open_workspace` raises for a URL."""
    with _needing_driver():
        from karte.stores.postgres import Address
        from karte.stores.postgres.preparing import PrepareOptions, prepare

    return prepare(Address.read(url.full), PrepareOptions(role, row_security, citus))


@contextmanager
def _needing_driver() -> Iterator[None]:
    """Import the driver of PostgreSQL inside; raises `DriverMissing` where it is not installed or has no libpq."""
    try:
        yield
    except ImportError as error:
        # Without libpq, psycopg raises an error that names no module.
        if error.name is not None and error.name.partition(".")[0] not in _DRIVER:
            raise
        raise DriverMissing from error


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
