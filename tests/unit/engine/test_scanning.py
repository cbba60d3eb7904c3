"""Scans: every row found in its place, the shortlist nearly as good as comparing all, and the same scores."""

from threading import Thread

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from karte.engine import scanning
from karte.engine.scanning import Blocks, CodedScan, ExactScan, Floats, cosines

COUNT, DIMENSIONS, CLUSTERS, QUERIES = 10_000, 96, 100, 40


def units(rows: Floats) -> Floats:
    along: Floats = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    return along.astype(np.float32)


def clustered(seed: int, pull: float = 0.0) -> tuple[Floats, Floats]:
    """Texts about some subjects, and queries near to some of them; `pull` is what all of them share."""
    chance = np.random.default_rng(seed)

    def drawn(count: int) -> Floats:
        return chance.standard_normal((count, DIMENSIONS)).astype(np.float32)

    shared = pull * units(drawn(1))
    centres = units(drawn(CLUSTERS))
    noise = np.float32(0.8 / np.sqrt(DIMENSIONS))
    rows = units(centres[chance.integers(0, CLUSTERS, COUNT)] + noise * drawn(COUNT) + shared)
    queries = units(rows[chance.integers(0, COUNT, QUERIES)] + np.float32(0.3) * noise * drawn(QUERIES))
    return rows.astype(np.float16).astype(np.float32), queries


def top(rows: Floats, query: Floats) -> set[int]:
    return set(np.argsort(-cosines(rows, query), kind="stable")[:10].tolist())


def recall(scan: CodedScan, rows: Floats, queries: Floats) -> float:
    """The share of the ten nearest that the shortlists hold."""
    found = [top(rows, query) & set(scan.sweep(query, COUNT).shortlist(10).tolist()) for query in queries]
    return sum(map(len, found)) / (10 * len(queries))


@pytest.fixture(autouse=True)
def _short(monkeypatch: pytest.MonkeyPatch) -> None:
    """A shortlist of one in forty, so that the codes have to tell."""
    monkeypatch.setattr(scanning, "SHORTLIST", COUNT // 40)


@settings(max_examples=6)
@given(st.integers(0, 2**32 - 1), st.sampled_from([0.0, 1.5, 3.0]))
def test_the_shortlist_holds_the_nearest(seed: int, pull: float) -> None:
    rows, queries = clustered(seed, pull)
    scan = ExactScan(DIMENSIONS)
    scan.append(rows.astype(np.float16))
    assert recall(scan.coded(), rows, queries) >= 0.99


def test_control_without_the_mean_the_shortlist_loses_some() -> None:
    rows, queries = clustered(7, 3.0)
    scan = CodedScan(np.zeros(DIMENSIONS, np.float32))
    scan.append(rows)
    assert recall(scan, rows, queries) < 0.99


def test_an_exact_shortlist_holds_all_that_are_as_near_as_the_last() -> None:
    scan = ExactScan(2)
    scan.append(np.array([[1, 0], [0, 1], [1, 0], [0.6, 0.8], [1, 0]], np.float16))
    sweep = scan.sweep(np.array([1, 0], np.float32), 5)
    assert [sweep.shortlist(wanted).tolist() for wanted in (1, 4, 9)] == [[0, 2, 4], [0, 2, 3, 4], [0, 1, 2, 3, 4]]


def test_a_shortlist_takes_the_first_of_many_that_are_equal() -> None:
    scan = CodedScan(np.zeros(2, np.float32))
    scan.append(np.tile(np.array([1, 0], np.float16), (5_000, 1)))
    assert scan.sweep(np.array([1, 0], np.float32), 5_000).shortlist(10).tolist() == list(range(250))


def test_a_sweep_covers_the_first_rows_and_no_more() -> None:
    rows, queries = clustered(3)
    for scan in (ExactScan(DIMENSIONS), CodedScan(rows.mean(axis=0))):
        scan.append(rows[:7_000].astype(np.float16))
        sweep = scan.sweep(queries[0], 6_400)
        scan.append(rows[7_000:].astype(np.float16))
        assert max(sweep.shortlist(6_400)) == 6_399


def test_rows_come_back_from_their_places_over_the_borders_of_blocks() -> None:
    rows = np.arange(30, dtype=np.float32).reshape(15, 2)
    for blocks in (Blocks(np.float32, 2), Blocks(np.float32, 2, 4)):
        for start in range(0, 15, 6):
            blocks.append(rows[start : start + 6])
        assert blocks.take(np.array([0, 3, 4, 11, 14])).tolist() == rows[[0, 3, 4, 11, 14]].tolist()
        assert blocks.take(np.array([], np.intp)).shape == (0, 2)
        assert np.concatenate(list(blocks.until(9))).tolist() == rows[:9].tolist()
        assert (blocks.count, blocks.size) == (15, 120)


class NoThread:
    def __init__(self, **_: object) -> None:
        pass

    def start(self) -> None:
        raise RuntimeError("can't start new thread")


class Hurry(Thread):
    """A second thread that has ended before the first one goes on."""

    def start(self) -> None:
        super().start()
        self.join()


@pytest.mark.parametrize("thread", [Thread, Hurry, NoThread])
def test_two_threads_find_what_one_finds(monkeypatch: pytest.MonkeyPatch, thread: type) -> None:
    rows, queries = clustered(5)
    scan = ExactScan(DIMENSIONS)
    scan.append(rows.astype(np.float16))
    alone = [scan.sweep(query, 9_999).cosines for query in queries]
    monkeypatch.setattr(scanning, "_SHARE_BYTES", 20_000)
    monkeypatch.setattr(scanning, "Thread", thread)
    assert [scan.sweep(query, 9_999).cosines.tolist() for query in queries] == [found.tolist() for found in alone]


@given(st.integers(0, 2**32 - 1), st.integers(1, 40))
def test_a_cosine_does_not_depend_on_the_rows_beside_it(seed: int, count: int) -> None:
    chance = np.random.default_rng(seed)
    rows = units(chance.standard_normal((count, 37)).astype(np.float32))
    query = rows[-1]
    together = cosines(rows, query)
    assert together.tolist() == [cosines(rows[place : place + 1], query)[0] for place in range(count)]
    assert cosines(np.full((1, 4), 0.51, np.float32), np.full(4, 0.5, np.float32)).tolist() == [1.0]
