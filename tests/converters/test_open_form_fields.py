"""Form fields of OpenDocument texts show their states and values, in pages and in the texts that pandoc writes."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.documents.odf.names import FIELD, FORM
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt

_TOLD = "Form fields became text: 1."


def _control(field: str) -> str:
    """A paragraph with a control of this field."""
    return (
        f'<office:forms xmlns:form="{FORM[1:-1]}"><form:form>{field}</form:form>'
        '</office:forms><text:p>before [<draw:control draw:control="one"/>] after</text:p>'
    )


def _mark(kind: str, *given: tuple[str, str]) -> str:
    values = "".join(f'<field:param field:name="{name}" field:value="{value}"/>' for name, value in given)
    return (
        f'<text:p xmlns:field="{FIELD[1:-1]}">before [<field:fieldmark field:type="vnd.oasis.opendocument.field.'
        f'{kind}">{values}</field:fieldmark>] after</text:p>'
    )


_ENTRIES = (("Dropdown_ListEntry", "red"), ("Dropdown_ListEntry", "blue"))
_SHOWN = [
    (_control('<form:checkbox form:id="one" form:label="Paid"/>'), "[☐ Paid]"),
    (_control('<form:checkbox form:id="one" form:state="checked"/>'), "[☒]"),
    (_control('<form:radio form:id="one" form:current-selected="true"/>'), "[◉]"),
    (_control('<form:text form:id="one" form:value="old" form:current-value="new"/>'), "[new]"),
    (_control('<form:password form:id="one" form:value="abc"/>'), "[•••]"),
    (
        _control(
            '<form:listbox form:id="one"><form:option form:label="red"/><form:option form:label="blue" '
            'form:selected="true"/></form:listbox>'
        ),
        "[blue]",
    ),
    (_control('<form:button form:id="one" form:label="Send"/>'), "[Send]"),
    (_mark("FORMCHECKBOX"), "[☐]"),
    (_mark("FORMCHECKBOX", ("Checkbox_Checked", "true")), "[☒]"),
    (_mark("FORMDROPDOWN", *_ENTRIES, ("Dropdown_Selected", "1")), "[blue]"),
]


@pytest.mark.parametrize("output", ["html", "txt"])
@pytest.mark.parametrize(("body", "shown"), _SHOWN, ids=[shown for _, shown in _SHOWN])
def test_a_field_shows_its_state_or_value_and_is_counted(tmp_path: Path, body: str, shown: str, output: str) -> None:
    done = Convert(tmp_path, f"odt-to-{output}", odt(body))
    assert f"before {shown} after" in done.text.replace("<span>", "").replace("</span>", "")
    assert _TOLD in done.messages
    assert "have no effect" not in done.messages


@pytest.mark.parametrize("output", ["html", "txt"])
def test_a_control_beside_paragraphs_is_a_paragraph(tmp_path: Path, output: str) -> None:
    field = _control('<form:checkbox form:id="one"/>') + '<draw:control draw:control="one"/>'
    done = Convert(tmp_path, f"odt-to-{output}", odt(field))
    assert done.text.count("☐") == 2
    assert "Form fields became text: 2." in done.messages


@pytest.mark.parametrize("output", ["html", "txt"])
def test_a_control_in_groups_of_shapes_stands_before_them(tmp_path: Path, output: str) -> None:
    data = odt(_control('<form:text form:id="one" form:value="12"/>'))
    grouped = odt(
        _control('<form:text form:id="one" form:value="12"/>')
        .replace("<draw:control", "<draw:g><draw:g><draw:control")
        .replace("/>] after", "/> </draw:g></draw:g>] after")
    )
    assert grouped != data
    done = Convert(tmp_path, f"odt-to-{output}", grouped)
    assert "before [12] after" in done.text.replace("<span>", "").replace("</span>", "")
    assert _TOLD in done.messages
    assert "have no effect" not in done.messages


def test_a_field_without_a_known_form_is_named(tmp_path: Path) -> None:
    done = Convert(tmp_path, "odt-to-html", odt(_mark("OTHER")))
    assert "Elements in the file have no effect here: 1 (field:fieldmark)." in done.messages
