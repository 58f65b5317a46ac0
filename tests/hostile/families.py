"""Hostile files of the small families: what mutation of good ones would not find."""

from __future__ import annotations

import gzip
import io
import lzma
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterator

from tests.families.archives import sevens


def subtitles() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each."""
    line = b"1\n00:00:01,000 --> 00:00:02,000\n"
    dialogue = b"[Events]\nDialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,"
    tt = b'<tt xmlns="http://www.w3.org/ns/ttml"><body><div>%s</div></body></tt>'
    yield "a hundred thousand open tags", "srt-to-vtt", lambda: line + b"<i>" * 100_000 + b"x"
    yield (
        "a hundred thousand closing tags",
        "vtt-to-srt",
        lambda: b"WEBVTT\n\n00:01.000 --> 00:02.000\n" + b"<b>" * 50_000 + b"</i>" * 50_000 + b"x",
    )
    yield "a hundred thousand codes", "ass-to-srt", lambda: dialogue + b"{\\i1}x{\\i0}" * 50_000
    yield "a brace that nobody closes", "ass-to-ttml", lambda: dialogue + b"{" * 200_000
    yield "a million subtitles", "srt-to-ttml", lambda: line.replace(b"2,000\n", b"2,000\nx\n\n") * 300_000
    yield "times of thousands of digits", "sub-to-srt", lambda: b"{1}{1}25\n{" + b"9" * 50_000 + b"}{1}x\n"
    yield "no frames a second", "sub-to-vtt", lambda: b"{1}{1}0\n{1}{2}x\n"
    yield "spaces without an end", "srt-to-txt", lambda: b"00:00:01,000" + b" " * 500_000 + b"x"
    yield "elements in elements", "ttml-to-srt", lambda: tt % (b"<div>" * 20_000 + b"</div>" * 20_000)
    yield (
        "spans in spans",
        "ttml-to-ass",
        lambda: tt % (b'<p begin="1s" end="2s">' + b"<span>" * 20_000 + b"</span>" * 20_000 + b"</p>"),
    )
    yield (
        "entities of entities",
        "ttml-to-vtt",
        lambda: (
            b"<!DOCTYPE tt [<!ENTITY a 'xxxxxxxxxx'>"
            + b"".join(
                b"<!ENTITY b%d '%s'>" % (n, b"&a;" * 10 if not n else b"&b%d;" % (n - 1) * 10) for n in range(12)
            )
            + b"]>"
            + tt % b'<p begin="1s" end="2s">&b11;</p>'
        ),
    )
    yield (
        "a file from elsewhere",
        "ttml-to-txt",
        lambda: b'<!DOCTYPE tt [<!ENTITY a SYSTEM "file:///etc/passwd">]>' + tt % b'<p begin="1s" end="2s">&a;</p>',
    )


def archives() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each."""

    def bomb(pack: Callable[[bytes], bytes]) -> bytes:
        head = tarfile.TarInfo("zeros")
        head.size = 200_000_000
        return pack(head.tobuf() + bytes(100_000_000))

    def lying(*, size: int) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("a", b"x" * 1000)
        data = bytearray(out.getvalue())
        at = data.index(b"PK\x01\x02")
        data[at + 24 : at + 28] = struct.pack("<I", size)
        return bytes(data)

    def many() -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w") as archive:
            for number in range(30_000):
                archive.writestr(f"{number}", b"")
        return out.getvalue()

    def header(*, declared: int) -> bytes:
        info = tarfile.TarInfo("x")
        info.type, info.size = tarfile.XHDTYPE, declared
        return info.tobuf() + bytes(1024)

    def longer(*, size: int) -> bytes:
        packed = sevens.Packed([sevens.long_repeats(3_000)[1]], [(*sevens.DEFLATE64_CODER, 1)], [size])
        return sevens.archive([("a", b"a")], packed)

    head = b"7z\xbc\xaf\x27\x1c\0\4\0\0\0\0"
    files = b"\1\5\xff" + b"\xff" * 8
    yield "a packed bomb", "tgz-to-zip", lambda: bomb(gzip.compress)
    yield "a packed bomb", "txz-to-json", lambda: bomb(lzma.compress)
    yield "a size of 4 GB", "zip-to-tar", lambda: lying(size=0xFFFFFFF0)
    yield "a size that is too small", "zip-to-tar", lambda: lying(size=10)
    yield "thirty thousand files", "zip-to-csv", many
    yield "a header of 8 GB", "tar-to-zip", lambda: header(declared=8**11 - 1)
    yield (
        "files without number",
        "7z-to-zip",
        lambda: head + struct.pack("<QQI", 0, len(files), zlib.crc32(files)) + files,
    )
    yield "a packed bomb of Deflate64", "7z-to-tar", lambda: longer(size=40_000_000)
    yield "a header far away", "7z-to-json", lambda: head + struct.pack("<QQI", 2**63, 2**40, 0)


def mails() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each."""
    parts = b"Content-Type: multipart/mixed; boundary=%d\n\n--%d\n"
    yield "parts in parts", "eml-to-json", lambda: b"".join(parts % (at, at) for at in range(5_000))
    yield (
        "fifty thousand parts",
        "eml-to-zip",
        lambda: (
            b"Content-Type: multipart/mixed; boundary=a\n\n" + b"--a\nContent-Disposition: attachment\n\nx\n" * 50_000
        ),
    )
    yield "fifty thousand headers", "eml-to-html", lambda: b"Subject: =?utf-8?q?=41?=\n" * 50_000 + b"\nx"
    yield "an encoded word without an end", "eml-to-txt", lambda: b"Subject: " + b"=?utf-8?q?" * 50_000 + b"\n\nx"
    yield (
        "boundaries of nothing",
        "eml-to-txt",
        lambda: b'Content-Type: multipart/mixed; boundary=""\n\n' + b"--\n" * 100_000,
    )
    yield "pictures of pictures", "eml-to-html", lambda: b"Content-Type: text/html\n\n" + b'<img src="cid:a">' * 50_000
    yield "a mailbox of thousands", "mbox-to-txt", lambda: b"From x\nSubject: y\n\nz\n\n" * 5_000
    yield "no streams at all", "msg-to-json", lambda: b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\xff" * 5_000


def fonts() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each."""

    def table(count: int, *, offset: int, length: int) -> bytes:
        head = b"\0\1\0\0" + struct.pack(">HHHH", count, 16, 0, 0)
        return head + struct.pack(">4sIII", b"glyf", 0, offset, length) * count + bytes(2_000)

    yield "sixty thousand tables", "ttf-to-woff2", lambda: table(65_535, offset=12, length=2**31)
    yield "a table outside of the file", "ttf-to-png", lambda: table(1, offset=2**31, length=100)
    yield "a web font of 4 GB", "woff-to-ttf", lambda: b"wOFF\0\1\0\0" + b"\xff" * 200
    yield "a packed font of 4 GB", "woff2-to-pdf", lambda: b"wOF2\0\1\0\0" + b"\xff" * 200
    yield "a collection", "otf-to-ttf", lambda: b"ttcf\0\1\0\0" + bytes(200)


def books() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each."""

    def comic(*files: tuple[str, bytes], times: int = 1) -> bytes:
        out = io.BytesIO()
        with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
            for number in range(times):
                for name, data in files:
                    archive.writestr(name.format(number), data)
        return out.getvalue()

    def png(width: int, height: int) -> bytes:
        size = struct.pack(">II5B", width, height, 8, 2, 0, 0, 0)
        chunks = ((b"IHDR", size), (b"IDAT", zlib.compress(bytes(100))), (b"IEND", b""))
        body = (struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
                for kind, data in chunks)  # fmt: skip
        return b"\x89PNG\r\n\x1a\n" + b"".join(body)

    def palm(*records: bytes) -> bytes:
        head = bytes(60) + b"BOOKMOBI" + bytes(8) + struct.pack(">H", len(records))
        at, table = len(head) + 8 * len(records), b""
        for each in records:
            table += struct.pack(">II", at, 0)
            at += len(each)
        return head + table + b"".join(records)

    def book(text: bytes, *, packing: int = 1, declared: int | None = None) -> bytes:
        parts = [text[at : at + 60_000] for at in range(0, len(text), 60_000)]
        head = struct.pack(">HHIHHI", packing, 0, declared or len(text), len(parts), 4096, 0) + b"MOBI"
        return palm(head.ljust(300, b"\0"), *parts)

    yield "a page of 60,000 x 60,000 pixels", "cbz-to-pdf", lambda: comic(("a.png", png(60_000, 60_000)))
    yield "a page of 60,000 x 60,000 pixels", "zip-to-epub", lambda: comic(("a.png", png(60_000, 60_000)))
    yield "1,500 pages", "cbz-to-epub", lambda: comic(("{}.png", png(1, 1)), times=1_500)
    yield "a bomb for a page", "zip-to-cbz", lambda: comic(("a.png", png(1, 1) + bytes(150_000_000)))
    yield (
        "entities of entities",
        "cbz-to-epub",
        lambda: comic(
            ("a.png", png(1, 1)),
            (
                "ComicInfo.xml",
                b"<!DOCTYPE x [<!ENTITY a '1'><!ENTITY b '"
                + b"&a;" * 1_000
                + b"'>]><ComicInfo><Title>&b;</Title></ComicInfo>",
            ),
        ),
    )
    yield (
        "elements in elements",
        "zip-to-cbz",
        lambda: comic(
            ("a.png", png(1, 1)), ("ComicInfo.xml", b"<ComicInfo>" + b"<a>" * 5_000 + b"</a>" * 5_000 + b"</ComicInfo>")
        ),
    )
    yield "a text of 4 GB", "mobi-to-txt", lambda: book(b"x", declared=0xFFFFFFF0)
    yield "codes that go far back", "mobi-to-txt", lambda: book(b"a" + b"\xbf\xff" * 50_000, packing=2)
    yield "half a million links", "mobi-to-html", lambda: book(b"<a filepos=9>" * 500_000)
    yield "guides without an end", "mobi-to-html", lambda: book(b"<guide>" * 500_000)
    yield "pictures without an end", "mobi-to-html", lambda: book(b"<img recindex=" * 300_000)
    yield "elements in elements", "mobi-to-epub", lambda: book(b"<div>" * 100_000)
    yield "codes of Huffman without a table", "azw3-to-txt", lambda: book(b"x" * 500, packing=17480)


def bibliographies() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each."""
    yield "braces that nobody closes", "bibtex-to-json", lambda: b"@book{a, title = " + b"{" * 500_000
    yield "entries without an end", "bibtex-to-csv", lambda: b"@book{a, title = {x\n" * 50_000
    yield "entries in one line without an end", "bibtex-to-csv", lambda: b"@book{a, title = {x " * 50_000
    yield "spaces without an end", "bibtex-to-ris", lambda: b"@book{a," + b" " * 500_000 + b"x"
    yield (
        "strings of strings",
        "bibtex-to-json",
        lambda: (
            b"@string{a0 = {xxxxxxxxxx}}\n"
            + b"".join(
                b"@string{a%d = %s}\n" % (each, b" # ".join([b"a%d" % (each - 1)] * 10)) for each in range(1, 20)
            )
            + b"@book{a, title = a19}"
        ),
    )
    yield "an author of a thousand names", "bibtex-to-html", lambda: b"@book{a, author={" + b"A B and " * 1_000 + b"C}}"
    yield "accents of accents", "bibtex-to-json", lambda: b"@book{a, title={" + b"\\'" * 200_000 + b"}}"
    yield "dollars", "bibtex-to-json", lambda: b"@book{a, title={" + b"$ \\$" * 100_000 + b"}}"
    yield "a line that goes on and on", "ris-to-json", lambda: b"TY  - BOOK\nTI  - x\n" + b"y" * 50 + b"\nz" * 300_000
    yield "two hundred thousand entries", "ris-to-csv", lambda: b"TY  - BOOK\nER  - \n" * 200_000


def feeds() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each."""
    yield "elements in elements", "rss-to-json", lambda: b"<rss>" + b"<a>" * 200_000 + b"</a>" * 200_000 + b"</rss>"
    yield (
        "outlines in outlines",
        "opml-to-csv",
        lambda: b"<opml><body>" + b"<outline text='x'>" * 50_000 + b"</outline>" * 50_000 + b"</body></opml>",
    )
    yield (
        "entities of entities",
        "rss-to-html",
        lambda: (
            b"<!DOCTYPE rss [<!ENTITY a 'xxxxxxxxxx'>"
            + b"".join(b"<!ENTITY b%d '%s'>" % (n, b"&a;" * 10 if not n else b"&b%d;" % (n - 1) * 10) for n in range(9))
            + b"]><rss><channel><title>&b8;</title></channel></rss>"
        ),
    )
    yield (
        "a file from elsewhere",
        "rss-to-json",
        lambda: (
            b'<!DOCTYPE rss [<!ENTITY a SYSTEM "file:///etc/passwd">]><rss><channel><title>&a;</title></channel></rss>'
        ),
    )
    yield (
        "a hundred thousand entries",
        "rss-to-html",
        lambda: b"<rss>" + b"<item><title>x</title></item>" * 100_000 + b"</rss>",
    )
    yield (
        "a million folders",
        "json-to-opml",
        lambda: b"[" + b'{"folder": "%s"},' % (b"a/" * 500) * 2_000 + b'{"text": "x"}]',
    )


def markup() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each: what pandoc's readers need exponential time for without us, and what is far away."""
    laughs = b"".join(b"<!ENTITY b%d '%s'>" % (n, b"&a;" * 10 if not n else b"&b%d;" % (n - 1) * 10) for n in range(9))
    for mark in (b"/", b"*", b"_", b"=", b"+"):
        yield f"marks {mark.decode()} that nobody closes", "org-to-html", lambda m=mark: (m + b"a ") * 4_000
    for mark in (b"*", b"_", b"??", b"{color:red}", b"[[", b"{{"):
        yield f"marks {mark.decode()} that nobody closes", "jira-to-html", lambda m=mark: (m + b"a ") * 4_000
    for mark in (b"*", b"_", b"%", b"-", b"["):
        yield f"marks {mark.decode()} that nobody closes", "textile-to-html", lambda m=mark: (m + b"a ") * 4_000
    for mark in (b"[", b"xref:a[", b"((", b"<<", b"`"):
        yield f"marks {mark.decode()} that nobody closes", "asciidoc-to-html", lambda m=mark: (m + b"a ") * 4_000
    for mark in (b"[[a|", b"{{a|", b"<ref>", b"<!--"):
        yield f"marks {mark.decode()} that nobody closes", "mediawiki-to-html", lambda m=mark: (m + b"a ") * 4_000
    yield "a fence that nobody closes", "asciidoc-to-markdown", lambda: b"```\n"
    yield "includes of the machine's own files", "asciidoc-to-html", lambda: b"include::/etc/passwd[]\n\nx\n" * 50
    yield "notes in notes", "org-to-markdown", lambda: b"[fn:: a " * 1_000
    yield "groups in groups", "latex-to-html", lambda: b"{\\em " * 5_000
    yield "quotes in quotes", "latex-to-html", lambda: b"\\begin{quote}" * 5_000
    yield "a macro of itself", "latex-to-html", lambda: b"\\def\\a{\\a\\a}\\a"
    yield "a file from elsewhere", "latex-to-html", lambda: b"\\input{/etc/passwd} x"
    yield "parentheses in parentheses", "typst-to-html", lambda: b"#(" + b"(" * 1_000
    yield "a file from elsewhere", "typst-to-html", lambda: b'#include "/etc/passwd"\nx'
    yield "a file from elsewhere", "man-to-html", lambda: b".TH A 1\n.so /etc/passwd\nx\n"
    yield "parts in parts", "man-to-html", lambda: b".TH A 1\n" + b".RS\n" * 5_000
    yield (
        "entities of entities",
        "docbook-to-html",
        lambda: b"<!DOCTYPE article [<!ENTITY a 'xxxxxxxxxx'>" + laughs + b"]><article><para>&b8;</para></article>",
    )
    yield (
        "a file from elsewhere",
        "docbook-to-html",
        lambda: b'<!DOCTYPE article [<!ENTITY a SYSTEM "file:///etc/passwd">]><article><para>&a;x</para></article>',
    )
    yield "elements in elements", "fb2-to-html", lambda: b"<FictionBook>" + b"<section>" * 5_000
    yield "outlines in outlines", "opml-to-html", lambda: b"<opml><body>" + b"<outline>" * 5_000
    yield "cells in cells", "ipynb-to-html", lambda: b'{"nbformat": 4, "cells": ' + b"[" * 100_000
    yield (
        "a hundred thousand outputs",
        "ipynb-to-html",
        lambda: (
            b'{"nbformat": 4, "cells": [{"cell_type": "code", "source": "x", "outputs": ['
            + b'{"output_type": "stream", "text": "x"},' * 100_000
            + b'{"output_type": "stream", "text": "x"}]}]}'
        ),
    )
    yield (
        "dollars without an end",
        "ipynb-to-html",
        lambda: b'{"nbformat": 4, "cells": [{"cell_type": "markdown", "source": "' + b"$a `` " * 50_000 + b'"}]}',
    )


def media() -> Iterator[tuple[str, str, Callable[[], bytes]]]:
    """Name, slug and file of each: what would have ffmpeg open other files, and what would never end."""
    from tests.families.media import files as made

    link = b"1\n00:00:00,000 --> 00:00:01,000\nfile:///etc/passwd\n"
    yield "a list of files named as sound", "mp3-to-wav", lambda: b"ID3" + made.ffconcat()
    yield "a list of files", "mp4-to-mp3", lambda: b"\0\0\0\x18ftypisom" + made.ffconcat()
    yield "a playlist", "ts-to-mp4", lambda: b"G" + made.playlist()
    yield "a playlist", "aac-to-mp3", lambda: b"\xff\xf1" + made.playlist()
    yield "a playlist of data:", "ts-to-mp3", lambda: b"G#EXTM3U\n#EXTINF:1,\ndata:video/mp2t;base64,R0BAEA==\n"
    yield "a list of data:", "mp3-to-ogg", lambda: b"ID3ffconcat version 1.0\nfile 'data:audio/mpeg;base64,SUQz'\n"
    yield "a hundred thousand tracks", "mkv-to-mp4", lambda: made.many_streams(100_000)
    yield "a thousand tracks", "webm-to-mp3", lambda: made.many_streams(1_000)
    yield "pictures of 65,535 x 65,535", "gif-to-mp4", lambda: made.told_size(65_535, 65_535)
    yield "a film cut off", "mov-to-mp4", lambda: made.sample("mov")[:5_000]
    yield "sound cut off", "flac-to-mp3", lambda: made.sample("flac")[:200]
    yield "boxes in boxes", "mp4-to-mkv", lambda: b"\0\0\0\x18ftypisom" + bytes(12) + b"\x7f\xff\xff\xffmoov" * 50_000
    yield "a box of a size that there is not", "3gp-to-mp3", lambda: b"\0\0\0\x01ftyp3gp4" + b"\xff" * 200
    yield (
        "subtitles that name a file",
        "mkv-to-srt",
        lambda: made.made("mkv", *made.PICTURES, "-i", "a.srt", "-c:v", "libx264", "-c:s", "subrip", a_srt=link),
    )
    yield "an hour of nothing", "wav-to-flac", lambda: b"RIFF\xff\xff\xff\xffWAVE" + made.sample("wav")[12:]


FILES = (*media(), *archives(), *bibliographies(), *books(), *feeds(), *fonts(), *mails(), *markup(), *subtitles())
