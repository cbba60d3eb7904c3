"""The pages say what the code says of itself: tools/write_reference.py has nothing to change on them."""

import inspect
import re

import pytest

from karte import errors
from karte.surfaces.cli.boundary import Usage
from tools.write_reference import DOCS, PAGES, rewritten

ERRORS = (DOCS / "reference" / "errors.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", PAGES)
def test_nothing_on_the_page_is_out_of_date(name: str) -> None:
    page = (DOCS / name).read_text(encoding="utf-8")
    assert rewritten(page, PAGES[name]()) == page


def test_every_error_is_listed_under_its_category_with_its_code() -> None:
    """Read from the page by another way than the one by which it is written."""
    found = [each for each in vars(errors).values() if inspect.isclass(each) and issubclass(each, errors.KarteError)]
    expected = {(e.category, e().code, e.__name__) for e in found if e is not errors.KarteError}
    titles = {"Fault": "fault", "Incorrect": "incorrect", "Refused": "refused", "Not found": "not_found"}
    titles["Conflict"] = "conflict"
    sections = re.split(r"^## ", ERRORS, flags=re.MULTILINE)[1:]
    listed = {
        (titles[section.partition("\n")[0]], code, name)
        for section in sections
        for code, name in re.findall(r"^\| `(\w+)` \| `(\w+)` \|", section, flags=re.MULTILINE)
    }
    assert listed == expected


def test_every_category_has_its_exit_code_on_the_page() -> None:
    listed = {(name, int(code)) for name, code in re.findall(r"^\| `(\w+)` \| (\d) \|", ERRORS, flags=re.MULTILINE)}
    kinds = (errors.Fault, errors.Incorrect, errors.Refused, errors.NotFound, errors.Conflict)
    assert listed == {(kind.category, kind.exit_code) for kind in kinds}


def test_the_error_of_the_command_line_itself_is_on_the_page() -> None:
    assert f"`{Usage().code}`" in ERRORS
    assert (Usage.category, Usage.exit_code) == ("incorrect", 2)


class TestRewriting:
    """The generator writes into its places and nowhere else."""

    PAGE = "# Title\n\nBy hand.\n\n<!-- generated: karte a -->\nold\n<!-- end -->\n\nMore by hand.\n"

    def test_a_place_is_filled_and_the_rest_stays(self) -> None:
        new = rewritten(self.PAGE, {"karte a": ["new", ""]})
        assert new == self.PAGE.replace("-->\nold\n", "-->\n\nnew\n\n")

    def test_what_has_no_place_comes_at_the_end(self) -> None:
        new = rewritten(self.PAGE, {"karte a": [], "karte b": ["new", ""]})
        assert new.endswith("\n## `karte b`\n\n<!-- generated: karte b -->\n\nnew\n\n<!-- end -->\n")

    def test_what_is_no_more_is_left_out(self) -> None:
        assert rewritten(self.PAGE, {}) == "# Title\n\nBy hand.\n\n\nMore by hand.\n"
