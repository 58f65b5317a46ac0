"""Options for reading and writing documents."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.families.html_pdf.options import PageOptions
from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option


@dataclass(frozen=True)
class EncodingOptions:
    """The encoding of a text file."""

    encoding: str | None = option(
        None,
        "Character encoding of the file, such as windows-1252; detected if not given.",
        min_length=1,
        max_length=40,
        pattern=r"[A-Za-z0-9_.:-]+",
    )


@dataclass(frozen=True)
class PlainTextOptions(EncodingOptions):
    """The layout of plain text as a document."""

    layout: Literal["paragraphs", "preformatted"] = option(
        "paragraphs",
        "Show the text as paragraphs that reflow, or exactly as written in a fixed-width font.",
        choices={
            "paragraphs": "Paragraphs: Lines reflow into paragraphs.",
            "preformatted": "As typed: Every line and space as written, in a fixed-width font.",
        },
    )


@dataclass(frozen=True)
class MarkdownOptions(EncodingOptions):
    """How Markdown is read."""

    hard_breaks: bool = option(False, "Keep all line breaks in the text.")
    smart: bool = option(False, "Turn straight quotes, -- and ... into typographic quotes, dashes and ellipses.")
    raw_html: Literal["clean", "remove"] = option(
        "clean",
        "Keep harmless HTML in the text, or remove all of it.",
        choices={
            "clean": "Keep harmless HTML: Tables and bold text stay, scripts are removed.",
            "remove": "Remove all: All embedded HTML is removed.",
        },
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class TitleOptions:
    """The title of a document."""

    title: str | None = option(None, "Title of the document.", min_length=1, max_length=300)
    language: str | None = option(
        None,
        "Language of the document, such as en or pt-BR.",
        max_length=35,
        pattern=r"[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*",
    )


@dataclass(frozen=True)
class HtmlOptions(TitleOptions):
    """How an HTML file is written."""

    standalone: bool = option(True, "Write a complete page; otherwise only the body content.")
    style: Literal["page", "none"] = option(
        "page",
        "Style sheet for the page: a readable one, or none.",
        choices={
            "page": "Plain: Easy to read, like an article.",
            "none": "None: Plain HTML for your own style sheet.",
        },
    )


@dataclass(frozen=True)
class StyledHtml(TitleOptions):
    """HTML output for documents that have their own styles."""

    standalone: bool = option(True, "Write a complete page; otherwise only the body content.")
    style: Literal["document", "page", "none"] = option(
        "document",
        "Page style: as in the document, with its colours, fonts, headers and footers; plain and "
        "readable; or no style sheet.",
        choices={
            "document": "As the document: Its colours, fonts, headers and footers.",
            "page": "Plain: Easy to read, like an article.",
            "none": "None: Plain HTML for your own style sheet.",
        },
    )


@dataclass(frozen=True)
class MarkdownToHtml(HtmlOptions, MarkdownOptions):
    """Markdown as a web page."""


@dataclass(frozen=True)
class TextToHtml(HtmlOptions, PlainTextOptions):
    """Plain text as a web page."""


@dataclass(frozen=True)
class TextToPdf(PlainTextOptions, PageOptions):
    """Plain text on paper."""


@dataclass(frozen=True)
class TrackedChanges:
    """The handling of tracked changes."""

    track_changes: Literal["accept", "reject", "all"] = option(
        "accept",
        "Accept tracked changes, reject them, or show them with the comments.",
        choices={
            "accept": "Accept them: As if all were accepted.",
            "reject": "Reject them: As if none were made.",
            "all": "Show them: With the comments.",
        },
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class Contents:
    """Whether a table of contents is made."""

    table_of_contents: bool = option(False, "Add a table of contents at the top.")


@dataclass(frozen=True)
class Pictures:
    """Where pictures go."""

    pictures: Literal["files", "embed", "drop"] = option(
        "files",
        "Put pictures beside the text in a ZIP, embed them in the text, or leave them out.",
        choices={
            "files": "Beside the text: The text and its pictures in one ZIP.",
            "embed": "In the text: One file with everything in it.",
            "drop": "Leave them out: Text only.",
        },
        selects=("pictures",),
    )


@dataclass(frozen=True)
class LineWidth:
    """The width of text lines."""

    line_width: int = option(
        0, "Maximum line length in characters; 0 keeps every paragraph on one line.", minimum=0, maximum=500
    )


@dataclass(frozen=True)
class ShortLines(LineWidth):
    """Lines for a terminal."""

    line_width: int = option(
        80, "Maximum line length in characters; 0 keeps every paragraph on one line.", minimum=0, maximum=500
    )


@dataclass(frozen=True)
class CitationStyle:
    """The citation style of references."""

    citation_style: Literal["chicago", "apa", "mla", "ieee", "vancouver"] = option(
        "chicago",
        "Citation style: author and year in Chicago (18th edition) or APA (7th edition), author "
        "and page in MLA (9th edition), or numbers in IEEE or Vancouver (Citing Medicine).",
        choices={
            "chicago": "Chicago: Author and year, 18th edition; common in the humanities.",
            "apa": "APA: Author and year, 7th edition; common in psychology and education.",
            "mla": "MLA: Author and page, 9th edition; common in literary studies.",
            "ieee": "IEEE: Numbers in brackets; common in engineering.",
            "vancouver": "Vancouver: Consecutive numbers; common in medicine.",
        },
    )
