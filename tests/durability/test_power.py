"""The loss of power: what was acknowledged is there, what was not is there as a whole or not at all.

One day of work is filmed (`power`), then the power is lost at many of its moments. `make test` tries 60 of them and
the moments of creation, `make test-full` 360.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from random import Random

import pytest

from karte.core.namespaces import Namespace
from karte.stores.sqlite import connecting
from karte.stores.sqlite.connecting import Durability
from karte.workspace import Chart, Workspace
from tests.durability.chance import chance_of
from tests.durability.opening import integrity, opened
from tests.durability.power import FilmedDisk, Kind, Loss, Operation, losses
from tests.durability.workload import Day, State, charts, observe, word_of

FILE = "day.karte"
PARTS = [0, 1, *(pytest.param(part, marks=pytest.mark.slow) for part in range(2, 12))]
_AT_RECEIPTS, _ANYWHERE, _IN_CHECKPOINTS = 12, 12, 6
_SEARCHED = 10
_CHECKPOINT_PAGES = 500


@dataclass(frozen=True)
class Film:
    """A filmed day, and the states that were acknowledged, each with the number of operations before it."""

    operations: Sequence[Operation]
    acknowledged: Sequence[tuple[int, State]]

    @cached_property
    def ids(self) -> frozenset[str]:
        """Every id that was ever given out."""
        return frozenset(memory_id for _, state in self.acknowledged for memory_id in state.texts)

    @cached_property
    def texts(self) -> dict[str, str]:
        """Every text that was ever there."""
        return {name: text for _, state in self.acknowledged for name, text in state.texts.items()}

    def around(self, moment: int) -> tuple[State, State]:
        """The state acknowledged last before a moment, and the one that was being made."""
        earlier = [state for at, state in self.acknowledged if at <= moment]
        later = [state for at, state in self.acknowledged if at > moment]
        return earlier[-1], (later or earlier[-1:])[0]

    def erased_before(self, moment: int) -> list[str]:
        """The words of the texts that were there once and whose erasure was acknowledged before a moment."""
        known = [state.texts for at, state in self.acknowledged if at <= moment]
        return [word_of(text) for texts in known for name, text in texts.items() if name not in known[-1]]

    def checkpoints(self) -> list[int]:
        """The moments after a write to the file itself, once it exists."""
        first = self.acknowledged[0][0]
        written = enumerate(self.operations[first:], first + 1)
        return [moment for moment, done in written if done.kind is Kind.WRITE and done.file == FILE]


@dataclass(frozen=True)
class Aftermath:
    """What a workspace held when it was opened again, compared with what was acknowledged."""

    state: State
    lost: frozenset[str]
    unfindable: frozenset[str]
    differences: tuple[str, ...]


def filmed(folder: Path, synchronous: str = "FULL") -> Film:
    """Film a day of which the log is moved into the file several times."""
    disk = FilmedDisk(f"filmed-{synchronous}")
    acknowledged: list[tuple[int, State]] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(connecting, "CHECKPOINT_PAGES", _CHECKPOINT_PAGES)
        with opened(folder / FILE, Durability(synchronous=synchronous, vfs=disk.name)) as workspace:
            acknowledged.extend((len(disk.film), state) for state in Day(workspace).run())
            with workspace._services.store.reading() as unit:
                assert unit.lexicon.size(Namespace()).compacted > 256
    disk.unregister()
    return Film(disk.film, acknowledged)


def chosen_moments(film: Film, chance: Random) -> list[int]:
    """Moments right after a receipt, in the middle of a checkpoint, and anywhere after the workspace was made."""
    receipts = [moment for moment, _ in film.acknowledged]
    anywhere = range(receipts[0], receipts[-1] + 1)
    return [
        *chance.sample(receipts, _AT_RECEIPTS),
        *chance.choices(anywhere, k=_ANYWHERE),
        *chance.choices(film.checkpoints(), k=_IN_CHECKPOINTS),
    ]


def found(owners: Sequence[Chart], word: str) -> set[str]:
    return {hit.memory.id for chart in owners for hit in chart.search(word).hits}


def aftermath(film: Film, loss: Loss, folder: Path) -> Aftermath:
    """Open what a loss left with SQLite's own file layer, and look at everything."""
    loss.restore(folder)
    before, being_made = film.around(loss.moment)
    surely = before.texts.keys() & being_made.texts.keys()
    with opened(folder / FILE, hours=24) as workspace:
        state = observe(workspace, film.ids)
        assert sum(workspace.stats().memories.values()) == len(state.texts)
        sample = loss.luck.chance.sample(sorted(state.in_force), min(_SEARCHED, len(state.in_force)))
        sought = {*sample, *list(before.texts)[-5:]} & before.in_force & being_made.in_force
        owners = charts(workspace)
        unfindable = frozenset(m for m in sought if found(owners, word_of(film.texts[m])) != {m})
        differences = workspace.doctor().differences
        check_it_lives_on(workspace)
    assert integrity(folder / FILE) == "ok"
    return Aftermath(state, frozenset(surely - state.texts.keys()), unfindable, differences)


def check_it_lives_on(workspace: Workspace) -> None:
    stored = workspace.store("The lights are on again, 電力恢復了", tags=["電力"])
    assert [hit.memory.id for hit in workspace.search("電力恢復").hits] == [stored.memory_id]


def folders(tmp_path: Path) -> Iterator[Path]:
    number = 0
    while True:
        folder = tmp_path / f"loss-{number}"
        folder.mkdir()
        yield folder
        number += 1


@pytest.fixture(scope="module")
def full(tmp_path_factory: pytest.TempPathFactory) -> Film:
    return filmed(tmp_path_factory.mktemp("full"))


@pytest.fixture(scope="module")
def normal(tmp_path_factory: pytest.TempPathFactory) -> Film:
    return filmed(tmp_path_factory.mktemp("normal"), "NORMAL")


def test_the_film_holds_a_checkpoint_between_calls_that_did_not_ask_for_one(full: Film) -> None:
    last_round = full.acknowledged[-5][0]
    assert [moment for moment in full.checkpoints() if moment < last_round] != []


@pytest.mark.parametrize("part", PARTS)
def test_after_a_loss_of_power_everything_acknowledged_is_there_and_nothing_is_partial(
    full: Film, tmp_path: Path, seed: str, part: int
) -> None:
    chance = chance_of(seed, part)
    for loss, folder in zip(
        losses(full.operations, chosen_moments(full, chance), chance), folders(tmp_path), strict=False
    ):
        after = aftermath(full, loss, folder)
        assert after.lost == frozenset(), loss
        assert after.state in full.around(loss.moment), loss
        assert after.unfindable == frozenset(), loss
        assert after.differences == (), loss


def test_after_a_loss_of_power_no_byte_of_what_was_erased_is_back(full: Film, seed: str) -> None:
    chance = chance_of(seed)
    erased_from = next(moment for moment, _ in full.acknowledged if full.erased_before(moment))
    for loss in losses(full.operations, chance.choices(range(erased_from, len(full.operations) + 1), k=100), chance):
        left = b"".join(loss.files.values())
        before, being_made = full.around(loss.moment)
        kept = chance.sample(sorted(before.texts.keys() & being_made.texts.keys()), _SEARCHED)
        assert [m for m in kept if word_of(full.texts[m]).encode() not in left] == [], loss
        assert [word for word in full.erased_before(loss.moment) if word.encode() in left] == [], loss


def test_a_loss_of_power_while_a_workspace_is_made_leaves_one_that_opens(full: Film, tmp_path: Path, seed: str) -> None:
    made = full.acknowledged[0][0]
    moments = [moment for moment in range(made + 1) for _ in range(2)]
    for loss, folder in zip(losses(full.operations, moments, chance_of(seed)), folders(tmp_path), strict=False):
        loss.restore(folder)
        with opened(folder / FILE) as workspace:
            check_it_lives_on(workspace)


class TestControls:
    """The simulated losses bite, and the checks see what they are there to see."""

    def test_with_synchronous_normal_acknowledged_writes_are_lost(
        self, normal: Film, tmp_path: Path, seed: str
    ) -> None:
        chance = chance_of(seed)
        moments = chance.sample([moment for moment, _ in normal.acknowledged], 12)
        lost = 0
        for loss, folder in zip(losses(normal.operations, moments, chance), folders(tmp_path), strict=False):
            after = aftermath(normal, loss, folder)
            assert after.state in [State(), *(state for _, state in normal.acknowledged)], loss
            lost += len(after.lost)
        assert lost > 0

    def test_a_batch_that_is_stored_one_by_one_is_seen_to_be_partial(self, tmp_path: Path) -> None:
        disk = FilmedDisk("one by one")
        (tmp_path / "made").mkdir()
        with opened(tmp_path / "made" / FILE, Durability(vfs=disk.name)) as workspace:
            empty = (len(disk.film), State())
            stored = {workspace.store(f"Batch word k{n:04d}").memory_id: f"Batch word k{n:04d}" for n in range(4)}
            film = Film(disk.film, [empty, (len(disk.film), State().with_texts(stored))])
        disk.unregister()
        middle = (empty[0] + film.acknowledged[1][0]) // 2
        (loss,) = losses(film.operations, [middle], chance_of(0))
        loss.restore(tmp_path)
        with opened(tmp_path / FILE) as workspace:
            assert observe(workspace, film.ids) not in film.around(middle)
