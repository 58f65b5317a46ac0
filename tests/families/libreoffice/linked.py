"""Vectors of office files that show a picture which is not in them.

LibreOffice made the samples from a picture at an address; the workbook's drawing names its relationship as Excel does,
by `r:link`, which LibreOffice leaves out.
"""

from __future__ import annotations

from collections.abc import Callable

from tests.converters.vector import SAMPLES, Vector
from tests.families.libreoffice.vectors import pages

ADDRESS = b"192.0.2.1"


def text(*words: bytes, kept: bool = False) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        assert all(each in data for each in words)
        assert (ADDRESS in data) is kept

    return check


def drawn(*words: str) -> Callable[[bytes], None]:
    def check(data: bytes) -> None:
        assert all(each in " ".join(pages(data)) for each in words)
        assert ADDRESS not in data

    return check


WORDS = (b"Before the picture.", b"After the picture.")
CELLS = (b"name", b"city", b"Ada", b"London")
DROPPED = frozenset({"CONTENT_DROPPED"})


def linked(slug: str, check: Callable[[bytes], None], others: frozenset[str] = frozenset()) -> Vector:
    source = SAMPLES / f"linked.{slug.partition('-')[0]}"
    warnings = frozenset({"REMOTE_RESOURCE_BLOCKED"}) | others
    return Vector(
        slug, "a picture outside the file", "awkward", source.read_bytes, check=check, warnings=warnings,
        more_warnings=slug.endswith("-pdf"),
    )  # fmt: skip


VECTORS = (linked("xlsx-to-pdf", drawn("Ada", "London")), linked("ods-to-pdf", drawn("Ada", "London")))
