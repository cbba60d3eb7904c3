"""How a search is drawn: the query as it was read, each score as a sum of bars, the turns around a hit."""

from typing import Any

import pytest
from rich.cells import cell_len

from karte.surfaces.cli.drawing.hits import explained, recall
from karte.surfaces.cli.drawing.reasons import bar, full_bar
from karte.surfaces.cli.output import write_drawn
from tests.surfaces.cli.running import answer, invoke

Shape = dict[str, Any]


def part(weight: float, normalised: float, raw: float = 1.0, rank: int = 1) -> Shape:
    return {"raw": raw, "normalised": normalised, "rank": rank, "weight": weight}


def memory(content: str = "台北的辦公室", **others: Any) -> Shape:
    keys = ("subject", "predicate", "object", "speaker", "valid_from", "valid_until")
    return {**dict.fromkeys(keys), "id": "mem_1", "content": content, "marks": [], "status": "in_force", **others}


def hit(**others: Any) -> Shape:
    """A hit by words and session: (0.5 * 0.8 + 0.3 * 1) * 0.5 = 0.35."""
    return {
        "memory": memory(),
        "score": 0.35,
        "parts": {"lexical": part(0.5, 0.8, 3.25), "session": part(0.3, 1.0, 0.4, 2)},
        "standing": {"trust": 0.5},
        "terms": [
            {"term": "台北", "idf": 2.5, "count": 2, "score": 2.4375},
            {"term": "office", "idf": 1.25, "count": 1, "score": 0.8125},
        ],
        "why": "2 of 3 query terms: 台北, office",
        "snippet": "台北的辦公室",
        "highlights": [[0, 2]],
        "also": [],
        "around": [],
        **others,
    }


def found(*hits: Shape, **others: Any) -> Shape:
    return {
        "mode": "hybrid",
        "profile": "balanced",
        "intent": {"name": "general", "confidence": 0.0, "cues": []},
        "times": [],
        "silent_voices": [],
        "degraded": [],
        "left_out": [],
        "hits": list(hits),
        "nothing_relevant": not hits,
        **others,
    }


@pytest.fixture
def drawn(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("COLUMNS", "80")

    def draw(shape: Shape, *, explain: bool = True) -> list[str]:
        write_drawn((explained if explain else recall)(shape))
        return capsys.readouterr().out.splitlines()

    return draw


@pytest.mark.parametrize(("portion", "length"), [(0.0, 0), (0.5, 10), (1.0, 20), (-1.0, 0), (2.0, 20)])
def test_a_bar_is_as_long_as_its_portion_of_20(portion: float, length: int) -> None:
    assert bar(portion) == "#" * length


class TestReasons:
    def test_a_score_is_drawn_as_the_sum_of_its_parts_times_its_standing(self, drawn: Any) -> None:
        """0.5 * 0.8 = 0.4 is 8 of 20 cells, of which the terms have 2.4375 / 3.25 = 3/4 and 1/4."""
        assert drawn(found(hit())) == [
            "asked   hybrid, profile balanced",
            "intent  general",
            "",
            "1. 台北的辦公室",
            "  mem_1, score 0.35",
            "  in force",
            "  lexical   ########                0.400  0.50 * 0.80, raw 3.25, rank 1",
            "    台北    ######                         raw 2.438, idf 2.50, count 2",
            "    office  ##                             raw 0.8125, idf 1.25, count 1",
            "  session   ######                  0.300  0.30 * 1.00, raw 0.4, rank 2",
            "  sum       ##############          0.700",
            "  trust                           * 0.500",
            "  score     #######                 0.350",
            "  why: 2 of 3 query terms: 台北, office",
            "",
        ]

    def test_a_lone_part_is_its_own_sum(self, drawn: Any) -> None:
        lines = drawn(found(hit(parts={"lexical": part(1.0, 0.7)}, score=0.7, standing={}, terms=[])))
        assert [line.split()[0] for line in lines[6:8]] == ["lexical", "score"]

    def test_all_bars_of_an_answer_have_one_scale(self, drawn: Any) -> None:
        """The first sum is 1.25, so that 20 cells are 1.25, and the second score of 0.5 has 8 of them."""
        first = hit(parts={"lexical": part(1.0, 1.0), "speaker": part(0.25, 1.0)}, score=1.25, standing={}, terms=[])
        second = hit(parts={"lexical": part(1.0, 0.5)}, score=0.5, standing={}, terms=[])
        assert full_bar([first, second]) == 1.25
        bars = {line.split()[0]: line.count("#") for line in drawn(found(first, second)) if "#" in line}
        assert bars == {"lexical": 8, "speaker": 4, "sum": 20, "score": 8}

    def test_a_small_answer_is_drawn_against_1(self) -> None:
        assert (full_bar([hit()]), full_bar([])) == (1.0, 1.0)

    def test_terms_of_double_width_do_not_move_the_bars(self, drawn: Any) -> None:
        terms = [{"term": term, "idf": 1.0, "count": 1, "score": 1.0} for term in ("高山茶", "ナイロン", "x")]
        lines = [line for line in drawn(found(hit(terms=terms))) if "count" in line]
        assert {cell_len(line[: line.index("#")]) for line in lines} == {2 + 2 + 8 + 2}

    def test_retellings_are_named(self, drawn: Any) -> None:
        assert "  told again by mem_2, mem_3" in drawn(found(hit(also=["mem_2", "mem_3"])))

    def test_what_was_left_out_is_named_by_its_reason(self, drawn: Any) -> None:
        left = [
            {"memory_id": "mem_2", "reason": "not in force as asked"},
            {"memory_id": "mem_3", "reason": "below the best"},
            {"memory_id": "mem_4", "reason": "not in force as asked"},
        ]
        assert drawn(found(left_out=left))[2:] == [
            "",
            "Nothing relevant.",
            "left out",
            "  not in force as asked: mem_2, mem_4",
            "  below the best: mem_3",
        ]

    def test_nothing_in_a_query_or_a_memory_steers_the_terminal(self, drawn: Any) -> None:
        hostile = "a\x1b[2J"
        term = {"term": hostile, "idf": 1.0, "count": 1, "score": 1.0}
        turn = memory(hostile, speaker=hostile, valid_from="2026-03-02T09:00:00Z")
        shape = found(hit(terms=[term], why=hostile, around=[turn]), degraded=[hostile])
        assert "\x1b" not in "".join(drawn(shape))


class TestTheQuery:
    def test_the_intent_is_named_with_its_cues(self, drawn: Any) -> None:
        intent = {"name": "temporal", "confidence": 0.75, "cues": ["什麼時候", "上週"]}
        assert drawn(found(intent=intent))[1] == "intent  temporal, 0.75: 什麼時候, 上週"

    @pytest.mark.parametrize(
        ("moment", "said"),
        [
            (
                ("上週", "week", "2026-03-02T00:00:00Z", "2026-03-09T00:00:00Z", 1.0),
                ("上週: from 2026-03-02T00:00:00Z until 2026-03-09T00:00:00Z"),
            ),
            (
                ("since May", "span", "2026-05-01T00:00:00Z", None, 0.5),
                "since May: from 2026-05-01T00:00:00Z, weight 0.5",
            ),
            (("5月まで", "span", None, "2026-06-01T00:00:00Z", 1.0), "5月まで: until 2026-06-01T00:00:00Z"),
            (("the last session", "session", -1, 0, 1.0), "the last session: last session"),
            (("第三次會話", "session", 3, 4, 1.0), "第三次會話: session 3"),
            (("두 번째 전", "session", -2, -1, 1.0), "두 번째 전: session 2 from the end"),
            (("first two sessions", "session", 1, 3, 1.0), "first two sessions: session 1 to session 2"),
        ],
    )
    def test_the_times_that_it_names_are_shown_as_they_were_read(
        self, drawn: Any, moment: tuple[str, str, Any, Any, float], said: str
    ) -> None:
        shape = dict(zip(("text", "kind", "from", "until", "weight"), moment, strict=True))
        lines = drawn(found(times=[shape]))
        assert lines[2] == f"time    {said}"

    def test_who_was_silent_is_named_and_why_one_could_not_speak(self, drawn: Any) -> None:
        lines = drawn(found(silent_voices=["vector", "temporal"], degraded=["vector: the embedder failed"]))
        assert lines[2:4] == ["silent    vector, temporal", "degraded  vector: the embedder failed"]

    def test_without_explain_only_what_could_not_speak_is_said(self, drawn: Any) -> None:
        shape = found(silent_voices=["vector", "temporal"], degraded=["vector: the embedder failed"])
        assert drawn(shape, explain=False) == ["Nothing relevant.", "Degraded: vector: the embedder failed."]


class TestAround:
    TURNS = (
        memory("幾點的高鐵？", speaker="Dudu", valid_from="2026-03-02T09:01:00Z"),
        memory("Mei (2 March): 早上八點", speaker="Mei", valid_from="2026-03-02T09:02:00Z"),
        memory("no name", valid_from="2026-03-02T09:03:00Z"),
    )

    @pytest.mark.parametrize("explain", [True, False])
    def test_the_turns_around_a_hit_are_indented_with_time_and_speaker(self, drawn: Any, *, explain: bool) -> None:
        lines = drawn(found(hit(around=list(self.TURNS))), explain=explain)
        assert [line for line in lines if line.startswith("    2026")] == [
            "    2026-03-02T09:01:00Z Dudu: 幾點的高鐵？",
            "    2026-03-02T09:02:00Z Mei (2 March): 早上八點",
            "    2026-03-02T09:03:00Z no name",
        ]


class TestTheCommand:
    @pytest.fixture(autouse=True)
    def talk(self, workspace: str) -> list[str]:  # noqa: ARG002 - it is where commands look
        said = [("Mei", "明天去台北出差"), ("Dudu", "幾點的高鐵？"), ("Mei", "早上八點")]
        return [
            answer(
                *("store", words, "--layer", "episodic", "--session", "trip", "--speaker", who),
                *("--observed-at", f"2026-03-02T09:0{minute}:00Z"),
            )["memory_id"]
            for minute, (who, words) in enumerate(said)
        ]

    def test_every_option_reaches_the_search(self, talk: list[str]) -> None:
        shape = answer(
            *("search", "昨天的高鐵", "--mode", "hybrid", "--profile", "cognitive", "--weight", "recency=0"),
            *("--weight", "lexical=0.5", "--voice", "lexical", "--voice", "temporal", "--now", "2026-03-03"),
            *("--floor", "0", "--expand", "1", "--budget", "6", "--limit", "3", "--session", "trip", "--explain"),
        )
        (only,) = shape["hits"]
        assert (shape["mode"], shape["profile"], shape["silent_voices"]) == ("hybrid", "cognitive", [])
        assert [(moment["from"], moment["until"]) for moment in shape["times"]] == [
            ("2026-03-02T00:00:00Z", "2026-03-03T00:00:00Z")
        ]
        assert (only["memory"]["id"], [turn["id"] for turn in only["around"]]) == (talk[1], [talk[0], talk[2]])
        assert set(only["parts"]) == {"importance", "lexical"}

    def test_a_person_sees_the_same_explained(self, talk: list[str]) -> None:
        out = invoke("search", "高鐵", "--explain", "--expand", "1", "--limit", "1").out
        first, *lines = out.splitlines()
        assert (first, lines[0]) == ("[recalled from Karte, not said by anyone]", "asked     hybrid, profile balanced")
        assert f"  {talk[1]}, score" in out
        names = [line.split()[0] for line in lines if line.startswith("  ") and "#" in line]
        assert (names[0], names[-2:]) == ("lexical", ["sum", "score"])
        around = [line for line in lines if line.startswith("    2026")]
        assert around == [
            "    2026-03-02T09:00:00Z Mei: 明天去台北出差",
            "    2026-03-02T09:02:00Z Mei: 早上八點",
        ]

    def test_a_session_narrows_search_and_list(self) -> None:
        other = answer("store", "高鐵票在抽屜裡", "--session", "home")["memory_id"]
        ids = [each["memory"]["id"] for each in answer("search", "高鐵", "--session", "home")["hits"]]
        assert ids == [each["id"] for each in answer("list", "--session", "home")["memories"]] == [other]
