"""Names and prices of conversions and formats on pages."""

from __future__ import annotations

from collections.abc import Iterable

from django import template
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from conversions.wording import translated
from conversions.work.offer import Offer, current, remembered
from engine.toolkit.declaring import Converter
from engine.toolkit.formats import Format

register = template.Library()


@register.filter
def named(format: Format) -> str:
    """A format's name in the language of the page."""
    return translated(format.name)


@register.filter
def pair(converter: Converter) -> str:
    """A conversion's name: `JSON to CSV`."""
    return _("%(source)s to %(target)s") % {"source": named(converter.input), "target": named(converter.output)}


@register.simple_tag
def targets_of(converters: Iterable[Converter]) -> SafeString:
    """A sentence with links to every conversion from a format."""
    found = list(converters)
    links = ((reverse("conversion", args=[each.slug]), named(each.output)) for each in found)
    # The sentence comes from a catalogue, so it is escaped.
    sentence = format_html("{}", _("Convert %(format)s to %(formats)s."))
    parts = {
        "format": format_html("{}", named(found[0].input)),
        "formats": format_html_join(", ", '<a href="{}">{}</a>', links),
    }
    return SafeString(sentence % parts)


@register.filter
def cost(converter: Converter, part: str = "") -> str:
    """What a conversion costs, `2 credits a file`; as a sentence, or its number of credits alone (part `credits`)."""
    found = current().cost(converter)
    number = found.credits
    if part == "credits":
        return str(number)
    if found.per_minute:
        text = ngettext("%(number)s credit per started minute", "%(number)s credits per started minute", number)
    else:
        text = ngettext("%(number)s credit per file", "%(number)s credits per file", number)
    text %= {"number": number}
    return _("%(cost)s.") % {"cost": text} if part == "sentence" else text


@register.simple_tag
def prices() -> str:
    """The price range of conversions: `1 credit`, or `1 to 5 credits`."""
    span = _span()
    if span is None:
        return _("nothing")
    least, most = span
    if most > least:
        text = ngettext("%(least)s to %(most)s credit", "%(least)s to %(most)s credits", most)
    else:
        text = ngettext("%(most)s credit", "%(most)s credits", most)
    return text % {"least": least, "most": most}


@remembered
def _span(offered: Offer) -> tuple[int, int] | None:
    found = [each.credits for each in offered.costs.values()]
    return (min(found), max(found)) if found else None
