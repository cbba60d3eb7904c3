"""The picture of a result."""

from xml.etree import ElementTree as ET

from karte.bench.charts import chart
from karte.bench.results import Curve, Figure, Measured, Point, Result, at_least, at_most

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = (
    Figure("all", "recall@10 <&>", 0.5, target=at_least(0.75)),
    Figure("all", "search p95", 5.0, "ms cpu", at_most(10)),
    Figure("all", "search p95 of more", 50.0, "ms cpu", at_most(10)),
    Figure("all", "file", 12.0, "MB"),
    Figure("all", "violations", 0.0, "objects", at_most(0)),
)


ABLATION = (
    Figure("ablation: all voices", "recall@10", 0.75),
    Figure("ablation: without graph", "recall@10", 0.5),
)
FLOORS = Curve("floors", "off", "on", (Point(1, 1, 0.0), Point(0.25, 0.5, 0.5)), Point(0.5, 1))


def drawn(*figures: Figure, curves: tuple[Curve, ...] = ()) -> ET.Element:
    measured = Measured({}, figures, curves)
    result = Result("speed", "karte bench", "2026-12-01T00:00:00Z", "abc", {}, None, measured)
    return ET.fromstring(chart(result))  # noqa: S314 - our own text


def test_a_share_is_drawn_as_such_and_another_figure_as_a_share_of_twice_its_target() -> None:
    bars = [
        (bar.get("class"), bar.get("width"))
        for bar in drawn(*FIGURES).iter(f"{SVG}rect")
        if bar.get("class") != "track"
    ]
    assert bars == [("missed", "150.0"), ("met", "75.0"), ("missed", "300.0"), ("met", "0.0")]


def test_a_line_stands_where_the_target_is() -> None:
    lines = [float(line.get("x1") or 0) - 420 for line in drawn(*FIGURES).iter(f"{SVG}line")]
    assert lines == [225.0, 150.0, 150.0, 0.0]


def test_names_are_written_as_they_are() -> None:
    assert "all: recall@10 <&>" in [text.text for text in drawn(*FIGURES).iter(f"{SVG}text")]


def test_in_an_ablation_a_line_stands_where_all_voices_are() -> None:
    lines = [float(line.get("x1") or 0) - 420 for line in drawn(*ABLATION).iter(f"{SVG}line")]
    assert lines == [225.0, 225.0]


def test_a_curve_is_drawn_below_the_bars_with_a_dot_at_what_is_shipped() -> None:
    picture = drawn(curves=(FLOORS,))
    lines = [line.get("points") for line in picture.iter(f"{SVG}polyline") if line.get("class") == "curve"]
    dots = [(dot.get("cx"), dot.get("cy")) for dot in picture.iter(f"{SVG}circle")]
    # Without bars the square begins 44 + 40 down and 40 to the right; its side is 300.
    assert (lines, dots) == (["340.0,84.0 115.0,234.0"], [("190.0", "84.0")])
    assert picture.get("height") == "424"
