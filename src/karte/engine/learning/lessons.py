"""The lessons of a notebook: which mistakes teach the same, and which rule they belong to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from karte.core.lessons import Category, Kinship, Sharing, read_lesson, unknown
from karte.engine.asking import Asking
from karte.engine.embeddings import stored
from karte.engine.learning.notebook import Entry, Notebook, Occurrence, Ruling
from karte.engine.scanning import Floats
from karte.engine.services import Services


@dataclass(frozen=True)
class Taught:
    """A lesson: the mistakes that teach it, in order, and the rule in force that was made of some of them, if any.

    `open` are the occurrences that no rule covers.
    """

    entries: tuple[Entry, ...]
    ruling: Ruling | None
    open: tuple[Occurrence, ...]

    @property
    def category(self) -> Category:
        """What kind of mistakes these are."""
        return self.entries[0].category


def lessons_of(question: Asking, services: Services, notebook: Notebook) -> list[Taught]:
    """All mistakes of a notebook sorted into lessons, by category and in order of their first mistake.

    What has a rule stays with it. Any other mistake joins the rule with a source that shares its lesson; the rest are
    sorted among themselves. So nothing that comes later takes a mistake away from a rule, or makes two rules one.
    """
    return [taught for category in Category for taught in _Sorting(question, services, notebook, category).lessons()]


class _Sorting:
    """The mistakes of one category on the way to their lessons, named by their places in order."""

    def __init__(self, question: Asking, services: Services, notebook: Notebook, category: Category) -> None:
        self.notebook = notebook
        self.entries = [entry for entry in notebook.entries if entry.category is category]
        kinship = _kinship(question, services, self.entries)
        self.sharing = Sharing([read_lesson(entry.lesson) for entry in self.entries], kinship)

    def lessons(self) -> list[Taught]:
        """Each lesson, by its first mistake."""
        ruled, free = self._ruled()
        found: list[tuple[list[int], Ruling | None]] = [(places, ruling) for ruling, places in ruled]
        found += [(places, None) for places in self.sharing.clusters(free)]
        return [self._taught(places, ruling) for places, ruling in sorted(found, key=lambda each: each[0])]

    def _ruled(self) -> tuple[list[tuple[Ruling, list[int]]], list[int]]:
        """The places that belong to each rule, and those that belong to none."""
        mine: dict[int, list[int]] = {}
        rulings = {}
        loose = []
        for place, entry in enumerate(self.entries):
            if ruling := self.notebook.rule_of(entry):
                rulings[ruling.number] = ruling
                mine.setdefault(ruling.number, []).append(place)
            else:
                loose.append(place)
        anchors = [tuple(places) for places in mine.values()]
        nearest = {place: self.sharing.nearest(place, anchors) for place in loose}
        groups = [[*anchor, *(p for p in loose if nearest[p] == at)] for at, anchor in enumerate(anchors)]
        ruled = [(rulings[number], sorted(group)) for number, group in zip(mine, groups, strict=True)]
        return ruled, [place for place in loose if nearest[place] is None]

    def _taught(self, places: Sequence[int], ruling: Ruling | None) -> Taught:
        entries = tuple(self.entries[place] for place in places)
        return Taught(entries, ruling, tuple(one for entry in entries for one in self.notebook.open(entry)))


def _kinship(question: Asking, services: Services, entries: Sequence[Entry]) -> Kinship:
    """How near mistakes are by the vectors that were filled in; nothing is embedded."""
    sets = question.unit.vectors.sets() if len(entries) > 1 else ()
    vector_set = next((each for each in sets if each.active), None)
    embedder = None if vector_set is None else services.embeddings.embedder_of(vector_set.identity)
    if vector_set is None or embedder is None:
        return unknown
    numbers = [entry.number for entry in entries]
    blobs = question.unit.vectors.of(question.frame.namespace, vector_set.number, numbers)
    rows = _rows(blobs)
    rest, full = embedder.rest, embedder.full

    def kinship(one: int, other: int) -> float | None:
        first, second = rows.get(numbers[one]), rows.get(numbers[other])
        return None if first is None or second is None else (float(first @ second) - rest) / (full - rest)

    return kinship


def _rows(blobs: Mapping[int, bytes]) -> dict[int, Floats]:
    return {number: stored([blob])[0].astype(np.float32) for number, blob in blobs.items()}
