"""Write `src/karte/core/text/han_fold.txt` from OpenCC's dictionaries.

Run it in an environment that has the package `opencc` (Apache-2.0):

    python tools/fold_han.py
"""

from __future__ import annotations

import sys
from collections import defaultdict
from importlib.metadata import version
from pathlib import Path
from unicodedata import normalize

import opencc

OUTPUT = Path(__file__).parents[1] / "src/karte/core/text/han_fold.txt"
HAN = ((0x3400, 0xA000), (0x20000, 0x33480))
HEADER = """\
# Han characters that count as one in the terms of a text: the first of a line is
# the form that is kept, the others are folded into it.
# Made by tools/fold_han.py from the character dictionaries of OpenCC {version}
# (https://github.com/BYVoid/OpenCC, Apache License 2.0): TSCharacters, and the
# variants of Taiwan and Hong Kong that it leaves alone.
"""


def han_characters() -> list[str]:
    """Return every character of the Han blocks that NFKC leaves as it is."""
    every = (chr(code) for start, end in HAN for code in range(start, end))
    return [char for char in every if normalize("NFKC", char) == char]


def folds() -> dict[str, str]:
    """Return {character: the form that is kept} for each character that changes.

    A regional variant counts only where the simplified script does not use it: `著` is folded
    into `着`, while `么`, which is itself the simplified form of `麼`, stays.
    """
    standard, *regional = (opencc.OpenCC(name) for name in ("t2s", "tw2s", "hk2s"))
    kept = {char: standard.convert(char) for char in han_characters()}
    changed = {char: form for char, form in kept.items() if form != char}
    simplified = set(changed.values())
    for char in kept.keys() - changed.keys() - simplified:
        form = next((f for c in regional if (f := c.convert(char)) != char), char)
        if form != char:
            changed[char] = form
    return {char: settled(form, changed) for char, form in changed.items()}


def settled(form: str, changed: dict[str, str]) -> str:
    """Follow a chain of folds (`薴` -> `苧` -> `苎`) to its end."""
    while form in changed:
        form = changed[form]
    return form


def lines(table: dict[str, str]) -> list[str]:
    """Return the lines of the file: each form that is kept, then what is folded into it."""
    variants: defaultdict[str, list[str]] = defaultdict(list)
    for char in sorted(table):
        variants[table[char]].append(char)
    return [form + "".join(variants[form]) for form in sorted(variants)]


def main() -> int:
    """Write the file and say how many characters it folds."""
    table = folds()
    text = HEADER.format(version=version("opencc")) + "\n".join(lines(table)) + "\n"
    OUTPUT.write_text(text, encoding="utf-8")
    sys.stdout.write(f"{len(table)} characters folded in {OUTPUT}\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
