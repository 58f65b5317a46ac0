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
        "Show the text as paragraphs that reflow, or as one block of fixed-width characters exactly as written.",
        choices={
            "paragraphs": "Paragraphs: Lines that belong together flow anew.",
            "preformatted": "As typed: Every line and space as written, in letters of one width.",
        },
    )


@dataclass(frozen=True)
class MarkdownOptions(EncodingOptions):
    """How Markdown is read."""

    hard_breaks: bool = option(False, "Keep every line break of the text as a line break.")
    smart: bool = option(False, "Turn straight quotes, -- and ... into typographic quotes, dashes and ellipses.")
    raw_html: Literal["clean", "remove"] = option(
        "clean",
        "What to do with HTML inside the text: keep what is harmless, or remove all of it.",
        choices={
            "clean": "Keep what is harmless: Tables and bold text stay, scripts go.",
            "remove": "Remove all: Only the Markdown itself counts.",
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

    standalone: bool = option(True, "Write a complete page; otherwise only the content of its body.")
    style: Literal["page", "none"] = option(
        "page",
        "Style sheet of a complete page: one that is easy to read, or none.",
        choices={
            "page": "Plain: Easy to read, like an article.",
            "none": "None: Bare HTML for a style sheet of your own.",
        },
    )


@dataclass(frozen=True)
class StyledHtml(TitleOptions):
    """HTML output for documents that have their own styles."""

    standalone: bool = option(True, "Write a complete page; otherwise only the content of its body.")
    style: Literal["document", "page", "none"] = option(
        "document",
        "Looks of the page: as the document has them, with its colours, fonts, headers and footers; plain and easy to "
        "read; or no style sheet at all.",
        choices={
            "document": "As the document: Its colours, fonts, headers and footers.",
            "page": "Plain: Easy to read, like an article.",
            "none": "None: Bare HTML for a style sheet of your own.",
        },
    )


@dataclass(frozen=True)
class MarkdownToHtml(HtmlOptions, MarkdownOptions):
    """Markdown as a web page."""


@dataclass(frozen=True)
class MarkdownToPdf(MarkdownOptions, PageOptions):
    """Markdown on paper."""


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
        "What to do with tracked changes: accept them, reject them, or show them together with the comments.",
        choices={
            "accept": "Accept them: As if all were agreed to.",
            "reject": "Reject them: As it was before.",
            "all": "Show them: Together with the comments.",
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
        "What to do with pictures: put them beside the text in one ZIP, embed them in the text, or leave them out.",
        choices={
            "files": "Beside the text: The text and its pictures in one ZIP.",
            "embed": "In the text: One file with everything in it.",
            "drop": "Leave them out: The text alone.",
        },
        selects=("pictures",),
    )


@dataclass(frozen=True)
class LineWidth:
    """The width of text lines."""

    line_width: int = option(
        0, "Longest line in characters; 0 leaves every paragraph on one line.", minimum=0, maximum=500
    )


@dataclass(frozen=True)
class ShortLines(LineWidth):
    """Lines for a terminal."""

    line_width: int = option(
        80, "Longest line in characters; 0 leaves every paragraph on one line.", minimum=0, maximum=500
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
