"""Template filters for sizes, numbers, durations and times."""

from __future__ import annotations

from datetime import date, datetime
from decimal import Decimal

from django import template
from django.conf import settings
from django.utils import formats, timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

register = template.Library()


@register.filter
def size(count: int | None) -> str:
    """Bytes in decimal units (1 MB is 1,000,000 bytes), with at most three digits: `4.2 kB`."""
    if count is None:
        return "–"
    if count >= 10**9:
        return _("%(number)s GB") % {"number": _short(count / 10**9)}
    if count >= 10**6:
        return _("%(number)s MB") % {"number": _short(count / 10**6)}
    if count >= 10**3:
        return _("%(number)s kB") % {"number": _short(count / 10**3)}
    return _("%(number)s B") % {"number": count}


@register.filter
def thousands(number: int | None) -> str:
    """A whole number with thousands separators of the language."""
    return "–" if number is None else _grouped(number)


@register.filter
def signed(number: int) -> str:
    return f"{'−' if number < 0 else '+'}{_grouped(abs(number))}"


@register.filter
def milliseconds(duration: int | None) -> str:
    """Milliseconds as `85 ms`, `1.3 s`, `2 min`."""
    if duration is None:
        return "–"
    if duration < 1000:
        return _("%(number)s ms") % {"number": duration}
    if duration < 120_000:
        return _("%(number)s s") % {"number": _short(duration / 1000)}
    return _("%(number)s min") % {"number": round(duration / 60_000)}


@register.filter
def hours(number: int) -> str:
    """Hours, in whole days if possible: `1 hour`, `72 hours`, `7 days`."""
    if number >= 96 and number % 24 == 0:
        return ngettext("%(number)s day", "%(number)s days", number // 24) % {"number": _grouped(number // 24)}
    return ngettext("%(number)s hour", "%(number)s hours", number) % {"number": number}


@register.filter
def left(moment: datetime) -> str:
    """The time until a moment, in its largest unit: `40 min`, `3 h`, `2 days`."""
    minutes = max(0, int((moment - timezone.now()).total_seconds() // 60))
    if minutes < 60:
        return _("%(number)s min") % {"number": max(1, minutes)}
    if minutes < 48 * 60:
        return _("%(number)s h") % {"number": minutes // 60}
    days = minutes // (24 * 60)
    return ngettext("%(number)s day", "%(number)s days", days) % {"number": _grouped(days)}


@register.filter
def brief(day: date) -> str:
    """A short date: `3 Sep`."""
    english = translation.get_language() == settings.LANGUAGE_CODE
    return formats.date_format(day, "j M" if english else "MONTH_DAY_FORMAT")


@register.filter(expects_localtime=True)
def moment(time: datetime) -> str:
    """A short date and time for tables: `3 Sep 2026, 14:05`, `03.09.2026 14:05`."""
    english = translation.get_language() == settings.LANGUAGE_CODE
    return formats.date_format(time, "DATETIME_FORMAT" if english else "SHORT_DATETIME_FORMAT")


def _grouped(number: int) -> str:
    """Localised digits; English is formatted here, as that is fastest for the most common case."""
    if translation.get_language() == settings.LANGUAGE_CODE:
        return f"{number:,}"
    return formats.number_format(number, use_l10n=True, force_grouping=True)


def _short(value: float) -> str:
    digits = 0 if value >= 100 else 1
    text = f"{Decimal(value):.{digits}f}".removesuffix(".0")
    return text.replace(".", formats.get_format("DECIMAL_SEPARATOR"))
