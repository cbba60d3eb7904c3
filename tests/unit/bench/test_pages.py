"""The page of results: what is missed, what got worse and what got better are said alike."""

from pathlib import Path

from karte.bench.pages import page
from karte.bench.results import TIMING, Better, Figure, Measured, Result, at_least, at_most
from karte.bench.running import read_results

BENCHMARKS = Path(__file__).resolve().parents[3] / "docs" / "benchmarks"
MACHINE = {"cpu": "a cpu", "cores": 2, "platform": "Linux", "python": "3.11", "numpy": "2", "apsw": "3", "sqlite": "3"}


def result(commit: str, *figures: Figure) -> Result:
    return Result(
        "speed", "karte bench speed", "2026-12-01T00:00:00Z", commit, MACHINE, 7, Measured({"sizes": [10_000]}, figures)
    )


def section(text: str, title: str) -> str:
    return text.partition(f"## {title}\n")[2].partition("\n## ")[0]


NOW = result(
    "bbb",
    Figure("en 10k", "search p95", 8.0, "ms cpu", at_most(5), noise=TIMING),
    Figure("en 10k", "store", 900.0, "/s", better=Better.MORE, noise=TIMING),
    Figure("en 10k", "store_many", 4_000.0, "/s", at_least(3_000), noise=TIMING),
    Figure("en 10k", "file", 12.0, "MB", better=Better.LESS, noise=TIMING),
)
BEFORE = result(
    "aaa",
    Figure("en 10k", "search p95", 4.0, "ms cpu", at_most(5), noise=TIMING),
    Figure("en 10k", "store", 600.0, "/s", better=Better.MORE, noise=TIMING),
    Figure("en 10k", "store_many", 3_900.0, "/s", at_least(3_000), noise=TIMING),
)


def test_what_misses_its_target_is_listed_first() -> None:
    assert "| speed | en 10k | search p95 | 8 ms cpu | <= 5 |" in section(page([NOW], []), "What misses its target")


def test_nothing_missed_is_said_too() -> None:
    fine = result("bbb", Figure("en 10k", "store_many", 4_000.0, "/s", at_least(3_000)))
    assert "Nothing: every figure with a target reaches it." in section(page([fine], []), "What misses its target")


def test_what_got_worse_stands_in_a_table_of_its_own_before_what_got_better() -> None:
    text = page([NOW], [BEFORE])
    worse, better = section(text, "What got worse"), section(text, "What got better")
    assert [line for line in worse.splitlines() if line.startswith("| speed")] == [
        "| speed | en 10k | search p95 | 4 ms cpu | 8 ms cpu |"
    ]
    assert [line for line in better.splitlines() if line.startswith("| speed")] == [
        "| speed | en 10k | store | 600 /s | 900 /s |"
    ]
    assert text.index("## What got worse") < text.index("## What got better")
    assert "speed aaa to bbb" in worse


def test_without_earlier_results_it_says_so() -> None:
    assert "There are no earlier results to compare with." in page([NOW], [])


def test_every_figure_has_a_line_with_its_target() -> None:
    lines = section(page([NOW], []), "Speed").splitlines()
    assert [line for line in lines if line.startswith("| en 10k")] == [
        "| en 10k | search p95 | 8 ms cpu | <= 5 | **not met** |",
        "| en 10k | store | 900 /s |  |  |",
        "| en 10k | store_many | 4,000 /s | >= 3,000 | met |",
        "| en 10k | file | 12 MB |  |  |",
    ]


def test_command_commit_machine_seed_and_parameters_are_named() -> None:
    text = section(page([NOW], []), "Speed")
    said = ["karte bench speed", "Commit bbb", "seed 7", "a cpu, 2 cores", "Python 3.11", "SQLite 3", "sizes 10,000"]
    assert [each for each in said if each not in text] == []


def test_cases_that_have_something_in_common_are_named() -> None:
    listed = {"not passed": {"two": "relevant lacks rust", "one": "prelude is empty"}, "asking for more": {}}
    measured = Measured({}, (), listed=listed)
    precision = Result("precision", "karte bench precision", "2026-12-01T00:00:00Z", "bbb", MACHINE, None, measured)
    lines = section(page([precision], []), "The right belief, and only that one").splitlines()
    assert [line for line in lines if line.startswith(("Not", "Asking"))] == [
        "Not passed (2): one, two.",
        "Asking for more (0): none.",
    ]


def test_the_page_of_this_repository_is_what_its_results_give() -> None:
    before = BENCHMARKS / "results" / "before"
    earlier = read_results(before) if before.is_dir() else []
    expected = page(read_results(BENCHMARKS / "results"), earlier)
    assert BENCHMARKS.joinpath("README.md").read_text(encoding="utf-8") == expected
