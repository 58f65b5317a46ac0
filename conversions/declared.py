"""Texts for translators that are not arguments of gettext: declared texts and message templates."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import engine
from conversions.pages.controls import label
from conversions.pages.tasks.listing import ALL
from conversions.pages.tasks.task import Task
from engine.families.registry import DECLARED
from engine.toolkit.formats import FORMATS, KINDS
from engine.toolkit.options import Option, describe
from engine.toolkit.warnings import CODES

TEMPLATE_AT = {
    **dict.fromkeys(
        ("say", "Unreadable", "ConversionError", "OverTime", "OverMemory", "OverOutput", "EstimatedTooLong"), 0
    ),
    **dict.fromkeys(("InvalidOption", "OverLimit", "Kind", "warn"), 1),
}
"""By the function called: which argument is a message template."""
Place = tuple[str, str]
"""A file and a text in it."""


def messages() -> Iterator[Place]:
    """Every declared text of converters and tasks, and every message template of the engine.

    Independent of what is installed, so that all machines yield the same.
    """
    yield from (("engine/toolkit/warnings.py", each) for each in CODES.values())
    yield from (("engine/toolkit/formats.py", each) for each in KINDS.values())
    yield from (("engine/toolkit/formats.py", each.name) for each in FORMATS.values())
    for each in DECLARED:
        place = each.declared_in.replace(".", "/") + ".py"
        yield place, each.summary_template
        for option in describe(each.options):
            yield from ((place, text) for text in _of_option(option))
    for task in ALL:
        yield from ((f"{Task.__module__.replace('.', '/')}.py", text) for text in _of_task(task))
    root = Path(engine.__file__).parents[1]
    work = (root / "conversions/work" / each for each in ("pipeline.py", "verification.py"))
    for path in (*sorted((root / "engine").rglob("*.py")), *work):
        name = str(path.relative_to(root))
        yield from ((name, text) for text in templates(ast.parse(path.read_text())))


def templates(tree: ast.Module) -> Iterator[str]:
    """The message templates of a module: literals passed where messages are made."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call):
            continue
        at = _template_at(node)
        given = node.args[at] if at is not None and len(node.args) > at else None
        if given is None:
            given = next((each.value for each in node.keywords if each.arg in ("message", "template")), None)
        if given is not None:
            yield from _literals(given, is_template=_called(node) in ("say", "Kind"))


def _template_at(call: ast.Call) -> int | None:
    first = call.args[0] if call.args else None
    # `warn` is passed under many names; its first argument is a code.
    if isinstance(first, ast.Constant) and first.value in CODES:
        return 1
    return TEMPLATE_AT.get(_called(call))


def _called(call: ast.Call) -> str:
    return str(getattr(call.func, "id", getattr(call.func, "attr", "")))


def _literals(given: ast.expr, *, is_template: bool) -> Iterator[str]:
    match given:
        case ast.Constant(value=str(text)):
            yield text if is_template else text.replace("{", "{{").replace("}", "}}")
        case ast.IfExp(body=one, orelse=other):
            yield from _literals(one, is_template=is_template)
            yield from _literals(other, is_template=is_template)
        case ast.BoolOp(values=values):
            for each in values:
                yield from _literals(each, is_template=is_template)


def _of_option(option: Option) -> Iterator[str]:
    yield label(option.name)
    yield option.description_template
    if option.section:
        yield option.section
    for choice in option.choice_labels:
        yield choice.label
        if choice.help:
            yield choice.help


def _of_task(task: Task) -> Iterator[str]:
    yield from (task.title, task.does, task.group)
    if task.called:
        yield task.called
    if task.gathers and task.gathers.apart:
        yield task.gathers.apart
    for question, answer in task.asked:
        yield from (question, answer)
    for each in task.fields:
        yield each.label
        if each.help:
            yield each.help
        yield from each.choices.values()
