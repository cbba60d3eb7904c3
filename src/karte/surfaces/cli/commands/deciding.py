"""`approve`, `token`, `audit`: what a person decides, who may, and what is on record of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated

from karte.errors import Refused
from karte.surfaces.cli.answering import Answer, Drawing
from karte.surfaces.cli.command_table import Command, Group
from karte.surfaces.cli.drawing import trust
from karte.surfaces.cli.options import EVERYWHERE, Json, Limit, Reason, Text, WorkspaceOptions, argument, option
from karte.surfaces.cli.output import Shape, agreed, on_terminal, write_drawn

if TYPE_CHECKING:
    from karte.engine.deciding.reviewing import Decided
    from karte.workspace import Workspace

ReviewId = Annotated[str, argument("REV_ID", "The id of what waits.")]
Digest = Annotated[Text, option("--digest", "DIGEST", "Decide about exactly what was shown with this digest.")]


@dataclass(frozen=True)
class Question:
    """What somebody at a terminal is asked; nobody is where the answer is to be JSON."""

    words: str
    as_json: bool


def digest_shown(shape: Shape, draw: Drawing, question: Question, look: str) -> str:
    """The digest of something, once it was shown on a terminal and somebody there agreed; raises `Refused`."""
    if question.as_json or not on_terminal():
        raise Refused(
            "A decision is about exactly what was shown; nothing was changed.",
            hint=f"Look at it with `{look}`, and give its digest by --digest.",
        )
    write_drawn(draw(shape))
    if not agreed(question.words):
        raise Refused("Nothing was changed.", hint="Answer y, or give --digest.")
    digest: str = shape["digest"]
    return digest


def list_reviews(
    where: WorkspaceOptions,
    decided: Annotated[bool, option("--decided", None, "Show what was decided, too.")] = False,
    limit: Limit = 100,
) -> Answer:
    """List what waits for a person, newest first. Needs the scope review."""
    with where.opened() as workspace:
        found = workspace.waiting(limit, decided=decided)
        return Answer({"reviews": [each.to_dict() for each in found]}, trust.reviews)


def show_review(review_id: ReviewId, where: WorkspaceOptions) -> Answer:
    """Show one thing that waits: what is claimed, by whom, why it waits, and the digest of all that."""
    with where.opened() as workspace:
        return Answer(workspace.review(review_id).to_dict(), trust.review)


def accept(review_id: ReviewId, where: WorkspaceOptions, digest: Digest = None, as_json: Json = False) -> Answer:
    """Release what is held back, or endorse a claim in the shadow of another one.

    On a terminal it is shown first. Elsewhere --digest says what was shown; where that has changed, nothing happens.
    """
    return _decided(
        where, review_id, digest, Question("Accept it?", as_json), lambda ws, shown: ws.approve(review_id, shown)
    )


def deny(
    review_id: ReviewId,
    where: WorkspaceOptions,
    digest: Digest = None,
    reason: Reason = "",
    as_json: Json = False,
) -> Answer:
    """Reject what is held back for good, or withdraw a claim; as accept otherwise."""
    return _decided(
        where, review_id, digest, Question("Deny it?", as_json), lambda ws, shown: ws.deny(review_id, shown, reason)
    )


def _decided(
    where: WorkspaceOptions,
    review_id: str,
    digest: str | None,
    question: Question,
    decide: Callable[[Workspace, str], Decided],
) -> Answer:
    with where.opened() as workspace:
        shown = digest
        if shown is None:
            shape, look = workspace.review(review_id).to_dict(), f"karte approve show {review_id}"
            shown = digest_shown(shape, trust.review, question, look)
        return Answer(decide(workspace, shown).to_dict(), trust.decided)


def create_token(
    name: Annotated[str, argument("NAME", "Whose it is: a person or a service, as the audit log names them.")],
    where: WorkspaceOptions,
    scopes: Annotated[
        list[str], option("--scope", "SCOPE", "memory:read, memory:write, review or admin; repeat it for several.")
    ],
    agent: Annotated[Text, option("--agent -a", "NAME", "The agent that it acts as, and no other.", EVERYWHERE)] = None,
    expires_at: Annotated[
        Text, option("--expires-at", "TIME", "Until when it is good (default: until revoked).")
    ] = None,
) -> Answer:
    """Make a token, which says who calls: KARTE_TOKEN takes it. Its secret is shown once, and only a digest is kept."""
    with where.opened() as workspace:
        granted = workspace.create_token(name, scopes, agent=agent, expires_at=expires_at)
    return Answer(granted.to_dict(), trust.granted, remark="Keep it now: it is not shown again.")


def list_tokens(where: WorkspaceOptions) -> Answer:
    """List the tokens, without their secrets."""
    with where.opened() as workspace:
        return Answer({"tokens": [each.to_dict() for each in workspace.tokens()]}, trust.tokens)


def revoke_token(
    token_id: Annotated[str, argument("TOKEN_ID", "The id of the token, which `token list` shows.")],
    where: WorkspaceOptions,
) -> Answer:
    """Let a token open nothing any more."""
    with where.opened() as workspace:
        return Answer(workspace.revoke_token(token_id).to_dict(), trust.revoked)


def list_audit(where: WorkspaceOptions, limit: Limit = 20) -> Answer:
    """List the last lines of the audit log, newest first: who changed what counts, and when; never content."""
    from karte.engine.trusting.auditing import shape_of

    with where.opened() as workspace:
        return Answer({"lines": [shape_of(each) for each in workspace.audit(limit)]}, trust.audit)


def verify_audit(where: WorkspaceOptions) -> Answer:
    """Check that no line of the audit log was changed, dropped or moved; ends with 1 where one was."""
    with where.opened() as workspace:
        verified = workspace.verify_audit()
    return Answer(verified.to_dict(), trust.verified, int(verified.broken_at is not None))


APPROVE = Group(
    "approve",
    "What waits for a person to decide.",
    (
        Command("list", list_reviews),
        Command("show", show_review),
        Command("accept", accept),
        Command("deny", deny),
    ),
)
TOKEN = Group(
    "token",
    "Tokens, which say who calls and what they may do.",
    (Command("create", create_token), Command("list", list_tokens), Command("revoke", revoke_token)),
)
AUDIT = Group(
    "audit",
    "The record of who changed what counts.",
    (Command("list", list_audit), Command("verify", verify_audit)),
)
