"""Digits in number formats: decimals, exponents, fractions, and the general format."""

from __future__ import annotations

import re
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

Token = tuple[str, str]

_WIDTH = 11


def exact(value: float) -> Decimal:
    return Decimal(f"{value:.15g}")


def decimal(value: Decimal, tokens: tuple[Token, ...]) -> str:
    """Fill digits into their placeholders, from the point to both sides."""
    point = next((at for at, (kind, _) in enumerate(tokens) if kind == "point"), len(tokens))
    digits = [at for at, (kind, _) in enumerate(tokens) if kind == "digit"]
    whole = [at for at in digits if at < point]
    places = [at for at in digits if at > point]
    last = digits[-1]
    commas = [at for at, (kind, _) in enumerate(tokens) if kind == "comma"]
    grouped = any(whole and whole[0] < at < whole[-1] for at in commas)
    scaled = sum(1 for at in commas if at > last or (whole and whole[-1] < at < point))
    value *= Decimal(100) ** sum(kind == "percent" for kind, _ in tokens)
    value /= Decimal(1000) ** scaled
    value = value.quantize(Decimal(1).scaleb(-len(places)), ROUND_HALF_UP) if value < Decimal("1e20") else value
    left, _, right = format(value, "f").partition(".")
    left = left.lstrip("0")
    out: list[str] = ["" if kind in ("comma", "digit") else text for kind, text in tokens]
    count = 0
    for at in reversed(whole):
        taken = left if at == whole[0] else left[-1:]
        left = left[: len(left) - len(taken)]
        shown = taken or {"0": "0", "?": " ", "#": ""}[tokens[at][1]]
        piece = ""
        for digit in reversed(shown):
            if grouped and count and count % 3 == 0 and digit != " ":
                piece = "," + piece
            piece = digit + piece
            count += 1
        out[at] = piece
    if left and not whole:
        out[point] = left + "."
    ending = True
    for at, digit in reversed(list(zip(places, right.ljust(len(places), "0"), strict=False))):
        mark = tokens[at][1]
        ending = ending and digit == "0" and mark != "0"
        out[at] = (" " if mark == "?" else "") if ending else digit
    return "".join(out)


def exponent(value: float, tokens: tuple[Token, ...]) -> str:
    at = next(index for index, (kind, _) in enumerate(tokens) if kind == "exponent")
    mantissa, rest = tokens[:at], tokens[at + 1 :]
    point = next((index for index, (kind, _) in enumerate(mantissa) if kind == "point"), len(mantissa))
    step = max(1, sum(kind == "digit" for kind, _ in mantissa[:point]))
    places = sum(kind == "digit" for kind, _ in mantissa[point:])
    number = exact(value)
    power = number.adjusted() // step * step if number else 0
    digits = number.scaleb(-power).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    if digits >= Decimal(10) ** step:
        power += step
        digits = number.scaleb(-power).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    width = sum(kind == "digit" for kind, _ in rest)
    sign = "-" if power < 0 else "+" if tokens[at][1].endswith("+") else ""
    tail = "".join(text for kind, text in rest if kind == "literal")
    return f"{decimal(digits, mantissa)}E{sign}{str(abs(power)).rjust(width, '0')}{tail}"


def fraction(value: float, tokens: tuple[Token, ...]) -> str:
    slash = next(at for at, (kind, _) in enumerate(tokens) if kind == "slash")
    after = "".join(text for kind, text in tokens[slash + 1 :] if kind in ("digit", "literal")).strip()
    before = re.split(r"\s+", "".join(text for kind, text in tokens[:slash] if kind in ("digit", "literal")).strip())
    number = Fraction(exact(value))
    whole = int(number) if len(before) > 1 else 0
    fixed = re.fullmatch(r"[1-9]\d*", after)
    if fixed:
        bottom = int(after)
        top = int((number - whole) * bottom + Fraction(1, 2))
    else:
        top, bottom = _near(number - whole, 10 ** max(1, len(after)) - 1)
    if len(before) > 1 and top == bottom:
        whole, top = whole + 1, 0
    if not top and len(before) > 1:
        return str(whole)
    return f"{whole} {top}/{bottom}" if whole else f"{top}/{bottom}"


def _near(number: Fraction, most: int) -> tuple[int, int]:
    """The last continued fraction convergent with a denominator of at most `most`, as spreadsheets choose it."""
    top, bottom, above, below = 1, 0, 0, 1
    while True:
        digit = number.numerator // number.denominator
        if digit * bottom + below > most:
            return top, bottom
        top, bottom, above, below = digit * top + above, digit * bottom + below, top, bottom
        if number == digit:
            return top, bottom
        number = 1 / (number - digit)


def general(value: float) -> str:
    """A number in the general format: as many digits as a cell of default width displays."""
    if value == int(value) and abs(value) < 1e11:
        return str(int(value))
    width = _WIDTH + (value < 0)
    magnitude = exact(abs(value)).adjusted()
    if magnitude < 11:
        number = exact(value)
        if magnitude > -5:  # below, digits are not cut off but the number is written with an exponent
            number = number.quantize(Decimal(1).scaleb(-min(9, max(0, 9 - magnitude))), ROUND_HALF_UP)
        text = format(number, "f")
        text = text.rstrip("0").rstrip(".") if "." in text else text
        if len(text) <= width:
            return text
    places = 5 if -100 < magnitude < 99 else 4  # the power takes a third digit of the width
    mantissa, _, power = f"{value:.{places}e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}E{power[0]}{power[1:].rjust(2, '0')}"
