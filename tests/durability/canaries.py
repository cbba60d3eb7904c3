"""Canaries: texts that occur nowhere else, one for each place in which a memory can hold words, and the hunt for them."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from karte.core.text import fold_content, terms

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"
_FIRST_HAN = 0x4E00
_HAN_IN_ONE = 4


@dataclass
class Cage:
    """Makes canaries, each of them once."""

    made: list[str] = field(default_factory=list)
    indexed: list[str] = field(default_factory=list)

    def word(self) -> str:
        """A word of four syllables with a capital letter."""
        number, syllables = len(self.made), []
        for _ in range(4):
            number, place = divmod(number, len(_CONSONANTS) * len(_VOWELS))
            syllables.append(_CONSONANTS[place // len(_VOWELS)] + _VOWELS[place % len(_VOWELS)])
        return self._keep("Q" + "x".join(reversed(syllables)))

    def number(self) -> str:
        """A number of eight digits."""
        return self._keep(f"{40_000_000 + 7_919 * len(self.made)}")

    def han(self) -> str:
        """A Chinese text of four characters, none of which is in another canary."""
        start = _FIRST_HAN + _HAN_IN_ONE * len(self.made)
        return self._keep("".join(map(chr, range(start, start + _HAN_IN_ONE))))

    def any(self) -> str:
        """One of the three kinds, in turn."""
        return (self.word, self.number, self.han)[len(self.made) % 3]()

    def sung(self, canary: str) -> str:
        """The same canary, which will be indexed for search."""
        self.indexed.append(canary)
        return canary

    def _keep(self, canary: str) -> str:
        self.made.append(canary)
        return canary


def memory(cage: Cage) -> dict[str, Any]:
    """A memory to be stored, with a canary in every place that takes words."""
    said = cage.sung(f"{cage.word()} {cage.number()} {cage.han()}")
    return {
        "content": f"The inspection of {said} is done, 檢查完成",
        "subject": cage.sung(cage.word()),
        "predicate": cage.sung(cage.any()),
        "object": cage.sung(cage.han()),
        "domain": cage.any(),
        "topic": cage.any(),
        "repo": cage.word(),
        "tags": [cage.word(), cage.han()],
        "metadata": {cage.word(): cage.han(), "count": cage.number()},
        "source_event": cage.any(),
        "session": cage.any(),
        "speaker": cage.any(),
        "origin": {"kind": "user_direct", "container": f"chat/{cage.any()}", "item": cage.any()},
        "idempotency_key": cage.any(),
    }


def written(canary: str) -> Iterator[bytes]:
    """The bytes that a canary could be written as: as it is, in normal form, and as JSON, in three encodings."""
    for text in {canary, fold_content(canary), json.dumps(canary)[1:-1]}:
        yield from (text.encode(encoding) for encoding in ("utf-8", "utf-16-le", "utf-16-be"))


def hashed_terms(canary: str, hashed: Callable[[str], int]) -> Iterator[bytes]:
    """The bytes that the hashes of its terms could be written as."""
    for term in terms(canary):
        yield from (hashed(term).to_bytes(8, order) for order in ("little", "big"))


def remains(folder: Path) -> bytes:
    """Everything in the files of a folder."""
    return b"\n".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def found(needles: Iterable[Sequence[bytes]], haystack: bytes) -> int:
    """How many of these things are there in any of their forms; a form has at least eight bytes."""
    places = np.concatenate([np.frombuffer(haystack, "<u8", (len(haystack) - skip) // 8, skip) for skip in range(8)])
    starts = frozenset(np.unique(places).tolist())

    def is_there(form: bytes) -> bool:
        return int.from_bytes(form[:8], "little") in starts and form in haystack

    return sum(any(map(is_there, forms)) for forms in needles)
