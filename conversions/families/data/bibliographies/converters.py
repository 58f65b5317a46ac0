"""Bibliographies: BibTeX, RIS and CSL JSON among each other, from and to objects and rows, and as a list to read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from conversions.families.data.adapters import Adapter
from conversions.families.data.converters import declare_all
from conversions.families.documents.options import HtmlOptions
from conversions.toolkit.declaring import Engine, converter
from conversions.toolkit.formats import BIBTEX, CSLJSON, CSV, HTML, JSON, ODS, RIS, XLSX
from conversions.toolkit.options import NoOptions
from conversions.toolkit.warnings import Warn

FORMATS = (BIBTEX, RIS, CSLJSON)
_WORDS = {BIBTEX: "the entries of a BibTeX file", RIS: "the entries of a RIS file", CSLJSON: "the items of CSL JSON"}
_AS = {BIBTEX: "as entries of BibTeX", RIS: "as entries of RIS", CSLJSON: "as items of CSL JSON"}
_FILES = "conversions.families.data.bibliographies.files"

declare_all(
    __name__,
    readers=[
        Adapter(each, "bibliographies.files:read_objects", "documents", NoOptions, _WORDS[each]) for each in FORMATS
    ],
    outputs=(JSON,),
    writers=[
        Adapter(each, "bibliographies.files:write", "documents", NoOptions, _AS[each], telling=True) for each in FORMATS
    ],
    inputs=(CSV, JSON, XLSX, ODS),
)
declare_all(
    __name__,
    readers=[Adapter(each, "bibliographies.files:read_rows", "tables", NoOptions, _WORDS[each]) for each in FORMATS],
    outputs=(CSV, XLSX, ODS),
)


def _convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert {input} to {output}: each entry with its names, dates and fields."""
    from conversions.families.data.bibliographies import files

    files.convert(source, target, options, warn)


def _to_html(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Set {input} as a list of references, in a page of HTML."""
    from conversions.families.data.bibliographies import files

    files.to_html(source, target, options, warn)


for _source in FORMATS:
    for _target in FORMATS:
        if _source is not _target:
            converter(_source, _target, profile="text", engine=Engine("Python", lazy=(_FILES,)))(_convert)
    converter(
        _source,
        HTML,
        profile="office",
        engine=Engine("pypandoc-binary", lazy=("pypandoc", _FILES), programs=("pypandoc/files/pandoc",)),
        options=HtmlOptions,
    )(_to_html)
