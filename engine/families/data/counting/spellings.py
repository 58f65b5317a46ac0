"""Normalise values to one spelling, to compare those of different formats."""

from __future__ import annotations

import functools
import math
import re
from datetime import UTC, datetime, timedelta
from decimal import Decimal, InvalidOperation
from email.utils import parsedate_to_datetime

_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,14})", re.ASCII)
_NUMBER = re.compile(r"[+-]?(?:0|[1-9][0-9]*|(?=\.[0-9]))(?:\.[0-9]*)?(?:[eE][+-]?[0-9]{1,4})?", re.ASCII)
_MOMENT = re.compile(
    r"(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?[ ]?(Z|UTC|[+-]\d\d:?\d\d)?)?", re.ASCII
)
_TIME = re.compile(r"(\d{1,2}:\d\d)(?::(\d\d)(?:[.,](\d{1,9}))?)?", re.ASCII)
_LETTER_DATE = re.compile(r"(?:[A-Z][a-z]{2}, ?)?\d{1,2} [A-Z][a-z]{2} \d{4} \d\d:\d\d.*")
_WORDS = {
    "true": "1",
    "false": "0",
    **dict.fromkeys(("null", r"\n"), ""),
    **{f"{sign}{word}": "" for sign in ("", "-", "+") for word in ("nan", "inf", "infinity")},
}
r"""Words in lower case; \N is how databases write null."""
_CONTROLS = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff\ufffd\ufeff]")
"""Characters that some formats can't hold, whose loss writers report."""
_FLOAT_DIGITS = 17
_LONGEST = 40
"""Characters beyond which a text is neither a number nor a date."""


@functools.lru_cache(maxsize=8192)
def spelled(text: str) -> str:
    """Return the normalised spelling of a value; empty for null and for what is not finite.

    Numbers are by value, booleans 1 and 0 as in databases, datetimes in UTC without trailing zero parts, texts with
    single blanks and without control characters.
    """
    if not text.isprintable() or "\ufffd" in text:
        text = without_controls(text)
    if len(text) > _LONGEST:
        return _blanks(text)
    text = _blanks(text)
    if text[-1:] > "9" and text[-1:] not in "eEZC":
        return _WORDS.get(text.lower(), text)
    if _INTEGER.fullmatch(text):
        return "0" if text == "-0" else text
    if _NUMBER.fullmatch(text):
        return _number(text)
    known = _WORDS.get(text.lower())
    if known is not None:
        return known
    if "-" in text and (moment := _MOMENT.fullmatch(text)):
        return _moment(moment)
    if ":" in text:
        if time := _TIME.fullmatch(text):
            return _time(f"{time[1]:0>5}", time[2], time[3])
        if _LETTER_DATE.fullmatch(text):
            try:
                return spelled(parsedate_to_datetime(text).isoformat())
            except (ValueError, TypeError, IndexError, OverflowError):
                return text
    return text


def without_controls(text: str) -> str:
    """Return a text without the characters that some formats can't hold."""
    return _CONTROLS.sub("", text)


def of_float(value: float) -> str:
    """Return the spelling of a 64-bit float; empty if it is not finite, which few formats can hold."""
    if not math.isfinite(value):
        return ""
    written = repr(value) if value else "0"  # which may have a sign
    return _plain(Decimal(written)) if "e" in written else written.removesuffix(".0")


def _blanks(text: str) -> str:
    return text if text.isalnum() else " ".join(text.split())


def _number(text: str) -> str:
    if len(text) <= _FLOAT_DIGITS:
        value = float(text)
        if value:
            return of_float(value)
    try:
        exact = Decimal(text)
    except InvalidOperation:
        return text
    if len(exact.as_tuple().digits) <= _FLOAT_DIGITS and (value := float(exact)) and math.isfinite(value):
        return of_float(value)
    return _plain(exact)


def _plain(exact: Decimal) -> str:
    if not exact:
        return "0"
    sign, digits, exponent = exact.as_tuple()
    whole = "".join(map(str, digits)).rstrip("0")
    sized = Decimal((sign, tuple(map(int, whole)), int(exponent) + len(digits) - len(whole)))
    return f"{sized:f}" if abs(sized.adjusted()) < _LONGEST else str(sized)


def _moment(found: re.Match[str]) -> str:
    day, time, seconds, fraction, zone = found.groups()
    if time is None:
        return day
    if zone not in (None, "Z", "UTC", "+00:00", "-00:00", "+0000", "-0000"):
        try:
            span = timedelta(hours=int(zone[1:3]), minutes=int(zone[-2:]))
            local = datetime.fromisoformat(f"{day}T{time}").replace(tzinfo=UTC)
            local += span if zone[0] == "-" else -span
        except (ValueError, OverflowError):
            return found[0]
        day, time = local.strftime("%Y-%m-%d %H:%M").split(" ")
        day = day.zfill(10)
    written = _time(time, seconds, fraction)
    return day if written == "00:00" else f"{day} {written}"


def _time(time: str, seconds: str | None, fraction: str | None) -> str:
    rest = (fraction or "").rstrip("0")
    if rest:
        return f"{time}:{seconds}.{rest}"
    return time if seconds in (None, "00") else f"{time}:{seconds}"
