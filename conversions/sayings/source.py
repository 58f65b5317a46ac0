"""Source: the modules of the converters as trees, and what names and attributes in them may be given."""

from __future__ import annotations

import ast
import functools
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

KEYS = "keys of "
"""Before the name of what is counted by its words: stands for these words."""


@dataclass
class Module:
    path: str
    tree: ast.Module
    tables: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))
    attributes: dict[str, list[ast.expr]] = field(default_factory=lambda: defaultdict(list))

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """All of the tree, gone through once for whoever looks for something in it."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def calls(self) -> list[tuple[ast.FunctionDef | None, ast.Call]]:
        return list(calls(self.tree))

    @cached_property
    def constants(self) -> dict[str, ast.expr]:
        return {
            name: each.value
            for each in self.tree.body
            if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None
            for name in targets(each)
        }

    @cached_property
    def family(self) -> str:
        return "/".join(self.path.split("/")[:3])

    @cached_property
    def functions(self) -> list[ast.FunctionDef]:
        return [each for each in self.nodes if isinstance(each, ast.FunctionDef)]

    @cached_property
    def imported(self) -> set[str]:
        return {
            name.asname or name.name
            for each in self.nodes
            if isinstance(each, ast.Import | ast.ImportFrom)
            for name in each.names
        }


def declared_fields(module: Module) -> dict[str, list[str]]:
    """The fields of each class of the module in their order, as its constructor takes them."""
    return {
        each.name: [named(line.target) for line in each.body if isinstance(line, ast.AnnAssign)]
        for each in module.nodes
        if isinstance(each, ast.ClassDef)
    }


def _is_counted(key: ast.expr, line: ast.Assign | ast.AugAssign) -> bool:
    """Whether a line counts something by its words."""
    texts = [each.value for each in ast.walk(key) if isinstance(each, ast.Constant) and isinstance(each.value, str)]
    return worded(key) or (isinstance(line, ast.AugAssign) and any(each[:1].isupper() for each in texts))


def named(expression: ast.expr) -> str:
    """The last name of an expression."""
    return str(getattr(expression, "id", getattr(expression, "attr", "")))


def learn(module: Module, fields: Mapping[str, list[str]]) -> None:
    """Note the module's tables of texts, and what attributes are given."""
    for each in module.nodes:
        if isinstance(each, ast.Assign | ast.AnnAssign) and isinstance(each.value, ast.Dict):
            for name in targets(each):
                module.tables[name] += each.value.values
        elif isinstance(each, ast.ClassDef):
            for line in each.body:
                if isinstance(line, ast.Assign | ast.AnnAssign) and line.value is not None:
                    for name in targets(line) if worded(line.value) else ():
                        module.attributes[name].append(line.value)
        elif isinstance(each, ast.Call):
            for keyword in each.keywords:
                if keyword.arg and worded(keyword.value):
                    module.attributes[keyword.arg].append(keyword.value)
            for name, value in zip(fields.get(named(each.func), ()), each.args, strict=False):
                if worded(value) and name != "name":
                    module.attributes[name].append(value)
        if isinstance(each, ast.Assign | ast.AugAssign):
            for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                if isinstance(target, ast.Subscript) and _is_counted(target.slice, each):
                    module.attributes[KEYS + named(target.value)].append(target.slice)


def calls(tree: ast.Module) -> Iterator[tuple[ast.FunctionDef | None, ast.Call]]:
    """Every call with the innermost function that it stands in."""

    ahead: list[tuple[ast.AST, ast.FunctionDef | None]] = [(tree, None)]
    while ahead:
        node, function = ahead.pop()
        if isinstance(node, ast.Call):
            yield function, node
        inside = node if isinstance(node, ast.FunctionDef) else function
        ahead += [(child, inside) for child in ast.iter_child_nodes(node)][::-1]


def targets(each: ast.Assign | ast.AnnAssign) -> list[str]:
    targets = each.targets if isinstance(each, ast.Assign) else [each.target]
    return [getattr(target, "id", getattr(target, "attr", "")) for target in targets]


def assigned(function: ast.FunctionDef, name: str) -> list[ast.expr]:
    return [each for each in _locals(function).get(name, ()) if not mentions(each, name)]


@functools.cache
def _locals(function: ast.FunctionDef) -> dict[str, list[ast.expr]]:
    """What each local name is given anywhere in a function, taken out of what is unpacked."""
    found: dict[str, list[ast.expr]] = defaultdict(list)
    for each in ast.walk(function):
        if isinstance(each, ast.Assign | ast.AnnAssign) and each.value is not None:
            for name in targets(each):
                found[name].append(each.value)
            for target in each.targets if isinstance(each, ast.Assign) else ():
                if isinstance(target, ast.Tuple) and isinstance(each.value, ast.Tuple):
                    for aim, value in zip(target.elts, each.value.elts, strict=False):
                        found[getattr(aim, "id", "")].append(value)
                elif isinstance(target, ast.Tuple) and isinstance(each.value, ast.Subscript):
                    for at, aim in enumerate(target.elts):
                        found[getattr(aim, "id", "")].append(ast.Subscript(each.value, ast.Constant(at)))
        elif isinstance(each, ast.NamedExpr):
            found[each.target.id].append(each.value)
        elif isinstance(each, ast.For | ast.comprehension):
            for part in ast.walk(each.target):
                if isinstance(part, ast.Name):
                    found[part.id] += _looped(each, part.id)
    return found


def _looped(loop: ast.For | ast.comprehension, name: str) -> list[ast.expr]:
    """What a loop over a table or a row of tuples that stands in the code gives a name."""
    rows = loop.iter
    if (
        isinstance(rows, ast.Call)
        and getattr(rows.func, "attr", "") == "items"
        and isinstance(rows.func, ast.Attribute)
    ):
        aims = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
        if len(aims) == 2 and getattr(aims[0], "id", "") == name:
            return [ast.Attribute(rows.func.value, KEYS + named(rows.func.value))]
        if len(aims) == 2 and getattr(aims[1], "id", "") == name:
            return [ast.Subscript(rows.func.value, ast.Constant(""))]
        return []
    if not isinstance(rows, ast.Tuple | ast.List):
        return []
    if getattr(loop.target, "id", "") == name:
        return list(rows.elts)
    aims = loop.target.elts if isinstance(loop.target, ast.Tuple) else []
    found: list[ast.expr] = []
    for row in rows.elts:
        if isinstance(row, ast.Tuple):
            found += [value for aim, value in zip(aims, row.elts, strict=False) if getattr(aim, "id", "") == name]
    return found


def arguments(function: ast.FunctionDef) -> list[ast.arg]:
    return [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]


def class_of(module: Module, function: ast.FunctionDef) -> str:
    for each in module.nodes:
        if isinstance(each, ast.ClassDef) and function in each.body:
            return each.name
    return function.name


def mentions(expression: ast.expr, name: str) -> bool:
    return any(isinstance(each, ast.Name) and each.id == name for each in ast.walk(expression))


def roots(expression: ast.expr) -> Iterator[str]:
    """The names whose own text an expression passes on."""
    if isinstance(expression, ast.Name):
        yield expression.id.rstrip("\0")
    elif isinstance(expression, ast.IfExp):
        yield from roots(expression.body)
        yield from roots(expression.orelse)
    elif isinstance(expression, ast.BoolOp):
        for each in expression.values:
            yield from roots(each)


def worded(expression: ast.expr) -> bool:
    """Whether there is a text in it."""
    return any(
        isinstance(each, ast.Constant) and isinstance(each.value, str) and " " in each.value.strip()
        for each in ast.walk(expression)
    )


def is_number(expression: ast.expr) -> bool:
    called = getattr(getattr(expression, "func", None), "id", "")
    name = getattr(expression, "id", getattr(expression, "attr", ""))
    return called in ("len", "sum") or name in (
        "count",
        "rows",
        "ragged",
        "changes",
        "comments",
        "formulas",
        "chapters",
    )
