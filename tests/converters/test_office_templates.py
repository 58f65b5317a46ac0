"""Templates, shows and files with macros are read as what they are: documents, presentations and workbooks."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from engine.families.registry import CONVERTERS, resolve
from engine.toolkit.formats import by_filename
from tests.converters.test_documents import Convert
from tests.converters.test_word_looks import drawn, p
from tests.families.data.files import with_macros, workbook
from tests.families.documents import files
from tests.families.libreoffice import files as office

_WORD = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"
_TYPES = {
    "docm": "application/vnd.ms-word.document.macroEnabled.main+xml",
    "dotx": "application/vnd.openxmlformats-officedocument.wordprocessingml.template.main+xml",
    "dotm": "application/vnd.ms-word.template.macroEnabledTemplate.main+xml",
}


def _typed(data: bytes, old: str, new: str, *, macros: str = "") -> bytes:
    """The file with another content type of its main part, and the part that would hold its macros."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w") as after:
        types = before.read("[Content_Types].xml").decode()
        assert old in types
        after.writestr("[Content_Types].xml", types.replace(old, new))
        for name in before.namelist()[1:]:
            after.writestr(name, before.read(name))
        if macros:
            after.writestr(macros, b"\xd0\xcf\x11\xe0")
    return file.getvalue()


@pytest.mark.parametrize(
    ("names", "id"),
    [
        ("a.docx a.docm a.DOTX a.dotm", "docx"),
        ("a.pptx a.pptm a.ppsx a.ppsm a.potx a.potm", "pptx"),
        ("a.xlsx a.xltx", "xlsx"),
        ("a.xlsm a.xltm", "xlsm"),
    ],
)
def test_a_file_of_any_kind_of_office_is_converted_as_what_it_is(names: str, id: str) -> None:
    for each in names.split():
        format = by_filename(each)
        assert format is not None
        assert format.id == id, each
        assert format.extension == id
        wanted = CONVERTERS[f"{id}-to-html"]
        assert resolve(f"{each.partition('.')[2].lower()}-to-html") is wanted


def test_workbooks_with_macros_become_all_that_workbooks_become() -> None:
    plain = {each.output.id for each in CONVERTERS.values() if each.input.id == "xlsx"}
    assert plain - {each.output.id for each in CONVERTERS.values() if each.input.id == "xlsm"} == set()


@pytest.mark.parametrize("extension", _TYPES)
@pytest.mark.parametrize("target", ["markdown", "txt", "odt", "html", pytest.param("pdf", marks=drawn)])
def test_word_templates_are_read_and_macros_are_counted(tmp_path: Path, extension: str, target: str) -> None:
    macros = "word/vbaProject.bin" if extension.endswith("m") else ""
    data = _typed(files.word(p("A letter")), _WORD, _TYPES[extension], macros=macros)
    done = Convert(tmp_path, f"docx-to-{target}", data)
    if target in ("markdown", "txt", "html"):
        assert "A letter" in done.text
    assert ("Macros were left out: 1." in done.messages) is bool(macros)


_SHOWS = {
    "ppsx": "application/vnd.openxmlformats-officedocument.presentationml.slideshow.main+xml",
    "potx": "application/vnd.openxmlformats-officedocument.presentationml.template.main+xml",
    "pptm": "application/vnd.ms-powerpoint.presentation.macroEnabled.main+xml",
    "ppsm": "application/vnd.ms-powerpoint.slideshow.macroEnabled.main+xml",
    "potm": "application/vnd.ms-powerpoint.template.macroEnabled.main+xml",
}
_SLIDES = "application/vnd.openxmlformats-officedocument.presentationml.presentation.main+xml"


@pytest.mark.parametrize("extension", _SHOWS)
@pytest.mark.parametrize("target", ["markdown", "txt", "html", pytest.param("pdf", marks=drawn)])
def test_shows_and_templates_are_read_and_macros_are_counted(tmp_path: Path, extension: str, target: str) -> None:
    macros = "ppt/vbaProject.bin" if extension.endswith("m") else ""
    show = _typed(office.pptx(), _SLIDES, _SHOWS[extension], macros=macros)
    done = Convert(tmp_path, f"pptx-to-{target}", show)
    if target in ("txt", "html"):
        assert "Second slide" in done.text
    assert ("Macros were left out: 1." in done.messages) is bool(macros)


@pytest.mark.parametrize("target", ["csv", "html", "markdown", pytest.param("pdf", marks=drawn)])
def test_macros_of_workbooks_are_counted(tmp_path: Path, target: str) -> None:
    done = Convert(tmp_path, f"xlsm-to-{target}", with_macros(workbook({"A": [["Words"], ["said"]]})))
    assert "Macros were left out: 1." in done.messages
