"""Dates and times in number formats, from years to fractions of a second, and elapsed time."""

from __future__ import annotations

import calendar
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal

Token = tuple[str, str]

_LEAP_DAY = 60
"""29 February 1900, which spreadsheets count although it did not exist."""
_LAST = 2_958_465
"""31 December 9999."""


def shown(serial: float, tokens: tuple[Token, ...]) -> str:
    """The timestamp `serial`, in days since the end of 1899 and not negative, by the tokens of a format."""
    if serial >= _LAST:
        return f"{serial:g}"
    places = _places(tokens)
    exact = Decimal(repr(serial)) * 86_400
    total = exact.quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    days, rest = divmod(int(total), 86_400)
    year, month, day, weekday = _day(days)
    hours, minutes, seconds = rest // 3600, rest // 60 % 60, rest % 60
    halves = any(kind == "half" for kind, _ in tokens)
    elapsed = {"h": int(total) // 3600, "m": int(total) // 60, "s": int(total)}
    out = []
    for at, (kind, text) in enumerate(tokens):
        letter = text[:1].lower()
        if kind == "date" and letter == "m" and is_minutes(at, tokens):
            out.append(_padded(minutes, text))
        elif kind == "date" and letter in "hs":
            hour = (hours % 12 or 12) if halves else hours
            out.append(_padded(hour if letter == "h" else seconds, text))
        elif kind == "date":
            out.append(_of_day(letter, len(text), year, month, day, weekday))
        elif kind == "elapsed":
            out.append(str(elapsed[text[1].lower()]).rjust(len(text) - 2, "0"))
        elif kind == "half":
            name = "AM" if hours < 12 else "PM"
            out.append(name if len(text) > 3 else name[0] if text[0].isupper() else name[0].lower())
        elif kind == "digit":
            if tokens[at - 1][0] == "point":
                out.append(format(total % 1, f".{places}f")[2:])
        elif kind in ("point", "literal", "comma", "slash", "percent"):
            out.append(text)
    return "".join(out)


def _places(tokens: tuple[Token, ...]) -> int:
    """The number of decimals of the seconds."""
    count, after = 0, False
    for kind, _ in tokens:
        after = kind == "point" or (after and kind == "digit")
        count += after and kind == "digit"
    return min(count, 6)


def is_minutes(at: int, tokens: tuple[Token, ...]) -> bool:
    """Whether an m means minutes: after hours, or before seconds."""
    if len(tokens[at][1]) > 2:
        return False
    before = [text.strip("[]")[0].lower() for kind, text in tokens[:at] if kind in ("date", "elapsed")]
    after = [text.strip("[]")[0].lower() for kind, text in tokens[at + 1 :] if kind in ("date", "elapsed")]
    return bool((before and before[-1] == "h") or (after and after[0] == "s"))


def _day(days: int) -> tuple[int, int, int, int]:
    """Year, month, day, and day of the week from Monday."""
    if days == _LEAP_DAY:
        return 1900, 2, 29, 2
    if days == 0:
        return 1900, 1, 0, 5
    real = date(1899, 12, 30 if days > _LEAP_DAY else 31) + timedelta(days)
    return real.year, real.month, real.day, (real.weekday() if days > _LEAP_DAY else (days + 5) % 7)


def _padded(number: int, text: str) -> str:
    return str(number).rjust(min(len(text), 2), "0")


def _of_day(letter: str, count: int, year: int, month: int, day: int, weekday: int) -> str:
    if letter in "ye":
        return str(year) if count > 2 or letter == "e" else f"{year % 100:02}"
    if letter == "m":
        names = {3: calendar.month_abbr[month], 4: calendar.month_name[month], 5: calendar.month_name[month][:1]}
        return names.get(count, str(month) if count == 1 else f"{month:02}")
    if count > 2:
        return calendar.day_abbr[weekday] if count == 3 else calendar.day_name[weekday]
    return str(day) if count == 1 else f"{day:02}"
