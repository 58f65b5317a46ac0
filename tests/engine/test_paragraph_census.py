"""Paragraphs that lose their look, such as a border, are named between word processor formats."""

from __future__ import annotations

import io
import zipfile
from itertools import permutations
from pathlib import Path

import pytest

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.census import PARAGRAPHS
from engine.toolkit.formats import DOCX, ODT, RTF, Format
from tests.engine.losing import Tear, change, each_part, lost
from tests.engine.test_torn_structures import converted
from tests.families.documents import files

EDGE = "w:val='single' w:sz='8' w:space='1' w:color='00FF00'"


def _paragraph(text: str, look: str = "") -> str:
    return f"<w:p><w:pPr>{look}</w:pPr><w:r><w:t xml:space='preserve'>{text}</w:t></w:r></w:p>"


def _open(paragraph: str) -> bytes:
    """An OpenDocument text with one centred paragraph."""
    spaces = "".join(
        f' xmlns:{each}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for each, name in (("office", "office"), ("text", "text"), ("style", "style"), ("fo", "xsl-fo-compatible"))
    )
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        archive.writestr(
            "content.xml",
            f"<office:document-content{spaces}><office:automatic-styles><style:style style:name='P1'"
            " style:family='paragraph'><style:paragraph-properties fo:text-align='center'/></style:style>"
            "</office:automatic-styles><office:body><office:text><text:p text:style-name='P1'>"
            f"{paragraph}</text:p></office:text></office:body></office:document-content>",
        )
    return made.getvalue()


LOOKS = {
    "aligned": ("Alpha one", "<w:jc w:val='center'/>"),
    "bordered": ("Beta two", f"<w:pBdr><w:top {EDGE}/></w:pBdr>"),
    "shaded": ("Gamma three", "<w:shd w:val='clear' w:fill='FFFF00'/>"),
    "indented": ("Delta four", "<w:ind w:left='720'/>"),
    "spaced": ("Epsilon five", "<w:spacing w:before='480'/>"),
    "joined": ("Zeta six", "<w:keepNext/>"),
}
"""A paragraph with each look, in Word."""
BODY = "".join(_paragraph(*each) for each in LOOKS.values()) + _paragraph("Eta")
TEARS: dict[str, dict[str, Tear]] = {
    "docx": {
        "aligned": each_part("<w:jc [^>]*center[^>]*>"),
        "bordered": each_part("<w:pBdr>.*?</w:pBdr>"),
        "shaded": each_part("<w:shd [^>]*>"),
        "indented": each_part("<w:ind [^>]*>"),
        "spaced": each_part("<w:spacing [^>]*>"),
        "joined": each_part("<w:keepNext ?/>"),
    },
    "odt": {
        "aligned": each_part('fo:text-align="center"'),
        "bordered": each_part('fo:border-top="[^"]*"'),
        "shaded": each_part('fo:background-color="[^"]*"'),
        "indented": each_part('fo:margin-left="[^"]*"'),
        "spaced": each_part('fo:(?:margin-top|margin-bottom|line-height)="[^"]*"'),
        "joined": each_part('fo:keep-with-next="[^"]*"'),
    },
    "rtf": {
        "aligned": change(r"\\qc"),
        "bordered": change(r"\\brdrt(?=\\)"),
        "shaded": change(r"\\cbpat\d+"),
        "indented": change(r"\\li\d+"),
        "spaced": change(r"\\(?:sb|sa|sl)\d+"),
        "joined": change(r"\\keepn(?=[ \\])"),
    },
}
PAIRS = [f"{one}-to-{other}" for one, other in permutations(("docx", "odt", "rtf"), 2)]
FORMATS = {"docx": DOCX, "odt": ODT, "rtf": RTF}


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, bytes]:
    """The page as a document of each format."""
    own = files.word(BODY)
    return {"docx": own} | {each: converted(tmp_path, f"docx-to-{each}", own) for each in ("odt", "rtf")}


def counted(folder: Path, format: Format, data: bytes) -> dict[str, set[str]]:
    path = folder / f"own.{format.id}"
    path.write_bytes(data)
    census = auditing.countings()[format].of(PARAGRAPHS).read(path, None)
    return {kind: {*names} for kind, names in census.items.items() if kind in PARAGRAPHS}


@pytest.mark.parametrize("format", FORMATS)
def test_each_look_is_counted_by_its_paragraphs(format: str, sources: dict[str, bytes], tmp_path: Path) -> None:
    found = counted(tmp_path, FORMATS[format], sources[format])
    for kind, (text, _) in LOOKS.items():
        assert text in found[kind]
    for kind in PARAGRAPHS - {"spaced"}:  # other programs put space between all paragraphs
        assert found[kind] == {LOOKS[kind][0]}


@pytest.mark.parametrize("slug", PAIRS)
def test_looks_that_stay_are_not_named(slug: str, sources: dict[str, bytes], tmp_path: Path) -> None:
    assert auditing.audited_kinds(CONVERTERS[slug]) >= PARAGRAPHS
    assert lost(tmp_path, slug, sources[slug.partition("-")[0]], None) == set()


@pytest.mark.parametrize("kind", sorted(PARAGRAPHS))
@pytest.mark.parametrize("slug", PAIRS)
def test_a_look_that_is_lost_is_named(slug: str, kind: str, sources: dict[str, bytes], tmp_path: Path) -> None:
    source, _, output = slug.partition("-to-")
    assert lost(tmp_path, slug, sources[source], TEARS[output][kind]) == {kind}


def test_indents_of_items_of_lists_are_those_of_the_list(tmp_path: Path) -> None:
    item = "<w:numPr><w:ilvl w:val='0'/><w:numId w:val='1'/></w:numPr><w:ind w:left='720' w:hanging='360'/>"
    assert counted(tmp_path, DOCX, files.word(_paragraph("Item", item))) == {}
    rich = rb"{\rtf1{\pard\li720\fi-360\bullet\tab Item\par}{\pard\li720\fi-360 2.\tab Other\par}}"
    assert counted(tmp_path, RTF, rich) == {}
    assert counted(tmp_path, RTF, rb"{\rtf1{\pard\li720\fi-360 Smith, A book\par}}") == {"indented": {"Smith A book"}}


def test_a_side_without_a_line_is_no_border(tmp_path: Path) -> None:
    plain = rb"{\rtf1\pard\brdrt\brdrl\brdrb\brdrr\brdrbtw\li0 Alpha\par\pard\brdrt\brdrnone Beta\par}"
    assert counted(tmp_path, RTF, plain) == {}
    cells = rb"{\rtf1\trowd\clbrdrt\brdrs\cellx900\pard\intbl Alpha\cell\row\pard\chbrdr\brdrs Beta\par}"
    assert counted(tmp_path, RTF, cells) == {}
    assert counted(tmp_path, RTF, rb"{\rtf1\pard\box\brdrs\brdrw10 Alpha\par}") == {"bordered": {"Alpha"}}


def test_looks_of_styles_are_those_of_their_paragraphs_unless_turned_off(tmp_path: Path) -> None:
    sheet = (
        "<w:styles xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
        "<w:style w:type='paragraph' w:styleId='Base'><w:pPr><w:keepNext/><w:jc w:val='both'/></w:pPr></w:style>"
        "<w:style w:type='paragraph' w:styleId='Mid'><w:basedOn w:val='Base'/><w:pPr><w:ind w:left='9'/></w:pPr>"
        "</w:style></w:styles>"
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"
    body = _paragraph("Alpha", "<w:pStyle w:val='Mid'/>") + _paragraph(
        "Beta", "<w:pStyle w:val='Mid'/><w:keepNext w:val='0'/><w:ind w:left='0'/><w:jc w:val='left'/>"
    )
    data = files.word(body, {"styles": (kind, "styles.xml", sheet)})
    assert counted(tmp_path, DOCX, data) == {each: {"Alpha"} for each in ("joined", "aligned", "indented")}


def test_a_paragraph_that_the_result_lacks_altogether_is_no_lost_look(tmp_path: Path) -> None:
    data = files.word(BODY)
    assert lost(tmp_path, "docx-to-rtf", data, change("Alpha one")) == {"words"}


def test_notes_and_text_boxes_are_no_paragraphs_of_the_body(tmp_path: Path) -> None:
    rich = rb"{\rtf1\pard\qc Alpha{\footnote\pard\ql Note\par} beta\par}"
    assert counted(tmp_path, RTF, rich) == {"aligned": {"Alpha beta"}}
    box = "<w:pict><w:txbxContent><w:p><w:r><w:t>Box</w:t></w:r></w:p></w:txbxContent></w:pict>"
    word = files.word(_paragraph(f"Alpha</w:t></w:r><w:r>{box}</w:r><w:r><w:t> beta", "<w:jc w:val='center'/>"))
    assert counted(tmp_path, DOCX, word) == {"aligned": {"Alpha beta"}}
    note = "<text:note><text:note-body><text:p text:style-name='P1'>Note</text:p></text:note-body></text:note>"
    assert counted(tmp_path, ODT, _open(f"Alpha{note} beta")) == {"aligned": {"Alpha beta"}}


def test_a_word_in_two_pieces_is_one_word_of_its_paragraph(tmp_path: Path) -> None:
    spans = "<text:span>Al</text:span><text:span>pha</text:span><text:s/>beta<text:tab/>gamma"
    assert counted(tmp_path, ODT, _open(spans)) == {"aligned": {"Alpha beta gamma"}}


def test_comments_in_the_markup_are_no_part_of_a_paragraph(tmp_path: Path) -> None:
    look = f"<!-- a --><w:jc w:val='center'/><w:pBdr><?b c?><w:top {EDGE}/></w:pBdr>"
    data = files.word(_paragraph("Al<!-- d -->pha", look))
    assert counted(tmp_path, DOCX, data) == {each: {"Alpha"} for each in ("aligned", "bordered")}
    assert counted(tmp_path, ODT, _open("Al<!-- d -->pha")) == {"aligned": {"Alpha"}}
