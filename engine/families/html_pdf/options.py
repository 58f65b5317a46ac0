"""Options common to all HTML to PDF conversions: page setup and layout engine."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Literal

from engine.families.images.options import ORIENTATIONS, JpgCoding, PngCoding, WebpCoding
from engine.toolkit.census import EVERYTHING
from engine.toolkit.declaring import Engine
from engine.toolkit.formats import JPG, PNG, WEBP, Format
from engine.toolkit.options import option

_RENDER = "engine.families.html_pdf.render"
XHTML2PDF = Engine(
    "xhtml2pdf", ("xhtml2pdf", "lightningcss", "cssselect2", _RENDER, "engine.families.html_pdf.xhtml2pdf.engine")
)
PLUTOPRINT = Engine(
    "plutoprint",
    ("plutoprint", "lightningcss", "cssselect2", _RENDER, "engine.families.html_pdf.plutoprint.engine"),
    lazy=("pyphen",),
)
ENGINE_SETTING = "HTML_PDF_ENGINE"
"""The environment variable with `auto`, `plutoprint` or `xhtml2pdf`, in the service and in its sandbox."""


def _chosen(name: str) -> Engine:
    """PlutoPrint, which exists for some platforms only, unless it is missing or the other one is requested."""
    return XHTML2PDF if name == XHTML2PDF.distribution or not PLUTOPRINT.available else PLUTOPRINT


HTML_PDF = _chosen(os.environ.get(ENGINE_SETTING, "").strip())
"""The engine of every conversion that lays out HTML on pages."""

_LENGTH = r"\d{1,4}(\.\d{1,3})?"

_UNIT = r"([mM][mM]|[cC][mM]|[iI][nN]|[pP][tT]|[pP][xX])"

_NAMED = (
    r"[aA][0-6]|[bB][45]|[lL][eE][tT][tT][eE][rR]|[lL][eE][gG][aA][lL]"
    r"|[tT][aA][bB][lL][oO][iI][dD]|[lL][eE][dD][gG][eE][rR]"
)

PAGE_SIZE = rf"({_NAMED}|{_LENGTH} ?{_UNIT}? ?[xX×] ?{_LENGTH} ?{_UNIT})"

MARGIN = rf"{_LENGTH} ?{_UNIT}( {_LENGTH} ?{_UNIT}){{0,3}}"


@dataclass(frozen=True)
class Paper:
    """The paper, its margins, headers and footers; anything unset is as in the document."""

    page_size: str | None = option(
        None,
        "Paper size: A0 to A6, B4, B5, Letter, Legal, Tabloid, Ledger, or a width and a height such as 210mm x 297mm.",
        max_length=40,
        pattern=PAGE_SIZE,
        shape="paper",
    )
    orientation: Literal["auto", "portrait", "landscape"] = option(
        "auto",
        "Portrait or landscape; auto keeps the orientation of the document or paper size.",
        choices=ORIENTATIONS,
    )
    margin: str | None = option(
        None,
        "Page margins: one to four lengths, such as 20mm or 1in 2cm, in the order top, right, bottom, left.",
        max_length=60,
        pattern=MARGIN,
    )
    header_text: str | None = option(
        None,
        "Header text on every page; {page}, {pages}, {title} and {date} are replaced.",
        max_length=500,
        multiline=True,
    )
    footer_text: str | None = option(
        None,
        "Footer text on every page; {page}, {pages}, {title} and {date} are replaced.",
        max_length=500,
        multiline=True,
    )
    title: str | None = option(None, "Document title, as shown by PDF readers.", max_length=300)


@dataclass(frozen=True)
class PageOptions(Paper):
    """The paper, and the scaling and pages of the document."""

    scale: float = option(
        1.0, "Scale of the page content, excluding headers and footers; 1 is the original size.", minimum=0.1, maximum=2
    )
    fit_to_width: bool = option(True, "Shrink pages that are wider than the paper; otherwise the excess is cut off.")
    background: bool = option(
        True, "Print background colours and pictures. Without them, all text is black so that it stays readable."
    )
    media_type: Literal["print", "screen"] = option(
        "print",
        "Which styles to use: print or screen.",
        choices={
            "print": "Print: The print styles, as when you print the page.",
            "screen": "Screen: The screen styles, as you see the page in a browser.",
        },
    )
    page_ranges: str | None = option(
        None,
        "Pages to keep, such as 1-3,5,8-. Leave empty for all.",
        max_length=200,
        pattern=r"[1-9]\d{0,4}(-([1-9]\d{0,4})?)?(,[1-9]\d{0,4}(-([1-9]\d{0,4})?)?){0,49}",
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class Standard:
    """The standard that the PDF conforms to."""

    pdf_standard: Literal["none", "a-2b", "a-3b", "ua-1"] = option(
        "none",
        "The standard the PDF conforms to: none, PDF/A-2b or PDF/A-3b for archives, or PDF/UA-1 for accessibility.",
        choices={
            "none": "None: An ordinary PDF.",
            "a-2b": "PDF/A-2b: For long-term archives.",
            "a-3b": "PDF/A-3b: For archives that ask for part 3.",
            "ua-1": "PDF/UA-1: Accessible, with tags for headings, lists, tables, pictures and links.",
        },
    )


_FIELDS = "{page}, {pages}, {title} and {date} are replaced."
_LONGEST_HTML = 100_000
_running = partial(option, section="Headers and footers")
_finish = partial(option, section="Cover, contents and styles")


@dataclass(frozen=True)
class Running:
    """Headers and footers of any content, drawn in the margins of finished pages."""

    header_html: str | None = _running(
        None, f"Header as HTML, with pictures as data: URLs; {_FIELDS}", max_length=_LONGEST_HTML, multiline=True
    )
    footer_html: str | None = _running(
        None, f"Footer as HTML, with pictures as data: URLs; {_FIELDS}", max_length=_LONGEST_HTML, multiline=True
    )
    header_left: str | None = _running(None, f"Text at the left of the header; {_FIELDS}", max_length=200)
    header_right: str | None = _running(None, f"Text at the right of the header; {_FIELDS}", max_length=200)
    footer_left: str | None = _running(None, f"Text at the left of the footer; {_FIELDS}", max_length=200)
    footer_right: str | None = _running(None, f"Text at the right of the footer; {_FIELDS}", max_length=200)
    header_line: bool = _running(False, "Draw a line below the header.")
    footer_line: bool = _running(False, "Draw a line above the footer.")
    margin_text_size: float = _running(9.0, "Text size of the header and footer.", minimum=4, maximum=36, unit="pt")
    first_page: Literal["same", "none", "own"] = _running(
        "same",
        "The header and footer of the first page.",
        choices={
            "same": "As on the others: The same header and footer.",
            "none": "None: Neither a header nor a footer.",
            "own": "Its own: What firstHeaderHtml and firstFooterHtml say.",
        },
    )
    first_header_html: str | None = _running(
        None, f"Header of the first page as HTML; {_FIELDS}", max_length=_LONGEST_HTML, multiline=True
    )
    first_footer_html: str | None = _running(
        None, f"Footer of the first page as HTML; {_FIELDS}", max_length=_LONGEST_HTML, multiline=True
    )
    first_page_number: int = _running(1, "Page number of the first page.", minimum=0, maximum=99_999)

    @property
    def on_every_page(self) -> list[str]:
        """The headers and footers that are on each page, without their fields, as HTML."""
        if self.first_page != "same":
            return []
        texts = (self.header_left, self.header_right, self.footer_left, self.footer_right)
        shown = [each for each in (self.header_html, self.footer_html) if each]
        return [re.sub(r"\{\w+\}", " ", each) for each in (*shown, *(escape(text) for text in texts if text))]


@dataclass(frozen=True)
class PrintOptions(Running, Standard, PageOptions):
    """The paper, scaling and pages, a style sheet of the user's own, and what is drawn in the margins."""

    css: str | None = _finish(
        None, "Styles of your own as CSS, which come after those of the page.", max_length=_LONGEST_HTML, multiline=True
    )
    grayscale: bool = _finish(False, "Draw everything in shades of grey.")
    single_page: bool = _finish(
        False, "Put everything on one page that is as long as the content, at most 5 m; page breaks are ignored."
    )
    cover_html: str | None = _finish(
        None, "Cover before the document, as HTML; it has no margins and no page number.", max_length=_LONGEST_HTML,
        multiline=True,
    )  # fmt: skip
    contents: bool = _finish(False, "Put a table of contents of the headings before the document.")
    contents_title: str | None = _finish(
        None, "Heading of the table of contents; the title of the document if there is none.", max_length=200
    )
    contents_depth: int = _finish(3, "Levels of headings in the table of contents.", minimum=1, maximum=6)

    @property
    def beside(self) -> list[str]:
        """What is on the pages beside the document, as HTML."""
        return [*self.on_every_page, *([self.cover_html] if self.cover_html else [])]


PRINTED: type[PageOptions] = PrintOptions if HTML_PDF is PLUTOPRINT else PageOptions
"""The options of pages, as far as the engine in use has them."""


@dataclass(frozen=True)
class Window:
    """The browser window in which a page is shown."""

    viewport_width: int = option(
        1280, "Window width for the page layout, in CSS pixels.", minimum=16, maximum=10_000, unit="px"
    )
    viewport_height: int = option(
        800,
        "Window height in CSS pixels; also the picture's height if fullPage is off.",
        minimum=16,
        maximum=10_000,
        unit="px",
    )
    scale: float = option(1.0, "Image pixels per CSS pixel; 2 matches high-density screens.", minimum=0.1, maximum=4)
    full_page: bool = option(True, "Capture the full page; otherwise only the part visible without scrolling.")
    media_type: Literal["screen", "print"] = option(
        "screen",
        "Which styles to use: screen or print.",
        choices={
            "screen": "Screen: The screen styles, as you see the page in a browser.",
            "print": "Print: The print styles, as when you print the page.",
        },
    )


@dataclass(frozen=True)
class Viewport(Window):
    """The window, and the background of a page without its own."""

    background: str = option(
        "#ffffff",
        "Background colour for pages without one, as #rrggbb, or transparent.",
        pattern=r"#[0-9A-Fa-f]{6}|transparent",
        max_length=11,
        shape="colour",
    )


SEEN: dict[Format, tuple[type, ...]] = {
    PNG: (Viewport, PngCoding),
    JPG: (Window, JpgCoding),
    WEBP: (Viewport, WebpCoding),
}
"""The picture formats of pages, each with its options; a JPEG always has a background."""
