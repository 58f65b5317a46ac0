"""A PDF of some pages has nothing in its bytes that only the other pages have."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from engine import convert

OTHER = 2
"""The page that is left out, counted from 1; the first one is taken."""


def _on(at: int, what: str) -> str:
    return f"{what}-of-page-{at}"


def document() -> bytes:
    """Two pages with everything that a page may lead to others by; each text names its page."""
    with pikepdf.new() as pdf:
        for _ in range(2):
            pdf.add_blank_page(page_size=(300, 300))
        pages = [page.obj for page in pdf.pages]
        shared = pdf.make_indirect(Dictionary(FT=Name.Tx, T="both", V="value of both", Kids=Array()))
        parent = pdf.make_indirect(Dictionary(T="parent", Kids=Array([])))
        script = Dictionary(S=Name.JavaScript, JS="1")
        fields = [shared, parent]
        tree = pdf.make_indirect(Dictionary(Type=Name.StructTreeRoot, K=Array()))
        beads = [pdf.make_indirect(Dictionary(Type=Name.Bead, R=Array([0, 0, 9, 9]))) for _ in pages]
        resources = pdf.make_indirect(
            Dictionary(XObject=Dictionary(), Pattern=Dictionary(), ExtGState=Dictionary(), Properties=Dictionary())
        )
        parts = pdf.make_indirect(Dictionary(Type=Name.DPart, DParts=Array()))
        widgets = []
        for at, page in enumerate(pages, 1):
            page.Annots, page.Resources, page.B = Array(), resources, Array([beads[at - 1]])
            beads[at - 1].N = beads[1 - (at - 1)]
            beads[at - 1].T = pdf.make_indirect(Dictionary(F=beads[0], I=Dictionary(Title=_on(at, "thread"))))
            rect = Array([10, 10, 90, 20])

            def form(text: str, **more: object) -> pikepdf.Object:
                made = pdf.make_stream(f"({text}) pop".encode())
                made.Type, made.Subtype, made.BBox = Name.XObject, Name.Form, Array([0, 0, 9, 9])
                made.Resources = resources
                for key, value in more.items():
                    made[f"/{key}"] = value
                return made

            resources.XObject[f"/Form{at}"] = form(_on(at, "form"))
            resources.Pattern[f"/Tile{at}"] = form(_on(at, "pattern"), PatternType=1, PaintType=1, TilingType=1)
            mask = Dictionary(S=Name.Alpha, G=form(_on(at, "mask")))
            resources.ExtGState[f"/Mask{at}"] = Dictionary(SMask=mask)
            resources.Properties[f"/Prop{at}"] = Dictionary(Alt=_on(at, "property"))
            content = f"/Form{at} Do /Pattern cs /Tile{at} scn /Mask{at} gs /Span /Prop{at} BDC EMC"
            page.Contents = pdf.make_stream(f"{content} ({_on(at, 'content')}) pop".encode())
            own = Dictionary(Type=Name.Annot, Subtype=Name.Widget, Rect=rect, P=page, FT=Name.Tx, T=_on(at, "name"),
                             V=_on(at, "value"), DV=_on(at, "default"), TU=_on(at, "tip"),
                             AA=Dictionary(C=Dictionary(S=Name.JavaScript, JS=_on(at, "script"))))  # fmt: skip
            own.AP = Dictionary(N=form(_on(at, "appearance")))
            inner = Dictionary({**dict(own), "/Parent": parent, "/T": _on(at, "inner"), "/V": _on(at, "inner value")})
            kid = Dictionary(Type=Name.Annot, Subtype=Name.Widget, Rect=rect, P=page, Parent=shared,
                             Contents=_on(at, "kid"))  # fmt: skip
            own, inner, kid = map(pdf.make_indirect, (own, inner, kid))
            fields.append(own)
            parent.Kids.append(inner)
            shared.Kids.append(kid)
            widgets += [own, inner, kid]
            note = pdf.make_indirect(
                Dictionary(Type=Name.Annot, Subtype=Name.Text, Rect=rect, Contents=_on(at, "note"))
            )
            element = pdf.make_indirect(
                Dictionary(Type=Name.StructElem, S=Name.P, P=tree, ActualText=_on(at, "spoken"), Alt=_on(at, "alt"))
            )
            tree.K.append(element)
            page.Annots.extend([own, inner, kid, note])
            page.PieceInfo = Dictionary(App=Dictionary(Private=_on(OTHER, "private")))
            page.Metadata = pdf.make_stream(_on(at, "metadata").encode())
            part = pdf.make_indirect(Dictionary(Type=Name.DPart, Parent=parts, DPM=Dictionary(Name=_on(at, "person"))))
            parts.DParts.append(Array([part]))
            page.DPart = part
        signature = Dictionary(Type=Name.Sig, Filter=Name.X, Reference=Array([Dictionary(Data=pdf.Root)]))
        signed = Dictionary(
            Type=Name.Annot, Subtype=Name.Widget, Rect=Array([0, 0, 0, 0]), FT=Name.Sig, T="sign", V=signature
        )
        signed = pdf.make_indirect(signed)
        fields.append(signed)
        reply = pages[0].Annots[3]
        reply.IRT = pages[1].Annots[3]
        actions = [
            Dictionary(S=Name.Hide, T=Array([widgets[3], widgets[0]])),
            Dictionary(S=Name.SubmitForm, F=Dictionary(FS=Name.URL, F="http://a.example"), Fields=Array([widgets[3]])),
            Dictionary(S=Name.GoTo, SD=Array([tree.K[1], Name.Fit]), D=Array([pages[0], Name.Fit])),
            Dictionary(S=Name.Thread, D=beads[1].T, B=beads[1]),
            script,
        ]
        for action in actions:
            link = Dictionary(Type=Name.Annot, Subtype=Name.Link, Rect=Array([0, 0, 9, 9]), A=action)
            pages[0].Annots.append(pdf.make_indirect(link))
        pages[0].Annots.append(signed)
        order = Array([fields[3], fields[2]])
        xfa = pdf.make_stream(_on(OTHER, "xfa").encode())
        pdf.Root.AcroForm = Dictionary(Fields=Array(fields), CO=order, XFA=xfa, DA="/Helv 9 Tf", DR=resources)
        pdf.Root.StructTreeRoot = tree
        names = pikepdf.NameTree.new(pdf)
        names[_on(OTHER, "place")] = Array([pages[1], Name.Fit])
        scripts = pikepdf.NameTree.new(pdf)
        scripts["a"] = Dictionary(S=Name.JavaScript, JS=_on(OTHER, "document script"))
        pdf.Root.Names = Dictionary(Dests=names.obj, JavaScript=scripts.obj)
        pdf.Root.PageLabels = Dictionary(Nums=Array([0, Dictionary(P=""), 1, Dictionary(P=_on(OTHER, "label"))]))
        pdf.attachments["a.txt"] = _on(OTHER, "attachment").encode()
        with pdf.open_outline() as outline:
            outline.root.append(pikepdf.OutlineItem("first", 0))
            outline.root.append(pikepdf.OutlineItem(_on(OTHER, "bookmark"), 1))
        out = io.BytesIO()
        pdf.save(out)
        return out.getvalue()


def _all_text(pdf: pikepdf.Pdf) -> bytes:
    """Every object as written, and every stream without its compression."""
    found = [pdf.trailer.unparse(resolved=True)]
    for each in pdf.objects:
        found.append(each.unparse(resolved=True))
        if isinstance(each, pikepdf.Stream):
            found.append(each.read_bytes())
    return b"\n".join(found)


def _split(folder: Path) -> bytes:
    convert(folder / "in.pdf", folder / "out.zip", slug="pdf-to-zip", sandbox=False)
    with zipfile.ZipFile(folder / "out.zip") as parts:
        return parts.read("page-001.pdf")


def _extracted(folder: Path) -> bytes:
    convert(folder / "in.pdf", folder / "out.pdf", slug="pdf-to-pdf", sandbox=False, operation="pages", pages="1")
    return (folder / "out.pdf").read_bytes()


def _several(folder: Path) -> bytes:
    convert(folder / "in.pdf", folder / "out.pdf", slug="pdf-to-pdf", sandbox=False, operation="several", pages="1")
    return (folder / "out.pdf").read_bytes()


def _arranged(folder: Path, pages: str = "1") -> bytes:
    with zipfile.ZipFile(folder / "in.zip", "w") as files:
        files.write(folder / "in.pdf", "a.pdf")
    convert(folder / "in.zip", folder / "out.pdf", slug="zip-to-pdf", sandbox=False, pages=pages)
    return (folder / "out.pdf").read_bytes()


@pytest.mark.parametrize("taken", [_split, _extracted, _arranged, _several])
def test_one_page_has_no_text_of_another(tmp_path: Path, taken: Callable[[Path], bytes]) -> None:
    (tmp_path / "in.pdf").write_bytes(document())
    with pikepdf.open(io.BytesIO(taken(tmp_path))) as pdf:
        text = _all_text(pdf)
    assert b"content-of-page-1" in text
    assert [line for line in text.split(b"\n") if b"-of-page-2" in line] == []


@pytest.mark.parametrize("taken", [_split, _arranged])
def test_one_page_keeps_its_own_fields_and_what_is_drawn(tmp_path: Path, taken: Callable[[Path], bytes]) -> None:
    (tmp_path / "in.pdf").write_bytes(document())
    with pikepdf.open(io.BytesIO(taken(tmp_path))) as pdf:
        fields = {str(each.T): each for each in pdf.Root.AcroForm.Fields}
        assert fields.keys() == {"both", "parent", "name-of-page-1", "sign"}
        assert [str(each.T) for each in fields["parent"].Kids] == ["inner-of-page-1"]
        assert [str(each.Contents) for each in fields["both"].Kids] == ["kid-of-page-1"]
        assert str(fields["both"].V) == "value of both"
        assert [str(each.T) for each in pdf.Root.AcroForm.CO] == ["name-of-page-1"]
        text = _all_text(pdf)
    for what in ("value", "inner value", "default", "tip", "script", "appearance", "note", "form", "pattern", "mask"):
        assert _on(1, what).encode() in text
    assert b"property-of-page-1" in text


def test_a_page_that_comes_again_has_no_text_of_another(tmp_path: Path) -> None:
    (tmp_path / "in.pdf").write_bytes(document())
    with pikepdf.open(io.BytesIO(_arranged(tmp_path, "1,1"))) as pdf:
        assert [str(each.T) for each in pdf.Root.AcroForm.CO] == ["name-of-page-1", "name-of-page-1+1"]
        assert b"-of-page-2" not in _all_text(pdf)
