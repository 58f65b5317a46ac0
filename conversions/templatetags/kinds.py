"""Icons and colours of the kinds of formats."""

from __future__ import annotations

from django import template
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString

from engine.families.registry import CONVERTERS
from engine.toolkit.formats import FORMATS, Format

register = template.Library()
_OTHER = "documents"


@register.simple_tag
def icon(format: Format | str) -> SafeString:
    """A format's icon, by format or id; decorative, as the name is next to it."""
    found = FORMATS.get(format) if isinstance(format, str) else format
    return _picture(found.kind if found else _OTHER)


@register.simple_tag
def icon_of(slug: str) -> SafeString:
    """The icon of a conversion's output; a sheet for conversions that no longer exist."""
    return _picture(CONVERTERS[slug].output.kind if slug in CONVERTERS else _OTHER)


def _picture(kind: str) -> SafeString:
    return format_html(
        '<svg class="kind" data-kind="{0}" viewBox="0 0 28 28" width="28" height="28" aria-hidden="true"'
        ' focusable="false"><use href="{1}#{0}"/></svg>',
        kind,
        static("kinds.svg"),
    )
