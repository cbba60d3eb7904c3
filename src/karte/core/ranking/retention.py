"""How memories fade: by type while they are recalled, and by disuse until they are archived."""

from __future__ import annotations

import math
from typing import Final

from karte.core.assertions import MemoryType

CURVES: Final = {
    MemoryType.FACT: (0.8, 720.0),
    MemoryType.PREFERENCE: (0.4, 4_380.0),
    MemoryType.DECISION: (1.0, 336.0),
    MemoryType.COMMITMENT: (1.0, 240.0),
    MemoryType.GOAL: (0.9, 720.0),
    MemoryType.EVENT: (1.2, 168.0),
    MemoryType.INSTRUCTION: (0.9, 480.0),
    MemoryType.RELATIONSHIP: (0.35, 8_760.0),
    MemoryType.CONTEXT: (0.85, 360.0),
    MemoryType.LEARNING: (0.7, 1_440.0),
    MemoryType.OBSERVATION: (0.9, 480.0),
    MemoryType.ERROR: (1.1, 336.0),
    MemoryType.ARTIFACT: (0.75, 2_160.0),
    MemoryType.REQUEST: (1.5, 72.0),
    MemoryType.PROFILE: (0.3, 8_760.0),
    MemoryType.ENTITY: (0.5, 4_380.0),
    MemoryType.UNKNOWN: (1.0, 168.0),
}
"""Shape k and scale eta (hours) of each type's Weibull curve: at age eta, 1/e is left."""

STANDING_TYPES: Final = frozenset({MemoryType.INSTRUCTION, MemoryType.PREFERENCE, MemoryType.PROFILE})
STANDING_FLOOR: Final = 0.8
"""What is left at least of a standing type while it is in force: nobody repeats what goes without saying."""

ARCHIVE_AGE: Final = 30.0
ARCHIVE_IMPORTANCE: Final = 3.0
ARCHIVE_RETRIEVABILITY: Final = 0.05
PURGE_AFTER: Final = 90.0
"""Days in the archive."""

_FIRST_STRENGTH: Final = 14.0
_GREATEST_STRENGTH: Final = 365.0
_GAIN_OF_USE: Final = 0.6
_ORDINARY_IMPORTANCE: Final = 5.0
_LEAST_SHARE, _GREATEST_SHARE = 0.2, 2.0


def retention(memory_type: MemoryType, age_hours: float, *, in_force: bool = True) -> float:
    """What is left (0..1) of a memory of this age: exp(-(age / eta)^k), Weibull's survival function.

    The age counts in hours from its last use or mention, else from the event; one below 0 counts as 0. An
    instruction, a preference and a profile that are in force keep at least `STANDING_FLOOR`.
    """
    shape, scale = CURVES[memory_type]
    left = math.exp(-((max(0.0, age_hours) / scale) ** shape))
    return max(left, STANDING_FLOOR) if in_force and memory_type in STANDING_TYPES else left


def strength(access_count: int, importance: float) -> float:
    """How slowly a memory is forgotten, in days (2.8..365): after so many days without access, 1/e is left.

    min(365, 14 * (1 + 0.6 * ln(1 + access_count)) * clamp(importance / 5, 0.2, 2)).
    """
    share = min(max(importance / _ORDINARY_IMPORTANCE, _LEAST_SHARE), _GREATEST_SHARE)
    return min(_GREATEST_STRENGTH, _FIRST_STRENGTH * (1 + _GAIN_OF_USE * math.log1p(access_count)) * share)


def retrievability(days: float, access_count: int, importance: float) -> float:
    """How likely (0..1) a memory is recalled this many days after its last access: exp(-days / strength), Ebbinghaus.

    Days below 0 count as 0.
    """
    return math.exp(-max(0.0, days) / strength(access_count, importance))


def to_archive(age_days: float, importance: float, left: float, *, semantic: bool) -> bool:
    """Whether a memory goes to the archive: older than 30 days, importance below 3, episodic, and `left` below 0.05.

    `left` is its retrievability.
    """
    unimportant = importance < ARCHIVE_IMPORTANCE and not semantic
    return unimportant and age_days > ARCHIVE_AGE and left < ARCHIVE_RETRIEVABILITY


def to_purge(archived_days: float) -> bool:
    """Whether a memory that has been in the archive for so many days is removed: from 90 on."""
    return archived_days >= PURGE_AFTER
