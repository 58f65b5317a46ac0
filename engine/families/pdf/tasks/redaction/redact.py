"""Redact a text everywhere in a PDF, and verify the result."""

from __future__ import annotations

import functools
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pikepdf
from pikepdf import Name, sanitize

from engine.families.pdf import read
from engine.families.pdf.options import PdfOptions
from engine.families.pdf.read import DAMAGED, reading
from engine.families.pdf.tasks import forms, picture_metadata
from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.redaction import (
    codes,
    hidden_text,
    page_annotations,
    private_keys,
    stray_texts,
    unread,
    unsearched,
)
from engine.families.pdf.tasks.redaction.advances import Fonts
from engine.families.pdf.tasks.redaction.alike import alike, for_all
from engine.families.pdf.tasks.redaction.allowance import Allowance
from engine.families.pdf.tasks.redaction.boxes import joined
from engine.families.pdf.tasks.redaction.erasing import Eraser
from engine.families.pdf.tasks.redaction.finding import Box, find, unreadable
from engine.families.pdf.tasks.redaction.scrubbing import scrubber
from engine.families.pdf.tasks.redaction.shared_forms import Shared
from engine.families.pdf.tasks.redaction.terms import Wanted
from engine.families.pdf.tasks.redaction.terms import wanted as wanted_by
from engine.families.pdf.unchanged.intended import Area
from engine.families.pdf.unchanged.intended import box as area
from engine.toolkit.failures import Unreadable
from engine.toolkit.messages import say
from engine.toolkit.page_ranges import chosen
from engine.toolkit.warnings import Warn

_NONE: list[Box] = []


def redact(
    source: Path, target: Path, options: PdfOptions, save: Any, warn: Warn, *, recognised: bool
) -> dict[int, list[Area]]:
    """Remove all matches with the pixels under them, and paint their areas black; `save` writes a document.

    Pages with pictures are reported, unless the words in them are `recognised`.

    Returns, by page, the areas that may look different: the matches, notes and fields, or the whole page where all text
    was removed.

    Text outside the pages (titles, bookmarks, notes, fields, descriptions) is searched too, in the whole document.
    Attached files, scripts, XFA forms and metadata of pictures, which are not searched, are removed. Raises
    InvalidOption, Unreadable if redaction can't be guaranteed, OverLimit.
    """
    wanted = wanted_by(options.redact_text, options.redact_pattern)
    allowance = Allowance(source.stat().st_size)
    draft, flat = target.with_name("redacted.pdf"), target.with_name("flat.pdf")
    with read.opened(source, options.password) as pdf:
        numbers = chosen(options.pages, len(pdf.pages))
        read.check_instructions(pdf, numbers)
        with reading():
            groups = alike(pdf, numbers)
            stray_texts.check_size(pdf, groups, allowance)
        if not recognised:
            unread.report(source, options.password, groups, warn)
        with reading():
            places = {number: page_annotations.seen(page) for number, page in enumerate(pdf.pages)}
            whole = [[float(side) for side in page.mediabox] for page in pdf.pages]
            marked = _pages_matching(pdf, groups, functools.partial(codes.match_marked, wanted=wanted))
            mute = {number for first in marked for number in groups[first]}
        _flatten(pdf, flat)
    found = for_all(find(flat, None, groups, wanted, allowance), groups)
    warn.detect(redacted=sum(len(boxes) for boxes in found.values()))
    unsearched = for_all(unreadable(flat, None, groups), groups)
    if unsearched:
        named = ", ".join(f"page {number + 1} ({count:,})" for number, count in sorted(unsearched.items()))
        warn(
            "TEXT_UNREADABLE",
            say("Some letters can't be searched and were kept. Check {named} before you share the file.", named=named),
        )
    every: set[int] = set()
    for _ in range(2):
        with read.opened(source, options.password) as pdf:
            with reading():
                stray_texts.remove(pdf, wanted, warn)
                emptied = hidden_text.remove(pdf, groups, wanted, flat, allowance)
                _remove(pdf, found, every, mute, wanted, emptied, groups, allowance, warn)
                save(pdf, draft)
        with read.opened(draft, options.password) as pdf:
            with reading():
                written = alike(pdf, numbers)
                hidden = _pages_matching(pdf, written, functools.partial(codes.match, wanted=wanted, fonts=Fonts()))
            _flatten(pdf, flat)
        left: dict[int, list[Box]] = dict.fromkeys(hidden, _NONE)
        left = for_all(left | find(flat, None, written, wanted, allowance), written)
        if not left:
            break
        # If glyphs could not be located reliably, the page keeps no text.
        every |= left.keys()
        found |= _together(found, left)
    else:
        raise Unreadable(
            "The text can't be removed reliably, because the PDF shows it in an unsupported way.",
            reason="unsupported_feature",
        )
    if every:
        named = ", ".join(str(number + 1) for number in sorted(every))
        warn(
            "CONTENT_DROPPED",
            say("All text on page {named} was removed, because its letters can't be identified reliably.", named=named),
        )
    if not found and not mute:
        warn("NOTHING_REDACTED", "The text was not found on the selected pages.")
    shutil.move(draft, target)
    flat.unlink()
    marks = {id(boxes): joined(boxes) for boxes in found.values()}
    for number, boxes in found.items():
        allowance.take(len(boxes))
        places[number] += marks[id(boxes)]
    for number in {*every, *mute}:
        places[number].append(Box(*whole[number]))
    return {
        number: [area(each.left, each.bottom, each.right, each.top) for each in boxes]
        for number, boxes in places.items()
    }


def _together(found: dict[int, list[Box]], left: dict[int, list[Box]]) -> dict[int, list[Box]]:
    """The boxes of both for the pages with any `left`; pages that had the same lists have the same again."""
    sums: dict[tuple[int, int], list[Box]] = {}
    both = {number: (found.get(number, _NONE), boxes) for number, boxes in left.items()}
    return {number: sums.setdefault((id(one), id(other)), one + other) for number, (one, other) in both.items()}


def _flatten(pdf: pikepdf.Pdf, target: Path) -> None:
    """A copy of the document with annotations and fields drawn into its pages, so that their text is found."""
    with reading():
        pdf.flatten_annotations("all")
        pdf.save(target, encryption=False, static_id=True)


def _remove(
    pdf: pikepdf.Pdf,
    found: dict[int, list[Box]],
    every: set[int],
    mute: set[int],
    wanted: Wanted,
    removed: int,
    groups: dict[int, list[int]],
    allowance: Allowance,
    warn: Warn,
) -> None:
    scrub, shared = scrubber(wanted), Shared(allowance)
    first_of = {number: first for first, numbers in groups.items() for number in numbers}
    erased: dict[tuple[int, int, bool, bool], tuple[pikepdf.Page, int]] = {}
    before = page_annotations.indirect(pdf)
    _own_resources(pdf)
    for number in sorted({*found, *mute}):
        page, boxes = pdf.pages[number], found.get(number, _NONE)
        key = first_of[number], id(boxes), number in every, number in mute
        if key not in erased:
            eraser = Eraser(pdf, boxes, scrub, shared, every=number in every, mute=number in mute or number in every)
            eraser.page(page)
            page_annotations.remove_over(page, eraser.placed, warn)
            page.obj[Name.Resources] = pdf.make_indirect(page.obj[Name.Resources])
            erased[key] = page, eraser.pictures_removed
        same, pictures = erased[key]
        for name in (Name.Contents, Name.Resources, Name.Annots):
            if name in same.obj:
                page.obj[name] = same.obj[name]
        removed += pictures
    if removed:
        warn(
            "CONTENT_DROPPED",
            say("Pictures behind removed text that can't be edited were removed: {removed}.", removed=removed),
        )
    page_annotations.remove_matching(pdf.pages, wanted, warn)
    unsearched.remove(pdf, wanted, warn)
    forms.drop_fields(pdf, before - page_annotations.indirect(pdf))
    private_keys.remove(pdf)
    private_keys.remove_from_notes(pdf)
    picture_metadata.remove(pdf, warn)
    for each in (*pdf.objects, pdf.trailer):
        scrub(each)
        if isinstance(each, pikepdf.Stream) and _is_metadata(each):
            _scrub_xml(each, wanted)
    sanitize.remove_thumbnails(pdf)
    sanitize.remove_private_app_data(pdf)


def _own_resources(pdf: pikepdf.Pdf) -> None:
    """Give each page a copy of its inherited resources, so that its parents keep none that it no longer uses."""
    for page in pdf.pages:
        page.obj[Name.Resources] = page.resources
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary) and each.get(Name.Type) == Name.Pages and Name.Resources in each:
            del each[Name.Resources]


def _pages_matching(
    pdf: pikepdf.Pdf, numbers: Iterable[int], predicate: Callable[[pikepdf.Object, Any], bool]
) -> set[int]:
    """The pages for which this holds of their content stream, or of a form on them."""
    known: dict[Id, bool] = {}

    def matches(holder: pikepdf.Object, resources: pikepdf.Object | None) -> bool:
        if predicate(holder, resources):
            return True
        objects = resources.get(Name.XObject) if isinstance(resources, pikepdf.Dictionary) else None
        for key in objects.keys() if isinstance(objects, pikepdf.Dictionary) else ():
            form = objects[key] if objects is not None else None
            if not isinstance(form, pikepdf.Stream) or form.get(Name.Subtype) != Name.Form:
                continue
            if form.objgen not in known:
                known[form.objgen] = False  # a recursive form shows nothing more
                known[form.objgen] = matches(form, form.get(Name.Resources))
            if known[form.objgen]:
                return True
        return False

    return {number for number in numbers if matches(pdf.pages[number].obj, pdf.pages[number].resources)}


def _is_metadata(stream: pikepdf.Object) -> bool:
    return bool(stream.get(Name.Subtype) == Name.XML or stream.get(Name.Type) == Name.Metadata)


def _scrub_xml(stream: pikepdf.Object, wanted: Wanted) -> None:
    try:
        text = stream.read_bytes().decode("utf-8")
    except (UnicodeDecodeError, *DAMAGED):
        stream.write(b"")
        return
    clean = wanted.without(text)
    if clean != text:
        stream.write(clean.encode("utf-8"))
