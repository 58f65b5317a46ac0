"""Form controls derived from declared options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from conversions.wording import option_help, translated
from engine.toolkit.declaring import Converter
from engine.toolkit.options import Choice, Option, Value, describe

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
    """How a page presents an option: its own label and initial value.

    `choices` are labels by value, in order; values without a label are not offered.
    """

    name: str
    label: str
    help: str = ""
    value: str | None = None
    choices: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Control:
    """An option with its value as text (`true` or `false` for yes or no) and its error, if any.

    `asked` has the page's own labels.
    """

    option: Option
    value: str
    error: str = ""
    asked: Field | None = None

    @property
    def label(self) -> str:
        """The label on this page."""
        return translated(self.asked.label if self.asked is not None else label(self.option.name))

    @property
    def default(self) -> str:
        if self.asked is not None and self.asked.value is not None:
            return self.asked.value
        return as_text(self.option.default)

    @property
    def help(self) -> str:
        return option_help(self.option) if self.asked is None else translated(self.asked.help)

    @property
    def choices(self) -> list[Choice]:
        """Values with their labels."""
        words = {each.value: each for each in self.option.choice_labels}
        if self.asked is not None and self.asked.choices:
            lines = {value: words[value].help if value in words else "" for value in self.asked.choices}
            found = [Choice(value, called, lines[value]) for value, called in self.asked.choices.items()]
        else:
            found = list(self.option.choice_labels)
        return [Choice(each.value, translated(each.label), translated(each.help)) for each in found]

    @property
    def line(self) -> str:
        """The help text of the current choice."""
        return next((each.help for each in self.choices if each.value == self.value), "")

    @property
    def is_set(self) -> bool:
        """Whether it was changed, or is wrong."""
        return bool(self.error) or self.value != self.default

    @property
    def section(self) -> str:
        """The section that is folded with it; empty where the page asks for this option itself."""
        return "" if self.asked is not None else translated(self.option.section)

    @property
    def automatic(self) -> bool:
        """Whether it may be left empty, for the converter to decide."""
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
    """An option's name in words: `pageSize` becomes `Page size`."""
    words = [_ACRONYMS.get(word.lower(), word.lower()) for word in _WORD.split(name)]
    text = " ".join(words)
    return text[0].upper() + text[1:]


def as_text(value: Value) -> str:
    """A value as the text of a form field; None is empty."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)


def given_values(converter: Converter, fields: Mapping[str, str]) -> dict[str, str]:
    """The values in `fields` that are options of the converter, as text."""
    return {each.name: fields[each.name] for each in describe(converter.options) if each.name in fields}


def controls(
    converter: Converter, values: Mapping[str, str], problems: Mapping[str, str] | None = None
) -> tuple[Control, ...]:
    """The controls of a converter's form; options missing in `values` have their defaults."""
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
    """The controls of these fields only, in this order."""
    options = {each.name: each for each in describe(converter.options)}
    made = []
    for each in fields:
        option = options[each.name]
        first = as_text(option.default) if each.value is None else each.value
        made.append(Control(option, values.get(each.name, first), (problems or {}).get(each.name, ""), each))
    return tuple(made)
