"""Forgetting in a test: plan, approve, forget; and places to keep a workspace in, a file or a database."""

from __future__ import annotations

from karte.core.origins import Origin
from karte.engine.forgetting.applying import Forgotten
from karte.workspace import Workspace


def forget(workspace: Workspace, source: Origin | str) -> Forgotten:
    """Forget a source, as the operator may."""
    plan = workspace.plan_to_forget(source)
    workspace.approve_plan(plan.id, plan.digest.hex())
    return workspace.forget(plan.id)


def everything_read(workspace: Workspace) -> str:
    """What a workspace tells of all that it knows, as one text."""
    charts = [workspace, *(workspace.agent(agent.name) for agent in workspace.agents())]
    told = [item.content for chart in charts for item in chart.list(1_000).memories]
    told += [str(alias.to_dict()) for chart in charts for alias in chart.aliases()]
    told += [str(shown.to_dict()) for shown in workspace.waiting(decided=True)]
    told += [str(told.to_dict()) for chart in charts for told in chart.mistakes(unresolved=False, limit=1_000)]
    told += [str(told.to_dict()) for chart in charts for told in chart.rules()]
    told += [text for chart in charts if (text := chart.notes().text)]
    told += [str(told.to_dict()) for told in workspace.policies(all=True, limit=1_000)]
    told += [str(told.to_dict()) for told in workspace.conflicts(unresolved_only=False, limit=1_000)]
    return "\n".join(told)
