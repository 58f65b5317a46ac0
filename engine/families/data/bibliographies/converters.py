"""Convert BibTeX, RIS and CSL JSON to each other, to and from objects and rows, and to reference lists."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from engine.families.data.adapters import Adapter
from engine.families.data.converters import declare_all
from engine.families.documents.options import CitationStyle, HtmlOptions, LineWidth, TitleOptions
from engine.families.html_pdf.options import HTML_PDF, PageOptions
from engine.toolkit.declaring import Engine, converter
from engine.toolkit.formats import BIBTEX, CSLJSON, CSV, DOCX, HTML, JSON, MARKDOWN, ODS, PDF, RIS, XLSM, XLSX
from engine.toolkit.options import NoOptions, combine
from engine.toolkit.warnings import Warn

FORMATS = (BIBTEX, RIS, CSLJSON)
_WORDS = {BIBTEX: "BibTeX entries", RIS: "RIS entries", CSLJSON: "CSL JSON"}
_AS = {BIBTEX: "to BibTeX entries", RIS: "to RIS entries", CSLJSON: "to CSL JSON"}
_FILES = "engine.families.data.bibliographies.files"

declare_all(
    __name__,
    readers=[
        Adapter(each, "bibliographies.files:read_objects", "documents", NoOptions, _WORDS[each]) for each in FORMATS
    ],
    outputs=(JSON,),
    writers=[
        Adapter(each, "bibliographies.files:write", "documents", NoOptions, _AS[each], renames=True) for each in FORMATS
    ],
    inputs=(CSV, JSON, XLSX, XLSM, ODS),
)
declare_all(
    __name__,
    readers=[Adapter(each, "bibliographies.files:read_rows", "tables", NoOptions, _WORDS[each]) for each in FORMATS],
    outputs=(CSV, XLSX, ODS),
)


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output}, with the names, dates and fields of each entry."""
    from engine.families.data.bibliographies import files

    files.convert(source, target, options, warn)


def _set(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to a formatted reference list in {output}."""
    from engine.families.data.bibliographies import setting

    setting.write(source, target, options, warn)


_PANDOC = Engine(
    "pypandoc-binary",
    lazy=("pypandoc", "engine.families.data.bibliographies.setting"),
    programs=("pypandoc/files/pandoc",),
)
_PANDOC_PDF = dataclasses.replace(_PANDOC, modules=HTML_PDF.modules, further=(HTML_PDF.distribution,))
_SET = {HTML: HtmlOptions, PDF: PageOptions, DOCX: TitleOptions, MARKDOWN: LineWidth}

for _source in FORMATS:
    for _target in FORMATS:
        if _source is not _target:
            converter(_source, _target, profile="text", engine=Engine("Python", lazy=(_FILES,)), renames=True)(_convert)
    for _target, _written in _SET.items():
        if _target is HTML or _source is not CSLJSON:
            converter(
                _source,
                _target,
                profile="office",
                engine=_PANDOC_PDF if _target is PDF else _PANDOC,
                options=combine(f"{_source.id}_references_to_{_target.id}".title(), CitationStyle, _written),
            )(_set)
