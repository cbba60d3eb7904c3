"""Reviews, bursts, blocks, plans, tokens and the audit log, over the oracle's tables."""

from __future__ import annotations

from collections.abc import Collection

from karte.core.namespaces import Namespace
from karte.core.origins import Origin
from karte.core.reviews import Review, ReviewState
from karte.ports import AuditEntry, Block, KeptPlan, Token, Told
from karte.stores.memory.parts import Part


class MemoryReviews(Part):
    """What waits for a person."""

    def add(self, namespace: Namespace, review: Review) -> None:
        """Keep a new review."""
        self._known_room(namespace).reviews[review.id] = review

    replace = add

    def of_id(self, namespace: Namespace, ids: Collection[str]) -> dict[str, Review]:
        """The reviews of these ids."""
        reviews = self._room(namespace).reviews
        return {review_id: reviews[review_id] for review_id in ids if review_id in reviews}

    def listed(self, namespace: Namespace, states: Collection[ReviewState], count: int) -> list[Review]:
        """The newest reviews in these states."""
        found = [review for review in self._room(namespace).reviews.values() if review.state in states]
        return sorted(found, key=lambda review: (review.opened_at, review.id), reverse=True)[:count]

    def count(self, namespace: Namespace) -> int:
        """How many reviews there are."""
        return len(self._room(namespace).reviews)

    def about(self, namespace: Namespace, numbers: Collection[int]) -> list[Review]:
        """The reviews about these memories."""
        reviews = sorted(self._room(namespace).reviews.items())
        return [review for _, review in reviews if not {review.number, review.against}.isdisjoint(numbers)]

    def from_origin(self, namespace: Namespace, origin: Origin) -> list[Review]:
        """The reviews of what is from exactly that origin."""
        reviews = sorted(self._room(namespace).reviews.items())
        return [review for _, review in reviews if origin.holds(review.origin)]

    def remove(self, namespace: Namespace, ids: Collection[str]) -> None:
        """Remove reviews."""
        for review_id in ids:
            self._known_room(namespace).reviews.pop(review_id, None)


class MemoryBursts(Part):
    """What untrusted sources said lately."""

    def add(self, namespace: Namespace, bucket: bytes, told: Told) -> None:
        """Keep a statement in a bucket."""
        self._known_room(namespace).bursts[bucket][told.identity] = told

    def since(self, namespace: Namespace, bucket: bytes, instant: int) -> list[Told]:
        """The statements of a bucket learned since."""
        bursts = self._room(namespace).bursts.get(bucket, {})
        found = [told for told in bursts.values() if told.learned_at >= instant]
        return sorted(found, key=lambda told: (told.learned_at, told.identity))

    def drop_before(self, namespace: Namespace, instant: int) -> None:
        """Remove all that was learned before an instant."""
        for told in self._known_room(namespace).bursts.values():
            for identity in [identity for identity, one in told.items() if one.learned_at < instant]:
                del told[identity]


class MemoryBlocks(Part):
    """Sources that are not learned from again."""

    def key(self) -> bytes:
        """The secret with which sources are digested."""
        return self._tables.origin_key

    def set_key(self, key: bytes) -> None:
        """Take over the secret of another workspace."""
        self._tables.origin_key = key

    def add(self, block: Block) -> None:
        """Keep a block."""
        self._tables.blocks.setdefault(block.digest, block)

    def known(self, digests: Collection[bytes]) -> frozenset[bytes]:
        """Those that are blocked."""
        return frozenset(digests) & self._tables.blocks.keys()

    def all(self) -> list[Block]:
        """All blocks."""
        return sorted(self._tables.blocks.values(), key=lambda block: (block.at, block.digest))

    def remove(self, digest: bytes) -> None:
        """Remove a block."""
        self._tables.blocks.pop(digest, None)


class MemoryPlans(Part):
    """Plans to forget."""

    def keep(self, plan: KeptPlan) -> None:
        """Keep a plan."""
        self._tables.plans[plan.id] = plan

    def find(self, plan_id: str) -> KeptPlan | None:
        """The plan of that id."""
        return self._tables.plans.get(plan_id)

    def all(self) -> list[KeptPlan]:
        """All plans."""
        return sorted(self._tables.plans.values(), key=lambda plan: (plan.made_at, plan.id))

    def remove(self, plan_id: str) -> None:
        """Remove a plan."""
        self._tables.plans.pop(plan_id, None)


class MemoryAudit(Part):
    """The audit log."""

    def append(self, entry: AuditEntry) -> None:
        """Add a line."""
        self._tables.audit.append(entry)

    def last(self) -> AuditEntry | None:
        """The line added last."""
        return self._tables.audit[-1] if self._tables.audit else None

    def after(self, sequence: int, count: int) -> list[AuditEntry]:
        """The lines above a sequence number."""
        return [entry for entry in self._tables.audit if entry.sequence > sequence][:count]


class MemoryTokens(Part):
    """Who may call."""

    def keep(self, token: Token) -> None:
        """Keep a token."""
        self._tables.tokens[token.id] = token

    def find(self, token_id: str) -> Token | None:
        """The token of that id."""
        return self._tables.tokens.get(token_id)

    def all(self) -> list[Token]:
        """All tokens."""
        return sorted(self._tables.tokens.values(), key=lambda token: (token.created_at, token.id))
