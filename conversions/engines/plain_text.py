"""Plain text: the bytes of a text file as characters, and plain text as HTML."""

from __future__ import annotations

import codecs
import re
from html import escape
from typing import Literal

from conversions.converters.base import InvalidOption, Unreadable
from conversions.engines.page import Page
from conversions.warnings import Warn

_MARKS = (  # the longer ones first: UTF-32 begins as UTF-16 does
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SAMPLE = 1 << 16
_TITLE = 100
# What neither XML 1.0 (section 2.2) nor HTML allows.
_CONTROLS = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ufffe\uffff]")
_BREAKS = re.compile(r"\r\n?|\x85|\u2028")
_PARAGRAPHS = re.compile(r"\n[ \t\n]*\n|\f|\u2029")
_SPACES = re.compile(r"^ +|  +", re.MULTILINE)


def decode(data: bytes, warn: Warn, *, encoding: str | None = None, declared: str | None = None) -> str:
    """The text of `data`, with `\\n` line ends and without a byte order mark and characters that no document can hold.

    A byte order mark decides, then `encoding` (the user's option), then UTF-8 where the bytes are UTF-8, then
    `declared` (what the file says of itself), then a guess, which is a warning. Raises InvalidOption for an
    `encoding` that is unknown, Unreadable for bytes that are no text.
    """
    text, name = _decode(data, warn, encoding, declared)
    warn.detect(encoding=name)
    if replaced := text.count("\ufffd"):
        warn("ENCODING_REPLACED", f"{replaced:,} characters could not be read as {name} and became U+FFFD.")
    text = _BREAKS.sub("\n", text)
    text, dropped = _CONTROLS.subn("", text)
    if dropped:
        warn("CONTENT_DROPPED", f"{dropped:,} control characters were left out.")
    if not text.strip():
        raise Unreadable("The file holds no text.")
    return text


def _decode(data: bytes, warn: Warn, encoding: str | None, declared: str | None) -> tuple[str, str]:
    for mark, name in _MARKS:
        if data.startswith(mark):
            return data[len(mark) :].decode(name, "replace"), name.removesuffix("-le").removesuffix("-be")
    if encoding is not None:
        try:
            return data.decode(codecs.lookup(encoding).name, "replace"), codecs.lookup(encoding).name
        except (LookupError, ValueError, AttributeError) as error:
            raise InvalidOption("encoding", f"“{encoding}” is not a known character encoding.") from error
    if b"\0" not in data:
        try:
            return data.decode("utf-8"), "utf-8"
        except UnicodeDecodeError:
            pass
        if declared is not None:
            try:
                return data.decode(declared), codecs.lookup(declared).name
            except (LookupError, ValueError):
                pass
    # Only such files need it, and importing it costs as much as a small conversion.
    from conversions.engines.data import encodings

    name = encodings.unicode_encoding(data[:4])
    if name is None and b"\0" in data:
        raise Unreadable("The file is not text: it holds NUL bytes. Save it as UTF-8 text and try again.")
    if name is not None:
        return data.decode(name, "replace"), encodings.public_name(name)
    odd = next(at for at, byte in enumerate(data) if byte > 127)
    name = encodings.guess(data[max(0, odd - _SAMPLE // 4) : odd + _SAMPLE])
    public = encodings.public_name(name)
    warn("ENCODING_GUESSED", f"The text is not UTF-8; it was read as {public}. Name its encoding if that is wrong.")
    return data.decode(name, "replace"), public


def to_html(text: str, *, preformatted: bool) -> str:
    """The body of an HTML page that shows `text`: as paragraphs that keep line breaks and spaces, or as one block."""
    text = text.strip("\n").expandtabs(8)
    if preformatted:
        return f"<pre>{escape(text.replace(chr(12), chr(10)), quote=False)}</pre>\n"
    paragraphs = (each.strip("\n").rstrip() for each in _PARAGRAPHS.split(text))
    return "".join(f"<p>{_lines(each)}</p>\n" for each in paragraphs if each.strip())


def _lines(paragraph: str) -> str:
    spaced = _SPACES.sub(_unbreakable, paragraph)
    return escape(spaced, quote=False).replace("\n", "<br />\n")


def _unbreakable(spaces: re.Match[str]) -> str:
    # A line may still be broken at the last space between two words.
    leading = spaces.start() == 0 or spaces.string[spaces.start() - 1] == "\n"
    return "\xa0" * len(spaces[0]) if leading else "\xa0" * (len(spaces[0]) - 1) + " "


def to_page(data: bytes, warn: Warn, *, encoding: str | None, layout: Literal["paragraphs", "preformatted"]) -> Page:
    """A plain text file as a page whose title is its first line. Raises as `decode` does."""
    text = decode(data, warn, encoding=encoding)
    first = " ".join(text.lstrip().split("\n", 1)[0].split())
    title = first if len(first) <= _TITLE else first[: _TITLE - 1] + "…"
    return Page(to_html(text, preformatted=layout == "preformatted"), title=title)
