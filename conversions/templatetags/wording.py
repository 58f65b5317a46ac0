"""Filters that translate what converters declare and report."""

from __future__ import annotations

from django import template

from conversions import wording
from conversions.models import Conversion

register = template.Library()
# Nothing is marked safe: a message may quote a file.
register.filter("translated", wording.translated)
register.filter("summary", wording.summary)


@register.filter
def worded(row: dict[str, object]) -> str:
    """A warning's stored message in the language of the page."""
    return wording.worded(wording.restored(row))


@register.filter
def failure(conversion: Conversion) -> str:
    """A conversion's error in the language of the page."""
    return wording.worded(wording.restored(conversion.failure))
