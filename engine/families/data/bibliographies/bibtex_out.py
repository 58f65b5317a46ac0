"""Write BibTeX entries, with BibLaTeX fields where BibTeX has none."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from engine.families.data.bibliographies.bibtex_fields import FIELDS, GENRES, MONTHS, TYPES, VERBATIM
from engine.families.data.bibliographies.items import DATES, PEOPLE, Item, date_text
from engine.families.data.bibliographies.latex import encoded
from engine.families.data.values import text
from engine.toolkit.warnings import Warn

_BACK = {kind: name for name, kind in TYPES.items()} | {
    "article": "article", "article-magazine": "article", "article-newspaper": "article", "post-weblog": "online",
    "entry-encyclopedia": "inreference", "speech": "misc",
}  # fmt: skip
_CONTAINERS = {"article": "journal", "inproceedings": "booktitle", "incollection": "booktitle", "inbook": "booktitle"}
_PUBLISHERS = {"phdthesis": "school", "mastersthesis": "school", "techreport": "institution"}
_SHOUTED = re.compile(r"\b\w+[A-Z]\w*\b")


def write(items: list[Item], target: Path, options: Any, warn: Warn) -> None:
    """Write each item as an entry; values without a standard field go into a field with their own name."""
    target.write_text("\n".join(map(_entry, items)), "utf-8", newline="")


def _entry(item: Item) -> str:
    custom = {name: value for name, value in item.get("custom", {}).items() if name != "risType"}
    kind = re.sub("[^a-z]", "", custom.pop("bibtexType", "").lower()) or _BACK.get(item["type"], "misc")
    if kind == "phdthesis" and item.get("genre", "").startswith("Master"):
        kind = "mastersthesis"
    if kind == "inbook" and "container-title" in item:
        kind = "incollection"
    by_variable: dict[str, str] = {}
    for name, variable in FIELDS.items():
        by_variable.setdefault(variable, name)
    by_variable |= {
        "container-title": _CONTAINERS.get(kind, "booktitle"),
        "publisher": _PUBLISHERS.get(kind, "howpublished" if kind == "misc" else "publisher"),
        "number": "number",
        "collection-number": "number",
    }
    fields: list[tuple[str, str]] = []
    for name, value in item.items():
        if name in ("id", "type", "custom") or (name == "genre" and value == GENRES.get(kind)):
            continue
        if name in PEOPLE:
            fields.append((name.replace("-", ""), " and ".join(map(_written, value))))
        elif name == "issued":
            fields += _dated(date_text(value))
        elif name in DATES:
            fields.append(("urldate" if name == "accessed" else name.replace("-", ""), encoded(date_text(value))))
        else:
            shown = text(value)
            field = by_variable.get(name, re.sub("[^a-z]", "", name.lower()))
            if name == "page":
                shown = re.sub(r"(?<=\d)-(?=\d)", "--", shown)
            shown = " ".join(shown.split()) if field in VERBATIM else encoded(shown)
            fields.append((field, _SHOUTED.sub(r"{\g<0>}", shown) if name == "title" and "$" not in shown else shown))
    fields += [
        (re.sub(r"[^A-Za-z0-9_:-]", "", name) or "field", encoded(text(value))) for name, value in custom.items()
    ]
    key = re.sub(r"[\s,{}()=\"#%\\~]+", "", item["id"]) or "item"
    taken: dict[str, str] = {}
    for name, value in fields:
        taken.setdefault(name, _balanced(value))
    lines = "".join(f"  {name} = {{{value}}},\n" for name, value in taken.items() if value)
    return f"@{kind}{{{key},\n{lines}}}\n"


def _balanced(value: str) -> str:
    """A value with balanced braces, so that it ends where it should."""
    depth = 0
    for mark in re.finditer(r"\\.|[{}]", value, re.DOTALL):
        depth += (mark[0] == "{") - (mark[0] == "}")
        if depth < 0:
            break
    return value if not depth else value.replace("{", "").replace("}", "")


def _dated(date: str) -> list[tuple[str, str]]:
    parts = re.fullmatch(r"(\d{4})(?:-(\d\d)(?:-(\d\d))?)?", date)
    if parts is None:
        return [("date" if re.match(r"\d{4}", date) else "year", encoded(date))]
    found = [("year", parts[1])]
    if parts[2] and 1 <= int(parts[2]) <= 12:
        found.append(("month", MONTHS[int(parts[2]) - 1]))
    return found + ([("day", str(int(parts[3])))] if parts[3] else [])


def _written(name: Any) -> str:
    if not isinstance(name, dict) or "family" not in name:
        shown = text(name.get("literal") or name.get("given") or "") if isinstance(name, dict) else text(name)
        return shown if shown == "others" else f"{{{encoded(shown)}}}"
    particles = (name.get("dropping-particle"), name.get("non-dropping-particle"), name["family"])
    family = " ".join(encoded(text(each)) for each in particles if each)
    rest = [encoded(text(each)) for each in (name.get("suffix"), name.get("given")) if each]
    return ", ".join(filter(None, [family, *rest]))
