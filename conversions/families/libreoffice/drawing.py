"""Office files as LibreOffice lays them out: looked into first, then drawn as PDF, always with the same bytes."""

from __future__ import annotations

import functools
from pathlib import Path

import pikepdf
from pikepdf import Name

from conversions.families.data.preflight import MAX_SHEET_CELLS
from conversions.families.libreoffice import kit, pages, parts
from conversions.families.libreoffice.kit import Failed, Kit
from conversions.families.libreoffice.options import DocumentOptions, PresentationOptions, SheetOptions
from conversions.families.pdf import read
from conversions.toolkit.failures import InvalidOption, OverLimit, Unreadable
from conversions.toolkit.formats import DOC, DOCX, FORMATS, ODG, ODP, ODS, ODT, PAGES, PPT, PPTX, RTF, XLS, XLSX
from conversions.toolkit.page_ranges import chosen
from conversions.toolkit.warnings import Warn

warm = kit.warm

# The names are those of the suite's own filter configuration.
_IMPORT = {
    DOCX: "MS Word 2007 XML",
    ODT: "writer8",
    RTF: "Rich Text Format",
    XLSX: "Calc MS Excel 2007 XML",
    XLS: "MS Excel 97",
    ODS: "calc8",
    PPTX: "Impress MS PowerPoint 2007 XML",
    DOC: "MS Word 97",
    PPT: "MS PowerPoint 97",
    ODP: "impress8",
    ODG: "draw8",
    PAGES: "Apple Pages",
}
_EXPORT = {
    **dict.fromkeys((PPTX, PPT, ODP), "impress_pdf_Export"),
    **dict.fromkeys((XLSX, XLS, ODS), "calc_pdf_Export"),
    ODG: "draw_pdf_Export",
}
_PAPER = {"document": (0, 0), "A3": (29700, 42000), "A4": (21000, 29700), "A5": (14800, 21000)} | {
    "Letter": (21590, 27940),
    "Legal": (21590, 35560),
}
"""Width and height in 1/100 mm (ISO 216, ANSI/ASME Y14.1)."""

_NO_LANGUAGE = "zxx"
"""What the suite calls a document that does not say in which language it is (ISO 639-2: no linguistic content)."""

_TWINS = {
    "Arial": "Liberation Sans",
    "Helvetica": "Liberation Sans",
    "Times": "Liberation Serif",
    "Times New Roman": "Liberation Serif",
    "Courier": "Liberation Mono",
    "Courier New": "Liberation Mono",
    "Calibri": "Carlito",
    "Cambria": "Caladea",
}
"""Fonts whose letters are as wide as another's, which the suite takes in their place: nothing moves on the page."""

_kit = functools.cache(Kit)


def opened(source: Path, warn: Warn, *, whole: bool = False) -> Kit:
    """The suite with the document in `source` open, `whole` with its comments; raises what `to_pdf` does of a file."""
    format = FORMATS[source.suffix[1:]]
    fonts = parts.inspect(source, format, warn)
    kit = _kit()
    view = "yes" if format in _EXPORT else "never" if whole else "no"
    answers = kit.run("OpenDocument", source.as_uri(), _IMPORT[format], view)
    if "unsafe" in answers:
        raise Failed("the document's macros could run")
    if "opened" not in answers:
        raise Unreadable(f"The file is damaged or protected: it can't be opened as {format.name}.")
    installed = set() if whole else set(kit.run("ListFonts")["font"])
    for name in () if whole else fonts:
        if name not in installed and _TWINS.get(name) not in installed:
            warn("FONT_SUBSTITUTED", f"The font “{name}” is not installed: text in it is set in another one.")
    return kit


def to_pdf(
    source: Path, target: Path, options: DocumentOptions | PresentationOptions | SheetOptions, warn: Warn
) -> None:
    """Write the document in `source`, whose suffix is its format's id, as PDF.

    Raises Unreadable for what is damaged, protected or of another kind, OverLimit for what is too large, and
    InvalidOption for a page or a sheet that does not exist.
    """
    format = FORMATS[source.suffix[1:]]
    kit = opened(source, warn)
    hidden = notes = False
    if isinstance(options, SheetOptions):
        _lay_out(kit, options, warn)
    if isinstance(options, PresentationOptions):
        hidden, notes = options.hidden_slides, options.notes
        _count_slides(kit, hidden, warn)
    drawn = target.with_name("drawn.pdf")
    switches = ["yes" if each else "no" for each in (hidden, notes)]
    filter = _EXPORT.get(format, "writer_pdf_Export")
    with pages.counted(warn) as told:
        done(kit.run("WritePdf", drawn.as_uri(), filter, "", *switches, told), "written")
    if options.pages is not None:
        with pikepdf.open(drawn) as pdf:
            numbers = [str(number + 1) for number in chosen(options.pages, len(pdf.pages))]
        # Drawn again rather than cut: marks, links and tags are then those of these pages.
        done(kit.run("WritePdf", drawn.as_uri(), filter, ",".join(numbers), *switches, "no"), "written")
    _finish(drawn, target)


def _lay_out(kit: Kit, options: SheetOptions, warn: Warn) -> None:
    answers = kit.run("ListSheets")
    shown, concealed = answers.get("shown", []), answers.get("hidden", [])
    if options.sheet is not None:
        if options.sheet not in (*shown, *concealed):
            raise InvalidOption("sheet", f"There is no sheet of this name; the workbook has {_listed(shown)}.")
        done(kit.run("ChooseSheet", str(answers["every"].index(options.sheet))), "chosen")
    for name, rows, columns in zip(answers["every"], answers["rows"], answers["columns"], strict=True):
        drawn = name in shown if options.sheet is None else name == options.sheet
        if drawn and int(rows) * int(columns) > MAX_SHEET_CELLS:
            raise OverLimit("output", f"The sheet “{name}” spans too many cells. Delete what is far from the data.")
        if options.sheet is None and name in concealed:
            warn("SHEET_SKIPPED", f"The sheet “{name}” is hidden and not in the output: use sheet.")
        elif options.sheet not in (None, name):
            warn("SHEET_SKIPPED", f"The sheet “{name}” is not in the output.")
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
        warn("CONTENT_DROPPED", f"{concealed:,} hidden slides were left out.")


def done(answers: dict[str, list[str]], sign: str) -> None:
    """Raise Failed where a macro did not give this answer."""
    if sign not in answers:
        raise Failed("; ".join(answers.get("failed", ["no answer"])))


def _finish(drawn: Path, target: Path) -> None:
    """Take out of the PDF the moment and the numbers made from it: the same document gives the same bytes."""
    with pikepdf.open(drawn) as pdf:
        if len(pdf.pages) > read.MAX_PAGES:
            raise OverLimit("output", f"The document has more than {read.MAX_PAGES:,} pages.")
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
