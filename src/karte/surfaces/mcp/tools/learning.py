"""The tools for what an agent learns from its mistakes, and for the upkeep of what it knows."""

from __future__ import annotations

from typing import Final

from karte.core.lessons import Category, Evidence, Severity
from karte.core.namespaces import Scope
from karte.surfaces.mcp import schemas
from karte.surfaces.mcp.actions import learning as actions
from karte.surfaces.mcp.schemas import LIMIT, ORIGIN, TEXT
from karte.surfaces.mcp.seats import Profile
from karte.surfaces.mcp.tools.tool import Tool

_DRY: Final = schemas.arguments({"dry_run": {"type": "boolean", "description": "change nothing; say what would be"}})

FULL: Final = (
    Tool(
        "record_mistake",
        "Record a mistake",
        "Note what you did wrong and the lesson of it, so that you are reminded before such a task. The same lesson "
        "again is counted; three that share a lesson become a rule.",
        schemas.arguments(
            {
                "category": schemas.choice(Category),
                "lesson": schemas.text("what to do next time; default: wrong and right"),
                "asked": TEXT,
                "answered": TEXT,
                "wrong": schemas.text("what was wrong"),
                "right": schemas.text("what is right"),
                "evidence": schemas.choice(Evidence, "how it was noticed"),
                "severity": schemas.choice(Severity),
                "session_id": TEXT,
                "observed_at": schemas.text("when it happened; default: now"),
                "origin": ORIGIN,
                "idempotency_key": TEXT,
            },
            ["category"],
        ),
        schemas.RECEIPT,
        actions.record_mistake,
        Scope.WRITE,
        Profile.FULL,
        idempotent=False,
    ),
    Tool(
        "list_mistakes",
        "List mistakes",
        "Your mistakes that no rule resolves yet, the latest first; with a task those that fit it.",
        schemas.arguments(
            {
                "task": schemas.text("what you are about to do"),
                "category": schemas.choice(Category),
                "unresolved": {"type": "boolean", "default": True},
                "limit": {**LIMIT, "default": 20},
            }
        ),
        schemas.MISTAKES,
        actions.list_mistakes,
        profile=Profile.FULL,
        recalls=True,
    ),
    Tool(
        "consolidate_memory",
        "Consolidate memory",
        "Keep what is worth keeping of what you remembered for sessions, and join memories that say the same in other "
        "words. A second run changes nothing.",
        _DRY,
        schemas.CONSOLIDATED,
        actions.consolidate,
        Scope.WRITE,
        Profile.FULL,
    ),
    Tool(
        "harmonize_memory",
        "Harmonize memory",
        "Find what several agents know: what they agree on becomes a belief of the workspace, what they disagree on a "
        "conflict. A second run changes nothing.",
        _DRY,
        schemas.HARMONIZED,
        actions.harmonize,
        Scope.ADMIN,
        Profile.FULL,
    ),
)
