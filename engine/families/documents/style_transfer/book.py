"""Apply marked styles to an EPUB as CSS classes, with sizes relative to the reader's choice."""

from __future__ import annotations

import re
import zipfile
from dataclasses import replace
from html import escape
from pathlib import Path

from lxml import etree

from engine.families.documents.style_transfer.marks import Marks, extract_styles
from engine.families.documents.style_transfer.styles import AUTO, Block, Border, Cell, Grid, Run
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
    for element, formatting in extract_styles(root, marks, _PARAGRAPHS):
        css: Css = {}
        if isinstance(formatting, Block):
            css = _block(formatting, usual, quoted=next(element.iterancestors(f"{_X}blockquote"), None) is not None)
            if element.tag == f"{_X}p" and not len(element) and not (element.text or "").strip():
                element.text = "\xa0"  # without a character it would have no height
        elif isinstance(formatting, Cell):
            css = _cell(formatting)
        elif isinstance(formatting, Grid):
            _columns(element, formatting)
        cell = isinstance(formatting, Cell) and element.tag not in _CELLS
        target = next(element.iterancestors(*_CELLS), None) if cell else element
        if css and target is not None:
            classes = [target.get("class"), sheet.name(css)]
            target.set("class", " ".join(filter(None, classes)))

    def span(formatting: Run, text: str) -> str:
        css = _run(formatting, usual)
        return f'<span class="{escape(sheet.name(css, "s"))}">{text}</span>' if css else text

    text = marks.replaced(marks.outside_tags(etree.tostring(root, encoding="unicode")), span, tab=" ")
    return b'<?xml version="1.0" encoding="UTF-8"?>\n<!DOCTYPE html>\n' + text.encode()


def _columns(inside: etree._Element, formatting: Grid) -> None:
    """Give the columns of the table around an element their shares of its width."""
    table, whole = next(inside.iterancestors(f"{_X}table"), None), sum(formatting.columns)
    if table is None or whole <= 0:
        return
    for group in table.findall(f"{_X}colgroup"):
        table.remove(group)
    group = etree.Element(f"{_X}colgroup")
    for width in formatting.columns:
        etree.SubElement(group, f"{_X}col", style=f"width: {100 * width / whole:.3g}%")
    heading = table.find(f"{_X}caption")
    table.insert(0 if heading is None else table.index(heading) + 1, group)


def _run(formatting: Run, usual: float) -> Css:
    css: Css = {}
    if formatting.font:
        css["font-family"] = family(formatting.font)
    if formatting.size:
        css["font-size"] = f"{formatting.size / usual:.3g}rem"
    css.update(formatting.lettering())
    if formatting.color and formatting.color != AUTO:
        css["color"] = f"#{formatting.color}"
    if formatting.fill:
        css["background-color"] = f"#{formatting.fill}"
    if formatting.spacing:
        css["letter-spacing"] = f"{formatting.spacing / usual:.3g}rem"
    drawn = [name for name, on in (("underline", formatting.underlined), ("line-through", formatting.struck)) if on]
    if drawn:
        css["text-decoration"] = " ".join(drawn)
    return css


def _block(formatting: Block, usual: float, *, quoted: bool) -> Css:
    """The CSS of a paragraph; block quotes are already indented."""
    css: Css = {}
    if formatting.new_page:
        css["page-break-before"] = "always"
    if formatting.align:
        css["text-align"] = "justify" if formatting.align == "both" else formatting.align
    if formatting.first:
        css["text-indent"] = f"{formatting.first / usual:.3g}rem"
    for name, indent in (("margin-left", formatting.indent), ("margin-right", formatting.end)):
        if indent and not quoted:
            css[name] = f"{indent / usual:.3g}rem"
    for name, length in (("margin-top", formatting.before), ("margin-bottom", formatting.after)):
        if length is not None:
            css[name] = f"{length / usual:.3g}rem"
    return css | _ground(formatting.fill, formatting.borders)


def _cell(formatting: Cell) -> Css:
    css = _ground(formatting.fill, formatting.borders)
    if formatting.padding:
        css["padding"] = " ".join(f"{each:g}pt" for each in formatting.padding)
    if formatting.align:
        css["vertical-align"] = formatting.align
    return css


def _ground(fill: str | None, borders: tuple[Border | None, ...]) -> Css:
    css: Css = {"background-color": f"#{fill}"} if fill else {}
    for side, line in zip(("top", "right", "bottom", "left"), borders, strict=False):
        if line:
            css[f"border-{side}"] = f"{line[1] / 8:g}pt {_LINES.get(line[0], line[0])} #{line[2]}"
    return css
