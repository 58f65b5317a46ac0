"""Reading: every warning and error that the code of converters can give, found in its source."""

from __future__ import annotations

import ast
import functools
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from conversions.sayings.source import (
    KEYS,
    Module,
    arguments,
    assigned,
    class_of,
    declared_fields,
    is_number,
    learn,
    mentions,
    named,
    roots,
    worded,
)
from conversions.sayings.wording import Part, Scope, Text, template, texts
from conversions.toolkit.warnings import CODES

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("conversions/families", "conversions/toolkit", "conversions/sandbox")
_FAULTS = {"Failed", "Inexact", "Widened", "RuntimeError", "OSError", "SyntaxError", "EOFError", "TypeError",
           "ImportError", "FileNotFoundError", "KeyError", "ChildProcessError", "NotImplementedError", "Unfit",
           "Crashed", "Unavailable", "NoRoom", "ValueError"}  # fmt: skip
"""Exceptions whose texts are for logs, or for nobody."""
_READ_OUT = {
    "conversions/toolkit/fields.py": {"ValueError"},
    "conversions/families/html_pdf/page_choice.py": {"ValueError"},
}
_COUNTED = re.compile(r"\{(?!max_|most|least)\w+\} [a-z]")
_LETTERS = re.compile(r"[A-Za-z]{2}")


@dataclass(frozen=True, order=True)
class Saying:
    """A message as translators have it; `counted` where its form depends on the first number in it."""

    text: str
    place: str
    counted: bool = False


@functools.cache
def sayings() -> tuple[Saying, ...]:
    """All messages of all families, each once, by their text; raises SyntaxError for code that can't be read."""
    paths = [path for folder in FOLDERS for path in sorted((ROOT / folder).rglob("*.py"))]
    return _Reader([Module(str(path.relative_to(ROOT)), ast.parse(path.read_text())) for path in paths]).found()


class _Reader:
    def __init__(self, modules: Sequence[Module]) -> None:
        self.modules = modules
        self.failures = self._failures()
        self.sinks: dict[str, set[tuple[str, int, str, bool]]] = defaultdict(set)
        """Functions that say one of their arguments: name to file, position and name of the argument."""
        self.functions: dict[str, list[tuple[str, list[ast.expr]]]] = defaultdict(list)
        self.constants: dict[str, list[ast.expr]] = {}
        self.said: dict[str, Saying] = {}
        self.spoken: set[tuple[int, str]] = set()

    def _failures(self) -> set[str]:
        bases = {
            each.name: [getattr(base, "id", getattr(base, "attr", "")) for base in each.bases]
            for module in self.modules
            for each in module.nodes
            if isinstance(each, ast.ClassDef)
        }
        found = {"ValueError"}

        def failing(name: str) -> bool:
            return name.endswith("Error") or name == "Exception" or any(map(failing, bases.get(name, ())))

        return found | {name for name in bases if failing(name)}

    def found(self) -> tuple[Saying, ...]:
        """Go through the code until no further function is met that says what it is given."""
        fields: dict[str, dict[str, list[str]]] = defaultdict(dict)
        for module in self.modules:
            fields[module.family].update(declared_fields(module))
        for module in self.modules:
            self._kept(module)
            learn(module, fields[module.family])
            for function in module.functions:
                returned = [each.value for each in ast.walk(function) if isinstance(each, ast.Return) and each.value]
                if returned and all(map(worded, returned)):
                    self.functions[function.name].append((module.path, returned))
            for name, value in module.constants.items():
                if worded(value):
                    self.constants.setdefault(name, [value])
        done: set[int] = set()
        before = -1
        while before != len(done):
            before = len(done)
            for module in self.modules:
                for inside, call in module.calls:
                    for given, counted in self._messages(module, call):
                        if id(given) not in done:
                            done.add(id(given))
                            self._say(module, inside, given, counted)
        return tuple(sorted(self.said.values()))

    def _messages(self, module: Module, call: ast.Call) -> Iterator[tuple[ast.expr, bool]]:
        """The arguments of a call that somebody will read; with each whether a number follows it."""
        name = getattr(call.func, "id", getattr(call.func, "attr", ""))
        keywords = {each.arg: each.value for each in call.keywords if each.arg}
        coded = call.args and isinstance(call.args[0], ast.Constant) and call.args[0].value in CODES
        if (name in ("warn", "Warning") or (coded and name != "Kind")) and (
            len(call.args) == 2 or "message" in keywords
        ):
            yield (call.args[1] if len(call.args) == 2 else keywords["message"]), False
        elif name == "Kind" and (len(call.args) > 1 or "what" in keywords):
            yield call, True
        elif name in self.failures:
            if name in _FAULTS and name not in _READ_OUT.get(module.path, ()):
                return
            at = 1 if name in ("InvalidOption", "OverLimit") else 0
            if "message" in keywords:
                yield keywords["message"], False
            elif len(call.args) > at:
                yield call.args[at], False
            for each in call.args[:at] if name == "OverLimit" else ():
                if isinstance(each, ast.Constant) and " " in str(each.value):
                    yield each, False
        for path, position, argument, counted in sorted(self.sinks.get(name, ())):
            if path != module.path and not self._reaches(module, call, name):
                continue
            if argument in keywords:
                yield keywords[argument], counted
            elif position < len(call.args) and not any(
                isinstance(each, ast.Starred) for each in call.args[: position + 1]
            ):
                yield call.args[position], counted

    def _kept(self, module: Module) -> None:
        """Note the functions that keep an argument as the words of something that is counted."""
        for function in module.functions if "Kind" in module.imported else ():
            names = [each.arg for each in arguments(function)]
            for each in ast.walk(function):
                if isinstance(each, ast.Call) and named(each.func) == "setdefault" and named(each.args[0]) in names:
                    at = names.index(named(each.args[0])) - (names[:1] == ["self"])
                    self.sinks[function.name].add((module.path, at, named(each.args[0]), True))

    def _reaches(self, module: Module, call: ast.Call, name: str) -> bool:
        return name in module.imported or isinstance(call.func, ast.Attribute)

    def _say(self, module: Module, function: ast.FunctionDef | None, given: ast.expr, counted: bool) -> None:
        scope = self._scope(module, function)
        if counted:
            what, advice = given, None
            if isinstance(given, ast.Call) and named(given.func) == "Kind":
                keywords = {each.arg: each.value for each in given.keywords}
                what = given.args[1] if len(given.args) > 1 else keywords["what"]
                advice = given.args[2] if len(given.args) > 2 else keywords.get("advice")
            for text in texts(what, scope):
                for more in texts(advice, scope) if advice is not None else [("",)]:
                    rest = (" ", *more) if any(more) else ()
                    self._keep(module, function, (*text, ": ", *_COUNT, ".", *rest), scope)
            return
        for text in texts(given, scope):
            self._keep(module, function, text, scope)

    def _keep(self, module: Module, function: ast.FunctionDef | None, text: Text, scope: Scope) -> None:
        for each in text:
            if isinstance(each, Part) and each not in _COUNT:
                self._part(module, function, each, scope)
        said, _ = template(text)
        if not _is_said(said):
            return
        counted = _COUNTED.search(said) is not None and "{count}{places}" not in said
        numbers = any(isinstance(each, Part) and ("," in each.numbers or is_number(each.value)) for each in text)
        self.said.setdefault(said, Saying(said, module.path, counted and numbers))

    def _part(self, module: Module, function: ast.FunctionDef | None, part: Part, scope: Scope) -> None:
        """Read out what a varying part may be: an argument of the function, a table's value, another's answer."""
        for name in roots(part.value):
            if function is not None and name in (names := [each.arg for each in arguments(function)]):
                methods = names[:1] in (["self"], ["cls"])
                if name in ("self", "cls"):
                    continue
                called = function.name
                if called == "__init__":
                    called = class_of(module, function)
                self.sinks[called].add((module.path, names.index(name) - methods, name, False))
        if (id(part.value), module.path) in self.spoken:
            return
        self.spoken.add((id(part.value), module.path))
        for text in texts(part.value, scope):
            if text != (Part(part.value),):
                self._keep(module, function, text, scope)

    def _scope(self, module: Module, function: ast.FunctionDef | None) -> Scope:
        return Scope(
            functools.partial(self._names, module, function),
            functools.partial(self._attributes, module),
            functools.partial(self._tables, module, function),
            functools.partial(self._answers, module),
        )

    def _names(self, module: Module, function: ast.FunctionDef | None, name: str) -> Sequence[ast.expr] | None:
        if function is not None:
            if name in [each.arg for each in arguments(function)]:
                found = [each for each in assigned(function, name) if not mentions(each, name)]
                return [*found, ast.Name(name + "\0")] if found else None
            if found := assigned(function, name):
                return found
        if name in module.constants:
            return [module.constants[name]]
        return self.constants.get(name) if name in module.imported else None

    def _attributes(self, module: Module, name: str) -> Sequence[ast.expr] | None:
        family = [each for each in self.modules if each.family == module.family]
        # What is counted is kept in one module of a family and told in another.
        found = [] if name.startswith(KEYS) else module.attributes.get(name, [])
        found = found or [value for each in family for value in each.attributes.get(name, ())]
        return found or (self.constants.get(name) if name.isupper() else None)

    def _tables(self, module: Module, function: ast.FunctionDef | None, name: str) -> Sequence[ast.expr] | None:
        if function is not None:
            for each in assigned(function, name):
                if isinstance(each, ast.Dict):
                    return list(each.values)
        own = module.tables.get(name)
        if own is None and name in module.imported:
            own = next((each.tables[name] for each in self.modules if name in each.tables), None)
        return [each for each in own if worded(each)] if own else None

    def _answers(self, module: Module, name: str) -> Sequence[ast.expr] | None:
        own = [each for each in self.functions.get(name, ()) if each[0] == module.path]
        found = own or (self.functions.get(name, []) if name in module.imported else [])
        return found[0][1] if found else None


_COUNT = (Part(ast.Name("count"), ","), Part(ast.Name("places")))


def _is_said(text: str) -> bool:
    """Whether it is words for people: markup that converters write, patterns, and single words are not."""
    plain = re.sub(r"\{\w+\}", "", text)
    markup = "\n" in text or "</" in text or '="' in text or (text.startswith("<") and not text.endswith("."))
    return not markup and "(?" not in text and " " in text.strip() and _LETTERS.search(plain) is not None
