"""Pictures in EMF and WMF within documents: drawn in pages, files of SVG beside Markdown and in books."""

from __future__ import annotations

import base64
import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path

import pypdf
import pytest

from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt
from tests.converters.test_slides import deck
from tests.families.documents.files import PICTURE, word
from tests.families.images import metafiles as files

_WORDS = files.emf(files.font(1, "Arial"), files.text(2, 4, "Aa"), files.record(200), size=(300, 100))
"""A text, and a record that nothing draws."""


def _word(data: bytes, ending: str = "emf") -> bytes:
    body = "<w:p><w:r><w:t>Before</w:t></w:r></w:p>" + PICTURE
    return word(body, {"rPicture": ("image", f"media/image1.{ending}", data)})


def _slides() -> bytes:
    shape = (
        '<p:pic><p:nvPicPr><p:cNvPr id="1" name="x"/></p:nvPicPr><p:blipFill><a:blip r:embed="i"/></p:blipFill>'
        '<p:spPr><a:xfrm><a:off x="0" y="0"/><a:ext cx="4000000" cy="900000"/></a:xfrm></p:spPr></p:pic>'
    )
    return deck(shape, {"ppt/media/i.emf": _WORDS}, ("i", "image", "../media/i.emf"))


def _text() -> bytes:
    frame = (
        '<text:p>Before<draw:frame text:anchor-type="as-char" svg:width="3cm" svg:height="1cm">'
        '<draw:image xlink:href="Pictures/a.emf"/></draw:frame></text:p>'
    )
    return odt(frame, **{"Pictures__a.emf": _WORDS})


def _rich() -> bytes:
    return (r"{\rtf1\ansi\pard Before {\pict\emfblip\picwgoal1200\pichgoal600 " + _WORDS.hex() + r"}\par}").encode()


SOURCES = {"docx": lambda: _word(_WORDS), "pptx": _slides, "odt": _text, "rtf": _rich}


@pytest.mark.parametrize("input", SOURCES)
def test_metafiles_are_drawn_in_web_pages_and_what_they_lack_is_counted(tmp_path: Path, input: str) -> None:
    done = Convert(tmp_path, f"{input}-to-html", SOURCES[input]())
    drawn = re.findall(r"data:image/svg\+xml;base64,([^\"]+)", done.text)
    assert [b">Aa</text>" in base64.b64decode(each) for each in drawn] == [True]
    assert "left out: 1." in done.messages
    assert "CONTENT_DROPPED" in done.codes


@pytest.mark.skipif(HTML_PDF is not PLUTOPRINT, reason="only PlutoPrint draws office pages")
@pytest.mark.parametrize("input", ["docx", "odt", "rtf"])
def test_the_words_of_metafiles_are_text_in_a_pdf(tmp_path: Path, input: str) -> None:
    done = Convert(tmp_path, f"{input}-to-pdf", SOURCES[input]())
    (page,) = pypdf.PdfReader(io.BytesIO(done.data)).pages
    assert "Aa" in page.extract_text().replace(" ", "")


@pytest.mark.parametrize("input", ["docx", "odt", "pptx", "rtf"])
def test_metafiles_are_files_of_svg_beside_markdown(tmp_path: Path, input: str) -> None:
    done = Convert(tmp_path, f"{input}-to-markdown", SOURCES[input]())
    with zipfile.ZipFile(io.BytesIO(done.data)) as parts:
        (name,) = (each for each in parts.namelist() if each.endswith(".svg"))
        assert b">Aa</text>" in parts.read(name)
        assert name.encode() in parts.read("document.md")
    assert "left out: 1." in done.messages


@pytest.mark.parametrize("input", ["docx", "odt", "rtf"])
def test_metafiles_are_drawings_in_a_book(tmp_path: Path, input: str) -> None:
    done = Convert(tmp_path, f"{input}-to-epub", SOURCES[input]())
    with zipfile.ZipFile(io.BytesIO(done.data)) as parts:
        (name,) = (each for each in parts.namelist() if each.endswith(".svg"))
        assert b">Aa</text>" in parts.read(name)


def _of_windows(kind: str, data: bytes) -> bytes:
    """A text with a picture, and one in its place for old readers."""
    size = r"\picwgoal1200\pichgoal600"
    return (
        rf"{{\rtf1\ansi\pard Before {{\*\shppict{{\pict{{\*\picprop{{\sp{{\sn a}}{{\sv b}}}}}}\{kind}{size}"
        rf"{{\*\blipuid 00ff00ff}} {data.hex()}}}}}{{\nonshppict{{\pict\wmetafile8{size} {data.hex()}}}}}\par}}"
    ).encode()


@pytest.mark.parametrize("kind", ["wmetafile8", "emfblip"])
def test_metafiles_of_rtf_are_drawn_once_and_stay_themselves_in_documents(tmp_path: Path, kind: str) -> None:
    data = files.photo_wmf()[22:] if kind == "wmetafile8" else _WORDS
    source = _of_windows(kind, data)
    for output, ending in (("markdown", ".svg"), ("epub", ".svg"), ("docx", ".wmf" if kind[0] == "w" else ".emf")):
        folder = tmp_path / output
        folder.mkdir()
        done = Convert(folder, f"rtf-to-{output}", source)
        with zipfile.ZipFile(io.BytesIO(done.data)) as parts:
            (name,) = (each for each in parts.namelist() if each.endswith(ending))
            assert ending == ".svg" or parts.read(name).endswith(data)
        assert "icture" not in done.messages, output


def test_a_damaged_metafile_of_rtf_is_named(tmp_path: Path) -> None:
    done = Convert(tmp_path, "rtf-to-epub", _of_windows("emfblip", _WORDS[:60]))
    assert "Pictures in formats that the output can't show were left out: 1 (image/x-emf)." in done.messages


@pytest.mark.parametrize(
    ("make", "ending"), [(lambda: files.packed(_WORDS), "emz"), (files.photo_wmf, "wmf"), (lambda: _WORDS, "bin")]
)
def test_compressed_ones_and_those_of_windows_are_drawn(tmp_path: Path, make: Callable[[], bytes], ending: str) -> None:
    done = Convert(tmp_path, "docx-to-html", _word(make(), ending))
    assert done.text.count("data:image/svg+xml;base64,") == 1


def test_a_damaged_one_is_counted_as_a_lost_picture(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-html", _word(_WORDS[:200]))
    assert "data:image" not in done.text
    assert "damaged or in formats" in done.messages


def test_one_picture_shown_twice_is_counted_once(tmp_path: Path) -> None:
    body = PICTURE * 2
    done = Convert(tmp_path, "docx-to-html", word(body, {"rPicture": ("image", "media/image1.emf", _WORDS)}))
    assert done.text.count("data:image/svg+xml;base64,") == 2
    assert "left out: 1." in done.messages
