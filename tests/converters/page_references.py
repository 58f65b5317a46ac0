"""How chromium prints the pages of the corpus: the words and the pictures that an engine is held against.

`python -m tests.converters.page_references [--into folder] [page ...]` writes them anew, for all pages or those named.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from tests.converters import printed

PAGES = Path(__file__).parent / "pages"
REFERENCES = PAGES / "references"
FONTS = Path(__file__).parents[2] / "engine/fonts/fonts.conf"
CHROMIUM = "/usr/bin/chromium"
TYPED = frozenset({"invoice_arabic", "notice_hindi_thai"})
"""Pages whose words are taken from the page in the browser: in the PDFs that chromium writes, Arabic words are turned
round and Devanagari ones fall to pieces."""

_QUALITY = 90
# The paper of a page without an @page rule, as the converter has it.
_FIRST_RULE = """() => document.head.insertAdjacentHTML("afterbegin", "<style>@page{size:A4;margin:15mm}</style>")"""


@dataclass(frozen=True)
class Print:
    """A page as chromium prints it on A4 with the bundled fonts as the only ones: its PDF, and the words in it."""

    name: str
    pdf: bytes
    words: list[str]

    def write(self, folder: Path) -> None:
        folder.mkdir(exist_ok=True)
        for old in _sheets(self.name, folder):
            old.unlink()
        (folder / f"{self.name}.txt").write_text("".join(f"{each}\n" for each in self.words), "utf-8")
        for number, each in enumerate(printed.pictures(self.pdf), 1):
            each.convert("RGB").save(folder / f"{self.name}.{number}.webp", quality=_QUALITY, method=6)


def names() -> list[str]:
    return sorted(each.stem for each in PAGES.glob("*.html"))


def source(name: str) -> Path:
    return PAGES / f"{name}.html"


def words(name: str, folder: Path = REFERENCES) -> list[str]:
    return (folder / f"{name}.txt").read_text("utf-8").split("\n")[:-1]


def pictures(name: str, folder: Path = REFERENCES) -> list[Image.Image]:
    """The sheets of paper, in grey."""
    return [Image.open(each).convert("L") for each in _sheets(name, folder)]


def printed_by_chromium(wanted: Iterable[str]) -> Iterator[Print]:
    from playwright.sync_api import sync_playwright  # it may be missing

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=["--no-sandbox", "--disable-gpu", "--no-first-run", "--font-render-hinting=none"],
            env={**os.environ, "FONTCONFIG_FILE": str(FONTS)},
        )
        page = browser.new_page()
        for name in wanted:
            page.goto(source(name).as_uri())
            page.evaluate(_FIRST_RULE)
            pdf = page.pdf(print_background=True, prefer_css_page_size=True)
            typed = printed.normal(page.inner_text("body")).split() if name in TYPED else None
            yield Print(name, pdf, typed or printed.words(pdf))
        browser.close()


def _sheets(name: str, folder: Path) -> list[Path]:
    return sorted(folder.glob(f"{name}.[0-9].webp"))


if __name__ == "__main__":
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--into", type=Path, default=REFERENCES)
    arguments.add_argument("pages", nargs="*", default=names())
    asked = arguments.parse_args()
    for made in printed_by_chromium(asked.pages):
        made.write(asked.into)
