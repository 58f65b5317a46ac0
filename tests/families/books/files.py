"""Books made by hand: comics, and databases of Palm OS as Mobipocket and Kindle books are, packed in each way."""

from __future__ import annotations

import io
import struct
import zipfile

from PIL import Image

COMIC_INFO = (
    '<?xml version="1.0"?><ComicInfo><Title>Tïtle</Title><Series>S</Series><Number>3</Number><Writer>Ann A, Bob B'
    "</Writer><Penciller>Cy</Penciller><LanguageISO>ja</LanguageISO><Manga>YesAndRightToLeft</Manga><Year>2020</Year>"
    '<Month>5</Month><ScanInformation>me</ScanInformation><Pages><Page Image="0" Type="FrontCover"/></Pages>'
    "</ComicInfo>"
)


def picture(format: str, size: tuple[int, int] = (40, 60), colour: int = 50) -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, (colour, 100, 50)).save(out, format)
    return out.getvalue()


def packed(*files: tuple[str, bytes | str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as made:
        for name, data in files:
            made.writestr(zipfile.ZipInfo(name), data)
    return out.getvalue()


def comic() -> bytes:
    """Three pages, whose order is that of their numbers."""
    return packed(*((f"p{each}.jpg", picture("JPEG", colour=each * 20)) for each in (10, 9, 1)))


def manga() -> bytes:
    """Pages of several formats, one of them across two, with ComicInfo.xml, a text and what systems leave."""
    return packed(
        ("Vol/p2.png", picture("PNG")),
        ("Vol/p10.BMP", picture("BMP")),
        ("Vol/p3.jpeg", picture("JPEG", (90, 60))),
        ("readme.txt", "x"),
        ("__MACOSX/._a.jpg", "x"),
        ("Thumbs.db", "x"),
        ("ComicInfo.xml", COMIC_INFO),
    )


def _exth(*entries: tuple[int, bytes]) -> bytes:
    body = b"".join(struct.pack(">II", kind, len(value) + 8) + value for kind, value in entries)
    return b"EXTH" + struct.pack(">II", 12 + len(body), len(entries)) + body


def _database(records: list[bytes], kind: bytes = b"BOOKMOBI", name: bytes = b"book") -> bytes:
    head = name.ljust(32, b"\0") + bytes(28) + kind + bytes(8) + struct.pack(">H", len(records))
    at, table = len(head) + 8 * len(records), b""
    for number, each in enumerate(records):
        table += struct.pack(">II", at, number)
        at += len(each)
    return head + table + b"".join(records)


def _header(
    text: int, count: int, *, compression: int, version: int, numbers: dict[int, int], exth: bytes, locked: int = 0
) -> bytes:
    title = "Bücher".encode()
    data = bytearray(b"\xff" * (16 + 0xF8))
    struct.pack_into(">HHIHHHH", data, 0, compression, 0, text, count, 4096, locked, 0)
    data[16:20] = b"MOBI"
    given = {
        20: 0xF8, 24: 2, 28: 65001, 36: version, 84: len(data) + len(exth), 88: len(title), 92: 7, 128: 0x40, 240: 0,
    } | numbers  # fmt: skip
    for offset, value in given.items():
        struct.pack_into(">I", data, offset, value)
    return bytes(data) + exth + title + b"\0\0"


def palmdoc(data: bytes) -> bytes:
    """Packed as PalmDOC packs, by every kind of its codes."""
    out, at = bytearray(), 0
    while at < len(data):
        back = data.rfind(data[at : at + 5], max(0, at - 2_000), at) if at + 5 <= len(data) else -1
        if back >= 0 and at - back >= 5:
            out += struct.pack(">H", 0x8000 | (at - back) << 3 | 2)
            at += 5
        elif data[at] == 32 and at + 1 < len(data) and 0x40 <= data[at + 1] < 0x80:
            out.append(data[at + 1] ^ 0x80)
            at += 2
        elif data[at] and (data[at] < 9 or data[at] >= 0x80):
            out += bytes((1, data[at]))
            at += 1
        else:
            out.append(data[at])
            at += 1
    return bytes(out)


def _huffman() -> tuple[list[bytes], int]:
    """A code for each byte, of eight bits; the phrase of “Z” is packed itself."""
    table = struct.pack(">256I", *[255 << 8 | 0x88] * 256)
    huff = b"HUFF" + struct.pack(">IIIII", 24, 24, 24 + 1024, 0, 0) + table + bytes(256)
    phrases = [bytes([255 - each]) for each in range(256)]
    phrases[255 - 2] = b"Z"
    places, body = [], b""
    for each, phrase in enumerate(phrases):
        places.append(512 + len(body))
        packed = each == 255 - ord("Z")
        body += struct.pack(">H", (0 if packed else 0x8000) | 1) + (b"\2" if packed else phrase)
    dictionary = b"CDIC" + struct.pack(">III", 16, 256, 8) + struct.pack(">256H", *places) + body
    return [huff, dictionary], 17480


_ABOUT = (
    (100, "Ann Ö".encode()), (101, b"House"), (105, b"Cats"), (503, "Bücher & mehr".encode()), (201, bytes(4)),
)  # fmt: skip
BODY = (
    "<html><head><guide><reference type='toc' filepos=0000000000 /></guide></head><body><h1>Erstes</h1>"
    "<p>Grüße an alle, alle, alle. <a filepos={}>weiter</a></p><mbp:pagebreak/><p><img recindex='00001' alt='Katze'>"
    "</p><h1>Zweites</h1><p>Ende &amp; <b>aus</b>.</p></body></html>"
)


def mobi(*, packing: str = "palmdoc", locked: int = 0) -> bytes:
    """A book of the older format, with a link, a picture and a cover."""
    text = BODY.format("0000000000").encode()
    text = BODY.format(f"{text.index(b'<h1>Zweites'):010}").encode()
    parts = [text[at : at + 100] for at in range(0, len(text), 100)]
    further: list[bytes] = []
    compression = {"plain": 1, "palmdoc": 2}.get(packing, 0)
    if packing == "palmdoc":
        parts = [palmdoc(each) for each in parts]
    elif packing == "huffman":
        further, compression = _huffman()
    parts = [each + b"x\x82" for each in parts]  # what is behind the text, with its size
    numbers = {108: len(parts) + 1, 112: len(parts) + 2, 116: 2, 240: 2}
    head = _header(
        len(text), len(parts), compression=compression, version=6, numbers=numbers, exth=_exth(*_ABOUT), locked=locked
    )
    return _database([head, *parts, picture("PNG"), *further])


def _variable(value: int) -> bytes:
    out = [value & 0x7F | 0x80]
    while value := value >> 7:
        out.append(value & 0x7F)
    return bytes(reversed(out))


def _index(tags: list[tuple[int, int, int]], rows: list[tuple[bytes, bytes]]) -> list[bytes]:
    tagx = b"TAGX" + struct.pack(">II", 12 + 4 * len(tags) + 4, 1)
    tagx += b"".join(bytes((*each, 0)) for each in tags) + b"\0\0\0\1"
    head = (b"INDX" + struct.pack(">I16xI", 56, 1)).ljust(56, b"\0") + tagx
    body, places = b"", []
    for name, values in rows:
        places.append(56 + len(body))
        body += bytes((len(name),)) + name + values
    table = 56 + len(body)
    entry = (b"INDX" + struct.pack(">I12xII", 56, table, len(rows))).ljust(56, b"\0")
    return [head, entry + body + b"IDXT" + struct.pack(f">{len(places)}H", *places)]


def azw3() -> bytes:
    """A book of the newer format: two parts that are skeletons with a fragment each, a link, a picture and a style."""
    skeletons = [b"<html><head></head><body></body></html>"] * 2
    fragments = [
        '<h1>Erstes</h1><p>Grüße an alle. <a href="kindle:pos:fid:0001:off:0000000000">weiter</a></p>'.encode(),
        b'<h1 id="z">Zweites</h1><p><img src="kindle:embed:0001?mime=image/png" alt="Katze"> Ende &amp; <b>aus</b>.</p>'
        b"<p class='x'>p</p>",
    ]
    css = b".x{color:red}"
    text = b"".join(skeleton + fragment for skeleton, fragment in zip(skeletons, fragments, strict=True))
    second = len(skeletons[0] + fragments[0])
    inside = skeletons[0].index(b"</body>")
    parts = [(text + css)[at : at + 4096] for at in range(0, len(text + css), 4096)]
    rows = [
        (f"{place:010}".encode(), b"\1" + _variable(0) + _variable(len(fragment)))
        for place, fragment in zip((inside, second + inside), fragments, strict=True)
    ]
    whole = [
        (name, b"\3" + _variable(1) + _variable(place) + _variable(len(skeletons[0])))
        for name, place in ((b"SKEL0", 0), (b"SKEL1", second))
    ]
    first = len(parts) + 1
    bounds = [0, len(text), len(text), len(text + css)]
    records = [
        *_index([(6, 2, 1)], rows),
        *_index([(1, 1, 1), (6, 2, 2)], whole),
        b"FDST" + struct.pack(">II4I", 12, 2, *bounds),
        picture("PNG"),
    ]
    numbers = {108: first + 5, 192: first + 4, 196: 2, 248: first, 252: first + 2}
    head = _header(len(text + css), len(parts), compression=1, version=8, numbers=numbers, exth=_exth(*_ABOUT))
    return _database([head, *parts, *records])


def palm_text() -> bytes:
    """A text of Palm OS, which is no book yet."""
    text = "Erste Zeile & <b>\nZweite Zeile\n".encode("cp1252")
    return _database([struct.pack(">HHIHHI", 2, 0, len(text), 1, 4096, 0), palmdoc(text)], b"TEXtREAd", b"A text")
