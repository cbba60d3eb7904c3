"""Secrets and personal numbers in a text: where they are, and the text without them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from karte.core.guard.checksums import CHECKS
from karte.core.guard.literals import Found, Words
from karte.errors import InvalidValue

_CLASSES: Final = ("secret", "personal")
_NUMBER: Final = re.compile(r"\d[\d -]{7}")


@dataclass(frozen=True, slots=True)
class Secret:
    """What should not be kept in the clear: its kind, whether it is personal data, where it is in the text."""

    kind: str
    personal: bool
    start: int
    end: int


@dataclass(frozen=True)
class Detector:
    """How one kind of secret looks: a pattern, of which group 1 is the secret where there is one, and a check of it.

    It is tried only where one of `needs` (in small letters) is in the text, or a number where there are none.
    """

    kind: str
    personal: bool
    needs: tuple[str, ...]
    pattern: str
    check: str = ""
    examples: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, ready; compiled when it is first needed."""
        return re.compile(self.pattern)

    def find(self, text: str) -> Iterator[Secret]:
        """Each secret of this kind in a text."""
        for match in self.compiled.finditer(text):
            group = 1 if match.re.groups else 0
            if not self.check or CHECKS[self.check](match[group]):
                yield Secret(self.kind, self.personal, *match.span(group))


class Detectors:
    """All detectors, and what they find together."""

    def __init__(self, detectors: Iterable[Detector]) -> None:
        """Keep the detectors in the order in which they were given."""
        self.detectors = tuple(detectors)
        self._numeric = [place for place, each in enumerate(self.detectors) if not each.needs]
        by_word: dict[str, list[int]] = {}
        for place, each in enumerate(self.detectors):
            for need in each.needs:
                by_word.setdefault(need, []).append(place)
        self._words, self._places = Words(by_word), list(by_word.values())

    def find(self, text: str) -> tuple[Secret, ...]:
        """The secrets in a text, in its order; of two that overlap the longer one."""
        return self.find_each([text])[0]

    def find_each(self, texts: Sequence[str]) -> list[tuple[Secret, ...]]:
        """The secrets in each of these texts; many at once cost less than one by one."""
        named = self._words.in_each([text.lower() for text in texts])
        return [self._found(text, words) for text, words in zip(texts, named, strict=True)]

    def _found(self, text: str, words: Found) -> tuple[Secret, ...]:
        tried = {place for word in words for place in self._places[word]}
        if _NUMBER.search(text):
            tried.update(self._numeric)
        found = [secret for place in sorted(tried) for secret in self.detectors[place].find(text)]
        return _apart(found) if found else ()


def _apart(found: Sequence[Secret]) -> tuple[Secret, ...]:
    """Secrets that do not overlap, in the order of their text; the longer one of two that do."""
    kept = list[Secret]()
    for secret in sorted(found, key=lambda each: (each.start - each.end, each.start)):
        if all(secret.end <= other.start or other.end <= secret.start for other in kept):
            kept.append(secret)
    return tuple(sorted(kept, key=lambda each: each.start))


def redacted(text: str, secrets: Sequence[Secret]) -> str:
    """The text with `[redacted KIND]` in the place of each secret; secrets do not overlap."""
    for secret in sorted(secrets, key=lambda each: -each.start):
        text = f"{text[: secret.start]}[redacted {secret.kind}]{text[secret.end :]}"
    return text


def read_detectors(document: Mapping[str, Any]) -> Detectors:
    """Read detectors from a document of `detector` tables; raises `InvalidValue` for an unknown class or check."""
    return Detectors(_detector(entry) for entry in document["detector"])


def _detector(entry: Mapping[str, Any]) -> Detector:
    check = entry.get("check", "")
    if entry["class"] not in _CLASSES or (check and check not in CHECKS):
        raise InvalidValue(f"Detector {entry['kind']!r} has an unknown class or check.")
    return Detector(
        kind=entry["kind"],
        personal=entry["class"] == "personal",
        needs=tuple(entry.get("needs", ())),
        pattern=entry["pattern"],
        check=check,
        examples=tuple(entry["for"]),
        counterexamples=tuple(entry["against"]),
    )
