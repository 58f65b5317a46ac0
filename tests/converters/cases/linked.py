"""Vectors of office files that show a picture which is not in them.

LibreOffice made the samples from a picture at an address; the workbook's drawing names its relationship as Excel does,
by `r:link`, which LibreOffice leaves out.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.converters.cases.data_inputs import SAMPLES
from tests.converters.cases.offices import pages
from tests.converters.vector import Vector

ADDRESS = b"192.0.2.1"


def _text(*words: bytes, kept: bool = False) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        assert all(each in data for each in words)
        assert (ADDRESS in data) is kept

    return check


def _drawn(*words: str) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        assert all(each in " ".join(pages(data)) for each in words)
        assert ADDRESS not in data

    return check


_WORDS = (b"Before the picture.", b"After the picture.")
_CELLS = (b"name", b"city", b"Ada", b"London")
_DROPPED = frozenset({"CONTENT_DROPPED"})


def _linked(slug: str, check: Callable[[bytes], None], others: frozenset[str] = frozenset()) -> Vector:
    source = SAMPLES / f"linked.{slug.partition('-')[0]}"
    warnings = frozenset({"REMOTE_RESOURCE_BLOCKED"}) | others
    return Vector(
        slug, "a picture outside the file", "awkward", source.read_bytes, check=check, warnings=warnings,
        more_warnings=slug.endswith("-pdf"),
    )  # fmt: skip


VECTORS = (
    _linked("docx-to-html", _text(*_WORDS)),
    _linked("docx-to-markdown", _text(*_WORDS)),
    _linked("docx-to-txt", _text(*_WORDS)),
    _linked("docx-to-pdf", _drawn("Before the picture.", "After the picture.")),
    _linked("odt-to-html", _text(*_WORDS)),
    _linked("odt-to-txt", _text(*_WORDS), _DROPPED),
    _linked("odt-to-pdf", _drawn("Before the picture.", "After the picture.")),
    _linked("xlsx-to-csv", _text(*_CELLS), _DROPPED),
    _linked("xlsx-to-json", _text(*_CELLS), _DROPPED),
    _linked("xlsx-to-pdf", _drawn("Ada", "London")),
    _linked("ods-to-csv", _text(*_CELLS), _DROPPED),
    _linked("ods-to-pdf", _drawn("Ada", "London")),
)
