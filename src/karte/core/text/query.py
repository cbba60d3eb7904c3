"""What a person typed into a search box, and whether a text has it."""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from karte.core.text.analysis import terms
from karte.core.text.folding import clean, fold_run
from karte.core.text.pieces import pieces
from karte.core.text.shapes import shape_of
from karte.core.text.words import bigrams, places, tokens, word_tokens

_QUOTED = re.compile('"([^"]*)"|“([^“”]*)”|「([^「」]*)」|『([^『』]*)』|«([^«»]*)»')


@dataclass(frozen=True, slots=True)
class Query:
    """A search: any of `terms`, and each of `phrases`.

    `terms` are unique, in order of first use, and include those of the phrases; a hit is ranked by
    those it has. A phrase is a sequence of terms that a hit must contain (see `contains_phrase`).
    """

    terms: tuple[str, ...]
    phrases: tuple[tuple[str, ...], ...]


def parse_query(text: str) -> Query:
    """Return what `text` asks for: its terms, and as phrases what stands in a pair of quotes.

    Quotes are "", “”, 「」, 『』 and «»; one without its partner is a literal, as is every other
    sign. Any text is a query; one of signs only has no terms.
    """
    quoted = (found[found.lastindex or 0] for found in _QUOTED.finditer(text))
    phrases = (tuple(token.term for token in tokens(clean(part)) if token.primary) for part in quoted)
    return Query(tuple(dict.fromkeys(terms(text))), tuple(phrase for phrase in phrases if phrase))


def contains_phrase(text: str, phrase: Sequence[str]) -> bool:
    """Tell whether the terms of `phrase` follow one another in `text`.

    At each place either a compound or its parts may follow, so `nginx.conf` is found in a path, and
    a single Han character next to a word of another script in a longer run. An empty phrase is contained.
    """
    if not {term for term in phrase if len(term) > 1}.issubset(terms(text)):
        return False  # the common case, and far cheaper than following the phrase
    steps: defaultdict[str, list[tuple[int, int]]] = defaultdict(list)
    for term, first, last in _steps(clean(text)):
        steps[term].append((first, last))
    reached: set[int] | None = None
    for term in phrase:
        reached = {last for first, last in steps.get(term, ()) if reached is None or first in reached}
        if not reached:
            return False
    return True


def _steps(text: str) -> Iterator[tuple[str, int, int]]:
    """Yield (term, place before it, place after it) for each way to go on in a clean text."""
    place = 0
    for is_run, start, end in pieces(shape_of(text)):
        if is_run:
            yield from _run_steps(fold_run(text[start:end]), place)
            place += end - start
            continue
        found = word_tokens(text[start:end])
        for token in found:
            yield token.term, place + token.first, place + token.last
            yield token.term, place + token.first, place + token.first  # its parts may follow it, as in `terms`
        place += places(found)


def _run_steps(run: str, place: int) -> Iterator[tuple[str, int, int]]:
    for at, char in enumerate(run, place):
        yield char, at, at + 1
    for at, pair in enumerate(bigrams(run), place):
        yield pair, at, at + 1
        yield pair, at, at + len(pair)
