"""Which style a transcript is written in.

A line that looks like the head of a message may be part of a message, or of ordinary prose: `Deadline 09:15 - draft`.
So there must be a conversation in a style: somebody speaks twice, or both a user and an assistant speak, or nearly
every line is a head with a time.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from karte.importers.chat.heads import Head, Style, speaker_of
from karte.importers.chat.roles import ROLE_WORDS

_WORDS_BELOW: Final = (Style.ABOVE, Style.OVER, Style.HEADED)
_SURE: Final = (Style.BRACKETED, Style.LEADING, Style.TRAILING, Style.NAMED_FIRST)
"""Styles that ordinary prose does not fall into: two lines are enough, or one alone."""

_SPARSE: Final = 4
"""Of a plain style, at least one in so many lines is a head: programs and lists have colons too."""


@dataclass
class _Evidence:
    """The speakers of the heads in one style, and whether any has a time."""

    style: Style
    names: list[str] = field(default_factory=list)
    timed: bool = False

    def is_conversation(self, said: int) -> bool:
        """Whether these heads, among so many lines that say something, make a conversation."""
        below = self.style in _WORDS_BELOW
        dense = len(self.names) * (4 if below else 2) >= said
        roles = {ROLE_WORDS[name.lower()] for name in self.names if name.lower() in ROLE_WORDS}
        if len(roles) > 1 or (roles and dense and not below):
            return True
        counts = Counter(self.names)
        recurring = max(counts.values(), default=0) > 1
        if self.style is Style.PLAIN:
            return recurring and len(counts) > 1 and _SPARSE * len(self.names) >= said
        several = len(counts) > 1
        return recurring or (self.timed and (several or dense if self.style in _SURE else several and dense))

    @property
    def rank(self) -> tuple[bool, int, int]:
        """What makes one style more likely than another: times, many heads, the order of the styles."""
        return self.timed, len(self.names), -list(Style).index(self.style)


def style_of(lines: Sequence[str], heads: Sequence[Sequence[Head]]) -> Style | None:
    """The style of a file, from its lines and the heads that each may be; None where it holds no conversation."""
    found: dict[Style, _Evidence] = {}
    for number, candidates in enumerate(heads):
        for head in candidates:
            if head.speaker and (head.style not in _WORDS_BELOW or _has_words(lines, heads, number, head.style)):
                evidence = found.setdefault(head.style, _Evidence(head.style))
                evidence.names.append(speaker_of(head.speaker))
                evidence.timed |= head.stamp is not None
    said = sum(bool(line.strip()) for line in lines)
    talking = [evidence for evidence in found.values() if evidence.is_conversation(said)]
    return max(talking, key=lambda evidence: evidence.rank).style if talking else None


def head_in(style: Style, candidates: Sequence[Head]) -> Head | None:
    """The head that a line is in a style; among names in angles, a line with a time and no name is a notice."""
    fitting = (head for head in candidates if head.style is style or (style is Style.ANGLED and head.speaker is None))
    return next(fitting, None)


def _has_words(lines: Sequence[str], heads: Sequence[Sequence[Head]], number: int, style: Style) -> bool:
    """Whether a line with words stands below a head, perhaps after an empty one."""
    for below in range(number + 1, min(number + 3, len(lines))):
        if lines[below].strip():
            return all(head.style is not style for head in heads[below])
    return False
