"""The repository as a whole: it names no folder of the place where it was written, and every exception has a reason."""

import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.architecture.source import ROOT

_NOT_OURS = re.compile(
    r"\.(git|venv|\w+_cache|hypothesis|karte(-demo)?|coverage.*)|build|dist|__pycache__|.+\.egg-info"
)

# Folders beside the repository that a clone does not have.
_ELSEWHERE = re.compile(r"(?<![\w/.\-|])shared/|\.\./shared\b|/work/|\.library\b")

_SILENCER = re.compile(
    r"#\s*(?:noqa|type:\s*ignore|pragma:\s*no\s+\w+)(?:\[[\w, -]+\]|(?:[:,\s]*[A-Z]+\d+)*)(?P<why>.*)"
)

_IGNORED_RULE = re.compile(r'^\s*"[A-Z]+\d*",?(?P<why>.*)$')


def files(folder: Path) -> Iterator[Path]:
    """Every file that belongs to the repository."""
    for path in sorted(folder.iterdir()):
        if _NOT_OURS.fullmatch(path.name):
            continue
        if path.is_dir():
            yield from files(path)
        else:
            yield path


def lines(path: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines of a text file; nothing of any other."""
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        return
    yield from enumerate(text.splitlines(), 1)


def named_elsewhere(folder: Path) -> list[str]:
    return [
        f"{path.relative_to(folder)}:{number} {line.strip()}"
        for path in files(folder)
        if path != Path(__file__)
        for number, line in lines(path)
        if _ELSEWHERE.search(line)
    ]


def unexplained_silencers(folder: Path) -> list[str]:
    return [
        f"{path.relative_to(folder)}:{number} {comment}"
        for path in sorted(folder.rglob("*.py"))
        for number, comment in comments(path)
        if (silencer := _SILENCER.search(comment)) and not re.search(r"\w{2}", silencer["why"])
    ]


def comments(path: Path) -> Iterator[tuple[int, str]]:
    """The numbered comments of a module; what only looks like one inside a string is none."""
    with path.open("rb") as module:
        for token in tokenize.tokenize(module.readline):
            if token.type == tokenize.COMMENT:
                yield token.start[0], token.string


def unexplained_rules(pyproject: str) -> list[str]:
    """The ignored lint rules of a pyproject.toml that no trailing comment explains."""
    _, _, rest = pyproject.partition("\nignore = [")
    ignored, _, _ = rest.partition("[tool.ruff.lint.flake8")
    rules = [match for line in ignored.splitlines() if (match := _IGNORED_RULE.match(line))]
    return [match[0].strip() for match in rules if not re.search(r"#.*\w{2}", match["why"])]


def test_no_file_names_a_folder_outside_the_repository() -> None:
    assert named_elsewhere(ROOT) == []


def test_every_ignored_lint_rule_is_explained() -> None:
    assert unexplained_rules((ROOT / "pyproject.toml").read_text(encoding="utf-8")) == []


@pytest.mark.parametrize("folder", ["src", "tests"])
def test_every_silenced_line_says_why(folder: str) -> None:
    assert unexplained_silencers(ROOT / folder) == []


class TestControls:
    """Each check bites on a tree made to break it."""

    @pytest.mark.parametrize(
        "line",
        [
            "see shared/spec",
            "`shared/`",
            "open('../shared/data')",
            "../../shared",
            "cd /work/main",
            "in .library",
        ],
    )
    def test_a_folder_outside_is_seen(self, tmp_path: Path, line: str) -> None:
        (tmp_path / "docs").mkdir()
        (tmp_path / "docs" / "a.md").write_text(f"first\n{line}\n", encoding="utf-8")
        assert named_elsewhere(tmp_path) == [f"docs/a.md:2 {line}"]

    @pytest.mark.parametrize("line", ["agent | shared | all", "wiki/shared/page", "a library", "work/"])
    def test_ordinary_words_pass(self, tmp_path: Path, line: str) -> None:
        (tmp_path / "a.md").write_text(line, encoding="utf-8")
        assert named_elsewhere(tmp_path) == []

    def test_what_tools_leave_behind_is_not_read(self, tmp_path: Path) -> None:
        for name in (".git", ".venv", ".mypy_cache", "__pycache__"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "a.md").write_text("in .library", encoding="utf-8")
        assert named_elsewhere(tmp_path) == []

    @pytest.mark.parametrize(
        "silencer", ["# noqa", "# noqa: S608", "# noqa: S608, E501 -", "# type: ignore[arg-type]", "# pragma: no cover"]
    )
    def test_a_silenced_line_without_a_reason_is_seen(self, tmp_path: Path, silencer: str) -> None:
        (tmp_path / "a.py").write_text(f"x = 1  {silencer}\n", encoding="utf-8")
        assert unexplained_silencers(tmp_path) == [f"a.py:1 {silencer}"]

    @pytest.mark.parametrize(
        "silencer", ["# noqa: S608 - the name is a constant", "# type: ignore[arg-type]  # refused"]
    )
    def test_a_silenced_line_with_a_reason_passes(self, tmp_path: Path, silencer: str) -> None:
        (tmp_path / "a.py").write_text(f"x = 1  {silencer}\n", encoding="utf-8")
        assert unexplained_silencers(tmp_path) == []

    def test_an_ignored_rule_without_a_reason_is_seen(self) -> None:
        text = '[tool.ruff.lint]\nignore = [\n    "EM",   # why\n    "D105",\n    "S101", #\n]\n'
        assert unexplained_rules(text) == ['"D105",', '"S101", #']
