"""The facade: what people import. Each method reads plain values and delegates to a use case."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypedDict, Unpack

from karte.core.exported_graph import ExportedGraph
from karte.core.namespaces import Namespace, Scope
from karte.core.origins import Origin
from karte.core.results import (
    Alias,
    Erased,
    Fetched,
    History,
    Item,
    Listing,
    Recall,
    Receipt,
    SubjectTimeline,
    Withdrawn,
)
from karte.engine.deciding import clearing, reviewing, sources, tokens
from karte.engine.deciding.reviewing import Decided, Shown
from karte.engine.deciding.sources import Lessons, Taught
from karte.engine.deciding.tokens import Granted, Issued, Wanted
from karte.engine.drafting import Draft, StoreOptions
from karte.engine.forgetting import applying, planning
from karte.engine.forgetting.applying import Forgotten
from karte.engine.forgetting.planning import Plan
from karte.engine.forgetting.selecting import read_selector
from karte.engine.happening import Listener
from karte.engine.keeping import agents, archive, doctor, embedding, maintaining
from karte.engine.keeping.agents import Stats
from karte.engine.keeping.archive import ArchiveListing, Restored
from karte.engine.keeping.doctor import Findings
from karte.engine.keeping.embedding import Embedded
from karte.engine.keeping.maintaining import Maintained
from karte.engine.knowing import facts, shared
from karte.engine.moving.exporting import Exported, export
from karte.engine.progress import Progress, silent
from karte.engine.reading import exporting
from karte.engine.reading.fetching import read_filters
from karte.engine.recalling.asked import Search, read_search
from karte.engine.remembering import erasing, ingesting, linking, storing, superseding, withdrawing
from karte.engine.remembering.ingesting import Ingested, IngestOptions, Manner
from karte.engine.remembering.superseding import Question
from karte.engine.remembering.turns import Chat
from karte.engine.trusting import auditing, blocking
from karte.engine.trusting.auditing import Verified
from karte.engine.trusting.blocking import Blocked
from karte.errors import InvalidValue
from karte.ports import Agent, AuditEntry, Identity
from karte.verbs.desk import FactOptions, Instant, place_of
from karte.verbs.knowledge import SharedKnowledge
from karte.verbs.learning import Learning
from karte.verbs.policies import Policies
from karte.verbs.working import WorkingMemory


class ListOptions(TypedDict, total=False):
    """Which memories are wanted, and as of when; None is no condition."""

    layer: str | None
    domain: str | None
    repo: str | None
    tags: Sequence[str] | None
    types: Sequence[str] | None
    session: str | None
    at: Instant | None
    known_at: Instant | None


class SearchOptions(ListOptions, total=False):
    """The options of `search` beside the query.

    `limit` is 1..1,000 hits; `voices` are those to ask of the mode's; `profile` is balanced, polyphonic or cognitive,
    `weights` changes the shares (0..1) of its parts; relative times count from `now`; `floor` (0..1) is the least
    evidence of a hit, 0 for none; `expand` shows so many turns on both sides; `budget` bounds the characters of text.
    What is of `repo` comes first; with `repo_only` it is all.
    """

    limit: int
    mode: str
    explain: bool
    voices: Sequence[str] | None
    profile: str | None
    weights: Mapping[str, float] | None
    now: Instant | None
    floor: float | None
    expand: int
    budget: int | None
    repo_only: bool


class GraphOptions(TypedDict, total=False):
    """As of when a graph is wanted; None is now."""

    at: Instant | None
    known_at: Instant | None


class Chart(SharedKnowledge, Policies, WorkingMemory, Learning):
    """The memories of one owner, for one caller."""

    def acting(self, **changes: Any) -> Chart:
        """The same memories for a caller with other powers: `origin`, `scopes`, `origin_kinds`, `trust_ceiling`."""
        return Chart(self._desk, self._caller.acting(**changes))

    def store(self, content: str, **options: Unpack[StoreOptions]) -> Receipt:
        """Keep a statement; gives what it did."""
        with self._desk.followed(self._caller):
            return self._stored([self._draft(content, options)])[0]

    def store_many(self, items: Iterable[Mapping[str, Any]]) -> builtins.list[Receipt]:
        """Keep statements in one transaction: mappings with `content` and the options of `store`; all or none."""
        drafts = [self._draft_item(item, number) for number, item in enumerate(items, 1)]
        with self._desk.followed(self._caller):
            return self._stored(drafts)

    def ingest_chat(self, chat: Chat, progress: Progress = silent, **options: Unpack[IngestOptions]) -> Ingested:
        """Keep each turn of a chat as an episodic memory; the same turn again changes nothing."""
        manner = Manner.read(options, self._desk.zone)
        with self._desk.followed(self._caller):
            return ingesting.ingest(self._services, self._caller, chat, manner, progress)

    def search(self, query: str, **options: Unpack[SearchOptions]) -> Recall:
        """Find what is in force and fits the query, best first, with the reason for each hit."""
        recall = shared.search(self._services, self._caller, self._search(query, options), self._desk.timer)
        for namespace in {self._caller.namespace, Namespace()}:
            numbers = [hit.memory.memory.number for hit in recall.hits if hit.memory.owner == namespace.owner]
            self._desk.tally.count(namespace, numbers, self._services.clock.now())
        return recall

    def list(self, limit: int = 20, **options: Unpack[ListOptions]) -> Listing:
        """The memories in force that were kept last, newest first."""
        return shared.recent(
            self._services,
            self._caller,
            limit,
            read_filters(options),
            self._instants(options.get("at"), options.get("known_at")),
        )

    def read(self, memory_id: str) -> Item:
        """One memory by id; raises `UnknownMemory`."""
        return shared.read(self._services, self._caller, memory_id)

    def fetch(self, ids: Sequence[str]) -> Fetched:
        """1 to 100 memories by id, in the order asked; those missing are named."""
        return shared.fetch(self._services, self._caller, ids)

    def history(self, subject: str, predicate: str | None = None, **options: Unpack[FactOptions]) -> History:
        """All statements of a fact, oldest first; with an id alone, those of its chain."""
        instants = self._instants(None, options.get("known_at"))
        if predicate is None:
            return shared.course_of(self._services, self._caller, subject, instants)
        return shared.course(self._services, self._caller, (subject, predicate), place_of(options), instants)

    def at(self, subject: str, predicate: str, at: Instant | None = None, **options: Unpack[FactOptions]) -> Listing:
        """What is in force at an instant (default now): none, one, or several for a predicate of many values."""
        instants = self._instants(at, options.get("known_at"))
        return shared.at(self._services, self._caller, (subject, predicate), place_of(options), instants)

    def export_graph(self, limit: int = 1_000, **options: Unpack[GraphOptions]) -> ExportedGraph:
        """What is in force as a graph: the nodes with the heaviest edges, at most `limit` (1..10,000), and their edges."""
        instants = self._instants(options.get("at"), options.get("known_at"))
        return exporting.export_graph(self._services, self._caller, limit, instants)

    def timeline(self, subject: str, *, known_at: Instant | None = None) -> SubjectTimeline:
        """All facts about a subject."""
        return shared.timeline(self._services, self._caller, subject, self._instants(None, known_at))

    def supersede(
        self, memory_id: str, by: str, *, object: str | None = None, effective: Instant | None = None
    ) -> Receipt:
        """Let another memory (`by` is its id), or a newer text, take over from a memory at `effective` (default now)."""
        newer = by if self._is_id(by) else self._restated(memory_id, by, object)
        with self._desk.followed(self._caller):
            return superseding.supersede(self._services, self._caller, memory_id, newer, self._instant(effective))

    def end(self, memory_id: str, at: Instant | None = None) -> Receipt:
        """State that a memory stops holding at `at` (default now)."""
        return superseding.end(self._services, self._caller, memory_id, self._instant(at))

    def end_fact(
        self,
        subject: str,
        predicate: str,
        object: str | None = None,
        *,
        at: Instant | None = None,
        **options: Unpack[FactOptions],
    ) -> Receipt:
        """State that a fact has no value from `at` (default now); of a predicate with many values, not this object."""
        question = Question(subject, predicate, object, place_of(options))
        return superseding.end(self._services, self._caller, question, self._instant(at))

    def withdraw(self, memory_id: str, reason: str = "") -> Withdrawn:
        """Let what was said of a memory so far stop counting."""
        return withdrawing.withdraw(self._services, self._caller, memory_id, reason)

    def correct(self, memory_id: str, content: str, *, object: str | None = None, reason: str = "") -> Receipt:
        """Withdraw a memory and state the right thing for the same period."""
        newer = self._restated(memory_id, content, object)
        with self._desk.followed(self._caller):
            return withdrawing.correct(self._services, self._caller, memory_id, newer, reason)

    def invalidate_by_origin(
        self, origin: Origin | str | Mapping[str, str | None], since: Instant | None = None
    ) -> Withdrawn:
        """Withdraw all that came from exactly this origin, since a system time if one is given."""
        named = sources.meant(self._services, self._caller, origin)
        return withdrawing.invalidate_by_origin(self._services, self._caller, named, self._instant(since))

    def erase(self, ids: Sequence[str], *, scrub: bool = True) -> Erased:
        """Erase memories for good, bytes included; without `scrub` the bytes go with the next erase that scrubs."""
        return erasing.erase(self._services, self._caller, ids, scrub=scrub)

    def concerned(self, subject: str | None = None, *, as_object: bool = False) -> builtins.list[str]:
        """The ids of all memories about a subject, by any of its names; without one, of all that the owner keeps."""
        about = None if subject is None else clearing.Subject(subject, as_object)
        return clearing.concerned(self._services, self._caller, about)

    def erase_subject(self, subject: str, *, as_object: bool = False, scrub: bool = True) -> Erased:
        """Erase all that is kept about a subject, by any of its names; with `as_object` also where it is the value."""
        return clearing.clear(self._services, self._caller, clearing.Subject(subject, as_object), scrub=scrub)

    def erase_everything(self, *, scrub: bool = True) -> Erased:
        """Erase all that the owner keeps, what is held back and the aliases included."""
        return clearing.clear(self._services, self._caller, None, scrub=scrub)

    def pending(self, limit: int = 100) -> builtins.list[Shown]:
        """What of the caller's own writes waits for a person, newest first."""
        return reviewing.pending(self._services, self._caller, limit)

    def origins(self) -> builtins.list[Taught]:
        """Which origins taught something; of the whole workspace, unless an agent asks."""
        return sources.listed(self._services, self._caller)

    def taught_by(self, origin: Origin | str | Mapping[str, str | None]) -> Lessons:
        """What exactly this origin (a container: all its items) taught; raises `UnknownOrigin`."""
        return sources.show(self._services, self._caller, sources.meant(self._services, self._caller, origin))

    def archived(self, limit: int = 20) -> ArchiveListing:
        """What decay moved out of recall, at most `limit` (1..1,000), those kept last first."""
        return archive.listed(self._services, self._caller, limit)

    def restore(self, ids: Sequence[str]) -> Restored:
        """Bring memories back from the archive, exactly as they were; it counts as a use of them."""
        return archive.restore(self._services, self._caller, ids)

    def add_alias(self, canonical: str, alias: str) -> Alias:
        """Say that two names mean one thing."""
        return linking.add_alias(self._services, self._caller, canonical, alias)

    def remove_alias(self, canonical: str, alias: str) -> None:
        """Withdraw an alias."""
        linking.remove_alias(self._services, self._caller, canonical, alias)

    def aliases(self) -> builtins.list[Alias]:
        """The aliases in force."""
        return linking.aliases(self._services, self._caller)

    def set_predicate(self, predicate: str, *, multi_valued: bool) -> None:
        """Declare whether a predicate has many values side by side."""
        linking.set_predicate(self._services, self._caller, predicate, multi_valued=multi_valued)

    def multi_valued(self) -> builtins.list[str]:
        """The predicates that have many values."""
        return linking.multi_valued(self._services, self._caller)

    def _stored(self, drafts: Sequence[Draft]) -> builtins.list[Receipt]:
        """An agent's own memories are its own; what the workspace keeps may be a fact that it shares."""
        use_case = storing.store if self._caller.namespace.agent else facts.store
        return use_case(self._services, self._caller, drafts)

    def _draft_item(self, item: Mapping[str, Any], number: int) -> Draft:
        if not isinstance(item, Mapping) or "content" not in item:
            raise InvalidValue(f"Item {number} is no object with the key content.")
        return self._draft(item["content"], {name: value for name, value in item.items() if name != "content"})

    def _restated(self, memory_id: str, content: str, value: str | None) -> Draft:
        return withdrawing.restated(self._services, self._caller, memory_id, content, value)

    def _search(self, query: str, options: SearchOptions) -> Search:
        instants = self._instants(options.get("at"), options.get("known_at"))
        usual = self._services.rankings.of(self._caller.namespace.agent)
        return read_search(query, options, usual, instants, self._instant(options.get("now")), self._desk.zone)


class Workspace(Chart):
    """A workspace: its own memories, and the way to its agents'. Use it as a context manager, or close it."""

    def agent(self, name: str, role: str | None = None, *, create: bool = True) -> Chart:
        """Act as an agent; it is created if need be, unless `create` is off: then `UnknownAgent` is raised."""
        caller = agents.act_as(self._services, self._caller, name, role, create=create)
        return Chart(self._desk, caller)

    def agents(self) -> builtins.list[Agent]:
        """All agents by name."""
        return agents.known(self._services, self._caller)

    def stats(self) -> Stats:
        """How much is kept, by owner."""
        return agents.stats(self._services, self._caller)

    def doctor(self, progress: Progress = silent, *, repair: bool = False) -> Findings:
        """Check everything that is derived against the records, and repair it if asked."""
        self._caller.oversee(Scope.ADMIN)
        return doctor.examine(self._services, self._caller, progress, repair=repair)

    def maintain(self, progress: Progress = silent, *, dry_run: bool = False) -> Maintained:
        """Run the jobs that keep a workspace in order, or say what they would do; one run at a time."""
        self._caller.oversee(Scope.ADMIN)
        self._desk.tally.write()
        with self._desk.followed(self._caller):
            return maintaining.maintain(self._services, self._caller, progress, dry_run=dry_run)

    def export(self, path: str | Path, progress: Progress = silent, *, force: bool = False) -> Exported:
        """Write all that the workspace keeps into a file that `import_workspace` reads; with `force` over another one."""
        self._caller.oversee(Scope.ADMIN)
        self._desk.tally.write()
        return export(self._services, self._caller, Path(path), progress, force=force)

    def backup(self, path: str | Path, progress: Progress = silent, *, force: bool = False) -> Exported:
        """Write all that the workspace keeps into a file that `restore_workspace` puts back; it is an export.

        Sources that are forgotten later stay forgotten when it is put back.
        """
        return self.export(path, progress, force=force)

    def scrub(self) -> None:
        """Remove the bytes of what was erased from every file."""
        self._caller.oversee(Scope.ADMIN)
        self._services.store.scrub()

    def waiting(self, limit: int = 100, *, decided: bool = False) -> builtins.list[Shown]:
        """What waits for a person in the whole workspace, newest first; with `decided` what was decided, too."""
        return reviewing.listed(self._services, self._caller, decided=decided, limit=limit)

    def review(self, review_id: str) -> Shown:
        """One thing that waits, as it is shown to who decides; raises `UnknownReview`."""
        return reviewing.show(self._services, self._caller, review_id)

    def approve(self, review_id: str, digest: str) -> Decided:
        """Release or endorse what was shown under this digest."""
        with self._desk.followed(self._caller):
            return reviewing.approve(self._services, self._caller, review_id, digest)

    def deny(self, review_id: str, digest: str, reason: str = "") -> Decided:
        """Reject or withdraw what was shown under this digest."""
        with self._desk.followed(self._caller):
            return reviewing.deny(self._services, self._caller, review_id, digest, reason)

    def plan_to_forget(
        self,
        origin: Origin | str | Mapping[str, str | None] | None = None,
        *,
        kind: str | None = None,
        since: Instant | None = None,
    ) -> Plan:
        """Find out what would go if a source were forgotten: an origin, or a kind of origin since a system time."""
        named = None if origin is None else sources.meant(self._services, self._caller, origin)
        selector = read_selector(named, kind, self._instant(since))
        self._caller.oversee(Scope.ADMIN)
        return planning.plan(self._services, self._caller, selector)

    def plan_of(self, plan_id: str) -> Plan:
        """A plan to forget, as it would be applied now; raises `UnknownPlan`, `PlanExpired`."""
        self._caller.oversee(Scope.ADMIN)
        return planning.show(self._services, self._caller, plan_id)

    def approve_plan(self, plan_id: str, digest: str) -> None:
        """Approve a plan to forget, exactly as it was shown under this digest."""
        applying.approve(self._services, self._caller, plan_id, digest)

    def forget(self, plan_id: str) -> Forgotten:
        """Carry out an approved plan: afterwards it is as if the source had never been heard; gives the receipt."""
        return applying.apply(self._services, self._caller, plan_id)

    def resume_forgetting(self) -> builtins.list[Forgotten]:
        """Do the rest of every forgetting that was interrupted."""
        return applying.resume(self._services, self._caller)

    def forgotten(self) -> builtins.list[Forgotten]:
        """The receipts of all that was forgotten, oldest first."""
        self._caller.oversee(Scope.ADMIN)
        return applying.receipts(self._services, self._caller)

    def blocks(self) -> builtins.list[Blocked]:
        """The sources that are not learned from again."""
        return blocking.listed(self._services, self._caller)

    def unblock(self, source: Origin | str | Mapping[str, str | None]) -> None:
        """Let a source be learned from again, named by its origin or by the digest of its block."""
        blocking.unblock(self._services, self._caller, blocking.read_source(source))

    def create_token(
        self, name: str, scopes: Sequence[str], *, agent: str | None = None, expires_at: Instant | None = None
    ) -> Granted:
        """Make a token for a person or a service, or for an agent; its secret is shown in the result, and never again."""
        wanted = Wanted.read(name, scopes, agent, self._instant(expires_at))
        secret = self._desk.office.secrets.new(tokens.SECRET_BYTES)
        return tokens.create(self._services, self._caller, wanted, secret)

    def tokens(self) -> builtins.list[Issued]:
        """All tokens, oldest first; none can be called with."""
        return tokens.listed(self._services, self._caller)

    def revoke_token(self, token_id: str) -> Issued:
        """Let a token open nothing any more."""
        return tokens.revoke(self._services, self._caller, token_id)

    def check_token(self) -> None:
        """Raise `InvalidToken` where the token with which the workspace was opened has expired or was revoked since."""
        token = self._desk.office.token
        if token is not None:
            tokens.authenticate(self._services, token, self._caller.origin)

    def on_event(self, listener: Listener) -> None:
        """Let a function be told when something is quarantined, released or rejected, once it is kept for good.

        It is called in a thread of its own, also before `close` ends; what it raises is logged.
        """
        self._desk.office.herald.listen(listener)

    def audit(self, limit: int = 100) -> builtins.list[AuditEntry]:
        """The last lines of the audit log (at most 1,000), newest first."""
        return auditing.listed(self._services, self._caller, limit)

    def verify_audit(self) -> Verified:
        """Check that no line of the audit log was changed, dropped or moved."""
        return auditing.verify(self._services, self._caller)

    @property
    def embedder(self) -> Identity | None:
        """What the vectors of the embedder that is set are told by; None where none is set."""
        embedder = self._services.embeddings.embedder
        return None if embedder is None else embedder.identity

    def embed(self, progress: Progress = silent, *, most: int | None = None) -> Embedded:
        """Give memories that have no vector yet one, at most `most` of them; without an embedder nothing is done."""
        self._caller.require(Scope.WRITE)
        return embedding.embed_pending(self._services, progress=progress, most=most)

    def close(self) -> None:
        """Let work in the background end, write down what waits and release the files."""
        try:
            if self._desk.background is not None:
                self._desk.background.close()
            self._desk.office.herald.close()
            self._desk.tally.write()
        finally:
            self._services.store.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
