"""Texts of the API's document as pages show them: what is between backquotes is code."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def spelled(text: object) -> SafeString:
    """The text with each `word` between backquotes as code, all else escaped."""
    parts = str(text).split("`")
    shapes = ("{}", "<code>{}</code>")
    return format_html_join("", "{}", ((format_html(shapes[number % 2], part),) for number, part in enumerate(parts)))
