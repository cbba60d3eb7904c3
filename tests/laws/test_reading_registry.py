"""Nothing that reads is left out of the registry of read paths, on any surface."""

import inspect
from collections.abc import Iterable

from karte.surfaces.cli import application
from karte.surfaces.cli.command_table import Command, Group, Section
from karte.surfaces.mcp.catalogue import TOOLS
from karte.testing.reading import PATHS, SILENT, WRITES
from karte.workspace import Chart, Workspace

READ_BY_TOOLS = {
    "memory_search": "search",
    "memory_fetch_batch": "fetch",
    "memory_get_history": "history",
    "memory_get_at": "at",
    "memory_read": "read",
    "memory_timeline": "timeline",
    "memory_list": "list",
    "memory_alias_list": "aliases",
    "memory_pending": "pending",
    "memory_stats": "stats",
    "memory_context": "context",
    "get_my_notes": "notes",
    "list_memory_domains": "domains",
    "list_memory_conflicts": "conflicts",
    "list_policies": "policies",
    "list_mistakes": "mistakes",
}
WRITTEN_BY_TOOLS = {
    "memory_store": "store",
    "memory_withdraw": "withdraw",
    "memory_supersede": "supersede",
    "memory_end": "end",
    "memory_alias_add": "add_alias",
    "memory_alias_remove": "remove_alias",
    "memory_invalidate_by_origin": "invalidate_by_origin",
    "propose_fact": "propose_fact",
    "supersede_fact": "supersede_fact",
    "withdraw_fact": "withdraw_fact",
    "resolve_memory_conflict": "resolve_conflict",
    "propose_policy": "propose_policy",
    "supersede_policy": "supersede_policy",
    "update_my_notes": "update_notes",
    "record_observation": "observe",
    "remember": "remember",
    "record_mistake": "record_mistake",
    "consolidate_memory": "consolidate",
    "harmonize_memory": "harmonize",
}
"""Each tool of the MCP server, and the method that it goes through.

Resources go through `read`, and refuse more, and through `policies`; prompts go through `context`.
"""

READ_BY_COMMANDS = {
    "search": "search",
    "list": "list",
    "read": "read",
    "fetch": "fetch",
    "history": "history",
    "at": "at",
    "timeline": "timeline",
    "graph export": "export_graph",
    "alias list": "aliases",
    "predicate list": "multi_valued",
    "archive list": "archived",
    "origin list": "origins",
    "origin show": "taught_by",
    "forget plan": "plan_to_forget",
    "forget show": "plan_of",
    "forget receipts": "forgotten",
    "block list": "blocks",
    "approve list": "waiting",
    "approve show": "review",
    "token list": "tokens",
    "audit list": "audit",
    "audit verify": "verify_audit",
    "agent list": "agents",
    "stats": "stats",
    "doctor": "doctor",
    "maintain": "maintain",
    "export": "export",
    "backup": "backup",
    "embedder status": "embedder",
    "domain list": "domains",
    "conflict list": "conflicts",
    "policy list": "policies",
    "context": "context",
    "note show": "notes",
    "mistake list": "mistakes",
    "rule list": "rules",
}
WRITTEN_BY_COMMANDS = {
    "store": "store",
    "store-many": "store_many",
    "ingest chat": "ingest_chat",
    "supersede": "supersede",
    "end": "end",
    "correct": "correct",
    "withdraw": "withdraw",
    "invalidate-origin": "invalidate_by_origin",
    "erase": "erase",
    "archive restore": "restore",
    "alias add": "add_alias",
    "alias remove": "remove_alias",
    "predicate set": "set_predicate",
    "approve accept": "approve",
    "approve deny": "deny",
    "forget apply": "forget",
    "forget resume": "resume_forgetting",
    "block unblock": "unblock",
    "token create": "create_token",
    "token revoke": "revoke_token",
    "embedder fill": "embed",
    "agent create": "agent",
    "domain create": "create_domain",
    "domain grant": "grant",
    "fact propose": "propose_fact",
    "fact supersede": "supersede_fact",
    "fact withdraw": "withdraw_fact",
    "conflict resolve": "resolve_conflict",
    "policy propose": "propose_policy",
    "policy supersede": "supersede_policy",
    "policy end": "end_policy",
    "note set": "update_notes",
    "note observe": "observe",
    "remember": "remember",
    "mistake add": "record_mistake",
    "reflect": "reflect",
    "consolidate": "consolidate",
    "harmonize": "harmonize",
    "rule promote": "promote_rule",
}
COMMANDS_WITHOUT_MEMORY = {
    "init": "makes an empty workspace",
    "tour": "shows what it stores itself, in a workspace of its own",
    "mcp": "serves the tools",
    "connect claude-code": "writes the configuration of another program",
    "import": "fills a workspace from a file, and answers with figures",
    "restore": "fills a workspace from a backup, and answers with figures",
    "copy": "fills a workspace from another one, and answers with figures",
    "postgres prepare": "makes the tables",
    "postgres scrub": "removes bytes",
}


def public(kind: type) -> set[str]:
    return {name for name, _ in inspect.getmembers(kind) if not name.startswith("_")}


def named(entries: Iterable[Command | Group]) -> set[str]:
    alone = {entry.name for entry in entries if isinstance(entry, Command)}
    groups = [entry for entry in entries if isinstance(entry, Group)]
    return alone | {f"{group.name} {command.name}" for group in groups for command in group.commands}


def commands() -> set[str]:
    sections: Iterable[Section] = application.SECTIONS
    return {name for section in sections for name in named(section.entries)}


def test_every_public_method_of_the_facade_is_a_read_path_or_said_to_be_none() -> None:
    read = {path.method for path in PATHS.values()}
    assert public(Chart) | public(Workspace) == read | WRITES | set(SILENT)


def test_no_method_is_said_to_read_and_not_to_read() -> None:
    read = {path.method for path in PATHS.values()}
    assert sorted([*(read & WRITES), *(read & set(SILENT)), *(WRITES & set(SILENT))]) == []


def test_every_tool_of_the_mcp_server_goes_through_a_method_of_the_registry() -> None:
    assert set(TOOLS) == set(READ_BY_TOOLS) | set(WRITTEN_BY_TOOLS)
    assert set(READ_BY_TOOLS.values()) <= {path.method for path in PATHS.values()}
    assert set(WRITTEN_BY_TOOLS.values()) <= WRITES


def test_every_command_goes_through_a_method_of_the_registry_or_reads_no_memory() -> None:
    assert commands() == {*READ_BY_COMMANDS, *WRITTEN_BY_COMMANDS, *COMMANDS_WITHOUT_MEMORY}
    assert set(READ_BY_COMMANDS.values()) <= {path.method for path in PATHS.values()} | set(SILENT)
    assert set(WRITTEN_BY_COMMANDS.values()) <= WRITES | {"agent", "embed"}
