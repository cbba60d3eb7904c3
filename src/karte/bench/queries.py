"""What the speed bench asks, of whom, and how often."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from karte.bench.chance import Chance
from karte.bench.texts import Texts

AGENT: Final = "bench"
LIMIT: Final = 10
QUERIES: Final = 150
WARM_UP: Final = 10


def ask(language: Texts, texts: Sequence[str], chance: Chance, count: int = QUERIES) -> list[str]:
    """So many queries, each about two of these texts."""
    pairs = chance.integers(0, len(texts) - 1, 2 * count).reshape(-1, 2).tolist()
    return [language.query(texts[one], texts[other]) for one, other in pairs]


def reworded(query: str) -> str:
    """A query of the same terms in another spelling, so that its vector is not known from the other one's."""
    return f"{query}?"
