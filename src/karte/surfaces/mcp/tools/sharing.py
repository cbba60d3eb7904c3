"""The tools for what a workspace shares: facts in domains, their conflicts, and policies."""

from __future__ import annotations

from typing import Final

from karte.core.namespaces import Scope
from karte.engine.knowing.resolving import Decision
from karte.surfaces.mcp import schemas
from karte.surfaces.mcp.actions import sharing as actions
from karte.surfaces.mcp.schemas import LIMIT, TEXT
from karte.surfaces.mcp.seats import Profile
from karte.surfaces.mcp.tools.tool import Tool

_RARE: Final = ("veracity", "importance", "tags", "idempotency_key")

CORE: Final = (
    Tool(
        "propose_fact",
        "Propose a shared fact",
        "Share with the agents of this workspace what they should know: a convention, a result, a decision. Status "
        "contested: it contradicts a fact; a person decides.",
        schemas.arguments(
            {name: schema for name, schema in schemas.FACT.items() if name not in _RARE}, ["domain", "content"]
        ),
        schemas.PROPOSED,
        actions.propose_fact,
        Scope.WRITE,
        idempotent=False,
        more={name: schemas.FACT[name] for name in _RARE},
        told={"origin": {"type": "object"}, "memory_type": TEXT, "content": TEXT},
    ),
)

_FACTS: Final = (
    Tool(
        "supersede_fact",
        "Supersede a shared fact",
        "Let a newer fact take over from an older one of the same domain. For the same subject and predicate "
        "propose_fact does it by itself.",
        schemas.arguments(
            {
                "id": schemas.text("the older fact"),
                "by": schemas.text("the id of the newer fact, or the newer text"),
                "object": schemas.text("the newer object, if by is a text"),
                "effective": schemas.text("from when; default: now"),
            },
            ["id", "by"],
        ),
        schemas.RECEIPT,
        actions.supersede_fact,
        Scope.WRITE,
        Profile.FULL,
        idempotent=False,
    ),
    Tool(
        "withdraw_fact",
        "Withdraw a shared fact",
        "Take back a fact that was wrong from the start; what it displaced holds again.",
        schemas.arguments({"id": TEXT, "reason": TEXT}, ["id"]),
        schemas.WITHDRAWN,
        actions.withdraw_fact,
        Scope.WRITE,
        Profile.FULL,
        destructive=True,
    ),
    Tool(
        "list_memory_domains",
        "List domains",
        "The domains that facts and policies can be proposed in, and what you may do in each: read or write.",
        schemas.arguments({}),
        schemas.DOMAINS,
        actions.list_domains,
        profile=Profile.FULL,
    ),
    Tool(
        "list_memory_conflicts",
        "List conflicts",
        "Facts that contradict each other, newest first, with what differs.",
        schemas.arguments(
            {
                "unresolved_only": {"type": "boolean", "default": True},
                "limit": {**LIMIT, "default": 20},
            }
        ),
        schemas.CONFLICTS,
        actions.list_conflicts,
        profile=Profile.FULL,
        recalls=True,
    ),
    Tool(
        "resolve_memory_conflict",
        "Resolve a conflict",
        "Decide between two facts, if you may write in their domain: the winner takes over, both hold (they answer "
        "different questions), or neither.",
        schemas.arguments(
            {
                "id": schemas.text("the conflict"),
                "decision": schemas.choice(Decision),
                "winner": schemas.text("the id of the fact that holds, for the decision winner"),
                "note": schemas.text("why"),
            },
            ["id", "decision"],
        ),
        schemas.CONFLICT,
        actions.resolve_conflict,
        Scope.WRITE,
        Profile.FULL,
        destructive=True,
        idempotent=False,
        recalls=True,
    ),
)

_POLICIES: Final = (
    Tool(
        "propose_policy",
        "Propose a policy",
        "Make a rule that every agent of a domain is told before it works there. It takes to write in the domain.",
        schemas.arguments(
            {
                "domain": TEXT,
                "rule": schemas.text("what to do, as an order"),
                "repo": schemas.text("default: the whole workspace"),
                **schemas.RULE,
                "valid_from": TEXT,
                "idempotency_key": TEXT,
            },
            ["domain", "rule"],
        ),
        schemas.RECEIPT,
        actions.propose_policy,
        Scope.WRITE,
        Profile.FULL,
        idempotent=False,
    ),
    Tool(
        "supersede_policy",
        "Supersede a policy",
        "Let a newer rule take over from a policy; it binds as that did where you do not say otherwise.",
        schemas.arguments(
            {
                "id": schemas.text("the older policy"),
                "by": schemas.text("the newer rule, or the id of a policy"),
                "effective": schemas.text("from when; default: now"),
                **schemas.RULE,
            },
            ["id", "by"],
        ),
        schemas.RECEIPT,
        actions.supersede_policy,
        Scope.WRITE,
        Profile.FULL,
        idempotent=False,
    ),
    Tool(
        "list_policies",
        "List policies",
        "The rules that bind you; those of a domain, or those that fit a task.",
        schemas.arguments(
            {
                "domain": TEXT,
                "repo": TEXT,
                "task": schemas.text("what you are about to do"),
                "all": {"type": "boolean", "description": "also those for other roles and times"},
                "limit": {**LIMIT, "default": 20},
            }
        ),
        schemas.POLICIES,
        actions.list_policies,
        profile=Profile.FULL,
        recalls=True,
    ),
)

FULL: Final = (*_FACTS, *_POLICIES)
