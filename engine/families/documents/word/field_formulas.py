"""Calculate the expressions of Word fields, and write numbers in their pictures (ECMA-376, part 1, 17.16.3)."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping

_TOKEN = re.compile(
    r"\s*+(?:(\d{1,3}+(?:,\d{3})++(?!\d)(?:\.\d*+)?|\d++(?:\.\d*+)?|\.\d++)|([A-Za-z_]\w*+)|(<>|<=|>=|[-+*/^%()=<>,;]))"
)
_LONGEST, _DEEPEST = 1_000, 40
_LARGEST = 1e15
_FUNCTIONS: Mapping[str, Callable[[list[float]], float]] = {
    "SUM": math.fsum,
    "PRODUCT": lambda values: math.prod(values),
    "AVERAGE": lambda values: math.fsum(values) / len(values),
    "MIN": min,
    "MAX": max,
    "COUNT": lambda values: float(len(values)),
    "ABS": lambda values: abs(values[0]),
    "INT": lambda values: float(math.floor(values[0])),
    "SIGN": lambda values: math.copysign(1.0, values[0]) if values[0] else 0.0,
    "ROUND": lambda values: round(values[0], max(-15, min(int(values[1]), 15))),
    "MOD": lambda values: math.fmod(values[0], values[1]),
    "NOT": lambda values: float(not values[0]),
    "AND": lambda values: float(all(values)),
    "OR": lambda values: float(any(values)),
    "IF": lambda values: values[1] if values[0] else values[2],
    "TRUE": lambda values: 1.0,
    "FALSE": lambda values: 0.0,
}
COMPARED: Mapping[str, Callable[[float, float], bool]] = {
    "=": lambda one, two: one == two,
    "<>": lambda one, two: one != two,
    "<": lambda one, two: one < two,
    ">": lambda one, two: one > two,
    "<=": lambda one, two: one <= two,
    ">=": lambda one, two: one >= two,
}
_PICTURE = re.compile(r"[#0x,]*+(?:\.[#0x]*+)?")


def calculated(expression: str, named: Callable[[str], float | None]) -> float | None:
    """The value of an expression; `named` gives that of a bookmark. None if it can't be calculated."""
    if len(expression) > _LONGEST:
        return None
    try:
        value = _Expression(expression, named).whole()
    except (ValueError, ArithmeticError, IndexError):
        return None
    return value if math.isfinite(value) and abs(value) < _LARGEST else None


class _Expression:
    def __init__(self, text: str, named: Callable[[str], float | None]) -> None:
        self._tokens: list[str] = []
        at = 0
        text = text.rstrip()
        while at < len(text):
            match = _TOKEN.match(text, at)
            if match is None:
                raise ValueError
            self._tokens.append(match[0].strip())
            at = match.end()
        self._at = 0
        self._depth = 0
        self._named = named

    def whole(self) -> float:
        value = self._comparison()
        if self._at != len(self._tokens):
            raise ValueError
        return value

    def _next(self, *wanted: str) -> str:
        """The next token if it is one of those wanted, which is read; else nothing."""
        token = self._tokens[self._at] if self._at < len(self._tokens) else ""
        if token not in wanted:
            return ""
        self._at += 1
        return token

    def _comparison(self) -> float:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise ValueError
        value = self._sum()
        while sign := self._next(*COMPARED):
            value = float(COMPARED[sign](value, self._sum()))
        self._depth -= 1
        return value

    def _sum(self) -> float:
        value = self._product()
        while sign := self._next("+", "-"):
            value += self._product() if sign == "+" else -self._product()
        return value

    def _product(self) -> float:
        value = self._power()
        while sign := self._next("*", "/"):
            value = value * self._power() if sign == "*" else value / self._power()
        return value

    def _power(self) -> float:
        value = self._signed()
        while self._next("^"):
            value = float(math.pow(value, self._signed()))
        return value

    def _signed(self) -> float:
        negative = False
        while sign := self._next("-", "+"):
            negative ^= sign == "-"
        value = self._operand()
        while self._next("%"):
            value /= 100
        return -value if negative else value

    def _operand(self) -> float:
        if self._next("("):
            value = self._comparison()
            if not self._next(")"):
                raise ValueError
            return value
        token = self._tokens[self._at]
        self._at += 1
        if token[0].isdigit() or token[0] == ".":
            return float(token.replace(",", ""))
        name = token.upper()
        if name in _FUNCTIONS:
            return float(_FUNCTIONS[name](self._arguments()))
        named = self._named(token)
        if named is None:
            raise ValueError
        return named

    def _arguments(self) -> list[float]:
        if not self._next("("):
            return []
        values = [self._comparison()]
        while self._next(",", ";"):
            values.append(self._comparison())
        if not self._next(")"):
            raise ValueError
        return values


def pictured(value: float, picture: str) -> str:
    """A number in a numeric picture, such as `$#,##0.00` (17.16.4.2); as short as possible without one."""
    forms = picture.split(";")
    form = forms[1] if value < 0 and len(forms) > 1 else forms[2] if not value and len(forms) > 2 else forms[0]
    match = next((each for each in _PICTURE.finditer(form) if each[0]), None)
    if match is None:
        return f"{value:.10f}".rstrip("0").rstrip(".")
    whole, _, part = match[0].partition(".")
    digits = f"{abs(value):{',' if ',' in whole else ''}.{len(part)}f}"
    least = whole.replace(",", "")
    if "0" in least and "," not in whole:
        ahead, point, behind = digits.partition(".")
        digits = ahead.rjust(len(least) - least.index("0"), "0") + point + behind
    sign = "-" if value < 0 and len(forms) < 2 and digits.strip("0.,") else ""
    return form[: match.start()].replace("'", "") + sign + digits + form[match.end() :].replace("'", "")
