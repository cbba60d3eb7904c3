"""What a scan found: signs of an order to whoever reads the text, and how much they weigh together.

Signs add up as independent evidence does: of a text with signs of weights w1 and w2 the score is 1 - (1 - w1)(1 - w2).
They add up only where they stand close together, so that a long text does not gather a score out of single words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

KINDS: Final = (
    "instruction_override",
    "prompt_extraction",
    "role_hijack",
    "encoding_trick",
    "tool_abuse",
    "exfiltration",
    "termination",
    "invisible_text",
)

STRONG: Final = 0.5
"""From this score on a text is an attack; fixed on the calibration set alone (docs/explanation/write-gate.md)."""

TOGETHER: Final = 500
"""How many characters apart two signs may begin and still add up."""


_OVERLAPPING: Final = 0.5


@dataclass(frozen=True, slots=True)
class Hit:
    """One sign: the rule that found it, its kind (one of `KINDS`), its weight (0..1), where it is in the text.

    `start` and `end` count characters of the text as it was given; `quote` is what stands there, at most 80 characters.
    """

    rule: str
    kind: str
    weight: float
    start: int
    end: int
    quote: str

    def __str__(self) -> str:
        return f"{self.kind}: {self.quote!r} (rule {self.rule})"


@dataclass(frozen=True, slots=True)
class Finding:
    """The signs in a text, in the order of the text, and their score (0..1)."""

    score: float = 0.0
    hits: tuple[Hit, ...] = ()

    @property
    def strong(self) -> bool:
        """Whether the score reaches `STRONG`."""
        return self.score >= STRONG

    @property
    def kind(self) -> str:
        """The kind of the heaviest sign; empty where there is none."""
        return max(self.hits, key=lambda hit: hit.weight).kind if self.hits else ""

    def __str__(self) -> str:
        return "; ".join(map(str, self.hits))


def finding(hits: Sequence[Hit]) -> Finding:
    """Add signs up: each rule counts once, and of two of one kind that overlap the lighter counts half."""
    ordered = sorted(hits, key=lambda hit: (hit.start, hit.end, hit.rule))
    score = max((_together(ordered[place:], hit.start) for place, hit in enumerate(ordered)), default=0.0)
    return Finding(round(score, 4), tuple(ordered))


def _together(hits: Sequence[Hit], start: int) -> float:
    doubt, counted = 1.0, list[Hit]()
    near = [hit for hit in hits if hit.start - start <= TOGETHER]
    for hit in sorted(near, key=lambda each: -each.weight):
        if all(hit.rule != other.rule for other in counted):
            share = _OVERLAPPING if any(_overlap(hit, other) for other in counted) else 1
            doubt *= 1 - share * hit.weight
            counted.append(hit)
    return 1 - doubt


def _overlap(one: Hit, other: Hit) -> bool:
    return one.kind == other.kind and one.start < other.end and other.start < one.end
