"""What is declared once for all visitors: the words of options, formats, tasks and codes, read out of their tables."""

from __future__ import annotations

from collections.abc import Iterator

from conversions.families.registry import ALTERNATIVES, CONVERTERS
from conversions.pages.controls import label
from conversions.pages.tasks.listing import ALL
from conversions.pages.tasks.task import Task
from conversions.sayings.reading import sayings
from conversions.toolkit.formats import FORMATS, KINDS
from conversions.toolkit.options import Option, describe
from conversions.toolkit.warnings import CODES

_PLACES = ("line {line}", "line {line}, column {column}")
_OF_PANDOC = "Could not convert TeX math {formula}, rendering as TeX."
Place = tuple[str, str | tuple[str, str]]
"""A file and a message that it has; with its plural, where a number decides its form."""


def messages() -> Iterator[Place]:
    """Every text for people that converters and tasks declare, and every message that converters can give."""
    yield from (("conversions/toolkit/warnings.py", each) for each in CODES.values())
    yield from (("conversions/toolkit/formats.py", each) for each in KINDS.values())
    yield from (("conversions/toolkit/formats.py", each.name) for each in FORMATS.values())
    for each in (*CONVERTERS.values(), *ALTERNATIVES):
        place = each.declared_in.replace(".", "/") + ".py"
        yield place, each.told
        for option in describe(each.options):
            yield from ((place, text) for text in _of_option(option))
    for task in ALL:
        yield from ((f"{Task.__module__.replace('.', '/')}.py", text) for text in _of_task(task))
    yield from (("conversions/pipeline.py", "{message} (" + place + ")") for place in _PLACES)
    yield "conversions/families/documents/pandoc.py", _OF_PANDOC
    yield from ((each.place, (each.text, each.text) if each.counted else each.text) for each in sayings())


def _of_option(option: Option) -> Iterator[str]:
    yield label(option.name)
    yield option.told
    for choice in option.spoken:
        yield choice.label
        if choice.help:
            yield choice.help


def _of_task(task: Task) -> Iterator[str]:
    yield from (task.title, task.does, task.group)
    if task.called:
        yield task.called
    for question, answer in task.asked:
        yield from (question, answer)
    for each in task.fields:
        yield each.label
        if each.help:
            yield each.help
        yield from each.choices.values()
