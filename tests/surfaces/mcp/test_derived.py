"""What is derived, over MCP: its time is that of its parents unless one is given."""

from tests.surfaces.mcp.connecting import Agent


def times(dudu: Agent, memory_id: str) -> tuple[str, str]:
    memory = dudu.call("memory_read", id=memory_id)
    return memory["valid_from"][:10], memory["origins"][0]["observed_at"][:10]


def test_a_memory_is_of_the_time_of_what_it_was_derived_from(dudu: Agent) -> None:
    parent = dudu.remember("李老闆喜歡喝高山茶", valid_from="2026-02-01", observed_at="2026-02-03")
    derived = dudu.remember("李老闆不缺茶葉", derived_from=[parent])
    given = dudu.remember("李社長はお茶に詳しい", derived_from=[parent], observed_at="2026-05-01")
    assert times(dudu, derived) == ("2026-02-01", "2026-02-03")
    assert times(dudu, given) == ("2026-05-01", "2026-05-01")
