"""Cleaning a PDF: what its pages don't show is gone from the bytes, is counted, and the pages look as before."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name, String

from engine.families.pdf.tasks import cleaning, hidden_layers
from engine.toolkit.warnings import Warn
from tests.converters.test_pdf_layers import DECLARED, document, rendered
from tests.converters.test_pdf_redaction import everything, written
from tests.converters.test_pdf_redaction_hidden import OTHER, one_page
from tests.converters.test_pdfs import convert

SECRET = b"Rosebud"
TEXT = b"BT /F 12 Tf 50 150 Td (Rosebud) Tj ET "


def _cleaned(folder: Path, data: bytes) -> tuple[bytes, set[str]]:
    result, codes = convert(folder, "pdf-to-pdf", data, operation="clean")
    return result, set(codes)


def _hidden(content: bytes = OTHER, **entries: Any) -> bytes:
    """A page with a layer that is off, Off, and one that is on, On, both in its resources."""

    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        on, off = (pdf.make_indirect(Dictionary(Type=Name.OCG, Name=name)) for name in ("Plan", "Rosebud"))
        off.Usage = Dictionary(CreatorInfo=Dictionary(Creator="Rosebud", Subtype=Name.Artwork))
        both = Array([on, off])
        page.Resources.Properties = Dictionary(On=on, Off=off)
        for policy in ("AllOn", "AnyOn", "AllOff", "AnyOff"):
            page.Resources.Properties[f"/{policy}"] = Dictionary(Type=Name.OCMD, OCGs=both, P=Name(f"/{policy}"))
        page.Resources.Properties["/Both"] = Dictionary(Type=Name.OCMD, VE=Array([Name.And, on, off]))
        page.Resources.Properties["/Neither"] = Dictionary(
            Type=Name.OCMD, VE=Array([Name.Not, Array([Name.Or, on, off])])
        )
        form = pdf.make_stream(TEXT, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 300, 200], OC=off)
        form.Resources = Dictionary(Font=page.Resources.Font)
        plain = pdf.make_stream(b"/OC /Off BDC " + TEXT + b"EMC", Type=Name.XObject, Subtype=Name.Form)
        plain.BBox = Array([0, 0, 300, 200])
        page.Resources.XObject = Dictionary(Form=form, Plain=plain)
        pdf.Root.OCProperties = Dictionary(OCGs=both, D=Dictionary(OFF=Array([off]), Order=both, **entries))

    return one_page(content, change)


HIDDEN = {
    "text": b"/OC /Off BDC " + TEXT + b"EMC ",
    "text in a layer that is shown": b"/OC /On BDC /OC /Off BDC " + TEXT + b"EMC EMC ",
    "text that is marked otherwise inside": b"/OC /Off BDC /Span <</ActualText (Rosebud)>> BDC " + TEXT + b"EMC EMC ",
    "text of a layer without an end": b"/OC /On BDC EMC " + OTHER + b"/OC /Off BDC " + TEXT,
    "all of two": b"/OC /AllOn BDC " + TEXT + b"EMC ",
    "none of two": b"/OC /AllOff BDC " + TEXT + b"EMC ",
    "an expression of both": b"/OC /Both BDC " + TEXT + b"EMC ",
    "an expression of neither": b"/OC /Neither BDC " + TEXT + b"EMC ",
    "a form": b"/Form Do ",
    "a form that is drawn in a layer": b"/OC /Off BDC /Form Do EMC ",
    "a form that uses the page's layers": b"/Plain Do ",
}


@pytest.mark.parametrize("what", HIDDEN)
def test_hidden_layers_go_with_their_names(what: str, tmp_path: Path) -> None:
    source = _hidden(HIDDEN[what] + OTHER)
    result, codes = _cleaned(tmp_path, source)
    assert SECRET in everything(source)
    assert SECRET not in everything(result)
    assert b"Plan" in everything(result)
    assert codes == {"CONTENT_DROPPED"}
    assert written(result).split() == ["Nothing", "to", "hide"]


@pytest.mark.parametrize("layer", ["On", "AnyOn", "AnyOff"])
def test_what_is_shown_stays_so_without_the_layers_beside_it(layer: str, tmp_path: Path) -> None:
    source = _hidden(f"/OC /{layer} BDC BT /F 12 Tf 50 150 Td (Shown) Tj ET EMC".encode())
    result, _ = _cleaned(tmp_path, source)
    assert "Shown" in written(result)
    assert rendered(result) == rendered(source)


def test_what_follows_a_layer_is_where_it_was(tmp_path: Path) -> None:
    content = (
        b"q 1 0 0 rg /OC /Off BDC 0 0 300 200 re W n 5 5 50 50 re f q 2 0 0 2 0 0 cm 0 0 1 rg EMC 70 5 20 20 re f Q "
        b"/OC /Off BDC 9 9 m 99 99 l S EMC BT /F 12 Tf 20 150 Td /OC /Off BDC (Rosebud) Tj EMC (here) Tj ET Q"
    )
    source = _hidden(content)
    result, _ = _cleaned(tmp_path, source)
    assert rendered(result) == rendered(source)
    with pikepdf.open(io.BytesIO(result)) as pdf:
        operators = [str(each.operator) for each in pikepdf.parse_content_stream(pdf.pages[0])]
    assert operators.count("re") == 2  # what clips, and what is seen
    assert "S" not in operators


@pytest.mark.parametrize("declare", DECLARED)
def test_pages_with_layers_look_as_before(declare: Callable[..., pikepdf.Dictionary], tmp_path: Path) -> None:
    source = document(declare)
    result, _ = _cleaned(tmp_path, source)
    assert rendered(result) == rendered(source)


@pytest.mark.parametrize(("state", "hidden"), [(None, True), (Name.OFF, True), (Name.ON, False), (String("ON"), True)])
def test_layers_that_printing_turns_on_are_no_hidden_ones(state: Any, hidden: bool) -> None:
    with pikepdf.open(io.BytesIO(_hidden(HIDDEN["text"]))) as pdf:
        default = pdf.Root.OCProperties.D
        default.AS = Array([Dictionary(Event=Name.Print, Category=Array([Name.Print]), OCGs=default.OFF)])
        if state is not None:
            default.OFF[0].Usage.Print = Dictionary(PrintState=state)
        assert bool(hidden_layers.Hidden.of(pdf).layers) is hidden


def test_an_expression_that_repeats_itself_ends() -> None:
    with pikepdf.new() as pdf:
        layer = pdf.make_indirect(Dictionary(Type=Name.OCG, Name="x"))
        expression: Any = layer
        for _ in range(60):
            expression = pdf.make_indirect(Array([Name.Or, expression, expression]))
        pdf.Root.OCProperties = Dictionary(OCGs=[layer], D=Dictionary(OFF=[layer]))
        assert hidden_layers.Hidden.of(pdf).has(Dictionary(Type=Name.OCMD, VE=expression)) is False


def _note(pdf: pikepdf.Pdf, page: Any, **entries: Any) -> Any:
    note = pdf.make_indirect(Dictionary(Type=Name.Annot, Rect=[200, 5, 220, 25], **entries))
    page.Annots = Array([*page.get("/Annots", ()), note])
    return note


def _notes(pdf: pikepdf.Pdf, page: Any) -> None:
    gone = _note(pdf, page, Subtype=Name.Text, F=2, Contents="Rosebud")
    gone.Popup = _note(pdf, page, Subtype=Name.Popup, Parent=gone, Contents="Rosebud")
    _note(pdf, page, Subtype=Name.Text, F=32, Contents="Rosebud")
    _note(pdf, page, Subtype=Name.Text, F=36, Contents="Printed", IRT=gone)
    _note(pdf, page, Subtype=Name.Text, F=4, Contents="Seen", T="Rosebud", M="Rosebud", CreationDate="Rosebud")
    field = _note(pdf, page, Subtype=Name.Widget, FT=Name.Tx, F=2, T="Rosebud", V="Rosebud")
    shown = _note(pdf, page, Subtype=Name.Widget, FT=Name.Tx, F=4, T="Street", V="Elm Street", M="Rosebud")
    pdf.Root.AcroForm = Dictionary(Fields=[field, shown])


def test_hidden_notes_and_fields_go_and_authors_of_others(tmp_path: Path) -> None:
    result, codes = _cleaned(tmp_path, one_page(OTHER, _notes))
    data = everything(result)
    assert SECRET not in data
    for kept in (b"Printed", b"Seen", b"Street", b"Elm Street"):
        assert kept in data
    assert codes == {"CONTENT_DROPPED", "METADATA_DROPPED"}


def test_fields_on_no_page_go(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        shown = _note(pdf, page, Subtype=Name.Widget, FT=Name.Tx, F=4, V="Elm Street")
        lost = pdf.make_indirect(Dictionary(V="Rosebud"))
        group = pdf.make_indirect(Dictionary(FT=Name.Tx, T="Address", Kids=Array([shown, lost])))
        group.Kids.append(group)
        alone = pdf.make_indirect(Dictionary(FT=Name.Tx, T="Rosebud", V="Rosebud"))
        pdf.Root.AcroForm = Dictionary(Fields=Array([group, alone]))

    result, codes = _cleaned(tmp_path, one_page(OTHER, change))
    assert SECRET not in everything(result)
    assert b"Elm Street" in everything(result)
    assert codes == {"CONTENT_DROPPED"}


def _direct(pdf: pikepdf.Pdf, page: Any) -> None:
    kid = Dictionary(FT=Name.Tx, T="Rosebud", V="Rosebud")
    group = pdf.make_indirect(Dictionary(T="Address", Kids=Array([kid])))
    pdf.Root.AcroForm = Dictionary(Fields=Array([group, Dictionary(FT=Name.Tx, T="Rosebud", V="Rosebud")]))


def _calculated(pdf: pikepdf.Pdf, page: Any) -> None:
    field = pdf.make_indirect(Dictionary(FT=Name.Tx, T="Rosebud", V="Rosebud"))
    pdf.Root.AcroForm = Dictionary(Fields=Array(), CO=Array([field]))


def _field(pdf: pikepdf.Pdf, page: Any, rectangle: list[int]) -> None:
    field = _note(pdf, page, Subtype=Name.Widget, FT=Name.Tx, F=4, T="Rosebud", V="Rosebud")
    field.Rect = Array(rectangle)
    pdf.Root.AcroForm = Dictionary(Fields=Array([field]))


UNPLACED: dict[str, Callable[..., None]] = {
    "direct objects": _direct,
    "in the order of calculation only": _calculated,
    "without an area": lambda pdf, page: _field(pdf, page, [0, 0, 0, 0]),
    "without a height": lambda pdf, page: _field(pdf, page, [9, 9, 99, 9]),
    "beside the page": lambda pdf, page: _field(pdf, page, [900, 900, 950, 950]),
    "without a rectangle": lambda pdf, page: _field(pdf, page, []),
}


@pytest.mark.parametrize("place", UNPLACED)
def test_fields_that_no_page_shows_go(place: str, tmp_path: Path) -> None:
    result, codes = _cleaned(tmp_path, one_page(OTHER, UNPLACED[place]))
    assert SECRET not in everything(result)
    assert codes == {"CONTENT_DROPPED"}


def test_fields_of_a_page_stay_in_their_form(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        inner = _note(pdf, page, Subtype=Name.Widget, FT=Name.Tx, F=4, V="Elm Street")
        turned = _note(pdf, page, Subtype=Name.Widget, FT=Name.Tx, F=4, T="Town", V="Elmhurst")
        turned.Rect = Array([220, 25, 200, 5])
        group: Any = pdf.make_indirect(Dictionary(FT=Name.Tx, T="Street", Kids=Array([inner])))
        for _ in range(450):
            group = pdf.make_indirect(Dictionary(T="Address", Kids=Array([group])))
        pdf.Root.AcroForm = Dictionary(Fields=Array([group, turned]), CO=Array([inner, turned]))

    result, codes = _cleaned(tmp_path, one_page(OTHER, change))
    with pikepdf.open(io.BytesIO(result)) as pdf:
        assert len(pdf.Root.AcroForm.Fields) == len(pdf.Root.AcroForm.CO) == len(pdf.pages[0].Annots) == 2
    assert b"Elm Street" in everything(result)
    assert codes == set()


def test_authors_and_titles_of_articles_go(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        bead = pdf.make_indirect(Dictionary(P=page.obj, R=Array([0, 0, 9, 9])))
        article = pdf.make_indirect(Dictionary(F=bead, I=Dictionary(Title="Rosebud", Author="Rosebud")))
        bead.T = article
        bead.N = bead.V = bead
        pdf.Root.Threads = Array([article])

    assert SECRET not in everything(_cleaned(tmp_path, one_page(OTHER, change))[0])


def _scripts(pdf: pikepdf.Pdf, page: Any) -> None:
    script = Dictionary(S=Name.JavaScript, JS="Rosebud")
    pdf.Root.Names = Dictionary(JavaScript=Dictionary(Names=[String("a"), script]))
    pdf.Root.OpenAction = pdf.make_indirect(Dictionary(S=Name.JavaScript, JS=pdf.make_stream(SECRET)))
    page.AA = Dictionary(O=script)
    _note(pdf, page, Subtype=Name.Screen, A=Dictionary(S=Name.Rendition, OP=0, JS="Rosebud"))


def _attached(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.attachments["Rosebud.txt"] = SECRET
    file = Dictionary(Type=Name.Filespec, F="Rosebud", EF=Dictionary(F=pdf.make_stream(SECRET)))
    _note(pdf, page, Subtype=Name.FileAttachment, FS=pdf.make_indirect(file), Contents="Rosebud")
    pdf.Root.AF = Array([file])


@pytest.mark.parametrize(("change", "code"), [(_scripts, "SCRIPT_REMOVED"), (_attached, "CONTENT_DROPPED")])
def test_scripts_and_attachments_go(change: Callable[..., None], code: str, tmp_path: Path) -> None:
    result, codes = _cleaned(tmp_path, one_page(OTHER, change))
    assert SECRET not in everything(result)
    assert "Nothing to hide" in written(result)
    assert codes == {code}


def test_invisible_text_stays_and_is_named() -> None:
    warn = Warn()
    with pikepdf.open(io.BytesIO(one_page(OTHER + b"BT 3 Tr /F 12 Tf 9 9 Td (searchable) Tj ET"))) as pdf:
        cleaning.clean(pdf, warn)
        assert b"searchable" in pdf.pages[0].Contents.read_bytes()
    assert [each.message for each in warn.warnings] == [
        "Pages that keep invisible text, such as text recognition adds to scans: 1."
    ]


def test_a_document_with_nothing_to_hide_is_cleaned_in_silence(tmp_path: Path) -> None:
    assert _cleaned(tmp_path, one_page(OTHER))[1] == set()


def _templates(pdf: pikepdf.Pdf, page: Any) -> None:
    template = pdf.make_indirect(Dictionary(Type=Name.Template, MediaBox=[0, 0, 9, 9], Contents=pdf.make_stream(TEXT)))
    pdf.Root.Names = Dictionary(Templates=Dictionary(Kids=Array([Dictionary(Names=Array(["Rosebud", template]))])))


def _undrawn(pdf: pikepdf.Pdf, page: Any) -> None:
    form = pdf.make_stream(TEXT, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 300, 200])
    page.Resources.XObject = Dictionary(Undrawn=form)


def _default(pdf: pikepdf.Pdf, page: Any) -> None:
    form = pdf.make_stream(TEXT, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 300, 200])
    pdf.Root.AcroForm = Dictionary(Fields=Array(), DR=Dictionary(XObject=Dictionary(Undrawn=form)))


def _versions(pdf: pikepdf.Pdf, page: Any) -> None:
    other = Dictionary(Image=_picture(pdf), Rosebud="Rosebud")
    files = Dictionary({"/1.3": Dictionary(F="Rosebud")})
    page.Resources.XObject = Dictionary(Drawn=_picture(pdf, Alternates=Array([other]), OPI=files))
    page.Contents = Array([page.Contents, pdf.make_stream(b" q 9 0 0 9 0 0 cm /Drawn Do Q")])


def _picture(pdf: pikepdf.Pdf, **entries: Any) -> pikepdf.Object:
    size = {"Width": 1, "Height": 1, "BitsPerComponent": 8, "ColorSpace": Name.DeviceGray}
    return pdf.make_stream(b"\0", Type=Name.XObject, Subtype=Name.Image, **size, **entries)


def _xfa(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root.AcroForm = Dictionary(Fields=Array(), XFA=Array(["datasets", pdf.make_stream(b"<v>Rosebud</v>")]))


def _belonging(pdf: pikepdf.Pdf, page: Any) -> None:
    page.AF = Array([Dictionary(Type=Name.Filespec, F="Rosebud")])


def _private(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root["/ACME_Rosebud"] = Dictionary(Note="Rosebud")
    page["/ACME"] = String("Rosebud")


def _named(tree: str) -> Callable[..., None]:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        form = pdf.make_stream(TEXT, Type=Name.XObject, Subtype=Name.Form, BBox=[0, 0, 300, 200])
        named = Dictionary(Names=Array(["Rosebud", form]))
        pdf.Root.Names = Dictionary({tree: Dictionary(Kids=Array([named]))})

    return change


def _trailer(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.trailer["/ACME"] = pdf.make_indirect(Dictionary(Note="Rosebud"))


UNSEEN = {
    **{f"named {tree[1:]}": (_named(tree), "CONTENT_DROPPED") for tree in ("/AP", "/IDS", "/Renditions", "/Acme")},
    "named versions": (_named("/AlternatePresentations"), "CONTENT_DROPPED"),
    "trailer": (_trailer, "METADATA_DROPPED"),
    "template page": (_templates, "CONTENT_DROPPED"),
    "undrawn form": (_undrawn, "CONTENT_DROPPED"),
    "undrawn form of fields": (_default, "CONTENT_DROPPED"),
    "versions of a picture": (_versions, "CONTENT_DROPPED"),
    "xfa": (_xfa, "CONTENT_DROPPED"),
    "name of a file": (_belonging, "CONTENT_DROPPED"),
    "private entries": (_private, "METADATA_DROPPED"),
}


@pytest.mark.parametrize("name", UNSEEN)
def test_what_is_beside_the_pages_goes_and_is_counted(name: str, tmp_path: Path) -> None:
    change, code = UNSEEN[name]
    result, codes = _cleaned(tmp_path, one_page(OTHER, change))
    assert SECRET not in everything(result)
    assert codes == {code}


def test_makers_of_layer_settings_go(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        made = Dictionary(Creator="Rosebud")
        pdf.Root.OCProperties = Dictionary(OCGs=Array(), D=made, Configs=Array([Dictionary(Creator="Rosebud")]))

    assert SECRET not in everything(_cleaned(tmp_path, one_page(OTHER, change))[0])


def _parts(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root.DPartRoot = Dictionary(DPartRootNode=Dictionary(DPM=Dictionary(Customer="Rosebud")))


def _own_entries(pdf: pikepdf.Pdf, page: Any) -> None:
    entries = Dictionary(O=Name.UserProperties, P=Array([Dictionary(N="a", V="Rosebud")]))
    element = Dictionary(Type=Name.StructElem, S=Name.P, A=entries)
    pdf.Root.StructTreeRoot = Dictionary(Type=Name.StructTreeRoot, K=element)


@pytest.mark.parametrize("change", [_parts, _own_entries])
def test_metadata_of_parts_goes(change: Callable[..., None], tmp_path: Path) -> None:
    assert SECRET not in everything(_cleaned(tmp_path, one_page(OTHER, change))[0])


def test_named_places_stay(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        pdf.Root.Names = Dictionary(Dests=Dictionary(Names=Array(["Plan", Array([page.obj, Name.Fit])])))

    result, codes = _cleaned(tmp_path, one_page(OTHER, change))
    with pikepdf.open(io.BytesIO(result)) as pdf:
        assert str(pdf.Root.Names.Dests.Names[0]) == "Plan"
    assert codes == set()


def _note_with(**entries: Any) -> Callable[[pikepdf.Pdf, Any], None]:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        note = Dictionary(Type=Name.Annot, Subtype=Name.Square, Rect=[5, 5, 20, 20], **entries)
        page.Annots = Array([pdf.make_indirect(note)])

    return change


def _portfolio(pdf: pikepdf.Pdf, page: Any) -> None:
    pdf.Root.Collection = Dictionary(Schema=Dictionary({"/Rosebud": Dictionary(N="Rosebud", Subtype=Name.S)}))


@pytest.mark.parametrize(
    "change",
    [_note_with(NM="Rosebud"), _note_with(Maker="Rosebud"), _portfolio],
    ids=["the identifier of a note", "a private entry of a note", "the fields of a portfolio"],
)
def test_what_programs_wrote_beside_a_document_goes(change: Callable[..., None], tmp_path: Path) -> None:
    source = one_page(OTHER, change)
    assert SECRET in everything(source)
    assert SECRET not in everything(_cleaned(tmp_path, source)[0])


def test_a_cleaned_document_has_another_id(tmp_path: Path) -> None:
    def change(pdf: pikepdf.Pdf, page: Any) -> None:
        pdf.trailer.ID = Array([String("Rosebud of today"), String("Rosebud of today")])

    source = one_page(OTHER, change)
    assert SECRET.hex().encode() in source
    assert SECRET.hex().encode() not in _cleaned(tmp_path, source)[0]
