"""The script tag of the page's dictionary, before all modules; empty for English."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from languages.dictionary import address

register = template.Library()


@register.simple_tag
def dictionary() -> SafeString:
    """A deferred script, run before every module; style sheets load first."""
    place = address(get_language())
    if place is None:
        return SafeString("")
    return format_html('<script defer src="{}" data-dictionary fetchpriority="low"></script>\n', place)
