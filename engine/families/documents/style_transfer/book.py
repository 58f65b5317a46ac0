"""Apply marked styles to an EPUB as CSS classes, with sizes relative to the reader's choice."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from html import escape
from pathlib import Path

from lxml import etree

from engine.families.documents.style_transfer.marks import Marks, extract_styles
from engine.families.documents.style_transfer.styles import AUTO, Block, Border, Cell, Run
from engine.families.documents.word.css_classes import Classes, Css, family
from engine.toolkit import archive

_X = "{http://www.w3.org/1999/xhtml}"
_TEXT = re.compile(r"(?:.*/)?text/[^/]*\.xhtml")
_SHEET = re.compile(r"(?:.*/)?styles/[^/]*\.css")
_PARAGRAPHS = tuple(f"{_X}{name}" for name in ("p", "h1", "h2", "h3", "h4", "h5", "h6", "li", "td", "th", "dt", "dd"))
_CELLS = (f"{_X}td", f"{_X}th")
_USUAL = 11.0
"""The default text size in points, if the document has none."""
_LINES = {"single": "solid"}


def apply(path: Path, marks: Marks) -> None:
    """Replace the marks in a book by styles, in place."""
    with zipfile.ZipFile(path) as file:
        parts = {each.filename: file.read(each) for each in file.infolist()}
        entries = {each.filename: each for each in file.infolist()}
    sheet = Classes()
    usual = marks.usual.size or _USUAL
    for name, data in parts.items():
        if _TEXT.fullmatch(name):
            parts[name] = _chapter(data, marks, sheet, usual)
        elif name.endswith((".xhtml", ".opf", ".ncx")):
            parts[name] = marks.removed(data.decode()).encode()
    body = ";".join(f"{name}:{value}" for name, value in _run(replace(marks.usual, size=None), usual).items())
    style = f"body{{{body}}}\n" if body else ""
    for name in filter(_SHEET.fullmatch, list(parts)):
        parts[name] += f"\n{style}{sheet.sheet()}\n".encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as file:
        for name, part in parts.items():
            file.writestr(entries.get(name) or archive.entry(name), part)


def _chapter(data: bytes, marks: Marks, sheet: Classes, usual: float) -> bytes:
    root = etree.fromstring(data, etree.XMLParser(resolve_entities=False, huge_tree=True))
    for title in root.iterfind(f"{_X}head/{_X}title"):
        title.text = marks.removed(title.text or "")
    for element, look in extract_styles(root, marks, _PARAGRAPHS):
        css: Css = {}
        if isinstance(look, Block):
            css = _block(look, usual, quoted=next(element.iterancestors(f"{_X}blockquote"), None) is not None)
        elif isinstance(look, Cell):
            css = _cell(look)
        cell = isinstance(look, Cell) and element.tag not in _CELLS
        target = next(element.iterancestors(*_CELLS), None) if cell else element
        if css and target is not None:
            classes = [target.get("class"), sheet.name(css)]
            target.set("class", " ".join(filter(None, classes)))

    def span(look: Run, text: str) -> str:
        css = _run(look, usual)
        return f'<span class="{escape(sheet.name(css, "s"))}">{text}</span>' if css else text

    text = marks.replaced(marks.outside_tags(etree.tostring(root, encoding="unicode")), span, tab=" ")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n' + text.encode()


def _run(look: Run, usual: float) -> Css:
    css: Css = {}
    if look.font:
        css["font-family"] = family(look.font)
    if look.size:
        css["font-size"] = f"{look.size / usual:.3g}rem"
    css.update(look.lettering())
    if look.color and look.color != AUTO:
        css["color"] = f"#{look.color}"
    if look.fill:
        css["background-color"] = f"#{look.fill}"
    if look.spacing:
        css["letter-spacing"] = f"{look.spacing / usual:.3g}rem"
    drawn = [name for name, on in (("underline", look.underlined), ("line-through", look.struck)) if on]
    if drawn:
        css["text-decoration"] = " ".join(drawn)
    return css


def _block(look: Block, usual: float, *, quoted: bool) -> Css:
    """The CSS of a paragraph; block quotes are already indented."""
    css: Css = {}
    if look.new_page:
        css["page-break-before"] = "always"
    if look.align:
        css["text-align"] = "justify" if look.align == "both" else look.align
    if look.first:
        css["text-indent"] = f"{look.first / usual:.3g}rem"
    for name, indent in (("margin-left", look.indent), ("margin-right", look.end)):
        if indent and not quoted:
            css[name] = f"{indent / usual:.3g}rem"
    for name, length in (("margin-top", look.before), ("margin-bottom", look.after)):
        if length is not None:
            css[name] = f"{length / usual:.3g}rem"
    return css | _ground(look.fill, look.borders)


def _cell(look: Cell) -> Css:
    css = _ground(look.fill, look.borders)
    if look.padding:
        css["padding"] = " ".join(f"{each:g}pt" for each in look.padding)
    if look.align:
        css["vertical-align"] = look.align
    return css


def _ground(fill: str | None, borders: tuple[Border | None, ...]) -> Css:
    css: Css = {"background-color": f"#{fill}"} if fill else {}
    for side, line in zip(("top", "right", "bottom", "left"), borders, strict=False):
        if line:
            css[f"border-{side}"] = f"{line[1] / 8:g}pt {_LINES.get(line[0], line[0])} #{line[2]}"
    return css
