"""`postgres`: the database behind workspaces that are named by a URL."""

from __future__ import annotations

from typing import Annotated

from karte.errors import InvalidValue
from karte.surfaces.cli.answering import Answer
from karte.surfaces.cli.command_table import Command, Group
from karte.surfaces.cli.drawing import databases
from karte.surfaces.cli.options import Text, WorkspaceOptions, option


def prepare(
    where: WorkspaceOptions,
    citus: Annotated[bool, option("--citus", None, "Spread the workspaces over the nodes of Citus.")] = False,
    role: Annotated[Text, option("--role", "NAME", "Give this role what programs need, and no more.")] = None,
    row_security: Annotated[
        bool, option("--row-security", None, "Let the database, too, show each transaction its own workspace only.")
    ] = False,
) -> Answer:
    """Make ready the database that --workspace names: its extensions and tables, and what the options ask for.

    Sign in as the owner of the database, once before it is used and once after each upgrade of Karte; what is there
    already stays. No workspace is made.
    """
    from karte.bootstrap import prepare_database
    from karte.config import DatabaseUrl
    from karte.surfaces.cli.opening import chosen_location

    location = chosen_location(where.workspace)
    if not isinstance(location, DatabaseUrl):
        raise InvalidValue(
            f"{location} is no database.", hint="Name one: --workspace postgresql://owner@host/db, or KARTE_WORKSPACE."
        )
    prepared = prepare_database(location, citus=citus, role=role, row_security=row_security)
    return Answer({"database": str(location), **prepared.to_dict()}, databases.prepared)


def scrub(where: WorkspaceOptions) -> Answer:
    """Remove the bytes of what was erased: all tables are written anew, and every workspace of the database waits.

    Sign in as the owner of the tables. What the server's log and backups hold stays there until they expire.
    """
    with where.opened() as workspace:
        workspace.scrub()
    return Answer({"scrubbed": True}, databases.scrubbed)


POSTGRES = Group(
    "postgres",
    "The database of workspaces that are named by a URL.",
    (Command("prepare", prepare), Command("scrub", scrub)),
)
