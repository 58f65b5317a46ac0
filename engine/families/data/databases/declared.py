"""The schema types of SQLite's declared column types."""

from __future__ import annotations

import re

from engine.families.data.schema import MAX_DIGITS, Type

_DECIMAL = re.compile(r"(?:DECIMAL|NUMERIC)\s*\(\s*(\d{1,2})\s*(?:,\s*(\d{1,2})\s*)?\)")
_WHOLE = {
    "BOOLEAN": Type("boolean"),
    "BOOL": Type("boolean"),
    "DATE": Type("date"),
    "DATETIME": Type("timestamp"),
    "TIMESTAMP": Type("timestamp"),
}
_PARTS = (
    (("INT",), Type("integer")),
    (("CHAR", "CLOB", "TEXT", "BLOB"), Type("text")),
    (("REAL", "FLOA", "DOUB"), Type("number")),
)
"""Substrings of declared types, in the order of SQLite's rules (datatype3, 3.1); bytes are text here."""


def column_type(kind: str) -> Type | None:
    """Return the type that a declaration, in capitals, suggests, which values need not have; None for none."""
    kind = kind.strip()
    if kind in _WHOLE:
        return _WHOLE[kind]
    if match := _DECIMAL.fullmatch(kind):
        digits, scale = int(match[1]), int(match[2] or 0)
        return Type("decimal", digits - scale, scale) if scale <= digits <= MAX_DIGITS else None
    return next((each for parts, each in _PARTS if any(part in kind for part in parts)), None)
