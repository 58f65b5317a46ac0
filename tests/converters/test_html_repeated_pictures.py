"""A picture that a page draws many times leaves the page its fonts and its other pictures."""

from __future__ import annotations

import io
from base64 import b64encode
from pathlib import Path

import pikepdf
import pypdfium2
from PIL import Image

from engine import convert


def _icon(colour: str) -> str:
    file = io.BytesIO()
    Image.new("RGB", (12, 12), colour).save(file, "PNG")
    return f"data:image/png;base64,{b64encode(file.getvalue()).decode()}"


def test_a_picture_behind_many_links_leaves_a_page_its_fonts(tmp_path: Path) -> None:
    links = "".join(f"<p>Before <a href='https://example.com/{at}'>the link {at}</a></p>" for at in range(20))
    source, target = tmp_path / "page.html", tmp_path / "page.pdf"
    source.write_text(
        f"<style>a{{background:url({_icon('red')}) right center no-repeat;padding-right:18px}}</style>{links}"
        f"<img src='{_icon('blue')}'>",
        "utf-8",
    )

    convert(source, target, sandbox=False)

    with pikepdf.open(target) as pdf:
        resources = pdf.pages[0].Resources
        assert len(resources.Font) >= 1
        assert len(resources.XObject) == 2
        assert not pdf.check_pdf_syntax()
    with pypdfium2.PdfDocument(target) as drawn:
        colours = drawn[0].render(scale=1).to_pil().convert("RGB").getcolors(1 << 24) or []
    assert {(255, 0, 0), (0, 0, 255)} <= {colour for _, colour in colours}
