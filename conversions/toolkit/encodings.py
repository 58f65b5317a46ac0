"""Encodings: the one place that decides which encoding a text is in, and reads it."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from conversions.toolkit import code_pages
from conversions.toolkit.failures import InvalidOption, Unreadable
from conversions.toolkit.warnings import Warn

SAMPLE = 1 << 16
_BLOCK = 1 << 17
_HEAD = 4096

MARKS = (  # the longer ones first: UTF-32 begins as UTF-16 does
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_SKIPPING_MARKS = {
    "utf-8": "utf-8-sig", "utf-16-le": "utf-16", "utf-16-be": "utf-16", "utf-32-le": "utf-32", "utf-32-be": "utf-32",
}  # fmt: skip
_PUBLIC_NAMES = {
    "utf-8-sig": "utf-8", "utf-16-le": "utf-16", "utf-16-be": "utf-16", "utf-32-le": "utf-32", "utf-32-be": "utf-32",
    "cp874": "windows-874", "cp932": "shift_jis", "cp949": "euc-kr", "big5hkscs": "big5",
}  # fmt: skip
_WIDER = {"gbk": "gb18030", "x-user-defined": "cp1252"}
"""What browsers read two labels as for which Python has no codec (WHATWG Encoding, 10.1.1; WHATWG HTML, 13.2.3.2)."""

_META = re.compile(rb"<meta(?=[\s/])[^>]*+", re.IGNORECASE)
_CHARSET = re.compile(rb"[\s/\"';]charset\s*+=\s*+[\"']?\s*+([A-Za-z0-9_:.+-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"<\?xml[^>]*+", re.IGNORECASE)
_ENCODING = re.compile(rb"encoding\s*+=\s*+[\"']([A-Za-z0-9_:.+-]{1,40})", re.IGNORECASE)


def read(data: bytes, warn: Warn, *, option: str | None = None, declared: str | None = None) -> str:
    """The text of `data`, without a byte order mark.

    A byte order mark decides (or, where there is none, where NUL bytes are), then `option`, the encoding that the user
    names, then `declared`, the one that the file names itself, then UTF-8 where the bytes are UTF-8. What is left is
    guessed, which is a warning. Bytes that are none of the encoding become U+FFFD, which is a warning, too. The
    encoding is noted as detected. Raises InvalidOption for an `option` that is no encoding.
    """
    marked = unicode_mark(data[:_HEAD])
    named = None if option is None else _named(option)
    if option is not None and named is None:
        raise InvalidOption("encoding", f"“{option}” is not a known character encoding.")
    encoding = marked[1] if marked else named or _declared(declared) or _utf_8(data) or _guessed(data, warn)
    content = data[marked[0] :] if marked else data
    warn.detect(encoding=public_name(encoding))
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode(encoding, "replace")
        count = text.count("\ufffd")
        name = public_name(encoding)
        warn("ENCODING_REPLACED", f"{count:,} characters could not be read as {name}; they became U+FFFD.")
        return text


def detect(source: Path, warn: Warn) -> str:
    """Python's name of the encoding of a text file that names none: as in `read`, without holding the file."""
    with source.open("rb") as file:
        head = file.read(SAMPLE)
        if encoding := unicode_encoding(head[:_HEAD]):
            return encoding
        decoder = codecs.getincrementaldecoder("utf-8")()
        offset, block = 0, head
        try:
            while block:
                decoder.decode(block)
                offset += len(block)
                block = file.read(_BLOCK)
            decoder.decode(b"", final=True)
            return "utf-8"
        except UnicodeDecodeError:
            file.seek(max(0, offset - SAMPLE // 2))
            return _guessed(file.read(SAMPLE + _BLOCK), warn)


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 or UTF-32, without its mark; raises Unreadable with the place."""
    length, encoding = unicode_mark(data[:4]) or (0, "utf-8")
    try:
        return data[length:].decode(encoding)
    except UnicodeDecodeError as error:
        before = data[length : length + error.start].decode(encoding, "replace")
        line, column = place(before, len(before))
        raise Unreadable(
            f"The file is not valid {public_name(encoding).upper()}: byte {length + error.start + 1} can't be read. "
            "Save it as UTF-8 and try again.",
            line=line,
            column=column,
        ) from None


def unicode_mark(head: bytes) -> tuple[int, str] | None:
    """How many bytes a file's byte order mark has, and Python's name of the UTF that follows it; None for no UTF.

    A file without a mark, of which this is (0, the UTF), is told by the NUL bytes of its ASCII characters: its first
    one (RFC 4627, section 3), or most of `head`.
    """
    for mark, encoding in MARKS:
        if head.startswith(mark):
            return len(mark), encoding
    filled = bytes(map(bool, head[:4]))
    unmarked = {b"\1\0\0\0": "utf-32-le", b"\0\0\0\1": "utf-32-be"}.get(filled)
    unmarked = unmarked or {b"\1\0": "utf-16-le", b"\0\1": "utf-16-be"}.get(filled[:2])
    if unmarked is None and len(head) > 4 and head.count(0) * 5 >= len(head) * 2:
        wide = "utf-32" if head.count(0) * 10 > len(head) * 7 else "utf-16"
        unmarked = f"{wide}-be" if head[:1] == b"\0" else f"{wide}-le"
    return (0, unmarked) if unmarked else None


def unicode_encoding(head: bytes) -> str | None:
    """Python's name of the UTF that a whole file is to be opened with, so that its mark is skipped; None for no UTF."""
    length, encoding = unicode_mark(head) or (0, None)
    return _SKIPPING_MARKS[encoding] if encoding and length else encoding


def declared_in_html(data: bytes) -> str | None:
    """The encoding that a page names near its top, in a `meta` element or, as XHTML, in its XML declaration."""
    head = _without_comments(data[:_HEAD]).lstrip()
    declaration = _XML.match(head)
    found = _ENCODING.search(declaration[0]) if declaration else None
    metas = (_CHARSET.search(each[0]) for each in _META.finditer(head))
    found = found or next(filter(None, metas), None)
    return found[1].decode("ascii") if found else None


def _without_comments(head: bytes) -> bytes:
    """Not by an expression, which would look to the end for each comment that is left open."""
    parts, at = [], 0
    while (start := head.find(b"<!--", at)) >= 0:
        parts.append(head[at:start])
        end = head.find(b"-->", start + 4)
        at = end + 3 if end >= 0 else len(head)
    return b"".join([*parts, head[at:]])


def public_name(encoding: str) -> str:
    """The name that users know an encoding by."""
    if encoding in _PUBLIC_NAMES:
        return _PUBLIC_NAMES[encoding]
    name = re.sub(r"^cp(?=125\d$)", "windows-", encoding.replace("_", "-"))
    return re.sub(r"^iso(?=8859-)", "iso-", name)


def python_name(encoding: str) -> str:
    """Python's name of an encoding that an option offers."""
    return encoding if encoding == "utf-16" else _named(encoding) or encoding


def place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of a position in a text."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _named(label: str) -> str | None:
    """Python's name of the encoding that browsers (WHATWG Encoding, section 4.2), or else Python, know by a label.

    Browsers read many labels as the larger set that contains what they name: iso-8859-1 is windows-1252.
    """
    import webencodings

    known = webencodings.lookup(label)
    if known is not None and known.name in _WIDER:
        return _WIDER[known.name]
    try:
        found: str = known.codec_info.name if known else codecs.lookup(label).name
        b" ".decode(found, "replace")  # of nothing, codecs of bytes to bytes make a text, too
    except (LookupError, ValueError):  # unknown, or a codec that makes no text
        return None
    return found


def _declared(label: str | None) -> str | None:
    encoding = None if label is None else _named(label)
    # A file that can be searched for its declaration is not in UTF-16 (WHATWG HTML, 13.2.3.2).
    return "utf-8" if encoding and encoding.startswith(("utf-16", "utf-32")) else encoding


def _utf_8(data: bytes) -> str | None:
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return "utf-8"


def _guessed(data: bytes, warn: Warn) -> str:
    guess = code_pages.guess(data)
    encoding = _named(guess.replace("_", "-")) or guess
    warn(
        "ENCODING_GUESSED",
        f"The file is not UTF-8 and does not say how it is encoded; it was read as {public_name(encoding)}. "
        "If its words look wrong, save it as UTF-8 and try again.",
    )
    return encoding
