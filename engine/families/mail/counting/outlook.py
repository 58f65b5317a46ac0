"""Count the contents of Outlook messages (MS-OXMSG) from the top-level streams of the compound file."""

from __future__ import annotations

import re
from pathlib import Path

import olefile

from engine.families.documents.counting import rich_text as marks
from engine.families.mail import rich_text
from engine.families.mail.counting.contents import add_page, add_text
from engine.toolkit import encodings
from engine.toolkit.census import Census
from engine.toolkit.warnings import Warn

_NOT_ASCII = re.compile(rb"(?<![^\s\x80-\xff<>])[^\s\x80-\xff<>]*+[\x80-\xff][^\s<>]*+")
"""A word with other letters, without tags: no second byte of a letter is one of their brackets."""
_TOP = ("0037", "0C1A", "0E04", "0E03", "0E02")
"""Property tags of the subject, the sender and the recipients."""
_BODY, _HTML, _RTF, _CID, _KIND = "1000", "1013", "1009", "3712", "370E"


def count(path: Path) -> Census:
    """Return the census of a message: headers, text, pictures and attachments."""
    census = Census()
    with olefile.OleFileIO(str(path)) as file:
        names = file.listdir(streams=True, storages=True)
        streams = {"/".join(each): each for each in names}

        def text(number: str, folder: str = "") -> str:
            wide, narrow = (f"{folder}__substg1.0_{number}{kind}" for kind in ("001F", "001E"))
            if wide in streams:
                return str(file.openstream(streams[wide]).read().decode("utf-16-le", "replace")).strip("\0")
            # The code page of 8-bit texts is in a property that is not read here; words in ASCII are common to all.
            data = bytes(file.openstream(streams[narrow]).read()) if narrow in streams else b""
            return _NOT_ASCII.sub(b" ", data).decode("ascii").strip("\0")

        def raw(number: str) -> bytes:
            name = f"__substg1.0_{number}0102"
            return bytes(file.openstream(streams[name]).read()) if name in streams else b""

        for number in _TOP:
            add_text(census, text(number))
        folders = sorted({each[0] for each in names if each[0].startswith("__attach_version1.0")})
        files = {each: text(_CID, f"{each}/").strip("<>") for each in folders}
        pictures = {cid for each, cid in files.items() if cid and text(_KIND, f"{each}/").startswith("image/")}
        shown = _body(census, text, raw, pictures)
        if left := sum(cid not in shown for cid in files.values()):
            census.add("attachments", left)
    return census


def _body(census: Census, text: object, raw: object, pictures: set[str]) -> set[str]:
    assert callable(text)
    assert callable(raw)
    data = raw(_HTML)
    if data:
        html = encodings.read(data, Warn(), declared=encodings.declared_in_html(data))
        return add_page(census, html, pictures)
    if html := text(_HTML):
        return add_page(census, html, pictures)
    if packed := raw(_RTF):
        unpacked = rich_text.unpacked(packed)
        census.texts += marks.contents(unpacked).texts
        shown = {cid for cid in pictures if f"cid:{cid}".encode() in unpacked}
        if shown:
            census.add("pictures", len(shown))
        return shown
    add_text(census, text(_BODY))
    return set()
