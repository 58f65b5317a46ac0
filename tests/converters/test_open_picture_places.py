"""Pictures of OpenDocument texts outside the folder "Pictures", as those that Word saves, are in every result."""

from __future__ import annotations

import io
import time
import zipfile
from pathlib import Path

import pytest

from engine.families.documents.odf import picture_places
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt
from tests.families.documents import files

_FRAME = '<draw:frame svg:width="2cm" svg:height="2cm"><draw:image xlink:href="{}"/></draw:frame>'


def _paragraph(*addresses: str) -> str:
    return f"<text:p>before {''.join(map(_FRAME.format, addresses))} after</text:p>"


@pytest.mark.parametrize("address", ["media/image1.png", "./media/image1.png", "media/image%31.png"])
def test_a_picture_of_another_folder_is_in_the_document(tmp_path: Path, address: str) -> None:
    picture = files.png()
    done = Convert(tmp_path, "odt-to-docx", odt(_paragraph(address), **{"media/image1.png": picture}))
    with zipfile.ZipFile(io.BytesIO(done.data)) as parts:
        pictures = [parts.read(name) for name in parts.namelist() if name.startswith("word/media/")]
    assert pictures == [picture]
    assert not done.codes


def test_pictures_of_one_name_stay_apart_and_previews_of_objects_where_they_are() -> None:
    content = _paragraph("a/1.png", "b/1.png", "Pictures/1.png", "./ObjectReplacements/Object 1", "lost.png").encode()
    names = ["a/1.png", "b/1.png", "Pictures/1.png", "ObjectReplacements/Object 1"]
    moved, places = picture_places.moved(content, names)
    assert sorted(places) == ["a/1.png", "b/1.png"]
    assert len({*places.values(), "Pictures/1.png"}) == 3
    assert all(f'href="{place}"'.encode() in moved for place in places.values())
    assert all(f'href="{each}"'.encode() in moved for each in ("Pictures/1.png", "lost.png"))
    assert b'"./ObjectReplacements/Object 1"' in moved


@pytest.mark.parametrize("inside", [b"a", b" ", b" x:href=", b" x:href='a'"])
def test_long_tags_take_linear_time(inside: bytes) -> None:
    started = time.process_time()
    picture_places.moved(b"<draw:image " + inside * 100_000 + b">", ["a"])
    assert time.process_time() - started < 2
