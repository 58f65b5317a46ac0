"""Detect the encoding of a text and decode it."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from engine.toolkit import code_pages, unchanged
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

SAMPLE = 1 << 16
_BLOCK = 1 << 17
_HEAD = 4096

MARKS = (  # longest first: a UTF-32 mark begins with the UTF-16 one
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
"""Two labels that browsers know and Python has no codec for (WHATWG Encoding, 10.1.1; WHATWG HTML, 13.2.3.2)."""

_META = re.compile(rb"<meta(?=[\s/])[^>]*+", re.IGNORECASE)
_CHARSET = re.compile(rb"[\s/\"';]charset\s*+=\s*+[\"']?\s*+([A-Za-z0-9_:.+-]{1,40})", re.IGNORECASE)
_XML = re.compile(rb"<\?xml[^>]*+", re.IGNORECASE)
_ENCODING = re.compile(rb"encoding\s*+=\s*+[\"']([A-Za-z0-9_:.+-]{1,40})", re.IGNORECASE)


def read(data: bytes, warn: Warn, *, option: str | None = None, declared: str | None = None) -> str:
    """Decode `data`, without its byte order mark.

    In order of precedence: the byte order mark, or the pattern of NUL bytes if there is none; `option`, the encoding
    the user named; `declared`, the one the file declares; UTF-8 if the bytes are valid; a guess, with a warning.
    Undecodable bytes become U+FFFD, with a warning. The encoding is reported as detected. Raises InvalidOption if
    `option` is not a known encoding.
    """
    marked = unicode_mark(data[:_HEAD])
    named = None if option is None else _named(option)
    if option is not None and named is None:
        raise InvalidOption("encoding", say("“{option}” is not a known character encoding.", option=option))
    encoding = marked[1] if marked else named or _declared(declared) or _utf_8(data) or _guessed(data, warn)
    content = data[marked[0] :] if marked else data
    warn.detect(encoding=public_name(encoding))
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        text = content.decode(encoding, "replace")
        count = text.count("\ufffd")
        name = public_name(encoding)
        warn(
            "ENCODING_REPLACED",
            say("{count} characters are not valid {name} and became U+FFFD.", count=count, name=name),
        )
        return text


def detect(source: Path, warn: Warn) -> str:
    """Python's name of the encoding of a text file, found as in `read` without loading the whole file."""
    with source.open("rb") as file:
        head = file.read(SAMPLE)
        if encoding := unicode_encoding(head[:_HEAD]):
            return encoding
        offset = _first_invalid(source)
        if offset is None:
            return "utf-8"
        file.seek(max(0, offset - SAMPLE // 2))
        return _guessed(file.read(SAMPLE + _BLOCK), warn)


@unchanged.kept
def _first_invalid(source: Path) -> int | None:
    """Return the offset of the first block that is not UTF-8; None for a file that is UTF-8."""
    decoder, offset = codecs.getincrementaldecoder("utf-8")(), 0
    with source.open("rb") as file:
        try:
            block = file.read(SAMPLE)
            while block:
                decoder.decode(block)
                offset += len(block)
                block = file.read(_BLOCK)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return offset
    return None


def decode(data: bytes) -> str:
    """Decode a file in UTF-8, UTF-16 or UTF-32, without its byte order mark; raises Unreadable with line and column."""
    length, encoding = unicode_mark(data[:4]) or (0, "utf-8")
    try:
        return data[length:].decode(encoding)
    except UnicodeDecodeError as error:
        before = data[length : length + error.start].decode(encoding, "replace")
        line, column = place(before, len(before))
        raise Unreadable(
            say(
                "The file is not valid {encoding}: byte {length} can't be read. Save it as UTF-8 and try again.",
                encoding=public_name(encoding).upper(),
                length=length + error.start + 1,
            ),
            line=line,
            column=column,
            reason="format",
        ) from None


def unicode_mark(head: bytes) -> tuple[int, str] | None:
    """The length of the byte order mark and Python's name of the UTF that follows it; None if it is not a UTF.

    The length is 0 for a file without a mark. Such a file is recognised by the NUL bytes of its ASCII characters:
    around the first one (RFC 4627, section 3), or throughout `head`.
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
    """Python's name of the UTF to open the whole file with, so that its mark is skipped; None if it is not a UTF."""
    length, encoding = unicode_mark(head) or (0, None)
    return _SKIPPING_MARKS[encoding] if encoding and length else encoding


def declared_in_html(data: bytes) -> str | None:
    """The encoding an HTML page declares near its top, in a `meta` element or an XML declaration."""
    head = _without_comments(data[:_HEAD]).lstrip()
    declaration = _XML.match(head)
    found = _ENCODING.search(declaration[0]) if declaration else None
    metas = (_CHARSET.search(each[0]) for each in _META.finditer(head))
    found = found or next(filter(None, metas), None)
    return found[1].decode("ascii") if found else None


def _without_comments(head: bytes) -> bytes:
    """Without a regular expression, which would scan to the end for each unclosed comment."""
    parts, at = [], 0
    while (start := head.find(b"<!--", at)) >= 0:
        parts.append(head[at:start])
        end = head.find(b"-->", start + 4)
        at = end + 3 if end >= 0 else len(head)
    return b"".join([*parts, head[at:]])


def public_name(encoding: str) -> str:
    """The name users know an encoding by."""
    if encoding in _PUBLIC_NAMES:
        return _PUBLIC_NAMES[encoding]
    name = re.sub(r"^cp(?=125\d$)", "windows-", encoding.replace("_", "-"))
    return re.sub(r"^iso(?=8859-)", "iso-", name)


def python_name(encoding: str) -> str:
    """Python's name of an encoding offered as an option."""
    return encoding if encoding == "utf-16" else _named(encoding) or encoding


def place(text: str, index: int) -> tuple[int, int]:
    """The line and column, both from 1, of an index into a text."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def _named(label: str) -> str | None:
    """Python's name for an encoding label: as browsers read it (WHATWG Encoding, section 4.2), else as Python does.

    Browsers map many labels to a superset of what they name: iso-8859-1 is windows-1252.
    """
    import webencodings

    known = webencodings.lookup(label)
    if known is not None and known.name in _WIDER:
        return _WIDER[known.name]
    try:
        found: str = known.codec_info.name if known else codecs.lookup(label).name
        b" ".decode(found, "replace")  # binary codecs such as zlib decode an empty value without an error
    except (LookupError, ValueError):  # unknown, or not a text encoding
        return None
    return found


def _declared(label: str | None) -> str | None:
    encoding = None if label is None else _named(label)
    # A file whose declaration can be read as ASCII is not in UTF-16 (WHATWG HTML, 13.2.3.2).
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
        say(
            "The file is not UTF-8 and doesn't name its encoding, so it was read as {encoding}. If "
            "the text looks wrong, save it as UTF-8 and try again.",
            encoding=public_name(encoding),
        ),
    )
    return encoding
