"""Read dictionaries that name the same object again and again, as cairo writes the pictures of a page.

qpdf gives an object up whose names come again more than five times: a page would lose its pictures and fonts.
"""

from __future__ import annotations

import io
import mmap
import re
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pypdfium2

Data = bytes | mmap.mmap
_MOST = 5
"""Repetitions that qpdf accepts in an object."""
_REFERENCE = rb"/[^\s/<>\[\](){}%]++\s++\d{1,10}\s++\d{1,5}\s++R\s*+"
_REFERENCES = re.compile(rb"(?:" + _REFERENCE + rb"){%d,}+" % (_MOST + 2))
_EACH = re.compile(_REFERENCE)
_PACKED = re.compile(rb"<<(?=[^<>]*/ObjStm\b)[^<>]*+>>\s*+stream\r?\n")
"""The beginning of an object stream (ISO 32000-1, 7.5.7)."""
_MOST_UNPACKED = 100_000_000
"""Bytes of object streams that are looked through; those of a file with 5,000 pages have 10 MB."""


def named_once(source: Path | BinaryIO, password: str | None) -> Path | BinaryIO:
    """Return the document, or a copy whose dictionaries have each name once, unless encryption hides them."""
    with _viewed(source) as data:
        packed = _is_packed_repeatedly(data)
        if not packed and all(_last_of_each(each) == each[0] for each in _REFERENCES.finditer(data)):
            return source
        plain = _REFERENCES.sub(_last_of_each, bytes(data))
    if not packed:
        return io.BytesIO(plain)
    rewritten = io.BytesIO()
    try:
        pypdfium2.PdfDocument(plain, password).save(rewritten)
    except pypdfium2.PdfiumError:
        return source  # which qpdf may still read, or say why not
    return rewritten


@contextmanager
def _viewed(source: Path | BinaryIO) -> Iterator[Data]:
    if isinstance(source, Path) and not source.stat().st_size:
        yield b""  # which can't be mapped
    elif isinstance(source, Path):
        with source.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            yield mapped
    else:
        place = source.tell()
        source.seek(0)
        data = source.read()
        source.seek(place)
        yield data


def _last_of_each(found: re.Match[bytes]) -> bytes:
    """The references with blanks in place of all but the last of a name, which counts; nothing changes its place."""
    references = _EACH.findall(found[0])
    last = {each.split(maxsplit=1)[0]: at for at, each in enumerate(references)}
    if len(references) - len(last) <= _MOST:
        return found[0]
    kept = set(last.values())
    return b"".join(each if at in kept else b" " * len(each) for at, each in enumerate(references))


def _is_packed_repeatedly(data: Data) -> bool:
    """Whether an object stream has such a dictionary."""
    left = _MOST_UNPACKED
    for found in _PACKED.finditer(data) if data.find(b"/ObjStm") >= 0 else ():
        try:
            with memoryview(data) as view, view[found.end() :] as rest:
                unpacked = zlib.decompressobj().decompress(rest, left)
        except zlib.error:  # it is encrypted, damaged or has another filter
            continue
        if any(_last_of_each(each) != each[0] for each in _REFERENCES.finditer(unpacked)):
            return True
        left -= len(unpacked)
        if left <= 0:
            break
    return False
