"""How pages say what conversions cost."""

from __future__ import annotations

from django import template

from conversions.offer import Offer, current, remembered
from conversions.toolkit.declaring import Converter

register = template.Library()


@register.filter
def cost(converter: Converter, part: str = "") -> str:
    """What a conversion costs in words, `2 credits a file`, or its number of credits alone (part `credits`)."""
    found = current().cost(converter)
    if part == "credits":
        return str(found.credits)
    return str(found) if found.per_minute else f"{found} a file"


@register.simple_tag
def prices() -> str:
    """What conversions cost, from the cheapest to the dearest: `1 credit`, or `1 to 5 credits`."""
    return _span()


@remembered
def _span(offered: Offer) -> str:
    found = sorted(each.credits for each in offered.costs.values())
    if not found:
        return "nothing"
    least, most = found[0], found[-1]
    return f"{least} to {most} credits" if most > least else f"{most} credit{'s' * (most != 1)}"
