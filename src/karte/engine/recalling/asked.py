"""What a search asks: the query with its options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, tzinfo
from enum import StrEnum
from typing import Any, Final

from karte.core.memories import LONGEST_CONTENT
from karte.core.ranking.profiles import BALANCED, GRAPH, LEXICAL, TEMPORAL, VECTOR, Profile, profile_named
from karte.engine.asking import Instants
from karte.engine.given import read_choice, read_texts
from karte.engine.reading.fetching import Filters, read_filters
from karte.errors import InvalidText, InvalidValue, TextTooLong

MOST_HITS: Final = 1_000
MOST_AROUND: Final = 10
DEPTH: Final = 50


class Mode(StrEnum):
    """Which voices are asked."""

    KEYWORD = "keyword"
    SEMANTIC = "semantic"
    HYBRID = "hybrid"


VOICES: Final = {
    Mode.KEYWORD: (LEXICAL,),
    Mode.SEMANTIC: (LEXICAL, VECTOR),
    Mode.HYBRID: (LEXICAL, VECTOR, TEMPORAL, GRAPH),
}


@dataclass(frozen=True)
class Search:
    """A query with its options.

    `limit` 1..1,000 hits; `voices` are those to ask of the mode's (None: all of them); relative times are counted from
    `now` (microseconds; None: the clock), days are those of `zone`; `floor` 0..1 is the least evidence of a hit (None: the profile's); `expand`
    0..10 turns on both sides of a hit; `budget` is how many characters of text the hits may have together. What
    is of the repository of the filters comes before the rest; with `repo_only` there is no rest. Each voice brings up at
    least `depth` candidates, and twice as many as hits are asked for.
    """

    query: str
    limit: int = 10
    mode: Mode = Mode.HYBRID
    filters: Filters = field(default_factory=Filters)
    instants: Instants = field(default_factory=Instants)
    explain: bool = False
    profile: Profile = BALANCED
    voices: Sequence[str] | None = None
    now: int | None = None
    zone: tzinfo = UTC
    floor: float | None = None
    expand: int = 0
    budget: int | None = None
    repo_only: bool = False
    depth: int = DEPTH

    def __post_init__(self) -> None:
        _check_number("limit", self.limit, 1, MOST_HITS)
        _check_number("expand", self.expand, 0, MOST_AROUND)
        if self.budget is not None:
            _check_number("budget", self.budget, 1, LONGEST_CONTENT * MOST_HITS)
        if self.floor is not None and (isinstance(self.floor, bool) or not 0 <= self.floor <= 1):
            raise InvalidValue(f"floor is a number from 0 to 1, not {self.floor!r}.")
        if unknown := sorted(set(self.voices or ()) - set(VOICES[self.mode])):
            raise InvalidValue(
                f"The mode {self.mode.value} has no voice {unknown[0]!r}; it has {', '.join(VOICES[self.mode])}."
            )
        _check_query(self.query)

    @property
    def asked(self) -> list[str]:
        """The voices to ask."""
        return [voice for voice in VOICES[self.mode] if self.voices is None or voice in self.voices]


def _check_number(name: str, value: int, least: int, most: int) -> None:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise InvalidValue(f"{name} is a number from {least} to {most}, not {value!r}.")


def _check_query(query: str) -> None:
    if not isinstance(query, str):
        raise InvalidValue(f"A query is text, not {type(query).__name__}.")
    if len(query) > LONGEST_CONTENT:
        raise TextTooLong("The query is longer than 64 KiB; ask for less at once.")
    try:
        query.encode()
    except UnicodeEncodeError:
        raise InvalidText("The query holds a lone surrogate, which is no character; remove it.") from None


def read_search(
    query: str, options: Mapping[str, Any], usual: Profile, instants: Instants, now: int | None, zone: tzinfo
) -> Search:
    """Read a search from plain values; `usual` is the profile where none is named.

    Raises `InvalidValue` for what is unknown or out of its range.
    """
    profile = profile_named(options["profile"]) if options.get("profile") else usual
    weights = options.get("weights")
    if weights is not None and not isinstance(weights, Mapping):
        raise InvalidValue('weights is an object such as {"lexical": 0.5}.')
    if weights:
        profile = profile.adjusted(weights)
    voices = options.get("voices")
    return Search(
        query,
        options.get("limit", 10),
        read_choice(Mode, options.get("mode") or Mode.HYBRID, "mode"),
        read_filters(options),
        instants,
        bool(options.get("explain", False)),
        profile,
        None if voices is None else read_texts("voices", voices),
        now,
        zone,
        options.get("floor"),
        options.get("expand", 0),
        options.get("budget"),
        bool(options.get("repo_only", False)),
    )
