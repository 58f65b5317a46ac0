"""Number formats: a cell's value as the text that a spreadsheet shows (ECMA-376, part 1, section 18.8.31).

Names of months and days are English, the decimal point is a point, and a format that follows the reader's system is
written as ISO 8601. White space at the ends, which only aligns, is left out.
"""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import ROUND_HALF_UP, Decimal
from fractions import Fraction

from conversions.families.data.values import Value
from conversions.families.data.workbooks import format_dates

GENERAL = "General"
_TOKEN = re.compile(
    r'(?P<quoted>"[^"]*"?)|\\(?P<escaped>.)|_(?P<space>.)|\*(?P<fill>.)|(?P<elapsed>\[(?:h+|m+|s+)\])'
    r"|\[\$(?P<currency>[^\]-]*)[^\]]*\]|\[(?P<condition>(?:<=|>=|<>|<|>|=)\s*-?[\d.]+)\]|(?P<colour>\[[^\]]*\])"
    r"|(?P<half>AM/PM|A/P)|(?P<general>General)|(?P<exponent>E[+-])|(?P<date>y+|m+|d+|h+|s+|e+)"
    r"|(?P<digit>[0#?])|(?P<point>\.)|(?P<comma>,)|(?P<percent>%)|(?P<slash>/)|(?P<text>@)|(?P<literal>.)",
    re.IGNORECASE | re.DOTALL,
)
_SECTION = re.compile(r'((?:"[^"]*"?|\\.|\[[^\]]*\]|[_*].|[^;])*)(?:;|$)', re.DOTALL)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[\d.]+)")
_EPOCH = datetime(1899, 12, 30)
_DAY = timedelta(days=1)
_WIDTH = 11

Token = tuple[str, str]


@dataclass(frozen=True)
class Section:
    """One of up to four parts of a format: its condition, if it has one, and its tokens as kind and text."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None

    @functools.cached_property
    def kinds(self) -> frozenset[str]:
        return frozenset(kind for kind, _ in self.tokens)

    def meets(self, value: float) -> bool:
        if self.condition is None:
            return False
        sign, limit = self.condition
        return {
            "<": value < limit, ">": value > limit, "=": value == limit,
            "<=": value <= limit, ">=": value >= limit, "<>": value != limit,
        }[sign]  # fmt: skip


@functools.lru_cache(maxsize=1024)
def sections(code: str) -> tuple[Section, ...]:
    """The sections of a format code."""
    found: list[Section] = []
    for match in _SECTION.finditer(code):
        if match.end() == match.start() and found:
            break
        condition = None
        tokens: list[Token] = []
        for token in _TOKEN.finditer(match[1]):
            kind = token.lastgroup or "literal"
            text = token[kind]
            if kind == "condition" and (parts := _CONDITION.fullmatch(text)):
                condition = (parts[1], float(parts[2]))
            elif kind in ("quoted", "escaped", "currency", "space"):
                tokens.append(("literal", " " if kind == "space" else text.strip('"') if kind == "quoted" else text))
            elif kind not in ("colour", "fill", "condition"):
                tokens.append((kind, text))
        found.append(Section(tuple(tokens), condition))
        if len(found) == 4:
            break
    return tuple(found) or (Section((("general", GENERAL),)),)


@functools.lru_cache(maxsize=1024)
def says_more(code: str) -> bool:
    """Whether the format says more than the number alone: a percent or currency sign, a unit, leading zeros.

    Dates and times are values of their own, and separators and the number of decimals say nothing of the value.
    """
    for section in sections(code)[:1]:
        kinds = section.kinds
        if kinds & {"date", "elapsed", "half", "general", "text"}:
            continue
        zeros = re.match(
            r"[#,?]*(0*)", "".join(text for kind, text in section.tokens if kind in ("digit", "comma", "point"))
        )
        words = "".join(text for kind, text in section.tokens if kind == "literal").strip(" ()-+.,")
        fraction = "slash" in kinds and "digit" in kinds
        if words or fraction or "percent" in kinds or (zeros and len(zeros[1]) > 1 and "exponent" not in kinds):
            return True
    return False


def shown(value: Value, code: str) -> str:
    """The text of a cell with this value and number format."""
    if isinstance(value, bool):
        return "TRUE" if value else "FALSE"
    if isinstance(value, str):
        return _text(value, sections(code))
    number = serial(value)
    return _number(number, sections(code)).strip()


def serial(value: Value) -> float:
    """A number, or the days of a moment since the end of 1899."""
    if isinstance(value, datetime):
        return (value - _EPOCH) / _DAY
    if isinstance(value, date):
        return float((datetime(value.year, value.month, value.day) - _EPOCH).days)
    if isinstance(value, time):
        return (timedelta(0, value.second, value.microsecond, 0, value.minute, value.hour)) / _DAY
    if isinstance(value, timedelta):
        return value / _DAY
    return float(value)


def _text(value: str, parts: tuple[Section, ...]) -> str:
    section = parts[3] if len(parts) > 3 else parts[-1]
    if "text" not in section.kinds:
        return value
    return "".join(value if kind == "text" else text for kind, text in section.tokens if kind in ("text", "literal"))


def _number(value: float, parts: tuple[Section, ...]) -> str:
    numeric = [each for each in parts[:3] if "text" not in each.kinds] or [Section((("general", GENERAL),))]
    section = next((each for each in numeric if each.meets(value)), None)
    negative = value < 0
    if section is None:
        free = [each for each in numeric if each.condition is None]
        if len(numeric) == 1 or not free:
            section = numeric[0]
        elif free[0] is not numeric[0] or len(free) < len(numeric):
            section = free[-1]
        elif negative:
            section, negative = numeric[1], False
        else:
            section = numeric[2] if value == 0 and len(numeric) > 2 else numeric[0]
    if not section.tokens:
        return "" if len(parts) > 1 else general(value)
    kinds = section.kinds
    if kinds & {"date", "elapsed", "half"}:
        return general(value) if value < 0 else format_dates.shown(value, section.tokens)
    if "general" in kinds:
        text = "".join(general(abs(value)) if kind == "general" else text for kind, text in section.tokens)
    elif "digit" not in kinds:
        text = "".join(text for _, text in section.tokens)
    elif "slash" in kinds:
        text = _fraction(abs(value), section.tokens)
    elif "exponent" in kinds:
        text = _exponent(abs(value), section.tokens)
    else:
        text = _decimal(_exact(abs(value)), section.tokens)
    zero = negative and not re.search("[1-9]", text) and "digit" in kinds
    return f"-{text}" if negative and not zero else text


def _exact(value: float) -> Decimal:
    return Decimal(f"{value:.15g}")


def _decimal(value: Decimal, tokens: tuple[Token, ...]) -> str:
    """Digits put into their places, from the point to both sides."""
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


def _exponent(value: float, tokens: tuple[Token, ...]) -> str:
    at = next(index for index, (kind, _) in enumerate(tokens) if kind == "exponent")
    mantissa, rest = tokens[:at], tokens[at + 1 :]
    point = next((index for index, (kind, _) in enumerate(mantissa) if kind == "point"), len(mantissa))
    step = max(1, sum(kind == "digit" for kind, _ in mantissa[:point]))
    places = sum(kind == "digit" for kind, _ in mantissa[point:])
    number = _exact(value)
    power = number.adjusted() // step * step if number else 0
    digits = number.scaleb(-power).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    if digits >= Decimal(10) ** step:
        power += step
        digits = number.scaleb(-power).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP)
    width = sum(kind == "digit" for kind, _ in rest)
    sign = "-" if power < 0 else "+" if tokens[at][1].endswith("+") else ""
    tail = "".join(text for kind, text in rest if kind == "literal")
    return f"{_decimal(digits, mantissa)}E{sign}{str(abs(power)).rjust(width, '0')}{tail}"


def _fraction(value: float, tokens: tuple[Token, ...]) -> str:
    slash = next(at for at, (kind, _) in enumerate(tokens) if kind == "slash")
    after = "".join(text for kind, text in tokens[slash + 1 :] if kind in ("digit", "literal")).strip()
    before = re.split(r"\s+", "".join(text for kind, text in tokens[:slash] if kind in ("digit", "literal")).strip())
    number = Fraction(_exact(value))
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
    """The last convergent of a continued fraction whose denominator is not over `most`, as spreadsheets choose it."""
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
    """A number without a format: as many digits as a cell of usual width shows."""
    if value == int(value) and abs(value) < 1e11:
        return str(int(value))
    width = _WIDTH + (value < 0)
    magnitude = _exact(abs(value)).adjusted()
    if -5 < magnitude < 11:
        places = max(0, min(9, 9 - magnitude)) if magnitude >= 0 else 9
        text = format(_exact(value).quantize(Decimal(1).scaleb(-places), ROUND_HALF_UP), "f")
        text = text.rstrip("0").rstrip(".") if "." in text else text
        if len(text) <= width:
            return text
    mantissa, _, power = f"{value:.5e}".partition("e")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return f"{mantissa}E{power[0]}{power[1:].rjust(2, '0')}"
