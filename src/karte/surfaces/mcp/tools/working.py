"""The tools for an agent's work: the context of a task, its pad, what it observes and remembers for a session."""

from __future__ import annotations

from typing import Final

from karte.core.namespaces import Scope
from karte.engine.knowing.context import Which
from karte.surfaces.mcp import schemas
from karte.surfaces.mcp.actions import working as actions
from karte.surfaces.mcp.seats import Profile
from karte.surfaces.mcp.tools.tool import Tool

CORE: Final = (
    Tool(
        "memory_context",
        "Context of a task",
        "What to know before you start a task: the rules that bind you, your notes, facts, and past mistakes to avoid.",
        schemas.arguments(
            {
                "task": schemas.text("What you are about to do"),
                "domain": schemas.TEXT,
                "repo": schemas.TEXT,
                "session_id": schemas.TEXT,
                "policies": schemas.choice(Which),
                "budget": schemas.BUDGET,
            },
            ["task"],
        ),
        schemas.CONTEXT,
        actions.context,
        recalls=True,
    ),
    Tool(
        "get_my_notes",
        "Read my notes",
        "Where you are in your work: your own notes and newest observations.",
        schemas.arguments({}),
        schemas.NOTES,
        actions.read_notes,
        recalls=True,
    ),
    Tool(
        "update_my_notes",
        "Write my notes",
        "Replace your notes (16 KiB) before you stop, so that the next run goes on where you left off.",
        schemas.arguments({"content": schemas.TEXT, "expect_version": schemas.VERSION}, ["content"]),
        schemas.NOTED,
        actions.write_notes,
        Scope.WRITE,
    ),
)

FULL: Final = (
    Tool(
        "record_observation",
        "Record an observation",
        "Keep what you noticed while working. Your notes show the newest; the id can be named in derived_from.",
        schemas.arguments(
            {"content": schemas.STATEMENT["content"], "session_id": schemas.TEXT, **schemas.WORKING}, ["content"]
        ),
        schemas.RECEIPT,
        actions.observe,
        Scope.WRITE,
        Profile.FULL,
        idempotent=False,
    ),
    Tool(
        "remember",
        "Remember for a session",
        "Keep something for one session only, until it expires: memory_search and memory_list with that session_id "
        "find it, nothing else does.",
        schemas.arguments(
            {
                "content": schemas.STATEMENT["content"],
                "session_id": schemas.TEXT,
                "ttl_hours": {**schemas.STATEMENT["ttl_hours"], "default": 24},
                **schemas.WORKING,
            },
            ["content", "session_id"],
        ),
        schemas.RECEIPT,
        actions.remember,
        Scope.WRITE,
        Profile.FULL,
        idempotent=False,
    ),
)
