"""The dictionary of a page's scripts, ahead of all of them; nothing where the page is in English."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from languages.dictionary import address

register = template.Library()


@register.simple_tag
def dictionary() -> SafeString:
    """A script that runs after what is drawn and before every module; a slow line brings the style sheets first."""
    place = address(get_language())
    if place is None:
        return SafeString("")
    return format_html('<script defer src="{}" data-dictionary fetchpriority="low"></script>\n', place)
