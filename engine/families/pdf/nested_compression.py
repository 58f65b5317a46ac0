"""Limit streams with several compression filters, which can expand enormously."""

from __future__ import annotations

import mmap
import re
import zlib
from pathlib import Path
from typing import BinaryIO

import pikepdf
from pikepdf import Name

from engine.toolkit.failures import OverLimit
from engine.toolkit.messages import say

MOST = 32_000_000
"""The maximum total size of streams with several filters; programs use one filter, or compress a JPEG again."""
_LARGEST = 1_500_000_000
"""The maximum size of any other stream: a picture of 100 megapixels in four channels of 16 bits has 0.8 GB."""
_TIMES = {"/FlateDecode": 1032, "/Fl": 1032, "/LZWDecode": 2731, "/LZW": 2731, "/RunLengthDecode": 64, "/RL": 64}
"""The maximum expansion ratio of each filter."""
_FLATE = {"/FlateDecode", "/Fl"}

# Filters with their usual names are found in the raw bytes, as inspecting all objects takes a while.
_NAMES = rb"(?:Flate|LZW|RunLength|Fl\b|RL\b)"
_SUSPECTED = re.compile(
    rb"/Filter\s*(?:\d|%|/[A-Za-z0-9]*#|\[(?:[^\]]{400}|[^\]]*[#%\d]|[^\]]*" + _NAMES + rb"[^\]]*" + _NAMES + rb"))"
    rb"|/[A-Za-z]*#[0-9A-Fa-f]{2}"
)


def limit() -> None:
    """Make the library stop at streams that are too large, whoever reads them."""
    pikepdf.settings.set_qpdf_limits(flate_max_memory=_LARGEST, run_length_max_memory=_LARGEST)


def check(pdf: pikepdf.Pdf, source: Path | BinaryIO) -> None:
    """Raise OverLimit if streams with several filters expand to more than MOST in total."""
    if not _suspected(source):
        return
    total = 0
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream):
            total += _size(each, MOST - total)
            if total > MOST:
                raise OverLimit(
                    "limit",
                    say(
                        "Streams in the PDF are compressed twice and unpack to over {most} MB.", most=MOST // 1_000_000
                    ),
                )


def _suspected(source: Path | BinaryIO) -> bool:
    if isinstance(source, Path):
        with source.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
            return _SUSPECTED.search(mapped) is not None
    place = source.tell()
    source.seek(0)
    found = _SUSPECTED.search(source.read())
    source.seek(place)
    return found is not None


def _size(stream: pikepdf.Object, most: int) -> int:
    """The expanded size of a stream with several filters; above `most`, some number that also is."""
    filters = stream.get(Name.Filter)
    chain = [str(each) for each in filters] if isinstance(filters, pikepdf.Array) else []
    if sum(each in _TIMES for each in chain) < 2:
        return 0
    data = bytes(stream.read_raw_bytes())
    size = len(data)
    for number, each in enumerate(chain):
        if each in _FLATE and all(name in _FLATE for name in chain[:number]):
            try:
                data = zlib.decompressobj().decompress(data, most + 1)
            except zlib.error:
                return 0
            size = len(data)
            if size > most:
                return size
        else:
            size *= _TIMES.get(each, 1)
    return size
