"""Drawings: lanes, bars, cells of double width, 80 columns."""

from datetime import UTC, datetime
from typing import Any

import pytest
from rich.cells import cell_len

from karte.surfaces.cli.drawing.lanes import Lane, Spell, draw
from karte.surfaces.cli.drawing.sharing import apart
from tests.surfaces.cli.running import answer, invoke


def day(month: int, number: int = 1, hour: int = 0) -> datetime:
    return datetime(2026, month, number, hour, tzinfo=UTC)


def drawn(*lanes: Lane) -> list[str]:
    return [line.plain.rstrip() for line in draw(lanes)]


class TestLanes:
    def test_nothing_is_drawn_of_nothing(self) -> None:
        assert drawn() == []

    def test_an_open_period_has_an_arrow_and_a_closed_one_a_bracket(self) -> None:
        assert drawn(Lane("Vercel", (Spell(day(1), day(3)),)), Lane("Fly.io", (Spell(day(3)),))) == [
            "        2026-01-01        2026-03-01",
            "Vercel  [================)",
            "Fly.io                    [================>",
        ]

    def test_a_lane_may_hold_twice(self) -> None:
        lanes = (Lane("A", (Spell(day(1), day(2)), Spell(day(3)))), Lane("B", (Spell(day(2), day(3)),)))
        assert drawn(*lanes) == [
            "   2026-01-01        2026-02-01        2026-03-01",
            "A  [================)                  [================>",
            "B                    [================)",
        ]

    def test_a_time_of_day_is_said_where_it_is_not_midnight(self) -> None:
        assert drawn(Lane("A", (Spell(day(1, hour=9)),)))[0] == "   2026-01-01T09:00Z"

    def test_characters_of_double_width_take_two_cells(self) -> None:
        _, first, second = drawn(Lane("台北", (Spell(day(1), day(2)),)), Lane("A", (Spell(day(2)),)))
        assert (first, second) == ("台北  [================)", "A                       [================>")

    def test_a_long_label_is_cut_at_its_24th_cell(self) -> None:
        label = drawn(Lane("很" * 30, (Spell(day(1)),)))[1].partition("  ")[0]
        assert (cell_len(label) <= 24, label.endswith("…")) == (True, True)

    def test_a_label_stays_on_one_line(self) -> None:
        assert drawn(Lane("a\nb\x1b", (Spell(day(1)),)))[1].startswith(r"a b\x1b  [")

    def test_many_instants_fit_80_columns_and_the_oldest_are_cut_off(self) -> None:
        lanes = [
            Lane(f"v{number}", (Spell(day(1, 1 + number // 2, 12 * (number % 2)), day(2)),)) for number in range(60)
        ]
        lines = drawn(*lanes)
        assert max(cell_len(line) for line in lines) <= 79
        assert lines[1].startswith("v0   <=")
        assert lines[-1].endswith("[=)")

    def test_what_ended_before_the_picture_has_an_empty_lane(self) -> None:
        old = Lane("old", (Spell(day(1), day(1, 2)),))
        lanes = [Lane(f"v{number}", (Spell(day(2, 1 + number // 2, 12 * (number % 2))),)) for number in range(50)]
        assert drawn(old, *lanes)[1] == "old"


class TestDifferences:
    @pytest.mark.parametrize(
        ("one", "other", "set_off"),
        [
            ("API 的逾時是 45 秒", "API 的逾時是 30 秒", ("45", "30")),
            ("會議改到星期三", "會議改到星期五", ("三", "五")),
            ("uses port 8080 now", "uses port 8081 now", ("8080", "8081")),
            ("v1.2.3 を使う", "v1.3.0 を使う", ("1.2.3", "1.3.0")),
            ("same", "same", ("", "")),
        ],
    )
    def test_what_differs_is_set_off(self, one: str, other: str, set_off: tuple[str, str]) -> None:
        drawn = apart(one, other)
        assert tuple(text.plain for text in drawn) == (one, other)
        marked = ["".join(text.plain[span.start : span.end] for span in text.spans if span.style) for text in drawn]
        assert tuple(marked) == set_off


@pytest.mark.usefixtures("workspace")
class TestAnswers:
    @pytest.fixture
    def stored(self) -> Any:
        fact = ("--subject", "使用者", "--predicate", "部署平台", "--object", "Cloudflare Workers")
        return answer("store", "部署改到 Cloudflare Workers", *fact, "--valid-from", "2026-03-01", "--tag", "部署")

    def test_a_receipt_says_what_was_done(self, stored: Any) -> None:
        fact = ("--subject", "使用者", "--predicate", "部署平台", "--object", "Deno Deploy")
        outcome = invoke("store", "部署改到 Deno Deploy", *fact, "--valid-from", "2026-06-01")
        headline, detail = outcome.out.splitlines()
        assert headline.startswith("Stored, and takes over: mem_")
        assert detail == f"  in the place of {stored['memory_id']}"

    def test_what_is_yet_to_begin_is_not_said_to_be_in_force(self, stored: Any) -> None:
        fact = ("--subject", "使用者", "--predicate", "部署平台", "--object", "Deno Deploy")
        outcome = invoke("store", "部署改到 Deno Deploy", *fact, "--valid-from", "2999-01-01")
        headline, detail = outcome.out.splitlines()
        assert headline.startswith("Stored, and takes over: mem_")
        assert detail == f"  in the place of {stored['memory_id']}"
        assert invoke("at", "使用者", "部署平台").out.splitlines()[0] == "部署改到 Cloudflare Workers"

    def test_a_list_shows_the_text_the_fact_the_id_and_the_time(self, stored: Any) -> None:
        assert invoke("list").out.splitlines() == [
            "部署改到 Cloudflare Workers",
            "  使用者 · 部署平台 · Cloudflare Workers",
            f"  {stored['memory_id']}",
            "  in force since 2026-03-01T00:00:00Z",
        ]

    def test_nothing_is_said_to_be_nothing(self) -> None:
        assert invoke("list").out == "Nothing.\n"
        assert invoke("search", "x", "--mode", "keyword").out == "Nothing relevant.\n"
        assert invoke("alias", "list").out == "No aliases.\n"
        assert invoke("agent", "list").out == "No agents.\n"
        assert invoke("predicate", "list").out == "Every predicate has one value at a time.\n"

    def test_a_memory_in_full_names_who_said_it_and_when(self, stored: Any) -> None:
        shown = invoke("read", stored["memory_id"]).out
        for expected in ("部署改到 Cloudflare Workers", "owner", "workspace", "said by", "operator:cli, 20", "tags"):
            assert expected in shown

    def test_a_withdrawn_statement_is_told_without_a_lane(self, stored: Any) -> None:
        answer("withdraw", stored["memory_id"])
        lines = invoke("history", "使用者", "部署平台").out.splitlines()
        assert lines[:3] == [
            "使用者 · 部署平台",
            "Cloudflare Workers  withdrawn",
            "  部署改到 Cloudflare Workers",
        ]
        assert lines[-1].startswith("  ended: withdrawn, learned 20")

    def test_every_drawing_fits_80_columns(self, stored: Any) -> None:
        answer(
            "store",
            "很長的一句話。" * 100,
            "--subject",
            "使用者",
            "--predicate",
            "部署平台",
            "--object",
            "很長的值" * 20,
        )
        answer("agent", "create", "多" * 60, "--role", "工程師" * 30)
        for command in (
            ["list"],
            ["read", stored["memory_id"]],
            ["search", "部署 長 話", "--explain"],
            ["search", "去年3月 部署 長 話", "--explain", "--profile", "cognitive"],
            ["embedder", "status"],
            ["search", "--help"],
            ["history", "使用者", "部署平台"],
            ["timeline", "使用者"],
            ["agent", "list"],
            ["stats"],
            ["doctor"],
            ["--help"],
            ["store", "--help"],
        ):
            outcome = invoke(*command)
            assert (outcome.code, max(cell_len(line) for line in outcome.out.splitlines()) <= 80) == (0, True), command
