"""Names of a PDF are read as UTF-8 or in the encoding of older programs: states of buttons, and fonts."""

from __future__ import annotations

import json
from pathlib import Path

import pikepdf
import pytest
from pikepdf import Array, Dictionary, Name

from engine.conversion import convert
from engine.families.pdf.name_text import name_of, text_of
from engine.toolkit.failures import InvalidOption

_ARABIC, _LATIN, _WIDE = b"#d8#a3", b"#e9t#e9", b"#fe#ff#04#14#04#30"
SHOWN = {_ARABIC: "أ", _LATIN: "été", _WIDE: "Да", b"A#20b": "A b", b"#23d8": "#d8"}


def form(path: Path, *groups: tuple[list[bytes], int, list[str]]) -> Path:
    """A PDF with groups of radio buttons: the states, the place of the one that is on, and the texts of them."""
    pdf = pikepdf.new()
    page, fields = pdf.add_blank_page(page_size=(300, 300)), Array()
    page.obj.Annots = Array()
    for at, (states, on, texts) in enumerate(groups):
        group = pdf.make_indirect(Dictionary(FT=Name.Btn, Ff=1 << 15, T=f"group{at}", Kids=Array()))
        group.V = pikepdf.Object.parse(b"/" + states[on])
        if texts:
            group.Opt = Array(texts)
        for number, state in enumerate(states):
            look = pdf.make_stream(b"0 0 9 9 re f", Type=Name.XObject, Subtype=Name.Form, BBox=Array([0, 0, 9, 9]))
            key = next(iter(pikepdf.Object.parse(b"<< /" + state + b" 1 >>").keys()))
            place = Array([10 + 20 * number, 250 - 30 * at, 19 + 20 * number, 259 - 30 * at])
            button = pdf.make_indirect(Dictionary(Type=Name.Annot, Subtype=Name.Widget, F=4, Rect=place, Parent=group))
            button.AP = Dictionary(N=Dictionary(Off=look))
            button.AP.N[key] = look
            button.AS = pikepdf.Object.parse(b"/" + state) if number == on else Name.Off
            group.Kids.append(button)
            page.obj.Annots.append(button)
        fields.append(group)
    pdf.Root.AcroForm = pdf.make_indirect(Dictionary(Fields=fields))
    pdf.save(path)
    return path


def lines(source: Path, folder: Path) -> list[str]:
    """What Markdown has of the fields."""
    convert(source, folder / "output.md", sandbox=False)
    return (folder / "output.md").read_text("utf-8").splitlines()


@pytest.mark.parametrize("state", SHOWN)
def test_the_text_of_a_name_is_read_and_found_again(state: bytes) -> None:
    key = next(iter(pikepdf.Object.parse(b"<< /" + state + b" 1 >>").keys()))
    assert text_of(key) == text_of(pikepdf.Object.parse(b"/" + state)) == SHOWN[state]
    assert text_of(name_of(key)) == SHOWN[state]


@pytest.mark.parametrize("state", SHOWN)
def test_the_state_of_a_radio_button_is_shown_as_text(tmp_path: Path, state: bytes) -> None:
    source = form(tmp_path / "a.pdf", ([state, b"other"], 0, []))
    assert lines(source, tmp_path) == [f"- **group0:** ☒ {SHOWN[state]}", "- **group0:** ☐"]


def test_the_state_that_is_a_place_in_a_list_is_shown_as_its_text(tmp_path: Path) -> None:
    source = form(tmp_path / "a.pdf", ([b"0", b"1"], 1, ["Rot", "Grün"]))
    assert lines(source, tmp_path) == ["- **group0:** ☐", "- **group0:** ☒ Grün"]


@pytest.mark.parametrize("state", SHOWN)
def test_a_radio_button_is_filled_in_by_its_text(tmp_path: Path, state: bytes) -> None:
    source = form(tmp_path / "a.pdf", ([b"other", state], 0, []))
    made = tmp_path / "made.pdf"
    convert(source, made, sandbox=False, operation="fill", fields=json.dumps({"group0": SHOWN[state]}))
    assert lines(made, tmp_path) == ["- **group0:** ☐", f"- **group0:** ☒ {SHOWN[state]}"]
    with pikepdf.Pdf.open(made) as pdf:
        assert pikepdf.Object.parse(b"/" + state) == pdf.Root.AcroForm.Fields[0].V


def test_states_are_named_as_text_where_a_value_is_none_of_them(tmp_path: Path) -> None:
    source = form(tmp_path / "a.pdf", ([_ARABIC, _LATIN], 0, []))
    with pytest.raises(InvalidOption, match="'group0' can be: été, أ"):
        convert(source, tmp_path / "made.pdf", sandbox=False, operation="fill", fields='{"group0": "non"}')


def test_a_font_whose_name_is_not_utf_8_is_listed(tmp_path: Path) -> None:
    pdf, source, target = pikepdf.new(), tmp_path / "a.pdf", tmp_path / "a.json"
    font = Dictionary(Type=Name.Font, Subtype=Name.TrueType, BaseFont=pikepdf.Object.parse(b"/#cb#ce#cc#e5"))
    pdf.add_blank_page().obj.Resources = Dictionary(Font=Dictionary(F1=pdf.make_indirect(font)))
    pdf.save(source)
    convert(source, target, sandbox=False, content="fonts")
    assert "ËÎÌå" in target.read_text("utf-8")
