"""Pages whose resources name one object again and again keep their pictures and fonts."""

from __future__ import annotations

import zlib
from pathlib import Path

import pypdfium2
import pytest

from engine.conversion import convert
from engine.families.pdf.read import opened
from engine.toolkit.failures import Unreadable

PICTURE = (
    b"<</Type/XObject/Subtype/Image/Width 1/Height 1/ColorSpace/DeviceRGB/BitsPerComponent 8/Length 3>>\n"
    b"stream\n\xff\0\0\nendstream"
)
CONTENT = b"q 100 0 0 100 0 0 cm /x5 Do Q BT /F1 12 Tf 10 150 Td (Hello words) Tj ET\n"
PACKED = (1, 2, 3, 6)


def objects() -> dict[int, bytes]:
    font = b"<</F1<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>>>"
    return {
        1: b"<</Type/Catalog/Pages 2 0 R>>",
        2: b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        3: b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 5 0 R/Resources 6 0 R>>",
        4: PICTURE,
        5: b"<</Length %d>>\nstream\n%bendstream" % (len(CONTENT), CONTENT),
        6: b"<</Font" + font + b"/XObject<<" + b"/x5 4 0 R " * 12 + b">>>>",
    }


def plain(made: dict[int, bytes] | None = None) -> bytes:
    """A file with a table of references."""
    out, places = b"%PDF-1.5\n", []
    for number, content in (made or objects()).items():
        places.append(len(out))
        out += b"%d 0 obj\n%b\nendobj\n" % (number, content)
    table = b"".join(b"%010d 00000 n \n" % each for each in places)
    return out + (
        b"xref\n0 7\n0000000000 65535 f \n%btrailer\n<</Size 7/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n"
        % (table, len(out))
    )


def packed() -> bytes:
    """A file with an object stream and a stream of references (ISO 32000-1, 7.5.7 and 7.5.8)."""
    made, out, places = objects(), b"%PDF-1.5\n", {}
    for number in (4, 5):
        places[number] = len(out)
        out += b"%d 0 obj\n%b\nendobj\n" % (number, made[number])
    head = body = b""
    for number in PACKED:
        head += b"%d %d " % (number, len(body))
        body += made[number] + b" "
    data, places[7] = zlib.compress(head + body), len(out)
    kind = b"<</Type/ObjStm/N 4/First %d/Filter/FlateDecode/Length %d>>" % (len(head), len(data))
    out += b"7 0 obj\n%b\nstream\n%b\nendstream\nendobj\n" % (kind, data)
    places[8], rows = len(out), b"\0" * 5
    for number in range(1, 9):
        inside = number in PACKED
        place = 7 if inside else places[number]
        rows += bytes([1 + inside]) + place.to_bytes(3, "big") + bytes([PACKED.index(number) if inside else 0])
    table = zlib.compress(rows)
    kind = b"<</Type/XRef/Size 9/W[1 3 1]/Root 1 0 R/Filter/FlateDecode/Length %d>>" % len(table)
    return out + b"8 0 obj\n%b\nstream\n%b\nendstream\nendobj\nstartxref\n%d\n%%%%EOF\n" % (kind, table, places[8])


@pytest.mark.parametrize("operation", ["rotate", "compress", "archive"])
@pytest.mark.parametrize("data", [plain(), packed()], ids=["plain", "packed"])
def test_a_picture_that_is_named_twelve_times_is_kept(tmp_path: Path, data: bytes, operation: str) -> None:
    source = tmp_path / "input.pdf"
    source.write_bytes(data)
    result = convert(source, tmp_path / "output.pdf", sandbox=False, operation=operation)
    with pypdfium2.PdfDocument(result.path) as document:
        page = document[0]
        kinds = [each.type for each in page.get_objects()]
        assert kinds == [pypdfium2.raw.FPDF_PAGEOBJ_IMAGE, pypdfium2.raw.FPDF_PAGEOBJ_TEXT]
        assert page.get_textpage().get_text_range() == "Hello words"
    assert "CONTENT_DROPPED" not in {each.code for each in result.warnings}


@pytest.mark.parametrize("operation", ["rotate", "compress"])
def test_an_object_that_is_given_up_is_named(tmp_path: Path, operation: str) -> None:
    faults = b"".join(b"/z%d no%d " % (at, at) for at in range(12))
    source = tmp_path / "input.pdf"
    source.write_bytes(plain({**objects(), 6: b"<</XObject<</x5 4 0 R>>" + faults + b">>"}))
    result = convert(source, tmp_path / "output.pdf", sandbox=False, operation=operation)
    (lost,) = (each for each in result.warnings if each.code == "CONTENT_DROPPED")
    assert "1 (object 6 0)" in str(lost.message)


def test_an_empty_file_is_unreadable(tmp_path: Path) -> None:
    source = tmp_path / "input.pdf"
    source.write_bytes(b"")
    with pytest.raises(Unreadable), opened(source, None):
        pass
