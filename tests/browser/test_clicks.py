"""From the first page to the file in no more clicks than the best of the others takes."""

from __future__ import annotations

import io
from typing import Any

import pypdf
import pytest
from PIL import Image

from benchmarks.clicks import WISHES, Wish, count
from tests.conftest import Person

PAGES = {"one JPG to PDF": 1, "three photos to one PDF": 3, "two PDFs merged": 3}
PICTURES = {"gif": "GIF", "jpg": "JPEG", "webp": "WEBP"}
WORSE = {"a smaller JPG"}
"""Squoosh compresses a picture as soon as it is chosen, which costs nothing there."""


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("wish", WISHES, ids=lambda wish: wish.name)
def test_no_other_converter_takes_fewer_clicks(visit: Any, guest: Person, wish: Wish, width: int) -> None:
    page = visit("/", viewport={"width": width, "height": 800})
    clicks, made, name = count(page, wish)
    assert clicks <= (4 if wish.output else 3)
    assert (clicks > wish.best) == (wish.name in WORSE)
    extension = name.rpartition(".")[2]
    if extension in PICTURES:
        with Image.open(io.BytesIO(made)) as picture:
            assert picture.format == PICTURES[extension]
    else:
        pages = len(pypdf.PdfReader(io.BytesIO(made)).pages)
        assert pages == PAGES.get(wish.name, pages) > 0
