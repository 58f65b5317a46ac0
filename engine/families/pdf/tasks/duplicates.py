"""Merge duplicate streams of a PDF."""

from __future__ import annotations

import hashlib
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.tasks.drawn_sizes import Id

_SMALLEST = 256
"""The size in bytes below which duplicate streams are not searched for."""

_ROUNDS = 2
"""The number of passes: pictures may become equal once their masks are one."""

_STRUCTURE = (Name.XRef, Name.ObjStm)


def merge_duplicates(pdf: pikepdf.Pdf) -> None:
    """Redirect all references to equal streams to the first of them, so that the others are not written."""
    gone: set[Id] = set()
    for _ in range(_ROUNDS):
        same = _same(pdf, gone)
        if not same:
            return
        for each in (*pdf.objects, pdf.trailer):
            _redirect(each, same)
        gone |= same.keys()


def _same(pdf: pikepdf.Pdf, gone: set[Id]) -> dict[Id, pikepdf.Object]:
    """Stream to the first equal one, except those that are `gone`."""
    first: dict[bytes, pikepdf.Object] = {}
    found: dict[Id, pikepdf.Object] = {}
    for each in pdf.objects:
        if not isinstance(each, pikepdf.Stream) or each.objgen in gone or each.get(Name.Type) in _STRUCTURE:
            continue
        data = each.read_raw_bytes()
        if len(data) < _SMALLEST:
            continue
        key = hashlib.sha256(each.stream_dict.unparse() + b"\0" + data).digest()
        if key in first:
            found[each.objgen] = first[key]
        else:
            first[key] = each
    return found


def _redirect(holder: pikepdf.Object, same: dict[Id, pikepdf.Object]) -> None:
    """Redirect the references of one object and of its nested objects."""
    waiting: list[Any] = [holder]
    while waiting:
        now = waiting.pop()
        keys: list[int] | list[str]
        if isinstance(now, pikepdf.Array):
            keys = list(range(len(now)))
        elif isinstance(now, pikepdf.Dictionary | pikepdf.Stream):
            keys = list(now.keys())
        else:
            continue
        for key in keys:
            value = now[key]
            if not isinstance(value, pikepdf.Object):
                continue
            if value.is_indirect:
                if value.objgen in same:
                    now[key] = same[value.objgen]
            elif isinstance(value, pikepdf.Array | pikepdf.Dictionary):
                waiting.append(value)
