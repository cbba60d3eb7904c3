"""Running a python block: in the namespace of its page, with `# ->` after a statement for what it gives.

    ws.at("user", "city")       # -> 'Taipei'
    print("a", "b")             # -> a b
    found = ws.search("...")
    found.hits[0].score
    # -> 0.8...

The comment may also stand on the next line, or on several. It is compared with `repr` and with `str` of the value,
after an assignment with the value of the name, after a print with what is printed; `...` stands for anything.
"""

import ast
import functools
import io
import tokenize

from tests.docs.blocks import Block, matches

_ARROW = "# ->"
_LAYOUT = {
    tokenize.COMMENT,
    tokenize.DEDENT,
    tokenize.ENDMARKER,
    tokenize.INDENT,
    tokenize.NEWLINE,
    tokenize.NL,
}


def run(block: Block, namespace: dict[str, object]) -> None:
    """Run a block; raises BrokenBlock for a value that is not the expected one, else what the code raises."""
    expecting = _Expecting(block)
    tree = expecting.visit(ast.parse(block.text, block.page))
    expecting.must_be_done()
    ast.increment_lineno(ast.fix_missing_locations(tree), block.line - 1)
    namespace["__given__"] = functools.partial(_check, block)
    namespace["__printed__"] = _printed
    code = compile(tree, block.page, "exec", dont_inherit=True)
    exec(code, namespace)  # noqa: S102 - the page is ours, and this is its test


class _Expecting(ast.NodeTransformer):
    """Puts a check behind each statement that a `# ->` comment follows."""

    def __init__(self, block: Block) -> None:
        self.block = block
        self.waiting = _expectations(block.text)

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        expected = self.waiting.pop(node.end_lineno or 0, None)
        return node if expected is None else _check_of(_what_is_printed(node.value), node, expected)

    def visit_Assign(self, node: ast.Assign) -> ast.Assign | list[ast.stmt]:
        match node.targets:
            case [ast.Name(name)] if node.end_lineno in self.waiting:
                expected = self.waiting.pop(node.end_lineno)
                return [node, _check_of(ast.Name(name, ast.Load()), node, expected)]
        return node

    def must_be_done(self) -> None:
        """Every comment found its statement: one that checks nothing would look like a check."""
        for line in self.waiting:
            raise self.block.broken("`# ->` follows neither an expression nor the assignment of a name", line)


def _expectations(text: str) -> dict[int, str]:
    """What is expected after the statement that ends on a line."""
    found: dict[int, list[str]] = {}
    code = 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in _LAYOUT:
            code = token.end[0]
        elif token.type == tokenize.COMMENT and token.string.startswith(_ARROW):
            found.setdefault(code, []).append(token.string.removeprefix(_ARROW).strip())
    return {line: "\n".join(expected) for line, expected in found.items()}


def _check_of(value: ast.expr, node: ast.stmt, expected: str) -> ast.Expr:
    arguments: list[ast.expr] = [value, ast.Constant(expected), ast.Constant(node.end_lineno)]
    check = ast.Call(ast.Name("__given__", ast.Load()), arguments, [])
    return ast.copy_location(ast.Expr(check), node)


def _what_is_printed(value: ast.expr) -> ast.expr:
    match value:
        case ast.Call(ast.Name("print"), arguments, keywords):
            return ast.copy_location(ast.Call(ast.Name("__printed__", ast.Load()), arguments, keywords), value)
    return value


def _printed(*values: object, sep: str = " ", end: str = "\n") -> str:
    return sep.join(str(value) for value in values) + end


def _check(block: Block, value: object, expected: str, line: int) -> None:
    if not any(matches(expected, shown) for shown in (repr(value), str(value))):
        raise block.broken(f"expected {expected}, got {value!r}", line)
