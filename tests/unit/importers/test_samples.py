"""The sample that ships with the product: a team's half year, as a chat and as facts."""

import json
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

import pytest

from karte.bootstrap import Parts, open_workspace
from karte.importers.chat import parse_chat
from karte.testing.parts import GivenClock
from karte.workspace import Chart

SAMPLES = files("karte") / "samples"
NAMES = ("李志旭", "李老闆", "老闆", "zhixu")


@pytest.fixture(scope="module")
def chart() -> Chart:
    """The sample, ingested and stored at the end of October 2026."""
    clock = GivenClock(datetime(2026, 10, 31, tzinfo=UTC))
    chart = open_workspace(":memory:", parts=Parts(clock=clock)).agent("dudu")
    for alias in NAMES[1:]:
        chart.add_alias(NAMES[0], alias)
    chart.store_many(facts())
    chart.ingest_chat(parse_chat(SAMPLES.joinpath("conversation.jsonl").read_bytes(), "conversation.jsonl"))
    return chart


def facts() -> list[dict[str, Any]]:
    return [json.loads(line) for line in SAMPLES.joinpath("facts.jsonl").read_text(encoding="utf-8").splitlines()]


def values(chart: Chart, subject: str, predicate: str, at: str) -> list[str | None]:
    return [memory.object for memory in chart.at(subject, predicate, at).memories]


def test_the_conversation_has_forty_turns_of_five_speakers_in_half_a_year() -> None:
    chat = parse_chat(SAMPLES.joinpath("conversation.jsonl").read_bytes(), "conversation.jsonl")
    times = [turn.time for turn in chat.turns if turn.time]
    assert (chat.conversation, len(times)) == ("harbor-tea", 40)
    assert {turn.speaker for turn in chat.turns} == {"李志旭", "Mei", "Kenji", "Minji", "Dudu"}
    assert (times[0].date().isoformat(), times[-1].date().isoformat()) == ("2026-01-12", "2026-06-22")
    assert times == sorted(times)


def test_every_fact_names_a_turn_that_was_said_before_it_was_observed() -> None:
    chat = parse_chat(SAMPLES.joinpath("conversation.jsonl").read_bytes(), "conversation.jsonl")
    said = {turn.id: turn.time for turn in chat.turns}
    for fact in facts():
        origin = fact["origin"]
        assert origin["container"] == "chat:harbor-tea"
        assert said[origin["item"]] == datetime.fromisoformat(fact["observed_at"])


def test_the_deploy_target_changed_on_the_third_of_march(chart: Chart) -> None:
    assert values(chart, "storefront", "deploy_target", "2026-02-01") == ["Vercel"]
    assert values(chart, "storefront", "deploy_target", "2026-03-02T15:59:59Z") == ["Vercel"]
    assert values(chart, "storefront", "deploy_target", "2026-03-02T16:00:00Z") == ["Cloudflare Workers"]


def test_mei_is_away_for_ten_days_in_august(chart: Chart) -> None:
    days = ("2026-07-31", "2026-08-01", "2026-08-10", "2026-08-11")
    noons = [values(chart, "Mei", "availability", f"{day}T12:00:00+08:00") for day in days]
    assert noons == [[], ["on leave"], ["on leave"], []]


def test_a_correction_takes_the_place_of_what_it_corrects(chart: Chart) -> None:
    objects = values(chart, "incident of 14 April", "root_cause", "2026-04-15")
    assert objects == ["expired certificate of the payment webhook"]


def test_four_names_are_one_person(chart: Chart) -> None:
    assert [len(chart.timeline(name).chains) for name in NAMES] == [3, 3, 3, 3]


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("where do we deploy?", "Cloudflare Workers"),
        ("現在部署到哪個平台？", "Cloudflare Workers"),
        ("package manager", "pnpm"),
        ("老闆的週報", "繁體中文"),
        ("誰休假", "北海道"),
        ("root cause of the incident", "webhook"),
        ("デプロイは誰が担当？", "8月1日"),
        ("고객 문의", "10시"),
    ],
)
def test_a_question_in_any_of_its_languages_is_answered_first(chart: Chart, query: str, words: str) -> None:
    assert words in chart.search(query).hits[0].memory.content
