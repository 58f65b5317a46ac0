"""Decode plain text and convert it to HTML."""

from __future__ import annotations

import re
from html import escape
from typing import Literal

from engine.families.documents.html_document import HtmlDocument
from engine.toolkit import encodings
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_TITLE = 100
# Characters that neither XML 1.0 (section 2.2) nor HTML allows.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
_BREAKS = re.compile(r"\r\n?|\x85|\u2028")
_PARAGRAPHS = re.compile(r"\n[ \t\n]*\n|\f|\u2029")
_SPACES = re.compile(r"^ +|  +", re.MULTILINE)


def decode(data: bytes, warn: Warn, *, encoding: str | None = None, declared: str | None = None) -> str:
    """Decode `data` to text with `\n` line ends and without characters that no document can contain.

    The encoding is detected as in `encodings.read`: `encoding` is the user's option, `declared` the file's own
    declaration. Raises InvalidOption for an unknown `encoding`, Unreadable for bytes that aren't text.
    """
    text = encodings.read(data, warn, option=encoding, declared=declared)
    if encoding is None and "\0" in text:
        raise Unreadable(
            "The file is not text: it contains NUL bytes. Save it as UTF-8 text and try again.", reason="format"
        )
    text = _BREAKS.sub("\n", text)
    text, dropped = _CONTROLS.subn("", text)
    if dropped:
        warn("CONTENT_DROPPED", say("{dropped} control characters were left out.", dropped=dropped))
    if not text.strip():
        raise Unreadable("The file has no text.", reason="empty")
    return text


def to_html(text: str, *, preformatted: bool) -> str:
    """The HTML body for `text`: paragraphs that keep line breaks and spaces, or one preformatted block."""
    text = text.strip("\n").expandtabs(8)
    if preformatted:
        return f"<pre>{escape(text.replace(chr(12), chr(10)), quote=False)}</pre>\n"
    paragraphs = (each.strip("\n").rstrip() for each in _PARAGRAPHS.split(text))
    return "".join(f"<p>{_lines(each)}</p>\n" for each in paragraphs if each.strip())


def _lines(paragraph: str) -> str:
    spaced = _SPACES.sub(_unbreakable, paragraph)
    return escape(spaced, quote=False).replace("\n", "<br />\n")


def _unbreakable(spaces: re.Match[str]) -> str:
    # A line may still wrap at the last space between two words.
    leading = spaces.start() == 0 or spaces.string[spaces.start() - 1] == "\n"
    return "\xa0" * len(spaces[0]) if leading else "\xa0" * (len(spaces[0]) - 1) + " "


def to_document(
    data: bytes, warn: Warn, *, encoding: str | None, layout: Literal["paragraphs", "preformatted"]
) -> HtmlDocument:
    """A plain text file as a page with its first line as the title. Raises as `decode` does."""
    text = decode(data, warn, encoding=encoding)
    first = " ".join(text.lstrip().split("\n", 1)[0].split())
    title = first if len(first) <= _TITLE else first[: _TITLE - 1] + "…"
    return HtmlDocument(to_html(text, preformatted=layout == "preformatted"), title=title)
