"""Hostile files, made by generators: what each tries, and which conversion it is sent to."""

from __future__ import annotations

import io
import random
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache

from PIL import Image

from engine.families.registry import CONVERTERS
from engine.toolkit.options import describe
from tests.families.images import files as pictures
from tests.families.images import metafiles
from tests.families.libreoffice import files as office_files
from tests.hostile.bombs import BOMBS, SLOW_BOMBS
from tests.hostile.families import FILES

EMPTY = ""


@dataclass(frozen=True)
class Hostile:
    """One hostile file; `slow` ones, which run into the time limit or are many, are for the soak alone."""

    name: str
    slug: str
    make: Callable[[], bytes]
    filename: str | None = None
    slow: bool = False
    options: tuple[tuple[str, str], ...] = ()


def _metafiles() -> Iterator[Hostile]:
    for id, good in (("emf", metafiles.photo_emf), ("wmf", metafiles.photo_wmf)):
        for output in ("svg", "png", "pdf"):
            for share in (0.1, 0.5, 0.95):
                yield Hostile(
                    f"{id} cut at {share:.0%} for {output}", f"{id}-to-{output}",
                    lambda g=good, s=share: g()[: int(len(g()) * s)],
                )  # fmt: skip
            for seed in range(4):
                yield Hostile(
                    f"{id} with flipped bytes {seed} for {output}", f"{id}-to-{output}",
                    lambda g=good, n=seed: _flipped(g(), n),
                )  # fmt: skip
    fill = metafiles.filled(0, 0, 9, 9)
    yield Hostile(
        "emf of a million records", "emf-to-svg", lambda: metafiles.emf(*[metafiles.record(200)] * 10**6, fill)
    )
    yield Hostile("emf of 90,000 fills", "emf-to-png", lambda: metafiles.emf(*[fill] * 90_000))
    yield Hostile(
        "emf of 20 km", "emf-to-png", lambda: metafiles.emf(fill, frame=(2**31 - 1, 2**31 - 1))
    )  # fmt: skip


def _pictures() -> Iterator[Hostile]:
    for format, save in (
        ("png", "PNG"), ("jpg", "JPEG"), ("webp", "WEBP"), ("avif", "AVIF"), ("gif", "GIF"),
        ("bmp", "BMP"), ("tiff", "TIFF"), ("ico", "ICO"), ("heic", ""),
        ("jp2", "JPEG2000"), ("tga", "TGA"), ("qoi", "QOI"), ("pcx", "PCX"), ("dds", "DDS"), ("icns", "ICNS"),
        ("ppm", "PPM"), ("sgi", "SGI"),
    ):  # fmt: skip
        slug = f"{format}-to-png" if format != "png" else "png-to-jpg"

        def good(save: str = save) -> bytes:
            if not save:
                return pictures.heic("words")
            out = io.BytesIO()
            Image.effect_noise((64, 64), 60).convert("RGB").save(out, save)
            return out.getvalue()

        for share in (0.1, 0.5, 0.95):
            yield Hostile(f"{format} cut at {share:.0%}", slug, lambda g=good, s=share: g()[: int(len(g()) * s)])
        for seed in range(4):
            yield Hostile(f"{format} with flipped bytes {seed}", slug, lambda g=good, n=seed: _flipped(g(), n))
        yield Hostile(
            f"{format} with noise behind its mark", slug, lambda g=good: g()[:16] + random.Random(1).randbytes(5_000)
        )
        yield Hostile(f"{format} with rubbish behind it", slug, lambda g=good: g() + b"\x00<script>" * 1_000)
    yield Hostile(
        "eps named png", "png-to-jpg", lambda: b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 9 9\n(/etc/passwd) run\n"
    )
    yield Hostile("png of 60,000 by 60,000", "png-to-jpg", lambda: _png(60_000, 60_000))
    yield Hostile("png of 2 billion by 1", "png-to-webp", lambda: _png(2**31 - 1, 1))
    yield Hostile(
        "png with a text bomb",
        "png-to-jpg",
        lambda: _png(1, 1, extra=_chunk(b"zTXt", b"a\0\0" + zlib.compress(b"x" * 100_000_000))),
    )
    yield Hostile(
        "png with a profile bomb",
        "png-to-jpg",
        lambda: _png(1, 1, extra=_chunk(b"iCCP", b"a\0\0" + zlib.compress(b"\0" * 50_000_000))),
    )
    yield Hostile("gif of 5,000 frames", "gif-to-webp", lambda: _gif(5_000))
    yield Hostile(
        "gif of a huge screen", "gif-to-png", lambda: _gif(1)[:6] + struct.pack("<HH", 65_535, 65_535) + _gif(1)[10:]
    )
    yield Hostile("ico in ico", "ico-to-png", _nested_ico)
    yield Hostile(
        "tiff with a cycle of pages",
        "tiff-to-png",
        lambda: b"II*\0\x08\0\0\0" + struct.pack("<H", 0) + struct.pack("<I", 8),
    )
    yield Hostile("tiff with a billion entries", "tiff-to-png", lambda: b"II*\0\x08\0\0\0\xff\xff" + b"\xff" * 60)
    yield Hostile(
        "bmp that lies about its size",
        "bmp-to-png",
        lambda: b"BM" + struct.pack("<IHHIIiiHHIIIIII", 99, 0, 0, 54, 40, 50_000, -50_000, 1, 24, 0, 0, 0, 0, 0, 0),
    )


def _flipped(data: bytes, seed: int) -> bytes:
    rng, out = random.Random(seed), bytearray(data)
    for _ in range(max(3, len(out) // 200)):
        out[rng.randrange(12, len(out))] = rng.randrange(256)
    return bytes(out)


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def _png(width: int, height: int, *, extra: bytes = b"") -> bytes:
    head = _chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + extra + _chunk(b"IDAT", zlib.compress(b"\0\0")) + _chunk(b"IEND", b"")


def _gif(frames: int) -> bytes:
    frame = b"\x21\xf9\x04\x00\x01\x00\x00\x00\x2c\0\0\0\0\x01\0\x01\0\0\x02\x02\x44\x01\0"
    return b"GIF89a\x01\0\x01\0\x80\0\0\0\0\0\xff\xff\xff" + frame * frames + b";"


def _nested_ico() -> bytes:
    inner = b"\0\0\1\0\1\0" + struct.pack("<BBBBHHII", 0, 0, 0, 0, 1, 32, 22, 22)
    return inner + inner * 50


def _json() -> Iterator[Hostile]:
    texts: dict[str, Callable[[], bytes]] = {
        "100,000 brackets": lambda: b"[" * 100_000,
        "100,000 braces": lambda: b'{"a":' * 100_000,
        "closed to a depth of 100,000": lambda: b"[" * 100_000 + b"]" * 100_000,
        "depth in a string": lambda: b'["' + b"[" * 1_000_000 + b'"]',
        "20,000 rows of keys of their own": lambda: b"[" + b",".join(b'{"k%d":1}' % n for n in range(20_000)) + b"]",
        "a million empty arrays": lambda: b"[" + b",".join([b"[]"] * 1_000_000) + b"]",
        "an integer of a million digits": lambda: b'[{"a":' + b"9" * 1_000_000 + b"}]",
        "a float of a million digits": lambda: b'[{"a":0.' + b"9" * 1_000_000 + b"}]",
        "NaN": lambda: b'[{"a": NaN}]',
        "Infinity": lambda: b'[{"a": -Infinity}]',
        "1e999": lambda: b'[{"a": 1e999}]',
        "lone surrogates": lambda: b'[{"a": "\\ud800", "\\udc00": 1}]',
        "a million duplicate keys": lambda: b"[{" + b",".join([b'"a":1'] * 300_000) + b"}]",
        "NUL": lambda: b'[{"a": "\\u0000", "b\\u0000": 1}]',
        "raw NUL": lambda: b'[{"a": "\x00"}]',
        "UTF-32": lambda: '[{"a": 1}]'.encode("utf-32"),
        "half a UTF-16": lambda: '[{"a": "ä"}]'.encode("utf-16")[:-1],
        "Latin-1": lambda: '[{"a": "ä"}]'.encode("latin-1"),
        "overlong UTF-8": lambda: b'[{"a": "\xc0\xaf"}]',
        "formulas": lambda: b'[{"a": "=cmd|\'/c calc\'!A0", "b": "@SUM(1)", "c": "\\t=1"}]',
        "a key of 3 million characters": lambda: b'[{"' + b"k" * 3_000_000 + b'": 1}]',
        "two thousand columns of two thousand rows": lambda: (
            b"[" + b",".join([b"{" + b",".join(b'"c%d":%d' % (n, n) for n in range(500)) + b"}"] * 500) + b"]"
        ),
        "only white space": lambda: b" " * 1_000_000,
        "trailing garbage": lambda: b'[{"a": 1}] x',
        "control characters": lambda: b'[{"a": "\x01\x02"}]',
    }
    for name, make in texts.items():
        for slug in ("json-to-csv", "json-to-xlsx", "json-to-yaml"):
            yield Hostile(f"json: {name}, {slug}", slug, make)


def _texts() -> Iterator[Hostile]:
    bomb = "\n".join(f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12))
    yaml = {
        "an anchor bomb": lambda: ("a0: &a0 [x]\n" + bomb).encode(),
        "a merge bomb": lambda: (
            "a0: &a0 {x: 1}\n"
            + "\n".join(f"a{n}: &a{n} {{<<: [{', '.join([f'*a{n - 1}'] * 9)}]}}" for n in range(1, 12))
        ).encode(),
        "depth": lambda: b"[" * 100_000,
        "depth by dashes": lambda: b"- " * 50_000 + b"x",
        "a python object": lambda: b"!!python/object/apply:os.system ['touch /tmp/owned']",
        "a cycle": lambda: b"&a [*a]",
        "a bad escape": lambda: b'"\\xzz"',
    }
    xml = {
        "billion laughs": lambda: (
            b'<!DOCTYPE l [<!ENTITY a "ha">'
            + b"".join(
                b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10 if n > 1 else b"&a;" * 10) for n in range(1, 10)
            )
            + b"]><r>&a9;</r>"
        ),
        "quadratic blowup": lambda: (
            b'<!DOCTYPE l [<!ENTITY a "' + b"x" * 50_000 + b'">]><r>' + b"&a;" * 5_000 + b"</r>"
        ),
        "an external entity": lambda: b'<!DOCTYPE l [<!ENTITY a SYSTEM "file:///etc/passwd">]><r>&a;</r>',
        "an external DTD": lambda: b'<!DOCTYPE r SYSTEM "http://127.0.0.1:1/x.dtd"><r/>',
        "depth": lambda: b"<a>" * 100_000,
        "a million attributes": lambda: b"<a " + b" ".join(b'a%d="1"' % n for n in range(200_000)) + b"/>",
        "an unknown encoding": lambda: b'<?xml version="1.0" encoding="x-nonsense"?><a/>',
        "a million elements": lambda: b"<a>" + b"<b/>" * 300_000 + b"</a>",
    }
    csv = {
        "an unclosed quote": lambda: b'a,b\n"' + b"x\n" * 200_000,
        "a field of 4 MB": lambda: b"a\n" + b"x" * 4_000_000,
        "NUL": lambda: b"a,b\n\x00,1\n",
        "4 million commas": lambda: b"," * 4_000_000,
        "a million rows of one": lambda: b"a\n" + b"1\n" * 1_000_000,
        "ragged rows": lambda: b"a,b\n" + b"".join(b"1" + b",2" * (n % 50) + b"\n" for n in range(5_000)),
        "only quotes": lambda: b'"' * 1_000_001,
        "formulas": lambda: b"a\n=1+1\n-2\n+3\n@x\n",
        "a wrong encoding": lambda: b"a\n" + bytes(range(128, 256)) * 100,
    }
    toml = {
        "depth": lambda: b"a = " + b"[" * 100_000,
        "dotted depth": lambda: b".".join([b"a"] * 20_000) + b" = 1",
        "an integer of a million digits": lambda: b"a = " + b"9" * 1_000_000,
    }
    for format, cases, targets in (
        ("yaml", yaml, ("json", "csv")), ("xml", xml, ("json", "csv")), ("csv", csv, ("json", "xlsx")), ("toml", toml, ("json",)),
    ):  # fmt: skip
        for name, make in cases.items():
            for target in targets:
                yield Hostile(f"{format}: {name}, to {target}", f"{format}-to-{target}", make)


def _zip(entries: dict[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, content in entries.items():
            archive.writestr(name, content)
    return out.getvalue()


def _bomb(name: str) -> bytes:
    """A ZIP archive of one entry of 1 GB of zeros, put together by hand as that takes seconds to deflate (APPNOTE)."""
    check, deflated = _gigabyte()
    about = struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 33, check, len(deflated), 1_000_000_000, len(name), 0)
    entry = b"PK\3\4" + about + name.encode() + deflated
    directory = b"PK\1\2" + struct.pack("<H", 20) + about + bytes(14) + name.encode()
    return entry + directory + b"PK\5\6" + struct.pack("<HHHHIIH", 0, 0, 1, 1, len(directory), len(entry), 0)


@cache
def _gigabyte() -> tuple[int, bytes]:
    """The CRC-32 of 1 GB of zeros, and all of them deflated."""
    deflater, check, block = zlib.compressobj(1, zlib.DEFLATED, -15), 0, bytes(1_000_000)
    pieces = []
    for _ in range(1000):
        check = zlib.crc32(block, check)
        pieces.append(deflater.compress(block))
    return check, b"".join((*pieces, deflater.flush()))


def _many(count: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number in range(count):
            archive.writestr(f"x{number}.xml", b"")
    return out.getvalue()


def _archives() -> Iterator[Hostile]:
    part = {
        "xlsx": "xl/workbook.xml",
        "docx": "word/document.xml",
        "ods": "content.xml",
        "odt": "content.xml",
        "epub": "META-INF/container.xml",
    }
    for format, slug in (
        ("xlsx", "xlsx-to-csv"), ("ods", "ods-to-json"), ("docx", "docx-to-markdown"), ("odt", "odt-to-html"), ("epub", "epub-to-txt"),
    ):  # fmt: skip
        name = part[format]
        cases: dict[str, Callable[[], bytes]] = {
            "1 GB of zeros": lambda n=name: _bomb(n),
            "20,000 entries": lambda: _many(20_000),
            "a name that climbs": lambda n=name: _zip({"../../../../tmp/owned": b"x", n: b"<a/>"}),
            "no entries": lambda: _zip({}),
            "nothing that belongs there": lambda: _zip({"readme.txt": b"x"}),
            "depth": lambda n=name: _zip({n: b"<a>" * 100_000}),
            "billion laughs": lambda n=name: _zip(
                {n: b'<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]><r>&b;</r>'}
            ),
            "cut in half": lambda n=name: (z := _zip({n: b"<a/>" * 1_000}))[: len(z) // 2],
            "rubbish before it": lambda n=name: b"PK\x03\x04" + b"x" * 500 + _zip({n: b"<a/>"}),
            "a checksum that is wrong": lambda n=name: _flipped(_zip({n: b"<a>hello</a>" * 100}), 3),
        }
        for title, make in cases.items():
            yield Hostile(f"{format}: {title}", slug, make)
    sheet = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData><mergeCells><mergeCell ref="A1:XFD1048576"/></mergeCells></worksheet>'
    yield Hostile("xlsx: one cell at the far corner", "xlsx-to-csv", lambda: _workbook(sheet))
    yield Hostile(
        "xlsx: a formula that calls out",
        "xlsx-to-csv",
        lambda: _workbook(
            sheet.replace(b"<v>1</v>", b"<f>WEBSERVICE(&quot;http://127.0.0.1:1&quot;)</f><v>1</v>")
            .replace(b"1048576", b"1")
            .replace(b"XFD1", b"A1")
        ),
    )


def _drawn() -> Iterator[Hostile]:
    """For the office suite, where it is installed: whatever the look into the file lets pass."""
    files: tuple[tuple[str, Callable[[], bytes], str], ...] = (
        ("pptx-to-pdf", office_files.pptx, "ppt/slides/slide1.xml"),
        ("xlsx-to-pdf", office_files.xlsx, "xl/worksheets/sheet1.xml"),
        ("ods-to-pdf", office_files.ods, "content.xml"),
    )
    for slug, make, name in files:
        if slug not in CONVERTERS:
            continue
        for seed in range(2):
            yield Hostile(
                f"{slug}: flipped bytes {seed} in a part",
                slug,
                lambda m=make, n=name, s=seed: _with_part(m(), n, lambda data: _flipped(data, s)),
            )
        yield Hostile(
            f"{slug}: depth", slug, lambda m=make, n=name: _with_part(m(), n, lambda data: data + b"<a>" * 100_000)
        )
        yield Hostile(
            f"{slug}: a document type with entities",
            slug,
            lambda m=make, n=name: _with_part(
                m(), n, lambda data: b'<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>' + data
            ),
        )
        yield Hostile(f"{slug}: cut in half", slug, lambda m=make: (z := m())[: len(z) // 2])
        yield Hostile(f"{slug}: noise", slug, lambda m=make: m()[:30] + random.Random(7).randbytes(20_000))
        yield Hostile(f"{slug}: 1 GB of zeros", slug, lambda n=name: _bomb(n))
    if "pptx-to-pdf" in CONVERTERS:
        yield Hostile(
            "pptx-to-pdf: a picture of 60,000 by 60,000",
            "pptx-to-pdf",
            lambda: _with_part(office_files.pptx(), "ppt/media/image1.png", lambda data: _png(60_000, 60_000)),
        )
    if "xlsx-to-pdf" in CONVERTERS:
        far = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'
        yield Hostile("xlsx-to-pdf: one cell at the far corner", "xlsx-to-pdf", lambda: _workbook(far))
        calls = b'<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><sheetData><row r="1"><c r="A1"><f>WEBSERVICE(&quot;http://127.0.0.1:1&quot;)</f></c></row></sheetData></worksheet>'
        yield Hostile("xlsx-to-pdf: a formula that calls out", "xlsx-to-pdf", lambda: _workbook(calls))


def _with_part(data: bytes, name: str, change: Callable[[bytes], bytes]) -> bytes:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        return _zip(
            {
                each: change(part) if each == name else part
                for each in archive.namelist()
                for part in (archive.read(each),)
            }
        )


def _workbook(sheet: bytes) -> bytes:
    return _zip({
        "[Content_Types].xml": b'<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
        "_rels/.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": b'<workbook xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="r1"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": b'<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="r1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": sheet,
    })  # fmt: skip


def _pages() -> Iterator[Hostile]:
    use = (
        '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="9" height="9"><defs><g id="a0"><rect width="1" height="1"/></g>'
        + "".join(f'<g id="a{n}">' + f'<use xlink:href="#a{n - 1}"/>' * 10 + "</g>" for n in range(1, 12))
        + '</defs><use xlink:href="#a11"/></svg>'
    )
    references = [
        "HTTP://127.0.0.1:1/x.png", "http://2130706433:1/x", "http://[::ffff:127.0.0.1]:1/", "http://localhost.:1/", "//127.0.0.1:1/x",
        "file:///etc/passwd", "/etc/passwd", "../../../../etc/passwd", "ftp://127.0.0.1/x", "\\\\127.0.0.1\\x",
        "http://169.254.169.254/latest/meta-data/", "jar:file:///x!/y", "data:text/html,<script>1</script>",
    ]  # fmt: skip
    for reference in references:
        page = (
            f'<html><head><link rel="stylesheet" href="{reference}"><style>@import "{reference}"; @font-face {{font-family: x; src: url("{reference}")}}'
            f' body {{background: url("{reference}")}} @page {{background-image: url("{reference}")}}</style></head><body>'
            f'<img src="{reference}"><object data="{reference}"></object><iframe src="{reference}"></iframe><embed src="{reference}">'
            f'<pdf:insertpdf src="{reference}"/><pdf:font name="x" src="{reference}"/><svg><image href="{reference}"/></svg></body></html>'
        )
        yield Hostile(f"html: a reference to {reference}", "html-to-pdf", lambda p=page: p.encode())
    pages: dict[str, tuple[Callable[[], str], bool]] = {
        "50,000 nested divs": (lambda: "<div>" * 50_000, False),
        "5,000 nested tables": (lambda: "<table><tr><td>" * 5_000, False),
        "a colspan of a billion": (
            lambda: '<table><tr><td colspan="1000000000">x<td rowspan="999999999">y</table>',
            False,
        ),
        "100,000 paragraphs": (lambda: "<p>x" * 100_000, True),
        "20,000 cells in a row": (lambda: "<table><tr>" + "<td>x" * 20_000, False),
        "20,000 selectors": (
            lambda: "<style>" + "".join(f".c{n} p{{color:red}}" for n in range(20_000)) + "</style><p>x",
            False,
        ),
        "a use bomb": (lambda: "<p>" + use, False),
        "code in a colour": (
            lambda: (
                "<p><font color=\"[[[getattr(pow,Word('__globals__'))['os'].system('touch /tmp/owned') for Word in [orgTypeFun('Word',(str,),{})]]]]\">x</font>"
            ),
            False,
        ),
        "a cycle of variables": (lambda: "<style>:root{--a:var(--b);--b:var(--a)}p{color:var(--a)}</style><p>x", False),
        "an enormous font": (lambda: "<p style='font-size:1000000px'>x", False),
        "an enormous page": (lambda: "<style>@page{size:99999mm 99999mm}</style><p>x", False),
        "a page without room": (lambda: "<style>@page{size:5mm 5mm;margin:20mm}</style><p>x", False),
        "one word of a million letters": (lambda: "<p>" + "x" * 1_000_000, True),
        "50,000 attributes": (lambda: "<p " + " ".join(f"a{n}=1" for n in range(50_000)) + ">x", False),
        "20,000 open brackets of css": (lambda: "<style>" + "{" * 20_000 + "</style><p>x", False),
        "scripts": (lambda: "<script>while(1);</script><p onclick=\"x()\">x<a href='javascript:x()'>y</a>", False),
        "entities": (lambda: "&lt;" * 300_000, True),
        "NUL": (lambda: "<p>a\0b\0", False),
    }
    for name, (make, slow) in pages.items():
        yield Hostile(f"html: {name}", "html-to-pdf", lambda m=make: m().encode(), slow=slow)
    for name, text in {
        "scripts": "<script>alert(1)</script>\n[x](javascript:alert(1))\n![x](file:///etc/passwd)",
        "20,000 quotes": ">" * 20_000 + "x",
        "20,000 brackets": "[" * 20_000,
        "10,000 emphases": "*a **b " * 10_000,
        "a table of 5,000 columns": "|a" * 5_000 + "|\n" + "|-" * 5_000 + "|\n",
        "nested lists": "".join("  " * n + "- x\n" for n in range(500)),
    }.items():
        for slug in ("markdown-to-html", "markdown-to-docx"):
            yield Hostile(
                f"markdown: {name}, {slug}",
                slug,
                lambda t=text: t.encode(),
                "a.md",
                slow="docx" in slug and "20,000" in name,
            )
    for name, body in {
        "a use bomb": use,
        "an external entity": '<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]><svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><text>&x;</text></svg>',
        "a canvas of 100,000 squared": '<svg xmlns="http://www.w3.org/2000/svg" width="100000" height="100000"><rect width="1" height="1"/></svg>',
        "a script": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>while(1);</script></svg>',
        "a reference": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="http://127.0.0.1:1/x.png" width="9" height="9"/></svg>',
        "depth": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9">' + "<g>" * 50_000,
        "no size": '<svg xmlns="http://www.w3.org/2000/svg"/>',
        "a path of a million points": '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><path d="M0 0'
        + " L1 1" * 500_000
        + '"/></svg>',
    }.items():
        yield Hostile(f"svg: {name}", "svg-to-png", lambda b=body: b.encode())


def _pdf(objects: list[bytes], *, root: int = 1) -> bytes:
    out, offsets = b"%PDF-1.5\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1) + b"".join(
        b"%010d 00000 n \n" % at for at in offsets
    )
    return (
        out + table + b"trailer <</Size %d /Root %d 0 R>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, root, len(out))
    )


@cache
def _flate() -> bytes:
    """112 MB of lines to draw, which take 0.8 seconds to pack."""
    return zlib.compress(b"0 0 m 9 9 l S\n" * 8_000_000)


def _pdfs() -> Iterator[Hostile]:
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 99 99]/Contents 4 0 R>>"
    files: dict[str, Callable[[], bytes]] = {
        "a cycle of pages": lambda: _pdf(
            [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[2 0 R 2 0 R]/Count 9>>"]
        ),
        "a million pages by count": lambda: _pdf(
            [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 1000000>>"]
        ),
        "a flate bomb": lambda: _pdf(
            [
                b"<</Type/Catalog/Pages 2 0 R>>",
                b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                page,
                b"<</Length %d/Filter/FlateDecode>>stream\n" % len(_flate()) + _flate() + b"\nendstream",
            ]
        ),
        "a page of a square kilometre": lambda: _pdf(
            [
                b"<</Type/Catalog/Pages 2 0 R>>",
                b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                page.replace(b"99 99", b"9999999 9999999"),
                b"<</Length 0>>stream\n\nendstream",
            ]
        ),
        "deep arrays": lambda: _pdf(
            [
                b"<</Type/Catalog/Pages 2 0 R/X " + b"[" * 50_000 + b"]" * 50_000 + b">>",
                b"<</Type/Pages/Kids[]/Count 0>>",
            ]
        ),
        "no trailer": lambda: b"%PDF-1.7\n" + b"x" * 5_000,
        "a launch action": lambda: _pdf(
            [
                b"<</Type/Catalog/Pages 2 0 R/OpenAction<</S/Launch/F(/bin/sh)>>>>",
                b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
                page,
                b"<</Length 0>>stream\n\nendstream",
            ]
        ),
        "an unknown encryption": lambda: _pdf(
            [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"]
        ).replace(b"/Root", b"/Encrypt<</Filter/Nonsense>>/Root"),
        "only its mark": lambda: b"%PDF-",
    }
    for name, make in files.items():
        made = ("pdf-to-markdown", "pdf-to-docx", "pdf-to-csv", "pdf-to-odt", "pdf-to-pptx")
        usual = ("pdf-to-txt", "pdf-to-png", "pdf-to-pdf", "pdf-to-zip", *made)
        for slug in usual:
            yield Hostile(f"pdf: {name}, {slug}", slug, make)
        for slug, options in _WAYS:
            if slug not in usual or options:
                query = "&".join("=".join(option) for option in options)
                yield Hostile(f"pdf: {name}, {slug} {query}", slug, make, slow=True, options=options)


_TASKS: dict[str, tuple[tuple[str, str], ...]] = {
    "crop": (("margins", "5,5,5,5"),),
    "encrypt": (("userPassword", "x"),),
    "fill": (("fields", '{"a": "b"}'),),
    "number": (("text", "{page} / {pages}"),),
    "pages": (("pages", "1"),),
    "redact": (("redactText", "secret"), ("redactPattern", "[0-9]+")),
    "stamp": (("text", "\u05d0\u05d1 x"),),
    "watermark": (("watermarkText", "Draft"),),
}
_WAYS: tuple[tuple[str, tuple[tuple[str, str], ...]], ...] = (
    *((slug, ()) for slug in sorted(CONVERTERS) if slug.startswith("pdf-to-")),
    *(
        ("pdf-to-pdf", (("operation", name), *_TASKS.get(name, ())))
        for name in next(
            each.choices for each in describe(CONVERTERS["pdf-to-pdf"].options) if each.name == "operation"
        )
    ),
    ("pdf-to-pdf", (("ocr", "auto"),)),
    ("pdf-to-pdf", (("level", "screen"),)),
    ("pdf-to-zip", (("take", "parts"),)),
    ("pdf-to-zip", (("by", "size"), ("megabytes", "1"))),
    ("pdf-to-zip", (("by", "outline"),)),
)
"""Every converter of PDFs, and everything that can be done to one, with the options that it needs."""


def _names() -> Iterator[Hostile]:
    good = b'[{"a": 1}]'
    for name in (
        "../../../../etc/passwd.json", "..\\..\\x.json", "a\x00.json", "\u202egnp.json", "a\r\nSet-Cookie: x.json", "x" * 4_000 + ".json",
        ".json", "....json", "con.json", "a/b/c.json", "\ud800.json".encode("utf-8", "surrogatepass").decode("latin-1"), "💣.json", "a;b\".json",
    ):  # fmt: skip
        yield Hostile(f"name: {name[:40]!r}", "json-to-csv", lambda: good, name)
    for slug in ("json-to-csv", "html-to-pdf", "png-to-jpg", "xlsx-to-csv", "pdf-to-txt", "docx-to-markdown"):
        yield Hostile(f"an empty file, {slug}", slug, lambda: b"")
        yield Hostile(f"noise, {slug}", slug, lambda: random.Random(7).randbytes(20_000))


HOSTILE: tuple[Hostile, ...] = (
    *_json(),
    *_texts(),
    *_pictures(),
    *_metafiles(),
    *_archives(),
    *_drawn(),
    *_pages(),
    *_pdfs(),
    *_names(),
    *(Hostile(f"{name}, {slug}", slug, make) for name, slug, make in FILES),
    *(Hostile(f"bomb: {name}", slug, make, slow=name in SLOW_BOMBS) for name, slug, make in BOMBS),
)
