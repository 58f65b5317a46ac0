"""PDF documents to convert, made here."""

from __future__ import annotations

import io
import zlib
from functools import cache

import pikepdf
from reportlab.lib.pagesizes import A6
from reportlab.pdfgen.canvas import Canvas

from tests.families.images import files as pictures

SECRET = "Geheim-密"


@cache
def report() -> bytes:
    """Two pages: headings, paragraphs of several lines, a list, a word cut at the line's end; then a second chapter."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=A6, invariant=True)
    lines = (
        ("Helvetica-Bold", 18, 380, "Annual report"),
        ("Helvetica", 9, 350, "Sales grew in every region, and the num-"),
        ("Helvetica", 9, 339, "ber of customers passed 1,000 * 2."),
        ("Helvetica-Bold", 12, 310, "Goals"),
        ("Helvetica", 9, 290, "• fewer returns"),
        ("Helvetica", 9, 279, "• <more> repairs"),
        ("Helvetica", 9, 250, "1. first"),
        ("Helvetica", 9, 239, "2. second"),
        ("Helvetica-Bold", 9, 210, "Important"),
    )
    for font, size, y, text in lines:
        canvas.setFont(font, size)
        canvas.drawString(30, y, text)
    canvas.showPage()
    canvas.setFont("Helvetica-Bold", 18)
    canvas.drawString(30, 380, "Second chapter")
    canvas.setFillColorRGB(0.86, 0.12, 0.12)
    canvas.rect(30, 30, 100, 100, stroke=0, fill=1)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


@cache
def scanned() -> bytes:
    """A page that is only a picture."""
    file = io.BytesIO()
    canvas = Canvas(file, pagesize=(64, 48), invariant=True)
    from reportlab.lib.utils import ImageReader

    canvas.drawImage(ImageReader(io.BytesIO(pictures.photo("jpg"))), 0, 0, 64, 48)
    canvas.showPage()
    canvas.save()
    return file.getvalue()


@cache
def locked() -> bytes:
    """The report, behind SECRET."""
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(report())) as pdf:
        pdf.save(file, encryption=pikepdf.Encryption(user=SECRET, owner="owner", R=6))
    return file.getvalue()


@cache
def circle() -> bytes:
    """A page tree that has itself as a branch."""
    return _document(b"2 0 obj<</Type/Pages/Kids[2 0 R 3 0 R]/Count 9>>endobj\n", b"0 0 10 10 re f")


@cache
def bomb() -> bytes:
    """A page of 40 MB of instructions in 40 KB."""
    return _document(data=zlib.compress(b" " * 40_000_000, 9), filters=b"/Filter/FlateDecode")


@cache
def nested_bomb() -> bytes:
    """Forms that draw ten forms each, seven deep."""
    forms = b""
    for level in range(7):
        inner = b"/F Do " * 10 if level else b"0 0 1 1 re f " * 10
        resources = b"/Resources<</XObject<</F %d 0 R>>>>" % (9 + level) if level else b""
        forms += b"%d 0 obj<</Type/XObject/Subtype/Form/BBox[0 0 9 9]%s/Length %d>>stream\n%s\nendstream endobj\n" % (
            10 + level, resources, len(inner), inner,
        )  # fmt: skip
    return _document(data=b"/F Do " * 10, resources=b"/Resources<</XObject<</F 16 0 R>>>>", more=forms)


@cache
def huge_page() -> bytes:
    return _document(box=b"0 0 100000 100000")


@cache
def loose() -> bytes:
    """The report as careless software writes it: nothing compressed, and what no page needs."""
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(report())) as pdf:
        pdf.Root.Unused = pdf.make_stream(b"unused " * 5_000)
        pdf.save(file, compress_streams=False, object_stream_mode=pikepdf.ObjectStreamMode.disable, static_id=True)
    return file.getvalue()


@cache
def tight() -> bytes:
    """The report, as small as it gets."""
    pikepdf.settings.set_flate_compression_level(9)
    file = io.BytesIO()
    with pikepdf.open(io.BytesIO(report())) as pdf:
        pdf.remove_unreferenced_resources()
        pdf.save(
            file, recompress_flate=True, object_stream_mode=pikepdf.ObjectStreamMode.generate, deterministic_id=True
        )
    return file.getvalue()


@cache
def album() -> bytes:
    """A page with a picture of noise, stored without loss."""
    import random

    noise = random.Random(1).randbytes(128 * 128 * 3)
    image = b"5 0 obj<</Type/XObject/Subtype/Image/Width 128/Height 128/ColorSpace/DeviceRGB/BitsPerComponent 8"
    image += b"/Length %d>>stream\n%s\nendstream endobj\n" % (len(noise), noise)
    return _document(data=b"100 0 0 100 0 0 cm /I Do", resources=b"/Resources<</XObject<</I 5 0 R>>>>", more=image)


def _document(
    tree: bytes = b"2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj\n",
    data: bytes = b"0 0 10 10 re f",
    *,
    filters: bytes = b"",
    resources: bytes = b"",
    box: bytes = b"0 0 100 100",
    more: bytes = b"",
) -> bytes:
    return (
        b"%PDF-1.4\n1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj\n"
        + tree
        + b"3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[%s]%s/Contents 4 0 R>>endobj\n" % (box, resources)
        + b"4 0 obj<</Length %d%s>>stream\n%s\nendstream endobj\n" % (len(data), filters, data)
        + more
        + b"trailer<</Root 1 0 R>>\n%%EOF\n"
    )
