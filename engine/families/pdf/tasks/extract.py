"""Extract pictures, attachments and metadata of a PDF into a ZIP."""

from __future__ import annotations

import json
import zlib
from pathlib import Path
from typing import Any, Protocol

import pikepdf
from pikepdf import Name

from engine.families.pdf.name_text import string_text, text_of
from engine.families.pdf.read import DAMAGED, opened, reading
from engine.families.pdf.tasks import samples
from engine.families.pdf.tasks.fax import Unfit
from engine.families.pdf.tasks.used_codes import fonts_of
from engine.toolkit.bundle import Bundle
from engine.toolkit.failures import OverLimit
from engine.toolkit.filenames import clean
from engine.toolkit.messages import say
from engine.toolkit.page_ranges import chosen
from engine.toolkit.warnings import Warn

_MOST_FILES = 2_000
_MOST_PIXELS = 200_000_000
_AS_THEY_ARE = {"/DCTDecode": ".jpg", "/JPXDecode": ".jp2"}
_FAILED = (*DAMAGED, Unfit, NotImplementedError, OSError, SyntaxError, EOFError, zlib.error)


def extract(pdf: pikepdf.Pdf, target: Path, pages: str | None, warn: Warn) -> None:
    """Write the pictures of the chosen pages, all attachments, and metadata.json. Raises InvalidOption, OverLimit."""
    numbers = chosen(pages, len(pdf.pages))
    with Bundle(target) as bundle, reading():
        pictures = _pictures(pdf, numbers, bundle, target, warn)
        attached = _attachments(pdf, bundle, warn)
        about = _about(pdf, numbers) | {"pictures": pictures, "attachments": attached}
        with bundle.member("metadata.json") as path:
            path.write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


class DescribeOptions(Protocol):
    """The options needed for describing a PDF."""

    @property
    def content(self) -> str: ...
    @property
    def pages(self) -> str | None: ...
    @property
    def password(self) -> str | None: ...


def describe(source: Path, target: Path, options: DescribeOptions) -> None:
    """Write the document's metadata, or the fonts of the chosen pages, as JSON."""
    with opened(source, options.password) as pdf, reading():
        numbers = chosen(options.pages, len(pdf.pages))
        about: object = _fonts(pdf, numbers)
        if options.content == "metadata":
            attached = [{"file": str(key), "bytes": _size(pdf.attachments[key])} for key in pdf.attachments]
            about = _about(pdf, numbers) | {"attachments": attached}
            del about["fonts"]
        target.write_text(json.dumps(about, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _size(spec: pikepdf.AttachedFileSpec) -> int | None:
    try:
        return len(spec.get_file().read_bytes())
    except DAMAGED:
        return None


def _pictures(pdf: pikepdf.Pdf, numbers: list[int], bundle: Bundle, target: Path, warn: Warn) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    seen: dict[tuple[int, int], dict[str, Any]] = {}
    left, failed = _MOST_PIXELS, 0
    for number in numbers:
        for stream in _drawn(pdf.pages[number].resources, set()):
            if stream.objgen in seen:
                if number + 1 not in seen[stream.objgen]["pages"]:
                    seen[stream.objgen]["pages"].append(number + 1)
                continue
            width, height = int(stream.get(Name.Width, 0)), int(stream.get(Name.Height, 0))
            about: dict[str, Any] = {"file": None, "pages": [number + 1], "width": width, "height": height}
            seen[stream.objgen] = about
            found.append(about)
            left -= width * height
            if len(found) > _MOST_FILES or left < 0:
                raise OverLimit("output", "The PDF has too many pictures to extract. Choose fewer pages.")
            name = f"picture-{len(found):03}"
            try:
                about["file"] = _picture(stream, name, bundle, target)
            except _FAILED:
                failed += 1
    if failed:
        warn("CONTENT_DROPPED", say("Pictures in formats that can't be extracted: {failed}.", failed=failed))
    return found


def _drawn(resources: pikepdf.Object | None, seen: set[tuple[int, int]]) -> list[pikepdf.Object]:
    """The pictures of a page and of its forms."""
    objects = resources.get(Name.XObject) if isinstance(resources, pikepdf.Dictionary) else None
    if not isinstance(objects, pikepdf.Dictionary):
        return []
    found: list[pikepdf.Object] = []
    for name in objects.keys():  # noqa: SIM118  # it is no mapping
        each = objects[name]
        if not isinstance(each, pikepdf.Stream) or each.objgen in seen:
            continue
        seen.add(each.objgen)
        if each.get(Name.Subtype) == Name.Image:
            found.append(each)
        elif len(seen) < _MOST_FILES:
            found += _drawn(each.get(Name.Resources), seen)
    return found


def _picture(stream: pikepdf.Object, name: str, bundle: Bundle, target: Path) -> str:
    """Write JPEG and JPEG 2000 data as it is, anything else as PNG; return the file name."""
    chain = samples.filters(stream)
    kind = _AS_THEY_ARE.get(chain[-1] if chain else "")
    about = samples.colours(stream)
    if kind is not None and len(chain) == 1 and about.components != 4:
        with bundle.member(name + kind) as path:
            path.write_bytes(stream.read_raw_bytes())
        return name + kind
    image = samples.decoded(stream, about, (int(stream[Name.Width]), int(stream[Name.Height])))
    if image.mode == "P":
        image = about.spread(image)
    if image.mode == "CMYK":
        image = image.convert("RGB")
    with bundle.member(f"{name}.png") as path:
        image.save(path, "PNG", compress_level=3)
    return f"{name}.png"


def _attachments(pdf: pikepdf.Pdf, bundle: Bundle, warn: Warn) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    taken: set[str] = {"metadata.json"}
    for key in list(pdf.attachments.keys())[:_MOST_FILES]:
        spec = pdf.attachments[key]
        try:
            data = spec.get_file().read_bytes()
        except DAMAGED:
            warn("CONTENT_DROPPED", "A damaged attachment was left out.")
            continue
        name = clean(spec.filename or key)
        while name.lower() in taken or name.startswith("picture-"):
            name = clean(f"attachment {len(found) + 1} {name}")
        taken.add(name.lower())
        with bundle.member(name) as path:
            path.write_bytes(data)
        found.append({"file": name, "bytes": len(data), "description": str(spec.description or "") or None})
    return found


def _about(pdf: pikepdf.Pdf, numbers: list[int]) -> dict[str, Any]:
    sizes = []
    for number in numbers:
        box = pikepdf.Rectangle(pdf.pages[number].cropbox)
        sizes.append(
            {
                "page": number + 1,
                "widthPoints": round(float(box.width), 2),
                "heightPoints": round(float(box.height), 2),
                "rotation": int(pdf.pages[number].rotation),
            }
        )
    info = pdf.trailer.get(Name.Info)
    entries = dict(info.items()) if isinstance(info, pikepdf.Dictionary) else {}
    metadata = pdf.Root.get(Name.Metadata)
    return {
        "pdfVersion": pdf.pdf_version,
        "encrypted": pdf.is_encrypted,
        "linearized": pdf.is_linearized,
        "tagged": bool(pdf.Root.get(Name.StructTreeRoot) is not None),
        "language": string_text(pdf.Root[Name.Lang]) if Name.Lang in pdf.Root else None,
        "form": bool(pdf.Root.get(Name.AcroForm) is not None),
        "information": {text_of(key): string_text(value) for key, value in entries.items()},
        "xmp": metadata.read_bytes().decode("utf-8", "replace") if isinstance(metadata, pikepdf.Stream) else None,
        "pageCount": len(pdf.pages),
        "pages": sizes,
        "fonts": _fonts(pdf, numbers),
    }


def _fonts(pdf: pikepdf.Pdf, numbers: list[int]) -> list[dict[str, Any]]:
    found: dict[tuple[str, str, bool, bool], list[int]] = {}
    for number in numbers:
        for font in fonts_of(pdf.pages[number].resources).values():
            parts = font.get(Name.DescendantFonts)
            inner = parts[0] if isinstance(parts, pikepdf.Array) and len(parts) else font
            about = inner.get(Name.FontDescriptor)
            embedded = isinstance(about, pikepdf.Dictionary) and any(
                name in about for name in (Name.FontFile, Name.FontFile2, Name.FontFile3)
            )
            name = text_of(font.get(Name.BaseFont, "/"))
            subset = len(name) > 7 and name[6] == "+" and name[:6].isupper()
            kind = str(inner.get(Name.Subtype, "/"))[1:]
            pages = found.setdefault((name[7:] if subset else name, kind, embedded, subset), [])
            if number + 1 not in pages:
                pages.append(number + 1)
    return [
        {"name": name, "type": kind, "embedded": embedded, "subset": subset, "pages": pages}
        for (name, kind, embedded, subset), pages in sorted(found.items())
    ]
