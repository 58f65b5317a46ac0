"""Texts of the API document on pages, with backquotes as code."""

from __future__ import annotations

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def spelled(text: object) -> SafeString:
    """Escape the text and mark each `word` in backquotes as code."""
    parts = str(text).split("`")
    shapes = ("{}", "<code>{}</code>")
    return format_html_join("", "{}", ((format_html(shapes[number % 2], part),) for number, part in enumerate(parts)))
