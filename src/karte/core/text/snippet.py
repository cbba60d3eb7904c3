"""The part of a text that answers a query best, with the words that matched."""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from operator import itemgetter
from unicodedata import category

from karte.core.text.alignment import Aligned, align
from karte.core.text.folding import fold_run
from karte.core.text.pieces import pieces
from karte.core.text.shapes import shape_of
from karte.core.text.words import bigrams, word_tokens

_Piece = tuple[bool, int, int]  # is a run, start, end
_Match = tuple[int, int, str]  # start, end, term
_Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Snippet:
    """A window of a text as it was written, and the half-open spans in it that matched, in order."""

    text: str
    spans: tuple[tuple[int, int], ...]


class _Cuts:
    """Where a text can be cut without cutting a word, or a mark from its letter."""

    def __init__(self, aligned: Aligned, found: Sequence[_Piece]) -> None:
        self._aligned = aligned
        self._found = found

    def start_after(self, begin: int) -> int:
        """Return the first place at or after `begin` where a text may begin, else its end."""
        text, starts, ends = self._aligned
        at = bisect_left(starts, begin)
        for is_run, start, end in self._found[bisect_right(self._found, at, key=itemgetter(2)) :]:
            if start >= at:
                return starts[start]
            for inner in range(at, end if is_run else at):
                if category(text[inner])[0] != "M":
                    return starts[inner]
        return ends[-1]

    def end_before(self, end: int) -> int:
        """Return the last place at or before `end` where a text may end, else 0."""
        text, _, ends = self._aligned
        at = bisect_right(ends, end)
        for is_run, start, stop in reversed(self._found[: bisect_left(self._found, at, key=itemgetter(1))]):
            if stop <= at:
                return ends[stop - 1]
            for inner in range(at, start if is_run else at, -1):
                if category(text[inner])[0] != "M":
                    return ends[inner - 1]
        return 0


def highlight(text: str, query_terms: Iterable[str], width: int = 160) -> Snippet:
    """Return the window of `text` with the most different query terms, at most `width` characters long.

    Among equals the one with more matches wins, then the first. It begins and ends between words
    where it can; without a match it is the beginning of the text. `width` is at least 1.
    """
    width = max(width, 1)
    aligned = align(text)
    found = list(pieces(shape_of(aligned.text)))
    matches = [
        (aligned.starts[start], aligned.ends[end - 1], term)
        for start, end, term in _matches(aligned.text, found, frozenset(query_terms))
    ]
    begin, end = 0, len(text)
    if end > width:
        begin, end = _window(end, _densest(matches, width), width, _Cuts(aligned, found))
    return Snippet(text[begin:end], tuple(_spans(matches, begin, end)))


def _matches(text: str, found: Iterable[_Piece], wanted: frozenset[str]) -> Iterator[_Match]:
    for is_run, start, end in found:
        piece = text[start:end]
        if is_run:
            grams = enumerate(bigrams(fold_run(piece)), start)
            yield from ((at, min(at + 2, end), gram) for at, gram in grams if gram in wanted)
        else:
            yield from ((start + t.start, start + t.end, t.term) for t in word_tokens(piece) if t.term in wanted)


def _densest(matches: Sequence[_Match], width: int) -> _Span:
    """Return the span of the matches in the window with the most matched terms, (0, 0) without a match."""
    best, span = (0, 0), (0, 0)
    inside: Counter[str] = Counter()
    stop = 0
    for at, (start, _, term) in enumerate(matches):
        while stop < len(matches) and (stop == at or matches[stop][1] - start <= width):
            inside[matches[stop][2]] += 1
            stop += 1
        if (score := (len(inside), stop - at)) > best:
            best, span = score, (start, max(end for _, end, _ in matches[at:stop]))
        inside[term] -= 1
        if not inside[term]:
            del inside[term]
    return span[0], min(span[1], span[0] + width)


def _window(length: int, focus: _Span, width: int, cuts: _Cuts) -> _Span:
    """Return the window around `focus`, with as much text before it as after it, cut between words."""
    first, last = focus
    begin = max(0, min(first - (width - (last - first)) // 2, length - width))
    end = begin + width
    if begin:
        begin = min(first, cuts.start_after(begin))
    if end < length:
        end = max(last, cuts.end_before(end)) or end
    return begin, end


def _spans(matches: Sequence[_Match], begin: int, end: int) -> Iterator[_Span]:
    """Yield what of the matches lies in the window, counted from its start; what touches becomes one."""
    current: _Span | None = None
    for start, stop, _ in matches:
        span = max(start, begin) - begin, min(stop, end) - begin
        if span[0] >= span[1]:
            continue
        if current and span[0] <= current[1]:
            span = current[0], max(span[1], current[1])
        elif current:
            yield current
        current = span
    if current:
        yield current
