"""Small real inputs that the tests of the service convert."""

from __future__ import annotations

import io

from PIL import Image
from pypdf import PdfWriter

PEOPLE = b'[{"id": 1, "name": "Ada"}, {"id": 2, "name": "Gr\xc3\xa5ce", "tags": {"role": "admiral"}}]'
PEOPLE_CSV = "id,name,tags.role\r\n1,Ada,\r\n2,Gråce,admiral\r\n".encode()

INVOICE = b"""<!doctype html><html><head><title>Invoice 2026-041</title>
<style>table { width: 100% } td.n { text-align: right }</style></head>
<body><h1>Invoice 2026-041</h1><table><tr><th>Item</th><th>Price</th></tr>
<tr><td>Conversion of 1,000 files</td><td class="n">19.00</td></tr></table></body></html>"""

PNG = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000"
    "1f15c4890000000d49444154789c6360606060000000050001a5f645400000000049454e44ae426082"
)


def picture(format: str, width: int, height: int) -> bytes:
    """A plain picture in a format of Pillow's."""
    made = io.BytesIO()
    Image.new("RGB", (width, height), (10, 107, 94)).save(made, format)
    return made.getvalue()


def pdf(pages: int, width: float = 200, height: float = 300) -> bytes:
    """A PDF with empty pages, of a size in points."""
    writer = PdfWriter()
    for _ in range(pages):
        writer.add_blank_page(width, height)
    made = io.BytesIO()
    writer.write(made)
    return made.getvalue()
