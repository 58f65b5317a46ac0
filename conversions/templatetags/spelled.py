"""Texts of the API document on pages: the Markdown that they use, as HTML."""

from __future__ import annotations

import re

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()

_BLOCKS = re.compile(r"\n\s*\n|\n(?=[*-] )")
"""Between paragraphs and before each list item."""
_ITEM = re.compile(r"[*-] ")


@register.filter
def spelled(text: object) -> SafeString:
    """Escape the text and mark each `word` in backquotes as code."""
    parts = str(text).split("`")
    shapes = ("{}", "<code>{}</code>")
    return format_html_join("", "{}", ((format_html(shapes[number % 2], part),) for number, part in enumerate(parts)))


@register.filter
def laid_out(text: object) -> SafeString:
    """The text's paragraphs and lists, with code marked as in `spelled`."""
    blocks = [each.strip() for each in _BLOCKS.split(str(text)) if each.strip()]
    lists = [bool(_ITEM.match(each)) for each in blocks]
    made = []
    for number, (block, listed) in enumerate(zip(blocks, lists, strict=True)):
        if not listed:
            made.append(format_html("<p>{}</p>", spelled(block)))
            continue
        begin = "" if number and lists[number - 1] else "<ul>"
        end = "" if lists[number + 1 : number + 2] == [True] else "</ul>"
        made.append(format_html(f"{begin}<li>{{}}</li>{end}", spelled(block[2:])))
    return format_html_join("", "{}", ((each,) for each in made))
