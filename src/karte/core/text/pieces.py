"""Where a text falls into pieces: runs of a script without blanks, emoji, and words.

A word is what a person would double-click and what a program would call a token: `don't`, `3.14`,
`node_modules`, `/etc/nginx/nginx.conf`, `--no-cache`, `C++`. All patterns are over shapes (see `shapes`).
"""

import re
from collections.abc import Iterator

_RUN = "c+|k+|t+|l+|h+|y+"
_EMOJI = "rr|[er]m?g*(?:jem?g*)*|[0#*]p|m"
_TAG = "(?<![a0_])[#@][a0_]*[ctlhyk][a0_ctlhyk]*"
_URL = "a[a0+.-]{0,19}://[a0_](?:[-.:/?#@$&+=%~']*[a0_])*"
_PATH_START = r"(?<![a0_)\]}./\\~])(?:(?:~|\.\.?)?[/\\]{1,2}\.?|\.)"
_SIGN_BEFORE = r"(?<![a0_)\]}\-])(?:--?|[-+]?\$-?|[+@#])"
_LINK = (
    r"(?:"
    r"[.'@=&~$#-]|::?|(?<=0),(?=0)"  # nginx.conf, don't, a@b, std::vector, 1,000
    r"|:?[/\\]{1,2}[.@~-]?"  # a step of a path
    r"|(?:\+\+?|#)[-/&.]?"  # C++17, C#/F#, foo+tag@example.com
    r")(?=[a0_])"
)
_SIGN_AFTER = r"(?:\+\+?|[#%$])?(?![a0_+#%$])"
_WORD = rf"(?:{_PATH_START}|{_SIGN_BEFORE})?[a0_]+(?:{_LINK}[a0_]+)*(?:{_SIGN_AFTER})?"

_PIECE = re.compile(f"(?P<run>{_RUN})|{_EMOJI}|{_TAG}|{_URL}|{_WORD}")


def pieces(shape: str) -> Iterator[tuple[bool, int, int]]:
    """Yield (is a run of a script without blanks, start, end) for each piece, in text order."""
    for found in _PIECE.finditer(shape):
        yield found.lastgroup == "run", found.start(), found.end()
