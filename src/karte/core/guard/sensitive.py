"""Secrets and personal numbers in a text: where they are, and the text without them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from karte.core.guard.checksums import CHECKS
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

    def find(self, text: str) -> tuple[Secret, ...]:
        """The secrets in a text, in its order; of two that overlap the longer one."""
        small, number = text.lower(), _NUMBER.search(text) is not None
        tried = (each for each in self.detectors if _applies(each, small, number=number))
        found = sorted(
            (secret for each in tried for secret in each.find(text)),
            key=lambda each: (each.start - each.end, each.start),
        )
        kept = list[Secret]()
        for secret in found:
            if all(secret.end <= other.start or other.end <= secret.start for other in kept):
                kept.append(secret)
        return tuple(sorted(kept, key=lambda each: each.start))


def _applies(detector: Detector, small: str, *, number: bool) -> bool:
    return any(need in small for need in detector.needs) if detector.needs else number


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
