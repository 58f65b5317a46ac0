"""One control of a form for each declared option: what a template needs to show it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from conversions.sayings.telling import description, spoken
from conversions.toolkit.declaring import Converter
from conversions.toolkit.options import Choice, Option, Value, describe

_WORD = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_ACRONYMS = {
    "bom": "BOM",
    "css": "CSS",
    "dpi": "DPI",
    "html": "HTML",
    "id": "ID",
    "pdf": "PDF",
    "svg": "SVG",
    "url": "URL",
}


@dataclass(frozen=True)
class Field:
    """An option as a page with a purpose asks for it: its own words, and what it holds at first.

    `choices` are the words for the values of a choice, in the order in which they are offered; a value that has none is
    not offered.
    """

    name: str
    label: str
    help: str = ""
    value: str | None = None
    choices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Control:
    """An option with the text of its value (`true` or `false` for yes or no) and what is wrong with it, if anything.

    Where a page has words of its own for it, they are in `asked`.
    """

    option: Option
    value: str
    error: str = ""
    asked: Field | None = None

    @property
    def label(self) -> str:
        """What the option is called here."""
        return spoken(self.asked.label if self.asked is not None else label(self.option.name))

    @property
    def default(self) -> str:
        if self.asked is not None and self.asked.value is not None:
            return self.asked.value
        return as_text(self.option.default)

    @property
    def help(self) -> str:
        return description(self.option) if self.asked is None else spoken(self.asked.help)

    @property
    def choices(self) -> list[Choice]:
        """Values with their words."""
        words = {each.value: each for each in self.option.spoken}
        if self.asked is not None and self.asked.choices:
            lines = {value: words[value].help if value in words else "" for value in self.asked.choices}
            found = [Choice(value, called, lines[value]) for value, called in self.asked.choices.items()]
        else:
            found = list(self.option.spoken)
        return [Choice(each.value, spoken(each.label), spoken(each.help)) for each in found]

    @property
    def line(self) -> str:
        """The line that explains what is chosen."""
        return next((each.help for each in self.choices if each.value == self.value), "")

    @property
    def automatic(self) -> bool:
        """Whether it may be left to the conversion."""
        return self.option.nullable and not (self.asked and self.asked.choices)

    @property
    def minimum(self) -> str:
        return as_text(self.option.minimum)

    @property
    def maximum(self) -> str:
        return as_text(self.option.maximum)

    @property
    def wide(self) -> bool:
        return self.option.multiline


def label(name: str) -> str:
    """The public name of an option in words: `pageSize` is `Page size`."""
    words = [_ACRONYMS.get(word.lower(), word.lower()) for word in _WORD.split(name)]
    text = " ".join(words)
    return text[0].upper() + text[1:]


def as_text(value: Value) -> str:
    """A value as a form field has it; what is left out is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def given_values(converter: Converter, fields: Mapping[str, str]) -> dict[str, str]:
    """The converter's options among `fields`, as text."""
    return {each.name: fields[each.name] for each in describe(converter.options) if each.name in fields}


def controls(
    converter: Converter, values: Mapping[str, str], problems: Mapping[str, str] | None = None
) -> tuple[Control, ...]:
    """The controls of a converter's form; an option that is not in `values` has its default."""
    return tuple(
        Control(each, values.get(each.name, as_text(each.default)), (problems or {}).get(each.name, ""))
        for each in describe(converter.options)
    )


def asked(
    converter: Converter,
    fields: Iterable[Field],
    values: Mapping[str, str],
    problems: Mapping[str, str] | None = None,
) -> tuple[Control, ...]:
    """The controls of these fields alone, in this order."""
    options = {each.name: each for each in describe(converter.options)}
    made = []
    for each in fields:
        option = options[each.name]
        first = as_text(option.default) if each.value is None else each.value
        made.append(Control(option, values.get(each.name, first), (problems or {}).get(each.name, ""), each))
    return tuple(made)
