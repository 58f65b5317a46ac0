"""What can be converted, as one document that is made once: `/converter/formats`."""

from __future__ import annotations

import functools
import json
from typing import Any

from conversions.families.registry import CONVERTERS
from conversions.toolkit.declaring import Converter
from conversions.toolkit.formats import FORMATS
from conversions.toolkit.options import Option, describe
from storage.conditions import entity_tag_of


def _option(option: Option) -> dict[str, Any]:
    shown: dict[str, Any] = {
        "name": option.name,
        "type": option.kind,
        "default": None if option.nullable else option.default,
        "description": option.description,
    }
    bounds = {
        "choices": list(option.choices) or None,
        "minimum": option.minimum,
        "maximum": option.maximum,
        "minLength": option.min_length,
        "maxLength": option.max_length,
        "pattern": option.pattern,
    }
    return shown | {name: value for name, value in bounds.items() if value is not None}


def describe_converter(converter: Converter) -> dict[str, Any]:
    return {
        "slug": converter.slug,
        "input": converter.input.id,
        "output": converter.output.id,
        "summary": converter.summary,
        "credits": converter.credits,
        "engine": converter.engine.label,
        "options": [_option(each) for each in describe(converter.options)],
    }


@functools.cache
def document() -> dict[str, Any]:
    """All formats in use and all conversions, sorted by slug."""
    used = {each for converter in CONVERTERS.values() for each in (converter.input.id, converter.output.id)}
    return {
        "formats": [
            {"id": each.id, "name": each.name, "extensions": list(each.extensions), "contentType": each.content_type}
            for each in FORMATS.values()
            if each.id in used
        ],
        "conversions": [describe_converter(each) for each in CONVERTERS.values()],
    }


@functools.cache
def etag() -> str:
    """The entity tag of the document."""
    return entity_tag_of(json.dumps(document()).encode())
