"""Find the cell styles of Excel workbooks that show numbers as dates, times or durations."""

from __future__ import annotations

import html
import re

_ATTRIBUTE = re.compile(rb"""(?<![\w:])([\w:]++)\s*+=\s*+(?:"([^"]*+)"|'([^']*+)')""")
_XF = re.compile(rb"<(?:\w+:)?xf\b([^<>]*)>")
_FORMAT = re.compile(rb"<(?:\w+:)?numFmt\b([^<>]*)>")
_XFS = re.compile(rb"<(?:\w+:)?cellXfs\b.*?(?:</(?:\w+:)?cellXfs>|\Z)", re.DOTALL)
_NO_CODE = re.compile(r'"[^"]*"|\\.|_.|\*.|\[(?!h+\]|m+\]|s+\])[^\[\]]*\]', re.IGNORECASE | re.DOTALL)
_DATES = {*range(14, 23), *range(27, 37), *range(50, 59)}
_TIMES = {18, 19, 20, 21, 45, 46, 47}


def attributes(tag: bytes) -> dict[str, str]:
    """The attributes of a tag by name as written."""
    return {name.decode(): (a or b).decode("utf-8", "replace") for name, a, b in _ATTRIBUTE.findall(tag)}


def of(styles: bytes) -> dict[str, str]:
    """Map the styles that show numbers as dates to `date`, `time` or `span`; other styles are left out."""
    codes = {}
    for each in _FORMAT.findall(styles):
        given = attributes(each)
        codes[given.get("numFmtId", "")] = _kind(html.unescape(given.get("formatCode", "")))
    found = {}
    for index, xf in enumerate(_XF.findall((_XFS.search(styles) or [b""])[0])):
        number = attributes(xf).get("numFmtId", "0")
        kind = codes.get(number) if number in codes else _kind_of(int(number) if number.isdigit() else 0)
        if kind:
            found[str(index)] = kind
    return found


def _kind(code: str) -> str:
    shown = _NO_CODE.sub("", code.split(";")[0]).lower()
    if "[" in shown:
        return "span"
    if "general" in shown or not (set(shown) & set("dmyhs") or "a/p" in shown):
        return ""
    return "date" if set(shown) & set("dy") or ("m" in shown and not set(shown) & set("hs")) else "time"


def _kind_of(number: int) -> str:
    if number == 46:  # [h]:mm:ss
        return "span"
    return "time" if number in _TIMES else "date" if number in _DATES else ""
