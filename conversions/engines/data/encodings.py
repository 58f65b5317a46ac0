"""Encodings: which one a text is in, by its mark, by its bytes, or as a guess."""

from __future__ import annotations

import codecs
import re
from pathlib import Path

from conversions.converters.base import Unreadable
from conversions.warnings import Warn

SAMPLE = 1 << 16
_BLOCK = 1 << 20

_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_PYTHON_NAMES = {"utf-16": "utf-16", "windows-1250": "cp1250", "windows-1251": "cp1251", "windows-1252": "cp1252"}
_PUBLIC_NAMES = {"utf_8": "utf-8", "utf-8-sig": "utf-8", "utf-16-le": "utf-16", "utf-16-be": "utf-16"}
_CANDIDATES = (
    "cp1252", "cp1250", "cp1251", "cp1253", "cp1254", "cp1255", "cp1256", "cp1257",
    "koi8_r", "shift_jis", "euc_jp", "gb18030", "big5", "euc_kr",
)  # fmt: skip
_CENTRAL_LANGUAGES = {"Polish", "Czech", "Slovak", "Hungarian", "Croatian", "Slovene"}
# Letters of windows-1250 that windows-1252 shows as a sign in the middle of a word.
_CENTRAL_SIGNS = re.compile(r"[^\W\d_][¿³¹¶¼¾£¥ªº¯±¢][^\W\d_]|\b[£¯][^\W\d_]")


def public_name(encoding: str) -> str:
    """The name that users know an encoding by."""
    name = _PUBLIC_NAMES.get(encoding, encoding)
    return "windows-" + name[2:] if re.fullmatch(r"cp125\d", name) else name.replace("_", "-")


def python_name(encoding: str) -> str:
    """Python's name of an encoding that an option offers."""
    return _PYTHON_NAMES.get(encoding, encoding)


def unicode_encoding(head: bytes) -> str | None:
    """The UTF a text is in by its mark, or by where its NUL bytes are (as in RFC 4627, section 3); None if neither."""
    for mark, name in _MARKS:
        if head.startswith(mark):
            return name
    pattern = tuple(byte != 0 for byte in head[:4])
    return {
        (True, False, False, False): "utf-32-le",
        (False, False, False, True): "utf-32-be",
        (True, False, True, False): "utf-16-le",
        (False, True, False, True): "utf-16-be",
        (True, False): "utf-16-le",
        (False, True): "utf-16-be",
    }.get(pattern)


def decode(data: bytes) -> str:
    """The text of a file in UTF-8, UTF-16 or UTF-32, without its mark; raises Unreadable with the place."""
    encoding = unicode_encoding(data[:4]) or "utf-8"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        before = data[: error.start].decode(encoding, "replace")
        line, column = place(before, len(before))
        raise Unreadable(
            f"The file is not valid {public_name(encoding).upper()}: byte {error.start + 1} can't be read. "
            "Save it as UTF-8 and try again.",
            line=line,
            column=column,
        ) from None


def place(text: str, index: int) -> tuple[int, int]:
    """Line and column, from 1, of a position in a text."""
    return text.count("\n", 0, index) + 1, index - text.rfind("\n", 0, index)


def detect(source: Path, warn: Warn) -> str:
    """Python's name of the encoding of a text file: a UTF if it is valid, else the most likely old code page."""
    with source.open("rb") as file:
        head = file.read(SAMPLE)
        marked = unicode_encoding(head[:4])
        if marked:
            return marked
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
            sample = file.read(SAMPLE + _BLOCK)
    # A guess needs the words around the odd bytes, not megabytes of digits before them.
    odd = next((at for at, byte in enumerate(sample) if byte > 127), 0)
    encoding = guess(sample[max(0, odd - SAMPLE // 4) : odd + SAMPLE])
    warn("ENCODING_GUESSED", f"The file is not UTF-8; it was read as {public_name(encoding)}. Say so if it is another.")
    return encoding


def guess(sample: bytes) -> str:
    """The most likely old encoding of a text that is in no UTF."""
    import charset_normalizer  # 4 MB that most texts, being UTF-8, have no use for

    best = charset_normalizer.from_bytes(sample, cp_isolation=list(_CANDIDATES)).best()
    if best is None:
        return "cp1252"
    if best.encoding == "cp1250" and best.language not in _CENTRAL_LANGUAGES:
        # On short texts the two Latin code pages tie and the guess falls to the first by number.
        try:
            western = sample.decode("cp1252")
        except UnicodeDecodeError:
            return "cp1250"
        return "cp1250" if _CENTRAL_SIGNS.search(western) else "cp1252"
    return best.encoding
