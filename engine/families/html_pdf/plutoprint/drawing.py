"""Draw an SVG file as a PDF of one page with PlutoPrint."""

from __future__ import annotations

from io import BytesIO
from pathlib import Path
from typing import Any

import plutoprint
from lxml import etree

from engine.families.html_pdf.plutoprint import effects as page_effects
from engine.families.html_pdf.plutoprint import (
    finishing,
    link_targets,
    missing_characters,
)
from engine.families.html_pdf.plutoprint.layout import PRODUCER, Refusing
from engine.families.html_pdf.source import pictures
from engine.families.images.drawings import effects
from engine.toolkit import emoji_sequences
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_SVG = "{http://www.w3.org/2000/svg}"


def draw(svg: bytes, size: tuple[float, float], target: Path, warn: Warn) -> None:
    """Write a drawing as a PDF of one page (see `html_pdf.render.draw`); `size` is in points.

    Its elements are counted where it is cleaned, as for pictures: 195,000 rectangles take 10 s and 1.1 GB here, and
    480,000 through references 7 s. Raises OverLimit for masks that cover too many pixels.
    """
    root = _plainly_named(svg)
    try:
        uri = pictures.drawing(etree.tostring(root), warn)
    except pictures.Unusable as reason:
        raise Unreadable(say("The SVG can't be converted: {reason}.", reason=reason), reason="damaged") from reason
    effects.check_masks(svg, *(each / 72 * page_effects.MASK_DPI for each in size))
    if next(root.iter(f"{_SVG}mask"), None) is not None:
        warn("DRAWING_RASTERIZED", "Content with a <mask> became a picture at 300 dots per inch.")
    texts = "".join(root.itertext(f"{_SVG}text", f"{_SVG}tspan"))
    missing_characters.report(set(texts), (), warn)
    title = " ".join((root.findtext(f"{_SVG}title") or "").split())
    width, height = (f"{each:.4f}pt" for each in size)
    page = (
        f"<!DOCTYPE html><style>@page{{size:{width} {height};margin:0}}html,body{{margin:0}}"
        f"img{{position:absolute;top:0;left:0;width:{width};height:{height}}}</style><img src='{uri}'>"
    )
    book = plutoprint.Book(plutoprint.PageSize(*size), plutoprint.PAGE_MARGINS_NONE, plutoprint.MEDIA_TYPE_PRINT)
    book.custom_resource_fetcher = Refusing(warn)
    stream = BytesIO()
    try:
        book.load_html(page, base_url=link_targets.BASE)
        book.write_to_pdf_stream(stream, 1, 1)
    except plutoprint.Error as error:
        raise Unreadable("The SVG can't be converted. Simplify it and try again.", reason="limit") from error
    finishing.finish(
        stream, target, title=title[:300], language=None, metadata={}, headings=(), ranges=None, producer=PRODUCER,
        written={}, drawn=emoji_sequences.all_in(texts),
    )  # fmt: skip


def _plainly_named(svg: bytes) -> Any:
    """The root of a drawing with namespace prefixes removed."""
    root = etree.fromstring(svg)
    for element in root.iter():
        if isinstance(element.tag, str) and not element.tag.startswith("{"):
            element.tag = _SVG + element.tag
    plain = etree.Element(root.tag, root.attrib, nsmap={None: _SVG[1:-1], "xlink": "http://www.w3.org/1999/xlink"})
    plain.text = root.text
    plain.extend(list(root))
    etree.cleanup_namespaces(plain)
    return plain
