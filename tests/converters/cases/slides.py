"""Vectors of presentations as texts, and their pages as this service draws them itself."""

from __future__ import annotations

import zipfile
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from conversions.families.registry import CONVERTERS
from tests.converters.cases import document_texts as texts
from tests.converters.cases import office_files as files
from tests.converters.cases.document_files import docx
from tests.converters.vector import Vector

_TARGETS = ("html", "markdown", "txt", "docx")


def _says(target: str, *words: str, never: tuple[str, ...] = (), zipped: bool = False) -> Callable[[bytes], None]:
    read = texts.packed if zipped else texts.READERS[target]

    def check(data: bytes) -> None:
        seen = read(data)
        assert [each for each in words if each not in seen.text] == []
        assert [each for each in never if each in seen.text] == []
        assert seen.pictures == (0 if target == "txt" or never else 1)

    return check


def _vectors(target: str) -> tuple[Vector, ...]:
    slug = f"pptx-to-{target}"
    zipped = target == "markdown"
    words = ("Quarterly report", "Sales grew in Zürich", "東京", "1,200 units", "Second slide: thank you")
    return (
        Vector(
            slug,
            "two slides",
            "ordinary",
            files.pptx,
            check=_says(target, *words, zipped=zipped),
            warnings=frozenset({"CONTENT_DROPPED"} if target == "txt" else ()),
            output="zip" if zipped else None,
        ),
        Vector(
            slug,
            "what is hidden, outside and active",
            "awkward",
            files.pptx_awkward,
            check=_says(target, "Contract", never=("Internal only",)),
            warnings=frozenset({"CONTENT_DROPPED", "REMOTE_RESOURCE_BLOCKED", "SCRIPT_REMOVED"}),
        ),
        Vector(slug, "a Word document", "failing", docx, error="UNSUPPORTED_FORMAT"),
    )


def _picture(data: bytes, size: tuple[int, int]) -> None:
    """The picture is as large as the slide, and what is red on it is where the slide's picture is."""
    with Image.open(BytesIO(data)) as picture:
        assert picture.size == size
        seen = picture.convert("RGB").tobytes()
    red = [
        (x, y)
        for x in range(0, size[0], 5)
        for y in range(0, size[1], 5)
        if seen[3 * (y * size[0] + x)] > 200 and max(seen[3 * (y * size[0] + x) + 1 : 3 * (y * size[0] + x) + 3]) < 90
    ]
    share = size[0] / 720
    assert min(x for x, _ in red) == pytest.approx(510 * share, abs=8)
    assert max(y for _, y in red) == pytest.approx(340 * share, abs=8)


def _zipped(data: bytes) -> None:
    with zipfile.ZipFile(BytesIO(data)) as file:
        first, second = sorted(file.namelist())
        assert [Path(each).stem[-1] for each in (first, second)] == ["1", "2"]
        _picture(file.read(first), (1500, 844))


def _drawn(target: str) -> tuple[Vector, ...]:
    slug = f"pptx-to-{target}"
    return (
        Vector(slug, "two slides", "ordinary", files.pptx, check=_zipped, output="zip"),
        Vector(
            slug,
            "one slide, small",
            "ordinary",
            files.pptx,
            {"pages": "1", "dpi": 72},
            check=lambda data: _picture(data, (720, 405)),
        ),
        Vector(
            slug,
            "all slides below each other, the hidden one too",
            "awkward",
            files.pptx_awkward,
            {"hiddenSlides": True, "several": "long", "dpi": 72},
            check=lambda data: _is_size(data, (720, 810)),
            warnings=frozenset({"CONTENT_DROPPED", "REMOTE_RESOURCE_BLOCKED", "SCRIPT_REMOVED"}),
            more_warnings=True,
        ),
        Vector(slug, "no such slide", "failing", files.pptx, {"pages": "2-3"}, error="VALIDATION_ERROR"),
        Vector(slug, "cut off", "failing", lambda: files.pptx()[:-300], error="UNSUPPORTED_FORMAT"),
    )


def _is_size(data: bytes, size: tuple[int, int]) -> None:
    with Image.open(BytesIO(data)) as picture:
        assert picture.size == size


VECTORS: tuple[Vector, ...] = (
    *(vector for target in _TARGETS for vector in _vectors(target)),
    *(vector for target in ("png", "jpg") for vector in _drawn(target) if vector.slug in CONVERTERS),
)
"""All of them, but for pictures where nothing draws slides."""
