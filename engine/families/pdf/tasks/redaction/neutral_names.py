"""Names of resources and marks that match, and neutral ones for them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pikepdf
from pikepdf import Name

from engine.families.pdf.name_text import name_of, text_of
from engine.families.pdf.reached import dictionaries
from engine.families.pdf.tasks.redaction.terms import Wanted

_GROUPS = (Name.ColorSpace, Name.ExtGState, Name.Font, Name.Pattern, Name.Properties, Name.Shading, Name.XObject)
_STANDARD = frozenset(
    {
        "AbsoluteColorimetric", "Artifact", "CMYK", "DefaultCMYK", "DefaultGray", "DefaultRGB", "DeviceCMYK",
        "DeviceGray", "DeviceRGB", "G", "I", "Indexed", "MCID", "OC", "Pattern", "Perceptual", "RGB",
        "RelativeColorimetric", "Saturation", "Type",
    }
)  # fmt: skip
"""Names with a meaning (ISO 32000-1, 8.6 and 14.6), which reveal nothing."""


class NeutralNames:
    """Has one neutral name in the whole document for each name that matches, or that isn't UTF-8."""

    def __init__(self, pdf: pikepdf.Pdf, wanted: Wanted) -> None:
        self._wanted = wanted
        self._groups = list(_groups(pdf))
        self._used = {key for group in self._groups for key in group.keys()}  # noqa: SIM118  # it is no mapping
        self._new: dict[bytes, Name] = {}
        self._known: dict[bytes, bool] = {}
        self._count = 0

    def hides_written(self, name: bytes) -> bool:
        """Whether a name, as it is written in a file, matches or isn't UTF-8."""
        if name not in self._known:
            try:
                found = pikepdf.Object.parse(name)
                text = text_of(found)
                self._known[name] = text not in _STANDARD and (not _is_utf8(found) or self._wanted.named_in(text))
            except pikepdf.PdfError:
                self._known[name] = True  # not valid
        return self._known[name]

    def mark(self, name: Name) -> Any:
        """The name, or a neutral one, of marked content or of a rendering intent."""
        return Name.Span if self.hides_written(name.unparse()) else name

    def resource(self, name: Name) -> Any:
        """The name of a resource, or its neutral one."""
        written = bytes(name.unparse())
        if not self.hides_written(written):
            return name
        while written not in self._new:
            self._count += 1
            if f"/R{self._count}" not in self._used:
                self._new[written] = Name(f"/R{self._count}")
        return self._new[written]

    def without(self, holder: Any) -> Any:
        """A direct property list without entries whose key or name matches."""
        for key in list(holder.keys()):
            name, value = name_of(key), holder[key]
            if any(self.hides_written(each.unparse()) for each in (name, value) if isinstance(each, Name)):
                del holder[name]
            elif isinstance(value, pikepdf.Dictionary) and not value.is_indirect:
                self.without(value)
        return holder

    def rename(self) -> None:
        """Give the resources their neutral names."""
        for group in self._groups:
            for key in [*group.keys()]:
                before: Any = name_of(key)
                after = self.resource(before)
                if after is not before and before not in self._new.values():
                    group[after] = group[before]
                    del group[before]


def _groups(pdf: pikepdf.Pdf) -> Iterator[Any]:
    for holder in dictionaries(pdf):
        resources: Any = holder.get(Name.Resources)
        for name in _GROUPS if isinstance(resources, pikepdf.Dictionary) else ():
            group = resources.get(name)
            if isinstance(group, pikepdf.Dictionary):
                yield group


def _is_utf8(name: Any) -> bool:
    try:
        str(name)
    except UnicodeDecodeError:
        return False
    return True
