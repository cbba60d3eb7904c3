"""Rules for text: what an order to whoever reads it looks like. They are data; this is how they are read and matched."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from karte.core.guard import hidden
from karte.core.guard.findings import KINDS, Finding, Hit, finding
from karte.core.guard.literals import Found, Words
from karte.core.guard.payloads import payloads, turned
from karte.core.guard.reading import Reading, fold_pattern, folded, unleeted, unspaced
from karte.errors import InvalidValue

_MOST_MATCHES: Final = 8
"""How often one rule is looked for in one reading."""

_QUOTED: Final = 80
_WIDE: Final = frozenset({"zh-Hant", "zh-Hans", "ja", "ko"})
_WORD: Final = re.compile("(?<!P)<([a-z_]+)>")
_DISGUISED: Final = 0.5
"""What it weighs that a sign came out only when a disguise was taken off."""


@dataclass(frozen=True, eq=False)
class Rule:
    """A sign: what it is called, its kind and weight (0..1), and the pattern that finds it in a folded text.

    The pattern is tried only where one of `needs` is in the text; a blank in it stands for up to thirty blanks. `first` is
    a shorter pattern that is wherever `pattern` is, if there is one: most texts lack it, and it is found faster. `amid` is
    how many characters of other text there must be around it.
    """

    id: str
    kind: str
    weight: float
    languages: tuple[str, ...]
    needs: tuple[str, ...]
    pattern: str
    amid: int = 0
    first: str = ""
    examples: tuple[str, ...] = ()
    counterexamples: tuple[str, ...] = ()

    @cached_property
    def wide(self) -> bool:
        """Whether only a text in Chinese, Japanese or Korean can have this sign."""
        return _WIDE.issuperset(self.languages)

    @cached_property
    def compiled(self) -> re.Pattern[str]:
        """The pattern, ready; compiled when it is first needed."""
        return _compiled(self.pattern)

    @cached_property
    def _first(self) -> re.Pattern[str]:
        return _compiled(self.first)

    @cached_property
    def compact(self) -> re.Pattern[str]:
        """The pattern for a reading in which blanks between words may be lost."""
        pattern = self.pattern.replace(" ?", " ").replace(" ", r"\s{0,30}").replace(r"\b", "")
        return re.compile(fold_pattern(pattern), re.MULTILINE)

    def matches(self, reading: Reading) -> Iterator[re.Match[str]]:
        """Where the sign is in a reading, at most a few times."""
        if self.first and not reading.compact and not self._first.search(reading.text):
            return
        pattern = self.compact if reading.compact else self.compiled
        for number, match in enumerate(pattern.finditer(reading.text)):
            if number == _MOST_MATCHES:
                return
            if len(reading.text) - len(match[0]) >= self.amid:
                yield match


def _compiled(pattern: str) -> re.Pattern[str]:
    spaced = pattern.replace(" ?", r"\s{0,30}").replace(" ", r"\s{1,30}")
    return re.compile(fold_pattern(spaced), re.MULTILINE)


EXCUSE: Final = "excuse"
"""The kind of a rule that takes weight from the signs inside what it finds."""


class Triggers:
    """Which rules are worth trying on a text: those of which a needed word is in it."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Sort the rules by the words that they need."""
        by_word: dict[str, list[Rule]] = {}
        for rule in rules:
            for need in map(fold_pattern, rule.needs):
                by_word.setdefault(need, []).append(rule)
        self._words, self._rules = Words(by_word), list(by_word.values())

    def applying(self, texts: Sequence[str]) -> list[list[Rule]]:
        """The rules that may find something in each of these texts, each once."""
        return [
            list(dict.fromkeys(self._of(found, narrow=text.isascii()))) if found else []
            for text, found in zip(texts, self._words.in_each(texts), strict=True)
        ]

    def _of(self, found: Found, *, narrow: bool) -> Iterator[Rule]:
        return (rule for number in found for rule in self._rules[number] if not (narrow and rule.wide))


_NOTHING: Final = Finding()


class RuleBook:
    """All rules, and how a text is scanned by them."""

    def __init__(self, rules: Iterable[Rule]) -> None:
        """Sort rules by the words that they need."""
        self.rules = tuple(rules)
        self._triggers = Triggers(self.rules)

    def scan(self, text: str) -> Finding:
        """Find the signs in a text: as it reads, and with each disguise off."""
        return self.scan_each([text])[0]

    def scan_each(self, texts: Sequence[str]) -> list[Finding]:
        """Find the signs in each of these texts; many at once cost less than one by one."""
        plain = [folded(text) for text in texts]
        tried = self._triggers.applying([reading.text for reading in plain])
        return [self._scanned(*each) for each in zip(texts, plain, tried, strict=True)]

    def _scanned(self, text: str, plain: Reading, rules: Sequence[Rule]) -> Finding:
        hits = [*_hits(rules, plain, text), *hidden.signs(text)]
        known = {(hit.rule, hit.start) for hit in hits}
        for disguise, reading in _undisguised(plain, text):
            tried = self._triggers.applying([reading.text])[0]
            found = [hit for hit in _hits(tried, reading, text) if (hit.rule, hit.start) not in known]
            if found:
                hits += [*found, _disguise(disguise, found)]
        return finding(hits) if hits else _NOTHING


def _hits(applying: Sequence[Rule], reading: Reading, text: str) -> list[Hit]:
    rules = [rule for rule in applying if rule.amid <= len(reading.text)]
    if not rules:
        return []
    excuses = [(rule, match.span()) for rule in rules if rule.kind == EXCUSE for match in rule.matches(reading)]
    signs = [rule for rule in rules if rule.kind != EXCUSE]
    return [_hit(rule, match, reading, text, excuses) for rule in signs for match in rule.matches(reading)]


def _undisguised(plain: Reading, text: str) -> Iterator[tuple[str, Reading]]:
    yield from (("spaced-out", reading) for reading in unspaced(plain))
    yield from (("digits-for-letters", reading) for reading in unleeted(plain))
    yield from (("turned-around", reading) for reading in turned(plain))
    yield from (("encoded", reading) for reading in payloads(text))
    yield from (("hidden", reading) for reading in hidden.readings(text))


def _disguise(name: str, found: Sequence[Hit]) -> Hit:
    first = max(found, key=lambda hit: hit.weight)
    return Hit(f"disguise-{name}", "encoding_trick", _DISGUISED, first.start, first.end, first.quote)


Span = tuple[int, int]


def _hit(rule: Rule, match: re.Match[str], reading: Reading, text: str, excuses: Sequence[tuple[Rule, Span]]) -> Hit:
    weight = rule.weight
    for excuse, (start, end) in excuses:
        if start <= match.start() and match.end() <= end:
            weight *= 1 - excuse.weight
    start, end = reading.span(*match.span())
    return Hit(rule.id, rule.kind, round(weight, 4), start, end, " ".join(text[start:end].split())[:_QUOTED])


def read_rules(document: Mapping[str, Any]) -> RuleBook:
    """Read rules from a document of `words` (named parts of patterns) and `rule` tables; raises `InvalidValue`."""
    words = dict[str, str]()
    for name, alternatives in document.get("words", {}).items():
        words[name] = _spelled("(?:" + "|".join(alternatives) + ")", words)
    return RuleBook(_rule(entry, words) for entry in document["rule"])


def _rule(entry: Mapping[str, Any], words: Mapping[str, str]) -> Rule:
    kind = entry["class"]
    if kind not in (*KINDS, EXCUSE) or not 0 < entry["weight"] < 1:
        raise InvalidValue(f"Rule {entry['id']!r} has an unknown class or a weight that is not between 0 and 1.")
    return Rule(
        id=entry["id"],
        kind=kind,
        weight=entry["weight"],
        languages=tuple(entry["languages"]),
        needs=tuple(entry["needs"]),
        pattern=_spelled(entry["pattern"], words),
        amid=entry.get("amid", 0),
        first=_spelled(entry.get("first", ""), words),
        examples=tuple(entry["for"]),
        counterexamples=tuple(entry["against"]),
    )


def _spelled(pattern: str, words: Mapping[str, str]) -> str:
    """The pattern with its `<names>` written out."""
    return _WORD.sub(lambda name: words[name[1]], pattern)
