"""Stream the entries of one archive into another, or into a listing."""

from __future__ import annotations

import csv
import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from engine.families.archives import reading, writing
from engine.families.archives.entries import Budget, Entry, Names
from engine.toolkit.failures import Unreadable
from engine.toolkit.formats import CSV, ZIP, Format
from engine.toolkit.warnings import Kind, Warn


def convert(source: Path, target: Path, input: Format, output: Format, options: Any, warn: Warn) -> None:
    """Write the files of `source`, of the format `input`, as an archive of the format `output`.

    Raises Unreadable for a damaged file or one that is not an archive, OverLimit for one that unpacks to too much,
    InvalidOption for a missing or wrong password.
    """
    names, count = Names(), 0
    with writing.Writer(target, output, getattr(options, "compression", "normal")) as writer:
        for entry in _entries(source, input, options, names, warn):
            count += 1
            with reading.readable():
                writer.add(entry)
    names.report(warn)
    if not count:
        raise Unreadable("The archive has no files to unpack.", reason="empty")
    if output is ZIP:
        warn.tally(Kind("METADATA_DROPPED", "A ZIP can't store file owners: {count}{places}."), writer.owned)
    warn.detect(entries=count)


def list_entries(source: Path, target: Path, input: Format, output: Format, options: Any, warn: Warn) -> None:
    """Write a listing of `source` as a JSON array or CSV table. Raises as `convert` does."""
    names = Names()
    rows = [_row(each) for each in _entries(source, input, options, names, warn, listed=True)]
    names.report(warn)
    warn.detect(entries=len(rows))
    if output is CSV:
        with target.open("w", encoding="utf-8", newline="") as file:
            table = csv.DictWriter(file, ["name", "type", "size", "modified", "mode"])
            table.writeheader()
            table.writerows(rows)
    else:
        target.write_text(json.dumps(rows, ensure_ascii=False, indent=2) + "\n", "utf-8")


def _row(entry: Entry) -> dict[str, Any]:
    moment = None
    if entry.modified is not None and 0 <= entry.modified < 253_402_300_800:
        moment = datetime.fromtimestamp(entry.modified, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return {
        "name": entry.name,
        "type": "folder" if entry.folder else "file",
        "size": None if entry.folder else entry.size,
        "modified": moment,
        "mode": None if entry.mode is None else f"{entry.permissions:03o}",
    }


def _entries(
    source: Path, input: Format, options: Any, names: Names, warn: Warn, *, listed: bool = False
) -> Iterator[Entry]:
    budget = Budget(source.stat().st_size)
    read = reading.READERS[input]
    for entry in read(source, input, options, names, warn, budget, listed):
        name = names.safe(entry.name, folder=entry.folder)
        if name is not None:
            entry.name = name
            yield entry
