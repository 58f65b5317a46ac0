"""Fonts of PDFs made smaller: what is shown stays, by whatever way a code finds its letter, and the rest goes."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pypdfium2
import pytest
from fontTools.misc import eexec

from engine.families.pdf.tasks import type1
from tests.converters.test_pdf_compression import difference
from tests.converters.test_pdfs import convert
from tests.families.pdf import font_files as made


def program(data: bytes) -> tuple[bytes, int, int, int]:
    """The Type 1 font of a file and its three lengths."""
    with pikepdf.open(io.BytesIO(data)) as document:
        stream = document.pages[0].Resources.Font.F.FontDescriptor.FontFile
        return stream.read_bytes(), int(stream.Length1), int(stream.Length2), int(stream.Length3)


def text(data: bytes) -> str:
    found: str = pypdfium2.PdfDocument(data)[0].get_textpage().get_text_range()
    return found


@pytest.mark.parametrize("encoding", made.ENCODINGS)
@pytest.mark.parametrize("kind", made.KINDS)
def test_every_code_of_an_encoding_keeps_its_letter(tmp_path: Path, kind: str, encoding: str) -> None:
    source = made.page(kind, encoding)
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level="screen")
    assert difference(source, result) == 0
    assert text(source) == text(result)
    assert len(result) < 0.8 * len(source)


@pytest.mark.parametrize("kind", made.KINDS)
def test_a_few_letters_take_the_room_of_a_few(tmp_path: Path, kind: str) -> None:
    source = made.page(kind, "WinAnsiEncoding", "Bé²".encode("cp1252"))
    result, _ = convert(tmp_path, "pdf-to-pdf", source, level="screen")
    assert difference(source, result) == 0
    assert len(result) < 0.4 * len(source)


def test_a_type_1_font_keeps_the_parts_of_its_letters_and_says_its_lengths(tmp_path: Path) -> None:
    result, _ = convert(tmp_path, "pdf-to-pdf", made.page("Type1", "WinAnsiEncoding", b"\xe9"), level="screen")
    data, clear, hidden, zeros = program(result)
    letters = set(type1.read(data, clear)[1])
    assert letters == {
        ".notdef",
        "e",
        "acute",
        "eacute",
        "Oslash",
        "Egrave",
    }  # what the code is in other encodings, too
    assert len(data) == clear + hidden + zeros
    assert b"closefile" in eexec.decrypt(data[clear : clear + hidden], 55665)[0][-20:]
    assert data[clear + hidden :].strip(b"0\n") == b"cleartomark"


@pytest.mark.parametrize(
    "change",
    [
        lambda hidden: hidden.replace(b"/CharStrings", b"/CharStrings 1 dict dup begin end /CharStrings"),
        lambda hidden: hidden.replace(b"/MinFeature", b"/lenIV -1 def /MinFeature"),
        lambda hidden: hidden.replace(b" ND\n/other5 ", b" odd\n/other5 "),
        lambda hidden: hidden.replace(b"/other7 ", b"/other5 "),
        lambda hidden: hidden[:-3000],
    ],
)
def test_a_type_1_font_written_in_another_way_stays_whole(tmp_path: Path, change: Callable[[bytes], bytes]) -> None:
    with pikepdf.open(io.BytesIO(made.page("Type1", "WinAnsiEncoding", b"B"))) as document:
        stream = document.pages[0].Resources.Font.F.FontDescriptor.FontFile
        data, clear, length = stream.read_bytes(), int(stream.Length1), int(stream.Length2)
        hidden = eexec.decrypt(data[clear : clear + length], 55665)[0]
        assert change(hidden) != hidden
        packed = eexec.encrypt(change(hidden), 55665)[0]
        written = data[:clear] + packed + data[clear + length :]
        stream.write(written)
        stream.Length1, stream.Length2, stream.Length3 = clear, len(packed), len(data) - clear - length
        file = io.BytesIO()
        document.save(file)
    result, _ = convert(tmp_path, "pdf-to-pdf", file.getvalue(), level="screen")
    assert program(result) == (written, clear, len(packed), len(data) - clear - length)
