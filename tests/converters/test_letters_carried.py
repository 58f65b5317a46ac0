"""Letters of word processor files in each other's formats: raised, outlined and shadowed ones, several titles."""

from __future__ import annotations

import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from lxml import etree

from engine.families.documents.odf.names import FO, STYLE, TEXT
from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt, paragraph_style
from tests.families.documents import files

_SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_W = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
_UP = '<w:style w:type="paragraph" w:styleId="Up"><w:name w:val="Up"/><w:rPr><w:vertAlign w:val="superscript"/></w:rPr>'
_DOWN = '<w:style w:type="character" w:styleId="D"><w:name w:val="D"/><w:rPr><w:vertAlign w:val="subscript"/></w:rPr>'
_TITLE = (
    '<w:style w:type="paragraph" w:styleId="Title"><w:name w:val="Title"/><w:pPr><w:jc w:val="center"/></w:pPr>'
    '<w:rPr><w:b/><w:sz w:val="56"/></w:rPr>'
)
_SHEET = f"<w:styles {_SPACE}>{_UP}</w:style>{_DOWN}</w:style>{_TITLE}</w:style></w:styles>"


def _run(text: str, look: str) -> str:
    return f"<w:r><w:rPr>{look}</w:rPr><w:t>{text}</w:t></w:r>"


def _word(body: str) -> bytes:
    return files.word(body, {"s": ("styles", "styles.xml", _SHEET)})


_STYLED = '<w:rStyle w:val="D"/>'
_WORD = _word(
    f'<w:p>{_run("usual words", "")}</w:p><w:p><w:pPr><w:pStyle w:val="Up"/></w:pPr>{_run("raised", "")}</w:p>'
    f"<w:p>{_run('low', _STYLED)}</w:p>"
    f"<w:p>{_run('ghost', '<w:outline/>')}</w:p><w:p>{_run('dark', '<w:shadow/>')}</w:p>"
)


def _span(name: str, look: str) -> str:
    return f'<style:style style:name="{name}" style:family="text"><style:text-properties {look}/></style:style>'


_OPEN = odt(
    '<text:p>usual words</text:p><text:p text:style-name="U">raised</text:p><text:p><text:span text:style-name="C">low'
    '</text:span></text:p><text:p><text:span text:style-name="G">ghost</text:span></text:p>'
    '<text:p><text:span text:style-name="S">dark</text:span></text:p>',
    paragraph_style("U", text='style:text-position="super 58%"')
    + '<style:style style:name="C" style:family="text" style:parent-style-name="D"/>'
    + _span("G", 'style:text-outline="true"')
    + _span("S", 'fo:text-shadow="1pt 1pt"'),
    named=_span("D", 'style:text-position="-33% 58%"'),
)
_RICH = (
    rb"{\rtf1{\fonttbl{\f0 Arial;}}{\stylesheet{\s1\super Up;}{\*\cs2\sub D;}}\pard usual words\par\pard\s1\super"
    rb" raised\par\pard\plain{\cs2\sub low}\par{\outl ghost}\par{\shad dark}\par}"
)
_SOURCES = {"docx": _WORD, "odt": _OPEN, "rtf": _RICH}


def _looks(data: bytes, format: str) -> dict[str, str]:
    """What names the look of each of the words."""
    found: dict[str, str] = {}
    if format == "rtf":
        pieces = data.decode().replace("}", "{").split("{")
        for word in ("raised", "low", "ghost", "dark"):
            found[word] = next(each.rpartition(" ")[0] for each in pieces if each.endswith(f" {word}"))
        return found
    with zipfile.ZipFile(BytesIO(data)) as parts:
        root = etree.fromstring(parts.read("content.xml" if format == "odt" else "word/document.xml"))
    if format == "docx":
        for run in root.iter(f"{_W}r"):
            look = run.find(f"{_W}rPr")
            found["".join(run.itertext())] = "" if look is None else etree.tostring(look, encoding="unicode")
        return found
    styles = {each.get(f"{STYLE}name"): each for each in root.iter(f"{STYLE}style")}
    for span in root.iter(f"{TEXT}span"):
        properties = styles[span.get(f"{TEXT}style-name")].find(f"{STYLE}text-properties")
        found["".join(span.itertext())] = " ".join(f"{name}={value}" for name, value in properties.items())
    return found


_EXPECTED = {
    "docx": {"raised": 'val="superscript"', "low": 'val="subscript"', "ghost": "outline", "dark": "shadow"},
    "odt": {
        "raised": f"{STYLE}text-position=super 58%",
        "low": f"{STYLE}text-position=sub 58%",
        "ghost": f"{STYLE}text-outline=true",
        "dark": f"{FO}text-shadow=1pt 1pt",
    },
    "rtf": {"raised": r"\super", "low": r"\sub", "ghost": r"\outl", "dark": r"\shad"},
}


@pytest.mark.parametrize(
    ("source", "target"), [(one, other) for one in _SOURCES for other in _EXPECTED if one != other]
)
def test_raised_outlined_and_shadowed_letters_are_kept_wherever_their_look_is_set(
    tmp_path: Path, source: str, target: str
) -> None:
    done = Convert(tmp_path, f"{source}-to-{target}", _SOURCES[source])
    looks = _looks(done.data, target)
    assert [word for word, look in _EXPECTED[target].items() if look not in looks.get(word, "")] == []
    assert "STYLE_DROPPED" not in done.codes


@pytest.mark.parametrize("target", ["odt", "rtf"])
def test_a_second_title_looks_as_the_first(tmp_path: Path, target: str) -> None:
    titled = "".join(
        f'<w:p><w:pPr><w:pStyle w:val="Title"/></w:pPr>{_run(each, "")}</w:p>' for each in ("Great", "Other")
    )
    done = Convert(tmp_path, f"docx-to-{target}", _word(f"{titled}<w:p>{_run('usual words', '')}</w:p>"))
    if target == "rtf":
        assert r"\qc {\fs56\b Other}" in done.text
    else:
        with zipfile.ZipFile(BytesIO(done.data)) as parts:
            content = parts.read("content.xml").decode()
        look = _looks(done.data, "odt")["Other"]
        assert f"{FO}font-weight=bold" in look
        assert f"{FO}font-size=28pt" in look
        name = content.split("Other")[0].rpartition("<text:p ")[2].split('"')[1]
        assert f'style:name="{name}"' in content
        assert 'fo:text-align="center"' in content.split(f'style:name="{name}"')[1].split("</style:style>")[0]
    assert "STYLE_DROPPED" not in done.codes


@pytest.mark.parametrize("target", ["odt", "rtf"])
def test_styles_that_the_text_does_not_refer_to_are_not_missed(tmp_path: Path, target: str) -> None:
    data = files.archive({**_unpacked(_WORD), "word/_rels/document.xml.rels": "<Relationships/>"})
    assert "STYLE_DROPPED" not in Convert(tmp_path, f"docx-to-{target}", data).codes


def _unpacked(data: bytes) -> dict[str, str | bytes]:
    with zipfile.ZipFile(BytesIO(data)) as parts:
        return {name: parts.read(name) for name in parts.namelist()}
