"""Resolve unquoted YAML scalars by the core schema of YAML 1.2."""

from __future__ import annotations

import re

from engine.families.data.values import NotFinite, Value, integer, number

_NULL = {"", "~", "null", "Null", "NULL"}
_BOOLEAN = {word: word.lower() == "true" for word in ("true", "True", "TRUE", "false", "False", "FALSE")}
# YAML 1.2.2, section 10.3.2; but digits after a leading zero stay text, lest a code such as 007 lose them.
_INTEGER = re.compile(r"[-+]?(?:0|[1-9][0-9]*)|0o[0-7]+|0x[0-9a-fA-F]+")
_FLOAT = re.compile(r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?")
_NOT_FINITE = re.compile(r"([-+]?)\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN)")
_STARTS_VALUE = re.compile(r"[-+.0-9~nNtTfFyYoO=<]")


def plain_value(content: str) -> Value:
    """Resolve a plain scalar by the core schema; dates and `yes` are text."""
    if content in _NULL:
        return None
    if not _STARTS_VALUE.match(content):
        return content
    if content in _BOOLEAN:
        return _BOOLEAN[content]
    if _INTEGER.fullmatch(content):
        prefix = content[:2]
        if prefix in ("0o", "0x") and len(content) < 4000:
            return int(content, 8 if prefix == "0o" else 16)
        return content if prefix in ("0o", "0x") else integer(content)
    if _FLOAT.fullmatch(content):
        return number(_json_digits(content))
    match = _NOT_FINITE.fullmatch(content)
    if match:
        return NotFinite("NaN" if content.lower() == ".nan" else "-Infinity" if match[1] == "-" else "Infinity")
    return content


def _json_digits(content: str) -> str:
    """The digits as JSON, too, would have them: no plus sign, and digits on both sides of the point."""
    sign = "-" if content[0] == "-" else ""
    mantissa, mark, exponent = re.fullmatch(r"[-+]?([0-9.]+)([eE]?)(.*)", content).groups()  # type: ignore[union-attr]
    whole, point, fraction = mantissa.partition(".")
    return sign + (whole or "0") + (f".{fraction or '0'}" if point else "") + mark + exponent
