"""Carry the form fields of copied pages into another PDF, under names that are not taken there."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

import pikepdf
from pikepdf import Name

from engine.families.pdf.tasks.drawn_sizes import Id
from engine.families.pdf.tasks.entry_changes import Changes
from engine.toolkit.numbered_names import NumberedNames

_NAME = re.compile(r"/[^\x00\t\n\f\r ()<>\[\]{}/%]+")
_KINDS = ("/Font", "/ColorSpace", "/Pattern", "/ExtGState", "/XObject", "/Shading", "/Properties")

Copied = tuple[int, pikepdf.Page]
"""The number of a page in its own PDF, and its copy."""


class Fields:
    """The form of a PDF that pages are copied to. It is kept for all of them: it is read anew by each that is made."""

    def __init__(self, target: pikepdf.Pdf) -> None:
        self._target = target
        self._form = target.acroform
        self._names = NumberedNames()
        self._resources: dict[tuple[str, str], pikepdf.Object] = {}
        self._resource_names: dict[str, NumberedNames] = {}

    def add(
        self,
        source: pikepdf.Pdf,
        pages: Sequence[pikepdf.Page],
        form: pikepdf.AcroForm,
        order: Mapping[Id, int],
        copied: Iterable[Copied],
    ) -> list[str]:
        """Carry over the fields of pages that were copied, and return the names that were changed.

        `pages` and `form` are those of `source`, and `order` what `calculated` finds in it. A page that was copied
        again has fields of its own. A field on several pages stays one field. All resources of a form come with all of
        its pages, otherwise those that the fields name: there may be hundreds of fonts, and pages may come very often.
        """
        if not form.exists:
            return []
        changed: dict[str, None] = {}
        for turn, copies in enumerate(_rounds(copied)):
            places: list[pikepdf.Page] = []
            old: list[pikepdf.Object] = []
            for number, copy in copies:
                for each in _annotations(pages[number]):
                    places.append(copy)
                    old.append(each)
            if not old:
                continue
            changed |= dict.fromkeys(self._rename(old))
            changes = Changes()
            if turn or len(copies) < len(pages):
                _narrow_resources(source.Root.AcroForm, old, changes)
            new = self._copied(source, form, old)
            self._keep_resources(source.Root.AcroForm.get(Name.DR), new)
            changes.take_back()
            self._show(places, new)
            self._calculate(order, old, new)
        if form.needs_appearances and Name.AcroForm in self._target.Root:
            self._target.Root.AcroForm[Name.NeedAppearances] = True
        return list(changed)

    def _rename(self, annotations: Iterable[pikepdf.Object]) -> Iterator[str]:
        """Give the outermost fields that have names free ones, which pikepdf would look for among those of all copies.

        Its copies are made of what was copied with the pages, so that is where the names are changed.
        """
        names: dict[str, str] = {}
        met: dict[Id, bool] = {}
        for annotation in annotations:
            named = _outermost(annotation, met)
            if named is None:
                continue
            name = str(named[Name.T])
            if name not in names:
                names[name] = self._names.free(name, lambda wanted, number: f"{wanted}+{number - 1}")
                if names[name] != name:
                    yield name
            self._target.copy_foreign(named)[Name.T] = pikepdf.String(names[name])

    def _copied(
        self, source: pikepdf.Pdf, form: pikepdf.AcroForm, annotations: Sequence[pikepdf.Object]
    ) -> list[pikepdf.Object]:
        """Copies of annotations and their fields, made as those of one page, so that each field is copied once."""
        here, there = (
            pikepdf.Page(pdf.make_indirect(pikepdf.Dictionary(Type=Name.Page))) for pdf in (source, self._target)
        )
        here.obj[Name.Annots] = pikepdf.Array(annotations)
        self._form.fix_copied_annotations(there, here, form)
        return list(there.obj[Name.Annots])

    def _keep_resources(self, own: object, annotations: Iterable[pikepdf.Object]) -> None:
        """Keep apart fonts and the like that have the same name in several forms, of which `own` are those just added.

        qpdf takes `Helv_1` for the second `Helv` and for all that follow, each of which replaces the one before.
        """
        all_kinds = self._target.Root.AcroForm.get(Name.DR) if Name.AcroForm in self._target.Root else None
        if not isinstance(own, pikepdf.Dictionary) or not isinstance(all_kinds, pikepdf.Dictionary):
            return
        for kind, named in own.items():
            found = all_kinds.get(kind)
            if not isinstance(named, pikepdf.Dictionary) or not isinstance(found, pikepdf.Dictionary):
                continue
            free = self._resource_names.setdefault(kind, NumberedNames())
            moved: dict[str, str] = {}
            for name in (name for key in dict(named) for name in (key, f"{key}_1") if name in found):
                value, before = found[name], self._resources.get((kind, name))
                if before is None:
                    self._resources[kind, free.free(name)] = value
                elif before.objgen != value.objgen:
                    moved[name] = new_name = free.free(name.removesuffix("_1"))
                    self._resources[kind, new_name] = found[new_name] = value
                    found[name] = before
            if moved:
                _use(moved, annotations)

    def _show(self, places: Iterable[pikepdf.Page], annotations: Iterable[pikepdf.Object]) -> None:
        pages: dict[Id, tuple[pikepdf.Page, list[pikepdf.Object]]] = {}
        for page, each in zip(places, annotations, strict=True):
            each[Name.P] = page.obj
            pages.setdefault(page.obj.objgen, (page, []))[1].append(each)
        for page, found in pages.values():
            page.obj[Name.Annots] = pikepdf.Array(found)

    def _calculate(self, order: Mapping[Id, int], old: Iterable[pikepdf.Object], new: Iterable[pikepdf.Object]) -> None:
        """Append the copied fields to those whose values are calculated, in the `order` of their source."""
        if not order:
            return
        copies: dict[Id, pikepdf.Object] = {}
        seen: set[Id] = set()
        for before, after in zip(old, new, strict=True):
            copies |= zip((each.objgen for each in _upwards(before, seen)), _upwards(after, set()), strict=False)
        fields = [copies[each] for each in sorted(copies.keys() & order.keys(), key=order.__getitem__)]
        if fields:
            form = self._target.Root.AcroForm
            if Name.CO not in form:
                form[Name.CO] = pikepdf.Array()
            form[Name.CO].extend(fields)


def calculated(source: pikepdf.Pdf) -> dict[Id, int]:
    """The places of fields in the order in which their values are calculated, by their ids."""
    form = source.Root.get(Name.AcroForm)
    order = form.get(Name.CO) if isinstance(form, pikepdf.Dictionary) else None
    found: dict[Id, int] = {}
    for each in order if isinstance(order, pikepdf.Array) else ():
        if isinstance(each, pikepdf.Dictionary):
            found.setdefault(each.objgen, len(found))
    return found


def _narrow_resources(form: pikepdf.Object, annotations: Iterable[pikepdf.Object], changes: Changes) -> None:
    """Leave those resources in a form that these fields, and what is said for all fields, are written with."""
    resources = form.get(Name.DR)
    if not isinstance(resources, pikepdf.Dictionary):
        return
    met: set[Id] = set()
    fields = (each for annotation in annotations for each in _upwards(annotation, met))
    written = {str(each[Name.DA]) for each in itertools.chain((form,), fields) if Name.DA in each}
    names = {name for each in written for name in _NAME.findall(each)}
    narrow = pikepdf.Dictionary()
    for kind in _KINDS:
        found = resources.get(kind)
        if isinstance(found, pikepdf.Dictionary):
            narrow[kind] = pikepdf.Dictionary({each: found[each] for each in names if each in found})
    changes.set(form, "/DR", narrow)


def _use(moved: Mapping[str, str], annotations: Iterable[pikepdf.Object]) -> None:
    """Name fonts as they are called now in what says how fields are written."""
    names = re.compile(f"({'|'.join(map(re.escape, moved))})(?=[\\s/]|$)")
    met: set[Id] = set()
    for annotation in annotations:
        for each in _upwards(annotation, met):
            if isinstance(each.get(Name.DA), pikepdf.String):
                each[Name.DA] = pikepdf.String(names.sub(lambda found: moved[found[1]], str(each[Name.DA])))


def carried(page: pikepdf.Page, sizes: dict[Id, int], *, field: int) -> int:
    """How many annotations are copied with a page, where a field takes as long as `field` of them.

    `sizes` keeps those of fields from page to page.
    """
    annotations = _annotations(page)
    met: set[Id] = set()
    count = len(annotations)
    for annotation in annotations:
        chain = list(_upwards(annotation, met))
        if chain and not isinstance(chain[-1].get(Name.Parent), pikepdf.Dictionary):
            top = chain[-1].objgen
            if top not in sizes:
                sizes[top] = _size(chain[-1]) * field - 1 if Name.T in chain[-1] else 0
            count += sizes[top]
    return count


def resources_of(pdf: pikepdf.Pdf) -> int:
    """How many fonts and the like the form of a PDF has for its fields."""
    form = pdf.Root.get(Name.AcroForm)
    kinds = form.get(Name.DR) if isinstance(form, pikepdf.Dictionary) else None
    found = kinds.values() if isinstance(kinds, pikepdf.Dictionary) else ()
    return sum(len(each) for each in found if isinstance(each, pikepdf.Dictionary))


def _size(field: pikepdf.Object) -> int:
    """How many fields there are in a field, itself included."""
    met: set[Id] = set()
    ahead: list[object] = [field]
    while ahead:
        each = ahead.pop()
        if isinstance(each, pikepdf.Dictionary) and each.objgen not in met:
            met.add(each.objgen)
            kids = each.get(Name.Kids)
            ahead.extend(kids if isinstance(kids, pikepdf.Array) else ())
    return len(met)


def _rounds(copied: Iterable[Copied]) -> list[list[Copied]]:
    """The first copies of all pages, the second ones, and so on."""
    times: dict[int, int] = {}
    rounds: list[list[Copied]] = []
    for number, at in copied:
        turn = times.get(number, 0)
        times[number] = turn + 1
        if turn == len(rounds):
            rounds.append([])
        rounds[turn].append((number, at))
    return rounds


def _annotations(page: pikepdf.Page) -> list[pikepdf.Object]:
    found = page.obj.get(Name.Annots)
    return [each for each in found if isinstance(each, pikepdf.Dictionary)] if isinstance(found, pikepdf.Array) else []


def _outermost(annotation: object, met: dict[Id, bool]) -> pikepdf.Object | None:
    """The outermost field around an annotation that has a name, unless it was met before.

    `met` is filled with the fields that were, and whether they or one around them have a name.
    """
    chain = []
    field = annotation
    while isinstance(field, pikepdf.Dictionary) and field.is_indirect and field.objgen not in met:
        met[field.objgen] = False
        chain.append(field)
        field = field.get(Name.Parent)
    named = isinstance(field, pikepdf.Dictionary) and met.get(field.objgen, False)
    found = None
    for each in reversed(chain):
        if not named and isinstance(each.get(Name.T), pikepdf.String):
            named, found = True, each
        met[each.objgen] = named
    return found


def _upwards(field: object, seen: set[Id]) -> Iterator[pikepdf.Object]:
    """A field and those around it, up to one that was `seen`."""
    while isinstance(field, pikepdf.Dictionary) and field.is_indirect and field.objgen not in seen:
        seen.add(field.objgen)
        yield field
        field = field.get(Name.Parent)
