"""Reviews, bursts, blocks, plans, the audit log and tokens."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import astuple
from typing import Any

from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.reviews import Review, ReviewKind, ReviewState
from karte.ports import AuditEntry, Block, KeptPlan, Token, Told
from karte.stores.relational.rows import Row, Rows


class ReviewsRows:
    """What waits for a person, by namespace."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, namespace: Namespace, review: Review) -> None:
        """Keep a new review."""
        self._rows.give(
            "add_review",
            self._rows.known_namespace(namespace),
            review.id,
            review.kind.value,
            review.memory_id,
            review.number,
            review.target,
            self._rows.source(review.origin),
            review.origin.item,
            review.writer,
            review.opened_at,
            review.expires_at,
            review.why,
            review.held,
            review.state.value,
            review.decided_by,
            review.decided_at,
            review.against,
        )

    def replace(self, namespace: Namespace, review: Review) -> None:
        """Put a review in the place of the one with its id."""
        self.remove(namespace, [review.id])
        self.add(namespace, review)

    def of_id(self, namespace: Namespace, ids: Collection[str]) -> dict[str, Review]:
        """The reviews of these ids."""
        rows = self._rows.each("reviews_by_id", ns=self._rows.namespace(namespace), ids=self._rows.listed(ids))
        return {row[0]: _review(row) for row in rows}

    def listed(self, namespace: Namespace, states: Collection[ReviewState], count: int) -> list[Review]:
        """The newest reviews in these states: of each as many as are wanted, since an index has them in that order."""
        ns = self._rows.namespace(namespace)
        rows = [
            row
            for state in {state.value for state in states}
            for row in self._rows.each("reviews_in_state", ns=ns, state=state, count=count)
        ]
        found = sorted(map(_review, rows), key=lambda review: (review.opened_at, review.id), reverse=True)
        return found[:count]

    def count(self, namespace: Namespace) -> int:
        """How many reviews there are."""
        return int(self._rows.value("count_reviews", ns=self._rows.namespace(namespace)))

    def about(self, namespace: Namespace, numbers: Collection[int]) -> list[Review]:
        """The reviews about these memories."""
        ns = self._rows.namespace(namespace)
        return [_review(row) for row in self._rows.each("reviews_about", ns=ns, numbers=self._rows.listed(numbers))]

    def from_origin(self, namespace: Namespace, origin: Origin) -> list[Review]:
        """The reviews of what is from exactly that origin."""
        return [_review(row) for row in self._rows.by_origin("reviews_from", namespace, origin)]

    def remove(self, namespace: Namespace, ids: Collection[str]) -> None:
        """Remove reviews."""
        self._rows.take("remove_reviews", ns=self._rows.known_namespace(namespace), ids=self._rows.listed(ids))


def _review(row: Row) -> Review:
    review_id, kind, memory_id, number, target, origin_kind, container, item, *rest = row
    writer, opened_at, expires_at, why, held, state, *decided = rest
    origin = Origin(origin_kind, container, item)
    asked = (review_id, ReviewKind(kind), memory_id, number, target, origin, writer, opened_at, expires_at, why, held)
    return Review(*asked, ReviewState(state), *decided)


class BurstsRows:
    """What untrusted sources said lately, by namespace."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def add(self, namespace: Namespace, bucket: bytes, told: Told) -> None:
        """Keep a statement in a bucket."""
        ns = self._rows.known_namespace(namespace)
        self._rows.run("add_burst", ns=ns, bucket=bucket, **told._asdict())

    def since(self, namespace: Namespace, bucket: bytes, instant: int) -> list[Told]:
        """The statements of a bucket learned since."""
        ns = self._rows.namespace(namespace)
        return list(map(Told._make, self._rows.each("bursts_since", ns=ns, bucket=bucket, since=instant)))

    def drop_before(self, namespace: Namespace, instant: int) -> None:
        """Remove all that was learned before an instant."""
        self._rows.run("drop_bursts", ns=self._rows.known_namespace(namespace), until=instant)


class BlocksRows:
    """Sources that are not learned from again.

    Most workspaces block none, and every write asks: the secret and whether there is any are looked up together, once in
    a unit of work.
    """

    def __init__(self, rows: Rows) -> None:
        self._rows = rows
        self._state: tuple[bytes, bool] | None = None

    def key(self) -> bytes:
        """The secret with which names of sources are digested."""
        return self._looked_up()[0]

    def _looked_up(self) -> tuple[bytes, bool]:
        if self._state is None:
            key, used = next(self._rows.each("origin_key"))
            self._state = (bytes(key), bool(used))
        return self._state

    def set_key(self, key: bytes) -> None:
        """Take over the secret of another workspace."""
        self._state = None
        self._rows.run("set_origin_key", origin_key=key)

    def add(self, block: Block) -> None:
        """Keep a block."""
        self._state = None
        self._rows.give("add_block", *astuple(block))

    def known(self, digests: Collection[bytes]) -> frozenset[bytes]:
        """Those that are blocked."""
        if not digests or not self._looked_up()[1]:
            return frozenset()
        rows = self._rows.each("known_blocks", digests=self._rows.binaries(digests))
        return frozenset(digest for (digest,) in rows)

    def all(self) -> list[Block]:
        """All blocks."""
        return [Block(*row) for row in self._rows.each("all_blocks")]

    def remove(self, digest: bytes) -> None:
        """Remove a block."""
        self._rows.run("remove_block", digest=digest)


class PlansRows:
    """Plans to forget."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, plan: KeptPlan) -> None:
        """Keep a plan."""
        self._rows.give("keep_plan", *astuple(plan))

    def find(self, plan_id: str) -> KeptPlan | None:
        """The plan of that id."""
        row = self._rows.one("find_plan", id=plan_id)
        return KeptPlan(*row) if row else None

    def all(self) -> list[KeptPlan]:
        """All plans."""
        return [KeptPlan(*row) for row in self._rows.each("all_plans")]

    def remove(self, plan_id: str) -> None:
        """Remove a plan."""
        self._rows.run("remove_plan", id=plan_id)


class AuditRows:
    """The audit log."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def append(self, entry: AuditEntry) -> None:
        """Add a line."""
        self._rows.give("append_audit", *astuple(entry))

    def last(self) -> AuditEntry | None:
        """The line added last."""
        row = self._rows.one("last_audit")
        return AuditEntry(*row) if row else None

    def after(self, sequence: int, count: int) -> list[AuditEntry]:
        """The lines above a sequence number."""
        return [AuditEntry(*row) for row in self._rows.each("audit_after", after=sequence, count=count)]


class TokensRows:
    """Who may call."""

    def __init__(self, rows: Rows) -> None:
        self._rows = rows

    def keep(self, token: Token) -> None:
        """Keep a token."""
        scopes = json.dumps(token.scopes, ensure_ascii=False)
        self._rows.give(
            "keep_token",
            token.id,
            token.digest,
            token.name,
            token.agent,
            scopes,
            token.created_at,
            token.expires_at,
            token.revoked_at,
        )

    def find(self, token_id: str) -> Token | None:
        """The token of that id."""
        row = self._rows.one("find_token", id=token_id)
        return _token(*row) if row else None

    def all(self) -> list[Token]:
        """All tokens."""
        return [_token(*row) for row in self._rows.each("all_tokens")]


def _token(token_id: str, digest: bytes, name: str, agent: str | None, scopes: str, *times: Any) -> Token:
    return Token(token_id, digest, name, agent, tuple(json.loads(scopes)), *times)
