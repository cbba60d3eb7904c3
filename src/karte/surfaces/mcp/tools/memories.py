"""The tools for an agent's own memories, and for finding what is shared with it."""

from __future__ import annotations

from typing import Final

from karte.core.namespaces import Scope
from karte.surfaces.mcp import schemas
from karte.surfaces.mcp.actions import memories as actions
from karte.surfaces.mcp.schemas import AS_OF, FILTERS, LIMIT, ORIGIN, PLACE, TEXT
from karte.surfaces.mcp.seats import Profile
from karte.surfaces.mcp.tools.tool import Tool

CORE: Final = (
    Tool(
        "memory_store",
        "Store a memory",
        "Remember one statement. For a fact that can change give subject, predicate, object: a newer value takes over "
        "and the history stays. Times: ISO 8601 with zone, or a date. Status quarantined: a person decides.",
        schemas.arguments(schemas.STATEMENT, ["content"]),
        schemas.RECEIPT,
        actions.store,
        Scope.WRITE,
        idempotent=False,
    ),
    Tool(
        "memory_search",
        "Search memories",
        "Find what you know and what is shared with you, before you answer or decide: what holds now, or as of a time, "
        "best first, with trust and reasons.",
        schemas.arguments(schemas.QUERY, ["query"]),
        schemas.RECALL,
        actions.search,
        more=schemas.RANKING,
        recalls=True,
    ),
    Tool(
        "memory_fetch_batch",
        "Fetch memories by id",
        "Read up to 100 memories by id. Unknown ids are in missing_ids.",
        schemas.arguments({"ids": schemas.MANY_IDS}, ["ids"]),
        schemas.FETCHED,
        actions.fetch,
        recalls=True,
    ),
    Tool(
        "memory_get_history",
        "History of a fact",
        "How a fact changed: each value, oldest first, when it held, who said it, what ended it.",
        schemas.arguments(
            {"subject": TEXT, "predicate": TEXT, **PLACE, "known_at": AS_OF["known_at"]}, ["subject", "predicate"]
        ),
        schemas.HISTORY,
        actions.history,
        recalls=True,
    ),
    Tool(
        "memory_get_at",
        "Fact at a time",
        "What a fact was at a time (default: now). None: nothing is known.",
        schemas.arguments({"subject": TEXT, "predicate": TEXT, **AS_OF, **PLACE}, ["subject", "predicate"]),
        schemas.MEMORIES,
        actions.at,
        recalls=True,
    ),
    Tool(
        "memory_withdraw",
        "Withdraw a memory",
        "Take back a memory that was wrong from the start; what it displaced holds again. If it merely changed, store "
        "the new value.",
        schemas.arguments({"id": TEXT, "reason": TEXT}, ["id"]),
        schemas.WITHDRAWN,
        actions.withdraw,
        Scope.WRITE,
        destructive=True,
    ),
)

FULL: Final = (
    Tool(
        "memory_read",
        "Read a memory",
        "Read one memory by id, with its origins, its standing and what it was derived from.",
        schemas.arguments({"id": TEXT}, ["id"]),
        schemas.MEMORY,
        actions.read,
        profile=Profile.FULL,
        recalls=True,
    ),
    Tool(
        "memory_timeline",
        "Timeline of a subject",
        "All that is known about a person or thing: every fact with its history.",
        schemas.arguments({"subject": TEXT, "known_at": AS_OF["known_at"]}, ["subject"]),
        schemas.TIMELINE,
        actions.timeline,
        profile=Profile.FULL,
        recalls=True,
    ),
    Tool(
        "memory_supersede",
        "Supersede a memory",
        "Let a newer memory take over from an older one whose names differ or that has none. For the same subject and "
        "predicate memory_store does it by itself.",
        schemas.arguments(
            {
                "id": schemas.text("the older memory"),
                "by": schemas.text("the id of the newer memory, or the newer text"),
                "object": schemas.text("the newer object, if by is a text"),
                "effective": schemas.text("from when; default: now"),
            },
            ["id", "by"],
        ),
        schemas.RECEIPT,
        actions.supersede,
        Scope.WRITE,
        Profile.FULL,
        idempotent=False,
    ),
    Tool(
        "memory_end",
        "End a fact",
        "State that something stopped being true and nothing took its place. Name it by id, or by subject and "
        "predicate (with many values: and object).",
        schemas.arguments(
            {
                "id": TEXT,
                "subject": TEXT,
                "predicate": TEXT,
                "object": TEXT,
                **PLACE,
                "at": schemas.text("default: now"),
            }
        ),
        schemas.RECEIPT,
        actions.end,
        Scope.WRITE,
        Profile.FULL,
        idempotent=False,
    ),
    Tool(
        "memory_list",
        "List memories",
        "The newest memories that hold, without a query.",
        schemas.arguments({"limit": {**LIMIT, "default": 20}, **FILTERS, **AS_OF}),
        schemas.MEMORIES,
        actions.list_recent,
        profile=Profile.FULL,
        recalls=True,
    ),
    Tool(
        "memory_alias_add",
        "Add an alias",
        "Say that two names mean one thing (老闆 and 李老闆): their facts become one history.",
        schemas.arguments({"canonical": TEXT, "alias": TEXT}, ["canonical", "alias"]),
        schemas.ALIAS,
        actions.add_alias,
        Scope.WRITE,
        Profile.FULL,
    ),
    Tool(
        "memory_alias_list",
        "List aliases",
        "Which names mean one thing.",
        schemas.arguments({}),
        schemas.ALIASES,
        actions.list_aliases,
        profile=Profile.FULL,
    ),
    Tool(
        "memory_alias_remove",
        "Remove an alias",
        "Take back that two names mean one thing; their facts part again.",
        schemas.arguments({"canonical": TEXT, "alias": TEXT}, ["canonical", "alias"]),
        schemas.REMOVED,
        actions.remove_alias,
        Scope.WRITE,
        Profile.FULL,
        destructive=True,
    ),
    Tool(
        "memory_pending",
        "What waits",
        "What of your own writes a person has yet to decide about, and why. You cannot decide it.",
        schemas.arguments({"limit": {**LIMIT, "default": 20}}),
        schemas.PENDING,
        actions.pending,
        profile=Profile.FULL,
        recalls=True,
    ),
    Tool(
        "memory_stats",
        "Count memories",
        "How many memories you keep.",
        schemas.arguments({}),
        schemas.STATS,
        actions.count,
        profile=Profile.FULL,
    ),
)

ADMIN: Final = (
    Tool(
        "memory_invalidate_by_origin",
        "Withdraw a source",
        "Withdraw all that came from exactly one origin, such as a poisoned conversation; without an item, from its "
        "whole container. The history stays.",
        schemas.arguments(
            {
                "origin": {**ORIGIN, "properties": {**ORIGIN["properties"], "kind": TEXT}},
                "since": schemas.text("only what was learned at or after this time"),
            },
            ["origin"],
        ),
        schemas.WITHDRAWN,
        actions.invalidate,
        Scope.ADMIN,
        Profile.ADMIN,
        destructive=True,
    ),
)
