"""Translates the texts of the OpenAPI document, which is in English, to the language of the page."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from types import MappingProxyType

from django.utils.translation import gettext as _

from config.pages import SERVICE, document_of
from config.reference.operations import DEFAULT, Operation, Parameter, ResponseInfo, operations
from conversions.models import LEAST_CREDITS
from conversions.templatetags.offers import cost, named, pair
from conversions.wording import language, summary, translated
from conversions.work.offer import Cost, Offer, current
from engine.families.registry import CONVERTERS
from engine.toolkit.declaring import Converter
from engine.toolkit.options import Option, describe

_USUAL = "json-to-csv"
"""A conversion whose operation has all the texts that conversions share."""


def translate_operation(operation: Operation) -> Operation:
    """Translate an operation's texts to the language of the page."""
    if language() is None:
        return operation
    return replace(
        operation,
        title=translated(operation.title),
        text=translated(operation.text),
        parameters=tuple(_translated_parameter(each) for each in operation.parameters),
        responses=tuple(_translated_response(each) for each in operation.responses),
    )


def translate_conversion(operation: Operation, converter: Converter) -> Operation:
    """Translate the operation of a conversion, with the texts that its options declare."""
    if language() is None:
        return operation
    options = {each.name: each for each in describe(converter.options)}
    lines = [summary(converter), cost(converter, "sentence")]
    if plans := current().plans.get(converter.slug):
        lines.append(_("Only on these plans: %(plans)s.") % {"plans": ", ".join(sorted(plans))})
    return replace(
        translate_operation(operation),
        title=pair(converter),
        text="\n\n".join(lines),
        parameters=tuple(_of_form(each, converter, options) for each in operation.parameters),
    )


def messages() -> Iterator[tuple[str, str]]:
    """Yield (place, text) for the document's texts that no converter declares."""
    costs = dict.fromkeys(CONVERTERS, Cost(LEAST_CREDITS))
    document = document_of(Offer(0, MappingProxyType(CONVERTERS), costs, {}, {}))
    usual = CONVERTERS[_USUAL]
    declared = {"file", *(each.name for each in describe(usual.options))}
    for each in operations(json.loads(document(SERVICE).text)):
        yield from (
            (__name__, text) for text in (each.title, each.text, *_texts(each.parameters, each.responses)) if text
        )
    for each in operations(json.loads(document(usual.input.id).text)):
        if each.path.endswith(f"/{usual.slug}"):
            parameters = [field for field in each.parameters if field.name not in declared]
            yield from ((__name__, text) for text in _texts(parameters, each.responses) if text)


def _texts(parameters: Iterable[Parameter], responses: Iterable[ResponseInfo]) -> Iterator[str]:
    yield from (each.text for each in parameters)
    for each in responses:
        yield each.text
        yield from (field.text for field in each.fields)


def _translated_parameter(field: Parameter) -> Parameter:
    return replace(field, text=translated(field.text))


def _translated_response(answer: ResponseInfo) -> ResponseInfo:
    return replace(
        answer, text=translated(answer.text), fields=tuple(_translated_parameter(each) for each in answer.fields)
    )


def _of_form(field: Parameter, converter: Converter, options: Mapping[str, Option]) -> Parameter:
    if field.where != "body":
        return _translated_parameter(field)
    option = options.get(field.name)
    return replace(field, text=_of_option(field.text, option) if option else _of_file(converter))


def _of_option(text: str, option: Option) -> str:
    """An option's description, a line for each choice, and its default."""
    lines = [translated(option.description)]
    if option.choice_labels:
        lines += [
            "",
            *(f"* `{each.value}`: {translated(each.label)}. {translated(each.help)}" for each in option.choice_labels),
        ]
    described = "\n".join(lines)
    before, mark, default = text.rpartition(DEFAULT)
    if not mark or not default.endswith("."):
        return described
    between = before[len(before.rstrip()) :]
    return described + between + _("Default: %(value)s.") % {"value": default[:-1]}


def _of_file(converter: Converter) -> str:
    extensions = ", ".join(f".{each}" for each in converter.input.extensions)
    text = _("One %(format)s file (%(extensions)s).")
    return text % {"format": named(converter.input), "extensions": extensions}
