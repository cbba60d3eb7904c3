"""An agent's memories are its own: for anybody else they are as good as not there."""

from pathlib import Path
from typing import Any

import pytest

from tests.surfaces.cli.running import answer, invoke

FACT = ("--subject", "user", "--predicate", "city", "--object", "台北")


@pytest.fixture(autouse=True)
def theirs(workspace: str) -> Any:  # noqa: ARG001 - it is where commands look
    """A memory of `dudu`; `coco` is there too, and knows nothing."""
    answer("agent", "create", "coco")
    return answer("store", "住在台北", *FACT, "--agent", "dudu", "--origin", "user_direct:chat:1")


@pytest.mark.parametrize("who", [["--agent", "coco"], []])
class TestOthers:
    def test_see_nothing_of_it(self, who: list[str], theirs: Any) -> None:
        assert answer("list", *who) == {"memories": []}
        found = answer("search", "台北", "--explain", *who)
        assert (found["hits"], found["left_out"], found["nothing_relevant"]) == ([], [], True)
        assert answer("fetch", theirs["memory_id"], *who)["missing_ids"] == [theirs["memory_id"]]
        assert answer("at", "user", "city", *who) == {"memories": []}

    @pytest.mark.parametrize("command", ["read", "history", "withdraw", "end", "erase", "correct", "supersede"])
    def test_cannot_tell_its_id_from_one_that_does_not_exist(self, who: list[str], theirs: Any, command: str) -> None:
        more = ["newer"] if command in {"correct", "supersede"} else []

        def said_of(memory_id: str) -> tuple[int, str]:
            outcome = invoke(command, memory_id, *more, *who)
            return outcome.code, (outcome.out + outcome.err).replace(memory_id, "ID")

        assert said_of(theirs["memory_id"]) == said_of("mem_none")
        assert answer("read", theirs["memory_id"], "--agent", "dudu")["status"] == "in_force"

    @pytest.mark.parametrize(
        "command",
        [
            ["history", "user", "city"],
            ["timeline", "user"],
            ["end", "user", "city"],
            ["invalidate-origin", "user_direct:chat"],
        ],
    )
    def test_have_no_such_fact_or_origin(self, who: list[str], command: list[str]) -> None:
        assert invoke(*command, *who).code == 4

    def test_cannot_derive_from_it_nor_expect_it(self, who: list[str], theirs: Any) -> None:
        for option in ("--derived-from", "--expect-current"):
            outcome = invoke("store", "x", option, theirs["memory_id"], *who, "--json")
            assert outcome.error["code"] == "unknown_memory"

    def test_have_aliases_and_predicates_of_their_own(self, who: list[str]) -> None:
        answer("alias", "add", "user", "小明", "--agent", "dudu")
        answer("predicate", "set", "likes", "--multi-valued", "--agent", "dudu")
        assert (answer("alias", "list", *who), answer("predicate", "list", *who)) == (
            {"aliases": []},
            {"multi_valued": []},
        )


def test_an_agent_is_made_by_what_it_remembers_and_by_nothing_else() -> None:
    def names() -> list[str]:
        return [agent["name"] for agent in answer("agent", "list")["agents"]]

    for command in (["list"], ["search", "x"], ["withdraw", "mem_x"], ["erase", "mem_x"], ["timeline", "x"]):
        outcome = invoke(*command, "--agent", "ghost", "--json")
        assert (outcome.code, outcome.error["code"]) == (4, "unknown_agent")
    assert names() == ["coco", "dudu"]
    answer("store", "一句話", "--agent", "momo")
    Path("many.jsonl").write_text('{"content": "二"}\n', encoding="utf-8")
    answer("store-many", "many.jsonl", "--agent", "nana")
    assert names() == ["coco", "dudu", "momo", "nana"]


def test_who_finds_nothing_and_named_no_agent_is_told_whose_memories_there_are() -> None:
    told = "These are the memories of the workspace itself; --agent names others: coco, dudu.\n"
    assert [invoke(*command).err for command in (["list"], ["search", "台北"])] == [told, told]
    assert [invoke(*command, "--agent", "coco").err for command in (["list"], ["search", "台北"])] == ["", ""]
    answer("store", "台北大家都知道")
    assert [invoke(*command).err for command in (["list"], ["search", "台北"])] == ["", ""]


def test_every_owner_is_counted() -> None:
    answer("store", "大家的話")
    assert answer("stats") == {"memories": {"workspace": 1, "coco": 0, "dudu": 1}, "total": 2}


def test_the_person_at_the_terminal_is_the_origin_unless_another_one_is_named() -> None:
    own = answer("store", "我說的")["memory_id"]
    heard = answer("store", "聽來的", "--origin", "channel:slack:7")["memory_id"]
    (mine,), (theirs,) = answer("read", own)["origins"], answer("read", heard)["origins"]
    assert (mine["kind"], mine["container"], mine["item"]) == ("operator", "cli", None)
    assert (theirs["kind"], theirs["container"], theirs["item"]) == ("channel", "slack", "7")
    assert answer("alias", "add", "a", "b", "--origin", "import:names")["origin"] == "import:names"
