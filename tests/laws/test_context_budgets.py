"""The budgets of a context hold for any texts and any measure, and what was found and is not told is counted."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from karte.core.columns import width
from karte.core.echo import WATERMARK, is_echo
from karte.core.results import Outcome
from karte.engine.knowing.context import Context
from karte.engine.knowing.prompting import CLOSING, LONGEST_FACT, MOST_FACTS, MOST_MISTAKES
from karte.workspace import Chart
from tests.laws.opening import Desk, opened
from tests.stores import STORES

Measure = Callable[[str], int]
PARTS = ("policies", "notes", "facts", "mistakes")
TASK = "Mend the deploy script 修好部署腳本"


def tokens(text: str) -> int:
    """As a model may count: a token for four letters of one word, one for each other character."""
    return sum(-(-len(word) // 4) if word.isascii() else len(word) for word in text.split())


MEASURES: dict[str, Measure] = {
    "characters": len,
    "columns": width,
    "bytes": lambda text: len(text.encode()),
    "tokens": tokens,
}

WORDS = st.sampled_from(
    [
        "deploy",
        "部署",
        "腳本",
        "デプロイ",
        "배포",
        "script",
        "x" * 150,
        "漢" * 90,
        "🙂",
        "👩\u200d👩\u200d👧",
        "```",
        "`````",
        "e\u0301" * 40,
    ]
)
SEPARATORS = st.sampled_from([" ", "", "\n", "\n\n", "\u2028", "\t", "\r\n## Facts\n"])


@st.composite
def texts(draw: st.DrawFn, longest: int = 12) -> str:
    """A text of a few words in any script, with anything between them, and a letter at its start."""
    pairs = draw(st.lists(st.tuples(WORDS, SEPARATORS), min_size=1, max_size=longest))
    return "a" + "".join(word + separator for word, separator in pairs)


def several(most: int, longest: int = 12) -> st.SearchStrategy[list[str]]:
    """A few different texts."""
    return st.lists(texts(longest), max_size=most, unique_by=lambda text: " ".join(text.casefold().split()))


@dataclass(frozen=True)
class Told:
    """What is told to an agent before it is asked about."""

    rules: Sequence[tuple[str, int, bool]]
    pad: str
    observed: Sequence[str]
    facts: Sequence[str]
    mistakes: Sequence[str]


RULES = several(8).flatmap(
    lambda rules: st.tuples(*(st.tuples(st.just(rule), st.integers(-2, 2), st.booleans()) for rule in rules))
)
TELLINGS = st.builds(Told, RULES, texts(60), several(4), several(8), several(5, 40))
BUDGETS = st.fixed_dictionaries({}, optional={part: st.integers(0, 900) for part in PARTS})


@contextmanager
def told(telling: Told) -> Iterator[tuple[Desk, Chart]]:
    """A workspace in which all of it was said."""
    with opened(STORES["memory"]) as desk:
        desk.workspace.create_domain("deploy")
        for rule, priority, always in telling.rules:
            desk.workspace.propose_policy("deploy", rule, priority=priority, always=always)
        desk.chart.update_notes(telling.pad)
        for text in telling.observed:
            desk.chart.observe(text)
        for text in telling.facts:
            desk.chart.store(text)
        for text in telling.mistakes:
            desk.chart.record_mistake("factual", text)
        yield desk, desk.chart


def exceeded(found: Context, measure: Measure) -> list[str]:
    """The parts that are larger than their budget, or than they are said to be."""
    sizes = {name: measure(text) if text else 0 for name, text in found.parts.items()}
    most = found.budgets.to_dict()
    return [name for name in PARTS if sizes[name] > most[name] or sizes[name] != found.used[name]]


def lines_of(part: str) -> list[str]:
    """The lines of memories in a part."""
    return [line for line in part.split("\n") if line.startswith("- ")]


def uncounted(chart: Chart, found: Context) -> list[str]:
    """What was found for the task, is not told, and is not counted."""
    missing = []
    rules = {policy.id for policy in chart.policies(domain="deploy", limit=1_000)}
    if {one.id for one in found.policies} | set(found.left_out["policies"]["ids"]) != rules:
        missing.append("policies")
    if found.left_out["policies"]["count"] != len(rules) - len(found.policies):
        missing.append("count of policies")
    pad = chart.notes()
    left = found.left_out["notes"]
    shown = found.pad.text[left["characters"] :]
    if not pad.text.endswith(shown) or (shown and shown not in found.parts["notes"]):
        missing.append("notes")
    if len(pad.observations) - len(found.pad.observations) != left["observations"]:
        missing.append("observations")
    for name, items in (("facts", found.facts), ("mistakes", found.mistakes)):
        out = found.left_out[name]
        if out["count"] != len(out["ids"]) or {item.id for item in items} & set(out["ids"]):
            missing.append(name)
        if len(lines_of(found.parts[name])) != len(items):
            missing.append(f"lines of {name}")
    return missing


LARGE = Told(
    [("甲" * 400, 0, True), ("rule", 0, False), ("b" * 1_000, 2, False)],
    "字" * 4_000,
    ["x" * 600],
    ["y" * 300],
    ["z" * 900],
)

OBSERVED = Told((), "older", ["x" * 180 + "漢" * 90], [], [])


@given(TELLINGS, BUDGETS, st.sampled_from(sorted(MEASURES)))
@example(LARGE, {}, "characters")
@example(OBSERVED, {"notes": 119}, "characters")
@example(LARGE, {"notes": 60, "facts": 130, "mistakes": 100, "policies": 120}, "columns")
def test_no_part_exceeds_its_budget_and_nothing_is_dropped_uncounted(
    telling: Told, budget: dict[str, int], measure: str
) -> None:
    with told(telling) as (_, chart):
        found = chart.context(TASK, budget=budget, measure=MEASURES[measure], domain="deploy")
        assert exceeded(found, MEASURES[measure]) == []
        assert uncounted(chart, found) == []
        assert (len(found.facts) <= MOST_FACTS, len(found.mistakes) <= MOST_MISTAKES) == (True, True)
        assert [line for line in lines_of(found.parts["facts"]) if MEASURES[measure](line) > LONGEST_FACT] == []


@given(TELLINGS)
def test_what_is_told_stays_in_its_part_and_is_never_stored_again(telling: Told) -> None:
    with told(telling) as (_, chart):
        found = chart.context(TASK, domain="deploy")
        parts = [part for part in found.parts.values() if part]
        assert found.text == "\n\n".join([WATERMARK, *parts, CLOSING])
        assert headings(found.text) == [part.split("\n")[0] for part in parts]
        assert [is_echo(part) for name, part in found.parts.items() if part and name != "policies"] == [True] * (
            len(parts) - bool(found.parts["policies"])
        )
        assert chart.store(found.text).status is Outcome.REJECTED


def headings(text: str) -> list[str]:
    """The headings of a text in Markdown: what stands in a fenced block is none (CommonMark 0.31, 4.5)."""
    found, fence = [], ""
    for line in text.split("\n"):
        ticks = line[: len(line) - len(line.lstrip("`"))]
        if fence:
            fence = "" if line.strip() == ticks and len(ticks) >= len(fence) else fence
        elif len(ticks) >= 3:
            fence = ticks
        elif line.startswith("#"):
            found.append(line)
    return found


class TestControls:
    """The checks bite on what breaks them."""

    def test_a_part_over_its_budget_is_seen(self) -> None:
        with told(LARGE) as (_, chart):
            found = chart.context(TASK, domain="deploy")
            bad: dict[str, Any] = {**found.parts, "facts": "x" * 1_201}
            assert exceeded(_with(found, parts=bad), len) == ["facts"]

    def test_a_rule_that_is_not_counted_is_seen(self) -> None:
        with told(LARGE) as (_, chart):
            found = chart.context(TASK, domain="deploy")
            assert "policies" in uncounted(chart, _with(found, policies=found.policies[1:]))

    def test_a_heading_outside_a_fence_is_seen(self) -> None:
        assert headings("# a\n```text\n# b\n```\n# c") == ["# a", "# c"]
        assert headings("````text\n```\n# b\n````\n") == []


def _with(found: Context, **changes: Any) -> Context:
    return Context(**{**vars(found), **changes})
