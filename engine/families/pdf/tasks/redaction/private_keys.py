"""Application data under private keys of a PDF, which can't be searched."""

from __future__ import annotations

import pikepdf
from pikepdf import Name

_STREAM = ("/Length", "/Filter", "/DecodeParms", "/DL", "/Type", "/Subtype", "/Name", "/StructParent", "/OC")
_KNOWN = {
    "/Form": frozenset({*_STREAM, "/FormType", "/BBox", "/Matrix", "/Resources", "/Group", "/StructParents"}),
    "/Image": frozenset(
        {
            *_STREAM, "/Width", "/Height", "/ColorSpace", "/BitsPerComponent", "/Intent", "/ImageMask", "/Mask",
            "/Decode", "/Interpolate", "/SMask", "/SMaskInData",
        }
    ),
}  # fmt: skip
"""The entries that display a form or a picture (ISO 32000-1, tables 89 and 95)."""


def remove(pdf: pikepdf.Pdf) -> None:
    """Remove entries without effect from forms and pictures, and private ones (annex E) from all else."""
    for each in pdf.objects:
        if isinstance(each, pikepdf.Stream):
            known = _KNOWN.get(str(each.get(Name.Subtype)))
            strange = [key for key in each.keys() if known and key not in known]  # noqa: SIM118  # it is no mapping
        elif isinstance(each, pikepdf.Dictionary):
            strange = [key for key in each.keys() if ":" in key]  # noqa: SIM118
        else:
            continue
        for key in strange:
            del each[key]
