"""The official Python client, unmodified, against `karte mcp`, at both live revisions of the protocol."""

import pytest

import karte
from karte.surfaces.mcp.catalogue import INSTRUCTIONS
from tests.acceptance.mcp.processes import parameters
from tests.surfaces.mcp.connecting import REVISIONS, connected

CORE = [
    *("memory_store", "memory_search", "memory_fetch_batch", "memory_get_history", "memory_get_at", "memory_withdraw"),
    *("propose_fact", "memory_context", "get_my_notes", "update_my_notes"),
]
DEPLOY = {"subject": "user", "predicate": "deploy_target"}


@pytest.mark.parametrize("revision", REVISIONS)
def test_an_agent_lists_stores_finds_fetches_and_reads_the_past(place: str, revision: str) -> None:
    with connected(parameters(place), revision) as agent:
        assert (list(agent.tools()), agent.client.instructions) == (CORE, INSTRUCTIONS)
        server = agent.client.server_info
        assert server is not None
        assert (server.name, server.version) == ("karte", karte.__version__)

        def deploys_to(target: str, valid_from: str) -> str:
            return agent.remember(f"Deploys go to {target}", **DEPLOY, object=target, valid_from=valid_from)

        workers = deploys_to("Cloudflare Workers", "2025-03-03")
        vercel = deploys_to("Vercel", "2025-01-01")
        agent.remember("部署目標由李老闆決定", tags=["部署"])

        (hit, *_) = agent.call("memory_search", query="where do deploys go", limit=5)["hits"]
        assert (hit["memory"]["id"], hit["why"] != "") == (workers, True)
        assert [hit["memory"]["tags"] for hit in agent.call("memory_search", query="李老闆")["hits"]] == [["部署"]]

        batch = agent.call("memory_fetch_batch", ids=[vercel, "mem_404", workers])
        assert [memory["object"] for memory in batch["memories"]] == ["Vercel", "Cloudflare Workers"]
        assert (batch["missing_ids"], batch["total_found"], batch["total_missing"]) == (["mem_404"], 2, 1)

        chain = agent.call("memory_get_history", **DEPLOY)["chain"]
        assert [(memory["id"], memory["valid_from"], memory["valid_until"]) for memory in chain] == [
            (vercel, "2025-01-01T00:00:00Z", "2025-03-03T00:00:00Z"),
            (workers, "2025-03-03T00:00:00Z", None),
        ]
        assert [agent.call("memory_get_at", **DEPLOY, at=at)["memories"][0]["id"] for at in ("2025-02-01", None)] == [
            *(vercel, workers),
        ]
        revived = agent.call("memory_withdraw", id=workers, reason="never happened")["revived"]
        assert revived == [vercel]


def test_what_one_process_stored_another_finds_at_the_next_search_as_said_in_another_session(place: str) -> None:
    with connected(parameters(place)) as writer, connected(parameters(place)) as reader:
        texts = ["金庫の鍵は田中さんが持っている", "열쇠는 김 부장이 갖고 있다", "钥匙在张经理手里", "李老闆有備用鑰匙"]
        for text, query in zip(texts, ["田中さん", "부장", "张经理", "備用鑰匙"], strict=True):
            kept = writer.remember(text)
            assert reader.call("memory_search", query=query)["hits"][0]["memory"]["id"] == kept
        reader.remember(text)
        (memory,) = reader.call("memory_fetch_batch", ids=[kept])["memories"]
        containers = {origin["container"] for origin in memory["origins"]}
        assert (len(containers), {container[:4] for container in containers}) == (2, {"mcp:"})


def test_a_token_says_which_agent_is_served_and_what_it_may_do(place: str) -> None:
    with karte.open(place) as workspace:
        workspace.agent("momo")
        token = workspace.create_token("momo's", ["memory:read", "memory:write"], agent="momo").text
        reading = workspace.create_token("momo's eyes", ["memory:read"], agent="momo").text
    with connected(parameters(place, None, KARTE_TOKEN=token)) as momo:
        kept = momo.remember("Momo 住在 大阪", trust=1)
    with connected(parameters(place, "momo", KARTE_TOKEN=reading)) as momo:
        (memory,) = momo.call("memory_fetch_batch", ids=[kept])["memories"]
        assert (memory["owner"], memory["trust"]) == ("momo", 0.6)
        assert "memory_store" not in momo.tools()


def test_two_agents_at_one_workspace_do_not_see_each_other(place: str) -> None:
    with connected(parameters(place, "dudu")) as dudu, connected(parameters(place, "momo")) as momo:
        secret = dudu.remember("dudu keeps the key under the mat")
        assert momo.call("memory_search", query="key")["nothing_relevant"] is True
        assert momo.call("memory_fetch_batch", ids=[secret])["missing_ids"] == [secret]
