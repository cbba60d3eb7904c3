"""Time expressions in a question: which periods it asks for, in five languages."""

from karte.core.moments.alone import asks_only_when
from karte.core.moments.finding import LONGEST_QUESTION, find_moments
from karte.core.moments.values import Kind, Moment

__all__ = ["LONGEST_QUESTION", "Kind", "Moment", "asks_only_when", "find_moments"]
