"""One control of a form for each declared option: what a template needs to show it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from conversions.toolkit.declaring import Converter
from conversions.toolkit.options import Option, Value, describe

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
class Control:
    """An option with the text of its value (`true` or `false` for yes or no) and what is wrong with it, if anything."""

    option: Option
    value: str
    error: str = ""

    @property
    def label(self) -> str:
        """The public name in words: `pageSize` is `Page size`."""
        words = [_ACRONYMS.get(word.lower(), word.lower()) for word in _WORD.split(self.option.name)]
        text = " ".join(words)
        return text[0].upper() + text[1:]

    @property
    def default(self) -> str:
        return as_text(self.option.default)

    @property
    def minimum(self) -> str:
        return as_text(self.option.minimum)

    @property
    def maximum(self) -> str:
        return as_text(self.option.maximum)

    @property
    def wide(self) -> bool:
        return self.option.multiline


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
