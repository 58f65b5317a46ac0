"""Number formats of OpenDocument (OpenDocument 1.3, part 3, section 16.29), from and to the codes that Excel has."""

from __future__ import annotations

import re
from html import escape
from itertools import takewhile

from conversions.families.data.workbooks import format_dates
from conversions.families.data.workbooks.number_formats import Section, Token, sections

_STYLES = ("number-style", "percentage-style", "currency-style", "date-style", "time-style")
_COLOURS = {
    "black": "#000000", "blue": "#0000ff", "cyan": "#00ffff", "green": "#00ff00", "magenta": "#ff00ff",
    "red": "#ff0000", "white": "#ffffff", "yellow": "#ffff00",
}  # fmt: skip
_NAMES = {value: name.capitalize() for name, value in _COLOURS.items()}
_COLOUR = re.compile(r"\[(black|blue|cyan|green|magenta|red|white|yellow)\]", re.IGNORECASE)
_OTHER_COLOUR = re.compile(r"\[colou?r", re.IGNORECASE)
_MAPS = {"value()>=0": 0, "value()>0": 0, "value()<0": 1}
_LONG = "long"
_IS_LONG = ' number:style="long"'
_PLAIN = re.compile(r"[ \-+/():!^&'~{}<>=]*")


class Styles:
    """Takes in the styles of a document as its elements come, and gives the format codes of styles of cells."""

    def __init__(self) -> None:
        self._cells: dict[str, tuple[str, str]] = {}
        self._codes: dict[str, str | None] = {}
        self._maps: dict[str, dict[int, str]] = {}
        self._name = self._kind = ""
        self._pieces: list[str] | None = []
        self._literal: list[str] | None = None
        self._elapsed = False

    def declare(self, attributes: dict[str, str]) -> None:
        """Take in a style of cells."""
        if attributes.get("style:family") == "table-cell":
            above = attributes.get("style:parent-style-name", "")
            self._cells[attributes.get("style:name", "")] = (attributes.get("style:data-style-name", ""), above)

    def start(self, name: str, attributes: dict[str, str]) -> None:
        """The beginning of an element outside of sheets."""
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
        """The format code of a style of cells; empty where it has none, or one that no code says."""
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
        """The part of a code that an element says; None for what codes don't have."""
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


def data_style(name: str, code: str) -> str | None:
    """A data style that shows values as a code of Excel does, or None where OpenDocument has none."""
    parts = sections(code)
    texts = code.split(";")
    colours = [match[1].lower() if (match := _COLOUR.search(text)) else "" for text in texts]
    if len(parts) == 4 and {kind for kind, text in parts[3].tokens if text != " "} == {"text"}:
        parts = parts[:3]  # texts are shown as they are in any case
    if any(each.condition for each in parts) or _OTHER_COLOUR.search(code) or len(parts) > 3:
        return None
    colours = colours[: len(parts)] if len(texts) >= len(parts) else [""] * len(parts)
    styles = [
        _style(f"{name}P{at}" if at < len(parts) - 1 else name, each, colour)
        for at, (each, colour) in enumerate(zip(parts, colours, strict=True))
    ]
    if not all(styles):
        return None
    conditions = {1: [], 2: ["value()&gt;=0"], 3: ["value()&gt;0", "value()&lt;0"]}[len(parts)]
    maps = "".join(
        f'<style:map style:condition="{condition}" style:apply-style-name="{name}P{at}"/>'
        for at, condition in enumerate(conditions)
    )
    *others, last = map(str, styles)
    head, _, tail = last.rpartition("</")
    return "".join(others) + f"{head}{maps}</{tail}"


def _style(name: str, section: Section, colour: str) -> str | None:
    kinds = section.kinds
    if "text" in kinds or not section.tokens:
        return None
    if kinds & {"date", "elapsed", "half"}:
        found = _moment(section.tokens)
        days = any(kind == "date" and text[0].lower() in "yd" for kind, text in section.tokens)
        element = "date-style" if days or ("elapsed" not in kinds and "number:month" in (found or "")) else "time-style"
    else:
        found = _number(section.tokens)
        element = "percentage-style" if "percent" in kinds else "number-style"
    if found is None:
        return None
    keep = ' number:truncate-on-overflow="false"' if "elapsed" in kinds else ""
    tint = f'<style:text-properties fo:color="{_COLOURS[colour]}"/>' if colour else ""
    return f'<number:{element} style:name="{name}"{keep}>{tint}{found}</number:{element}>'


def _literal(text: str) -> str:
    return f"<number:text>{escape(text, quote=False)}</number:text>"


def _moment(tokens: tuple[Token, ...]) -> str | None:
    out = []
    for at, (kind, text) in enumerate(tokens):
        letter, count = text[:1].lower(), len(text)
        style = _IS_LONG if count in (2, 4) else ""
        if kind == "literal":
            out.append(_literal(text))
        elif kind == "half":
            out.append("<number:am-pm/>")
        elif kind == "elapsed":
            if text.lower() not in ("[h]", "[hh]"):
                return None
            out.append(f"<number:hours{_IS_LONG if count > 3 else ''}/>")
        elif kind == "date" and letter == "m" and format_dates.is_minutes(at, tokens):
            out.append(f"<number:minutes{style}/>")
        elif kind == "date" and letter == "m":
            textual = ' number:textual="true"' if count > 2 else ""
            if count > 4:
                return None
            out.append(f"<number:month{style}{textual}/>")
        elif kind == "date" and letter == "s":
            digits = list(takewhile(lambda each: each[0] in ("point", "digit"), tokens[at + 1 :]))
            places = f' number:decimal-places="{len(digits) - 1}"' if len(digits) > 1 else ""
            out.append(f"<number:seconds{style}{places}/>")
        elif kind == "date" and letter in "yhd":
            element = {"y": "year", "h": "hours", "d": "day-of-week" if count > 2 else "day"}[letter]
            out.append(f"<number:{element}{'' if letter == 'y' and count == 2 else style}/>")
        elif kind in ("slash", "comma") or (kind == "point" and tokens[at - 1][1][:1].lower() != "s"):
            out.append(_literal(text))
        elif kind not in ("point", "digit"):
            return None
    return "".join(out)


_OF_DIGITS = ("digit", "point", "comma", "exponent", "slash")


def _number(tokens: tuple[Token, ...]) -> str | None:
    places = [at for at, (kind, _) in enumerate(tokens) if kind in (*_OF_DIGITS, "general")]
    if not places:
        words = "".join(text for _, text in tokens)
        return _literal(words) if all(kind == "literal" for kind, _ in tokens) else None
    first, last = places[0], places[-1]
    inner = tokens[first : last + 1]
    kinds = {kind for kind, _ in inner}
    around = (*tokens[:first], *tokens[last + 1 :])
    if (
        any(kind not in ("literal", "percent") for kind, _ in around)
        or sum(kind == "percent" for kind, _ in around) > 1
    ):
        return None
    if "general" in kinds:
        middle = '<number:number number:min-integer-digits="1"/>' if len(inner) == 1 else None
    elif "slash" in kinds:
        middle = _fraction("".join(text for _, text in inner))
    elif kinds <= {"digit", "point", "comma", "exponent"}:
        middle = _decimal("".join(text for _, text in inner))
    else:
        middle = None
    if middle is None:
        return None
    before, after = (
        _literal("".join(text for _, text in part)) if part else "" for part in (tokens[:first], tokens[last + 1 :])
    )
    return before + middle + after


def _decimal(digits: str) -> str | None:
    match = re.fullmatch(r"([#0,]*?)(,*)(?:\.([0]*)(#*))?(,*)(?:[Ee]\+(0+))?", digits)
    if match is None or "0" in match[1].rstrip("0").replace(",", ""):
        return None
    whole, scaled, least, most, also, power = (each or "" for each in match.groups())
    given = f' number:decimal-places="{len(least + most)}" number:min-decimal-places="{len(least)}"'
    given += f' number:min-integer-digits="{whole.count("0")}"'
    given += ' number:grouping="true"' if "," in whole else ""
    if power and len(whole) > 1:
        return None
    if power:
        return (
            f'<number:scientific-number{given} number:min-exponent-digits="{len(power)}"/>'
            if not scaled + also
            else None
        )
    factor = f' number:display-factor="{1000 ** len(scaled + also)}"' if scaled + also else ""
    return f"<number:number{given}{factor}/>"


def _fraction(digits: str) -> str | None:
    match = re.fullmatch(r"([#0]*)(\s*)([?#0]+)\s*/\s*(?:([?#0]*[?#]|0+)|([1-9]\d*))", digits)
    if match is None:
        return None
    whole = ' number:min-integer-digits="0"' if match[1] and match[2] else ""
    if match[1] and not match[2]:
        return None
    bottom = f' number:denominator-value="{match[5]}"' if match[5] else ""
    least = f' number:min-denominator-digits="{len(match[4] or match[5])}"'
    return f'<number:fraction{whole} number:min-numerator-digits="{len(match[3])}"{least}{bottom}/>'
