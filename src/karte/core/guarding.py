"""What the write gate is set to."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from karte.core.periods import SECOND
from karte.core.trust import DEFAULT_TIERS


class Manner(StrEnum):
    """What is done about a find: nothing, what was found is left out, the text waits for a person, or nothing is kept."""

    ALLOW = "allow"
    REDACT = "redact"
    QUARANTINE = "quarantine"
    REJECT = "reject"


INJECTION_MANNERS: Final = (Manner.QUARANTINE, Manner.REJECT)
SECRET_MANNERS: Final = (Manner.REDACT, Manner.QUARANTINE, Manner.ALLOW)


@dataclass(frozen=True)
class Guarding:
    """How the gate judges: `injection` is quarantine or reject; `secrets` and `personal` are redact, quarantine or allow.

    The burst guard (`enabled`) lets a source that is trusted less than `untrusted` (basis points) say at most
    `most_per_subject` things of one subject in `window` (microseconds).
    """

    injection: Manner = Manner.QUARANTINE
    secrets: Manner = Manner.REDACT
    personal: Manner = Manner.ALLOW
    enabled: bool = True
    window: int = 3_600 * SECOND
    most_per_subject: int = 5
    untrusted: int = DEFAULT_TIERS[0]
