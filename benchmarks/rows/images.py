"""Picture and PDF rows: photos of 24 megapixels compared with common tools, a long text with pypdf."""

from __future__ import annotations

import random
from pathlib import Path

from benchmarks.row import Row

_SHARP = "const sharp = require('sharp'); sharp(process.argv[1]).{call}.toFile(process.argv[2]);"


def photo(path: Path) -> None:
    """A JPEG of 6,000 x 4,000 pixels with the spectrum of a photo: clouds of all sizes, edges and grain."""
    from PIL import Image, ImageChops

    chance = random.Random(24)
    width, height = 6000, 4000
    channels = []
    for _ in range(3):
        total = Image.new("L", (width, height), 128)
        cells, weight = 3, 0.5
        while cells < width // 4:
            size = (cells, max(2, cells * height // width))
            clouds = Image.frombytes("L", size, chance.randbytes(size[0] * size[1]))
            total = Image.blend(total, clouds.resize((width, height), Image.Resampling.BICUBIC), weight)
            cells, weight = cells * 2, weight * 0.72
        channels.append(total)
    grain = Image.effect_noise((width // 4, height // 4), 12).resize((width, height), Image.Resampling.BICUBIC)
    image = Image.merge("RGB", channels)
    ImageChops.overlay(image, Image.merge("RGB", (grain,) * 3)).save(path, "JPEG", quality=92)


def book(path: Path) -> None:
    """A PDF of 200 pages of text, about 2,500 letters each."""
    from reportlab.lib.pagesizes import A4
    from reportlab.pdfgen.canvas import Canvas

    chance = random.Random(3)
    words = ["".join(chance.choices("etaoinshrdlu", k=chance.randint(2, 9))) for _ in range(2_000)]
    canvas = Canvas(str(path), pagesize=A4, invariant=True)
    for _ in range(200):
        canvas.setFont("Times-Roman", 11)
        for line in range(50):
            canvas.drawString(60, 780 - 14 * line, " ".join(chance.choices(words, k=9)))
        canvas.showPage()
    canvas.save()


PYPDF = (
    "import sys, pypdf; open(sys.argv[2], 'w').write('\\n'.join("
    "page.extract_text() for page in pypdf.PdfReader(sys.argv[1]).pages))"
)


def _thumbnail(size: str, saving: str) -> tuple[str, ...]:
    """libvips' own program on one thread, as in a conversion; `saving` are the settings of its output."""
    return ("env", "VIPS_CONCURRENCY=1", "vipsthumbnail", "{input}", "-s", size, "-o", "{output}" + saving)


# The peers' quality settings give the same size and similarity (SSIM) as ours within the margins of the goals.
ROWS: tuple[Row, ...] = (
    Row(
        name="24 MP jpg to jpg",
        input="photo.jpg",
        make=photo,
        slug="jpg-to-jpg",
        peer_name="ImageMagick",
        peer=("convert", "{input}", "-quality", "85", "{output}"),
        needs=("convert",),
        goal=0.6,
        job=True,
    ),
    Row(
        name="24 MP jpg to webp",
        input="photo.jpg",
        make=photo,
        slug="jpg-to-webp",
        peer_name="sharp",
        peer=("node", "-e", _SHARP.format(call="webp({quality: 80})"), "{input}", "{output}"),
        needs=("node",),
        goal=1.0,
    ),
    Row(
        name="24 MP jpg to avif",
        input="photo.jpg",
        make=photo,
        slug="jpg-to-avif",
        peer_name="ImageMagick",
        peer=("convert", "{input}", "-quality", "75", "avif:{output}"),
        needs=("convert",),
        goal=0.5,
        job=True,
    ),
    Row(
        name="24 MP jpg to jpg",
        input="photo.jpg",
        make=photo,
        slug="jpg-to-jpg",
        peer_name="vipsthumbnail",
        peer=_thumbnail("6000x4000", "[Q=85]"),
        needs=("vipsthumbnail",),
        goal=1.0,
        job=True,
        process=False,
    ),
    Row(
        name="24 MP jpg to webp",
        input="photo.jpg",
        make=photo,
        slug="jpg-to-webp",
        peer_name="vipsthumbnail",
        peer=_thumbnail("6000x4000", "[Q=80]"),
        needs=("vipsthumbnail",),
        goal=1.0,
        job=True,
    ),
    Row(
        name="24 MP jpg to webp",
        input="photo.jpg",
        make=photo,
        slug="jpg-to-webp",
        peer_name="cwebp",
        peer=("cwebp", "-quiet", "-q", "80", "{input}", "-o", "{output}"),
        needs=("cwebp",),
        goal=1.0,
        job=True,
    ),
    Row(
        name="24 MP jpg to avif",
        input="photo.jpg",
        make=photo,
        slug="jpg-to-avif",
        peer_name="vipsthumbnail",
        peer=_thumbnail("6000x4000", "[Q=60]"),
        needs=("vipsthumbnail",),
        goal=1.0,
        job=True,
    ),
    Row(
        name="24 MP jpg to a thumbnail of 512 pixels",
        input="photo.jpg",
        make=photo,
        slug="jpg-to-jpg",
        options={"width": 512},
        peer_name="vipsthumbnail",
        peer=_thumbnail("512", "[Q=85]"),
        needs=("vipsthumbnail",),
        goal=1.0,
        job=True,
        process=False,
    ),
    Row(
        name="200 pages of pdf to txt",
        input="book.pdf",
        make=book,
        slug="pdf-to-txt",
        peer_name="pypdf",
        peer=("{python}", "-c", PYPDF, "{input}", "{output}"),
        needs=("pypdf",),
        goal=0.6,
    ),
)
