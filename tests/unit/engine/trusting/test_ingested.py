"""What the gate makes of a chat: each turn counts once, as the best that became of its parts."""

from datetime import UTC, datetime, timedelta

from karte.core.echo import marked
from karte.engine.remembering.turns import Chat, Turn
from tests.unit.engine.trusting.worlds import ORDER, World

START = datetime(2026, 6, 1, tzinfo=UTC)


def chat(*texts: str) -> Chat:
    """A conversation in which one person says these, a minute apart."""
    turns = (Turn("user", "Mei", text, START + timedelta(minutes=number)) for number, text in enumerate(texts))
    return Chat("team", tuple(turns))


def counts(world: World, told: Chat) -> dict[str, int]:
    shape = world.operator.agent("dudu").ingest_chat(told, origin_kind="channel").to_dict()
    return {name: value for name, value in shape.items() if name not in ("conversation", "turns", "without_time")}


def test_what_gives_orders_to_a_model_is_counted_apart_and_waits() -> None:
    world = World()
    told = counts(world, chat("我住在台北", ORDER))
    assert told == {"stored": 1, "quarantined": 1, "blocked": 0, "unchanged": 0, "skipped": 0}
    assert len(world.operator.waiting()) == 1


def test_echoes_are_skipped() -> None:
    quoted = "\n".join(f"> {line}" for line in marked("Mei lives in 台北").splitlines())
    told = counts(World(), chat("hello", marked("Mei lives in 台北"), quoted))
    assert told == {"stored": 1, "quarantined": 0, "blocked": 0, "unchanged": 0, "skipped": 2}


def test_a_conversation_that_was_forgotten_is_not_learned_again() -> None:
    world = World()
    counts(world, chat("我住在台北", "hello"))
    plan = world.operator.plan_to_forget("channel:chat:team:")
    world.operator.approve_plan(plan.id, plan.digest.hex())
    world.operator.forget(plan.id)
    told = counts(world, chat("我住在台北", "hello"))
    assert told == {"stored": 0, "quarantined": 0, "blocked": 2, "unchanged": 0, "skipped": 0}
    assert world.operator.stats().memories["dudu"] == 0


def test_a_long_turn_of_which_a_part_is_kept_counts_as_stored() -> None:
    long = "\n\n".join([ORDER, "a" * 40_000, "b" * 40_000])
    told = counts(World(), chat(long))
    assert told == {"stored": 1, "quarantined": 0, "blocked": 0, "unchanged": 0, "skipped": 0}
