"""What of a workspace is carried, in which order, and what is made anew where it arrives, with the reason.

Every part of a store stands here once; a test compares the two tables with the contract.
"""

from __future__ import annotations

from typing import Final

FORMAT: Final = 1
"""The format that is written, and the newest one that is read."""

KIND: Final = "karte export"
MANIFEST: Final = "manifest.json"

OWNERS: Final = "owners.ndjson"
MEMORIES: Final = "memories.ndjson"
ASSERTIONS: Final = "assertions.ndjson"
LINKS: Final = "links.ndjson"
WITHDRAWALS: Final = "withdrawals.ndjson"
LIKENESSES: Final = "likenesses.ndjson"
RECEIPTS: Final = "receipts.ndjson"
USAGE: Final = "usage.ndjson"
ARCHIVED: Final = "archived.ndjson"
DOMAINS: Final = "domains.ndjson"
GRANTS: Final = "grants.ndjson"
REVIEWS: Final = "reviews.ndjson"
BLOCKS: Final = "blocks.ndjson"
PLANS: Final = "plans.ndjson"
AUDIT: Final = "audit.ndjson"

TABLES: Final = (
    *(OWNERS, MEMORIES, ASSERTIONS, LINKS, WITHDRAWALS, LIKENESSES, RECEIPTS, USAGE, ARCHIVED),
    *(DOMAINS, GRANTS, REVIEWS, BLOCKS, PLANS, AUDIT),
)
"""The members with one JSON object a line, in their order in the file; each refers to earlier ones only."""

LATER: Final = (DOMAINS, GRANTS)
"""The members that exports lack which were made before there were domains: there they count as empty."""

CARRIED: Final = {
    "agents": (OWNERS,),
    "memories": (OWNERS, MEMORIES),
    "records": (ASSERTIONS, LINKS, WITHDRAWALS),
    "likenesses": (LIKENESSES,),
    "receipts": (RECEIPTS,),
    "usages": (USAGE,),
    "archive": (ARCHIVED,),
    "reviews": (REVIEWS,),
    "blocks": (BLOCKS,),
    "plans": (PLANS,),
    "audit": (AUDIT,),
    "domains": (DOMAINS, GRANTS),
    "vectors": ("vectors-1.bin",),
}
"""The parts of a store that are carried, each with its members; of vectors the first, for there is one for each set."""

DERIVED: Final = {
    "timelines": "chains and what is in force are folded anew from assertions, links and withdrawals",
    "lexicon": "the index is made anew from the texts, under a new secret of the new workspace",
    "episodes": "conversations are read from the assertions",
    "facts": "memories in bulk are read from the memories; counters of erasures serve the memory of a process only",
    "leases": "who is at work on the old workspace is not at work on the new one",
    "bursts": "what a source said within the last hour is counted anew, so a move takes at most that hour from the count",
    "tokens": "a token is a credential of the place that gave it out, and must not open another one",
}
"""The parts of a store that are not carried, each with the reason."""


def vectors_member(place: int) -> str:
    """The member with the vectors of a set, by its place among the sets (1 is the first)."""
    return f"vectors-{place}.bin"
