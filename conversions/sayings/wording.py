"""Wording: the texts that an expression of the code may become, with a name in braces for each part that varies."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product

MOST = 12
"""How many whole sentences one expression may become; beyond that, what varies in it is said on its own."""
_DEEPEST = 6
_PLACE = re.compile(r"[^a-z0-9_]+")
_IDLE = {"str", "sorted", "list", "tuple", "map", "join", "format", "repr", "int", "float", "round", "strip", "rstrip",
         "ceil", "max", "min", "upper", "lower", "decode", "total", "get", "shown", "fromkeys", "islice", "name_of",
         "stat", "partition", "rpartition", "split", "text", "count"}  # fmt: skip


@dataclass(frozen=True)
class Part:
    """What varies in a text: the expression of its value, and how numbers are written where the code says so."""

    value: ast.expr
    numbers: str = ""


Text = tuple[str | Part, ...]
"""A text as its fixed and its varying parts, in order."""


@dataclass
class Scope:
    """Where an expression stands: what the names in it may be, and functions whose answers may be parts of it."""

    names: Callable[[str], Sequence[ast.expr] | None]
    attributes: Callable[[str], Sequence[ast.expr] | None]
    tables: Callable[[str], Sequence[ast.expr] | None]
    answers: Callable[[str], Sequence[ast.expr] | None]
    met: set[str] = field(default_factory=set)


def texts(expression: ast.expr, scope: Scope) -> list[Text]:
    """The texts that it may become. One that can't be told is a single varying part."""
    unknown: list[Text] = [(Part(expression),)]
    if isinstance(expression, ast.Constant):
        return [(expression.value,)] if isinstance(expression.value, str) else unknown
    if isinstance(expression, ast.JoinedStr):
        return _joined([_value(each, scope) for each in expression.values]) or _joined(
            [[(Part(each.value, _numbers(each)),)] if isinstance(each, ast.FormattedValue) else texts(each, scope)
             for each in expression.values]
        )  # fmt: skip
    if isinstance(expression, ast.IfExp):
        return [*texts(expression.body, scope), *texts(expression.orelse, scope)]
    if isinstance(expression, ast.BoolOp):
        arms = [text for each in expression.values for text in texts(each, scope)]
        told = [each for each in arms if any(isinstance(part, str) and part for part in each)]
        if told and isinstance(expression.op, ast.And):
            return [*told, ("",)]
        return told or unknown
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Add):
        sides = [texts(expression.left, scope), texts(expression.right, scope)]
        return _joined(sides) or unknown
    if isinstance(expression, ast.BinOp) and isinstance(expression.op, ast.Mult):
        for each in (expression.left, expression.right):
            if isinstance(each, ast.Constant) and isinstance(each.value, str):
                return [(each.value,), ("",)]
    if isinstance(expression, ast.Subscript | ast.Call | ast.Name | ast.Attribute):
        source = ast.unparse(expression)
        if source in scope.met or len(scope.met) > _DEEPEST:
            return unknown
        scope.met.add(source)
        try:
            found = _followed(expression, scope)
            return [text for each in found for text in texts(each, scope)] if found else unknown
        finally:
            scope.met.discard(source)
    return unknown


def _followed(expression: ast.expr, scope: Scope) -> Sequence[ast.expr] | None:
    if isinstance(expression, ast.Name):
        return scope.names(expression.id)
    if isinstance(expression, ast.Attribute):
        return scope.attributes(expression.attr)
    if isinstance(expression, ast.Subscript):
        return _taken(expression, scope)
    assert isinstance(expression, ast.Call)
    called = _last(expression.func)
    if called == "get" and isinstance(expression.func, ast.Attribute):
        found = scope.tables(_last(expression.func.value))
        return [*found, *expression.args[1:]] if found else None
    if called == "format" and isinstance(expression.func, ast.Attribute):
        return _formatted(expression, scope)
    return scope.answers(called)


def _taken(expression: ast.Subscript, scope: Scope) -> Sequence[ast.expr] | None:
    """What stands in a table; of one of tuples that are unpacked, what stands in that place of each."""
    table = expression.value
    if isinstance(table, ast.Dict):
        return table.values
    if isinstance(table, ast.Subscript) and isinstance(expression.slice, ast.Constant):
        at = expression.slice.value
        rows = [each for each in scope.tables(_last(table.value)) or () if isinstance(each, ast.Tuple)]
        return [each.elts[at] for each in rows if isinstance(at, int) and at < len(each.elts)]
    return scope.tables(_last(table))


def _formatted(call: ast.Call, scope: Scope) -> Sequence[ast.expr] | None:
    """`"{n} parts".format(n=count)` as the f-string that it stands for."""
    assert isinstance(call.func, ast.Attribute)
    given = {each.arg: each.value for each in call.keywords}
    made = []
    for text in texts(call.func.value, scope):
        if any(isinstance(each, Part) for each in text):
            return None
        pieces = re.split(r"\{(\w+)\}", "".join(each for each in text if isinstance(each, str)))
        values: list[ast.expr] = []
        for at, piece in enumerate(pieces):
            if at % 2 == 0:
                values.append(ast.Constant(piece))
            elif piece in given:
                values.append(ast.FormattedValue(ast.Name(piece), -1))
        made.append(ast.JoinedStr(values))
    return made


def _value(each: ast.expr, scope: Scope) -> list[Text]:
    if not isinstance(each, ast.FormattedValue):
        return texts(each, scope)
    whole: list[Text] = [(Part(each.value, _numbers(each)),)]
    if each.format_spec is not None or isinstance(each.value, ast.Subscript):
        return whole
    found = texts(each.value, scope)
    return found if all(any(isinstance(part, str) for part in text) or not text for text in found) else whole


def _joined(sides: Iterable[list[Text]]) -> list[Text]:
    """Every choice from each side, one after the other; none where these are too many."""
    listed = list(sides)
    number = 1
    for each in listed:
        number *= len(each)
    if number > MOST:
        return []
    return [tuple(part for text in chosen for part in text) for chosen in product(*listed)]


def _numbers(each: ast.FormattedValue) -> str:
    spec = each.format_spec
    return "".join(str(part.value) for part in spec.values if isinstance(part, ast.Constant)) if isinstance(
        spec, ast.JoinedStr
    ) else ""  # fmt: skip


def _last(expression: ast.expr) -> str:
    return expression.id if isinstance(expression, ast.Name) else getattr(expression, "attr", "")


def template(text: Text) -> tuple[str, tuple[Part, ...]]:
    """A message with a name in braces for each varying part, and these parts; braces of its own are doubled."""
    merged: list[str] = []
    parts: list[Part] = []
    taken: dict[str, str] = {}
    for each in text:
        if isinstance(each, str):
            merged.append(each.replace("{", "{{").replace("}", "}}"))
            continue
        name, source = _called(each.value), ast.unparse(each.value)
        number = 2
        base = name
        while taken.setdefault(name, source) != source:
            name, number = f"{base}{number}", number + 1
        merged.append("{" + name + "}")
        parts.append(each)
    return "".join(merged), tuple(parts)


def _called(expression: ast.expr) -> str:
    """A name for the value of an expression that says to a translator what it is."""
    if isinstance(expression, ast.Call) and _last(expression.func) in ("len", "sum"):
        return "count"
    for name in _words(expression):
        plain = _PLACE.sub("_", name.lower()).strip("_")
        if plain and not plain[0].isdigit():
            return "count" if plain in ("n", "len") else plain
    return "value"


def _words(expression: ast.expr) -> Iterator[str]:
    """The names in an expression, those that say the most first."""
    if isinstance(expression, ast.Name):
        yield expression.id
    elif isinstance(expression, ast.Attribute):
        yield expression.attr
        yield from _words(expression.value)
    elif isinstance(expression, ast.Call):
        called = _last(expression.func)
        if called in _IDLE or called.startswith("_") or not expression.args:
            for each in expression.args:
                yield from _words(each)
            if isinstance(expression.func, ast.Attribute):
                yield from _words(expression.func.value)
        else:
            for each in expression.args:
                yield from _words(each)
        yield called
    elif isinstance(expression, ast.GeneratorExp | ast.ListComp):
        yield from _words(expression.generators[0].iter)
    elif isinstance(expression, ast.Subscript):
        yield from _words(expression.value)
    elif isinstance(expression, ast.IfExp):
        yield from _words(expression.body)
    else:
        for child in ast.iter_child_nodes(expression):
            if isinstance(child, ast.expr):
                yield from _words(child)
