"""Draw office files as PDF with LibreOffice, after checks and with reproducible output."""

from __future__ import annotations

import functools
from pathlib import Path

import pikepdf
from pikepdf import Name

from engine.families.data.preflight import MAX_SHEET_CELLS
from engine.families.documents.slides import speaker_notes
from engine.families.documents.slides.options import PresentationOptions
from engine.families.html_pdf.visibility import pages as visibility
from engine.families.libreoffice import compound, kit, outside, pages, parts
from engine.families.libreoffice.kit import Failed, Kit
from engine.families.libreoffice.options import DocumentOptions, SheetOptions
from engine.families.pdf import read
from engine.toolkit import emoji_sequences, font_twins
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import DOC, DOCX, FORMATS, ODG, ODP, ODS, ODT, PAGES, PPT, PPTX, RTF, XLS, XLSM, XLSX
from engine.toolkit.messages import say
from engine.toolkit.page_ranges import chosen
from engine.toolkit.warnings import Warn

warm = kit.warm

# The names are those in LibreOffice's own filter configuration.
_IMPORT = {
    DOCX: "MS Word 2007 XML",
    ODT: "writer8",
    RTF: "Rich Text Format",
    XLSX: "Calc MS Excel 2007 XML",
    XLSM: "Calc MS Excel 2007 XML",
    XLS: "MS Excel 97",
    ODS: "calc8",
    PPTX: "Impress MS PowerPoint 2007 XML",
    DOC: "MS Word 97",
    PPT: "MS PowerPoint 97",
    ODP: "impress8",
    ODG: "draw8",
    PAGES: "Apple Pages",
}
_WORD_95 = "MS Word 95"
"""The filter for Word 6 as well."""
_EXPORT = {
    **dict.fromkeys((PPTX, PPT, ODP), "impress_pdf_Export"),
    **dict.fromkeys((XLSX, XLSM, XLS, ODS), "calc_pdf_Export"),
    ODG: "draw_pdf_Export",
}
_PAPER = {"document": (0, 0), "A3": (29700, 42000), "A4": (21000, 29700), "A5": (14800, 21000)} | {
    "Letter": (21590, 27940),
    "Legal": (21590, 35560),
}
"""Width and height in 1/100 mm (ISO 216, ANSI/ASME Y14.1)."""

_NO_LANGUAGE = "zxx"
"""The suite's name for a document without a declared language (ISO 639-2: no linguistic content)."""

_BUNDLED_EMOJI = "Noto Emoji"
"""A font that joins emoji, which the suite takes only for characters that no other font has."""

_NO_ARCHIVES = (DOC, XLS, PPT, RTF)
"""Formats older than SVG pictures, in which none can be found."""

_FOLDER = "file:///"
"""Where documents are told to be: fields and formulas with their own address show no folder of this machine."""
_WORKING_FOLDER = f"{_FOLDER}proc/self/cwd/"
"""The same for documents that can't be a stream: the working folder has this name for each job."""

_kit = functools.cache(Kit)


def opened(source: Path, warn: Warn, *, whole: bool = False, changed: bool = False) -> Kit:
    """The suite with the document in `source` open, with its comments if `whole`; raises as `to_pdf` does.

    One that is to be `changed`, by hiding sheets, is opened from the working folder.
    """
    format = FORMATS[source.suffix[1:]]
    needed = parts.inspect(source, format, warn, drawn=not whole)
    name = source.name
    if format not in _NO_ARCHIVES:
        source = outside.without_addresses(source, format, warn)
    kit = _kit(svg=format not in (*_NO_ARCHIVES, PAGES))
    view = "yes" if format in _EXPORT else "never" if whole else "no"
    address = f"{_WORKING_FOLDER}{source.relative_to(Path.cwd())}" if changed else f"{_FOLDER}{name}"
    filter = _WORD_95 if format is DOC and compound.is_word_95(source) else _IMPORT[format]
    answers = kit.run("OpenDocument", "" if changed else source.as_uri(), address, filter, view)
    if "unsafe" in answers:
        raise Failed("the document's macros could run")
    if "opened" not in answers:
        raise Unreadable(
            say("The file is damaged or protected: it can't be opened as {name}.", name=format.name), reason="damaged"
        )
    installed = set() if whole else set(kit.run("ListFonts")["font"])
    if installed and not any("emoji" in each.lower() for each in installed - {_BUNDLED_EMOJI}):
        emoji_sequences.report(needed.emoji, warn)
    missing = [each for each in needed.fonts if each not in installed] if not whole else []
    font_twins.report((each for each in missing if font_twins.twin(each)), warn)
    for name in missing:
        if not font_twins.twin(name):
            warn(
                "FONT_SUBSTITUTED",
                say("The font “{name}” is not installed and was replaced.", name=name),
            )
    return kit


def to_pdf(
    source: Path, target: Path, options: DocumentOptions | PresentationOptions | SheetOptions, warn: Warn
) -> None:
    """Write the document in `source`, whose suffix is its format's id, as PDF.

    Raises Unreadable for a damaged, protected or mismatched file, OverLimit for one that is too large, and
    InvalidOption for a missing page or sheet.
    """
    format = FORMATS[source.suffix[1:]]
    kit = opened(source, warn, changed=isinstance(options, SheetOptions) and options.sheet is not None)
    hidden = notes = False
    if isinstance(options, SheetOptions):
        _lay_out(kit, options, warn)
    if isinstance(options, PresentationOptions):
        hidden, notes = options.hidden_slides, options.notes
        _count_slides(kit, hidden, warn)
        if format is PPTX and not notes:
            speaker_notes.report_file(source, warn, hidden=hidden)
    drawn = target.with_name("drawn.pdf")
    switches = ["yes" if each else "no" for each in (hidden, notes)]
    filter = _EXPORT.get(format, "writer_pdf_Export")
    with pages.counted(warn) as drawn_pages:
        done(kit.run("WritePdf", drawn.as_uri(), filter, "", *switches, drawn_pages), "written")
    if options.pages is not None:
        with pikepdf.open(drawn) as pdf:
            numbers = [str(number + 1) for number in chosen(options.pages, len(pdf.pages))]
        # Exported again rather than cut: bookmarks, links and tags are then those of these pages.
        done(kit.run("WritePdf", drawn.as_uri(), filter, ",".join(numbers), *switches, "no"), "written")
    _finish(drawn, target)
    visibility.check(target, warn)


def _lay_out(kit: Kit, options: SheetOptions, warn: Warn) -> None:
    answers = kit.run("ListSheets")
    shown, concealed = answers.get("shown", []), answers.get("hidden", [])
    if options.sheet is not None:
        if options.sheet not in (*shown, *concealed):
            raise InvalidOption(
                "sheet", say("There is no sheet with this name. The workbook has {shown}.", shown=_listed(shown))
            )
        done(kit.run("ChooseSheet", str(answers["every"].index(options.sheet))), "chosen")
    for name, rows, columns in zip(answers["every"], answers["rows"], answers["columns"], strict=True):
        drawn = name in shown if options.sheet is None else name == options.sheet
        if drawn and int(rows) * int(columns) > MAX_SHEET_CELLS:
            raise OverLimit(
                "output",
                say("The sheet “{name}” spans too many cells. Delete stray cells far from the data.", name=name),
            )
        if options.sheet is None and name in concealed:
            warn(
                "SHEET_SKIPPED",
                say("The sheet “{name}” is hidden and not in the output. Use sheet to convert it.", name=name),
            )
        elif options.sheet not in (None, name):
            warn("SHEET_SKIPPED", say("The sheet “{name}” is not in the output.", name=name))
    width, height = _PAPER[options.page_size]
    if width or options.orientation != "document" or options.fit != "document":
        done(kit.run("LayOutSheets", str(width), str(height), options.orientation, options.fit), "laidout")


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"“{each}”" for each in names[:20])
    return shown if len(names) <= 20 else f"{shown} and {len(names) - 20} more"


def _count_slides(kit: Kit, hidden: bool, warn: Warn) -> None:
    answers = kit.run("CountSlides")
    concealed, shown = int(answers["hidden"][0]), int(answers["shown"][0])
    if concealed and not hidden:
        if not shown:
            raise InvalidOption("hiddenSlides", "All slides are hidden. Set hiddenSlides to include them.")
        warn("CONTENT_DROPPED", say("{concealed} hidden slides were left out.", concealed=concealed))


def done(answers: dict[str, list[str]], sign: str) -> None:
    """Raise Failed if a macro did not give this answer."""
    if sign not in answers:
        raise Failed("; ".join(answers.get("failed", ["no answer"])))


def _finish(drawn: Path, target: Path) -> None:
    """Remove the timestamps and ids derived from them from the PDF: the same document gives the same bytes."""
    with pikepdf.open(drawn) as pdf:
        if len(pdf.pages) > read.MAX_PAGES:
            raise OverLimit("output", say("The document has more than {max_pages} pages.", max_pages=read.MAX_PAGES))
        for name in (Name.CreationDate, Name.ModDate):
            if name in pdf.docinfo:
                del pdf.docinfo[name]
        if Name.Metadata in pdf.Root:
            del pdf.Root.Metadata
        for name in (Name.ID, Name.DocChecksum):
            if name in pdf.trailer:
                del pdf.trailer[name]
        if str(pdf.Root.get(Name.Lang, "")) == _NO_LANGUAGE:
            del pdf.Root.Lang
        pdf.save(target, deterministic_id=True)
    drawn.unlink()
