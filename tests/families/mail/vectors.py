"""Vectors of mail: one message as Internet mail, in a mailbox and as Outlook keeps it, in all of its forms."""

from __future__ import annotations

import base64
import email
import email.policy
import io
import json
import struct
import zipfile
from datetime import UTC, datetime
from functools import cache, partial

import pypdfium2

from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, fail, refuse, take

PIXEL = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
FILE = b"%PDF-1.4 not really"
PLAIN = (
    b"From: Ann <ann@example.org>\r\nTo: Bob <bob@example.org>\r\nSubject: Lunch\r\n"
    b"Date: Mon, 23 Nov 2026 10:00:00 +0100\r\n\r\nAt noon?\r\n"
)
_HTML = '<html><body><p>Grüße <b>und</b> mehr <img src="cid:pic@1"><img src="http://tracker.example/x.png"></p></body></html>'


def long_mail() -> bytes:
    """Encoded words, a wrong charset, an inline picture, a remote one, and a file with a name that is no ASCII."""
    parts = (
        b"From: =?utf-8?q?J=C3=B6rg?= <j@example.org>\nSubject: =?utf-8?b?R3LDvMOfZQ==?=\n =?utf-8?q?_und_mehr?=\n"
        b"Date: Mon, 23 Nov 2026 10:00:00 +0100\nContent-Type: multipart/mixed; boundary=a\n\n--a\n"
        b"Content-Type: multipart/alternative; boundary=b\n\n--b\nContent-Type: text/plain; charset=x-unknown\n\n",
        "Grüße und mehr\n--b\n".encode(), b"Content-Type: text/html; charset=utf-8\n\n", _HTML.encode(),
        b"\n--b--\n--a\nContent-Type: image/png\nContent-ID: <pic@1>\nContent-Transfer-Encoding: base64\n\n",
        base64.b64encode(PIXEL), b"\n--a\nContent-Type: application/pdf\nContent-Transfer-Encoding: base64\n"
        b"Content-Disposition: attachment; filename*=utf-8''%C3%A4%20..%2Fb.pdf\n\n", base64.b64encode(FILE),
        b"\n--a--\n",
    )  # fmt: skip
    return b"".join(parts)


def compound(streams: dict[str, bytes]) -> bytes:
    """A compound file (MS-CFB) with these streams, in folders where their names have a slash."""
    paths = [name.split("/")[:-1] for name in streams]
    folders = dict.fromkeys("/".join(path[: at + 1]) for path in paths for at in range(len(path)))
    names = ["Root Entry", *(each for each in streams if "/" not in each), *folders]
    names += [each for each in streams if "/" in each]
    assert len(names) == len(set(names))
    place, sectors, entries = {name: at for at, name in enumerate(names)}, bytearray(), []
    chain: list[int] = []
    small, links = bytearray(), list[int]()

    def store_small(data: bytes) -> int:
        first, count = len(small) // 64, -(-len(data) // 64)
        small.extend(data.ljust(count * 64, b"\0"))
        links.extend([*range(first + 1, first + count), 0xFFFFFFFE] if count else [])
        return first if count else 0xFFFFFFFE

    def store(data: bytes) -> int:
        first, count = len(sectors) // 512, -(-len(data) // 512)
        sectors.extend(data.ljust(count * 512, b"\0"))
        chain.extend([*range(first + 1, first + count), 0xFFFFFFFE] if count else [])
        return first if count else 0xFFFFFFFE

    def siblings(inside: str) -> list[str]:
        return [each for each in names[1:] if each.rpartition("/")[0] == inside]

    for name in names:
        parent, _, last = name.rpartition("/")
        row = siblings(parent)
        after = row[row.index(name) + 1 :] if name in row else []
        children = siblings("" if name == "Root Entry" else name) if name not in streams else []
        kind = 5 if name == "Root Entry" else 2 if name in streams else 1
        label = last.encode("utf-16-le")
        start = store_small(streams[name]) if kind == 2 else 0
        entries.append(
            label.ljust(64, b"\0")
            + struct.pack("<HBBIII", len(label) + 2, kind, 1, 0xFFFFFFFF, place[after[0]] if after else 0xFFFFFFFF,
                          place[children[0]] if children else 0xFFFFFFFF)
            + bytes(36) + struct.pack("<IQ", start, len(streams.get(name, b"")))
        )  # fmt: skip
    held = struct.pack("<IQ", store(bytes(small)), len(small))
    entries[0] = entries[0][:116] + held
    minor = store(struct.pack(f"<{len(links)}I", *links).ljust(-(-len(links) // 128) * 512, b"\xff"))
    directory = store(b"".join(entries).ljust(-(-len(entries) // 4) * 512, b"\0"))
    table = len(sectors) // 512
    chain.append(0xFFFFFFFD)
    assert len(chain) <= 128
    fat = struct.pack(f"<{len(chain)}I", *chain).ljust(512, b"\xff")
    head = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(16) + struct.pack("<HHHHH", 62, 3, 0xFFFE, 9, 6) + bytes(6)
    head += struct.pack("<IIIIIIIII", 0, 1, directory, 0, 4096, minor, -(-len(links) // 128), 0xFFFFFFFE, 0)
    return head + struct.pack("<I", table).ljust(436, b"\xff") + bytes(sectors) + fat


def _text(number: int, value: str) -> dict[str, bytes]:
    return {f"__substg1.0_{number:04X}001F": value.encode("utf-16-le")}


def outlook(
    subject: str,
    sender: str,
    body: str,
    *,
    rtf: bytes = b"",
    files: bool = False,
    packed: bool = False,
    nested: bool = False,
    page: int = 0,
    narrow: str = "",
) -> bytes:
    """A message as Outlook keeps it; `rtf` is stored as it is (MELA) in the place of HTML.

    With `narrow`, an encoding, its texts have one byte a letter; `page` is the code page that it declares for them.
    """
    since = int((datetime(2026, 11, 23, 9, tzinfo=UTC) - datetime(1601, 1, 1, tzinfo=UTC)).total_seconds())
    streams = {
        "__properties_version1.0": bytes(32) + struct.pack("<HHIQ", 0x40, 0x39, 6, since * 10_000_000),
        **_text(0x37, subject), **_text(0x0C1A, sender.partition(" <")[0]),
        **_text(0x5D01, sender.partition("<")[2].rstrip(">")), **_text(0x0E04, "Bob"), **_text(0x1000, body),
    }  # fmt: skip
    if page:
        streams["__properties_version1.0"] += struct.pack("<HHIQ", 3, 0x3FFD, 6, page)
    if narrow:
        streams = {
            name.replace("001F", "001E"): value.decode("utf-16-le").encode(narrow) if name.endswith("001F") else value
            for name, value in streams.items()
        }
    if rtf:
        plain = struct.pack("<II4sI", len(rtf) + 12, len(rtf), b"MELA", 0) + rtf
        streams["__substg1.0_10090102"] = packed_rtf(rtf) if packed else plain
    for number, (name, cid, data) in enumerate((("pic.png", "pic@1", PIXEL), ("ä ../b.pdf", "", FILE)) * files):
        inside = {"__substg1.0_37010102": data, **_text(0x3707, name), **_text(0x3712, cid)}
        inside |= _text(0x370E, "image/png" if cid else "application/pdf")
        streams |= {f"__attach_version1.0_#0000000{number}/{key}": value for key, value in inside.items()}
    if nested:
        folder = "__attach_version1.0_#00000007/__substg1.0_3701000D/"
        inner = {"__properties_version1.0": bytes(24), **_text(0x37, "Inner Ü"), **_text(0x1000, "Deep words")}
        streams |= {f"{folder}{key}": value for key, value in inner.items()}
        streams |= {f"{folder}__attach_version1.0_#00000000/{key}": value
                    for key, value in {"__substg1.0_37010102": FILE, **_text(0x3707, "deep.bin")}.items()}  # fmt: skip
    return compound(streams)


def _inner(data: bytes) -> None:
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        (name,) = archive.namelist()
        assert name == "Inner Ü.eml"
        mail = email.message_from_bytes(archive.read(name), policy=email.policy.default)
    assert mail["Subject"] == "Inner Ü"
    assert mail.get_body(("plain",)).get_content().strip() == "Deep words"
    assert [(each.get_filename(), each.get_content()) for each in mail.iter_attachments()][-1] == ("deep.bin", FILE)


_INLINE = (
    b"From: a@example.org\nContent-Type: multipart/mixed; boundary=a\n\n--a\nContent-Type: text/plain\n"
    b"Content-Disposition: inline; filename=x.txt\n\nShown in the mail\n--a--\n"
)
_TWO_TEXTS = (
    b"From: a@example.org\nContent-Type: multipart/alternative; boundary=a\n\n--a\nContent-Type: text/plain\n\n"
    b"one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen\n--a\n"
    b"Content-Type: text/html\n\n<p>hello</p>\n--a--\n"
)


def packed_rtf(rtf: bytes) -> bytes:
    """Rich text packed as Outlook packs it (LZFu): letters as they are, and what was there already by its place."""
    known = (
        b"{\\rtf1\\ansi\\mac\\deff0\\deftab720{\\fonttbl;}{\\f0\\fnil \\froman \\fswiss \\fmodern "
        b"\\fscript \\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\\colortbl\\red0\\green0\\blue0\r\n"
        b"\\par \\pard\\plain\\f0\\fs20\\b\\i\\u\\tab\\tx"
    )
    window, tokens, at = bytearray(known), list[bytes](), 0
    while at < len(rtf):
        length = next((n for n in range(min(17, len(rtf) - at), 2, -1) if rtf[at : at + n] in window), 0)
        if length:
            place = window.find(rtf[at : at + length])
            tokens.append(struct.pack(">H", place << 4 | (length - 2)))
        else:
            tokens.append(rtf[at : at + 1])
        window += rtf[at : at + (length or 1)]
        at += length or 1
    tokens.append(struct.pack(">H", len(window) << 4))
    body = b""
    for start in range(0, len(tokens), 8):
        run = tokens[start : start + 8]
        body += bytes([sum((len(each) == 2) << bit for bit, each in enumerate(run))]) + b"".join(run)
    return struct.pack("<II4sI", len(body) + 12, len(rtf), b"LZFu", 0) + body


_RTF = (
    rb"{\rtf1\ansi\ansicpg1252\fromhtml1 {\fonttbl{\f0 Arial;}}{\*\htmltag <html><body><p>}\htmlrtf {\htmlrtf0 "
    rb"Gr\'fc\u223?e {\*\htmltag <b>}\htmlrtf {\b \htmlrtf0 und\htmlrtf }\htmlrtf0{\*\htmltag </b>} mehr "
    rb'{\*\htmltag <img src="cid:pic@1"><img src="http://tracker.example/x.png"></p></body></html>}}'
)


@cache
def source(format: str, *, plain: bool) -> bytes:
    """The ordinary mail, or the awkward one, in this format."""
    if format == "msg":
        if plain:
            return outlook("Lunch", "Ann <ann@example.org>", "At noon?")
        return outlook("Grüße und mehr", "Jörg <j@example.org>", "Grüße und mehr", rtf=_RTF, files=True)
    mail = PLAIN if plain else long_mail()
    return mail if format == "eml" else b"From x Mon Nov 23 10:00:00 2026\n" + mail + b"\nFrom y Tue\n" + PLAIN


def _shown(output: str, *, plain: bool, several: bool) -> Check:
    subject, words = ("Lunch", "At noon?") if plain else ("Grüße und mehr", "mehr")

    def check(data: bytes) -> None:
        if output == "json":
            value = json.loads(data)
            assert isinstance(value, list) == several
            first = value[0] if several else value
            assert first["subject"] == subject
            assert first["date"].startswith("2026-11-23T")
            assert words in first["text"]
            assert [each["size"] for each in first["attachments"]] == ([] if plain else [len(PIXEL), len(FILE)])
            return
        if output == "pdf":
            document = pypdfium2.PdfDocument(data)
            text = "\n".join(page.get_textpage().get_text_bounded() for page in document)
        else:
            text = data.decode()
        for each in (subject, words, "2026-11-23", *(() if plain else ("b.pdf",))):
            assert each in text, text
        if not plain and output == "html":
            assert "<b>und</b>" in text
            assert base64.b64encode(PIXEL).decode() in text
            assert "tracker" not in text
        if not plain and output == "markdown":
            assert "**und**" in text

    return check


def _packed(*names: str) -> Check:
    def check(data: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            assert set(archive.namelist()) == set(names)
            assert archive.testzip() is None
            assert any(archive.read(each) == FILE for each in archive.namelist())

    return check


_REMOTE = ("html", "pdf", "markdown")
"""What shows pictures from elsewhere, were they not left out."""
_PIC = {"eml": "part.png", "mbox": "part.png", "msg": "pic.png"}
_BROKEN = {
    "eml": b"no mail at all\n", "mbox": PLAIN, "msg": b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 2_000,
}  # fmt: skip


READERS: Readers = {
    id: (
        ordinary("a few words", partial(source, id, plain=True)),
        awkward("pictures, files, codes", partial(source, id, plain=False), "CONTENT_DROPPED"),
        broken("no mail", damaged, None if id == "msg" else 1),
    )
    for id, damaged in _BROKEN.items()
}
_WITH_FILES: Readers = {
    id: (
        ordinary("files", partial(source, id, plain=False)),
        awkward("files of a long mail", partial(source, id, plain=False)),
        READERS[id][-1],
    )
    for id in READERS
}


def _writer(output: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        plain = given.kind == "ordinary"
        codes = frozenset({"REMOTE_RESOURCE_BLOCKED"} if output in _REMOTE and not plain else ())
        return Wanted(_shown(output, plain=plain, several=source == "mbox"), codes)

    return wanted


def _files_alone(source: str, given: Given) -> Wanted:
    folder = "001/" if source == "mbox" else ""
    return Wanted(_packed(f"{folder}{_PIC[source]}", f"{folder}b.pdf"))


def _says(*words: str) -> Check:
    def check(data: bytes) -> None:
        assert all(each in data.decode() for each in words), data.decode()

    return check


_MORE = (
    take("eml-to-txt", "another time zone", PLAIN, _says("Date: 2026-11-23 04:00:00 -0500"),
         timezone="America/New_York"),
    take("eml-to-json", "an offset", PLAIN, _says('"date": "2026-11-23T14:30:00+05:30"'), timezone="+05:30"),
    refuse("eml-to-json", "no such time zone", lambda: PLAIN, timezone="Mars/Olympus"),
    take("eml-to-txt", "files beside it", long_mail, _packed("mail.txt", "part.png", "b.pdf"), output="zip",
         attachments="zip"),
    take("eml-to-txt", "without files", long_mail, lambda data: _says("und mehr")(data), "CONTENT_DROPPED",
         attachments="drop"),
    fail("eml-to-zip", "nothing attached", PLAIN),
    take("msg-to-txt", "rich text that was never HTML",
         lambda: outlook("x", "Ann", "", rtf=rb"{\rtf1\ansi {\fonttbl{\f0 Arial;}}Tea\par at {\b five}}"),
         _says("Tea\nat five")),
    take("msg-to-txt", "rich text that is packed",
         lambda: outlook("x", "Ann", "", rtf=rb"{\rtf1\ansi\mac\deff0 Tea Tea Tea Tea\par at five}",
                         packed=True), _says("Tea Tea Tea Tea\nat five")),
    take("msg-to-html", "HTML in rich text that is packed",
         lambda: outlook("x", "Ann", "", rtf=_RTF, packed=True, files=True),
         _says("<b>und</b>"), "REMOTE_RESOURCE_BLOCKED", "CONTENT_DROPPED"),
    take("msg-to-zip", "a message in a message", lambda: outlook("x", "Ann", "y", nested=True), _inner),
    take("eml-to-txt", "a text inside that has a name", _INLINE, _says("Shown in the mail"), "CONTENT_DROPPED"),
    take("eml-to-txt", "nothing but a picture", b"Subject: x\nContent-Type: text/html\n\n<img src='cid:a'>",
         _says("Subject: x")),
    take("eml-to-html", "another text beside the HTML", _TWO_TEXTS, _says("hello"), "CONTENT_DROPPED"),
)  # fmt: skip

VECTORS = (
    *pairs("mail", READERS, {id: _writer(id) for id in (*_REMOTE, "txt", "json")}),
    *pairs("mail", _WITH_FILES, {"zip": _files_alone}),
    *_MORE,
)
