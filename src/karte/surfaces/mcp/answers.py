"""Rendering: results and errors as the SDK sends them."""

from __future__ import annotations

import json
from typing import Final

import mcp_types as types

from karte.core.echo import WATERMARK
from karte.core.results import Shape
from karte.errors import (
    DiskFull,
    DomainRefused,
    Fault,
    HigherTier,
    KarteError,
    UnknownConflict,
    UnknownDomain,
    UnknownFact,
    WorkspaceDamaged,
    WorkspaceLocked,
    WorkspaceReadOnly,
    WorkspaceUnreadable,
)
from karte.surfaces.mcp.actions import Result

_HINTS: Final[dict[type[KarteError], str]] = {
    UnknownFact: "Find the names that are in use with memory_search, or store the fact with memory_store.",
    UnknownDomain: "A person declares domains; those that you may use are in list_memory_domains (profile full).",
    DomainRefused: "Ask the operator to grant it; what you may do where is in list_memory_domains.",
    UnknownConflict: "The conflicts that you may see are in list_memory_conflicts.",
    HigherTier: "A person decides about it.",
}
"""What an agent can do where the hint of the error is for somebody at a terminal."""

_OPERATORS: Final = (DiskFull, WorkspaceDamaged, WorkspaceLocked, WorkspaceReadOnly, WorkspaceUnreadable)
"""What only a person can mend."""


RECALLED: Final = "recalled"
"""The key under which the text of a result says that nobody said it: see `core.echo`."""


def success(result: Result | Shape, *, recalled: bool = False) -> types.CallToolResult:
    """A result, as structured content and as the same JSON in text for clients that read no structure.

    The text of what is `recalled` begins with the watermark, so that what is captured of it is not learned again.
    """
    shape = result if isinstance(result, dict) else result.to_dict()
    told = marked(shape) if recalled else shape
    return types.CallToolResult(content=[_text(write(told))], structured_content=shape)


def marked(shape: Shape) -> Shape:
    """A shape with the watermark as its first key."""
    return {RECALLED: WATERMARK, **shape}


def failure(error: KarteError) -> types.CallToolResult:
    """An error that the agent can see and act on: structured, and its message and hint as text."""
    shape = error.to_dict()
    hint = _hint(error)
    shape["error"]["hint"] = hint
    sentence = f"{error.message} {hint}" if hint else error.message
    return types.CallToolResult(content=[_text(sentence)], structured_content=shape, is_error=True)


def _hint(error: KarteError) -> str | None:
    if isinstance(error, _OPERATORS):
        return f"Tell the operator: {error.hint}"
    return _HINTS.get(type(error), error.hint)


def fault(error: Exception) -> Fault:
    """What is told of an error that nobody foresaw: its kind, and none of its words, which may hold memories."""
    return Fault(
        f"Karte failed inside ({type(error).__name__}); whether this call changed anything is not known.",
        hint="Look with memory_search or memory_fetch_batch before you repeat the call, and tell the operator.",
    )


def write(shape: Shape) -> str:
    """Compact JSON in UTF-8."""
    return json.dumps(shape, ensure_ascii=False, separators=(",", ":"))


def _text(text: str) -> types.TextContent:
    return types.TextContent(type="text", text=text)
