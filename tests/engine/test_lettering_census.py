"""Words whose letters lose their look, such as a line under them, are named between word processor formats."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path

import pytest

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.census import LETTERINGS
from engine.toolkit.formats import DOCX, ODT, RTF
from tests.engine.losing import Tear, change, each_part, lost
from tests.engine.test_torn_structures import converted
from tests.families.documents import files


def _run(text: str, look: str = "") -> str:
    return f"<w:r><w:rPr>{look}</w:rPr><w:t xml:space='preserve'>{text}</w:t></w:r>"


BODY = (
    _run("Alpha", "<w:b/>")
    + _run(" ")
    + _run("beta", "<w:i/>")
    + _run(" ")
    + _run("gamma", "<w:u w:val='single'/>")
    + _run(" ")
    + _run("delta", "<w:strike/>")
    + _run(" E")
    + _run("epsilon", "<w:vertAlign w:val='superscript'/>")
    + _run(" ")
    + _run("zeta", "<w:shd w:val='clear' w:fill='FFFF00'/>")
    + _run(" ")
    + _run("eta", "<w:color w:val='FF0000'/>")
    + _run(" theta")
)
"""A word for each look."""
TEARS: dict[str, dict[str, Tear]] = {
    "docx": {
        "bold": each_part("<w:b ?/>"),
        "italics": each_part("<w:i ?/>"),
        "underlines": each_part("<w:u [^>]*>"),
        "strikes": each_part("<w:strike ?/>"),
        "scripts": each_part("<w:vertAlign [^>]*>"),
        "highlights": each_part("<w:shd [^>]*>|<w:highlight [^>]*>"),
        "inks": each_part('(?<=<w:color )w:val="FF0000"', 'w:val="000000"'),
    },
    "odt": {
        "bold": each_part('fo:font-weight="bold"', 'fo:font-weight="normal"'),
        "italics": each_part('fo:font-style="italic"', 'fo:font-style="normal"'),
        "underlines": each_part('text-underline-style="solid"', 'text-underline-style="none"'),
        "strikes": each_part(r"style:text-line-through-(?:style|type)=\"\w+\""),
        "scripts": each_part('style:text-position="[^"]*"'),
        "highlights": each_part('fo:background-color="#(?:ffff00|FFFF00)"'),
        "inks": each_part('fo:color="#(?:ff0000|FF0000)"'),
    },
    "rtf": {
        "bold": change(r"\\b(?=[ \\])"),
        "italics": change(r"\\i(?=[ \\])"),
        "underlines": change(r"\\ul(?=[ \\])"),
        "strikes": change(r"\\strike(?=[ \\])"),
        "scripts": change(r"\\super(?=[ \\])"),
        "highlights": change(r"\\(?:highlight|chcbpat|cb)\d+"),
        "inks": change(r"\\cf\d+"),
    },
}
PAIRS = [f"{one}-to-{other}" for one, other in permutations(("docx", "odt", "rtf"), 2)]


@pytest.fixture
def sources(tmp_path: Path) -> dict[str, bytes]:
    """The page as a document of each format."""
    own = files.word(f"<w:p>{BODY}</w:p>")
    return {"docx": own} | {each: converted(tmp_path, f"docx-to-{each}", own) for each in ("odt", "rtf")}


@pytest.mark.parametrize("format", [DOCX, ODT, RTF], ids=lambda each: each.id)
def test_each_look_is_counted_by_its_words(format, sources: dict[str, bytes], tmp_path: Path) -> None:
    path = tmp_path / f"own.{format.id}"
    path.write_bytes(sources[format.id])
    census = auditing.countings()[format].of(LETTERINGS).read(path, None)
    assert {kind: [*words] for kind, words in census.items.items() if kind in LETTERINGS} == {
        "bold": ["Alpha"],
        "italics": ["beta"],
        "underlines": ["gamma"],
        "strikes": ["delta"],
        "scripts": ["epsilon"],
        "highlights": ["zeta"],
        "inks": ["eta"],
    }


@pytest.mark.parametrize("slug", PAIRS)
def test_looks_that_stay_are_not_named(slug: str, sources: dict[str, bytes], tmp_path: Path) -> None:
    assert auditing.audited_kinds(CONVERTERS[slug]) >= LETTERINGS
    assert lost(tmp_path, slug, sources[slug.partition("-")[0]], None) == set()


@pytest.mark.parametrize("kind", sorted(LETTERINGS))
@pytest.mark.parametrize("slug", PAIRS)
def test_a_look_that_is_lost_is_named(slug: str, kind: str, sources: dict[str, bytes], tmp_path: Path) -> None:
    source, _, output = slug.partition("-to-")
    assert lost(tmp_path, slug, sources[source], TEARS[output][kind]) == {kind}


def test_a_word_cut_into_pieces_is_one_word(tmp_path: Path) -> None:
    pieces = "".join(f"<w:r><w:rPr><w:u w:val='single'/></w:rPr><w:t>{each}</w:t></w:r>" for each in ("un", "der"))
    path = tmp_path / "own.docx"
    path.write_bytes(files.word(f"<w:p>{pieces}<w:r><w:t>neath</w:t></w:r></w:p>"))
    census = auditing.countings()[DOCX].of(LETTERINGS).read(path, None)
    assert census.items["underlines"] == {"under": 1}


def test_a_character_style_turns_off_the_bold_of_its_paragraph(tmp_path: Path) -> None:
    style = "<w:style w:type='{}' w:styleId='{}'><w:rPr><w:b/></w:rPr></w:style>"
    sheet = (
        "<w:styles xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
        + style.format("paragraph", "Loud")
        + style.format("character", "Strong")
        + "</w:styles>"
    )
    body = (
        "<w:p><w:pPr><w:pStyle w:val='Loud'/></w:pPr><w:r><w:t>loud </w:t></w:r>"
        "<w:r><w:rPr><w:rStyle w:val='Strong'/></w:rPr><w:t>calm</w:t></w:r></w:p>"
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"
    path = tmp_path / "own.docx"
    path.write_bytes(files.word(body, {"styles": (kind, "styles.xml", sheet)}))
    census = auditing.countings()[DOCX].of(LETTERINGS).read(path, None)
    assert census.items["bold"] == {"loud": 1}


def test_a_colour_that_is_no_colour_is_the_usual_one(tmp_path: Path) -> None:
    path = tmp_path / "own.rtf"
    path.write_bytes(rb"{\rtf1{\colortbl;\red" + b"9" * 5_000 + rb"\green0\blue0;}\cf1 alpha \b beta\par}")
    census = auditing.countings()[RTF].of(LETTERINGS).read(path, None)
    assert census.items == {"bold": {"beta": 1}}


def test_letters_of_other_code_pages_are_the_same_words(tmp_path: Path) -> None:
    path = tmp_path / "own.rtf"
    path.write_bytes(
        rb"{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 A;}{\f1\fcharset238 B;}}"
        rb"\f1\b Za\'bf\'f3\'b3\'e6\b0  \f0\i\u380?\'e9\i0\par}"
    )
    census = auditing.countings()[RTF].of(LETTERINGS).read(path, None)
    assert (census.items["bold"], census.items["italics"]) == ({"Zażółć": 1}, {"żé": 1})


def test_letters_of_a_word_that_a_head_makes_bold_as_a_whole_are_bold(tmp_path: Path) -> None:
    cell = "<w:tc><w:p>" + _run("a") + _run("b", "<w:b/>") + _run("c") + _run("d", "<w:b/>") + "</w:p></w:tc>"
    plain = f"<w:tc><w:p>{_run('plain')}</w:p></w:tc>"
    head = "<w:trPr><w:tblHeader/></w:trPr>"
    table = f"<w:tbl><w:tblPr/><w:tblGrid/><w:tr>{head}{cell}</w:tr><w:tr>{plain}</w:tr></w:tbl>"
    source = files.word(f"{table}<w:p>{_run('Alpha', '<w:b/>')}</w:p>")
    assert lost(tmp_path, "docx-to-odt", source, None) == set()
    assert lost(tmp_path, "docx-to-odt", source, TEARS["odt"]["bold"]) == {"bold"}


def test_letters_of_a_text_box_do_not_look_like_those_around_it(tmp_path: Path) -> None:
    box = f"<w:p>{_run('inside')}</w:p>"
    pict = f"<w:r><w:pict><v:textbox xmlns:v='urn:schemas-microsoft-com:vml'><w:txbxContent>{box}</w:txbxContent>"
    sheet = (
        "<w:styles xmlns:w='http://schemas.openxmlformats.org/wordprocessingml/2006/main'>"
        "<w:style w:type='paragraph' w:styleId='Loud'><w:rPr><w:b/></w:rPr></w:style></w:styles>"
    )
    body = (
        f"<w:p><w:pPr><w:pStyle w:val='Loud'/></w:pPr><w:r><w:t>loud</w:t></w:r>{pict}</v:textbox></w:pict></w:r></w:p>"
    )
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/styles"
    path = tmp_path / "own.docx"
    path.write_bytes(files.word(body, {"styles": (kind, "styles.xml", sheet)}))
    census = auditing.countings()[DOCX].of(LETTERINGS).read(path, None)
    assert census.items["bold"] == {"loud": 1}
