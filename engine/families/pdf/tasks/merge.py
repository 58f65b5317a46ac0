"""Merge the PDFs and pictures of a ZIP into one PDF, in order of their names or page by page."""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pikepdf
from pikepdf import Name
from PIL import Image, ImageOps

from engine.families.images import jpeg_data, metadata
from engine.families.images import reading as reading_pictures
from engine.families.pdf.read import DAMAGED, MAX_PAGES, opened, reading, report_missing_contents
from engine.families.pdf.tasks import arrange, encodings, page_copying
from engine.families.pdf.tasks.options import MergeOptions
from engine.families.pdf.tasks.samples import Colours
from engine.families.saved_pages import folders
from engine.toolkit import archive, members
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import Format
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import check_pages, check_pixels
from engine.toolkit.warnings import Kind, Warn

_PICTURES = {
    ".jpg": "JPEG", ".jpeg": "JPEG", ".png": "PNG", ".tif": "TIFF", ".tiff": "TIFF",
    ".gif": "GIF", ".bmp": "BMP", ".webp": "WEBP", ".heic": "HEIF", ".heif": "HEIF", ".avif": "AVIF",
}  # fmt: skip
_MODERN = {".heic": "heic", ".heif": "heic", ".avif": "avif"}
"""Formats whose files are checked before their decoder sees them, by extension."""
_PAPER = {"A4": (595.276, 841.89), "Letter": (612.0, 792.0)}
_POINTS, _SCREEN_DPI = 72, 96
_MM = _POINTS / 25.4
_LOSSY = ("JPEG", "HEIF", "AVIF")
_JPEG_QUALITY = 92
_LARGEST = 14_400
"""Points of the longest side of a page (ISO 32000-1, annex C)."""
_OTHERS = Kind("CONTENT_DROPPED", "Files other than PDFs and pictures were left out: {count}{places}.")
_MOST_PIXELS = 250_000_000
"""The maximum pixels of all pictures together: more can't be encoded in time."""


def merge(source: Path, target: Path, options: MergeOptions, warn: Warn) -> Format | None:
    """Write one PDF of everything in the archive `source`, or a ZIP of several where `options.pages` asks for them.

    An archive with an index.html is a page: only that is written.

    Raises Unreadable for an archive without PDFs and pictures, and for damaged ones, InvalidOption for a password that
    does not open one of them and for pages that don't exist, OverLimit for too many pages or pixels.
    """
    archive.preflight(source, max_ratio=None)
    with zipfile.ZipFile(source) as files:
        is_page = folders.main_page(files, only_index=True) is not None
    if is_page:
        return _page(source, target, options, warn)
    with zipfile.ZipFile(source) as files, pikepdf.new() as pdf:
        entries = _entries(files, warn)
        counts = _fill(pdf, source, files, entries, options, warn)
        if options.pages is None:
            with reading():
                pdf.save(target, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
            return None
        parts = arrange.plan(options.pages, counts)
        if len(entries) > 1 or not _is_pdf(entries[0]):
            return arrange.write(pdf, parts, target, None, warn)
        with opened(io.BytesIO(files.read(entries[0])), options.password) as only:
            return arrange.write(pdf, parts, target, only, warn)


def _page(source: Path, target: Path, options: MergeOptions, warn: Warn) -> Format | None:
    """Write the page in an archive; paper and margins are its own where the options have their defaults."""
    from engine.families.html_pdf.options import PRINTED
    from engine.families.saved_pages import exchange

    paper = "Letter" if options.page_size == "Letter" else None
    margin = f"{options.margin:.1f}mm" if options.margin else None
    whole = target if options.pages is None else target.with_name("page.pdf")
    exchange.folder_to_pdf(source, whole, PRINTED(page_size=paper, margin=margin), warn)
    if not options.bookmarks:
        with pikepdf.open(whole, allow_overwriting_input=True) as pdf, reading():
            if Name.Outlines in pdf.Root:
                del pdf.Root[Name.Outlines]
            pdf.save(whole, deterministic_id=True, object_stream_mode=pikepdf.ObjectStreamMode.generate)
    if options.pages is None:
        return None
    with pikepdf.open(whole) as pdf:
        return arrange.write(pdf, arrange.plan(options.pages, [len(pdf.pages)]), target, pdf, warn)


def _fill(
    pdf: pikepdf.Pdf,
    source: Path,
    files: zipfile.ZipFile,
    entries: list[zipfile.ZipInfo],
    options: MergeOptions,
    warn: Warn,
) -> list[int]:
    """Append all files, and return how many pages each of them has."""
    budget = _MOST_PIXELS
    bookmarks: list[pikepdf.OutlineItem] = []
    counts = []
    copies = page_copying.Copies(pdf)
    for done, entry in enumerate(entries):
        warn.progress(done, len(entries), "files")
        data = files.read(entry)
        first = len(pdf.pages)
        if _is_pdf(entry):
            items = _add_pdf(copies, entry.filename, data, options, warn)
        else:
            items = []
            file = source.with_name(f"picture.{_MODERN.get(Path(entry.filename).suffix.lower(), '')}")
            budget = _add_picture(pdf, entry.filename, data, file, options, warn, budget)
        counts.append(len(pdf.pages) - first)
        if len(pdf.pages) > MAX_PAGES:
            raise OverLimit("timeout", say("The files have more than {max_pages} pages in total.", max_pages=MAX_PAGES))
        if options.bookmarks and len(pdf.pages) > first:
            holder = pikepdf.OutlineItem(Path(entry.filename).stem, first, "Fit")
            holder.children = items
            items = [holder]
        bookmarks += items
    with reading():
        page_copying.add_bookmarks(pdf, bookmarks)  # all at once, as each call rewrites the existing bookmarks
    return counts


def _is_pdf(entry: zipfile.ZipInfo) -> bool:
    return entry.filename.lower().endswith(".pdf")


def _entries(files: zipfile.ZipFile, warn: Warn) -> list[zipfile.ZipInfo]:
    """The PDFs and pictures in the natural order of their names."""
    known: list[zipfile.ZipInfo] = []
    others: list[zipfile.ZipInfo] = []
    for entry in members.members(files):
        (known if Path(entry.filename).suffix.lower() in (".pdf", *_PICTURES) else others).append(entry)
    if not known:
        raise Unreadable("The archive has no PDFs or pictures. Add PDF, JPEG, PNG or TIFF files.", reason="empty")
    warn.tally(_OTHERS, len(others), [each.filename for each in others])
    return known


def _add_pdf(
    copies: page_copying.Copies, name: str, data: bytes, options: MergeOptions, warn: Warn
) -> list[pikepdf.OutlineItem]:
    try:
        with opened(io.BytesIO(data), options.password) as part:
            report_missing_contents(part, range(len(part.pages)), warn, part=name)
            if Name.Names in part.Root and Name.EmbeddedFiles in part.Root[Name.Names]:
                warn("CONTENT_DROPPED", say("Attachments of {name} were left out.", name=name))
            with reading():
                return copies.add(page_copying.Original(part), range(len(part.pages)), warn)
    except Unreadable as error:
        raise Unreadable(say("{name}: {reason}", name=name, reason=error.message), reason=error.reason) from error
    except InvalidOption as error:
        raise InvalidOption(error.option, say("{name}: {reason}", name=name, reason=error.message)) from error


@contextmanager
def _picture(data: bytes, file: Path, format: str) -> Iterator[Image.Image]:
    if file.suffix[1:] not in _MODERN.values():
        with Image.open(io.BytesIO(data), formats=(format,)) as image:
            yield image
        return
    file.write_bytes(data)
    with reading_pictures.opened(file) as image:
        yield image
    file.unlink()


def _add_picture(
    pdf: pikepdf.Pdf, name: str, data: bytes, file: Path, options: MergeOptions, warn: Warn, budget: int
) -> int:
    """Append a page for each frame of a picture; return the remaining pixel `budget`. `file` is free to be written."""
    format = _PICTURES[Path(name).suffix.lower()]
    try:
        with _picture(data, file, format) as image:
            frames = getattr(image, "n_frames", 1)
            if format not in ("TIFF", "JPEG") and frames > 1:
                warn("ANIMATION_DROPPED", say("{name}: only the first frame was kept.", name=name))
            frames = frames if format == "TIFF" else 1
            check_pages(frames)
            for number in range(frames):
                image.seek(number)
                check_pixels(*image.size)
                budget -= image.width * image.height
                if budget < 0:
                    raise OverLimit("memory", "The pictures in the archive have too many pixels in total.")
                _add_page(pdf, *_encoded(image, data, name, warn), options)
    except (*DAMAGED, Unreadable, OSError, SyntaxError, EOFError, zlib.error, Image.DecompressionBombError) as error:
        raise Unreadable(
            say("{name} is damaged, or its format doesn't match its name.", name=name), reason="damaged"
        ) from error
    return budget


def _encoded(image: Image.Image, data: bytes, name: str, warn: Warn) -> tuple[encodings.Encoded, float, float]:
    """The encoded picture, and its horizontal and vertical resolution in pixels per inch."""
    dpi = image.info.get("dpi") or (_SCREEN_DPI, _SCREEN_DPI)
    across, down = (float(each) if 10 <= float(each) <= 5_000 else float(_SCREEN_DPI) for each in dpi[:2])
    upright = image.getexif().get(0x0112, 1) == 1
    if image.format == "JPEG" and upright and image.mode in ("L", "RGB"):
        image.load()  # finds damage
        space = Name.DeviceGray if image.mode == "L" else Name.DeviceRGB
        metadata.selected(metadata.read(image, warn), "keep", "pdf", image.size, warn)
        kept = jpeg_data.without_metadata(data)
        return encodings.Encoded(kept, Name.DCTDecode, None, 8, space, image.size), across, down
    frame = ImageOps.exif_transpose(image)
    # After that, as reading the metadata takes the orientation from it.
    metadata.selected(metadata.read(image, warn), "keep", "pdf", image.size, warn)
    if frame.size != image.size:
        across, down = down, across
    if frame.has_transparency_data:
        warn("ALPHA_FLATTENED", say("{name}: transparent parts became white.", name=name))
        full = frame.convert("RGBA")
        frame = Image.new("RGB", full.size, "white")
        frame.paste(full, mask=full.getchannel("A"))
    if frame.mode not in ("1", "L", "RGB"):
        grey = frame.mode.startswith(("I", "F", "L"))
        if grey and frame.mode.startswith("I"):
            warn("COLOR_CONVERTED", say("{name}: 16 bits per channel became 8.", name=name))
            frame = frame.convert("I").point(lambda value: value / 257)
        frame = frame.convert("L" if grey else "RGB")
    space = Name.DeviceRGB if frame.mode == "RGB" else Name.DeviceGray
    if image.format in _LOSSY:
        return encodings.as_jpeg(frame, space, _JPEG_QUALITY), across, down
    if frame.mode == "1":
        return encodings.as_fax(frame, space), across, down
    return encodings.as_flate(frame, Colours(len(frame.getbands()), space), 6), across, down


def _add_page(pdf: pikepdf.Pdf, encoded: encodings.Encoded, across: float, down: float, options: MergeOptions) -> None:
    stream = pdf.make_stream(b"")
    stream[Name.Type], stream[Name.Subtype] = Name.XObject, Name.Image
    encoded.into(stream)
    width, height = encoded.size[0] / across * _POINTS, encoded.size[1] / down * _POINTS
    margin = 2 * options.margin * _MM
    if options.page_size != "picture":
        paper = _PAPER[options.page_size]
        if width > height:
            paper = (paper[1], paper[0])
        scale = min((paper[0] - margin) / width, (paper[1] - margin) / height)
        width, height = width * scale, height * scale
    else:
        scale = min(1.0, (_LARGEST - margin) / max(width, height))
        width, height = width * scale, height * scale
        paper = (width + margin, height + margin)
    pdf.add_blank_page(page_size=paper)
    page = pdf.pages[-1]
    page.obj[Name.Resources] = pikepdf.Dictionary(XObject=pikepdf.Dictionary(Im=stream))
    x, y = (paper[0] - width) / 2, (paper[1] - height) / 2
    page.obj[Name.Contents] = pdf.make_stream(f"q {width:.4f} 0 0 {height:.4f} {x:.4f} {y:.4f} cm /Im Do Q".encode())
