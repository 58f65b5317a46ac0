"""Word and PowerPoint files of 97 to 2003, and OpenDocument slides, read without LibreOffice."""

from __future__ import annotations

import struct
import zipfile
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import olefile
import pytest

from engine.families import auditing
from engine.families.documents.old_office import word_document
from engine.families.documents.old_office.pictures import Record, picture
from engine.families.documents.old_office.sprms import read
from engine.families.documents.slides import old_document, open_document
from engine.toolkit.failures import InvalidOption, Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.engines import OWN
from tests.converters.vector import SAMPLES, Vector
from tests.families.documents.old_office.vectors import ALTERNATIVE_VECTORS, reviewed
from tests.families.documents.slides.vectors import OTHERS, ppt
from tests.families.images import metafiles
from tests.families.libreoffice import files

_EVERY = [each for each in (*ALTERNATIVE_VECTORS, *OTHERS) if each.slug in OWN]


def converted(folder: Path, slug: str, data: bytes, **options: Any) -> tuple[bytes, set[str]]:
    """The result of our own converter, whether or not it is the slug's, and the codes of its warnings."""
    converter = OWN[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    warn = Warn()
    auditing.run(converter, source, target, build(converter.options, options), warn)
    return target.read_bytes(), {each.code for each in warn.warnings}


@pytest.mark.parametrize("vector", _EVERY, ids=[each.id for each in _EVERY])
def test_our_own_readers_give_what_the_vector_demands(vector: Vector, tmp_path: Path) -> None:
    if vector.error:
        with pytest.raises(InvalidOption if vector.error == "VALIDATION_ERROR" else Unreadable):
            converted(tmp_path, vector.slug, vector.source(), **vector.options)
        return
    data, codes = converted(tmp_path, vector.slug, vector.source(), **vector.options)
    assert vector.check is not None
    vector.check(data)
    assert vector.warnings <= codes if vector.more_warnings else vector.warnings == codes


def changed(data: bytes, stream: str, change: Callable[[bytearray], None]) -> bytes:
    """A compound file in which a stream of the same length has other bytes."""
    with olefile.OleFileIO(BytesIO(data)) as file:
        content = bytearray(file.openstream(stream).read())
    change(content)
    made = BytesIO(data)
    with olefile.OleFileIO(made, write_mode=True) as file:
        file.write_stream(stream, bytes(content))
    return made.getvalue()


def put(place: int, form: str, *values: int) -> Callable[[bytearray], None]:
    return lambda content: struct.pack_into(form, content, place, *values)


def table(data: bytes) -> tuple[str, int]:
    """The table stream of a Word document, and where its pieces are in it ([MS-DOC], 2.5.2 and 2.8.35)."""
    with olefile.OleFileIO(BytesIO(data)) as file:
        head = file.openstream("WordDocument").read()
    (flags,) = struct.unpack_from("<H", head, 0x0A)
    (place,) = struct.unpack_from("<I", head, 0x1A2)
    return "1Table" if flags & 0x0200 else "0Table", place


def docx_of(folder: Path, data: bytes) -> zipfile.ZipFile:
    source, target = folder / "input.doc", folder / "made.docx"
    source.write_bytes(data)
    word_document.to_docx(source, target, Warn())
    return zipfile.ZipFile(target)


def refused(folder: Path, data: bytes) -> str:
    with pytest.raises(Unreadable) as raised:
        docx_of(folder, data)
    return raised.value.reason


def test_a_document_protected_by_a_password_is_refused_as_such(tmp_path: Path) -> None:
    locked = changed(reviewed(), "WordDocument", lambda head: head.__setitem__(0x0B, head[0x0B] | 0x01))
    assert refused(tmp_path, locked) == "password"


def test_a_document_of_an_older_version_is_refused_as_such(tmp_path: Path) -> None:
    assert refused(tmp_path, changed(reviewed(), "WordDocument", put(2, "<H", 101))) == "unsupported_feature"


def test_a_piece_outside_the_file_is_damage(tmp_path: Path) -> None:
    name, place = table(reviewed())
    (size,) = struct.unpack_from("<I", stream(reviewed(), name), place + 1)
    pieces = (size - 4) // 12
    first = place + 5 + 4 * (pieces + 1) + 2
    assert refused(tmp_path, changed(reviewed(), name, put(first, "<I", 0x3FFFFFF0))) == "damaged"


def test_a_piece_of_four_billion_characters_is_damage(tmp_path: Path) -> None:
    name, place = table(reviewed())
    assert refused(tmp_path, changed(reviewed(), name, put(place + 9, "<I", 0xFFFFFFF0))) == "damaged"


def test_stories_longer_than_the_text_end_with_it(tmp_path: Path) -> None:
    long = changed(reviewed(), "WordDocument", put(0x4C, "<8I", *[0xFFFFFFFF] * 8))
    with docx_of(tmp_path, long) as parts:
        assert b"Contract" in parts.read("word/document.xml")


def test_names_of_streams_are_found_in_any_case(tmp_path: Path) -> None:
    written = "WordDocument".encode("utf-16-le")
    assert written in reviewed()
    with docx_of(tmp_path, reviewed().replace(written, "WORDDOCUMENT".encode("utf-16-le"))) as parts:
        assert b"Contract" in parts.read("word/document.xml")


def test_a_short_file_is_no_path(tmp_path: Path) -> None:
    (tmp_path / "input.doc").write_bytes(b"/etc/hostname")
    with pytest.raises(Unreadable):
        word_document.to_docx(tmp_path / "input.doc", tmp_path / "made.docx", Warn())


def stream(data: bytes, name: str) -> bytes:
    with olefile.OleFileIO(BytesIO(data)) as file:
        content: bytes = file.openstream(name).read()
    return content


def test_styles_lists_tables_and_notes_are_those_of_the_file(tmp_path: Path) -> None:
    with docx_of(tmp_path, (SAMPLES / "report.doc").read_bytes()) as parts:
        text, styles = parts.read("word/document.xml"), parts.read("word/styles.xml")
        notes, media = parts.read("word/footnotes.xml"), [each for each in parts.namelist() if "/media/" in each]
    assert text.count(b"<w:tbl>") == 1
    assert text.count(b"<w:tr>") == 3
    assert text.count(b"<w:footnoteReference ") == 1
    assert b"Audited figures" in notes
    assert b'<w:name w:val="heading 1"/>' in styles
    assert [each.rpartition(".")[2] for each in media] == ["png"]


def test_tracked_changes_of_old_documents_are_rejected_or_shown_if_asked(tmp_path: Path) -> None:
    found = {
        changes: converted(tmp_path, "doc-to-txt", reviewed(), trackChanges=changes)[0].decode()
        for changes in ("accept", "reject")
    }
    assert found["accept"] != found["reject"]
    assert "1000" in found["accept"]


def edit(data: bytes) -> int:
    """Where the last edit of a presentation is ([MS-PPT], 2.3.2)."""
    place: int = struct.unpack_from("<I", stream(data, "Current User"), 16)[0]
    return place


def slides_refused(folder: Path, data: bytes) -> str:
    (folder / "input.ppt").write_bytes(data)
    with pytest.raises(Unreadable) as raised:
        old_document.to_pptx(folder / "input.ppt", folder / "made.pptx", Warn())
    return raised.value.reason


def test_a_presentation_protected_by_a_password_is_refused_as_such(tmp_path: Path) -> None:
    assert slides_refused(tmp_path, changed(ppt(), "Current User", put(12, "<I", 0xF3D1C4DF))) == "password"


def test_edits_that_lead_to_each_other_end(tmp_path: Path) -> None:
    at = edit(ppt())
    looped = changed(ppt(), "PowerPoint Document", put(at + 8 + 8, "<I", at))
    assert b"Quarterly report" in converted(tmp_path, "ppt-to-txt", looped)[0]


def test_an_edit_outside_the_file_is_damage(tmp_path: Path) -> None:
    assert slides_refused(tmp_path, changed(ppt(), "Current User", put(16, "<I", 0xFFFFFFF0))) == "damaged"


def test_a_directory_of_more_objects_than_it_has_room_for_is_read_to_its_end(tmp_path: Path) -> None:
    (directory,) = struct.unpack_from("<I", stream(ppt(), "PowerPoint Document"), edit(ppt()) + 8 + 12)
    (packed,) = struct.unpack_from("<I", stream(ppt(), "PowerPoint Document"), directory + 8)
    long = changed(ppt(), "PowerPoint Document", put(directory + 8, "<I", packed | 0xFFF00000))
    assert b"Quarterly report" in converted(tmp_path, "ppt-to-txt", long)[0]


def test_pictures_that_unpack_to_very_much_are_none() -> None:
    packed = zlib.compress(bytes(60_000_000))
    head = bytes(16) + bytes(34)
    record = Record(0xF01A, 0x3D4, 0, len(head) + len(packed), contains=False)
    assert picture(head + packed, record) is None


def test_modifiers_that_are_cut_off_end_the_list() -> None:
    assert list(read(b"\x35\x08\x01\x36\x08")) == [(0x0835, b"\x01")]
    assert list(read(b"\x35\x08\x01\x15\xc6\xff")) == [(0x0835, b"\x01")]


def with_page(added: str, **pictures: bytes) -> bytes:
    """A presentation of OpenDocument whose first page ends in this."""
    with zipfile.ZipFile(BytesIO(files.odp())) as parts:
        content = {name: parts.read(name) for name in parts.namelist()}
    page = content["content.xml"].decode().replace("</draw:page>", added, 1)
    for prefix, name in (("table", "table"), ("presentation", "presentation")):
        if f"xmlns:{prefix}=" not in page:
            space = f' xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
            page = page.replace("<office:document-content", "<office:document-content" + space, 1)
    made = BytesIO()
    with zipfile.ZipFile(made, "w") as parts:
        for name, data in (content | pictures | {"content.xml": page.encode()}).items():
            parts.writestr(name, data)
    return made.getvalue()


def test_speaker_notes_and_tables_of_opendocument_slides_are_kept(tmp_path: Path) -> None:
    table = (
        '<draw:frame svg:x="1cm" svg:y="5cm" svg:width="9cm" svg:height="2cm"><table:table><table:table-column '
        'table:number-columns-repeated="2"/><table:table-row><table:table-cell><text:p>North</text:p></table:table-cell>'
        "<table:table-cell><text:p>1,200</text:p></table:table-cell></table:table-row></table:table></draw:frame>"
    )
    notes = (
        '<presentation:notes><draw:frame presentation:class="notes"><draw:text-box><text:p>Breathe first</text:p>'
        "</draw:text-box></draw:frame></presentation:notes></draw:page>"
    )
    made = with_page(table + notes)
    text = converted(tmp_path, "odp-to-markdown", made)[0].decode()
    assert "| North | 1,200 |" in " ".join(text.split())
    assert "Breathe first" in text


@pytest.mark.parametrize(
    ("form", "preset", "counted"),
    [
        ("ooxml-star16", "star16", 0), ("smiley", "smileyFace", 0), ("round-rectangle", "roundRect", 0),
        ("mso-spt100", "rect", 1),
    ],
)  # fmt: skip
def test_shapes_of_opendocument_slides_keep_their_form_or_are_counted(
    tmp_path: Path, form: str, preset: str, counted: int
) -> None:
    place = 'svg:x="1cm" svg:y="1cm" svg:width="4cm" svg:height="3cm"'
    shape = (
        f'<draw:custom-shape draw:style-name="red" {place}><text:p/><draw:enhanced-geometry draw:type="{form}"/>'
        "</draw:custom-shape>"
    )
    source, target, warn = tmp_path / "input.odp", tmp_path / "made.pptx", Warn()
    source.write_bytes(with_page(f"{shape}</draw:page>"))
    open_document.to_pptx(source, target, warn)
    with zipfile.ZipFile(target) as parts:
        assert f'prst="{preset}"' in parts.read("ppt/slides/slide1.xml").decode()
    assert sum("became boxes: 1" in str(each.message) for each in warn.warnings) == counted


@pytest.mark.parametrize(("number", "preset"), [(92, "star24"), (8, "trapezoid"), (16, "cube")])
def test_shapes_of_old_slides_keep_their_form(tmp_path: Path, number: int, preset: str) -> None:
    def turn(data: bytearray) -> None:
        at = 0
        while (at := data.find(b"\x0a\xf0\x08\x00\x00\x00", at + 1)) > 0:  # the record of each shape
            struct.pack_into("<H", data, at - 2, number << 4 | 2)

    source, target = tmp_path / "input.ppt", tmp_path / "made.pptx"
    source.write_bytes(changed(ppt(), "PowerPoint Document", turn))
    old_document.to_pptx(source, target, Warn())
    with zipfile.ZipFile(target) as parts:
        slide = parts.read("ppt/slides/slide1.xml").decode()
    assert f'prst="{preset}"' in slide
    assert ('flipV="1"' in slide) == (number == 8)


def test_metafiles_of_opendocument_slides_are_drawn(tmp_path: Path) -> None:
    frame = (
        '<draw:frame svg:x="1cm" svg:y="1cm" svg:width="4cm" svg:height="3cm"><draw:image xlink:href="a.emf"/>'
        "</draw:frame></draw:page>"
    )
    drawing = metafiles.emf(metafiles.font(1, "Arial"), metafiles.text(2, 4, "Aa"), size=(300, 100))
    for data, drawn in ((drawing, 1), (b"noise", 0)):
        warn, source, target = Warn(), tmp_path / "input.odp", tmp_path / "output.html"
        source.write_bytes(with_page(frame, **{"a.emf": data}))
        converter = OWN["odp-to-html"]
        auditing.run(converter, source, target, build(converter.options, {}), warn)
        assert target.read_bytes().count(b"data:image/svg+xml") == drawn
        assert sum("pictures" in str(each.message) for each in warn.warnings) == 1 - drawn
