"""The runner of the documentation's code blocks: what passes, what breaks, and where it says so."""

import sys
from pathlib import Path

import pytest

from tests.docs import python_blocks, terminal
from tests.docs.blocks import Block, BrokenBlock, blocks, matches, parse
from tests.docs.pages import follow


def python(text: str, line: int = 1) -> Block:
    return Block("page.md", line, "python", text)


def broken(page: str, folder: Path) -> str:
    """What is said of a page that does not do what it says."""
    with pytest.raises(BrokenBlock) as caught:
        follow("page.md", page, folder)
    return str(caught.value)


class TestReading:
    def test_a_block_knows_its_language_its_text_and_its_first_line_of_code(self) -> None:
        page = "# Title\n\n```python\nx = 1\n```\n\n~~~json title=a\n{}\n~~~\n"
        assert blocks("page.md", page) == [
            Block("page.md", 4, "python", "x = 1\n"),
            Block("page.md", 8, "json", "{}\n"),
        ]

    def test_a_block_inside_a_list_is_read_without_its_indentation(self) -> None:
        assert blocks("page.md", "1. first\n\n   ```sh\n   true\n   ```\n") == [Block("page.md", 4, "sh", "true\n")]

    def test_a_fence_that_a_longer_fence_shows_is_not_a_block(self) -> None:
        (shown,) = blocks("page.md", "````text\n```python\nx\n```\n````\n")
        assert shown.language == "text"

    def test_inline_code_and_indented_code_are_not_blocks(self) -> None:
        assert blocks("page.md", "`x = 1`\n\n    y = 2\n") == []


class TestMatching:
    @pytest.mark.parametrize(
        ("expected", "actual"),
        [
            ("one\ntwo", "one\ntwo\n"),
            ("one  \ntwo", "\none\ntwo"),
            ("stored mem_...", "stored mem_01"),
            ("... of ...", "2 of 7"),
            ("first\n...\nlast", "first\n1\n2\nlast"),
            ("first\n...\nlast", "first\nlast"),
            ("...", ""),
            ("台北 (...)", "台北 (2026)"),
            ("a.c [x]", "a.c [x]"),
            ("", ""),
        ],
    )
    def test_a_text_that_is_as_expected(self, expected: str, actual: str) -> None:
        assert matches(expected, actual)

    @pytest.mark.parametrize(
        ("expected", "actual"),
        [
            ("one", "one two"),
            ("one", "one\ntwo"),
            ("stored ...", "stored\nmore"),
            ("stored ...", "failed"),
            ("first\n...\nlast", "first\n1"),
            ("a.c", "abc"),
            ("台北", "臺北"),
            ("", "something"),
        ],
    )
    def test_a_text_that_is_not(self, expected: str, actual: str) -> None:
        assert not matches(expected, actual)


class TestData:
    @pytest.mark.parametrize(
        ("language", "text"),
        [("json", '{"城市": "台北"}'), ("jsonl", '{"a": 1}\n[2]\n'), ("toml", 'tiers = [0.4]\nname = "a"')],
    )
    def test_a_block_of_data_is_parsed(self, language: str, text: str) -> None:
        parse(Block("page.md", 1, language, text))

    @pytest.mark.parametrize(
        ("language", "text", "place"),
        [
            ("json", '{\n"a": 1,\n}', "page.md:12"),
            ("json", "{...}", "page.md:10"),
            ("jsonl", '{"a": 1}\nand so on', "page.md:10"),
            ("toml", "tiers = ", "page.md:10"),
        ],
    )
    def test_a_block_of_something_else_is_broken(self, language: str, text: str, place: str) -> None:
        with pytest.raises(BrokenBlock, match=f"^{place}: not {language}"):
            parse(Block("page.md", 10, language, text))


class TestPython:
    @pytest.mark.parametrize(
        "text",
        [
            "1 + 1  # -> 2",
            "'台北'  # -> '台北'",
            "'台北'  # -> 台北",
            "1 + 1\n# -> 2",
            "x = 3 * 2  # -> 6",
            "print('a', 1)  # -> a 1",
            "print('a', 'b', sep='\\n')\n# -> a\n# -> b",
            "[\n    1,\n    2,\n]  # -> [1, 2]",
            "for n in (1, 1):\n    n + 1  # -> 2",
            "object()  # -> <object object at ...>",
            "x = 1  # a note\n# -> 1",
            "x = '# -> 2'",
        ],
    )
    def test_a_value_that_is_as_expected(self, text: str) -> None:
        python_blocks.run(python(text), {})

    @pytest.mark.parametrize(
        "text",
        [
            "1 + 1  # -> 3",
            "1 + 1\n# -> 3",
            "x = 3 * 2  # -> 7",
            "print('a')  # -> b",
            "for n in (1, 2):\n    n + 1  # -> 2",
            "if True:\n    1  # -> 2",
        ],
    )
    def test_a_value_that_is_not(self, text: str) -> None:
        with pytest.raises(BrokenBlock, match="expected"):
            python_blocks.run(python(text), {})

    @pytest.mark.parametrize("text", ["import os  # -> 1", "# -> 1", "x, y = 1, 2  # -> 1", "f = [\n    1,  # -> 1\n]"])
    def test_an_expectation_that_checks_nothing_is_broken(self, text: str) -> None:
        with pytest.raises(BrokenBlock, match="follows neither"):
            python_blocks.run(python(text), {})

    def test_a_wrong_value_is_reported_with_the_line_of_the_page(self) -> None:
        with pytest.raises(BrokenBlock, match=r"^page\.md:12: expected 3, got 2$"):
            python_blocks.run(python("x = 1\n\nx + 1  # -> 3", line=10), {})

    def test_an_assertion_fails_with_the_line_of_the_page(self) -> None:
        with pytest.raises(AssertionError) as caught:
            python_blocks.run(python("x = 1\nassert x == 2", line=10), {})
        assert caught.traceback[-1].lineno == 10  # counted from 0

    def test_the_blocks_of_a_page_share_their_names(self, tmp_path: Path) -> None:
        follow("page.md", "```python\nx = 1\ndef f(): return x\n```\n```python\nx = 2\nf()  # -> 2\n```\n", tmp_path)

    def test_the_next_page_starts_without_them(self, tmp_path: Path) -> None:
        for name in ("a", "b"):
            (tmp_path / name).mkdir()
        follow("page.md", "```python\nx = 1\n```\n", tmp_path / "a")
        with pytest.raises(NameError):
            follow("page.md", "```python\nx\n```\n", tmp_path / "b")


class TestTerminal:
    def test_a_command_that_fails_is_broken_with_its_output(self, tmp_path: Path) -> None:
        page = "```sh\ntrue\n# a comment\n\necho ouch; false\n```\n"
        assert broken(page, tmp_path) == "page.md:5: `echo ouch; false` ended with 1:\nouch\n"

    def test_a_failure_inside_a_pipe_is_a_failure(self, tmp_path: Path) -> None:
        assert "ended with 1" in broken("```sh\nfalse | cat\n```\n", tmp_path)

    def test_folder_and_variables_are_as_the_last_command_left_them(self, tmp_path: Path) -> None:
        page = """
```sh
mkdir inner && cd inner
ID=$(echo 記憶)
```
```bash
[ "$ID" = 記憶 ]
[ "$(basename "$PWD")" = inner ]
echo 1 > here
```
```python
from pathlib import Path
Path("here").read_text()  # -> 1
```
"""
        follow("page.md", page, tmp_path)

    @pytest.mark.parametrize(
        "script",
        [
            "[ a = \\\na ]",
            "cat > f <<'END'\na\n\nb\nEND\n[ $(wc -l < f) = 3 ]",
            "for n in 1 2; do\necho $n\ndone",
            "[ 'a\nb' != ab ]",
        ],
    )
    def test_a_command_may_need_several_lines(self, tmp_path: Path, script: str) -> None:
        follow("page.md", f"```sh\n{script}\n```\n", tmp_path)

    def test_a_console_prints_what_the_page_shows(self, tmp_path: Path) -> None:
        page = "```console\n$ echo one; echo two >&2\none\ntwo\n$ true\n$ echo mem_01 \\\n> '台北'\nmem_... 台北\n```\n"
        follow("page.md", page, tmp_path)

    def test_a_console_that_prints_something_else_is_broken(self, tmp_path: Path) -> None:
        page = "```console\n$ true\n$ echo two\none\n```\n"
        assert broken(page, tmp_path) == "page.md:3: `echo two` printed:\ntwo\n"

    def test_a_console_that_prints_where_the_page_shows_nothing_is_broken(self, tmp_path: Path) -> None:
        assert "printed" in broken("```console\n$ echo one\n```\n", tmp_path)

    @pytest.mark.parametrize("text", ["echo one", "one\n$ echo one", ""])
    def test_a_console_without_a_command_at_its_beginning_is_broken(self, tmp_path: Path, text: str) -> None:
        assert "begins with" in broken(f"```console\n{text}\n```\n", tmp_path)

    @pytest.mark.parametrize(
        "command",
        ["pip install karte", "true && uvx karte", "python3 -m pip install x", "make run", "sudo apt-get install x"],
    )
    def test_a_command_that_installs_is_not_run(self, tmp_path: Path, command: str) -> None:
        assert "installs: fence it as text" in broken(f"```sh\n{command}\n```\n", tmp_path)

    def test_commands_get_no_input(self, tmp_path: Path) -> None:
        follow("page.md", "```console\n$ cat\n```\n", tmp_path)

    def test_a_command_that_exits_the_shell_leaves_its_folder_behind(self, tmp_path: Path) -> None:
        (tmp_path / "in").mkdir()
        (tmp_path / "notes").mkdir()
        shell = terminal.Terminal(tmp_path, tmp_path / "notes", {"PATH": "/bin:/usr/bin"})
        assert shell.enter("cd in; exit 3") == terminal.Outcome(3, "")
        assert shell.folder == tmp_path / "in"


class TestReader:
    def test_the_environment_is_that_of_a_new_machine(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("KARTE_WORKSPACE", "mine.karte")
        monkeypatch.setenv("OTHER", "mine")
        page = f"""
```console
$ echo "$HOME $XDG_DATA_HOME ${{KARTE_WORKSPACE-none}} ${{OTHER-none}}"
{tmp_path}/home {tmp_path}/home/.local/share none none
$ command -v python
{Path(sys.executable).parent}/python
$ ls
```
```python
import os
os.environ["HOME"]  # -> {tmp_path}/home
os.environ.get("KARTE_WORKSPACE")  # -> None
os.getcwd()  # -> {tmp_path}/work
```
"""
        follow("page.md", page, tmp_path)

    @pytest.mark.parametrize("language", ["", "py", "shell", "Python"])
    def test_a_fence_that_names_no_known_language_is_broken(self, tmp_path: Path, language: str) -> None:
        assert broken(f"```{language}\nx\n```\n", tmp_path).startswith("page.md:1: a fence names its language")

    @pytest.mark.parametrize("language", ["text", "mermaid"])
    def test_prose_is_left_to_people(self, tmp_path: Path, language: str) -> None:
        follow("page.md", f"```{language}\npip install karte && false\n```\n", tmp_path)
