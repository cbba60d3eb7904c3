"""What the oracle holds: one room per namespace, made of dictionaries and lists."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field

from karte.core.assertions import Assertion, Link, Withdrawal
from karte.core.granting import Grantee
from karte.core.namespaces import Namespace
from karte.core.reviews import Review
from karte.core.timeline import Segment
from karte.ports import (
    Agent,
    AuditEntry,
    Block,
    Document,
    Domain,
    Grant,
    Head,
    Kept,
    KeptPlan,
    KeptReceipt,
    Lease,
    Likeness,
    Token,
    Told,
    Usage,
    VectorSet,
)


@dataclass
class Room:
    """Everything of one namespace."""

    following: int = 1
    compacted: int = 0
    kept: dict[int, Kept] = field(default_factory=dict)
    heads: dict[int, Head] = field(default_factory=dict)
    assertions: dict[int, list[Assertion]] = field(default_factory=lambda: defaultdict(list))
    links: dict[bytes, Link] = field(default_factory=dict)
    withdrawals: list[Withdrawal] = field(default_factory=list)
    segments: dict[tuple[int, bool], list[Segment]] = field(default_factory=lambda: defaultdict(list))
    documents: dict[int, Document] = field(default_factory=dict)
    receipts: dict[str, tuple[KeptReceipt, int]] = field(default_factory=dict)
    bands: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    likenesses: list[Likeness] = field(default_factory=list)
    usages: dict[int, Usage] = field(default_factory=dict)
    archived: dict[int, int] = field(default_factory=dict)
    vectors: dict[int, dict[int, bytes]] = field(default_factory=lambda: defaultdict(dict))
    reached: dict[int, int] = field(default_factory=dict)
    missing: dict[int, set[int]] = field(default_factory=lambda: defaultdict(set))
    generation: int = 0
    erasures: int = 0
    reviews: dict[str, Review] = field(default_factory=dict)
    bursts: dict[bytes, dict[bytes, Told]] = field(default_factory=lambda: defaultdict(dict))

    def __deepcopy__(self, memo: dict[int, object]) -> Room:
        """A copy whose containers are its own; what they hold never changes and is shared."""
        return Room(
            self.following,
            self.compacted,
            dict(self.kept),
            dict(self.heads),
            defaultdict(list, {number: list(said) for number, said in self.assertions.items()}),
            dict(self.links),
            list(self.withdrawals),
            defaultdict(list, {chain: list(segments) for chain, segments in self.segments.items()}),
            dict(self.documents),
            dict(self.receipts),
            defaultdict(set, {band: set(numbers) for band, numbers in self.bands.items()}),
            list(self.likenesses),
            dict(self.usages),
            dict(self.archived),
            defaultdict(dict, {number: dict(vectors) for number, vectors in self.vectors.items()}),
            dict(self.reached),
            defaultdict(set, {number: set(memories) for number, memories in self.missing.items()}),
            self.generation,
            self.erasures,
            dict(self.reviews),
            defaultdict(dict, {bucket: dict(told) for bucket, told in self.bursts.items()}),
        )


@dataclass
class Tables:
    """Everything of one workspace."""

    last_learned: int = 0
    made_with: str = ""
    agents: dict[str, Agent] = field(default_factory=dict)
    leases: dict[str, Lease] = field(default_factory=dict)
    vector_sets: dict[int, VectorSet] = field(default_factory=dict)
    origin_key: bytes = b"the oracle keeps no secret either"[:32]
    blocks: dict[bytes, Block] = field(default_factory=dict)
    plans: dict[str, KeptPlan] = field(default_factory=dict)
    audit: list[AuditEntry] = field(default_factory=list)
    tokens: dict[str, Token] = field(default_factory=dict)
    domains: dict[str, Domain] = field(default_factory=dict)
    grants: dict[tuple[str, Grantee], Grant] = field(default_factory=dict)
    rooms: dict[Namespace, Room] = field(default_factory=lambda: {Namespace(): Room()})

    def room(self, namespace: Namespace) -> Room:
        """The room of a namespace; an empty one that is not kept where the agent is unknown."""
        return self.rooms.get(namespace) or Room()
