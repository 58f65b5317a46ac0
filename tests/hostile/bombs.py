"""Small files that ask for a great deal: of pixels, pages, frames, rows, and of what refers to itself."""

from __future__ import annotations

import io
import lzma
import struct
import zipfile
import zlib
from collections.abc import Callable, Iterator
from functools import cache

Make = Callable[[], bytes]
Bomb = tuple[str, str, Make]
"""What it is called, the conversion that it is sent to, and how it is made."""


def _tags(entries: list[tuple[int, int, int, int]], *, following: int) -> bytes:
    """One directory of a TIFF file: tag, type, count and value of each entry (TIFF 6.0, section 2)."""
    body = b"".join(struct.pack("<HHII", *each) for each in sorted(entries))
    return struct.pack("<H", len(entries)) + body + struct.pack("<I", following)


def _tiff(
    width: int,
    height: int,
    data: bytes,
    *,
    compression: int = 1,
    pages: int = 1,
    loop: bool = False,
    more: tuple[tuple[int, int, int, int], ...] = (),
    samples: int = 1,
) -> bytes:
    """Pages that share one strip; with `loop` the last is followed by the first."""
    entries = [
        (256, 4, 1, width), (257, 4, 1, height), (258, 3, 1, 8), (259, 3, 1, compression), (262, 3, 1, 1),
        (273, 4, 1, 8), (277, 3, 1, samples), (278, 4, 1, height), (279, 4, 1, len(data)),
    ]  # fmt: skip
    kept = {each[0]: each for each in (*entries, *more)}
    start, size = 8 + len(data) + len(data) % 2, 2 + 12 * len(kept) + 4
    directories = [
        _tags(list(kept.values()), following=start + size * (n + 1) if n < pages - 1 else start if loop else 0)
        for n in range(pages)
    ]
    return b"II*\0" + struct.pack("<I", start) + data + b"\0" * (len(data) % 2) + b"".join(directories)


@cache
def _zeros() -> bytes:
    return zlib.compress(bytes(90_000_000), 1)


def _tiffs() -> Iterator[Bomb]:
    yield "tiff of 60,000 by 60,000", "tiff-to-png", lambda: _tiff(60_000, 60_000, b"\0")
    yield "tiff of 4 billion by 4 billion", "tiff-to-png", lambda: _tiff(2**32 - 1, 2**32 - 1, b"\0")
    yield "tiff whose deflated strip is all zeros", "tiff-to-png", lambda: _tiff(30_000, 3_000, _zeros(), compression=8)
    yield (
        "tiff whose deflated strip is too short",
        "tiff-to-jpg",
        lambda: _tiff(90_000, 90_000, _zeros(), compression=8),
    )
    yield (
        "tiff of LZMA",
        "tiff-to-png",
        lambda: _tiff(9_000, 9_000, lzma.compress(bytes(81_000_000), preset=0), compression=34925),
    )
    for name, compression in (
        ("JPEG 2000", 34712),
        ("JBIG", 34661),
        ("CCITT", 4),
        ("LZW", 5),
        ("ZSTD", 50000),
        ("WebP", 50001),
    ):
        yield (
            f"tiff of {name} that is none",
            "tiff-to-png",
            lambda c=compression: _tiff(50_000, 1_900, b"\x80" * 5_000, compression=c),
        )
    yield "tiff with a loop of pages", "tiff-to-png", lambda: _tiff(1, 1, b"\0", pages=3, loop=True)
    yield "tiff with a loop of pages, all of them", "tiff-to-pdf", lambda: _tiff(1, 1, b"\0", pages=3, loop=True)
    yield "tiff of 20,000 pages", "tiff-to-png", lambda: _tiff(1, 1, b"\0", pages=20_000)
    yield (
        "tiff of 1,500 large pages",
        "tiff-to-webp",
        lambda: _tiff(3_000, 3_000, _zeros()[:50_000], compression=8, pages=1_500),
    )
    yield "tiff of 65,535 samples", "tiff-to-png", lambda: _tiff(100, 100, bytes(100), samples=65_535)
    yield "tiff with a text of 4 GB", "tiff-to-png", lambda: _tiff(1, 1, b"\0", more=((270, 2, 2**32 - 1, 8),))
    yield (
        "tiff with a billion strips",
        "tiff-to-png",
        lambda: _tiff(1, 1, b"\0", more=((273, 4, 10**9, 8), (278, 4, 1, 1))),
    )
    tiles = ((322, 4, 1, 65_520), (323, 4, 1, 65_520), (324, 4, 1, 8), (325, 4, 1, 1))
    yield "tiff of one enormous tile", "tiff-to-png", lambda: _tiff(100, 100, b"\0", more=tiles)
    yield (
        "tiff whose profile is itself",
        "tiff-to-png",
        lambda: _tiff(1, 1, b"\0", more=((34675, 7, 10**8, 0), (34665, 4, 1, 10))),
    )


def _gif(width: int, height: int, frames: int, *, data: bytes = b"\x02\x02\x44\x01\0") -> bytes:
    """Frames as large as the screen, with hardly any data each (GIF89a)."""
    size = struct.pack("<HH", width, height)
    frame = b"\x21\xf9\x04\x04\x01\0\0\0" + b"\x2c\0\0\0\0" + size + b"\0" + data
    return b"GIF89a" + size + b"\x80\0\0\0\0\0\xff\xff\xff" + frame * frames + b";"


def _gifs() -> Iterator[Bomb]:
    runs = b"\x08" + b"".join(b"\xff" + bytes(255) for _ in range(40)) + b"\0"
    yield "gif of 900 frames of 2,000 by 2,000", "gif-to-webp", lambda: _gif(2_000, 2_000, 900)
    yield "gif of 20,000 frames", "gif-to-png", lambda: _gif(9, 9, 20_000)
    yield "gif of 300 frames of 9,000 by 9,000", "gif-to-png", lambda: _gif(9_000, 9_000, 300)
    yield "gif of frames of 65,535 by 65,535", "gif-to-jpg", lambda: _gif(65_535, 65_535, 3)
    yield "gif of frames without size", "gif-to-webp", lambda: _gif(0, 0, 50)
    yield "gif of nothing but resets", "gif-to-png", lambda: _gif(3_000, 3_000, 20, data=runs)
    yield "gif of a million comments", "gif-to-png", lambda: _gif(1, 1, 1)[:-1] + b"\x21\xfe\x01a\0" * 1_000_000 + b";"


def _box(kind: bytes, *body: bytes) -> bytes:
    content = b"".join(body)
    return struct.pack(">I", 8 + len(content)) + kind + content


def _full(kind: bytes, *body: bytes, version: int = 0) -> bytes:
    return _box(kind, bytes([version, 0, 0, 0]), *body)


def _heif(
    brand: bytes,
    codec: bytes,
    *,
    size: tuple[int, int] = (64, 64),
    grid: tuple[int, int] | None = None,
    refers: bytes = b"dimg",
    to: int = 2,
    items: int = 2,
    extents: int = 1,
) -> bytes:
    """An image item, or a grid of the tile `to` over and over (ISO/IEC 23008-12, 6.6.2.3); item 1 is shown."""
    rows, columns = grid or (1, 1)
    kind = b"grid" if grid else codec
    number = rows * columns
    entries = [_full(b"infe", struct.pack(">HH", 1, 0), kind, b"\0", version=2)]
    entries += [_full(b"infe", struct.pack(">HH", n, 0), codec, b"\0", version=2) for n in range(2, items + 1)]
    references = _box(refers, struct.pack(">HH", 1, min(number, 65_535)), struct.pack(">H", to) * min(number, 65_535))
    data = bytes([0, 1, rows - 1 & 255, columns - 1 & 255]) + struct.pack(">II", *size) if grid else b"\0" * 64
    association = b"".join(struct.pack(">HBB", n, 1, 0x81) for n in range(1, items + 1))
    places = b"".join(
        struct.pack(">HHHH", n, 1, 0, extents) + struct.pack(">II", 0, len(data)) * extents for n in range(1, items + 1)
    )
    return _box(b"ftyp", brand, bytes(4), brand, b"mif1") + _full(
        b"meta",
        _full(b"hdlr", bytes(4), b"pict", bytes(13)),
        _full(b"pitm", struct.pack(">H", 1)),
        _full(b"iinf", struct.pack(">H", items), *entries),
        _full(b"iref", references),
        _box(
            b"iprp",
            _box(b"ipco", _full(b"ispe", struct.pack(">II", *size))),
            _full(b"ipma", struct.pack(">I", items), association),
        ),
        _full(b"iloc", b"\x44\0", struct.pack(">H", items), places, version=1),
        _box(b"idat", data),
    )


def _heifs() -> Iterator[Bomb]:
    for slug, brand, codec in (("avif-to-png", b"avif", b"av01"), ("heic-to-png", b"heic", b"hvc1")):
        name = slug[:4]
        cases: dict[str, Make] = {
            "of 4 billion by 4 billion": lambda b=brand, c=codec: _heif(b, c, size=(2**32 - 1, 2**32 - 1)),
            "of a grid of 256 by 255 tiles": lambda b=brand, c=codec: _heif(
                b, c, grid=(256, 255), size=(60_000, 60_000)
            ),
            "of a grid of itself": lambda b=brand, c=codec: _heif(b, c, grid=(16, 16), to=1),
            "of a grid of tiles that are not there": lambda b=brand, c=codec: _heif(b, c, grid=(16, 16), to=9_999),
            "with itself for a thumbnail": lambda b=brand, c=codec: _heif(b, c, refers=b"thmb", to=1),
            "with itself for its alpha": lambda b=brand, c=codec: _heif(b, c, refers=b"auxl", to=1),
            "of 50,000 items": lambda b=brand, c=codec: _heif(b, c, items=50_000),
            "of 60,000 pieces": lambda b=brand, c=codec: _heif(b, c, extents=60_000),
            "with boxes in boxes": lambda b=brand: _box(b"ftyp", b, bytes(4), b, b"mif1") + _deep(20_000),
            "with a box that never ends": lambda b=brand: (
                _box(b"ftyp", b, bytes(4), b, b"mif1") + b"\0\0\0\0meta" + bytes(5_000)
            ),
        }
        for title, make in cases.items():
            yield f"{name} {title}", slug, make


def _deep(depth: int) -> bytes:
    size = 8 * depth
    return b"".join(struct.pack(">I", size - 8 * n) + b"iprp" for n in range(depth))


def _zip(entries: dict[str, bytes], *, stored: str | None = None) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
        for name, content in entries.items():
            archive.writestr(name, content, zipfile.ZIP_STORED if name == stored else zipfile.ZIP_DEFLATED)
    return out.getvalue()


_ODS_HEAD = (
    b'<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0"'
    b' xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0"'
    b' office:version="1.2"><office:body><office:spreadsheet><table:table table:name="S">'
)
_ODS_TAIL = b"</table:table></office:spreadsheet></office:body></office:document-content>"
_CELL = b'<table:table-cell office:value-type="float" office:value="1"%s><text:p>1</text:p></table:table-cell>'


def sheet_of(rows: bytes) -> bytes:
    kind = b"application/vnd.oasis.opendocument.spreadsheet"
    manifest = (
        b'<manifest:manifest xmlns:manifest="urn:oasis:names:tc:opendocument:xmlns:manifest:1.0">'
        b'<manifest:file-entry manifest:full-path="/" manifest:media-type="%s"/></manifest:manifest>' % kind
    )
    return _zip(
        {"mimetype": kind, "content.xml": _ODS_HEAD + rows + _ODS_TAIL, "META-INF/manifest.xml": manifest},
        stored="mimetype",
    )


def sheet_row(cell: bytes, repeated: int = 1) -> bytes:
    return b'<table:table-row table:number-rows-repeated="%d">' % repeated + cell + b"</table:table-row>"


def _sheets() -> Iterator[Bomb]:
    many = _CELL % b' table:number-columns-repeated="16384"'
    for slug in ("ods-to-csv", "ods-to-json", "ods-to-xlsx"):
        yield f"{slug}: a sheet full of one cell", slug, lambda: sheet_of(sheet_row(many, 1_048_576))
        yield f"{slug}: a number of repetitions that is none", slug, lambda: sheet_of(sheet_row(many, 10**18))
        yield f"{slug}: 2,000 rows of 16,384 columns", slug, lambda: sheet_of(sheet_row(many) * 2_000)
        yield (
            f"{slug}: rows in rows",
            slug,
            lambda: sheet_of(b"<table:table-row>" * 5_000 + b"</table:table-row>" * 5_000),
        )
        yield (
            f"{slug}: a cell of 40 MB",
            slug,
            lambda: sheet_of(sheet_row(_CELL % b"" + b"<text:p>" + b"x" * 40_000_000 + b"</text:p>")),
        )
        yield (
            f"{slug}: spaces by number",
            slug,
            lambda: sheet_of(
                sheet_row(
                    b'<table:table-cell office:value-type="string"><text:p><text:s text:c="2000000000"/></text:p></table:table-cell>'
                )
            ),
        )
        yield (
            f"{slug}: spans over the sheet",
            slug,
            lambda: sheet_of(
                sheet_row(_CELL % b' table:number-columns-spanned="16384" table:number-rows-spanned="1048576"')
            ),
        )


def _epub(opf: bytes, **parts: bytes) -> bytes:
    container = (
        b'<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container" version="1.0"><rootfiles>'
        b'<rootfile full-path="content.opf" media-type="application/oebps-package+xml"/></rootfiles></container>'
    )
    return _zip(
        {
            "mimetype": b"application/epub+zip",
            "META-INF/container.xml": container,
            "content.opf": opf,
            **{name.replace("_", "."): content for name, content in parts.items()},
        },
        stored="mimetype",
    )


def _opf(manifest: bytes, spine: bytes, *, before: bytes = b"", title: bytes = b"T") -> bytes:
    return (
        b'<?xml version="1.0"?>' + before + b'<package xmlns="http://www.idpf.org/2007/opf" version="3.0" unique-identifier="i">'
        b'<metadata xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:identifier id="i">x</dc:identifier><dc:title>'
        + title
        + b"</dc:title><dc:language>en</dc:language></metadata><manifest>" + manifest + b"</manifest><spine>" + spine + b"</spine></package>"
    )  # fmt: skip


def _books() -> Iterator[Bomb]:
    item = b'<item id="a" href="a.xhtml" media-type="application/xhtml+xml"/>'
    page = b'<html xmlns="http://www.w3.org/1999/xhtml"><head><title>t</title></head><body><p>x</p></body></html>'
    laughs = (
        b'<!DOCTYPE p [<!ENTITY a0 "ha">'
        + b"".join(b'<!ENTITY a%d "%s">' % (n, b"&a%d;" % (n - 1) * 10) for n in range(1, 10))
        + b"]>"
    )
    nested = b"<div>" * 3_000 + b"x" + b"</div>" * 3_000
    nav = (
        b'<nav epub:type="toc" xmlns:epub="http://www.idpf.org/2007/ops">'
        + b"<ol><li><a href='a.xhtml'>x</a>" * 1_000
        + b"</li></ol>" * 1_000
        + b"</nav>"
    )
    for slug in ("epub-to-txt", "epub-to-html"):
        cases: dict[str, Make] = {
            "entities in the package": lambda: _epub(_opf(item, b'<itemref idref="a"/>', before=laughs, title=b"&a9;"), a_xhtml=page),
            "a spine of 50,000 times one page": lambda: _epub(_opf(item, b'<itemref idref="a"/>' * 50_000), a_xhtml=page),
            "a manifest of 100,000 items": lambda: _epub(
                _opf(b"".join(b'<item id="i%d" href="a.xhtml" media-type="application/xhtml+xml"/>' % n for n in range(100_000)), b'<itemref idref="i1"/>'),
                a_xhtml=page,
            ),
            "a page of 3,000 folds": lambda: _epub(_opf(item, b'<itemref idref="a"/>'), a_xhtml=page.replace(b"<p>x</p>", nested)),
            "contents of 1,000 levels": lambda: _epub(
                _opf(item + b'<item id="n" properties="nav" href="nav.xhtml" media-type="application/xhtml+xml"/>', b'<itemref idref="n"/>'),
                a_xhtml=page,
                nav_xhtml=page.replace(b"<p>x</p>", nav),
            ),
            "a page of 100 MB of one letter": lambda: _epub(_opf(item, b'<itemref idref="a"/>'), a_xhtml=page.replace(b"<p>x", b"<p>" + b"x" * 100_000_000)),
            "a package that is its own page": lambda: _epub(_opf(b'<item id="a" href="content.opf" media-type="application/xhtml+xml"/>', b'<itemref idref="a"/>')),
            "itself inside, three times": lambda: _epub(
                _opf(item, b'<itemref idref="a"/>'), a_xhtml=page, x_epub=(inner := _epub(_opf(item, b""), a_xhtml=bytes(9_000_000))), y_epub=inner
            ),
        }  # fmt: skip
        for name, make in cases.items():
            yield f"{slug}: {name}", slug, make


def _pdf(objects: list[bytes], *, trailer: bytes = b"") -> bytes:
    out, offsets = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, start=1):
        offsets.append(len(out))
        out += b"%d 0 obj\n" % number + body + b"\nendobj\n"
    table = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    table += b"".join(b"%010d 00000 n \n" % at for at in offsets)
    end = b"trailer <</Size %d /Root 1 0 R %s>>\nstartxref\n%d\n%%%%EOF" % (len(objects) + 1, trailer, len(out))
    return out + table + end.replace(b"@HERE@", b"%d" % len(out))


def _stream(data: bytes, entries: bytes = b"") -> bytes:
    return b"<<%s/Length %d>>stream\n" % (entries, len(data)) + data + b"\nendstream"


def _drawing(content: bytes, *others: bytes, resources: bytes = b"", entries: bytes = b"") -> bytes:
    """One page; `others` are the objects from 5 on."""
    page = b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<<%s>>>>" % resources
    return _pdf(
        [
            b"<</Type/Catalog/Pages 2 0 R>>",
            b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
            page,
            _stream(content, entries),
            *others,
        ]
    )


def _image(filter: bytes, data: bytes, *, width: int = 50_000, height: int = 50_000, more: bytes = b"") -> bytes:
    about = b"/Type/XObject/Subtype/Image/Width %d/Height %d/ColorSpace/DeviceGray/BitsPerComponent 8/Filter%s%s"
    picture = _stream(data, about % (width, height, filter, more))
    return _drawing(b"200 0 0 200 0 0 cm /I Do", picture, resources=b"/XObject<</I 5 0 R>>")


def _layers(levels: int) -> bytes:
    data = b"0 0 m 9 9 l S\n" * 2_000_000
    for _ in range(levels):
        data = zlib.compress(data, 9)
    return data


def _pages_in_pages(depth: int) -> bytes:
    nodes = [b"<</Type/Pages/Kids[%d 0 R]/Count 1/Parent %d 0 R>>" % (n + 3, n + 1) for n in range(depth)]
    last = b"<</Type/Page/Parent %d 0 R/MediaBox[0 0 9 9]>>" % (depth + 1)
    return _pdf([b"<</Type/Catalog/Pages 2 0 R>>", *nodes, last])


def _pdfs() -> Iterator[Bomb]:
    jbig2 = struct.pack(">IBBBI", 0, 48, 0, 1, 19) + struct.pack(">IIIIBH", 2**31, 2**31, 0, 0, 0, 0)
    jp2 = (
        b"\xff\x4f\xff\x51" + struct.pack(">HHIIIIIIIIH", 41, 0, 2**31 - 1, 2**31 - 1, 0, 0, 1, 1, 0, 0, 1) + b"\7\1\1"
    )
    fonts = b"<</Type/Font/Subtype/Type3/FontBBox[0 0 1 1]/FontMatrix[1 0 0 1 0 0]/FirstChar 97/LastChar 97/Widths[1]/Encoding<</Differences[97/a]>>/CharProcs<</a 6 0 R>>/Resources<</Font<</F 5 0 R>>>>>>"
    form = b"/Type/XObject/Subtype/Form/BBox[0 0 200 200]/Resources<</XObject<<%s>>>>"
    fan = [
        _stream((b"/F%d Do " % (n + 1)) * 10 if n < 12 else b"0 0 9 9 re f", form % (b"/F%d %d 0 R" % (n + 1, n + 6)))
        for n in range(13)
    ]
    pattern = (
        b"/Type/Pattern/PatternType 1/PaintType 1/TilingType 1/BBox[0 0 1 1]/XStep 0.0001/YStep 0.0001/Resources<<>>"
    )
    shading = b"<</ShadingType 1/ColorSpace/DeviceGray/Domain[0 1000 0 1000]/Function 6 0 R>>"
    files: dict[str, Make] = {
        "flate in flate in flate": lambda: _drawing(_layers(3), entries=b"/Filter[/FlateDecode/FlateDecode/FlateDecode]"),
        "200 filters": lambda: _drawing(b"x", entries=b"/Filter[" + b"/ASCIIHexDecode" * 200 + b"]"),
        "run lengths in run lengths": lambda: _drawing(b"\x81\x81" * 200_000, entries=b"/Filter[" + b"/RunLengthDecode" * 4 + b"]"),
        "a table of objects before itself": lambda: _pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[]/Count 0>>"], trailer=b"/Prev @HERE@"),
        "2,000 levels of pages": lambda: _pages_in_pages(2_000),
        "100,000 times one page": lambda: _pdf(
            [b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[" + b"3 0 R " * 100_000 + b"]/Count 100000>>", b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"]
        ),
        "JBIG2 of 2 billion squared": lambda: _image(b"/JBIG2Decode", jbig2),
        "JPEG 2000 of 2 billion squared": lambda: _image(b"/JPXDecode", jp2),
        "CCITT of a billion rows": lambda: _image(b"/CCITTFaxDecode", b"\0" * 500, more=b"/DecodeParms<</K -1/Columns 100000/Rows 1000000000>>"),
        "a picture of zeros": lambda: _image(b"/FlateDecode", zlib.compress(bytes(100_000_000), 1), width=10_000, height=10_000),
        "a predictor of a billion columns": lambda: _image(b"/FlateDecode", zlib.compress(bytes(5_000)), more=b"/DecodeParms<</Predictor 15/Columns 1000000000>>"),
        "an inline picture of 60,000 squared": lambda: _drawing(b"q BI /W 60000 /H 60000 /CS /G /BPC 8 /F /AHx ID 00> EI Q"),
        "a letter that draws itself": lambda: _drawing(b"BT /F 9 Tf (a) Tj ET", fonts, _stream(b"1 0 d0 BT /F 1 Tf (aaaaaaaaaa) Tj ET"), resources=b"/Font<</F 5 0 R>>"),
        "a form that draws itself": lambda: _drawing(b"/F Do", _stream(b"/F Do /F Do", form % b"/F 5 0 R"), resources=b"/XObject<</F 5 0 R>>"),
        "a trillion forms by ten": lambda: _drawing(b"/F0 Do", *fan, resources=b"/XObject<</F0 5 0 R>>"),
        "a pattern of tiny tiles": lambda: _drawing(b"/Pattern cs /P scn 0 0 200 200 re f", _stream(b"0 0 1 1 re f", pattern), resources=b"/Pattern<</P 5 0 R>>"),
        "a shading by a long program": lambda: _drawing(
            b"/S sh", shading, _stream(b"{" + b"2 copy mul sin exch pop " * 5_000 + b"}", b"/FunctionType 4/Domain[0 1000 0 1000]/Range[0 1]"), resources=b"/Shading<</S 5 0 R>>"
        ),
        "objects in a stream that extends itself": lambda: _drawing(b"", _stream(b"6 0 <<>>", b"/Type/ObjStm/N 1000000000/First 4/Extends 5 0 R")),
        "a length that is itself": lambda: _pdf([b"<</Type/Catalog/Pages 2 0 R>>", b"<</Type/Pages/Kids[3 0 R]/Count 1>>", b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]/Contents 4 0 R>>", b"<</Length 4 0 R>>stream\nx\nendstream"]),
        "an outline that goes round": lambda: _pdf(
            [b"<</Type/Catalog/Pages 2 0 R/Outlines 3 0 R>>", b"<</Type/Pages/Kids[4 0 R]/Count 1>>", b"<</First 3 0 R/Last 3 0 R/Next 3 0 R/Title(x)>>", b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 9 9]>>"]
        ),
        "500,000 saved states": lambda: _drawing(b"q " * 500_000),
        "dashes of nothing": lambda: _drawing(b"[0.00001] 0 d 0 0 m 200 200 l S " * 50),
    }  # fmt: skip
    for name, make in files.items():
        for slug in ("pdf-to-txt", "pdf-to-png", "pdf-to-pdf", "pdf-to-zip", "pdf-to-docx"):
            yield f"{slug}: {name}", slug, make
        yield f"zip-to-pdf: {name}", "zip-to-pdf", lambda make=make: _zip({"a.pdf": make()})


BOMBS: tuple[Bomb, ...] = (*_tiffs(), *_gifs(), *_heifs(), *_sheets(), *_books(), *_pdfs())
SLOW_BOMBS = frozenset(
    {
        "pdf-to-txt: a pattern of tiny tiles",
        "tiff of 20,000 pages",
        "avif of 50,000 items",
        "ods-to-csv: spaces by number",
        "ods-to-json: spaces by number",
        "ods-to-xlsx: spaces by number",
        "epub-to-txt: a spine of 50,000 times one page",
        "epub-to-html: a spine of 50,000 times one page",
        "epub-to-txt: a manifest of 100,000 items",
        "epub-to-html: a manifest of 100,000 items",
        "epub-to-html: a page of 3,000 folds",
        "epub-to-txt: entities in the package",
        "epub-to-html: entities in the package",
        "gif of a million comments",
        "pdf-to-txt: flate in flate in flate",
        "pdf-to-png: flate in flate in flate",
        "pdf-to-docx: flate in flate in flate",
        "pdf-to-docx: 100,000 times one page",
        "pdf-to-docx: a form that draws itself",
        "pdf-to-pdf: flate in flate in flate",
        "pdf-to-pdf: run lengths in run lengths",
        "pdf-to-txt: 100,000 times one page",
        "pdf-to-png: 100,000 times one page",
        "pdf-to-pdf: 100,000 times one page",
        "pdf-to-pdf: a picture of zeros",
        "pdf-to-png: an inline picture of 60,000 squared",
        "pdf-to-png: a shading by a long program",
        "pdf-to-txt: a form that draws itself",
        "pdf-to-png: a form that draws itself",
        "pdf-to-png: a pattern of tiny tiles",
    }
)
"""Those that take more than a few seconds, within their limit."""
