"""Recall worked out by hand: the formulas of the profiles, diversity, and what trust counts, through whole searches.

The embedder has one axis for tea, coffee and rain each; vectors are kept in 16 bits, so cosines agree to three digits.
"""

import math
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest

from karte.core.intent import Aim
from karte.core.ranking.profiles import BALANCED, COGNITIVE, POLYPHONIC, Profile
from karte.core.results import Hit, Recall
from karte.engine.recalling.asked import Search
from karte.engine.recalling.searching import search
from karte.testing.programs import TOLD
from karte.workspace import Chart
from tests.laws.opening import Desk
from tests.laws.recalls import hearing
from tests.stores import STORES

ROOT_HALF = math.sqrt(0.5)
TEXTS = ("hot tea", "tea rain", "no tea in here")


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def desk(request: pytest.FixtureRequest) -> Iterator[Desk]:
    with hearing(request.param) as desk:
        yield desk


def scores(recall: Recall) -> dict[str, float]:
    return {hit.memory.content: hit.score for hit in recall.hits}


def ranked(recall: Recall) -> list[str]:
    return [hit.memory.content for hit in recall.hits]


def keep(desk: Desk, *texts: str) -> None:
    desk.chart.store_many([{"content": text, "observed_at": TOLD, "valid_from": TOLD} for text in texts])
    desk.workspace.embed()


class TestPolyphonic:
    """Ranks of words: `hot tea` and `tea rain` share the first, `no tea in here` is third, being longer.

    Ranks of vectors: `hot tea` has the direction of tea, `tea rain` half of it, `no tea in here` the opposite.
    """

    def test_ranks_of_two_voices_are_mixed(self, desk: Desk) -> None:
        """Graph and time are silent: words weigh 0.25 and vectors 0.35 of 0.6. Told just now: nothing has faded."""
        keep(desk, *TEXTS)
        recall = desk.chart.search("tea", profile="polyphonic")
        words, vectors = 0.25 / 0.6, 0.35 / 0.6
        expected = {
            "hot tea": 1.0,
            "tea rain": words + vectors * 61 / 62,
            "no tea in here": words * 61 / 63,
        }
        assert scores(recall) == pytest.approx(expected, rel=1e-12)
        assert ranked(recall) == list(TEXTS)
        assert recall.silent_voices == ("temporal", "graph")

    def test_the_intent_multiplies_the_weights(self, desk: Desk) -> None:
        """After a preference: words 0.25 * 0.8 = 0.2, vectors 0.35 * 0.9 = 0.315, together 0.515."""
        keep(desk, *TEXTS)
        recall = desk.chart.search("favourite tea", profile="polyphonic")
        assert recall.intent is not None
        assert recall.intent.name is Aim.PREFERENCE
        words, vectors = 0.2 / 0.515, 0.315 / 0.515
        expected = {"hot tea": 1.0, "tea rain": words + vectors * 61 / 62, "no tea in here": words * 61 / 63}
        assert scores(recall) == pytest.approx(expected, rel=1e-12)

    def test_time_and_decay(self, desk: Desk) -> None:
        """A week ago tea was hot; the rain came today. exp(-(168 / 168)^1) = 1/e is left of what is a week old.

        After a time: words 0.25 * 1.5 = 0.375, vectors 0.35 * 0.6 = 0.21, time 0.15 * 2 = 0.3, together 0.885.
        """
        week_ago = TOLD - timedelta(days=7)
        desk.chart.store("hot tea", observed_at=week_ago, valid_from=week_ago, trust=0.5, confidence=0.6)
        keep(desk, "tea rain")
        recall = desk.chart.search("when was the tea on 25 December 2026", profile="polyphonic")
        assert recall.intent is not None
        assert recall.intent.name is Aim.TEMPORAL
        factor = (0.02 + 0.98 / math.e) * (0.8 + 0.2 * 0.6) * (0.9 + 0.1 * 0.5)
        expected = {"hot tea": factor, "tea rain": (0.375 + 0.21 * 61 / 62) / 0.885}
        assert scores(recall) == pytest.approx(expected, rel=1e-12)
        (old,) = (hit for hit in recall.hits if hit.memory.content == "hot tea")
        assert old.standing == pytest.approx(
            {"retention": 0.02 + 0.98 / math.e, "confidence": 0.92, "usage": 1.0, "trust": 0.95}
        )


class TestCognitive:
    def test_recency_importance_words_and_vectors_are_mixed(self, desk: Desk) -> None:
        """The graph is silent: 0.25 + 0.35 + 0.35 + 0.15 = 1.1.

        Words: texts of 2, 2 and 4 terms, 8/3 on average, all with `tea` once: gains in proportion to
        1 / (1 + 0.9 * (0.6 + 0.4 * 2 / (8/3))) = 1 / 1.81 and 1 / 2.08. Recency: exp(-28 / (14 * 9/5)) after four
        weeks, exp(-14 / (14 * 6/5)) after two. Trust of the last one is 0.5: 0.9 + 0.1 * 0.5.
        """
        told = (("hot tea", 28, 9, 1.0), ("tea rain", 0, 3, 1.0), ("no tea in here", 14, 6, 0.5))
        for text, days, importance, trust in told:
            said = TOLD - timedelta(days=days)
            desk.chart.store(text, observed_at=said, valid_from=said, importance=importance, trust=trust)
        desk.workspace.embed()
        expected = {
            "hot tea": (0.25 * math.exp(-28 / 25.2) + 0.35 * 0.9 + 0.35 + 0.15) / 1.1,
            "tea rain": (0.25 + 0.35 * 0.3 + 0.35 + 0.15 * ROOT_HALF) / 1.1,
            "no tea in here": (0.25 * math.exp(-14 / 16.8) + 0.35 * 0.6 + 0.35 * 1.81 / 2.08) / 1.1 * 0.95,
        }
        recall = desk.chart.search("tea", profile="cognitive")
        assert scores(recall) == pytest.approx(expected, abs=1e-4)
        assert {name for hit in recall.hits for name in hit.standing} == {"trust"}

    def test_without_vectors_the_others_share_their_weight(self, desk: Desk) -> None:
        """(0.25 + 0.35 * 0.5 + 0.35) / 0.95, where the importance is the ordinary one of 5."""
        keep(desk, "hot tea")
        recall = desk.chart.search("tea", profile="cognitive", voices=["lexical"])
        assert scores(recall) == pytest.approx({"hot tea": (0.25 + 0.35 * 0.5 + 0.35) / 0.95})


class TestBalanced:
    def test_words_and_meaning_count_as_shares_of_all_that_is_asked(self, desk: Desk) -> None:
        """One text of the average length, with one of two terms of the query; the other is in no text.

        idf of a term in one of one text ln(1 + 0.5 / 1.5), in none ln(1 + 1.5 / 0.5). Its vector is that of the
        query. It is no conversation, so the session is its own score before: weight 0.3 of the whole.
        """
        keep(desk, "tea")
        (hit,) = desk.chart.search("tea nowhere").hits
        held, absent = math.log(1 + 0.5 / 1.5), math.log(1 + 1.5 / 0.5)
        words, vectors = BALANCED.weights["lexical"], BALANCED.weights["vector"]
        base = (words * held / (held + absent) + vectors) / (words + vectors)
        assert hit.parts["lexical"].normalised == pytest.approx(held / (held + absent))
        assert hit.parts["vector"].normalised == pytest.approx(1.0, abs=1e-3)
        assert _voices_alone(hit) == pytest.approx(base, abs=1e-3)


def _voices_alone(hit: Hit) -> float:
    """The score of the voices alone, with weights that sum to 1."""
    own = [part for name, part in hit.parts.items() if name in BALANCED.weights]
    return sum(part.weight * part.normalised for part in own) / sum(part.weight for part in own)


class TestDiversity:
    @pytest.mark.parametrize("profile", ["balanced", "polyphonic", "cognitive"])
    def test_a_far_better_hit_stays_above_an_unrelated_one(self, desk: Desk, profile: str) -> None:
        """Both of the best say nearly the same; the last shares one word with the query and is about the rain."""
        keep(
            desk, "the hot tea cup", "the hot tea mug", "the rain " + "and many other things of a long day in town " * 4
        )
        recall = desk.chart.search("the hot tea", profile=profile, floor=0)
        assert {*ranked(recall)[:2]} == {"the hot tea cup", "the hot tea mug"}
        assert len(recall.hits) == 3

    def test_five_like_each_other_do_not_crowd_out_four_others(self, desk: Desk) -> None:
        """Reciprocal ranks lie between 0.9 and 1, so 0.3 times the likeness decides: 0.7 - 0.3 for the next of five."""
        five = [f"tea of box {number} goes to the corner room on floor {number}" for number in range(1, 6)]
        others = [
            "rain fell, and tea was out in the yard",
            "coffee and tea were sold out yesterday evening",
            "no rain, so tea came late by boat this spring",
            "no coffee but tea at the meeting of May",
        ]
        keep(desk, *five, *others)
        found = ranked(desk.chart.search("tea", profile="polyphonic", limit=6))
        assert (set(others) - set(found), len(set(five) & set(found))) == (set(), 2)

    def test_a_retelling_without_a_vector_yet_is_like_the_one_that_has_one(self, desk: Desk) -> None:
        """The two share 10 of 13 terms; 0.7 - 0.3 * 10 / 13 is less than what the last one, unlike them, comes to.

        The embedder cannot embed a skull, so that no run in the background gives the last two a vector meanwhile.
        """
        keep(desk, "the lease of the corner room with tea ends soon maybe")
        last = "tea for two and the lease of a car ☠"
        for text in ("the lease of the corner room with tea ends soon perhaps ☠", last):
            desk.chart.store(text, observed_at=TOLD, valid_from=TOLD)
        recall = desk.chart.search("corner room lease tea", profile="polyphonic", voices=["lexical", "vector"])
        assert ranked(recall)[1] == last


class TestTrust:
    @pytest.mark.parametrize("profile", [BALANCED, POLYPHONIC, COGNITIVE], ids=lambda profile: profile.name)
    def test_no_strength_of_trust_ranks_bit_for_bit_as_none(self, desk: Desk, profile: Profile) -> None:
        """The score is, to the last bit, the sum of the parts times the other factors: trust is not even a 1.0."""
        for place, trust in enumerate((1.0, 0.3, 0.6)):
            desk.chart.store(TEXTS[place], observed_at=TOLD, valid_from=TOLD, trust=trust, confidence=0.7)
        desk.workspace.embed()
        found = _asked(desk.chart, profile.adjusted(trust=0.0))
        with_trust = {hit.memory.content: hit for hit in _asked(desk.chart, profile)}
        for hit in found:
            assert "trust" not in hit.standing
            assert hit.score == _sum(hit) * math.prod(hit.standing.values())
            other = with_trust[hit.memory.content]
            assert _sum(hit) == _sum(other)
            told = {name: factor for name, factor in other.standing.items() if name not in ("trust", "yielding")}
            assert told == hit.standing

    def test_with_trust_the_less_trusted_of_two_equals_comes_second(self, desk: Desk) -> None:
        """10 % of half the trust: 0.95 of the score of the other."""
        for text, trust in (("hot tea", 0.5), ("tea hot", 1.0)):
            desk.chart.store(text, observed_at=TOLD, valid_from=TOLD, trust=trust, confidence=1.0)
        first, second = desk.chart.search("tea", voices=["lexical"], mode="semantic", floor=0).hits
        assert first.memory.content == "tea hot"
        assert second.score / first.score == pytest.approx(0.95)

    @pytest.mark.parametrize("profile", ["balanced", "polyphonic", "cognitive"])
    def test_what_is_not_trusted_yields_to_a_trusted_one_that_answers_as_well(self, desk: Desk, profile: str) -> None:
        """The trusted one has 0.83 of the other's evidence, which is ahead of it also with 7 % less for its trust.

        The texts have one and three terms, two on average: gains 1 / (1 + 0.9 * 0.8) and 1 / (1 + 0.9 * 1.2).
        """
        told(desk, ("tea", "external"), ("hot tea now", "user_direct"))
        hits = desk.chart.search("tea", profile=profile, voices=["lexical"], mode="semantic", floor=0).hits
        alone = {hit.memory.content: hit.score / hit.standing.get("yielding", 1.0) for hit in hits}
        first, second = sorted(hits, key=lambda hit: -hit.score)
        assert first.memory.content == "hot tea now"
        assert "yielding" not in first.standing
        assert second.score == pytest.approx(min(alone["tea"], first.score))
        assert second.score < first.score

    def test_who_says_it_for_the_instant_asked_is_what_makes_it_yield(self, desk: Desk) -> None:
        """The web says it a day ago, the user for today: trusted 1 on record, and now; as of an hour before, 0.3."""
        day_ago = TOLD - timedelta(days=1)
        desk.chart.store("tea", observed_at=day_ago, valid_from=day_ago, origin="external:x")
        desk.chart.store("hot tea now", observed_at=day_ago, valid_from=day_ago, origin="user_direct:y")
        told(desk, ("tea", "user_direct"))
        options: dict[str, Any] = {"voices": ["lexical"], "mode": "semantic", "floor": 0}
        then, now = (_of(desk.chart, "tea", at=at, **options) for at in (TOLD - timedelta(hours=1), TOLD))
        assert (then.memory.trust, now.memory.trust) == (1.0, 1.0)
        assert ("yielding" in then.standing, "yielding" in now.standing) == (True, False)
        assert (then.evidence.get("trust"), now.evidence.get("trust")) == ("0.3 as asked", None)
        assert then.why.endswith("; trust: 0.3 as asked")

    def test_what_is_not_trusted_keeps_its_place_where_nothing_trusted_answers(self, desk: Desk) -> None:
        """Three of three words against one: a third is less than four fifths."""
        told(desk, ("rain and tea at noon", "external"), ("noon sun and fun", "user_direct"))
        first, second = desk.chart.search("rain tea noon", voices=["lexical"], mode="semantic", floor=0).hits
        assert (first.memory.content, second.memory.content) == ("rain and tea at noon", "noon sun and fun")
        assert "yielding" not in first.standing

    def test_what_is_not_trusted_does_not_yield_to_its_like(self, desk: Desk) -> None:
        told(desk, ("tea hot", "external"), ("hot tea", "channel"))
        hits = desk.chart.search("tea", floor=0).hits
        assert [hit.standing.get("yielding") for hit in hits] == [None, None]

    def test_the_strength_is_settable_for_a_single_call(self, desk: Desk) -> None:
        """With half of the strength the factor is the root, and 1 - 0.05 * (1 - 0.3) is that of trust."""
        told(desk, ("tea", "external"), ("hot tea now", "user_direct"))
        options: dict[str, Any] = {"voices": ["lexical"], "mode": "semantic", "floor": 0}
        (whole, half) = (_of(desk.chart, "tea", weights={"trust": s}, **options) for s in (0.1, 0.05))
        assert half.standing["trust"] == pytest.approx(0.965)
        alone = half.score / half.standing["yielding"]
        assert half.standing["yielding"] == pytest.approx(math.sqrt(whole.score / alone))

    def test_a_text_that_was_copied_by_an_untrusted_source_is_still_that_of_the_trusted_one(self, desk: Desk) -> None:
        """The copy, told first, is a retelling of it, and stands behind it."""
        told(desk, ("the lease of the corner room ends in 12 weeks", "external"))
        told(desk, ("in 12 weeks the lease of the corner room ends", "user_direct"))
        (hit,) = desk.chart.search("when does the lease of the corner room end", floor=0).hits
        assert (hit.memory.trust, len(hit.also)) == (1.0, 1)

    def test_an_untrusted_text_does_not_push_a_trusted_one_under_the_floor(self, desk: Desk) -> None:
        """The trusted one has a third of the query's words, less than half of what the copy of the query has."""
        told(desk, ("tea at noon with rain", "external"), ("tea is sold out", "user_direct"))
        options: dict[str, Any] = {"voices": ["lexical"], "mode": "semantic", "floor": 0.01}
        trusting = desk.chart.search("tea noon rain", **options)
        alike = desk.chart.search("tea noon rain", weights={"trust": 0}, **options)
        assert (len(trusting.hits), len(alike.hits)) == (2, 1)

    def test_the_newer_word_is_not_lifted_above_one_to_which_it_yields(self, desk: Desk) -> None:
        for value, kind, days in (("three", "user_direct", 9), ("five", "external", 1)):
            said = TOLD - timedelta(days=days)
            text = f"Mina owns {value} cups"
            desk.chart.store(text, observed_at=said, valid_from=said, origin=f"{kind}:{kind}")
        first, second = desk.chart.search("How many cups does Mina own?", floor=0).hits
        assert (first.memory.content, "newer" in second.standing) == ("Mina owns three cups", False)


def _of(chart: Chart, text: str, **options: Any) -> Hit:
    return next(hit for hit in chart.search("tea", **options).hits if hit.memory.content == text)


def told(desk: Desk, *texts: tuple[str, str]) -> None:
    """Texts, each from an origin of a kind, with equal confidence."""
    for text, kind in texts:
        options: dict[str, Any] = {"observed_at": TOLD, "valid_from": TOLD, "confidence": 1.0}
        desk.chart.store(text, origin=f"{kind}:{kind}", **options)


def _asked(chart: Chart, profile: Profile) -> tuple[Hit, ...]:
    return search(chart._services, chart._caller, Search("tea", profile=profile, floor=0), lambda: 0.0).hits


def _sum(hit: Hit) -> float:
    total = 0.0
    for part in hit.parts.values():
        total += part.weight * part.normalised
    return total
