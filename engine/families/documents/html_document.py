"""Wrap a body into a complete HTML document with a style sheet for screen and paper."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from html import escape, unescape
from pathlib import Path

from engine.families.documents.options import HtmlOptions

_TAGS = re.compile(r"<[^<>]*>")
_HEADING = re.compile(r"<h([1-6])>((?:(?!<h[1-6]>).)*?)</h\1>", re.DOTALL)
_NO_ANCHOR = re.compile(r"[^\w\- ]")
_BACK_LINK = re.compile(r"(?<!\s)\s*+<a (?=[^<>]*class=\"footnote-back(?:ref)?\")[^<>]*+>[^<]*+</a>")
_CHECKBOX = re.compile(r"<input (?=[^<>]*type=\"checkbox\")[^<>]*+> ?")
_TASK = re.compile(r"<li>(\s*<p>)?(?=\s*(?:<label>)?<input [^>]*type=\"checkbox\")")
_FIRST_HEADING = re.compile(r"<h[1-3](?: [^<>]*)?>((?:(?!<h[1-3][ >]).)*?)</h[1-3]>", re.DOTALL)


@dataclass(frozen=True)
class HtmlDocument:
    """One document as HTML: `body` is safe markup; `title`, `language` (BCP 47) and `authors` are plain text."""

    body: str
    title: str | None = None
    language: str | None = None
    authors: tuple[str, ...] = ()

    @property
    def heading(self) -> str | None:
        """The text of the first heading."""
        found = _FIRST_HEADING.search(self.body)
        return plain(found[1]) if found else None

    def complete(self, style: str) -> str:
        """The complete HTML document with `style` as its style sheet (none if empty)."""
        language = f' lang="{escape(self.language)}"' if self.language else ""
        title = escape(self.title or self.heading or "Document", quote=False)
        authors = "".join(f'<meta name="author" content="{escape(each)}">\n' for each in self.authors)
        if style and "csl-entry" in self.body:
            style += _REFERENCES
        sheet = f"<style>\n{style}</style>\n" if style else ""
        return (
            f'<!DOCTYPE html>\n<html{language}>\n<head>\n<meta charset="utf-8">\n'
            '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
            f"{authors}<title>{title}</title>\n{sheet}</head>\n<body>\n{self.body}</body>\n</html>\n"
        )


def write(page: HtmlDocument, target: Path, options: HtmlOptions) -> None:
    """Write `page` as an HTML file, complete or only its body; title and language of the options come first."""
    named = replace(page, title=options.title or page.title, language=options.language or page.language)
    html = named.complete(SCREEN if options.style == "page" else "") if options.standalone else page.body
    target.write_text(html, "utf-8", newline="")


def write_styled(
    page: HtmlDocument, style: str, target: Path, *, title: str | None, language: str | None, standalone: bool
) -> None:
    """Write `page` with its own style sheet, which is included even if the output is not `standalone`."""
    named = replace(page, title=title or page.title, language=language or page.language)
    html = named.complete(style) if standalone else f"<style>\n{style}</style>\n{page.body}"
    target.write_text(html, "utf-8", newline="")


def for_paper(page: HtmlDocument, style: str = "") -> str:
    """`page` as a document for paper, without interactive elements; `style` is added to its style sheet."""
    return replace(page, body=_drawn(page.body)).complete(PAPER + style)


def for_screen(page: HtmlDocument) -> str:
    """`page` as a document for a screenshot, without interactive elements."""
    return replace(page, body=_drawn(page.body)).complete(PICTURE)


def _drawn(body: str) -> str:
    body = _BACK_LINK.sub("", body)
    body = _TASK.sub(
        lambda match: '<li class="task"><p class="hanging">' if match[1] else '<li class="task hanging">', body
    )
    return _CHECKBOX.sub(lambda match: "\u2611 " if "checked" in match[0] else "\u2610 ", body)


def plain(markup: str) -> str:
    """The text of a piece of markup, on one line."""
    return " ".join(unescape(_TAGS.sub("", markup)).split())


def with_anchors(body: str) -> str:
    """`body` with an id on each heading, in GitHub's spelling, so that links to sections work."""
    taken: dict[str, int] = {}

    def name(match: re.Match[str]) -> str:
        anchor = _NO_ANCHOR.sub("", plain(match[2]).lower()).replace(" ", "-") or "section"
        count = taken.get(anchor, 0)
        taken[anchor] = count + 1
        suffix = f"-{count}" if count else ""
        return f'<h{match[1]} id="{escape(anchor)}{suffix}">{match[2]}</h{match[1]}>'

    return _HEADING.sub(name, body)


_REFERENCES = """\
.csl-entry { margin-bottom: 0.6em; }
.hanging-indent .csl-entry { margin-left: 2em; text-indent: -2em; }
.csl-left-margin { float: left; min-width: 2.2em; }
.csl-right-inline { margin-left: 2.6em; }
"""

_COMMON = """\
h1, h2, h3, h4, h5, h6 { line-height: 1.25; margin: 1.4em 0 0.5em; }
h1 { font-size: 2em; } h2 { font-size: 1.5em; } h3 { font-size: 1.2em; } h4, h5, h6 { font-size: 1em; }
p, dl, table, pre, blockquote { margin: 0 0 0.9em; }
pre, code, kbd, samp { font-family: "Liberation Mono", Consolas, Menlo, monospace; font-size: 0.9em; }
pre { background-color: #f5f6f8; padding: 0.8em; }
blockquote { border-left: 3px solid #c8ccd2; color: #4a4f57; padding-left: 1em; margin-left: 0; }
th, td { border: 1px solid #c8ccd2; padding: 0.35em 0.6em; text-align: left; vertical-align: top; }
th { background-color: #f0f2f5; }
.output pre { background-color: transparent; border-left: 3px solid #c8ccd2; }
a { color: #0b57a4; }
summary { font-weight: bold; }
dt { font-weight: bold; } dd { margin: 0 0 0.5em 1.6em; }
.callout { border-left-width: 4px; border-left-color: #0b57a4; color: #1c1e21; }
.callout-title { color: #0b57a4; margin-bottom: 0.3em; }
.callout.tip, .callout.success { border-left-color: #1a7f37; }
.callout.warning, .callout.important, .callout.attention { border-left-color: #9a6700; }
.callout.caution, .callout.danger, .callout.error, .callout.bug, .callout.failure { border-left-color: #c62828; }
"""

SCREEN = (
    """\
body { max-width: 46em; margin: 2em auto; padding: 0 1.2em; color: #1c1e21; background: #ffffff;
  font-family: system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif; line-height: 1.6; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
pre { overflow-x: auto; border-radius: 4px; } pre code { font-size: 1em; }
img { max-width: 100%; height: auto; }
hr { border: 0; border-top: 1px solid #c8ccd2; }
.task-list { list-style: none; padding-left: 1em; }
li:has(> input[type="checkbox"]), li:has(> p > input[type="checkbox"]) { list-style: none; }
li > input[type="checkbox"], li > p:first-child > input[type="checkbox"] { margin: 0 0.4em 0 -1.5em; }
[align="right"] { text-align: right; } [align="center"] { text-align: center; }
.footnotes { font-size: 0.9em; border-top: 1px solid #c8ccd2; margin-top: 2em; padding-top: 0.8em; }
.footnotes > hr { display: none; }
"""
    + _COMMON
    + """\
@media print { body { max-width: none; margin: 0; } a { color: inherit; }
  pre, blockquote, table, img { break-inside: avoid; } h1, h2, h3 { break-after: avoid; } }
"""
)
"""For HTML files: readable on a screen, and when printed from there."""

_DRAWN = (
    """\
table { border-collapse: collapse; width: 100%; }
img { max-width: 100%; } img[width][height] { height: auto; }
pre { white-space: pre-wrap; }
ul, ol { margin: 0 0 0.9em 1.6em; } li ul, li ol { margin-bottom: 0; }
.task-list, .task { list-style-type: none; }
.hanging { text-indent: -1.6em; } .hanging ul, .hanging ol { text-indent: 0; }
del { color: #1c1e21; text-decoration: line-through; }
summary { display: block; }
.footnotes { font-size: 9pt; }
"""
    + _COMMON
    + """\
h1 { margin-top: 0; }
"""
)

PAPER = (
    """\
@page { size: a4 portrait; margin: 22mm 20mm; }
body { font-family: Helvetica, sans-serif; font-size: 10.5pt; line-height: 1.45; color: #1c1e21; }
"""
    + _DRAWN
)
"""For PDF files: only features that the layout engine implements."""

PICTURE = (
    """\
body { max-width: 50em; margin: 2em auto; padding: 0 1.5em; color: #1c1e21;
  font-family: Helvetica, sans-serif; font-size: 16px; line-height: 1.5; }
"""
    + _DRAWN
    + """\
[align="right"] { text-align: right; } [align="center"] { text-align: center; }
"""
)
"""For pictures: the same."""
