"""What the OpenAPI document says in English, as pages say it in the language of whoever reads."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from django.utils.translation import gettext as _

from config.pages import SERVICE, document_of
from config.reference.operations import Answer, Given, Operation, operations
from conversions.families.registry import CONVERTERS
from conversions.models import LEAST_CREDITS
from conversions.offer import Cost, Offer, current
from conversions.sayings.telling import language, spoken, summary
from conversions.templatetags.offers import cost, named, pair
from conversions.toolkit.declaring import Converter
from conversions.toolkit.options import Option, describe

_USUAL = "json-to-csv"
"""A conversion with all that any has in common with the others."""
_UNLESS = "Unless given: "


def told(operation: Operation) -> Operation:
    """An operation with its texts in the language of the page."""
    if language() is None:
        return operation
    return replace(
        operation,
        title=spoken(operation.title),
        text=spoken(operation.text),
        given=tuple(_given(each) for each in operation.given),
        answers=tuple(_answer(each) for each in operation.answers),
    )


def told_of(operation: Operation, converter: Converter) -> Operation:
    """The operation of a conversion, whose options say themselves, with its texts in the language of the page."""
    if language() is None:
        return operation
    options = {each.name: each for each in describe(converter.options)}
    lines = [summary(converter), cost(converter, "sentence")]
    if plans := current().plans.get(converter.slug):
        lines.append(_("Only on the plans %(plans)s.") % {"plans": ", ".join(sorted(plans))})
    return replace(
        told(operation),
        title=pair(converter),
        text="\n\n".join(lines),
        given=tuple(_of_form(each, converter, options) for each in operation.given),
    )


def messages() -> Iterator[tuple[str, str]]:
    """What the document says beside the texts that converters declare: places and texts."""
    costs = dict.fromkeys(CONVERTERS, Cost(LEAST_CREDITS))
    document = document_of(Offer(0, MappingProxyType(CONVERTERS), costs, {}, {}))
    usual = CONVERTERS[_USUAL]
    declared = {"file", *(each.name for each in describe(usual.options))}
    for each in operations(json.loads(document(SERVICE))):
        yield from ((__name__, text) for text in (each.title, each.text, *_texts(each.given, each.answers)) if text)
    for each in operations(json.loads(document(usual.input.id))):
        if each.path.endswith(f"/{usual.slug}"):
            given = [field for field in each.given if field.name not in declared]
            yield from ((__name__, text) for text in _texts(given, each.answers) if text)


def _texts(given: Iterable[Given], answers: Iterable[Answer]) -> Iterator[str]:
    yield from (each.text for each in given)
    for each in answers:
        yield each.text
        yield from (field.text for field in each.fields)


def _given(field: Given) -> Given:
    return replace(field, text=spoken(field.text))


def _answer(answer: Answer) -> Answer:
    return replace(answer, text=spoken(answer.text), fields=tuple(_given(each) for each in answer.fields))


def _of_form(field: Given, converter: Converter, options: Mapping[str, Option]) -> Given:
    if field.where != "body":
        return _given(field)
    option = options.get(field.name)
    return replace(field, text=_of_option(field.text, option) if option else _of_file(converter))


def _of_option(text: str, option: Option) -> str:
    """What an option is for, with a line for each choice, and what it is unless it is given, as the document says."""
    lines = [spoken(option.description)]
    if option.spoken:
        lines += ["", *(f"* `{each.value}`: {spoken(each.label)}. {spoken(each.help)}" for each in option.spoken)]
    said = "\n".join(lines)
    before, mark, default = text.rpartition(_UNLESS)
    if not mark or not default.endswith("."):
        return said
    between = before[len(before.rstrip()) :]
    return said + between + _("Unless given: %(value)s.") % {"value": default[:-1]}


def _of_file(converter: Converter) -> str:
    extensions = ", ".join(f".{each}" for each in converter.input.extensions)
    text = _("One %(format)s file (%(extensions)s).")
    return text % {"format": named(converter.input), "extensions": extensions}
