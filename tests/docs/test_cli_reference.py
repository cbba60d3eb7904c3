"""The reference page of the command line describes every command and option that there is, and no other."""

from pathlib import Path
from typing import Annotated

import pytest
import typer

from tests.docs.cli_reference import differences

REFERENCE = Path(__file__).resolve().parents[2] / "docs" / "reference" / "cli.md"

PAGE = """
# The command line

## `karte`

`--version` prints the version.

## `karte search`

`--limit`, `-n` N; `--explain` or `--no-explain`.

## karte domain

Fields of knowledge.

### karte domain create

Options: `--write ROLE`
"""


def test_the_reference_describes_every_command_and_option_and_no_other() -> None:
    from karte.surfaces.cli import app

    page = REFERENCE.read_text(encoding="utf-8")
    assert differences(typer.main.get_command(app), "karte", page) == []


class TestControls:
    """The comparison bites on a page made to differ."""

    def test_a_page_that_describes_everything_has_no_difference(self) -> None:
        assert self.compare(PAGE) == []

    @pytest.mark.parametrize(
        ("said", "instead", "difference"),
        [
            ("`--version` prints the version.", "", "karte: --version is not described"),
            ("`-n` N", "N", "karte search: -n is not described"),
            ("`--limit`, ", "`--limits`, ", "karte search: --limit is not described"),
            ("or `--no-explain`", "", "karte search: --no-explain is not described"),
            ("`--write ROLE`", "`--writer ROLE`", "karte domain create: --write is not described"),
            ("## karte domain\n", "## Domains\n", "karte domain: no section"),
            ("### karte domain create", "### karte domain make", "karte domain create: no section"),
        ],
    )
    def test_what_the_page_does_not_say_is_seen(self, said: str, instead: str, difference: str) -> None:
        assert difference in self.compare(PAGE.replace(said, instead))

    def test_an_option_described_under_another_command_does_not_count(self) -> None:
        moved = PAGE.replace("`--write ROLE`", "").replace("Fields of knowledge.", "`--write ROLE`")
        assert self.compare(moved) == ["karte domain create: --write is not described"]

    def test_a_section_for_no_command_is_seen(self) -> None:
        assert self.compare(f"{PAGE}\n## karte serve\n") == ["karte serve: no such command"]

    def compare(self, page: str) -> list[str]:
        return differences(typer.main.get_command(_small_app()), "karte", page)


def _small_app() -> typer.Typer:
    app = typer.Typer(add_completion=False)
    domain = typer.Typer()
    app.add_typer(domain, name="domain")

    @app.callback()
    def karte(*, version: Annotated[bool, typer.Option("--version")] = False) -> None:
        """Say which version this is."""

    @app.command()
    def search(
        query: str,
        *,
        limit: Annotated[int, typer.Option("--limit", "-n")] = 10,
        explain: bool = False,
        trace: Annotated[bool, typer.Option(hidden=True)] = False,
    ) -> None:
        """Search."""

    @app.command(hidden=True)
    def attic() -> None:
        """Nothing that anybody needs."""

    @domain.command()
    def create(name: str, *, write: str = "") -> None:
        """Create a domain."""

    return app
