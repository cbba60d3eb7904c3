"""Candidates: what voices bring up and what of it may be an answer, each judged once."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from karte.core.text import parse_query
from karte.engine.asking import Instants, asking
from karte.engine.reading.describing import Describing
from karte.engine.reading.fetching import Filters
from karte.engine.recalling.candidates import MOST_LEFT_OUT, Candidates
from karte.workspace import Chart


@contextmanager
def candidates(
    chart: Chart, query: str = "", *, explain: bool = True, domain: str | None = None
) -> Iterator[Candidates]:
    """The candidates of a search; memories are numbered from 1 as they come."""
    with asking(chart._services, chart._caller, Instants()) as question:
        describing = Describing(question.frame, question.when)
        yield Candidates(question, describing, parse_query(query), Filters(domain=domain), explain)


def told(chart: Chart, *texts: str) -> list[str]:
    return [receipt.memory_id for receipt in chart.store_many([{"content": text} for text in texts])]


def batches(*given: Sequence[int], asked: list[Sequence[int]]) -> Iterator[Sequence[int]]:
    """A voice's batches; those that were asked for are noted."""
    for batch in given:
        asked.append(batch)
        yield batch


def reasons(found: Candidates) -> list[tuple[str, str]]:
    return [(left.memory_id, left.reason) for left in found.left_out]


def test_what_holds_is_taken_in_the_order_of_the_voice(dudu: Chart) -> None:
    told(dudu, "tea", "coffee", "rain")
    with candidates(dudu) as found:
        assert found.take([[3, 1], [2]], 10) == [3, 1, 2]


def test_no_further_batch_is_asked_for_when_there_are_enough(dudu: Chart) -> None:
    told(dudu, *(f"tea {number}" for number in range(6)))
    asked: list[Sequence[int]] = []
    with candidates(dudu) as found:
        assert found.take(batches([1, 2], [3, 4], [5, 6], asked=asked), 3) == [1, 2, 3, 4]
    assert asked == [[1, 2], [3, 4]]


def test_what_does_not_hold_is_made_up_for_by_further_batches(dudu: Chart) -> None:
    ids = told(dudu, *(f"tea {number}" for number in range(6)))
    for memory_id in ids[:4]:
        dudu.withdraw(memory_id)
    with candidates(dudu) as found:
        assert found.take([[1, 2], [3, 4], [5, 6]], 2) == [5, 6]


def test_a_number_that_is_no_memory_is_no_candidate(dudu: Chart) -> None:
    told(dudu, "tea")
    with candidates(dudu, explain=False) as found:
        assert found.accept([7, 1, 99]) == [1]


def test_a_memory_is_known_by_the_statement_that_it_makes(dudu: Chart) -> None:
    for subject in ("Ada", "Countess"):
        dudu.store("in Paris", subject=subject, predicate="is", object="Paris", valid_from="2026-01-01")
    dudu.add_alias("Ada", "Countess")
    with candidates(dudu) as found:
        assert found.accept([1, 2]) == [1, 2]
        assert len(set(found.statements.values())) == 1


def test_each_reason_is_told_once_whoever_brings_the_memory_up(dudu: Chart) -> None:
    gone, unquoted, elsewhere, _ = told(dudu, "hot tea", "tea, hot", "hot tea elsewhere", "the hot tea here")
    dudu.withdraw(gone)
    dudu.correct(elsewhere, "cold tea")
    with candidates(dudu, '"hot tea"') as found:
        assert [found.accept([1, 2, 3, 4]), found.accept([4, 2, 1])] == [[4], [4]]
        assert reasons(found) == [
            (gone, "not in force as asked"),
            (elsewhere, "not in force as asked"),
            (unquoted, "lacks the quoted words"),
        ]


def test_what_passes_no_filter_is_named(dudu: Chart) -> None:
    home = dudu.store("tea", domain="home").memory_id
    dudu.store("tea at work", domain="work")
    with candidates(dudu, domain="work") as found:
        assert found.accept([1, 2]) == [2]
        assert reasons(found) == [(home, "does not pass the filters")]


def test_every_quoted_part_must_be_there(dudu: Chart) -> None:
    told(dudu, "紅茶在書房", "書房裡的紅茶", "書房")
    with candidates(dudu, '"紅茶" "書房"') as found:
        assert found.accept([1, 2, 3]) == [1, 2]


def test_names_of_a_triple_count_as_its_words(dudu: Chart) -> None:
    dudu.store("Since spring.", subject="小雨", predicate="lives in", object="Kaohsiung")
    with candidates(dudu, '"Kaohsiung"') as found:
        assert found.accept([1]) == [1]


def test_nothing_is_named_where_nobody_asked_for_it(dudu: Chart) -> None:
    (gone,) = told(dudu, "tea")
    dudu.withdraw(gone)
    with candidates(dudu, explain=False) as found:
        assert (found.accept([1]), found.left_out) == ([], [])


def test_there_is_room_for_so_many_reasons(dudu: Chart) -> None:
    ids = told(dudu, *(f"tea {number}" for number in range(MOST_LEFT_OUT + 5)))
    for memory_id in ids:
        dudu.withdraw(memory_id)
    with candidates(dudu) as found:
        assert found.accept(range(1, len(ids) + 1)) == []
        assert [memory_id for memory_id, _ in reasons(found)] == ids[:MOST_LEFT_OUT]
