"""Translation of what converters declare and report."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.utils import translation
from django.utils.formats import number_format

from engine.toolkit.declaring import Converter
from engine.toolkit.messages import MAX_DEPTH, Message, Value, english, filled, message_of, unpacked
from engine.toolkit.options import Option
from engine.toolkit.options import filled as with_facts

_LONGEST = 10_000


def translated(text: str) -> str:
    """A declared text in the language of the request, or unchanged if it has no translation."""
    return translation.gettext(text) if text and language() else text


def option_help(option: Option) -> str:
    """An option's help text, translated."""
    return with_facts(translated(option.description_template), option.facts)


def summary(converter: Converter) -> str:
    """A conversion's summary, translated."""
    if not language() or not converter.summary_template:
        return converter.summary
    text = translated(converter.summary_template)
    formats = {"{input}": converter.input.name, "{output}": converter.output.name}
    for place, name in formats.items():
        text = text.replace(place, translated(name))
    return text


def language() -> str | None:
    """The language to translate into; None for English, the source language."""
    active = translation.get_language()
    return None if active is None or active[:2] == "en" else active


def worded(message: str) -> str:
    """A message in the language of the request, with localised numbers."""
    message = message_of(message)
    if not message or not language():  # the empty text is the head of a catalogue
        return str(message)
    number = next((each for each in message.values.values() if type(each) is int), None)
    text = message.template if number is None else translation.ngettext(message.template, message.template, number)
    if text == message.template:
        text = translation.gettext(message.template)
    return filled(text, {name: _written(each) for name, each in message.values.items()})


def _written(value: Value) -> str:
    if isinstance(value, Message):
        return worded(value)
    return english(value, lambda number: str(number_format(number, use_l10n=True, force_grouping=True)))


def as_stored(message: str) -> dict[str, Any]:
    """A message as stored: its English text and, if it has values, template and values."""
    found = message_of(message)
    parts = {"parts": found.packed()} if found.values else {}
    return {"message": str(found), **parts}


def restored(row: Mapping[str, Any] | str) -> Message:
    """The message stored by as_stored(), or plain text from older rows."""
    if isinstance(row, str):
        return message_of(row)
    if "parts" not in row:
        return message_of(row["message"])
    # A converter's message may have the full depth, and is stored inside another that says where in the file it is.
    return unpacked(row["parts"], longest=_LONGEST, depth=MAX_DEPTH + 1)
