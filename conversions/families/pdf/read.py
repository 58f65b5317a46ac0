"""Reading PDF: opening with a password, telling damage from a fault of ours, refusing bombs before they are drawn."""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import pikepdf
from pikepdf import Name

from conversions.toolkit.failures import InvalidOption, OverLimit, Unreadable

MAX_PAGES = 5_000
MAX_INSTRUCTIONS = 32_000_000
"""Bytes of drawing instructions of one page: a renderer takes up to fifty times as much memory for them."""

DAMAGED = (
    pikepdf.PikepdfError,
    ValueError,
    TypeError,
    KeyError,
    AttributeError,
    IndexError,
    OverflowError,
    RuntimeError,
)
"""What reading a broken document raises: the library's own errors, and Python's where an object is of another type."""

_DO = re.compile(rb"/([^\s/\[\]<>(){}%]+)\s+Do\b")


def wrong_password(given: str | None) -> InvalidOption:
    """The error for a document that this password does not open."""
    if given:
        return InvalidOption("password", "The password does not open this PDF.")
    return InvalidOption("password", "The PDF is encrypted. Give its password.")


@contextmanager
def reading() -> Iterator[None]:
    """Whatever the library raises inside for a broken document's sake leaves as Unreadable."""
    try:
        yield
    except DAMAGED as error:
        raise Unreadable("The PDF is damaged or incomplete.") from error


@contextmanager
def opened(source: Path | BinaryIO, password: str | None) -> Iterator[pikepdf.Pdf]:
    """The document in `source`, with at most MAX_PAGES pages.

    Raises InvalidOption for a missing or wrong password, Unreadable for a damaged document, OverLimit for a long one.
    """
    try:
        pdf = pikepdf.open(source, password=password or "", suppress_warnings=True)
    except pikepdf.PasswordError as error:
        raise wrong_password(password) from error
    except DAMAGED as error:
        raise Unreadable("The PDF is damaged or incomplete.") from error
    with pdf:
        with reading():
            count = len(pdf.pages)
        if not count:
            raise Unreadable("The PDF has no pages.")
        if count > MAX_PAGES:
            raise OverLimit("timeout", f"The PDF has {count} pages; at most {MAX_PAGES} are converted.")
        yield pdf


def check_instructions(pdf: pikepdf.Pdf, numbers: Iterable[int]) -> None:
    """Raise OverLimit where one of these pages, counted from 0, draws more than MAX_INSTRUCTIONS.

    What a page draws through forms counts as often as it is drawn, forms in forms included.
    """
    weights: dict[tuple[int, int], int] = {}
    for number in numbers:
        with reading():
            page = pdf.pages[number].obj
            contents = page.get(Name.Contents)
            parts = (
                list(contents) if isinstance(contents, pikepdf.Array) else [contents] if contents is not None else []
            )
            data = b"\n".join(_decoded(part) for part in parts)
            resources = pdf.pages[number].resources
            weight = len(data) + sum(_form_weight(form, weights) for form in _forms(data, resources))
            weight += sum(_form_weight(form, weights) for form in _looks(page))
        if weight > MAX_INSTRUCTIONS:
            raise _too_much()


def check_unfolding(stream: pikepdf.Object) -> None:
    """Raise OverLimit where a stream unfolds to more than MAX_INSTRUCTIONS."""
    with reading():
        _decoded(stream)


def _too_much() -> OverLimit:
    return OverLimit("memory", "A page of the PDF draws more than can be converted.")


def _forms(data: bytes, resources: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """The forms that these instructions draw, as often as they draw them."""
    objects = resources.get(Name.XObject) if isinstance(resources, pikepdf.Dictionary) else None
    if not isinstance(objects, pikepdf.Dictionary):
        return
    for match in _DO.finditer(data):
        form = objects.get("/" + match[1].decode("latin-1"))
        if isinstance(form, pikepdf.Stream) and form.get(Name.Subtype) == Name.Form:
            yield form


def _looks(page: pikepdf.Object) -> Iterator[pikepdf.Object]:
    """The forms that the annotations of a page are drawn by (ISO 32000-1, 12.5.5)."""
    annotations = page.get(Name.Annots)
    for annotation in annotations if isinstance(annotations, pikepdf.Array) else ():
        looks = annotation.get(Name.AP) if isinstance(annotation, pikepdf.Dictionary) else None
        look = looks.get(Name.N) if isinstance(looks, pikepdf.Dictionary) else None
        if isinstance(look, pikepdf.Stream):
            yield look
        elif isinstance(look, pikepdf.Dictionary):
            yield from (each for each in dict(look.items()).values() if isinstance(each, pikepdf.Stream))


def _form_weight(form: pikepdf.Object, weights: dict[tuple[int, int], int]) -> int:
    known = weights.get(form.objgen)
    if known is None:
        weights[form.objgen] = 0  # a form that draws itself draws nothing
        data = _decoded(form)
        known = len(data)
        for inner in _forms(data, form.get(Name.Resources, pikepdf.Dictionary())):
            known = min(known + _form_weight(inner, weights), MAX_INSTRUCTIONS + 1)
        weights[form.objgen] = known
    return known


def _decoded(stream: pikepdf.Object) -> bytes:
    """The instructions in a stream; Flate is undone only up to the limit, whatever it would unfold to."""
    if not isinstance(stream, pikepdf.Stream):
        return b""
    filters = stream.get(Name.Filter)
    chain = list(filters) if isinstance(filters, pikepdf.Array) else [filters] if filters is not None else []
    if any(each != Name.FlateDecode for each in chain) or Name.DecodeParms in stream:
        data = bytes(stream.read_bytes())
        if len(data) > MAX_INSTRUCTIONS:
            raise _too_much()
        return data
    data = bytes(stream.read_raw_bytes())
    for _ in chain:
        inflater = zlib.decompressobj()
        try:
            data = inflater.decompress(data, MAX_INSTRUCTIONS + 1)
        except zlib.error:
            return b""  # damaged instructions draw nothing
        if len(data) > MAX_INSTRUCTIONS:
            raise _too_much()
    return data
