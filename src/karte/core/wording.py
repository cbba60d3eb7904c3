"""A statement as a row of items: words, names and values, each with its part in the sentence; and whether it denies.

The words that are told apart are closed classes: articles, prepositions, auxiliaries, particles, negations. English and
Chinese say before a word what part it has (`in Paris`, `在台北`), Japanese and Korean after it (`大阪に`, `부산에서`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from karte.core.grammar import (
    AFTER_HAN,
    AUXILIARY_KANA,
    BEARINGS,
    CLOSED,
    CODE,
    COPULAS,
    DEFINITE,
    DENIED,
    DENYING,
    ENDINGS,
    HAN_DENIALS,
    HAN_DENYING,
    HANGUL_DENIALS,
    HANGUL_GRAMMAR,
    HANGUL_PARTS,
    HIRAGANA,
    HONORIFIC,
    KANA_BEARINGS,
    KANA_DENIALS,
    LAST_PARTICLES,
    MANY,
    PARTICLES,
    PARTS,
    TIES,
    WORD,
    After,
    Before,
)
from karte.core.quantities import Value, read
from karte.core.text.folding import clean, fold_run, fold_word
from karte.core.text.stemming import stem


class Item(NamedTuple):
    """A word, name or value of a statement, `place` the number of items before it.

    `key` is equal for equal items. `told` is whether the predicate has begun before it. `size` is 1 for a word, less
    for a Han character, whose neighbours in its run are `left` and `right`: the pairs that it is told by.
    """

    key: str
    shown: str
    place: int
    size: float
    name: bool
    before: Before
    told: bool
    after: After = After.NOTHING
    value: Value | None = None
    left: str = ""
    right: str = ""


@dataclass(frozen=True)
class Wording:
    """A text as items in text order; `denials` counts its negations.

    `definite` is whether it says something of one thing that is known: `the lead of`, `our bank`, `A 的 B`. `bearings`
    are those of its grammar words that a statement turns on: `before`, `only`, `must`, `まで`.
    """

    items: tuple[Item, ...]
    denials: int
    definite: bool = False
    bearings: frozenset[str] = frozenset()

    @cached_property
    def keys(self) -> frozenset[str]:
        """The keys of all items, and the pairs of neighbours in runs of Han characters."""
        return frozenset(key for item in self.items for key in (item.key, item.left, item.right) if key)

    @cached_property
    def size(self) -> float:
        """The size of all words and names together."""
        return sum(item.size for item in self.items if not item.value)

    def has(self, item: Item) -> bool:
        """Whether it has an item of another text; a Han character together with one of its neighbours."""
        keys = self.keys
        if item.left or item.right:
            return item.left in keys or item.right in keys
        return item.key in keys


def read_wording(text: str) -> Wording:
    """The wording of a text in any form of Unicode."""
    plain = clean(text)
    lower = plain.lower()
    folded = fold_run(lower if len(lower) == len(plain) else plain)
    return _Reader(plain, folded).wording(read(folded))


_HAN_SIZE: Final = 0.5


class _Reader:
    """Reads a text from left to right and remembers what stands before the next item."""

    def __init__(self, plain: str, folded: str) -> None:
        self._plain, self._folded = plain, folded
        self._items: list[Item] = []
        self._before, self._told, self._denials = Before.NOTHING, False, 0
        self._japanese = bool(re.search(f"[{HIRAGANA}]", plain))
        self._end_of_run = -1
        self._bearings: set[str] = set()
        self._hanging = ""

    def wording(self, values: Sequence[Value]) -> Wording:
        """The items of the text around its values, and how often it denies."""
        start = 0
        for value in values:
            self._words(start, value.start)
            self._add(value.key, value.shown, value=value)
            start = value.end
        self._words(start, len(self._plain))
        self._finish()
        if self._items and self._items[-1].after is After.TIE:  # 是關閉的: it ties to nothing
            self._mark(After.NOTHING)
        denials = self._denials + self._denied()
        return Wording(tuple(self._items), denials, self._definite(), frozenset(self._bearings))

    def _finish(self) -> None:
        """End a sentence: a preposition that nothing follows is a word, as in `the light is on`."""
        if self._hanging:
            self._add(self._hanging, self._hanging)
        self._told, self._before = False, Before.NOTHING

    def _definite(self) -> bool:
        """Whether the subject is known and one, as far as articles, ties and verbs tell."""
        known = DEFINITE.match(self._plain) or any(item.after is After.TIE and not item.told for item in self._items)
        return bool(known) and not MANY.search(self._plain)

    def _denied(self) -> int:
        hangul = len(HANGUL_DENIALS.findall(self._folded))
        if self._japanese:
            return hangul + len(KANA_DENIALS.findall(self._plain))
        return hangul + len(HAN_DENIALS.findall(self._folded))

    def _words(self, start: int, end: int) -> None:
        for match in WORD.finditer(self._plain, start, end):
            self._word(match.lastgroup or "", match[match.lastgroup or 0], match.start())

    def _word(self, kind: str, written: str, start: int) -> None:
        match kind:
            case "latin":
                self._latin(written, start)
            case "han":
                self._han(written, start)
            case "hiragana":
                self._hiragana(written, attached=start > 0 and self._plain[start - 1].isalnum())
            case "hangul":
                self._hangul(written, attached=start > 0 and self._plain[start - 1].isalnum())
            case "katakana":
                self._add(fold_run(written), written)
            case "quoted":
                self._add(_key(written), written, name=True)
            case "colon" | "aspect":
                self._grammar(Before.COPULA)
                self._pass(start, start + len(written))
            case _:
                self._finish()

    def _add(self, key: str, shown: str, *, size: float = 1.0, name: bool = False, value: Value | None = None) -> None:
        item = Item(key, shown, len(self._items), size, name, self._before, self._told, value=value)
        self._items.append(item)
        self._before, self._hanging = Before.NOTHING, ""

    def _grammar(self, kind: Before) -> None:
        self._before = max(self._before, kind)
        self._told = self._told or kind is Before.COPULA

    def _mark(self, after: After) -> None:
        """What a particle says of the item before it, and of where the predicate begins."""
        if self._items:
            self._items[-1] = self._items[-1]._replace(after=after)
        if after is After.TOPIC:
            self._told, self._before = True, Before.COPULA

    def _latin(self, written: str, start: int) -> None:
        word = written.replace("’", "'")
        if CODE.search(word):
            self._add(fold_word(word), written, name=True)
            return
        for part in PARTS.split(word):
            self._plain_word(part, start)

    def _plain_word(self, word: str, start: int) -> None:
        lower = word.lower()
        if self._is_name(word, start):
            self._add(_key(word), word, name=True)
        elif lower in DENYING or lower == DENIED:
            self._denials += 1
        elif lower == "'s":
            self._mark(After.TIE)
            self._before = Before.ARTICLE
        elif (kind := CLOSED.get(lower)) is not None:
            self._grammar(kind)
            self._hanging = lower if kind is Before.PREPOSITION else ""
            if lower in BEARINGS:
                self._bearings.add(lower)
        elif lower:
            self._add(_key(word), word, name=word[0].isupper() and start > 0)

    def _is_name(self, word: str, start: int) -> bool:
        """Whether it is written as no word of grammar is: `the IT team`, `server A`."""
        if not self._plain.isascii():
            return word.isupper()
        return word.isupper() and word != "I" and (len(word) > 1 or start > 0) and not self._plain.isupper()

    def _han(self, written: str, start: int) -> None:
        char = fold_run(written)
        kind = None if self._japanese else CLOSED.get(char)
        if char in TIES:
            self._mark(After.TIE)
            self._before = max(self._before, Before.ARTICLE)
        elif kind is not None:
            self._grammar(kind)
            self._pass(start, start + 1)
            if char in BEARINGS:
                self._bearings.add(char)
        elif self._japanese or char not in HAN_DENYING:
            self._han_item(char, written, start)
        else:
            self._pass(start, start + 1)

    def _pass(self, start: int, end: int) -> None:
        """Let a run of Han characters go on beyond what is no item of it."""
        if self._end_of_run == start:
            self._end_of_run = end

    def _han_item(self, char: str, written: str, start: int) -> None:
        joined = self._end_of_run == start and bool(self._items)
        self._add(char, written, size=_HAN_SIZE)
        if joined:
            pair = self._items[-2].key + char
            self._items[-2:] = [self._items[-2]._replace(right=pair), self._items[-1]._replace(left=pair)]
        self._end_of_run = start + 1

    def _hiragana(self, written: str, *, attached: bool) -> None:
        self._bearings.update(KANA_BEARINGS.findall(written))
        rest, grammar = written, AFTER_HAN if attached else AUXILIARY_KANA
        if self._items and rest.startswith(HONORIFIC):
            self._items[-1] = self._items[-1]._replace(name=True)
            rest = rest.removeprefix(HONORIFIC)
        if self._items and rest[:1] in PARTICLES and not rest.startswith(COPULAS):
            self._mark(PARTICLES[rest[0]])
            rest, grammar = rest[1:], AUXILIARY_KANA
        word = rest.rstrip(LAST_PARTICLES)
        if not grammar.fullmatch(word):
            self._add(word, word)
            for particle in rest[len(word) :][:1]:
                self._mark(PARTICLES[particle])

    def _hangul(self, written: str, *, attached: bool) -> None:
        if self._items and HANGUL_GRAMMAR.fullmatch(written):
            return
        ending = ENDINGS.search(written, 0 if attached else 1)
        if ending and ending[0] in BEARINGS:
            self._bearings.add(ending[0])
        word = written[: ending.start()] if ending else written
        if word:
            self._add(word, written)
        if ending and ending.lastgroup:
            self._mark(HANGUL_PARTS[ending.lastgroup])


def _key(word: str) -> str:
    return stem(fold_word(word))
