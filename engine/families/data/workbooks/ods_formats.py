"""Convert OpenDocument number formats to Excel codes (OpenDocument 1.3, part 3, 16.29)."""

from __future__ import annotations

import re

_STYLES = ("number-style", "percentage-style", "currency-style", "date-style", "time-style")
COLOURS = {
    "black": "#000000", "blue": "#0000ff", "cyan": "#00ffff", "green": "#00ff00", "magenta": "#ff00ff",
    "red": "#ff0000", "white": "#ffffff", "yellow": "#ffff00",
}  # fmt: skip
_NAMES = {value: name.capitalize() for name, value in COLOURS.items()}
_MAPS = {"value()>=0": 0, "value()>0": 0, "value()<0": 1}
_LONG = "long"
_PLAIN = re.compile(r"[ \-+/():!^&'~{}<>=]*")


class Styles:
    """Collects the styles of a document element by element, and gives the format codes of cell styles."""

    def __init__(self) -> None:
        self._cells: dict[str, tuple[str, str]] = {}
        self._codes: dict[str, str | None] = {}
        self._maps: dict[str, dict[int, str]] = {}
        self._name = self._kind = ""
        self._pieces: list[str] | None = []
        self._literal: list[str] | None = None
        self._elapsed = False

    def declare(self, attributes: dict[str, str]) -> None:
        """Add a cell style."""
        if attributes.get("style:family") == "table-cell":
            above = attributes.get("style:parent-style-name", "")
            self._cells[attributes.get("style:name", "")] = (attributes.get("style:data-style-name", ""), above)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """The start of an element outside of sheets."""
        prefix, _, element = name.partition(":")
        if prefix == "number" and element in _STYLES:
            self._name, self._kind, self._pieces = attributes.get("style:name", ""), element, []
            self._elapsed = attributes.get("number:truncate-on-overflow") == "false"
        elif not self._name:
            return
        elif name in ("number:text", "number:currency-symbol"):
            self._literal = []
        elif name == "style:text-properties" and "fo:color" in attributes:
            self._add(f"[{_NAMES[attributes['fo:color']]}]" if attributes["fo:color"] in _NAMES else "")
        elif name == "style:map":
            at = _MAPS.get(attributes.get("style:condition", "").replace(" ", ""))
            if at is None:
                self._pieces = None
            else:
                self._maps.setdefault(self._name, {})[at] = attributes.get("style:apply-style-name", "")
        elif prefix == "number":
            self._add(self._element(element, attributes))

    def text(self, data: str) -> None:
        """Text outside of sheets."""
        if self._literal is not None:
            self._literal.append(data)

    def end(self, name: str) -> None:
        """The end of an element outside of sheets."""
        if name in ("number:text", "number:currency-symbol") and self._literal is not None:
            text = "".join(self._literal)
            before, percent, after = text.partition("%" if self._kind == "percentage-style" else "\0")
            self._add(_quoted(before) + percent + _quoted(after))
            self._literal = None
        elif name.startswith("number:") and name[7:] in _STYLES:
            self._codes[self._name] = None if self._pieces is None else "".join(self._pieces)
            self._name = ""

    def code(self, style: str) -> str:
        """The format code of a cell style; empty if it has none, or one without an equivalent code."""
        for _ in range(10):
            data, above = self._cells.get(style, ("", ""))
            if data or not above:
                return self._of(data)
            style = above
        return ""

    def _of(self, data: str) -> str:
        code = self._codes.get(data) or ""
        maps = self._maps.get(data, {})
        if not code or code == "General" or not maps:
            return "" if code == "General" else code
        others = [self._codes.get(maps[at]) for at in sorted(maps)]
        if not all(others) or sorted(maps) not in ([0], [0, 1]):
            return ""
        return ";".join([*map(str, others), code])

    def _add(self, piece: str | None) -> None:
        if piece is None:
            self._pieces = None
        elif self._pieces is not None:
            self._pieces.append(piece)

    def _element(self, element: str, given: dict[str, str]) -> str | None:
        """The code for a format element; None if there is no equivalent."""
        long = given.get("number:style") == _LONG
        if element == "number":
            return _digits(given)
        if element == "scientific-number":
            return f"{_digits(given)}E+{'0' * int(given.get('number:min-exponent-digits', 2))}"
        if element == "fraction":
            whole = "# " if "number:min-integer-digits" in given else ""
            bottom = given.get("number:denominator-value") or "?" * int(given.get("number:min-denominator-digits", 1))
            return f"{whole}{'?' * int(given.get('number:min-numerator-digits', 1))}/{bottom}"
        if element == "month" and given.get("number:textual") == "true":
            return "mmmm" if long else "mmm"
        if element == "hours" and self._elapsed:
            return "[h]"
        if element == "seconds":
            places = int(given.get("number:decimal-places", 0))
            return ("ss" if long else "s") + ("." + "0" * places if places else "")
        if element in _ELEMENTS:
            return _ELEMENTS[element][long]
        return None


_ELEMENTS = {
    "year": ("yy", "yyyy"), "month": ("m", "mm"), "day": ("d", "dd"), "day-of-week": ("ddd", "dddd"),
    "hours": ("h", "hh"), "minutes": ("m", "mm"), "am-pm": ("AM/PM", "AM/PM"),
}  # fmt: skip


def _quoted(text: str) -> str:
    return text if _PLAIN.fullmatch(text) else '"' + text.replace('"', "") + '"'


def _digits(given: dict[str, str]) -> str:
    if (
        not {"number:decimal-places", "number:grouping", "number:display-factor"} & given.keys()
        and given.get("number:min-integer-digits", "1") == "1"
    ):
        return "General"
    zeros = "0" * int(given.get("number:min-integer-digits", 0))
    whole = zeros or "#"
    if given.get("number:grouping") == "true":
        whole = "#,##" + (zeros.rjust(1, "#") if len(zeros) < 2 else zeros)
    places = int(given.get("number:decimal-places", 0))
    least = int(given.get("number:min-decimal-places", places))
    factor = given.get("number:display-factor", "1").partition(".")[0]
    return whole + ("." + "0" * least + "#" * (places - least) if places else "") + "," * ((len(factor) - 1) // 3)
