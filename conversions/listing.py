"""What can be converted, as one document that is made once: `/converter/formats`."""

from __future__ import annotations

import functools
import hashlib
import json
from typing import Any

from conversions.converters.base import Converter
from conversions.formats import FORMATS
from conversions.options import Option, describe
from conversions.registry import CONVERTERS


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
    """A strong entity tag (RFC 9110, 8.8.3) of the document."""
    return '"' + hashlib.sha256(json.dumps(document()).encode()).hexdigest()[:32] + '"'
