"""Convert CommonMark with GitHub's extensions to HTML."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from html import escape
from pathlib import Path
from typing import Literal

from cmarkgfm import cmark

from engine.families.documents import directives, other_markdown, plain_text, safe_html
from engine.families.documents.dialect import written
from engine.families.documents.dialect.reading import Dialect
from engine.families.documents.html_document import HtmlDocument, with_anchors
from engine.families.documents.options import MarkdownOptions
from engine.toolkit import cmark_html
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Kind, Warn

MAX_DEPTH = 200

_EXTENSIONS = ["table", "strikethrough", "autolink", "tasklist"]
_OMITTED = "<!-- raw HTML omitted -->"
_FRONT_MATTER = re.compile(r"\A---[ \t]*\n((?:[^\n]*\n){0,200}?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_FIELD = re.compile(r"([A-Za-z_][\w-]*):[ \t]*(.*)")
_SCRIPT_LINK = re.compile(r"\b(?:javascript|vbscript|data)\s*:", re.IGNORECASE)
_TOO_DEEP = re.compile(rf"^(?:[ \t]*[>*+-][ \t]?){{{MAX_DEPTH}}}", re.MULTILINE)
_LOOSE_TASK = re.compile(r"(<input type=\"checkbox\"[^>]*/>)\s*<p>")
_RULE = re.compile(r"[ \t]*(?:(?:\*[ \t]*)+|(?:-[ \t]*)+|(?:\+[ \t]*)+)$", re.MULTILINE)
"""A line of only dashes or asterisks is a thematic break, whatever its length."""

_COMMENTS = Kind("COMMENTS_DROPPED", "Comments were left out: {count}{places}.")


@dataclass(frozen=True)
class FrontMatter:
    """The front matter between `---` lines at the top of a Markdown file: simple fields, and names of others."""

    title: str | None = None
    language: str | None = None
    author: str | None = None
    others: tuple[str, ...] = ()


def split(text: str) -> tuple[FrontMatter, str]:
    """Split a Markdown text into its front matter and the rest."""
    found = _FRONT_MATTER.match(text)
    fields: dict[str, str] = {}
    if found is None:
        return FrontMatter(), text
    for line in found[1].split("\n"):
        field = _FIELD.match(line)
        if field:
            fields[field[1].lower()] = field[2].strip().strip("\"'")
        elif line.strip() and not line.startswith((" ", "\t", "-", "#")):
            return FrontMatter(), text  # a thematic break followed by prose, not fields
    if not fields:
        return FrontMatter(), text
    known = {"title", "lang", "author"}
    return FrontMatter(
        title=fields.get("title") or None,
        language=fields.get("lang") or None,
        author=fields.get("author") or None,
        others=tuple(name for name in fields if name not in known),
    ), text[found.end() :]


def check_depth(text: str) -> None:
    """Raises Unreadable for quotes and lists nested deeper than MAX_DEPTH: some parsers take exponential time."""
    for found in _TOO_DEEP.finditer(text):
        if not _RULE.match(text, found.start()):
            line = text.count("\n", 0, found.start()) + 1
            raise Unreadable(
                say("Quotes or lists are nested more than {max_depth} levels deep.", max_depth=MAX_DEPTH),
                line=line,
                reason="limit",
            )


def unsafe(text: str) -> str:
    """The unsanitised HTML of Markdown without front matter, including its raw HTML; the caller must sanitise it.

    Raises Unreadable for quotes or lists that are nested too deep.
    """
    check_depth(text)
    options = cmark.Options.CMARK_OPT_FOOTNOTES | cmark.Options.CMARK_OPT_UNSAFE
    made: str = cmark_html.to_html(text, options, _EXTENSIONS)
    return made


def read(
    source: Path, options: MarkdownOptions, warn: Warn, *, prepare: Callable[[str], str] | None = None
) -> HtmlDocument:
    """The HTML of a Markdown file under its options, with `prepare` applied first; raises as to_document."""
    text = plain_text.decode(source.read_bytes(), warn, encoding=options.encoding)
    return to_document(
        prepare(text) if prepare else text,
        warn,
        hard_breaks=options.hard_breaks,
        smart=options.smart,
        raw_html=options.raw_html,
    )


def to_document(
    text: str,
    warn: Warn,
    *,
    hard_breaks: bool = False,
    smart: bool = False,
    raw_html: Literal["clean", "remove"] = "clean",
) -> HtmlDocument:
    """The HTML of a Markdown text: CommonMark with GitHub's tables, task lists, strikethrough, autolinks and footnotes.

    HTML inside the text is made safe (`raw_html` "clean") or left out ("remove").
    Raises Unreadable for markup that is nested too deep.
    """
    front, text = split(text)
    if front.others:
        warn(
            "METADATA_DROPPED", say("Front matter fields were left out: {others}.", others=", ".join(front.others[:20]))
        )
    check_depth(text)
    known = directives.read(text)
    known.report(warn)
    dialect = Dialect(known.text)
    text = dialect.text
    options = cmark.Options.CMARK_OPT_FOOTNOTES
    options |= cmark.Options.CMARK_OPT_HARDBREAKS if hard_breaks else 0
    options |= cmark.Options.CMARK_OPT_SMART if smart else 0
    body: str = cmark_html.to_html(text, options, _EXTENSIONS)
    omitted = body.count(_OMITTED) if "<" in text else 0
    if omitted and raw_html == "clean":
        unsafe = cmark_html.to_html(text, options | cmark.Options.CMARK_OPT_UNSAFE, _EXTENSIONS)
        body = safe_html.clean(unsafe, warn)
        warn.tally(_COMMENTS, unsafe.count("<!--"))
    elif omitted:
        body = body.replace(_OMITTED + "\n", "").replace(_OMITTED, "")
        warn("CONTENT_DROPPED", say("{omitted} pieces of embedded HTML were left out.", omitted=omitted))
        if re.search(r"<script|\son[a-z]+\s*=", text, re.IGNORECASE):
            warn("SCRIPT_REMOVED", "Scripts were removed from the text.")
    elif ('href=""' in body or 'src=""' in body) and _SCRIPT_LINK.search(text):
        warn("SCRIPT_REMOVED", "Links that run code were disabled.")
    if 'type="checkbox"' in body:
        body = _LOOSE_TASK.sub(r"<p>\1 ", body)  # a box before the paragraph would be on a line of its own
    other_markdown.name(written.blocks(body), warn, known.shown, text)
    body = dialect.in_html(body, warn, with_anchors)
    authors = (front.author,) if front.author else ()
    page = HtmlDocument(body, title=front.title, language=front.language, authors=authors)
    if front.title and front.title != page.heading:
        byline = f"<p>{escape(front.author, quote=False)}</p>\n" if front.author else ""
        return replace(page, body=f"<h1>{escape(front.title, quote=False)}</h1>\n{byline}{page.body}")
    return page
