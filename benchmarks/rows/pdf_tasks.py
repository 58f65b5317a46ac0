"""PDF compression rows, compared with Ghostscript's settings for screens: photos, drawings and scans."""

from __future__ import annotations

import io
import random
from pathlib import Path

from benchmarks.row import Row

_PAGES = 8


def _brochure(path: Path) -> None:
    """Pages with a photo as JPEG at 300 pixels per inch, a lossless drawing and a bilevel scan."""
    from PIL import Image, ImageDraw, ImageFilter
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfgen.canvas import Canvas

    dice = random.Random(1)  # the same file every time
    canvas = Canvas(str(path), pagesize=(595, 842), invariant=True)
    for number in range(_PAGES):
        photo = Image.frombytes("RGB", (100, 75), dice.randbytes(22_500)).resize(
            (2_000, 1_500), Image.Resampling.BICUBIC
        )
        grain = Image.frombytes("L", (2_000, 1_500), dice.randbytes(3_000_000)).filter(ImageFilter.GaussianBlur(2))
        photo = Image.blend(photo, Image.merge("RGB", (grain,) * 3), 0.2)
        data = io.BytesIO()
        photo.save(data, "JPEG", quality=92)
        canvas.drawImage(ImageReader(io.BytesIO(data.getvalue())), 57, 450, 480, 360)
        drawing = Image.new("RGB", (1_400, 700), "white")
        draw = ImageDraw.Draw(drawing)
        for _ in range(60):
            x, y = dice.randrange(1_300), dice.randrange(600)
            colour = (dice.randrange(256), dice.randrange(256), dice.randrange(256))
            draw.rectangle((x, y, x + dice.randrange(300), y + dice.randrange(200)), outline=colour, width=4)
        canvas.drawImage(ImageReader(drawing), 57, 220, 420, 210)
        scan = Image.new("1", (2_400, 800), 1)
        marks = ImageDraw.Draw(scan)
        for _ in range(900):
            x, y = dice.randrange(2_300), dice.randrange(780)
            marks.line((x, y, x + dice.randrange(60), y + dice.randrange(20)), fill=0, width=5)
        canvas.drawImage(ImageReader(scan), 57, 40, 288, 96)
        canvas.drawString(57, 200, f"Page {number + 1} of a brochure")
        canvas.showPage()
    canvas.save()


ROWS: tuple[Row, ...] = (
    Row(
        name="PDF made smaller for the screen",
        input="brochure.pdf",
        make=_brochure,
        slug="pdf-to-pdf",
        options={"level": "screen"},
        peer_name="Ghostscript /ebook",
        peer=(
            "gs", "-q", "-sDEVICE=pdfwrite", "-dPDFSETTINGS=/ebook", "-dNOPAUSE", "-dBATCH",
            "-o", "{output}", "{input}",
        ),
        needs=("gs",),
        goal=0.8,
        job=True,
    ),
)  # fmt: skip
