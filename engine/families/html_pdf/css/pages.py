"""Express the page options as CSS: size, margins, scale, header and footer."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from engine.families.html_pdf.options import PageOptions
from engine.families.html_pdf.paper import (
    DEFAULT_MARGIN,
    LARGEST,
    LEAST_TEXT,
    NAMED,
    PT,
    SMALLEST,
    Margins,
    margins,
    paper,
)
from engine.toolkit.failures import InvalidOption
from engine.toolkit.warnings import Warn

EDGE, GAP = 6 * PT["mm"], 3 * PT["mm"]  # between the paper's edge and margin texts, and between those and the content
_SIZE = 9.0
_LINE = 1.3
_PAGE = re.compile(r"@page([^{;]*+)(\{?)", re.IGNORECASE)
_BRACE = re.compile(r"(?<!\\)(?:\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+')|[{}]")
NESTED = re.compile(r"@[\w-]+\s*\{[^{}]*\}")
_LENGTH = re.compile(r"(-?[\d.]+)(mm|cm|in|pt|px|pc|q|em|rem|%)?", re.IGNORECASE)
_EM = {"em": 12.0, "rem": 12.0}
_UNPRINTABLE = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_ESCAPED = str.maketrans({"\\": "\\\\", '"': '\\"', "\n": "\\A ", "<": "\\3C "})
"""Characters to escape in a CSS string inside an HTML element."""
_FIELD = re.compile(r"\{(page|pages|title|date)\}")


@dataclass(frozen=True)
class Paper:
    """The width, height and margins of the first page, in points."""

    width: float = NAMED["a4"][0]
    height: float = NAMED["a4"][1]
    margins: Margins = field(default_factory=lambda: Margins(*[DEFAULT_MARGIN] * 4))

    @property
    def room(self) -> tuple[float, float]:
        """The width and height inside the margins."""
        sides = self.margins
        return self.width - sides.left - sides.right, self.height - sides.top - sides.bottom


def declared(sheets: Iterable[str]) -> Paper:
    """The paper that the document's own `@page` rules request."""
    return _declared([each for sheet in sheets for each in page_rules(sheet) if each[0] in ("", ":first")])


def declared_by(sheets: Iterable[str], name: str) -> Paper:
    """The paper that the `@page` rules request for pages of a name, or for those without one if it is empty."""
    rules = [each for sheet in sheets for each in page_rules(sheet)]
    return _declared([each for each in rules if not each[0]] + [each for each in rules if name and each[0] == name])


def _declared(rules: list[tuple[str, str]]) -> Paper:
    found = Paper()
    for _, body in rules:
        for name, _, value in (each.partition(":") for each in NESTED.sub("", body).split(";")):
            found = _read(found, name.strip().lower(), value.strip().lower().removesuffix("!important").strip())
    return found


def others(sheets: Iterable[str]) -> Paper | None:
    """The paper of all pages but the first, if the first has a size or margins of its own."""
    rules = [each for sheet in sheets for each in page_rules(sheet)]
    found = _declared([each for each in rules if not each[0]])
    first = _declared([each for each in rules if each[0] in ("", ":first")])
    return found if any(not selector for selector, _ in rules) and first != found else None


def chosen(own: Paper, options: PageOptions, warn: Warn) -> Paper:
    """The paper after applying the options. Raises InvalidOption if there is no room for text."""
    width, height = own.width, own.height
    if options.page_size:
        width, height = paper(options.page_size)
    elif not (min(width, height) >= SMALLEST and max(width, height) <= LARGEST):
        warn("CSS_UNSUPPORTED", "@page sets an unsupported paper size; it was ignored.")
        width, height = NAMED["a4"]
    if options.orientation != "auto":
        width, height = sorted((width, height), reverse=options.orientation == "landscape")
    sides = margins(options.margin) if options.margin else own.margins
    sized = replace(own, width=width, height=height, margins=sides)
    if not (options.page_size or options.margin) and min(sized.room) < LEAST_TEXT:
        warn("CSS_UNSUPPORTED", "@page leaves no room for text; its margins were ignored.")
        if min(width, height) < 5 * LEAST_TEXT:
            sized = replace(sized, width=NAMED["a4"][0], height=NAMED["a4"][1])
        sized = replace(sized, margins=Margins(*[DEFAULT_MARGIN] * 4))
    sized = _with_room(sized, options)
    if min(sized.room) < LEAST_TEXT:
        raise InvalidOption(
            "margin" if options.margin or not options.page_size else "pageSize",
            "The margins leave no room for text. Make the margins smaller or the page larger.",
        )
    return sized


def sheet(own: Paper | None, wanted: Paper, options: PageOptions, title: str, *, scale: float | None) -> str:
    """The rules that turn the document's own page into the requested one; only differences are set."""
    parts = []
    if own is None or (own.width, own.height) != (wanted.width, wanted.height):
        parts.append(f"size:{wanted.width:.2f}pt {wanted.height:.2f}pt!important")
    if own is None or own.margins != wanted.margins:
        parts.append("margin:" + " ".join(f"{each:.2f}pt" for each in wanted.margins.around) + "!important")
    if scale is not None:
        parts.append(f"-pluto-page-scale:{scale:g}!important")
    for edge, text in (("top", options.header_text), ("bottom", options.footer_text)):
        if text and text.strip():
            parts.append(_box(edge, text, title, scale or 1.0))
    body = ";".join(each for each in parts if not each.startswith("@")) + ";"
    boxes = "".join(each for each in parts if each.startswith("@"))
    if not parts:
        return ""
    return f"@page{{{body}{boxes}}}@page :first{{{body}{boxes}}}"


def without_backgrounds() -> str:
    """Rules that remove all backgrounds and make text black, as text may have had a colour chosen for its
    background."""
    plain = "background-color:transparent!important;background-image:none!important;color:#000!important"
    lift = ":not(#_):not(#_):not(#_)"
    return f"*{lift},*{lift}::before,*{lift}::after,*{lift}::marker{{{plain}}}@page{{background:none!important}}"


def _box(edge: str, text: str, title: str, scale: float) -> str:
    values = {"title": title, "date": datetime.now(UTC).date().isoformat()}
    parts: list[str] = []
    at = 0
    for match in _FIELD.finditer(text):
        parts.append(_string(text[at : match.start()]))
        parts.append(f"counter({match[1]})" if match[1] in ("page", "pages") else _string(values[match[1]]))
        at = match.end()
    parts.append(_string(text[at:]))
    content = " ".join(each for each in parts if each != '""')
    align = "top" if edge == "top" else "bottom"
    style = (
        f"content:{content};width:100%;text-align:center;vertical-align:{align};white-space:pre-wrap;"
        f"padding:{EDGE / scale:.2f}pt 0;box-sizing:border-box;margin:0;border:0;background:none;"
        f"font:normal {_SIZE / scale:.2f}pt/{_LINE} sans-serif;color:#444"
    )
    others = "".join(f"@{edge}-{side}{{content:none!important}}" for side in ("left", "right"))
    important = ";".join(f"{each}!important" for each in style.split(";") if not each.startswith("content"))
    return f"@{edge}-center{{content:{content}!important;{important}}}{others}"


def _string(text: str) -> str:
    return f'"{_UNPRINTABLE.sub("", text).translate(_ESCAPED)}"'


def _with_room(page: Paper, options: PageOptions) -> Paper:
    """The paper with top and bottom margins that fit the header and the footer."""
    width = max(page.room[0], LEAST_TEXT)

    def needed(text: str | None) -> float:
        if not (text and text.strip()):
            return 0.0
        per_line = max(width / (_SIZE * 0.5), 1.0)
        lines = sum(max(1, -(-len(line) // int(per_line))) for line in text.split("\n"))
        return EDGE + lines * _SIZE * _LINE + GAP

    sides = page.margins
    top, bottom = max(sides.top, needed(options.header_text)), max(sides.bottom, needed(options.footer_text))
    return replace(page, margins=replace(sides, top=top, bottom=bottom))


def page_rules(sheet: str) -> list[tuple[str, str]]:
    """The selector and body of each `@page` rule that is not in another, up to one without end."""
    found: list[tuple[str, str]] = []
    end = 0
    for match in _PAGE.finditer(sheet):
        if not match[2] or match.start() < end:
            continue
        depth = 1
        for token in _BRACE.finditer(sheet, match.end()):
            depth += (token[0] == "{") - (token[0] == "}")
            if not depth:
                end = token.end()
                found.append((match[1].strip().lower(), sheet[match.end() : token.start()]))
                break
        else:
            break
    return found


def _read(page: Paper, name: str, value: str) -> Paper:
    if name == "size":
        return _sized(page, value)
    if name == "margin":
        lengths = [_points(each, page) for each in value.split()]
        if not 1 <= len(lengths) <= 4 or None in lengths:
            return page
        top, right, bottom, left = (
            lengths[index] for index in ((0, 0, 0, 0), (0, 1, 0, 1), (0, 1, 2, 1), (0, 1, 2, 3))[len(lengths) - 1]
        )
        return replace(page, margins=Margins(top or 0.0, right or 0.0, bottom or 0.0, left or 0.0))
    if name in ("margin-top", "margin-right", "margin-bottom", "margin-left"):
        length = _points(value, page)
        if length is not None:
            sides = replace(page.margins, **{name.removeprefix("margin-"): length})
            return replace(page, margins=sides)
    return page


def _sized(page: Paper, value: str) -> Paper:
    words = value.split()
    lengths = [each for each in (_points(word, page) for word in words) if each is not None]
    size = next((NAMED[word] for word in words if word in NAMED), (page.width, page.height))
    if lengths:
        size = (lengths[0], lengths[-1])
    width, height = size
    if "landscape" in words:
        width, height = max(size), min(size)
    elif "portrait" in words:
        width, height = min(size), max(size)
    return replace(page, width=width, height=height)


def _points(text: str, page: Paper) -> float | None:
    match = _LENGTH.fullmatch(text)
    if match is None:
        return DEFAULT_MARGIN if text == "auto" else None
    unit = (match[2] or "px").lower()
    if unit == "%":
        return float(match[1]) / 100 * page.width
    return float(match[1]) * {**PT, **_EM}[unit]
