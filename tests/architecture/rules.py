"""The rules of the house that need a reader of syntax trees. Each takes one module and names what breaks it."""

import ast
import re
from collections.abc import Collection, Iterator

from tests.architecture.source import Source, functions, named_definitions

CLOCK_AND_CHANCE = frozenset(
    {
        "datetime.date.today",
        "datetime.datetime.now",
        "datetime.datetime.today",
        "datetime.datetime.utcnow",
        "numpy.random",
        "os.urandom",
        "random",
        "secrets",
        "time.gmtime",
        "time.localtime",
        "time.time",
        "time.time_ns",
        "uuid.uuid1",
        "uuid.uuid4",
    }
)
ENVIRONMENT = frozenset(
    {
        "os.environ",
        "os.environb",
        "os.getenv",
        "os.getenvb",
        "os.path.expandvars",
        "os.putenv",
        "os.unsetenv",
    }
)
TOML = frozenset({"tomllib"})

_VAGUE = frozenset({"base", "helper", "helpers", "manager", "managers", "util", "utils"})
_VERSIONED = re.compile(r"v\d+")
_WORD = re.compile(r"[A-Z]?[a-z]+\d*|[A-Z]\d+|[A-Z]+(?![a-z])|\d+")


def uses(source: Source, names: Collection[str]) -> list[str]:
    """Where a module uses one of the dotted names or anything below it, under whatever name it was imported."""
    origins = _imported_names(source)
    found: dict[int, str] = {}
    for node in ast.walk(source.tree):
        dotted = _dotted(node, origins)
        if any(dotted == name or dotted.startswith(f"{name}.") for name in names):
            found.setdefault(getattr(node, "lineno", 1), f"{source.at(node)} {dotted}")
    return [found[line] for line in sorted(found)]


def environment_options(source: Source) -> list[str]:
    """Where a command-line option would read the environment by itself (`typer.Option(envvar=...)`)."""
    return [
        f"{source.at(node.value)} {node.arg}="
        for node in ast.walk(source.tree)
        if isinstance(node, ast.keyword) and node.arg in {"envvar", "auto_envvar_prefix"}
    ]


def broad_handlers(source: Source) -> list[str]:
    """The functions that catch everything, as `path:function` (`path:` at module level)."""
    inside = {}
    for function in functions(source):
        for node in ast.walk(function.node):
            inside[node] = function.name
    return [f"{source.path}:{inside.get(node, '')}" for node in ast.walk(source.tree) if _catches_everything(node)]


def vague_names(source: Source) -> list[str]:
    """Modules, classes and functions whose name says nothing (manager, utils) or counts versions (v2)."""
    module = [f"{source.path}" for part in re.split(r"[/.]", source.path) if _is_vague(part)]
    inside = [
        f"{source.at(node)} {name}" for name, node in named_definitions(source) if _is_vague(name.rpartition(".")[2])
    ]
    return module + inside


def _is_vague(name: str) -> bool:
    words = [word.lower() for word in _WORD.findall(name)]
    return any(word.rstrip("0123456789") in _VAGUE or _VERSIONED.fullmatch(word) for word in words)


def _imported_names(source: Source) -> dict[str, str]:
    origins: dict[str, str] = {}
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import):
            for name in node.names:
                origins[name.asname or name.name.partition(".")[0]] = (
                    name.name if name.asname else name.name.partition(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            origins |= {name.asname or name.name: f"{node.module}.{name.name}" for name in node.names}
    return origins


def _dotted(node: ast.AST, origins: dict[str, str]) -> str:
    if isinstance(node, ast.Name):
        return origins.get(node.id, "")
    if isinstance(node, ast.Attribute):
        owner = _dotted(node.value, origins)
        return f"{owner}.{node.attr}" if owner else ""
    return ""


def _catches_everything(node: ast.AST) -> bool:
    if isinstance(node, ast.ExceptHandler):
        return node.type is None or any(_names_everything(kind) for kind in _alternatives(node.type))
    if isinstance(node, ast.Call):
        called = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return called == "suppress" and any(_names_everything(kind) for kind in node.args)
    return False


def _alternatives(node: ast.expr) -> Iterator[ast.expr]:
    if isinstance(node, ast.Tuple):
        yield from node.elts
    else:
        yield node


def _names_everything(node: ast.expr) -> bool:
    return isinstance(node, ast.Name) and node.id in {"Exception", "BaseException"}
