"""A ZIP archive that another reader may take for another one is refused; ordinary prefixes and comments are not."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from engine.families.libreoffice.outside import without_addresses
from engine.toolkit import archive, office_links
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import ODG, ODP, ODT
from engine.toolkit.warnings import Warn
from tests.families.libreoffice.files import with_two_directories

_END = 22
_RELATIONS = (
    '<?xml version="1.0" encoding="{encoding}"?>{declared}<Relationships xmlns="http://schemas.openxmlformats.org/'
    'package/2006/relationships"><Relationship Id="a" Type="a/image" {more}/></Relationships>'
)
_OUTSIDE = 'Target="file:///etc/passwd" TargetMode="External"'


def packed(*names: str, comment: bytes = b"") -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name in names or ("a.xml", "b.xml"):
            made.writestr(name, f"<{name[0]}/>" * 9)
        made.comment = comment
    return out.getvalue()


def moved(data: bytes, by: int) -> bytes:
    """The archive for a reader that counts from the start of the file, `by` bytes before it."""
    out = bytearray(data)
    with zipfile.ZipFile(io.BytesIO(data)) as made:
        at = made.start_dir
        for each in made.infolist():
            out[at + 42 : at + 46] = struct.pack("<I", each.header_offset + by)
            at += 46 + len(each.filename)
    end = len(data) - _END
    out[end + 16 : end + 20] = struct.pack("<I", struct.unpack("<I", out[end + 16 : end + 20])[0] + by)
    return bytes(out)


def changed(data: bytes, at: int, value: bytes) -> bytes:
    return data[:at] + value + data[at + len(value) :]


def checked(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "a.zip").write_bytes(data)
    archive.preflight(tmp_path / "a.zip")


ONE, OTHER = packed("a.xml"), packed("a.xml", "c.xml")
AMBIGUOUS = {
    "another archive before it": OTHER + ONE,
    "another archive in the comment": packed(comment=OTHER),
    "another last record in the comment": packed(comment=ONE[-_END:]),
    "another record of large archives": with_two_directories(OTHER, "a.xml", b"<d/>"),
    "an entry that the count leaves out": changed(OTHER, len(OTHER) - _END + 8, struct.pack("<HH", 1, 1)),
    "an entry packed otherwise than listed": changed(ONE, 8, struct.pack("<H", 0)),
    "an entry of another size than listed": changed(ONE, 22, struct.pack("<I", 3)),
}
PLAIN = {
    "as usual": ONE,
    "with a comment": packed(comment=b"made by hand"),
    "with a program before it": b"#!/bin/sh\nexec unzip $0\n" + ONE,
    "with a program before it that it counts from": b"MZ" * 90 + moved(ONE, 180),
    "with entries before it that are not listed any more": OTHER + moved(ONE, len(OTHER)),
    "with bytes behind it": ONE + b"\0" * 40,
    "in another": None,
}


@pytest.mark.parametrize("name", AMBIGUOUS)
def test_an_archive_that_is_another_to_others_is_damaged(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unreadable) as refused:
        checked(tmp_path, AMBIGUOUS[name])
    assert refused.value.reason == "damaged"


@pytest.mark.parametrize("name", PLAIN)
def test_an_ordinary_archive_is_read(tmp_path: Path, name: str) -> None:
    data = PLAIN[name]
    if data is None:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as made:
            made.writestr("inner.zip", OTHER)
        data = out.getvalue()
    checked(tmp_path, data)


def test_an_archive_written_in_one_go_is_read(tmp_path: Path) -> None:
    """Sizes are then behind each entry, and large ones in the record of large archives."""

    class Pipe(io.BytesIO):
        def seekable(self) -> bool:
            return False

        def seek(self, *_: int) -> int:
            raise OSError

        def tell(self) -> int:
            raise OSError

    out = Pipe()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        with made.open("a.xml", "w", force_zip64=True) as part:
            part.write(b"<a/>")
    checked(tmp_path, out.getvalue())


def related(text: bytes) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        made.writestr("_rels/.rels", text)
    return out.getvalue()


_ENTITY = '<!DOCTYPE a [<!ENTITY e "External">]>'
_DEFAULT = f"<!DOCTYPE a [<!ATTLIST Relationship {_OUTSIDE.replace('=', ' CDATA ')}>]>"
HIDDEN: dict[str, Callable[[], bytes]] = {
    "an entity": lambda: _RELATIONS.format(
        encoding="UTF-8", declared=_ENTITY, more='Target="file:///a" TargetMode="&e;"'
    ).encode(),
    "a default": lambda: _RELATIONS.format(encoding="UTF-8", declared=_DEFAULT, more="").encode(),
    "an entity in UTF-16": lambda: _RELATIONS.format(encoding="UTF-16", declared=_ENTITY, more="").encode("utf-16"),
    "UTF-7": lambda: _RELATIONS.format(encoding="UTF-7", declared="", more=_OUTSIDE).encode(),
    "EBCDIC": lambda: _RELATIONS.format(encoding="cp037", declared="", more=_OUTSIDE).encode("cp037"),
}


@pytest.mark.parametrize("name", HIDDEN)
def test_relationships_that_hide_an_address_are_damaged(tmp_path: Path, name: str) -> None:
    with pytest.raises(Unreadable) as refused:
        checked(tmp_path, related(HIDDEN[name]()))
    assert refused.value.reason == "damaged"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be"])
def test_an_address_is_found_in_every_encoding_of_relationships(encoding: str) -> None:
    text = _RELATIONS.format(encoding=encoding[:6].rstrip("-"), declared="", more=_OUTSIDE).encode(encoding)
    assert list(office_links.external_addresses("_rels/.rels", text)) == ["file:///etc/passwd"]


_CONTENT = (
    '<a xmlns:draw="d" xmlns:x="l">{0}<draw:a x:href="file:///b"/><draw:image x:href="Pictures/a.png"/>'
    '<draw:object x:href="./Object 1"/></a>'
)


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "&#102;ile:///a",
        "../a.png",
        "/etc/passwd",
        "%2e%2e/a",
        "vnd.a:b",
        "https://a.example/b.png",
    ],
)
@pytest.mark.parametrize("format", [ODT, ODP, ODG])
def test_what_is_shown_of_another_file_loses_its_address(tmp_path: Path, address: str, format: object) -> None:
    inner = f"<draw:object b='>' x:href = '{address}'/><draw:image x:href=\"{address}\"><b/></draw:image>"
    source = tmp_path / "a.odp"
    with zipfile.ZipFile(source, "w") as made:
        made.writestr("content.xml", _CONTENT.format(inner))
    with zipfile.ZipFile(without_addresses(source, format, Warn())) as copy:  # type: ignore[arg-type]
        text = copy.read("content.xml").decode()
    assert text == _CONTENT.format('<draw:object b=\'>\' x:href = ""/><draw:image x:href=""><b/></draw:image>')
