"""One page with a style sheet, a picture and a font, as a ZIP, as MHTML and as a web archive."""

from __future__ import annotations

import io
import plistlib
import zipfile
from collections.abc import Mapping
from email.encoders import encode_base64
from email.mime.base import MIMEBase
from email.mime.multipart import MIMEMultipart
from functools import cache

from PIL import Image

from engine.families.saved_pages.folders import kind

SITE = "http://site.example/news/"
PAGE = """<!DOCTYPE html>
<html lang="de"><head><meta charset="utf-8"><title>Grüße</title>
<link rel="stylesheet" href="css/main.css?v=2"><script src="js/app.js"></script></head>
<body><h1>Überschrift</h1><p class="note">Ein Absatz mit <a href="https://elsewhere.example/x">Verweis</a>.</p>
<p><img src="img/red%20dot.png" alt="a red dot" width="60" height="60"></p></body></html>
"""
SHEET = (
    '@import "more.css";\n@font-face{font-family:Own;src:url(../fonts/own.eot),url("../fonts/own.ttf")}\n'
    "h1{font-family:Own}"
)
MORE = "/* url(nothing.png) */ .note { background: url('../img/blue.png') }"


def picture(colour: str, size: tuple[int, int] = (30, 30), format: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", size, colour).save(out, format)
    return out.getvalue()


@cache
def font() -> bytes:
    from fontTools.fontBuilder import FontBuilder
    from fontTools.pens.ttGlyphPen import TTGlyphPen

    pen = TTGlyphPen(None)
    for points in (((0, 0), (500, 0), (500, 700), (0, 700)),):
        pen.moveTo(points[0])
        for each in points[1:]:
            pen.lineTo(each)
        pen.closePath()
    glyph = pen.glyph()
    letters = "ÜUbersichtf"
    names = [".notdef", *(f"g{number}" for number in range(len(letters)))]
    made = FontBuilder(1000, isTTF=True)
    made.setupGlyphOrder(names)
    made.setupCharacterMap({ord(each): f"g{number}" for number, each in enumerate(letters)})
    made.setupGlyf(dict.fromkeys(names, glyph))
    made.setupHorizontalMetrics(dict.fromkeys(names, (600, 0)))
    made.setupHorizontalHeader(ascent=800, descent=-200)
    made.setupNameTable({"familyName": "Own", "styleName": "Regular", "psName": "OwnBlocks"})
    made.setupOS2(sTypoAscender=800, usWinAscent=800, usWinDescent=200)
    made.setupPost()
    out = io.BytesIO()
    made.save(out)
    return out.getvalue()


def site(page: str = PAGE) -> dict[str, bytes]:
    """The files of the page by their names."""
    return {
        "index.html": page.encode(),
        "css/main.css": SHEET.encode(),
        "css/more.css": MORE.encode(),
        "img/red dot.png": picture("red"),
        "img/blue.png": picture("blue"),
        "fonts/own.ttf": font(),
        "js/app.js": b"alert(1)",
    }


def zipped(files: Mapping[str, bytes]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return out.getvalue()


def mhtml(files: Mapping[str, bytes], base: str = SITE) -> bytes:
    """The files as browsers save them, each with its address."""
    whole = MIMEMultipart("related", type="text/html", boundary="----Boundary")
    whole["From"], whole["Subject"] = "<Saved by Blink>", "Grüße"
    for name, data in files.items():
        part = MIMEBase(*kind(name).split("/"))
        part.set_payload(data)
        encode_base64(part)
        part["Content-Location"] = base + name.replace(" ", "%20") + ("?v=2" if name == "css/main.css" else "")
        whole.attach(part)
    return whole.as_bytes()


def web_archive(files: Mapping[str, bytes], base: str = SITE) -> bytes:
    """The files as Safari saves them."""
    resources = [
        {
            "WebResourceData": data,
            "WebResourceMIMEType": kind(name),
            "WebResourceURL": base + name.replace(" ", "%20") + ("?v=2" if name == "css/main.css" else ""),
            "WebResourceTextEncodingName": "UTF-8",
        }
        for name, data in files.items()
    ]
    return plistlib.dumps({"WebMainResource": resources[0], "WebSubresources": resources[1:]}, fmt=plistlib.FMT_BINARY)


CONTAINERS = {"htmlz": zipped, "mhtml": mhtml, "webarchive": web_archive}
