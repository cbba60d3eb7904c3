"""What of a session is worth keeping after it: by what it is about, how important it is, and how often it came up."""

from __future__ import annotations

from typing import Final

from karte.core.assertions import Details, MemoryType

LASTING: Final = frozenset(
    {
        MemoryType.FACT,
        MemoryType.PREFERENCE,
        MemoryType.DECISION,
        MemoryType.COMMITMENT,
        MemoryType.GOAL,
        MemoryType.INSTRUCTION,
        MemoryType.RELATIONSHIP,
        MemoryType.LEARNING,
        MemoryType.PROFILE,
    }
)
"""What is meant to hold beyond the session in which it was said."""

IMPORTANT: Final = 6.0
"""From this importance (0..10) on anything is kept."""

OFTEN: Final = 2
"""What was said in so many sessions is kept."""


def worth(details: Details, sessions: int) -> str | None:
    """Why something is worth keeping that was said in so many sessions: `type`, `importance` or `repetition`, if at all."""
    if details.memory_type in LASTING:
        return "type"
    if details.importance >= IMPORTANT:
        return "importance"
    return "repetition" if sessions >= OFTEN else None
