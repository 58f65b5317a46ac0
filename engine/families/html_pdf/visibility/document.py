"""Extract the texts and pictures of an HTML document that its pages must show, and those that its author hides."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lxml import etree

from engine.families.html_pdf import formulas
from engine.families.html_pdf.css.sheets import Sheets
from engine.families.html_pdf.plutoprint.declared import declared
from engine.families.html_pdf.source import cleaning, fields, reading
from engine.families.html_pdf.source.cleaning import Element
from engine.families.html_pdf.source.references import is_inline
from engine.families.html_pdf.source.set_aside import SetAside
from engine.families.html_pdf.visibility import hiding
from engine.toolkit import symbol_fonts
from engine.toolkit.warnings import Warn

_SKIPPED = frozenset((
    "head", "script", "style", "template", "datalist", "title", "iframe", "portal", "embed", "object", "audio", "video",
    "canvas", "progress", "meter", "applet", "frame", "svg", "rp", "link", "meta",
))  # fmt: skip
"""Elements without text, elements that are dropped with a warning, and drawings."""
_SVG = re.compile(r"data:image/svg", re.IGNORECASE)
_EMPTY = re.compile(r"0+(?:\.0*)?(?:px)?\s*")


@dataclass(frozen=True)
class Contents:
    """The texts of a document in order, and the number of its raster images."""

    pieces: list[str]
    pictures: int


def contents(html: str | bytes) -> Contents:
    """Return all texts and pictures of a document, even if styles hide them; faster and less exact than `shown`."""
    data = _text(html).encode("utf-8", "replace")
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.LxmlError:  # the document is empty
        return Contents([], 0)
    body = None if root is None else root.find("body")
    if body is None:
        return Contents([], 0)
    for each in body.xpath(".//*[@hidden] | .//dialog[not(@open)]"):
        each.tag = "template"
    for each in list(body.iter(*fields.NAMES)):
        kind = (each.get("type") or "").strip().lower()
        if kind == "hidden":
            each.tag = "template"
        else:
            fields.draw(each, kind, Warn())
    for each in _outermost(body, "math") if body.find(".//math") is not None else ():
        formulas.replace(each)
    etree.strip_elements(body, *_SKIPPED, with_tail=False)
    return Contents(list(body.itertext()), sum(map(_is_drawn, body.iter("img"))))


def shown(html: str | bytes, is_doubtful: Callable[[str], bool], *, media: str) -> Contents:
    """Return the texts and pictures that the author does not hide; only pictures and doubtful texts are checked.

    Raises what `cleaning.parse`, `cleaning.clean` and `Sheets` raise.
    """
    silent = Warn()
    page = cleaning.clean(cleaning.parse(_text(html)), silent)
    sheets = Sheets(frozenset(page.names), silent, page.style_texts, as_written=True, set_aside=SetAside())
    for element in page.sheets:
        sheets.sheet(element.text or "", element.get("media") or "")
    pieces = list(_pieces(page.root))
    pictures = [each for each in page.root.iter("img") if _is_drawn(each)]
    doubtful = {holder for text, holder in pieces if is_doubtful(text)}
    wanted = {up for each in (*doubtful, *pictures) for up in (each, *each.iterancestors())}
    said = declared(page.root, sheets.lowered, hiding.NAMES, wanted, media=media, merged=hiding.merged)
    hidden = {each: hiding.hides(said, each) for each in doubtful}
    hidden |= {each: hiding.hides(said, each) or hiding.has_no_size(said, each) for each in pictures}
    return Contents(
        [text for text, holder in pieces if not hidden.get(holder)], sum(not hidden[each] for each in pictures)
    )


def _outermost(body: Element, tag: str) -> list[Element]:
    walker = etree.iterwalk(body, events=("start",), tag=tag)
    found = []
    for _, element in walker:
        found.append(element)
        walker.skip_subtree()
    return found


def _text(html: str | bytes) -> str:
    text = html if isinstance(html, str) else reading.decode(html, Warn())
    return symbol_fonts.written(text, Warn())


def _is_drawn(picture: Element) -> bool:
    source = (picture.get("src") or "").strip()
    return (
        is_inline(source)
        and not _SVG.match(source)
        and not any(_EMPTY.fullmatch(picture.get(side) or "") for side in ("width", "height"))
        and all(each.tag not in _SKIPPED and each.get("hidden") is None for each in (picture, *picture.iterancestors()))
    )


def _pieces(root: Element) -> Iterator[tuple[str, Element]]:
    """Yield the texts in order, each with the element whose style it has."""
    walker = etree.iterwalk(root.find("body"), events=("start", "end"))
    for event, element in walker:
        if event == "start":
            if _is_left_out(element):
                walker.skip_subtree()
            elif element.text:
                yield element.text, element
        elif element.tail and element.tag != "body":
            yield element.tail, element.getparent()


def _is_left_out(element: Element) -> bool:
    tag = element.tag
    if tag in _SKIPPED or not isinstance(tag, str) or tag.startswith("{"):
        return True
    return element.get("hidden") is not None or (tag == "dialog" and element.get("open") is None)


def texts(sources: Sequence[Contents]) -> list[str]:
    """Return the texts of several documents."""
    return [piece for each in sources for piece in each.pieces]
