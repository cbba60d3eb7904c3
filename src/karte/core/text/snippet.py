"""The part of a text that answers a query best, with the words that matched."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple
from unicodedata import category

from karte.core.text.alignment import Aligned, align
from karte.core.text.pieces import pieces
from karte.core.text.shapes import shape_of
from karte.core.text.words import tokens


@dataclass(frozen=True, slots=True)
class Snippet:
    """A window of a text as it was written, and the half-open spans in it that matched, in order."""

    text: str
    spans: tuple[tuple[int, int], ...]


class _Match(NamedTuple):
    start: int
    end: int
    term: str


class _Cuts(NamedTuple):
    """Where a text may begin and end without cutting a word, in ascending order."""

    starts: list[int]
    ends: list[int]


def highlight(text: str, query_terms: Iterable[str], width: int = 160) -> Snippet:
    """Return the window of `text` with the most different query terms, at most `width` characters long.

    Among equals the one with more matches wins, then the first. It begins and ends between words
    where it can; without a match it is the beginning of the text. `width` is at least 1.
    """
    width = max(width, 1)
    aligned = align(text)
    wanted = frozenset(query_terms)
    matches = [
        _Match(aligned.starts[token.start], aligned.ends[token.end - 1], token.term)
        for token in tokens(aligned.text)
        if token.term in wanted
    ]
    begin, end = _window(len(text), _densest(matches, width), _cuts(aligned), width)
    return Snippet(text[begin:end], tuple(_spans(matches, begin, end)))


def _densest(matches: Sequence[_Match], width: int) -> tuple[int, int]:
    """Return the span from the first to the last match of the window with the most matched terms."""
    best = (0, 0)
    span = (0, 0)
    inside: Counter[str] = Counter()
    stop = 0
    for at, first in enumerate(matches):
        while stop < len(matches) and (stop == at or matches[stop].end - first.start <= width):
            inside[matches[stop].term] += 1
            stop += 1
        if (score := (len(inside), stop - at)) > best:
            best = score
            span = first.start, max(match.end for match in matches[at:stop])
        inside[first.term] -= 1
        if not inside[first.term]:
            del inside[first.term]
    return span


def _window(length: int, focus: tuple[int, int], cuts: _Cuts, width: int) -> tuple[int, int]:
    """Return the window around `focus`, with as much before it as after it, cut between words."""
    first, last = focus[0], min(focus[1], focus[0] + width)
    begin = max(0, min(first - (width - (last - first)) // 2, length - width))
    end = min(length, begin + width)
    if begin:
        after = cuts.starts[bisect_left(cuts.starts, begin) :][:1]
        begin = min([first, *after])
    if end < length:
        before = cuts.ends[: bisect_right(cuts.ends, end)][-1:]
        end = max([last, *before]) or end
    return begin, end


def _cuts(aligned: Aligned) -> _Cuts:
    cuts = _Cuts([], [])
    for is_run, start, end in pieces(shape_of(aligned.text)):
        inner = [at for at in range(start + 1, end) if is_run and category(aligned.text[at])[0] != "M"]
        cuts.starts.extend(aligned.starts[at] for at in (start, *inner))
        cuts.ends.extend(aligned.ends[at - 1] for at in (*inner, end))
    return cuts


def _spans(matches: Sequence[_Match], begin: int, end: int) -> Iterator[tuple[int, int]]:
    """Yield what of the matches lies in the window, counted from its start; what touches becomes one."""
    current: tuple[int, int] | None = None
    for match in matches:
        start, stop = max(match.start, begin) - begin, min(match.end, end) - begin
        if start >= stop:
            continue
        if current and start <= current[1]:
            current = current[0], max(current[1], stop)
            continue
        if current:
            yield current
        current = start, stop
    if current:
        yield current
