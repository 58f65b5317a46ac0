"""Vectors of slides drawn as pictures."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from tests.converters.vector import Vector, fail, refuse
from tests.families.libreoffice import files


def _is_size(data: bytes, size: tuple[int, int]) -> None:
    with Image.open(BytesIO(data)) as picture:
        assert picture.size == size


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
            lambda data: _picture(data, (720, 405)),
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
        refuse(slug, "no such slide", files.pptx, pages="2-3"),
        fail(slug, "cut off", lambda: files.pptx()[:-300]),
    )


VECTORS: tuple[Vector, ...] = (*_drawn("png"), *_drawn("jpg"))
