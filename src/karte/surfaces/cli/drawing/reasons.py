"""How a search came to its order: the query as it was read, and the score of each hit as a sum of bars.

    lexical     ########              0.420  0.60 * 0.70, raw 3.2, rank 1
    session     ######                0.300  0.30 * 1.00, raw 0.7, rank 1
    sum         ##############        0.720
    trust                           * 0.930
    score       #############         0.670

All bars of an answer have one scale, so that hits can be compared. The bars of the terms share that of the words.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Final

from rich.console import RenderableType
from rich.table import Table

from karte.surfaces.cli.drawing.words import FAINT, indented, pairs, text
from karte.surfaces.cli.output import Shape

_BAR: Final = 20
_LONGEST_NAME: Final = 24
_WORDS: Final = "lexical"
_SESSION: Final = "session"
_Row = tuple[str, str, str, str]


def asked(shape: Shape) -> Table:
    """Which voices were asked, what the query is after, the times that it names, and who was silent and why."""
    rows = [("asked", f"{shape['mode']}, profile {shape['profile']}"), ("intent", _intent(shape["intent"]))]
    rows += [("time", _time(moment)) for moment in shape["times"]]
    rows.append(("silent", ", ".join(shape["silent_voices"])))
    rows += [("degraded", reason) for reason in shape["degraded"]]
    return pairs(rows)


def _intent(intent: Shape | None) -> str:
    if intent is None:
        return ""
    cues = f", {intent['confidence']:.2f}: {', '.join(intent['cues'])}" if intent["cues"] else ""
    return f"{intent['name']}{cues}"


def _time(moment: Shape) -> str:
    likely = f", weight {moment['weight']:g}" if moment["weight"] < 1 else ""
    return f"{moment['text']}: {_period(moment)}{likely}"


def _period(moment: Shape) -> str:
    start, end = moment["from"], moment["until"]
    if moment["kind"] == _SESSION:
        return _sessions(start, end)
    return " ".join([*([f"from {start}"] if start else []), *([f"until {end}"] if end else [])])


def _sessions(start: int, end: int) -> str:
    """Sessions [start, end), counted from 1, or from -1 backwards; an end of 0 is after the last one."""
    last = end - 1
    one, other = (_session(place) for place in (start, last))
    return one if start == last else f"{one} to {other}"


def _session(place: int) -> str:
    return f"session {place}" if place > 0 else "last session" if place == -1 else f"session {-place} from the end"


def full_bar(hits: Iterable[Shape]) -> float:
    """What the longest bar of an answer stands for: the greatest sum or score, at least 1."""
    return max([1.0, *(figure for hit in hits for figure in (_sum(hit), hit["score"]))])


def _sum(hit: Shape) -> float:
    return float(sum(part["weight"] * part["normalised"] for part in hit["parts"].values()))


def reasons(hit: Shape, full: float = 1.0) -> Table:
    """The score of a hit, from its parts to its standing; a bar of 20 cells is `full`."""
    table = Table.grid(padding=(0, 2))
    table.add_column(style=FAINT, max_width=_LONGEST_NAME, overflow="fold")
    table.add_column(no_wrap=True, min_width=_BAR)
    table.add_column(no_wrap=True, justify="right")
    table.add_column(overflow="fold")
    for name, *cells in [*_parts(hit, full), *_score(hit, full)]:
        table.add_row(text(name), *cells)
    return table


def _parts(hit: Shape, full: float) -> Iterator[_Row]:
    for name, part in hit["parts"].items():
        gives = part["weight"] * part["normalised"]
        said = f"{part['weight']:.2f} * {part['normalised']:.2f}, raw {part['raw']:.4g}, rank {part['rank']}"
        yield name, bar(gives / full), f"{gives:.3f}", said
        if name == _WORDS:
            yield from _terms(hit, gives / full)


def _terms(hit: Shape, length: float) -> Iterator[_Row]:
    whole = sum(term["score"] for term in hit["terms"]) or 1.0
    for term in hit["terms"]:
        said = f"raw {term['score']:.4g}, idf {term['idf']:.2f}, count {term['count']}"
        yield f"  {term['term']}", bar(length * term["score"] / whole), "", said


def _score(hit: Shape, full: float) -> Iterator[_Row]:
    whole = _sum(hit)
    if len(hit["parts"]) > 1:
        yield "sum", bar(whole / full), f"{whole:.3f}", ""
    for name, factor in hit["standing"].items():
        yield name, "", f"* {factor:.3f}", ""
    yield "score", bar(hit["score"] / full), f"{hit['score']:.3f}", ""


def left_out(shape: Shape) -> Iterator[RenderableType]:
    """What was found and is no hit, by reason."""
    reasons: dict[str, list[str]] = defaultdict(list)
    for left in shape["left_out"]:
        reasons[left["reason"]].append(left["memory_id"])
    if reasons:
        yield text("left out", FAINT)
    for reason, ids in reasons.items():
        yield indented(text(f"{reason}: {', '.join(ids)}"))


def bar(portion: float) -> str:
    """A bar for a number from 0 to 1."""
    return "#" * round(max(0.0, min(1.0, portion)) * _BAR)
