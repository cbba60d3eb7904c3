"""What the engine needs from outside: a store, a clock, ids, an embedder.

A store keeps records and the few things derived from them for speed. It is asked in domain terms, always for one
namespace. All of a use case happens in one unit of work: `reading()` gives a consistent view, `writing()` gives one
transaction that sees its own writes, is durable when it ends, and leaves nothing behind when it raises.
Instants are microseconds since the epoch; the number of a memory is its place in its namespace.
"""

from karte.ports.derived import Document, Lexicon, Likeness, Likenesses, Posting, Size, Timelines, Vectors, VectorSet
from karte.ports.knowing import Domain, Domains, Grant
from karte.ports.outside import Clock, Embedder, Identity, Ids, Secrets
from karte.ports.records import (
    MIXED,
    Agent,
    Agents,
    Asked,
    Head,
    Kept,
    KeptReceipt,
    Memories,
    Receipts,
    Records,
    Source,
)
from karte.ports.store import Reading, Store, Writing
from karte.ports.trusting import (
    Audit,
    AuditEntry,
    Block,
    Blocks,
    Bursts,
    KeptPlan,
    Plans,
    Reviews,
    Token,
    Tokens,
    Told,
)
from karte.ports.uses import Archive, Episodes, Facts, Lease, Leases, Turn, Usage, Usages

__all__ = [
    "MIXED",
    "Agent",
    "Agents",
    "Archive",
    "Asked",
    "Audit",
    "AuditEntry",
    "Block",
    "Blocks",
    "Bursts",
    "Clock",
    "Document",
    "Domain",
    "Domains",
    "Embedder",
    "Episodes",
    "Facts",
    "Grant",
    "Head",
    "Identity",
    "Ids",
    "Kept",
    "KeptPlan",
    "KeptReceipt",
    "Lease",
    "Leases",
    "Lexicon",
    "Likeness",
    "Likenesses",
    "Memories",
    "Plans",
    "Posting",
    "Reading",
    "Receipts",
    "Records",
    "Reviews",
    "Secrets",
    "Size",
    "Source",
    "Store",
    "Timelines",
    "Token",
    "Tokens",
    "Told",
    "Turn",
    "Usage",
    "Usages",
    "VectorSet",
    "Vectors",
    "Writing",
]
