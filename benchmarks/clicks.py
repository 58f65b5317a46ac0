"""Count the clicks from the first page to the file, in a browser, beside those of three other converters.

A click is a press of a button of the mouse or a tap. What is chosen in the system's own window of files counts for
nobody, as it is the same everywhere. All begin on the first page of the site, with nothing remembered.
"""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks import deployment
from benchmarks.deployment import Backend
from benchmarks.table import Line, Table

CHROMIUM = "/usr/bin/chromium"
SECTION = "Clicks to the file"
Files = tuple[tuple[str, bytes], ...]

_COUNT = """
addEventListener("pointerdown", () => {
  sessionStorage.clicks = Number(sessionStorage.clicks ?? 0) + 1;
}, true);
"""


@dataclass(frozen=True)
class Wish:
    """What somebody wants, the path of the tile on our first page that leads to it, and the clicks of others.

    Without a path the field of the first page is enough: what it offers is what is wanted, or else `output` is found in
    its list. Others that can't do it are not named.
    """

    name: str
    path: str
    files: Callable[[], Files]
    others: Mapping[str, int]
    output: str = ""

    @property
    def best(self) -> int:
        return min(self.others.values())


def _photo(colour: tuple[int, int, int]) -> bytes:
    from PIL import Image

    made = io.BytesIO()
    Image.new("RGB", (60, 40), colour).save(made, "JPEG")
    return made.getvalue()


def _photos(number: int) -> Files:
    return tuple((f"{at}.jpg", _photo((60 * at, 90, 120))) for at in range(number))


def _drawing() -> Files:
    from PIL import Image

    made = io.BytesIO()
    Image.new("RGB", (60, 40), (60, 90, 120)).save(made, "PNG")
    return (("drawing.png", made.getvalue()),)


def _pdfs() -> Files:
    from tests.conversions.samples import pdf

    return (("one.pdf", pdf(1)), ("two.pdf", pdf(2)))


def _letter() -> Files:
    from tests.families.documents.files import docx

    return (("letter.docx", docx()),)


def _film() -> Files:
    from tests.families.media import files

    return (("film.mp4", files.sample("mp4")),)


# iLovePDF can't be opened here. Three programs that drive its pages press the same three buttons: the one that chooses
# (#pickfiles), the one that starts (#processTask) and the one that downloads (#pickfiles of the next page):
#   ashishpatilcs111/areyoucompatible, automateUpload.js, of 2025; a test in Java of pdf_to_jpg with AutoIt; an
#   extension that converts PDF to Excel. A press on the tile of its first page comes before. Where its download begins
#   without a press, which none of them relies on, it is one fewer.
_ILOVEPDF = 4
# VERT, by its source at e1c83ba: the field of +page.svelte; the list of FormatDropdown.svelte and a format in it, which
# a file needs whose first other format (store/index.svelte.ts, magick.svelte.ts) is not the one that is wanted; convert
# and download in convert/+page.svelte. The warning in store/index.svelte.ts that a server gets a video comes once. It
# writes no PDF (converters/*.svelte.ts).
_VERT_FIRST = 3
_VERT_OTHER = 5
_VERT_VIDEO = 6
# Squoosh, by its source at 19beb1a: the button of prerendered-app/Intro; a picture becomes a JPEG at once (mozJPEG in
# Compress/index.tsx), and another format is chosen in the select of Options; the link of Results. It reads and writes
# pictures only (features/encoders).
_SQUOOSH_FIRST = 2
_SQUOOSH_OTHER = 4

WISHES = (
    Wish("one JPG to PDF", "", lambda: _photos(1), {"iLovePDF": _ILOVEPDF}),
    Wish("three photos to one PDF", "/jpg-to-pdf", lambda: _photos(3), {"iLovePDF": _ILOVEPDF}),
    Wish("two PDFs merged", "/merge-pdf", _pdfs, {"iLovePDF": _ILOVEPDF}),
    Wish("DOCX to PDF", "", _letter, {"iLovePDF": _ILOVEPDF}),
    Wish("PNG to JPG", "", _drawing, {"Squoosh": _SQUOOSH_FIRST, "VERT": _VERT_FIRST}),
    Wish("PNG to WebP", "", _drawing, {"Squoosh": _SQUOOSH_OTHER, "VERT": _VERT_OTHER}, output="png-to-webp"),
    Wish("a smaller JPG", "/compress-image", lambda: _photos(1), {"Squoosh": _SQUOOSH_FIRST}),
    Wish("MP4 to GIF", "/video-to-gif", _film, {"VERT": _VERT_VIDEO}),
)


def count(page: Any, wish: Wish) -> tuple[int, bytes, str]:
    """Do it on the first page, which is open; returns the clicks, the file that came, and its name."""
    page.add_init_script(_COUNT)
    page.reload()
    if wish.path:
        page.locator(f'.tasks a[href="{wish.path}"]').click()
        page.wait_for_url(f"**{wish.path}")
    with page.expect_file_chooser() as choosing:
        page.locator("label[for=file]").click()
    choosing.value.set_files([{"name": name, "mimeType": "", "buffer": content} for name, content in wish.files()])
    page.locator(".file[data-state=ready]").first.wait_for()
    if wish.output:
        page.locator(".file .seek").click()
        page.locator(f'.finder [data-value="{wish.output}"]').click()
    with page.expect_download() as waiting:
        page.locator("#start").click()
    return (
        int(page.evaluate("sessionStorage.clicks")),
        Path(waiting.value.path()).read_bytes(),
        waiting.value.suggested_filename,
    )


@contextmanager
def _browser(origin: str) -> Iterator[Callable[[], Any]]:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield lambda: browser.new_context(base_url=origin, service_workers="block").new_page()
        browser.close()


def measure(table: Table, folder: Path, *, runs: int) -> None:
    if not Path(CHROMIUM).exists():
        table.skipped.append(f"clicks: no {CHROMIUM}")
        return
    backend = Backend("SQLite")
    deployment.prepare(backend, folder / "clicks")
    with (
        deployment.serving(deployment.environment(backend, folder / "clicks")) as port,
        _browser(f"http://127.0.0.1:{port}") as new_page,
    ):
        for wish in WISHES:
            page = new_page()
            page.goto("/")
            clicks, _, _ = count(page, wish)
            for name, theirs in wish.others.items():
                table.add(
                    SECTION,
                    Line(
                        name=wish.name,
                        ours=str(clicks),
                        peer_name=f"{name}, by programs that drive it"
                        if name == "iLovePDF"
                        else f"{name}, by its source",
                        peer=str(theirs),
                        ratio=clicks / theirs,
                        goal="<= the best",
                        good=clicks <= wish.best,
                        runs=1,
                    ),
                )
