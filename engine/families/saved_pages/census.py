"""Count the visible contents of pages that come with their files."""

from __future__ import annotations

import email
import plistlib
import zipfile
from collections.abc import Collection
from pathlib import Path
from urllib.parse import unquote

from engine.families.html_pdf import census as pages
from engine.families.saved_pages.parts import joined
from engine.toolkit.census import Census, Counting
from engine.toolkit.formats import HTMLZ, MHTML, WEBARCHIVE
from engine.toolkit.message_policy import RAW


def _message(path: Path) -> Census:
    """Count the page of an MHTML file."""
    message = email.message_from_bytes(path.read_bytes().lstrip(b"\xef\xbb\xbf\r\n"), policy=RAW)
    leaves = [each for each in message.walk() if not each.is_multipart()]
    start = str(message.get_param("start") or "").strip("<>")
    found = [each for each in leaves if each.get_content_type() in ("text/html", "application/xhtml+xml")]
    page = next((each for each in found if start and start in str(each["Content-ID"])), found[0])
    base = "".join(str(message.get("Content-Location", "")).split())

    def location(part: email.message.Message) -> str:
        return joined(base, "".join(str(part.get("Content-Location", "")).split()))

    names = [location(each) for each in leaves]
    names += ["cid:" + str(each["Content-ID"]).strip().strip("<>") for each in leaves if each["Content-ID"]]
    data = page.get_payload(decode=True)
    return _page(data if isinstance(data, bytes) else b"", page.get_content_charset(), location(page), names)


def _archive(path: Path) -> Census:
    """Count the page of a web archive."""
    archive = plistlib.loads(path.read_bytes(), fmt=plistlib.FMT_BINARY)
    main = archive["WebMainResource"]
    names = [str(each.get("WebResourceURL")) for each in archive.get("WebSubresources", ())]
    encoding = main.get("WebResourceTextEncodingName")
    return _page(main["WebResourceData"], encoding, main.get("WebResourceURL", ""), names)


def _folder(path: Path) -> Census:
    """Count the page of a ZIP."""
    with zipfile.ZipFile(path) as files:
        names = {each.replace("\\", "/"): each for each in files.namelist() if "__MACOSX" not in each}
        found = [each for each in names if each.lower().endswith((".html", ".htm", ".xhtml"))]
        found.sort(key=lambda each: (each.count("/"), "index." not in each.lower()))
        data = files.read(names[found[0]])
        return _page(data, None, f"file:///{found[0]}", [f"file:///{each}" for each in names])


def _page(data: bytes, encoding: str | None, address: str, names: Collection[str]) -> Census:
    """Count a page whose pictures are those that are among the files with these names."""
    from lxml import etree, html

    if encoding is None or not _is_known(encoding):
        data, encoding = pages.decoded(data)
    if not data.strip():
        return Census()
    root = html.document_fromstring(data, parser=html.HTMLParser(encoding=encoding))
    base = joined(address, next((each.get("href") for each in root.iter("base") if each.get("href")), ""))
    known = {unquote(each) for each in names}
    for each in root.iter("img"):
        src = each.get("src") or ""
        whole = unquote(joined(base, src.strip()).partition("#")[0])
        if not src.startswith("data:"):
            each.set("src", "inside" if known & {whole, whole.partition("?")[0]} else "")
    return pages.page(etree.tostring(root, method="html", encoding="utf-8"), "utf-8")


def _is_known(encoding: str) -> bool:
    """Whether the parser knows an encoding; names with NUL or bytes above 127 are values that it can't take."""
    from lxml import html

    try:
        html.HTMLParser(encoding=encoding)
    except (LookupError, ValueError):
        return False
    return True


_KINDS = frozenset({"words", "pictures", "links"})

COUNTINGS = {
    MHTML: Counting(_message, _KINDS, modules=("lxml.html",)),
    WEBARCHIVE: Counting(_archive, _KINDS, modules=("lxml.html",)),
    HTMLZ: Counting(_folder, _KINDS, modules=("lxml.html",)),
}
