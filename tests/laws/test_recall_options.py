"""What a search may ask for, with all voices at work: filters, phrases, instants, neighbours, budgets, silent voices."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from karte.engine.remembering.turns import Chat, Turn
from karte.testing.programs import TOLD
from karte.workspace import Chart
from tests.laws.opening import Desk
from tests.laws.recalls import heard, hearing, without
from tests.stores import STORES
from tests.unit.engine.embedders import WordEmbedder

DAY = 86_400


@pytest.fixture
def embedder() -> WordEmbedder:
    return WordEmbedder()


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def desk(request: pytest.FixtureRequest, embedder: WordEmbedder) -> Iterator[Desk]:
    with hearing(request.param, embedder) as desk:
        yield desk


def found(chart: Chart, query: str, **options: Any) -> list[str]:
    return [hit.memory.content for hit in chart.search(query, **options).hits]


def talk(desk: Desk, *lines: tuple[str, str]) -> None:
    """A conversation of yesterday, a turn a minute."""
    start = TOLD - timedelta(days=1)
    turns = (
        Turn("user", who, text, start + timedelta(minutes=at), f"m{at}", "s1") for at, (who, text) in enumerate(lines)
    )
    desk.chart.ingest_chat(Chat("talk", tuple(turns)))
    desk.workspace.embed()


class TestSilence:
    TEXTS = ("a cup of tea", "茶和咖啡", "the quarterly report")

    def keep(self, desk: Desk) -> None:
        for text in self.TEXTS:
            desk.chart.store(text, observed_at=TOLD, valid_from=TOLD)
        desk.workspace.embed()

    def test_a_failing_embedder_is_named_and_is_no_error(self, desk: Desk, embedder: WordEmbedder) -> None:
        self.keep(desk)
        embedder.down = True
        recall = desk.chart.search("a report about tea", floor=0)
        assert {hit.memory.content for hit in recall.hits} == {"a cup of tea", "the quarterly report"}
        assert ("vector" in recall.silent_voices, recall.degraded) == (True, ("vector: the embedder failed",))

    @pytest.mark.parametrize("profile", ["balanced", "polyphonic", "cognitive"])
    def test_what_others_found_is_as_without_the_voice(self, desk: Desk, embedder: WordEmbedder, profile: str) -> None:
        self.keep(desk)
        embedder.down = True
        failing = heard(desk.chart, "tea 咖啡", floor=0, profile=profile)
        off = heard(desk.chart, "tea 咖啡", floor=0, profile=profile, voices=["lexical", "temporal", "graph"])
        assert without(failing, "silent", "degraded") == without(off, "silent", "degraded")

    @pytest.mark.parametrize("profile", ["balanced", "polyphonic", "cognitive"])
    def test_a_silent_voice_never_lowers_what_another_found(self, desk: Desk, profile: str) -> None:
        """The query holds no word that the embedder knows: it has no direction."""
        self.keep(desk)
        quiet = desk.chart.search("quarterly report", floor=0, profile=profile)
        off = desk.chart.search("quarterly report", floor=0, profile=profile, voices=["lexical"])
        assert [hit.score for hit in quiet.hits] == [hit.score for hit in off.hits]
        assert "vector" in quiet.silent_voices
        assert quiet.degraded == ("vector: the query has no meaning to the embedder",)

    def test_a_voice_that_was_not_asked_is_not_silent(self, desk: Desk) -> None:
        self.keep(desk)
        recall = desk.chart.search("tea", voices=["lexical"])
        assert (recall.silent_voices, recall.degraded) == ((), ())

    def test_a_voice_that_finds_nothing_is_silent(self, desk: Desk) -> None:
        self.keep(desk)
        recall = desk.chart.search("紅茶")
        assert "lexical" in desk.chart.search("zebra").silent_voices
        assert "temporal" in recall.silent_voices

    def test_an_embedder_that_comes_back_is_heard_again(self, desk: Desk, embedder: WordEmbedder) -> None:
        self.keep(desk)
        embedder.down = True
        desk.chart.store("no tea tomorrow")
        desk.chart.search("tea")
        embedder.down = False
        desk.workspace.embed()
        recall = desk.chart.search("tea", voices=["vector"], floor=0)
        assert recall.degraded == ()
        assert {hit.memory.content for hit in recall.hits} == {"a cup of tea", "茶和咖啡"}

    def test_what_has_no_vector_yet_is_found_by_its_words_and_not_held_to_the_floor(self, desk: Desk) -> None:
        """One of nine words of the query is far below the floor; the skull keeps the background from embedding it."""
        self.keep(desk)
        desk.chart.store("the lease ends in May ☠", observed_at=TOLD, valid_from=TOLD)
        query = "whose tea was promised with that odd old lease"
        assert "the lease ends in May ☠" in found(desk.chart, query)
        assert "the lease ends in May ☠" not in found(desk.chart, query, floor=0.25)

    def test_meaning_alone_finds_what_shares_no_word(self, desk: Desk) -> None:
        self.keep(desk)
        assert found(desk.chart, "tea", voices=["vector"])[0] == "a cup of tea"
        assert "茶和咖啡" in found(desk.chart, "tea", floor=0)


class TestWhatMayBeAnAnswer:
    @pytest.mark.parametrize(
        ("options", "expected"),
        [
            ({"domain": "home"}, ["hot tea"]),
            ({"layer": "episodic"}, ["茶"]),
            ({"tags": ["家"]}, ["차"]),
            ({"types": ["preference"]}, ["no tea"]),
            ({"session": "s9"}, ["茶"]),
            ({"tags": ["家"], "domain": "home"}, []),
        ],
    )
    def test_every_filter_holds_for_what_any_voice_brings_up(
        self, desk: Desk, options: dict[str, Any], expected: list[str]
    ) -> None:
        desk.chart.store("hot tea", domain="home")
        desk.chart.store("茶", layer="episodic", session="s9")
        desk.chart.store("차", tags=["家"])
        desk.chart.store("no tea", memory_type="preference")
        desk.workspace.embed()
        assert found(desk.chart, "tea 茶 차", floor=0, **options) == expected

    def test_a_phrase_holds_for_what_any_voice_brings_up(self, desk: Desk) -> None:
        for text in ("the hot tea", "tea, hot", "熱的紅茶"):
            desk.chart.store(text)
        desk.workspace.embed()
        assert found(desk.chart, '"hot tea"', floor=0) == ["the hot tea"]
        assert found(desk.chart, '"紅茶" tea', floor=0) == ["熱的紅茶"]

    def test_what_held_then_and_what_was_known_then(self, desk: Desk) -> None:
        for value, start in (("tea", "2026-01-01"), ("coffee", "2026-06-01")):
            desk.chart.store(
                f"小雨 drinks {value}",
                subject="小雨",
                predicate="drinks",
                object=value,
                valid_from=start,
                observed_at=start,
            )
            desk.clock.advance(DAY)
        desk.workspace.embed()
        asked: tuple[dict[str, Any], ...] = (
            {},
            {"at": "2026-02-01"},
            {"known_at": TOLD + timedelta(hours=1)},
            {"known_at": TOLD - timedelta(hours=1)},
        )
        answers = [found(desk.chart, "tea or coffee for 小雨", floor=0, **options) for options in asked]
        assert answers == [["小雨 drinks coffee"], ["小雨 drinks tea"], ["小雨 drinks tea"], []]

    def test_what_was_left_out_is_told_with_the_reason(self, desk: Desk) -> None:
        old = desk.chart.store("old tea", subject="cup", predicate="holds", valid_from="2026-01-01").memory_id
        desk.chart.store("new tea", subject="cup", predicate="holds", valid_from="2026-03-01")
        unlike = desk.chart.store("tea " + "and a word on many other things " * 20).memory_id
        away = desk.chart.store("tea elsewhere", domain="away").memory_id
        desk.workspace.embed()
        recall = desk.chart.search("new tea", explain=True, floor=0.9, limit=1)
        filtered = desk.chart.search("new tea", explain=True, domain="away")
        reasons = {left.memory_id: left.reason for left in recall.left_out}
        assert [hit.memory.content for hit in recall.hits] == ["new tea"]
        assert (reasons[old], reasons[unlike]) == ("not in force as asked", "does not fit well enough")
        assert {left.reason for left in filtered.left_out} >= {"does not pass the filters"}
        assert [hit.memory.id for hit in filtered.hits] == [away]
        cut = desk.chart.search("tea", explain=True, floor=0, limit=1)
        assert "below the best" in {left.reason for left in cut.left_out}
        assert desk.chart.search("new tea", floor=0.9).left_out == ()

    def test_what_fits_nothing_is_nothing_relevant(self, desk: Desk) -> None:
        for text in ("a cup of tea", "小雨喜歡喝茶"):
            desk.chart.store(text)
        desk.workspace.embed()
        recall = desk.chart.search("quantum chromodynamics", explain=True)
        assert (recall.hits, recall.nothing_relevant) == ((), True)

    def test_no_floor_gives_what_a_floor_leaves_out(self, desk: Desk) -> None:
        desk.chart.store("a cup of tea and " + "many other things of a long day " * 10)
        desk.workspace.embed()
        asked = "the tea ceremony of the old school in Kyoto in the eighteenth century"
        options = {"voices": ["lexical"]}
        assert (len(found(desk.chart, asked, floor=0, **options)), found(desk.chart, asked, floor=0.9, **options)) == (
            1,
            [],
        )


class TestShape:
    LINES = (("Kai", "hello"), ("Mia", "so"), ("Kai", "the tea is gone"), ("Mia", "oh no"), ("Kai", "bye"))

    def test_turns_on_both_sides_are_shown_in_the_order_in_which_they_were_said(self, desk: Desk) -> None:
        talk(desk, *self.LINES)
        (hit,) = [hit for hit in desk.chart.search("tea gone", expand=1).hits if "gone" in hit.memory.content]
        assert [item.content.split(": ")[1] for item in hit.around] == ["so", "oh no"]
        (hit,) = [hit for hit in desk.chart.search("tea gone", expand=2).hits if "gone" in hit.memory.content]
        assert [item.content.split(": ")[1] for item in hit.around] == ["hello", "so", "oh no", "bye"]

    def test_a_withdrawn_turn_is_not_shown_and_the_next_one_is(self, desk: Desk) -> None:
        talk(desk, *self.LINES)
        desk.chart.withdraw(next(item.id for item in desk.chart.list(10).memories if item.content.endswith(": so")))
        (hit,) = [hit for hit in desk.chart.search("tea gone", expand=1).hits if "gone" in hit.memory.content]
        assert [item.content.split(": ")[1] for item in hit.around] == ["hello", "oh no"]

    def test_what_stands_alone_has_nothing_around_it(self, desk: Desk) -> None:
        desk.chart.store("the tea is gone")
        assert [hit.around for hit in desk.chart.search("tea", expand=3).hits] == [()]

    @pytest.mark.parametrize(("budget", "count"), [(1, 1), (8, 1), (15, 1), (16, 2), (23, 2), (24, 3), (1_000, 3)])
    def test_hits_fit_into_the_budget_but_the_best_is_always_there(self, desk: Desk, budget: int, count: int) -> None:
        """Each text has eight characters."""
        for text in ("tea no 1", "tea no 2", "tea no 3"):
            desk.chart.store(text)
        assert len(found(desk.chart, "tea", budget=budget)) == count

    def test_only_hits_that_were_returned_count_as_recalled(self, desk: Desk) -> None:
        for number in range(4):
            desk.chart.store(f"tea no {number}")
        talk(desk, *self.LINES)
        shown = desk.chart.search("tea", limit=2, expand=2, explain=True)
        fewer = desk.chart.search("tea", limit=2, budget=1)
        desk.workspace._desk.tally.write()
        counts = {item.id: item.recall_count for item in desk.chart.list(100).memories if item.recall_count}
        expected = {hit.memory.id: 1 for hit in shown.hits}
        expected[fewer.hits[0].memory.id] = expected.get(fewer.hits[0].memory.id, 0) + 1
        assert (len(shown.hits), len(fewer.hits)) == (2, 1)
        assert counts == expected


class TestLiterals:
    TEXTS = (
        "他每天早上都到公園慢跑，然後才去上班",
        "資料備份每天凌晨三點執行，保留三十天",
        "團隊決定從下個月起改用臺北的機房",
        "The parser is written in C++ and has no tests yet",
        "The old parser was written in C and is slow",
        "Never run rm -rf in the data folder",
        "会議は毎週水曜日の午後に開かれます",
        "회의는 매주 수요일 오후에 열립니다",
        "下雨天喝茶",
    )

    @pytest.mark.parametrize(
        ("query", "place"),
        [
            ("慢跑", 0),
            ("资料备份", 1),
            ("台北的机房", 2),
            ("C++", 3),
            ("rm -rf", 5),
            ("会議", 6),
            ("회의", 7),
            ("喝茶", 8),
        ],
    )
    @pytest.mark.parametrize("mode", ["hybrid", "semantic", "keyword"])
    @pytest.mark.parametrize("profile", ["balanced", "polyphonic", "cognitive"])
    def test_a_literal_comes_first_in_every_mode(
        self, desk: Desk, query: str, place: int, mode: str, profile: str
    ) -> None:
        desk.chart.store_many([{"content": text, "observed_at": TOLD, "valid_from": TOLD} for text in self.TEXTS])
        desk.workspace.embed()
        assert found(desk.chart, query, mode=mode, profile=profile)[:1] == [self.TEXTS[place]]
