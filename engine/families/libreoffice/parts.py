"""Inspect office files: fonts used, and content that can't be drawn, must not run or must not load."""

from __future__ import annotations

import html
import re
import warnings
import zipfile
import zlib
from collections import Counter
from dataclasses import dataclass, field
from pathlib import Path

from PIL import Image

from engine.families.data.preflight import check_biff
from engine.families.libreoffice import compound, date_fields, named_fonts, repeated_texts, shapes, undrawn
from engine.families.libreoffice import options as installation
from engine.toolkit import archive, emoji_sequences, office_macros, office_objects
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.formats import DOC, DOCX, ODG, ODP, ODS, ODT, PAGES, PPT, PPTX, RTF, XLS, XLSM, XLSX, Format
from engine.toolkit.messages import say
from engine.toolkit.picture_limits import MAX_PIXELS
from engine.toolkit.warnings import Warn

_KIND = {
    DOCX: b"wordprocessingml.", XLSX: b"spreadsheetml.", XLSM: b"spreadsheetml.", PPTX: b"presentationml.",
    ODT: b"office:text", ODS: b"office:spreadsheet", ODP: b"office:presentation", ODG: b"office:drawing",
}  # fmt: skip
"""What marks the type of a file: the content types of Office Open XML, the body of OpenDocument."""

_BODY = re.compile(rb"""xmlns:([\w.-]+)\s*=\s*["']urn:oasis:names:tc:opendocument:xmlns:office:1\.0["']""")
"""The place where an OpenDocument file declares the prefix of its body elements."""
_ENOUGH, _HEAD = 20, 1 << 16
"""How many parts, and how many bytes of each, are sampled to tell whether all are encrypted."""
_LOCKED = say("The file is protected by a password. Save it without one and try again.")

_SOUND_OR_VIDEO = re.compile(
    r".*\.(?:mp3|mp4|m4a|m4v|mov|avi|wmv|wma|wav|mpe?g|ogg|ogv|webm|mkv|flac|aac)", re.IGNORECASE
)
_PICTURE = re.compile(r".*\.(?:png|jpe?g|gif|bmp|tiff?)", re.IGNORECASE)
_PICTURE_FORMATS = ("PNG", "JPEG", "GIF", "BMP", "TIFF")

_TEXTS = re.compile(r"content\.xml|word/document\.xml|ppt/slides/[^/]+\.xml|xl/(?:sharedStrings|worksheets/[^/]+)\.xml")

_CHANGING = re.compile(
    rb"<f\b[^<>]*>[^<]*\b(?:TODAY|NOW|RAND|RANDBETWEEN)\(|table:formula=\"[^\"]*\b(?:TODAY|NOW|RAND|RANDBETWEEN)\("
)
_CHANGED = (
    (re.compile(r"word/(?:document|footnotes|endnotes)\.xml"), re.compile(rb"<w:(?:ins|del|moveFrom|moveTo) ")),
    (re.compile(r"content\.xml"), re.compile(rb"<text:changed-region[ >]")),
)
_FORMULAS = (
    (
        re.compile(r"(?:word/(?:document|footnotes|endnotes|header[0-9]*|footer[0-9]*)|ppt/slides/[^/]+)\.xml"),
        re.compile(rb"<m:oMath[ >]"),
    ),
    (re.compile(r"[^/]+/content\.xml"), re.compile(rb"<(?:math:)?math[ >]")),
)
_COMMENTS = (
    (re.compile(r"word/comments\.xml"), re.compile(rb"<w:comment ")),
    (re.compile(r"xl/(?:comments/?[^/]*|threadedComments/[^/]+)\.xml"), re.compile(rb"<(?:comment|threadedComment) ")),
    (re.compile(r"ppt/comments/[^/]+\.xml"), re.compile(rb"<(?:p|p188):cm ")),
    (re.compile(r"content\.xml"), re.compile(rb"<office:annotation[ >]")),
)


@dataclass(frozen=True)
class Needed:
    """What a file needs to look as it should: the names of fonts, and emoji of several characters."""

    fonts: tuple[str, ...] = ()
    emoji: Counter[str] = field(default_factory=Counter)


def inspect(source: Path, format: Format, warn: Warn, *, drawn: bool) -> Needed:
    """Check the file, warn of content that a PDF can't show, and return what it needs.

    Embedded objects are named if the file is `drawn`, not saved in another format.

    Raises Unreadable for a file that is damaged, protected or of another kind; OverLimit for an archive that unpacks to
    too much.
    """
    if format is XLS:
        check_biff(source)
        if drawn:
            compound.name_objects(source, warn)
        return Needed()
    if format in (DOC, PPT):
        return Needed(compound.inspect(source, format, warn, drawn=drawn))
    if format is RTF:
        return Needed(_rtf(source.read_bytes(), warn))
    found_parts = _Inspection(warn)
    try:
        archive.preflight(source, found_parts.part)
    except Unreadable:
        if format is PAGES and _is_locked(source):
            raise Unreadable(_LOCKED, reason="password") from None
        raise
    with zipfile.ZipFile(source) as parts:
        names = parts.namelist()
        if format is PAGES:
            _check_pages(names)
            return Needed()
        main = "content.xml" if format in (ODT, ODS, ODP, ODG) else "[Content_Types].xml"
        if main not in names or not _is_of(parts.read(main), format):
            raise Unreadable(say("The file is an archive, but not {name}.", name=format.name), reason="format")
        if "META-INF/manifest.xml" in names and b"manifest:encryption-data" in parts.read("META-INF/manifest.xml"):
            raise Unreadable(_LOCKED, reason="password")
        for name in filter(_PICTURE.fullmatch, names):
            _check_picture(parts, name)
    found_parts.texts.check()
    found_parts.shapes.check(source.stat().st_size)
    office_macros.report(names, warn)
    if media := sum(map(bool, map(_SOUND_OR_VIDEO.fullmatch, names))):
        warn(
            "CONTENT_DROPPED",
            say("{media} audio or video files were left out or became still pictures.", media=media),
        )
    found_parts.report(drawn=drawn)
    return Needed(found_parts.fonts.names(), found_parts.emoji)


def _is_of(part: bytes, format: Format) -> bool:
    """Whether the type part declares this format; OpenDocument's names may have any prefix."""
    if _KIND[format] in part:
        return True
    prefix, _, kind = _KIND[format].partition(b":")
    return bool(kind) and any(each + b":" + kind in part for each in _BODY.findall(part) if each != prefix)


def _is_locked(source: Path) -> bool:
    """Whether no part can be unpacked though the directory is intact: iWork '09 encrypts them all."""
    try:
        with zipfile.ZipFile(source) as parts:
            entries = [each for each in parts.infolist() if each.file_size][:_ENOUGH]
            for each in entries:
                try:
                    with parts.open(each) as part:
                        part.read(_HEAD)
                except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError):
                    continue
                return False
    except (zipfile.BadZipFile, OSError, ValueError, RuntimeError):
        return False
    return len(entries) > 1 and any(each.filename.startswith("index.xml") for each in entries)


def _check_pages(names: list[str]) -> None:
    """Raise Unreadable unless it is an iWork document, old or new: its fonts are unknown, and so are losses."""
    if ".iwpv2" in names or ".iwph" in names:
        raise Unreadable(_LOCKED, reason="password")
    if not {"index.xml", "index.xml.gz", "Index.zip", "Index/Document.iwa"} & set(names):
        raise Unreadable("The file is an archive, but not a Pages document.", reason="format")


class _Inspection:
    """Collects findings about one file, part by part."""

    def __init__(self, warn: Warn) -> None:
        self.fonts = named_fonts.Fonts()
        self.emoji: Counter[str] = Counter()
        self._warn = warn
        self._comments = self._changes = 0
        self._formulas = self._objects = 0
        self._changing = False
        self._dates = date_fields.DateFields()
        self.texts = repeated_texts.Texts()
        self.shapes = shapes.Shapes()
        self.undrawn = undrawn.Undrawn()

    def part(self, name: str, data: bytes) -> None:
        self._comments += sum(len(mark.findall(data)) for path, mark in _COMMENTS if path.fullmatch(name))
        self._formulas += sum(len(mark.findall(data)) for path, mark in _FORMULAS if path.fullmatch(name))
        self.texts.part(name, data)
        self.shapes.part(name, data)
        self.undrawn.part(name, data)
        if _TEXTS.fullmatch(name):
            text = html.unescape(data.decode("utf-8", "replace"))
            self.emoji += emoji_sequences.found_in(text)
            self.fonts.text(text)
        self.fonts.part(name, data)
        self._objects += office_objects.in_part(name, data)
        self._changes += sum(len(mark.findall(data)) for path, mark in _CHANGED if path.fullmatch(name))
        self._dates.part(name, data)
        self._changing |= bool((name == "content.xml" or "worksheets/" in name) and _CHANGING.search(data))

    def report(self, *, drawn: bool) -> None:
        if drawn:
            self._warn.tally(office_objects.PREVIEWED, self._objects)
            self.undrawn.report(self._warn)
        if self._comments:
            self._warn("COMMENTS_DROPPED", say("{comments} comments were left out.", comments=self._comments))
        if self._formulas and not Path(installation.program(installation.MATH)).is_file():
            self._warn(
                "CONTENT_DROPPED",
                say("{formulas} formulas were left out: LibreOffice Math is not installed.", formulas=self._formulas),
            )
        if self._changes:
            self._warn("VALUE_CONVERTED", say("{changes} tracked changes are shown as changes.", changes=self._changes))
        if self._dates.shown:
            self._warn("VALUE_CONVERTED", "Date and time fields show when the file was converted (UTC).")
        if self._changing:
            self._warn(
                "VALUE_CONVERTED", "Formulas with the current date or time, or random numbers, may show new values."
            )


def _check_picture(parts: zipfile.ZipFile, name: str) -> None:
    """Raise OverLimit for a picture that is too large to decode: the suite would silently drop it."""
    with parts.open(name) as part, warnings.catch_warnings():
        warnings.simplefilter("ignore", Image.DecompressionBombWarning)
        try:
            with Image.open(part, formats=_PICTURE_FORMATS) as picture:
                width, height = picture.size
        except Image.DecompressionBombError:
            width = height = MAX_PIXELS
        except (OSError, SyntaxError, ValueError):
            return  # not a picture of these kinds: the suite may or may not draw it
    if width * height > MAX_PIXELS:
        raise OverLimit(
            "memory",
            say("A picture in the file has more than {max_pixels} million pixels.", max_pixels=MAX_PIXELS // 1_000_000),
        )


def _rtf(data: bytes, warn: Warn) -> tuple[str, ...]:
    if comments := data.count(b"\\*\\annotation"):
        warn("COMMENTS_DROPPED", say("{comments} comments were left out.", comments=comments))
    if b"\\revised" in data or b"\\deleted" in data:
        warn("VALUE_CONVERTED", "Tracked changes are shown as changes.")
    if b"INCLUDEPICTURE" in data or b"\\objautlink" in data:
        warn("REMOTE_RESOURCE_BLOCKED", "References to other files or websites were not loaded.")
    return named_fonts.of_rich_text(data)
