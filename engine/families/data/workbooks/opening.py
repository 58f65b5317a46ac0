"""Open a workbook: decrypt, check and, if the library needs it, repair it first."""

from __future__ import annotations

import re
import zipfile
from pathlib import Path

from python_calamine import CalamineError, CalamineWorkbook, PasswordError, XmlError, ZipError

from engine.families.data.damage import unreadable
from engine.families.data.workbooks import (
    biff,
    biff_code_pages,
    biff_formats,
    locks,
    misread_parts,
    ods_breaks,
    ods_locks,
    ods_parts,
    repairing,
    xlsb_parts,
    xlsx_parts,
)
from engine.families.data.workbooks.facts import WorkbookFacts, attributes
from engine.families.data.workbooks.sheet_bounds import MAX_SHEET_CELLS
from engine.toolkit import archive, number_formats, office_macros
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.messages import say

_DAMAGED = say("The workbook is damaged and can't be opened. Save it again and retry.")
_SHEET = re.compile(r"<(?:\w+:)?sheet\s[^<>]*?(?:/>|>\s*</(?:\w+:)?sheet>)")


def opened(source: Path, password: str | None) -> tuple[CalamineWorkbook, WorkbookFacts, Path]:
    """The workbook, its facts, and the file that was read, which is a copy if it was locked.

    Raises Unreadable for a damaged file, or a locked one without a password; InvalidOption for a wrong password;
    OverLimit for sheets with too many cells.
    """
    facts = WorkbookFacts()
    if source.suffix == ".xls":
        try:
            biff.inspect(source, facts)
        except biff.Locked:
            source, facts = locks.unlocked(source, password), WorkbookFacts()
            biff.inspect(source, facts)
    elif source.suffix == ".ods":
        source, _ = repairing.repaired(source)
        if ods_locks.is_locked(source):
            source = ods_locks.unlocked(source, password)
        archive.preflight(source, ods_parts.inspector(facts), max_ratio=None)
        with zipfile.ZipFile(source) as parts:
            facts.macros = office_macros.count(parts.namelist())
    else:
        if archive.is_locked(source):
            source = locks.unlocked(source, password)
        if source.suffix == ".xlsb":
            archive.preflight(source, xlsb_parts.inspector(facts), visited=(".xml", ".rels", ".bin"), max_ratio=None)
        else:
            source, facts.lost = repairing.repaired(source)
            visited = (".xml", ".rels", "vbaProject.bin")
            archive.preflight(source, xlsx_parts.inspector(facts), visited=visited, max_ratio=None)
    if source.suffix in (".xls", ".ods") and any(part.cells > MAX_SHEET_CELLS for part in facts.parts.values()):
        # Opening such a file unpacks all sheets.
        raise OverLimit("memory", "A sheet spans too many cells. Delete stray cells far from the data.")
    with unreadable(_DAMAGED, CalamineError, ZipError, XmlError, OSError, ValueError):
        try:
            book = CalamineWorkbook.from_path(_readable(source, facts))
        except PasswordError:
            raise Unreadable(biff.PROTECTED, reason="password") from None
    if source.suffix == ".xls" and len(facts.parts) == len(book.sheet_names):
        # In file order: the library knows more code pages for their names.
        facts.names = dict(zip(book.sheet_names, facts.parts, strict=True))
    return book, facts, source


def _readable(source: Path, facts: WorkbookFacts) -> Path:
    """Return the file, or a copy without the parts that the library fails on."""
    if facts.code_page:
        return biff_formats.readable(biff_code_pages.readable(source, facts.code_page), facts.code_page)
    if facts.breaks:
        return ods_breaks.written_out(source)
    failed = {name for name, part in facts.parts.items() if part.errors.count} if source.suffix == ".xlsb" else ()
    spans = {at for at, code in enumerate(facts.styles.formats) if "span" in number_formats.shows(code)}
    misread = {name for name, part in facts.parts.items() if part.misread or (part.long and spans)}
    if not (facts.odd or failed or misread):
        return source
    copy = source.with_name(f"sheets{source.suffix}")
    with zipfile.ZipFile(source) as book, zipfile.ZipFile(copy, "w", zipfile.ZIP_STORED) as target:
        for name in book.namelist():
            data = book.read(name)
            if name == "xl/workbook.xml":
                data = _SHEET.sub(lambda tag: "" if _is_odd(tag[0], facts) else tag[0], data.decode()).encode()
            elif name == "xl/workbook.bin":
                data = xlsb_parts.without_sheets(data, facts.odd)
            elif name.lower() in failed:
                data = xlsb_parts.without_failed_formulas(data)
            elif name.lower() in misread:
                data = misread_parts.readable(data, spans)
            target.writestr(name, data)
    return copy


def _is_odd(tag: str, facts: WorkbookFacts) -> bool:
    return any(value in facts.odd for key, value in attributes(tag).items() if key.endswith(":id"))
