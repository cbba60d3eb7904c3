"""A result as an SVG picture: a bar a figure, with a line where its target is, and below them the curves.

The bars of an ablation have a line where the figure stands with all voices.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final
from xml.sax.saxutils import escape

from karte.bench.asking import ABLATION, WHOLE
from karte.bench.results import Curve, Figure, Point, Result, number

_ROW: Final = 22
_LABELS: Final = 420
_BAR: Final = 300
_VALUES: Final = 160
_WIDTH: Final = _LABELS + _BAR + _VALUES
_SIDE: Final = 300
_MARGIN: Final = 40
_STYLE: Final = """text { font: 13px sans-serif; fill: #222 } .title { font-weight: bold } .track { fill: #e4e4e4 }
.curve { fill: none; stroke: #6b7f99; stroke-width: 2 } .even { stroke: #999 } .shipped { fill: #c0392b }
.none { fill: #6b7f99 } .met { fill: #2f8f5b } .missed { fill: #c0392b } .target { stroke: #222; stroke-width: 2 }
@media (prefers-color-scheme: dark) { text { fill: #eee } .track { fill: #444 } .target { stroke: #eee } }"""
_CLASS: Final = {True: "met", False: "missed", None: "none"}


def chart(result: Result) -> str:
    """Draw shares (0..1) on their own scale, and every other figure with a target as a share of twice its target.

    Figures with neither are left out.
    """
    figures = [figure for figure in result.figures if not figure.unit or figure.target]
    bars = _ROW * (len(figures) + 2)
    height = bars + len(result.measured.curves) * (_SIDE + 2 * _MARGIN)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}" height="{height}">',
        f"<title>{escape(result.command)}</title>",
        f"<style>{_STYLE}</style>",
        _text(8, _ROW - 6, f"{result.bench}: {result.commit}, {result.measured_at}", "title"),
        *_rows(figures),
        *_curves(result.measured.curves, bars),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _rows(figures: Sequence[Figure]) -> Iterator[str]:
    whole = {figure.name: figure.value for figure in figures if figure.group == ABLATION + WHOLE}
    for place, figure in enumerate(figures, 1):
        top = _ROW * place + 8
        filled, target = _bar(figure, whole)
        yield _text(8, top + 14, f"{figure.group}: {figure.name}")
        yield _box(top, 1.0, "track")
        yield _box(top, filled, _CLASS[figure.met])
        if target is not None:
            at = _LABELS + _BAR * target
            yield f'<line class="target" x1="{at:.1f}" x2="{at:.1f}" y1="{top}" y2="{top + _ROW - 4}"/>'
        bound = f" ({figure.target})" if figure.target else ""
        yield _text(_LABELS + _BAR + 8, top + 14, f"{number(figure.value)} {figure.unit}{bound}")


def _bar(figure: Figure, whole: Mapping[str, float]) -> tuple[float, float | None]:
    """How far the bar is filled and where the target stands, or in an ablation the `whole`, 0..1."""
    bound = figure.target.bound if figure.target else None
    if not figure.unit:
        return _clipped(figure.value), whole.get(figure.name) if figure.group.startswith(ABLATION) else bound
    if not bound:
        return _clipped(figure.value), 0.0
    return _clipped(figure.value / bound / 2), 0.5


def _curves(curves: Sequence[Curve], top: int) -> Iterator[str]:
    for place, curve in enumerate(curves):
        bottom = top + place * (_SIDE + 2 * _MARGIN) + _MARGIN + _SIDE
        yield _text(_MARGIN, bottom - _SIDE - 8, f"{curve.name}: {curve.up} (up), {curve.across} (across)", "title")
        yield f'<rect class="track" x="{_MARGIN}" y="{bottom - _SIDE}" width="{_SIDE}" height="{_SIDE}"/>'
        yield f'<polyline class="even" points="{_place(Point(0, 0), bottom)} {_place(Point(1, 1), bottom)}"/>'
        yield f'<polyline class="curve" points="{" ".join(_place(point, bottom) for point in curve.points)}"/>'
        across, up = _place(curve.shipped, bottom).split(",")
        yield f'<circle class="shipped" cx="{across}" cy="{up}" r="5"/>'


def _place(point: Point, bottom: int) -> str:
    return f"{_MARGIN + _SIDE * _clipped(point.x):.1f},{bottom - _SIDE * _clipped(point.y):.1f}"


def _clipped(share: float) -> float:
    return min(max(share, 0.0), 1.0)


def _box(top: int, share: float, kind: str) -> str:
    return f'<rect class="{kind}" x="{_LABELS}" y="{top + 2}" width="{_BAR * share:.1f}" height="{_ROW - 8}"/>'


def _text(left: int, top: int, text: str, kind: str = "") -> str:
    named = f' class="{kind}"' if kind else ""
    return f'<text{named} x="{left}" y="{top}">{escape(text)}</text>'
