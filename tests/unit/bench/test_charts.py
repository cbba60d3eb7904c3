"""The picture of a result."""

from xml.etree import ElementTree as ET

from karte.bench.charts import chart
from karte.bench.results import Figure, Measured, Result, at_least, at_most

SVG = "{http://www.w3.org/2000/svg}"
FIGURES = (
    Figure("all", "recall@10 <&>", 0.5, target=at_least(0.75)),
    Figure("all", "search p95", 5.0, "ms cpu", at_most(10)),
    Figure("all", "search p95 of more", 50.0, "ms cpu", at_most(10)),
    Figure("all", "file", 12.0, "MB"),
    Figure("all", "violations", 0.0, "objects", at_most(0)),
)


def drawn() -> ET.Element:
    result = Result("speed", "karte bench", "2026-12-01T00:00:00Z", "abc", {}, None, Measured({}, FIGURES))
    return ET.fromstring(chart(result))  # noqa: S314 - our own text


def test_a_share_is_drawn_as_such_and_another_figure_as_a_share_of_twice_its_target() -> None:
    bars = [(bar.get("class"), bar.get("width")) for bar in drawn().iter(f"{SVG}rect") if bar.get("class") != "track"]
    assert bars == [("missed", "150.0"), ("met", "75.0"), ("missed", "300.0"), ("met", "0.0")]


def test_a_line_stands_where_the_target_is() -> None:
    lines = [float(line.get("x1") or 0) - 420 for line in drawn().iter(f"{SVG}line")]
    assert lines == [225.0, 150.0, 150.0, 0.0]


def test_names_are_written_as_they_are() -> None:
    assert "all: recall@10 <&>" in [text.text for text in drawn().iter(f"{SVG}text")]
