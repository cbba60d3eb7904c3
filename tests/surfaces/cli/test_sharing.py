"""`domain`, `fact`, `conflict`, `policy`: what a workspace shares, at a terminal and in a pipe."""

from typing import Any

import pytest
from rich.cells import cell_len

import karte
from tests.surfaces.cli.running import answer, invoke

VERCEL = "Deploys go to Vercel from the main branch"
FLY = "Deploys go to Fly.io from the main branch"


@pytest.fixture(autouse=True)
def team(workspace: str) -> None:  # noqa: ARG001 - where they are
    """An engineer and somebody of operations; a domain in which engineers write, and one that is confidential."""
    answer("agent", "create", "dudu", "--role", "engineer")
    answer("agent", "create", "momo", "--role", "ops")
    answer("domain", "create", "決策", "--description", "What was decided")
    answer("domain", "grant", "決策", "write", "--role", "engineer")
    answer("domain", "create", "payroll", "--confidential")


def proposed(text: str, agent: str = "dudu", *options: str) -> Any:
    return answer("fact", "propose", "決策", text, "-a", agent, *options)


def contested() -> Any:
    """Two facts that contradict each other, so that somebody has to decide; gives the conflict."""
    proposed(VERCEL)
    assert proposed(FLY, "momo")["status"] == "contested"
    (conflict,) = answer("conflict", "list")["conflicts"]
    return conflict


class TestDomains:
    def test_the_operator_sees_all_of_them_with_their_grants(self) -> None:
        told = answer("domain", "list")["domains"]
        assert [(each["name"], each["level"], each["default_grant"], each["grants"]) for each in told] == [
            ("payroll", "write", "none", []),
            ("決策", "write", "read", [{"role": "engineer", "level": "write"}]),
        ]

    def test_an_agent_sees_those_that_it_may_read_and_what_it_may_do(self) -> None:
        levels = {who: answer("domain", "list", "-a", who)["domains"] for who in ("dudu", "momo")}
        assert {who: [(each["name"], each["level"]) for each in told] for who, told in levels.items()} == {
            "dudu": [("決策", "write")],
            "momo": [("決策", "read")],
        }

    def test_one_may_be_of_a_repository(self) -> None:
        made = answer("domain", "create", "architecture", "--repo", "shop", "--label", "How it is built")
        assert (made["name"], made["repo"], made["label"]) == ("architecture", "shop", "How it is built")
        again = invoke("domain", "create", "architecture", "--repo", "shop", "--confidential", "--json")
        assert (again.code, again.error["code"]) == (5, "domain_there")

    def test_grants_are_drawn_as_a_matrix(self) -> None:
        answer("domain", "grant", "payroll", "read", "--to", "momo")
        assert invoke("domain", "list").out.splitlines() == [
            "domain            you    others  momo (agent)  engineer (role)",
            "payroll           write  none    read",
            "confidential",
            "決策              write  read                  write",
            "What was decided",
        ]

    def test_it_is_said_how_much_is_known_and_where_a_policy_may_follow(self) -> None:
        for text in ("茶は二回淹れる", "배송은 월요일에 나간다", "部署到 Fly.io", "The shop closes at six"):
            proposed(text)
        (domain,) = answer("domain", "list", "-a", "momo")["domains"]
        assert (domain["facts"], domain["policies"], domain["suggest_policy"]) == (4, 0, True)
        lines = invoke("domain", "list", "-a", "momo").out.splitlines()
        assert lines[-2:] == ["4 facts, 0 policies", "a policy may follow from them"]

    def test_a_matrix_of_many_roles_stays_within_80_columns(self) -> None:
        for number in range(12):
            answer("domain", "grant", "決策", "read", "--role", f"role {number}")
        lines = invoke("domain", "list").out.splitlines()
        assert max(cell_len(line) for line in lines) <= 80
        assert [name for name in ("role 0", "role 11") if not any(name in line for line in lines)] == []

    def test_a_grant_is_for_a_role_or_for_an_agent(self) -> None:
        for grantees in ((), ("--role", "ops", "--to", "momo")):
            outcome = invoke("domain", "grant", "決策", "read", *grantees, "--json")
            assert (outcome.code, outcome.error["code"]) == (2, "invalid_value")

    def test_an_agent_grants_nothing(self) -> None:
        outcome = invoke("domain", "grant", "決策", "write", "--to", "momo", "-a", "momo", "--json")
        assert (outcome.code, outcome.error["category"]) == (3, "refused")

    def test_where_there_is_none_it_is_said_how_one_is_made(self) -> None:
        outcome = invoke("domain", "list", "-w", "other.karte")
        assert outcome.code == 4
        invoke("init", "other.karte")
        told = invoke("domain", "list", "-w", "other.karte").out
        assert told == "No domains. Declare one: karte domain create NAME\n"


class TestFacts:
    def test_what_one_agent_proposes_another_finds_with_who_proposed_it(self) -> None:
        kept = proposed("部署前先跑完整測試", "dudu", "--topic", "部署", "--tag", "ci")
        (hit,) = answer("search", "部署 測試", "-a", "momo")["hits"]
        memory = hit["memory"]
        assert (memory["id"], memory["domain"], memory["topic"], memory["tags"]) == (
            kept["memory_id"],
            "決策",
            "部署",
            ["ci"],
        )
        assert memory["metadata"]["proposed_by"] == "agent:dudu"

    def test_a_domain_that_is_hidden_or_not_there_is_not_found(self) -> None:
        told = []
        for domain in ("payroll", "nonsense"):
            outcome = invoke("fact", "propose", domain, "x", "-a", "momo", "--json")
            told.append((outcome.code, outcome.error["code"], outcome.error["message"].replace(domain, "D")))
        assert told[0] == told[1]
        assert told[0][:2] == (4, "unknown_domain")

    def test_whoever_may_only_read_supersedes_nothing_of_others(self) -> None:
        kept = proposed(VERCEL)["memory_id"]
        for command in (("supersede", kept, FLY), ("withdraw", kept)):
            outcome = invoke("fact", *command, "-a", "momo", "--json")
            assert (outcome.code, outcome.error["code"]) == (3, "domain_refused")

    def test_a_newer_text_or_another_fact_takes_over(self) -> None:
        first = proposed(VERCEL)["memory_id"]
        second = answer("fact", "supersede", first, "Deploys go to Deno Deploy", "-a", "dudu")
        assert second["superseded"] == [first]
        third = proposed("We release on Mondays")["memory_id"]
        taken = answer("fact", "supersede", second["memory_id"], "--by", third, "-a", "dudu")
        assert taken["superseded"] == [second["memory_id"]]

    @pytest.mark.parametrize("rest", [(), ("text", "--by", "mem_1"), ("--by", "mem_1", "--object", "x")])
    def test_what_takes_over_is_either_a_text_or_a_fact(self, rest: tuple[str, ...]) -> None:
        assert invoke("fact", "supersede", "mem_0", *rest).code == 2

    def test_a_fact_is_withdrawn_with_a_reason(self) -> None:
        kept = proposed(VERCEL)["memory_id"]
        told = answer("fact", "withdraw", kept, "--reason", "misheard", "-a", "dudu")
        assert (told["memory_ids"], answer("read", kept)["status"]) == ([kept], "withdrawn")

    def test_text_comes_from_standard_input_for_a_dash(self) -> None:
        kept = answer("fact", "propose", "決策", "-", "-a", "dudu", given="리뷰는 두 명이 한다\n")
        assert answer("read", kept["memory_id"])["content"] == "리뷰는 두 명이 한다"

    def test_people_read_that_somebody_has_to_decide(self) -> None:
        proposed(VERCEL)
        headline, detail = invoke("fact", "propose", "決策", FLY, "-a", "momo").out.splitlines()
        assert headline.startswith("Stored, and contested: mem_")
        assert detail.startswith("  whoever may write in the domain decides: karte conflict resolve rev_")


class TestConflicts:
    def test_both_facts_are_told_with_what_differs(self) -> None:
        conflict = contested()
        assert (conflict["state"], conflict["domain"], conflict["differs"]) == (
            "unresolved",
            "決策",
            ["Fly.io / Vercel"],
        )
        assert [fact["content"] for fact in conflict["facts"]] == [FLY, VERCEL]

    def test_they_are_drawn_side_by_side(self) -> None:
        conflict = contested()
        lines = invoke("conflict", "list").out.splitlines()
        assert lines[:2] == ["[recalled from Karte, not said by anyone]", "Unresolved: Fly.io / Vercel"]
        assert lines[2].startswith(f"  {conflict['id']}, 決策, found 20")
        beside = next(line for line in lines if "Fly.io from" in line)
        assert beside.index("Fly.io") < beside.index("Vercel")
        ids = next(line for line in lines if conflict["facts"][0]["id"] in line)
        assert ids.split() == [fact["id"] for fact in conflict["facts"]]
        assert lines[-1] == f"  karte conflict resolve {conflict['id']} --winner ID | --both-hold | --neither"

    def test_the_winner_takes_over_and_the_note_is_kept(self) -> None:
        conflict = contested()
        winner, loser = (fact["id"] for fact in conflict["facts"])
        told = answer("conflict", "resolve", conflict["id"], "--winner", winner, "--note", "週會決定")
        assert (told["state"], told["decision"], told["winner"], told["decided_by"], told["note"]) == (
            "resolved",
            "winner",
            winner,
            "operator",
            "週會決定",
        )
        assert [answer("read", fact)["status"] for fact in (winner, loser)] == ["in_force", "historical"]
        assert answer("conflict", "list")["conflicts"] == []
        assert [each["id"] for each in answer("conflict", "list", "--all")["conflicts"]] == [conflict["id"]]

    @pytest.mark.parametrize(
        ("option", "statuses", "headline"),
        [
            ("--both-hold", ["in_force", "in_force"], "Resolved, both hold: Fly.io / Vercel"),
            ("--neither", ["withdrawn", "withdrawn"], "Resolved, neither holds: Fly.io / Vercel"),
        ],
    )
    def test_both_may_hold_or_neither(self, option: str, statuses: list[str], headline: str) -> None:
        conflict = contested()
        outcome = invoke("conflict", "resolve", conflict["id"], option)
        assert (outcome.code, outcome.out.splitlines()[0]) == (0, headline)
        assert [answer("read", fact["id"])["status"] for fact in conflict["facts"]] == statuses

    @pytest.mark.parametrize("options", [(), ("--both-hold", "--neither"), ("--winner", "mem_1", "--neither")])
    def test_a_decision_is_one_of_three(self, options: tuple[str, ...]) -> None:
        outcome = invoke("conflict", "resolve", "rev_1", *options, "--json")
        assert (outcome.code, outcome.error["category"]) == (2, "incorrect")

    def test_whoever_may_only_read_decides_nothing(self) -> None:
        conflict = contested()
        outcome = invoke("conflict", "resolve", conflict["id"], "--both-hold", "-a", "momo", "--json")
        assert (outcome.code, outcome.error["code"]) == (3, "domain_refused")
        assert invoke("conflict", "resolve", "rev_404", "--both-hold").code == 4

    def test_nothing_is_said_to_be_nothing(self) -> None:
        assert invoke("conflict", "list").out == "No conflicts.\n"


class TestPolicies:
    def test_a_rule_binds_the_role_that_it_is_for(self) -> None:
        made = answer(
            *("policy", "propose", "決策", "部署前先跑完整測試", "--role", "engineer", "--priority", "5", "-a", "dudu")
        )
        assert made["memory_id"].startswith("pol_")
        (policy,) = answer("policy", "list", "-a", "dudu")["policies"]
        assert (policy["rule"], policy["required_role"], policy["priority"], policy["always"]) == (
            "部署前先跑完整測試",
            "engineer",
            5,
            False,
        )
        assert answer("policy", "list", "-a", "momo")["policies"] == []
        assert [each["id"] for each in answer("policy", "list", "-a", "momo", "--all")["policies"]] == [policy["id"]]

    def test_it_takes_to_write_in_the_domain(self) -> None:
        outcome = invoke("policy", "propose", "決策", "x", "-a", "momo", "--json")
        assert (outcome.code, outcome.error["code"]) == (3, "domain_refused")

    def test_a_newer_rule_takes_over_and_an_end_leaves_none(self) -> None:
        fact = proposed("The tests take nine minutes")["memory_id"]
        first = answer(
            *("policy", "propose", "決策", "Run the tests first", "--always", "--source-fact", fact, "-a", "dudu")
        )["memory_id"]
        second = answer("policy", "supersede", first, "Run the tests twice", "--priority", "9", "-a", "dudu")
        (policy,) = answer("policy", "list", "-a", "momo")["policies"]
        assert (policy["id"], policy["supersedes"], policy["always"], policy["priority"]) == (
            second["memory_id"],
            first,
            True,
            9,
        )
        assert answer("policy", "end", second["memory_id"], "-a", "dudu")["status"] == "ended"
        assert answer("policy", "list", "-a", "momo")["policies"] == []

    def test_what_takes_over_is_either_a_rule_or_a_policy(self) -> None:
        for rest in ((), ("rule", "--by", "pol_1")):
            assert invoke("policy", "supersede", "pol_0", *rest).code == 2

    def test_they_are_drawn_as_they_are_told(self) -> None:
        assert invoke("policy", "list").out == "No policies.\n"
        answer("policy", "propose", "決策", "部署前先跑完整測試", "--role", "engineer", "--priority", "5", "--always")
        lines = invoke("policy", "list", "-a", "dudu").out.splitlines()
        assert lines[:2] == ["[recalled from Karte, not said by anyone]", "[決策] 部署前先跑完整測試"]
        assert lines[2].endswith(", for engineer alone, always, priority 5")
        assert lines[3].startswith("  in force since ")


class TestTokens:
    @pytest.fixture(autouse=True)
    def token(self, team: None, monkeypatch: pytest.MonkeyPatch) -> str:  # noqa: ARG002 - whose token it is
        """Go on as whoever has momo's token."""
        made = answer("token", "create", "m", "--scope", "memory:read", "--scope", "memory:write", "--agent", "momo")
        monkeypatch.setenv("KARTE_TOKEN", made["token"])
        return str(made["token"])

    @pytest.mark.parametrize("named", [(), ("--agent", "momo")])
    def test_an_agent_with_a_token_has_the_grants_of_its_role(
        self, named: tuple[str, ...], token: str, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.delenv("KARTE_TOKEN")
        answer("domain", "grant", "決策", "write", "--role", "ops")
        monkeypatch.setenv("KARTE_TOKEN", token)
        assert [each["level"] for each in answer("domain", "list", *named)["domains"]] == ["write"]
        assert answer("policy", "propose", "決策", "Never deploy on Fridays", *named)["status"] == "stored"

    def test_nobody_gives_themselves_a_role(self, workspace: str, token: str) -> None:
        outcome = invoke("agent", "create", "momo", "--role", "engineer", "--json")
        assert (outcome.code, outcome.error["category"]) == (3, "refused")
        with karte.open(workspace, token=token) as opened:
            for chart in (opened.acting(role="engineer"), opened.agent("momo").acting(role="engineer")):
                assert [domain.level.value for domain in chart.domains()] == ["read"]
        (momo,) = [each for each in answer("agent", "list")["agents"] if each["name"] == "momo"]
        assert momo["role"] == "ops"


def test_the_same_is_told_in_python(workspace: str) -> None:
    contested()
    answer("policy", "propose", "決策", "部署前先跑完整測試")
    with karte.open(workspace) as opened:
        assert answer("domain", "list") == {"domains": [each.to_dict() for each in opened.domains()]}
        assert answer("conflict", "list") == {"conflicts": [each.to_dict() for each in opened.conflicts()]}
        assert answer("policy", "list") == {"policies": [each.to_dict() for each in opened.policies()]}
