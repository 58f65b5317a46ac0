"""Read bibliography files as items, objects or rows, and write them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from engine.families.data.agenda import rows
from engine.families.data.bibliographies import bibtex, bibtex_out, items, ris
from engine.families.data.bibliographies.items import Item
from engine.families.data.readers import json_text
from engine.families.data.table import Documents, Table, batched
from engine.toolkit.formats import BIBTEX, CSLJSON, RIS
from engine.toolkit.options import NoOptions
from engine.toolkit.warnings import Warn


def read_items(source: Path, warn: Warn) -> list[Item]:
    """Each entry. Raises Unreadable for a file without entries."""
    format = source.suffix[1:]
    if format == CSLJSON.id:
        found = items.read(json_text.read(source, NoOptions(), warn), warn)
    else:
        found = {BIBTEX.id: bibtex.read, RIS.id: ris.read}[format](source, warn)
    warn.detect(entries=len(found))
    return found


def read_objects(source: Path, options: Any, warn: Warn) -> Documents:
    """Each entry as a CSL object. Raises Unreadable for a file without entries."""
    found = read_items(source, warn)
    return Documents(lambda: batched(found), many=True)


def read_rows(source: Path, options: Any, warn: Warn) -> list[Table]:
    """Each entry as a row; names are joined. Raises Unreadable for a file without entries."""
    return [rows.table(read_items(source, warn), items.flat, items.ORDER)]


def write(documents: Documents, target: Path, options: Any, warn: Warn) -> None:
    """Write objects or rows as entries. Raises Unreadable for values that aren't objects."""
    _write(items.read(documents, warn), target, options, warn)


def convert(source: Path, target: Path, options: Any, warn: Warn) -> None:
    """Convert the entries of one file; the formats are named by the extensions of both."""
    _write(read_items(source, warn), target, options, warn)


def _write(found: list[Item], target: Path, options: Any, warn: Warn) -> None:
    format = target.suffix[1:]
    if format == CSLJSON.id:
        target.write_text(json.dumps(found, ensure_ascii=False, indent=2) + "\n", "utf-8")
    else:
        {BIBTEX.id: bibtex_out.write, RIS.id: ris.write}[format](found, target, options, warn)
