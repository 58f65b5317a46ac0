"""Compare the drawing of a page with its coloured twin, to find the owner of all that is painted."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import pikepdf

from engine.families.html_pdf.tagged.content import SAME, UNIT, Act, Box, Matrix, Unfamiliar, acts, box_of
from engine.families.html_pdf.tagged.counterparts import DEEPEST, Counterpart, form_of, inside, key_of, owned
from engine.families.html_pdf.tagged.lettering import Font
from engine.families.html_pdf.tagged.squeezing import as_read, is_right_to_left
from engine.families.html_pdf.tagged.twin import Owner, Twin

_FAR_TEXTS, _FAR_PAINTS = 200, 12
"""How many acts of the twin are passed over in search of a counterpart."""
_CLOSE = 0.1


@dataclass(eq=False)
class Run:
    """Something that is painted for one owner: a text, or a part of one, or a part of a picture.

    `size` is the number of bytes of the text that belong to it, `at` its place among the letters of its element. None
    as owner is for what no element has, such as the numbers of pages, or if it `is_lost`, for what the twin lacks.
    """

    owner: Owner | None
    page: int
    text: str = ""
    size: int = 0
    y: float | None = None
    box: Box | None = None
    at: int = 0
    is_lost: bool = False
    read: str = ""
    """The text in reading order, if that is from right to left."""


@dataclass(eq=False)
class Stream:
    """The content of a page or of a group on it, and its acts, each with its runs."""

    object: Any
    data: bytes
    page: int
    resources: Any
    acts: list[Act] = field(default_factory=list)
    runs: list[list[Run]] = field(default_factory=list)
    inner: dict[int, Stream] = field(default_factory=dict)
    """The groups by the number of the act that draws them."""

    def every(self) -> Iterator[Run]:
        """All runs in the order in which they are painted."""
        for at, each in enumerate(self.runs):
            if at in self.inner:
                yield from self.inner[at].every()
            yield from each


def pages(
    given: Sequence[pikepdf.Page],
    others: Sequence[pikepdf.Page],
    twin: Twin,
    written: Mapping[str, str],
    begin: int,
    *,
    cut: bool = False,
) -> list[Stream]:
    """The content of each page with owners, from the `others`, which draw the twin; pages count from `begin`.

    `written` has the texts of private characters. With `cut`, what is cut off has no owners. Raises Unfamiliar.
    """
    if len(given) != len(others):
        raise Unfamiliar(b"pages")
    fonts: dict[tuple[int, int], Font] = {}
    found = []
    for at, (page, twins) in enumerate(zip(given, others, strict=True), begin):
        if "/Contents" not in page.obj:
            found.append(Stream(None, b"", at, None))
            continue
        counterparts = list(owned(twins.obj.Contents, twins.obj.get("/Resources"), twin, 0))
        reader = _Reader(at, counterparts, fonts, written, cut=cut)
        found.append(reader.stream(page.obj.Contents, page.obj.get("/Resources"), SAME))
    return found


class _Reader:
    """Reads a page, and finds the counterparts of what it paints."""

    def __init__(
        self,
        page: int,
        counterparts: list[Counterpart],
        fonts: dict[tuple[int, int], Font],
        written: Mapping[str, str],
        *,
        cut: bool,
    ) -> None:
        self._cut = cut
        self._page, self._counterparts, self._fonts, self._written = page, counterparts, fonts, written
        self._at = 0

    def stream(self, content: Any, resources: Any, matrix: Matrix, depth: int = 0) -> Stream:
        data = content.read_bytes()
        found = Stream(content, data, self._page, resources)
        for act, now in acts(data, matrix):
            runs: list[Run] = []
            if act.kind == "text":
                runs = self._text(act, self._font(resources, act.name))
            elif act.kind in ("paint", "do", "shade"):
                form = form_of(resources, act.name) if act.kind == "do" else None
                if form is not None and depth < DEEPEST:
                    own = form.get("/Resources", resources)
                    found.inner[len(found.acts)] = self.stream(form, own, inside(form, now), depth + 1)
                else:
                    box = act.box or (box_of(UNIT, now) if act.kind == "do" else None)
                    runs = [Run(self._painted(act.kind, key_of(act, now, data)), self._page, box=box)]
            if self._cut and act.is_cut:
                for each in runs:
                    each.owner, each.is_lost = None, False
            found.acts.append(act)
            found.runs.append(runs)
        return found

    def _font(self, resources: Any, name: str) -> Font:
        font = resources.Font[name]
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = Font(font, self._written)
        return self._fonts[font.objgen]

    def _text(self, act: Act, font: Font) -> list[Run]:
        runs: list[Run] = []
        at = 0
        while at < len(act.text):
            part = self._next_text(act, at)
            size = len(act.text) - at if part is None else part[1]
            owner = None if part is None else part[0].owner
            texts = font.texts(act.text[at : at + size])
            text = "".join(texts)
            last = runs[-1] if runs else None
            if is_right_to_left(text):
                runs.append(Run(owner, self._page, text, size, act.y, is_lost=part is None, read=as_read(texts)))
            elif last is not None and last.owner == owner and not last.read and last.is_lost == (part is None):
                last.text += text
                last.size += size
            else:
                runs.append(Run(owner, self._page, text, size, act.y, is_lost=part is None))
            at += size
        return runs

    def _next_text(self, act: Act, at: int) -> tuple[Counterpart, int] | None:
        """The counterpart of a text from a place in it, and the number of bytes that they share."""
        passed = 0
        for number in range(self._at, len(self._counterparts)):
            each = self._counterparts[number]
            if each.kind != "text":
                continue
            if each.font == act.name and _level(each.y, act.y):
                if act.text.startswith(each.key, at):
                    self._at = number + 1
                    return each, len(each.key)
                if each.key.startswith(act.text[at:]):
                    self._at = number
                    size = len(act.text) - at
                    each.key = each.key[size:]
                    return each, size
            passed += 1
            if passed > _FAR_TEXTS:
                break
        return None

    def _painted(self, kind: str, key: bytes) -> Owner | None:
        for number in range(self._at, min(self._at + _FAR_PAINTS, len(self._counterparts))):
            each = self._counterparts[number]
            if each.kind == "text":
                return None
            if each.kind == kind and each.key == key:
                self._at = number + 1
                return each.owner
        return None


def _level(one: float | None, other: float | None) -> bool:
    return one is None or other is None or abs(one - other) < _CLOSE
