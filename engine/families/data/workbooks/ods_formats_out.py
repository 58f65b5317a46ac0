"""Convert Excel number format codes to OpenDocument data styles (OpenDocument 1.3, part 3, 16.29)."""

from __future__ import annotations

import re
from html import escape
from itertools import takewhile

from engine.families.data.workbooks.ods_formats import COLOURS
from engine.toolkit import format_dates
from engine.toolkit.number_formats import Section, Token, sections

_OF_DIGITS = ("digit", "point", "comma", "exponent", "slash")

_COLOUR = re.compile(r"\[(black|blue|cyan|green|magenta|red|white|yellow)\]", re.IGNORECASE)
_OTHER_COLOUR = re.compile(r"\[colou?r", re.IGNORECASE)
_IS_LONG = ' number:style="long"'


def data_style(name: str, code: str) -> str | None:
    """A data style equivalent to an Excel code, or None if OpenDocument has none."""
    parts = sections(code)
    texts = code.split(";")
    colours = [match[1].lower() if (match := _COLOUR.search(text)) else "" for text in texts]
    if len(parts) == 4 and {kind for kind, text in parts[3].tokens if text != " "} == {"text"}:
        parts = parts[:3]  # texts are displayed unchanged in any case
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
    tint = f'<style:text-properties fo:color="{COLOURS[colour]}"/>' if colour else ""
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
    match = re.fullmatch(r"((?:[#0]++|,++(?=[#0]))*+)(,*+)(?:\.([0]*+)(#*+))?(,*+)(?:[Ee]\+(0++))?", digits)
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
    factor = f' number:display-factor="1{"000" * len(scaled + also)}"' if scaled + also else ""
    return f"<number:number{given}{factor}/>"


def _fraction(digits: str) -> str | None:
    match = re.fullmatch(
        r"(?:([#0]++)\s++(?=[?#0])|(?![#0]{2}|[#0]\?)\s*+)([?#0]++)\s*+/\s*+(?:([?#0]*[?#]|0++)|([1-9]\d*+))", digits
    )
    if match is None:
        return None
    whole = ' number:min-integer-digits="0"' if match[1] else ""
    bottom = f' number:denominator-value="{match[4]}"' if match[4] else ""
    least = f' number:min-denominator-digits="{len(match[3] or match[4])}"'
    return f'<number:fraction{whole} number:min-numerator-digits="{len(match[2])}"{least}{bottom}/>'
