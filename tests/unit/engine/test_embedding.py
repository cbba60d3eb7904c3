"""Filling in vectors: every memory once, whatever fails, is erased, is written or is changed in between."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from karte.bootstrap import Parts, open_workspace
from karte.core.memories import Wording
from karte.core.namespaces import Namespace
from karte.engine.embeddings import STORED, Embeddings
from karte.engine.keeping.embedding import BATCH, Embedded, current_set, embed_pending, settle
from karte.engine.recalling.voices.vector import Sought, VectorVoice, hear
from karte.engine.services import Services
from karte.ports import Identity, VectorSet
from karte.workspace import Workspace
from tests.stores import STORES
from tests.unit.engine.embedders import WordEmbedder, as_is, seek, services_of

DUDU = Namespace("dudu")


@pytest.fixture(params=STORES.values(), ids=list(STORES))
def workspace(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Workspace]:
    with open_workspace(":memory:", parts=Parts(store=request.param(tmp_path))) as opened:
        yield opened


@dataclass
class Filler:
    """A workspace that is filled in with an embedder, as one process does it."""

    workspace: Workspace
    embedder: WordEmbedder = field(default_factory=WordEmbedder)

    def __post_init__(self) -> None:
        self.embeddings = Embeddings(self.embedder)

    @property
    def services(self) -> Services:
        return services_of(self.workspace, self.embeddings)

    def __call__(self, most: int | None = None) -> Embedded:
        return embed_pending(self.services, most=most)

    def store(self, *texts: str, agent: str = "dudu") -> list[str]:
        receipts = self.workspace.agent(agent).store_many({"content": text} for text in texts)
        return [receipt.memory_id for receipt in receipts]

    def kept(self, agent: str = "dudu") -> list[int]:
        """The memories of an agent that have a vector in the set that serves."""
        with self.services.store.reading() as unit:
            active = next((known.number for known in unit.vectors.sets() if known.active), 0)
            return [number for number, _ in unit.vectors.since(Namespace(agent), active, 0)]

    def sets(self) -> list[tuple[str, bool]]:
        with self.services.store.reading() as unit:
            return [(known.identity.name, known.active) for known in unit.vectors.sets()]

    def found(self, query: str) -> list[int]:
        sought = seek(self.services.store, self.embeddings, as_is(query))
        assert isinstance(sought, Sought)
        with self.services.store.reading() as unit:
            heard = hear(unit, self.embeddings, DUDU, sought)
            return [n for batch in heard.batches(9) for n in batch] if isinstance(heard, VectorVoice) else []


@pytest.fixture
def fill(workspace: Workspace) -> Filler:
    return Filler(workspace)


def many(count: int, word: str = "tea") -> list[str]:
    return [f"{word} of the kind {number}" for number in range(1, count + 1)]


def test_every_memory_of_every_owner_gets_a_vector(fill: Filler) -> None:
    fill.store("tea", "咖啡")
    fill.store("rain", agent="ゆき")
    fill.workspace.store("차")
    assert fill() == Embedded(embedded=4)
    assert (fill.kept(), fill.kept("ゆき"), fill.kept("")) == ([1, 2], [1], [1])
    assert fill().to_dict() == {"embedded": 0, "passed_over": 0, "waiting": 0, "failure": None}


def test_a_vector_is_kept_in_half_precision_and_of_unit_length(fill: Filler) -> None:
    fill.store("tea and rain")
    fill()
    with fill.services.store.reading() as unit:
        ((_, vector),) = unit.vectors.since(DUDU, 1, 0)
    half = np.float32(2**-0.5).astype(np.float16)
    assert np.frombuffer(vector, STORED).tolist() == [half, 0, half]


def test_what_is_embedded_is_what_is_indexed(fill: Filler) -> None:
    fill.workspace.agent("dudu").store("She moved there", subject="Ada", predicate="lives in", object="Tea Town")
    fill()
    assert fill.embedder.texts == ["She moved there\nada\nlives in\ntea town"]


def test_a_statement_that_there_is_nothing_gets_none(fill: Filler) -> None:
    dudu = fill.workspace.agent("dudu")
    dudu.store("Ada drinks tea", subject="Ada", predicate="drinks", object="tea")
    dudu.end_fact("Ada", "drinks")
    assert (fill().embedded, fill.kept()) == (1, [1])


def test_nothing_is_embedded_twice(fill: Filler) -> None:
    for count in (3, 2 * BATCH, 1):
        fill.store(*many(count, f"tea {count}"))
        assert fill().embedded == count
    assert len(set(fill.embedder.texts)) == len(fill.embedder.texts) == 2 * BATCH + 4
    assert max(map(len, fill.embedder.asked)) == BATCH


def test_without_an_embedder_nothing_waits(workspace: Workspace) -> None:
    workspace.store("tea")
    assert embed_pending(services_of(workspace, Embeddings())) == Embedded()


def test_only_the_namespaces_asked_for_are_filled_in(fill: Filler) -> None:
    fill.store("tea")
    fill.store("rain", agent="ゆき")
    assert embed_pending(fill.services, [Namespace("ゆき")]) == Embedded(embedded=1)
    assert (fill.kept(), fill.kept("ゆき")) == ([], [1])


def test_at_most_so_many_are_embedded_and_the_rest_waits(fill: Filler) -> None:
    fill.store(*many(10))
    assert fill(most=3) == Embedded(embedded=3, waiting=7)
    assert fill(most=7) == Embedded(embedded=7)


def test_it_tells_how_far_it_has_come(fill: Filler) -> None:
    fill.store(*many(BATCH + 10))
    told: list[tuple[int, int]] = []
    embed_pending(fill.services, progress=lambda done, total: told.append((done, total)))
    assert told == [(BATCH, BATCH + 10), (BATCH + 10, BATCH + 10)]


def test_it_stops_after_a_batch_when_it_may_not_go_on(fill: Filler) -> None:
    fill.store(*many(2 * BATCH))
    assert embed_pending(fill.services, keep_on=lambda: False) == Embedded(embedded=BATCH, waiting=BATCH)


def test_others_can_write_while_texts_are_embedded_and_it_goes_on_to_what_they_wrote(fill: Filler) -> None:
    fill.store("tea")
    words = iter(["coffee", "rain"])

    def write() -> None:
        if (word := next(words, None)) is not None:
            fill.store(word)

    fill.embedder.meanwhile = write
    assert fill() == Embedded(embedded=3)
    assert fill.kept() == [1, 2, 3]


def test_what_is_erased_while_it_is_embedded_gets_no_vector(fill: Filler) -> None:
    ids = fill.store("tea", "green tea", "coffee")
    fill.embedder.meanwhile = lambda: fill.workspace.agent("dudu").erase(ids[1:2], scrub=False)
    assert fill() == Embedded(embedded=2)
    assert (fill.kept(), fill.found("tea")) == ([1, 3], [1])


def test_no_byte_of_an_erased_vector_is_left_in_the_file(tmp_path: Path) -> None:
    file = tmp_path / "w.karte"
    with open_workspace(file) as workspace:
        fill = Filler(workspace, WordEmbedder())
        ids = fill.store("tea tea tea coffee coffee rain", "tea")
        fill()
        with fill.services.store.reading() as unit:
            (_, needle), _ = unit.vectors.since(DUDU, 1, 0)
        found = [needle in file.read_bytes() + Path(f"{file}-wal").read_bytes()]
        assert workspace.agent("dudu").erase(ids[:1]).scrubbed
        found.append(needle in file.read_bytes() + Path(f"{file}-wal").read_bytes())
    assert [*found, needle in file.read_bytes()] == [True, False, False]


def test_long_gaps_of_erased_memories_are_passed_in_one_step(fill: Filler) -> None:
    ids = fill.store(*many(5 * BATCH))
    fill.workspace.agent("dudu").erase(ids[1:-1], scrub=False)
    assert fill() == Embedded(embedded=2)
    assert [len(texts) for texts in fill.embedder.asked] == [1, 1]


class TestRewording:
    """A memory that is shown in other words gets the vector of those, and none of the old ones comes back."""

    @staticmethod
    def reword(fill: Filler, number: int, text: str) -> None:
        with fill.services.store.writing() as unit:
            unit.memories.reword(DUDU, number, Wording(text))

    def test_a_reworded_memory_gets_the_vector_of_its_new_words(self, fill: Filler) -> None:
        fill.store("tea", "coffee", "green tea")
        fill()
        assert fill.found("tea") == [1, 3]
        self.reword(fill, 1, "rain")
        assert (fill.kept(), fill.found("tea")) == ([2, 3], [3])
        assert fill() == Embedded(embedded=1)
        assert (fill.found("rain"), fill.found("tea"), fill.embedder.texts[-1]) == ([1], [3], "rain")
        assert fill() == Embedded()

    def test_the_others_are_found_meanwhile_and_not_embedded_again(self, fill: Filler) -> None:
        fill.store(*many(2 * BATCH))
        fill()
        self.reword(fill, 2, "rain")
        fill.store("black tea")
        assert len(fill.found("tea")) == 2 * BATCH - 1
        before = len(fill.embedder.texts)
        assert (fill().embedded, fill.embedder.texts[before:]) == (2, ["rain", "black tea"])

    def test_it_waits_while_the_embedder_is_down(self, fill: Filler) -> None:
        fill.store("tea", "coffee")
        fill()
        self.reword(fill, 1, "rain")
        fill.embedder.down = True
        assert fill() == Embedded(waiting=1, failure="The server does not answer.")
        fill.embedder.down = False
        assert (fill(), fill.found("rain")) == (Embedded(embedded=1), [1])

    def test_words_that_cannot_be_embedded_are_passed_over_once(self, fill: Filler) -> None:
        fill.store("tea", "coffee")
        fill()
        self.reword(fill, 1, "neither")
        assert (fill(), fill(), fill.kept()) == (Embedded(passed_over=1), Embedded(), [2])

    def test_of_several_those_before_a_failure_are_kept(self, fill: Filler) -> None:
        fill.store("tea", "coffee", "green tea")
        fill()
        for number, text in ((1, "rain"), (3, "☠ rain")):
            self.reword(fill, number, text)
        before = len(fill.embedder.asked)

        def fail_after_one() -> None:
            fill.embedder.down = len(fill.embedder.asked) == before + 1

        fill.embedder.meanwhile = fail_after_one
        assert fill() == Embedded(embedded=1, waiting=1, failure="The server does not answer.")
        assert fill.kept() == [1, 2]

    def test_what_is_reworded_while_it_is_embedded_gets_no_vector_of_its_old_words(self, fill: Filler) -> None:
        fill.store("tea", "coffee")
        words = iter(["rain", "咖啡"])

        def reword() -> None:
            if (text := next(words, None)) is not None:
                self.reword(fill, 1, text)

        fill.embedder.meanwhile = reword
        assert fill() == Embedded(embedded=2)
        assert (sorted(fill.found("coffee")), fill.found("tea"), fill.found("rain")) == ([1, 2], [], [])

    def test_what_is_reworded_twice_goes_on_waiting_until_its_last_words_are_embedded(self, fill: Filler) -> None:
        fill.store("tea", "coffee")
        fill()
        self.reword(fill, 1, "rain")
        words = iter(["green tea"])

        def reword() -> None:
            if (text := next(words, None)) is not None:
                self.reword(fill, 1, text)

        fill.embedder.meanwhile = reword
        assert fill() == Embedded(embedded=1)
        assert (fill.found("tea"), fill.found("rain")) == ([1], [])

    def test_what_is_erased_while_it_waits_waits_no_more(self, fill: Filler) -> None:
        ids = fill.store("tea", "coffee")
        fill()
        self.reword(fill, 1, "rain")
        fill.workspace.agent("dudu").erase(ids[:1], scrub=False)
        assert (fill(), fill.kept()) == (Embedded(), [2])


class TestFailure:
    """A failing embedder stops a run and nothing else; one text that it cannot embed does not even do that."""

    def test_a_run_says_why_it_stopped_and_the_next_one_goes_on(self, fill: Filler) -> None:
        fill.store(*many(3))
        fill.embedder.down = True
        assert fill() == Embedded(waiting=3, failure="The server does not answer.")
        fill.embedder.down = False
        assert (fill(), fill.kept()) == (Embedded(embedded=3), [1, 2, 3])

    def test_a_single_text_is_not_passed_over_while_nothing_can_be_embedded(self, fill: Filler) -> None:
        fill.store("tea")
        fill.embedder.down = True
        assert [fill().waiting for _ in range(3)] == [1, 1, 1]

    def test_what_was_embedded_before_the_failure_is_kept_and_not_embedded_again(self, fill: Filler) -> None:
        fill.store(*many(BATCH + 5))

        def fail_in_the_second_batch() -> None:
            fill.embedder.down = len(fill.embedder.asked) == 1

        fill.embedder.meanwhile = fail_in_the_second_batch
        assert (fill().embedded, len(fill.kept())) == (BATCH, BATCH)
        fill.embedder.meanwhile = lambda: None
        fill.embedder.down = False
        assert fill() == Embedded(embedded=5)
        assert len(fill.embedder.texts) == BATCH + 5

    def test_a_failure_among_texts_tried_one_by_one_keeps_those_before_it(self, fill: Filler) -> None:
        fill.store("tea", "☠ tea", "coffee", "rain")

        def fail_after_three() -> None:
            fill.embedder.down = len(fill.embedder.asked) == 3

        fill.embedder.meanwhile = fail_after_three
        assert fill() == Embedded(embedded=1, passed_over=1, waiting=2, failure="The server does not answer.")
        fill.embedder.meanwhile = lambda: None
        fill.embedder.down = False
        assert (fill(), fill.embedder.texts) == (Embedded(embedded=2), ["tea", "coffee", "rain"])

    def test_a_text_that_fails_whenever_it_is_tried_is_passed_over(self, fill: Filler) -> None:
        fill.store("tea", "☠ tea", "coffee")
        assert fill() == Embedded(embedded=2, passed_over=1)
        assert (fill.kept(), fill(), fill.found("tea")) == ([1, 3], Embedded(), [1])

    def test_a_text_that_has_no_direction_is_passed_over(self, fill: Filler) -> None:
        fill.store("tea", "neither", "coffee")
        assert (fill(), fill.kept()) == (Embedded(embedded=2, passed_over=1), [1, 3])

    def test_a_text_that_the_embedder_does_not_read_is_passed_over_and_not_given_to_it(self, fill: Filler) -> None:
        fill.store("tea", "☃ tea", "coffee")
        assert (fill(), fill.kept()) == (Embedded(embedded=2, passed_over=1), [1, 3])
        assert fill.embedder.asked == [["tea", "coffee"]]
        fill.store("☃ rain")
        assert (fill(), fill.embedder.asked) == (Embedded(passed_over=1), [["tea", "coffee"]])

    def test_vectors_of_another_shape_than_promised_are_a_failure(self, workspace: Workspace) -> None:
        workspace.store("tea")
        done = embed_pending(services_of(workspace, Embeddings(_Wide())))
        assert done == Embedded(waiting=1, failure="The embedder gave an array of (1, 4) where (1, 3) was due.")

    def test_a_search_goes_on_while_the_embedder_is_down(self, fill: Filler) -> None:
        fill.store("tea", "green tea")
        fill()
        assert fill.found("tea") == [1, 2]
        fill.embedder.down = True
        fill.store("black tea")
        assert (fill().waiting, fill.found("tea")) == (1, [1, 2])


class _Wide:
    """Promises three dimensions and gives four."""

    identity = Identity("wide", "1", 3)
    rest = 0.0
    full = 1.0

    def reads(self, text: str) -> bool:  # noqa: ARG002 - the port's
        return True

    def embed(self, texts: Sequence[str], *, query: bool = False) -> NDArray[np.float32]:  # noqa: ARG002 - the port's
        return np.ones((len(texts), 4), np.float32)


class TestChange:
    """Another embedder fills in its own set while the old one serves."""

    @pytest.fixture
    def new(self, fill: Filler) -> Filler:
        fill.store(*many(BATCH + 2))
        fill()
        return Filler(fill.workspace, WordEmbedder("others"))

    def test_the_first_set_serves_at_once(self, fill: Filler) -> None:
        fill.store(*many(BATCH + 2))
        embed_pending(fill.services, keep_on=lambda: False)
        assert (fill.sets(), len(fill.kept())) == ([("words", True)], BATCH)

    def test_the_old_one_serves_until_the_new_one_has_caught_up(self, fill: Filler, new: Filler) -> None:
        new(most=BATCH)
        assert new.sets() == [("words", True), ("others", False)]
        assert len(fill.found("tea")) == BATCH + 2
        new()
        assert new.sets() == [("others", True)]
        assert len(new.found("tea")) == BATCH + 2

    def test_it_serves_only_when_it_has_caught_up_for_every_owner(self, fill: Filler, new: Filler) -> None:
        fill.store("rain", agent="ゆき")
        fill()
        embed_pending(new.services, [DUDU])
        assert new.sets() == [("words", True), ("others", False)]
        embed_pending(new.services, [Namespace("ゆき")])
        assert (new.sets(), new.kept("ゆき")) == ([("others", True)], [1])

    def test_a_search_finds_everything_at_every_moment_of_it(self, fill: Filler, new: Filler) -> None:
        seen: list[int] = []
        old = fill.embedder
        new.embeddings = Embeddings(new.embedder, lambda identity: old if identity == old.identity else None)

        def search() -> None:
            if not new.embedder.asked or new.embedder.asked[-1] != ["tea"]:
                seen.append(len(fill.found("tea")))

        new.embedder.meanwhile = search
        assert new().embedded == BATCH + 2
        new.embedder.meanwhile = lambda: None
        assert [*seen, len(new.found("tea"))] == [BATCH + 2] * 3

    def test_nothing_of_the_old_set_is_left(self, new: Filler) -> None:
        new()
        with new.services.store.reading() as unit:
            assert [list(unit.vectors.since(DUDU, number, 0)) for number in (1, 3)] == [[], []]
            assert len(list(unit.vectors.since(DUDU, 2, 0))) == BATCH + 2

    def test_two_processes_do_not_replace_each_others_embedder_for_ever(self, fill: Filler, new: Filler) -> None:
        new()
        fill.store("rain")
        done = fill()
        assert (done.embedded, done.failure) == (0, "Another process has given this workspace another embedder.")
        assert (new.sets(), new().embedded) == ([("others", True)], 1)

    def test_whoever_opens_the_workspace_with_the_old_embedder_again_gets_it(self, new: Filler) -> None:
        new()
        again = Filler(new.workspace)
        assert (again().embedded, again.sets()) == (BATCH + 2, [("words", True)])

    def test_a_set_that_is_behind_does_not_serve(self, fill: Filler, new: Filler) -> None:
        identity = new.embedder.identity
        with fill.services.store.writing() as unit:
            number = current_set(unit, identity)
            unit.vectors.add(DUDU, number, [], BATCH + 1)
            settle(unit, identity, [DUDU])
            assert [known for known in unit.vectors.sets() if known.active] == [
                VectorSet(1, fill.embedder.identity, active=True)
            ]
            unit.vectors.add(DUDU, number, [], BATCH + 2)
            settle(unit, identity, [DUDU])
            assert unit.vectors.sets() == [VectorSet(number, identity, active=True)]


class TestTwoProcesses:
    """Two processes on one workspace: at worst a batch is embedded by both."""

    @pytest.fixture
    def pair(self, address: str) -> Iterator[tuple[Filler, Filler]]:
        with open_workspace(address) as one, open_workspace(address) as other:
            yield Filler(one), Filler(other)

    def test_the_slower_one_throws_its_batch_away(self, pair: tuple[Filler, Filler]) -> None:
        slow, fast = pair
        slow.store(*many(BATCH + 1))

        def overtake() -> None:
            slow.embedder.meanwhile = lambda: None
            assert fast() == Embedded(embedded=BATCH + 1)

        slow.embedder.meanwhile = overtake
        assert slow() == Embedded()
        assert slow.kept() == list(range(1, BATCH + 2))

    def test_each_goes_on_where_the_other_stopped(self, pair: tuple[Filler, Filler]) -> None:
        one, other = pair
        one.store(*many(3 * BATCH))
        assert [one(most=BATCH).embedded, other(most=BATCH).embedded, one().embedded] == [BATCH, BATCH, BATCH]
        texts = one.embedder.texts + other.embedder.texts
        assert len(set(texts)) == len(texts) == 3 * BATCH

    def test_what_one_erases_while_the_other_embeds_it_gets_no_vector(self, pair: tuple[Filler, Filler]) -> None:
        one, other = pair
        ids = one.store("tea", "coffee")
        one.embedder.meanwhile = lambda: other.workspace.agent("dudu").erase(ids[:1], scrub=False)
        assert (one(), other.kept()) == (Embedded(embedded=1), [2])

    def test_a_set_dropped_while_a_batch_for_it_is_embedded_is_not_filled_in(self, pair: tuple[Filler, Filler]) -> None:
        one, _ = pair
        one.store("tea")
        one()
        one.store("coffee")
        changed = Filler(one.workspace, WordEmbedder("others"))
        one.embedder.meanwhile = changed
        assert one().failure == "Another process has given this workspace another embedder."
        assert (changed.sets(), changed.kept()) == ([("others", True)], [1, 2])
