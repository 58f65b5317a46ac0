"""Make annotations, fields, actions, layers and attached files conform to PDF/A (ISO 19005-2, 6.3 to 6.11)."""

from __future__ import annotations

import pikepdf
from pikepdf import Name, sanitize

from engine.families.pdf.tasks import forms
from engine.toolkit.messages import say
from engine.toolkit.warnings import Warn

_NOTES = frozenset(
    f"/{each}"
    for each in (
        "Text", "Link", "FreeText", "Line", "Square", "Circle", "Polygon", "PolyLine", "Highlight", "Underline",
        "Squiggly", "StrikeOut", "Stamp", "Caret", "Ink", "Popup", "Widget", "PrinterMark", "TrapNet", "Watermark",
        "Redact",
    )
)  # fmt: skip
_WITHOUT_LOOKS = ("/Popup", "/Link")
_ACTIONS = frozenset({"/GoTo", "/GoToR", "/GoToE", "/Thread", "/URI", "/Named", "/SubmitForm"})
_NAMED = frozenset({"/NextPage", "/PrevPage", "/FirstPage", "/LastPage"})
_HIDDEN, _PRINTED = 0b100100011, 0b100
"""Annotation flags (ISO 32000-1, table 165): Invisible, Hidden, NoView and ToggleNoView; Print."""


def clean(pdf: pikepdf.Pdf, warn: Warn) -> None:
    """Remove what the standard forbids, and report it."""
    dropped: set[str] = set()
    if len(pdf.attachments):
        warn.account("attachments", len(pdf.attachments))
        sanitize.remove_attachments(pdf)
        dropped.add(say("attached files"))
    for name in (Name.AA, Name.Requirements, Name.Perms, Name.NeedsRendering, Name.Collection):
        if name in pdf.Root:
            del pdf.Root[name]
    names = pdf.Root.get(Name.Names)
    if isinstance(names, pikepdf.Dictionary):
        for name, reason in ((Name.JavaScript, "scripts"), (Name.AlternatePresentations, ""), (Name.EmbeddedFiles, "")):
            if name in names:
                del names[name]
                dropped |= {reason} if reason else set()
    _form(pdf, dropped, warn)
    for page in pdf.pages:
        _annotations(pdf, page, dropped)
    for each in pdf.objects:
        if isinstance(each, pikepdf.Dictionary):
            _actions(each, dropped)
            _signature(each, dropped)
    _layers(pdf)
    if dropped:
        warn(
            "CONTENT_DROPPED",
            say("Removed, because PDF/A doesn't allow it: {dropped}.", dropped=", ".join(sorted(dropped))),
        )


def _form(pdf: pikepdf.Pdf, dropped: set[str], warn: Warn) -> None:
    form = pdf.Root.get(Name.AcroForm)
    if not isinstance(form, pikepdf.Dictionary):
        return
    if form.get(Name.NeedAppearances):
        forms.show_values(pdf, warn)
    for name in (Name.NeedAppearances, Name.XFA):
        if name in form:
            del form[name]
            dropped |= {"an XFA form"} if name == Name.XFA else set()


def _annotations(pdf: pikepdf.Pdf, page: pikepdf.Page, dropped: set[str]) -> None:
    found = page.obj.get(Name.Annots)
    if not isinstance(found, pikepdf.Array):
        return
    kept: list[pikepdf.Object] = []
    for each in found:
        kind = str(each.get(Name.Subtype)) if isinstance(each, pikepdf.Dictionary) else ""
        flags = int(each.get(Name.F, 0)) if kind else 0
        if kind not in _NOTES or (flags & _HIDDEN and kind != "/Popup"):
            dropped.add(
                say("hidden notes and fields") if kind in _NOTES else say("notes with media or embedded content")
            )
            continue
        if kind == "/Popup" and Name.F in each:
            del each[Name.F]
        elif kind != "/Popup":
            each[Name.F] = flags | _PRINTED | (0b11000 if kind == "/Text" else 0)
        if not _has_appearance(pdf, each, kind):
            dropped.add(say("notes without an appearance"))
            continue
        for name in (Name.AA, Name.C, Name.IC) if kind == "/Widget" else (Name.AA,):
            if name in each:
                del each[name]
        if kind == "/Widget" and Name.A in each:
            del each[Name.A]
            dropped.add(say("form field actions"))
        kept.append(each)
    page.obj[Name.Annots] = pikepdf.Array(kept)
    forms.drop_fields(pdf, {each.objgen for each in found} - {each.objgen for each in kept})


def _has_appearance(pdf: pikepdf.Pdf, each: pikepdf.Object, kind: str) -> bool:
    appearances = each.get(Name.AP)
    box = [float(value) for value in each.get(Name.Rect, [0, 0, 0, 0])]
    if kind in _WITHOUT_LOOKS or (len(box) == 4 and box[0] == box[2] and box[1] == box[3]):
        return True
    if not isinstance(appearances, pikepdf.Dictionary) or Name.N not in appearances:
        if kind != "/Widget":
            return False
        appearances = pikepdf.Dictionary(N=_nothing(pdf, box))
    normal = appearances[Name.N]
    if kind == "/Widget" and _field(each) == Name.Btn:
        if isinstance(normal, pikepdf.Stream):
            normal = pikepdf.Dictionary(Off=normal)  # appearance subdictionaries are not allowed (6.3.3)
            each[Name.AS] = Name.Off
        states = dict(normal.items()) if isinstance(normal, pikepdf.Dictionary) else {}
        drawn = {state: look for state, look in states.items() if isinstance(look, pikepdf.Stream)}
        normal = pikepdf.Dictionary(drawn or {"/Off": _nothing(pdf, box)})
    elif not isinstance(normal, pikepdf.Stream):
        shown = normal.get(str(each.get(Name.AS, "/Off"))) if isinstance(normal, pikepdf.Dictionary) else None
        if not isinstance(shown, pikepdf.Stream):
            return False
        normal = shown
    each[Name.AP] = pikepdf.Dictionary(N=normal)
    return True


def _nothing(pdf: pikepdf.Pdf, box: list[float]) -> pikepdf.Object:
    """An empty appearance."""
    across, up = abs(box[2] - box[0]), abs(box[3] - box[1])
    return pdf.make_stream(
        b"", Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, across, up], Resources=pikepdf.Dictionary()
    )


def _field(widget: pikepdf.Object) -> pikepdf.Object | None:
    """The type of a widget's field."""
    parent = widget.get(Name.Parent)
    return widget.get(Name.FT, parent.get(Name.FT) if isinstance(parent, pikepdf.Dictionary) else None)


def _actions(holder: pikepdf.Object, dropped: set[str]) -> None:
    for name in (Name.A, Name.OpenAction, Name.AA, Name.Next):
        action = holder.get(name)
        if not isinstance(action, pikepdf.Dictionary) or (name != Name.AA and Name.S not in action):
            continue
        kind = str(action.get(Name.S))
        allowed = kind in _ACTIONS and (kind != "/Named" or str(action.get(Name.N)) in _NAMED)
        if name == Name.AA or not allowed:
            del holder[name]
            dropped.add(say("scripts and other actions"))


def _signature(field: pikepdf.Object, dropped: set[str]) -> None:
    """Empty a signature field: its signature covers the bytes of the original file (6.4.3)."""
    signed = field.get(Name.V)
    if isinstance(signed, pikepdf.Dictionary) and Name.ByteRange in signed:
        del field[Name.V]
        dropped.add("signatures")


def _layers(pdf: pikepdf.Pdf) -> None:
    about = pdf.Root.get(Name.OCProperties)
    if not isinstance(about, pikepdf.Dictionary):
        return
    others = about.get(Name.Configs)
    every = [about.get(Name.D), *(others if isinstance(others, pikepdf.Array) else ())]
    for number, each in enumerate(every):
        if isinstance(each, pikepdf.Dictionary):
            each[Name.Name] = pikepdf.String(f"Layers {number + 1}" if Name.Name not in each else str(each[Name.Name]))
            for name in (Name.AS, Name.Order):
                if name in each:
                    del each[name]
