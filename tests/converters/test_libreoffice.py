"""LibreOffice: the same bytes each time, a second engine where a setting says so, and nothing where it is absent."""

from __future__ import annotations

import io
import os
import struct
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pypdf
import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from odf.opendocument import OpenDocumentText
from odf.text import H, P

from conversions.checks import suite_check
from conversions.work import runner
from engine.families import registry
from engine.families.html_pdf.options import HTML_PDF, PLUTOPRINT
from engine.families.libreoffice import options as installation
from engine.families.libreoffice import parts
from engine.families.ocr.options import FOLDERS
from engine.sandbox.confinement import prepare
from engine.sandbox.limits import LIMITS, limits_for
from engine.sandbox.preload import converters_of, folders_of
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import DOCX, ODG, ODP, PAGES
from engine.toolkit.options import build
from engine.toolkit.progress import Progress
from engine.toolkit.warnings import Warn
from tests.converters.engines import SUITE
from tests.converters.test_slides import box
from tests.converters.vector import SAMPLES, Vector
from tests.families.data.files import edited
from tests.families.documents import files as texts
from tests.families.documents.files import png
from tests.families.libreoffice import files
from tests.families.libreoffice import old_formats as old_offices
from tests.families.libreoffice.vectors import OTHERS, VECTORS, pages

ROOT = Path(__file__).resolve().parents[2]
MISSING = (
    ""
    if {each.slug for each in (*VECTORS, *OTHERS, *old_offices.OTHERS)} <= SUITE.keys()
    else "no LibreOffice: install Debian's libreoffice-writer-nogui, -calc-nogui and -impress-nogui to run its tests"
)
WITHOUT = "import engine.families.libreoffice.options as suite; suite.FOLDER = None; suite._PLACES = ('/nowhere',); "
FIRST = {each.slug: each for each in reversed((*VECTORS, *OTHERS)) if each.kind == "ordinary"}


@pytest.fixture
def installed() -> None:
    if MISSING and os.environ.get("REQUIRE_LIBREOFFICE") == "1":
        pytest.fail(MISSING)
    if MISSING:
        pytest.skip(MISSING)


def convert(slug: str, data: bytes, **options: Any) -> tuple[bytes, set[str]]:
    """Bytes and warning codes that come of the suite's own converter, whether or not it is the slug's."""
    converter = SUITE[slug]
    with tempfile.TemporaryFile() as source:
        source.write(data)
        outcome = runner.convert(converter, source, build(converter.options, options))
    with outcome.output:
        return outcome.output.read(), {each.code for each in outcome.warnings}


def odt() -> bytes:
    document = OpenDocumentText()
    document.text.addElement(H(outlinelevel=1, text="Quarterly report"))
    document.text.addElement(P(text="Sales grew in Zürich and 東京"))
    file = io.BytesIO()
    document.write(file)
    return file.getvalue()


@pytest.mark.usefixtures("installed")
def test_it_tells_how_many_pages_are_drawn_and_draws_the_same_as_untold() -> None:
    document = OpenDocumentText()
    for _ in range(10):
        document.text.addElement(P(text="words " * 1_000))
    file = io.BytesIO()
    document.write(file)
    converter = SUITE["odt-to-pdf"]
    heard: list[Progress] = []
    with tempfile.TemporaryFile() as source:
        source.write(file.getvalue())
        outcome = runner.convert(converter, source, build(converter.options, {}), on_progress=heard.append)
    with outcome.output:
        drawn = outcome.output.read()
    count = len(pypdf.PdfReader(io.BytesIO(drawn)).pages)
    assert count > 5
    assert heard
    assert {(each.total, each.unit) for each in heard} == {(count, "pages")}
    assert 0 <= heard[0].done <= heard[-1].done <= count
    assert drawn == convert("odt-to-pdf", file.getvalue())[0]


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("slug", FIRST)
def test_same_document_gives_the_same_bytes_in_another_process(slug: str) -> None:
    vector = FIRST[slug]
    options = dict(vector.options)
    first, _ = convert(slug, vector.source(), **options)
    assert convert(slug, vector.source(), **options)[0] == first


@pytest.mark.usefixtures("installed")
def test_processes_that_share_a_folder_for_temporary_files_convert_one_after_another(tmp_path: Path) -> None:
    source = tmp_path / "report.doc"
    source.write_bytes((SAMPLES / "report.doc").read_bytes())
    code = "import sys; from engine import convert\nfor each in sys.argv[2:]: convert(sys.argv[1], each, sandbox=False)"
    shared = tmp_path / "shared"
    shared.mkdir()
    for at in range(2):
        results = [tmp_path / f"{at}{name}.pdf" for name in "ab"]
        command = [sys.executable, "-c", code, str(source), *map(str, results)]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "TMPDIR": str(shared)}, check=True)
        assert [len(pypdf.PdfReader(each).pages) for each in results] == [1, 1]
    assert list(shared.glob("suite-*")) == []


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("slug", "source", "words"),
    [
        ("docx-to-pdf", texts.docx, ("Quarterly report", "東京", "1,200", "Audited figures")),
        ("odt-to-pdf", odt, ("Quarterly report", "Zürich and 東京")),
        ("rtf-to-pdf", texts.RTF.encode, ("Sales", "1,200")),
    ],
)
def test_texts_are_drawn_as_their_pages(slug: str, source: Callable[[], bytes], words: tuple[str, ...]) -> None:
    data, codes = convert(slug, source())
    (page,) = pages(data)
    assert [each for each in words if each not in page] == []
    assert codes <= {"FONT_SUBSTITUTED"}
    assert convert(slug, source())[0] == data


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("font", "face", "message"),
    [
        ("Calibri", "Carlito", "Fonts that are not installed were replaced by others of the same widths: “Calibri”."),
        ("Cambria", "Caladea", "Fonts that are not installed were replaced by others of the same widths: “Cambria”."),
        ("Calibri Light", "Carlito", "The font “Calibri Light” is not installed and was replaced."),
    ],
)
def test_office_fonts_are_replaced_by_the_bundled_ones_of_their_widths(font: str, face: str, message: str) -> None:
    look = f'<w:rPr><w:rFonts w:ascii="{font}" w:hAnsi="{font}"/></w:rPr>'
    source = texts.word(f"<w:p><w:r>{look}<w:t>formatting an office</w:t></w:r></w:p>")
    converter = SUITE["docx-to-pdf"]
    with tempfile.TemporaryFile() as file:
        file.write(source)
        outcome = runner.convert(converter, file, build(converter.options, {}))
    with outcome.output:
        (page,) = pypdf.PdfReader(outcome.output).pages
        names = {str(each.get_object()["/BaseFont"]) for each in page["/Resources"]["/Font"].values()}  # type: ignore[index]
        assert [each.partition("+")[2].partition("-")[0] for each in names] == [face]
        assert "formatting an office" in page.extract_text()
    assert message in [str(each.message) for each in outcome.warnings]


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("slug", "source", "unseen"),
    [
        # Its text box has no size: of its words one letter is drawn, which is cut off.
        ("docx-to-pdf", texts.docx_reviewed, {"TEXT_NOT_SHOWN", "CONTENT_DROPPED"}),
        ("rtf-to-pdf", texts.RTF_REVIEWED.encode, set()),
    ],
)
def test_comments_of_a_text_are_left_out_and_changes_shown(
    slug: str, source: Callable[[], bytes], unseen: set[str]
) -> None:
    data, codes = convert(slug, source())
    assert "1000" in pages(data)[0]
    assert "Please check" not in pages(data)[0]
    assert codes - {"FONT_SUBSTITUTED"} == {"COMMENTS_DROPPED", "VALUE_CONVERTED"} | unseen


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("slug", "data"),
    [
        ("docx-to-pdf", texts.docx()[:-200]),
        ("docx-to-pdf", files.xlsx()),
        ("odt-to-pdf", files.ods()),
        ("rtf-to-pdf", b"rtf without its mark"),
    ],
)
def test_text_of_another_kind_is_unreadable(slug: str, data: bytes) -> None:
    with pytest.raises(Unreadable):
        convert(slug, data)


@pytest.mark.usefixtures("installed")
def test_picture_too_large_to_be_drawn_is_not_left_out_in_silence() -> None:
    with pytest.raises(OverLimit, match="million pixels"):
        convert("pptx-to-pdf", files.pptx(picture=png(11_000, 10_000)))


_ENGINES = (
    "import django; django.setup(); from engine.families.registry import CONVERTERS; "
    "print([(each.profile, getattr(each.otherwise, 'profile', None)) for each in map(CONVERTERS.get, "
    "('docx-to-pdf', 'pptx-to-pdf', 'xlsx-to-pdf', 'ods-to-pdf'))])"
)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("setting", "profiles", "second"),
    [
        ("auto", ("office", "office", "pdf", "pdf"), "libreoffice"),
        ("own", ("office", "office", "pdf", "pdf"), None),
        ("libreoffice", ("libreoffice",) * 4, None),
    ],
)
def test_a_setting_chooses_the_engine_or_both(setting: str, profiles: tuple[str, ...], second: str | None) -> None:
    assert python(_ENGINES, OFFICE_PDF_ENGINE=setting) == str([(each, second) for each in profiles])
    if setting == "auto":
        assert python(_ENGINES) == str([(each, second) for each in profiles])


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("vector", [pytest.param(each, id=each.id) for each in (*OTHERS, *old_offices.OTHERS)])
def test_the_suite_draws_what_the_vector_demands(vector: Vector) -> None:
    if vector.error:
        with pytest.raises(InvalidOption if vector.error == "VALIDATION_ERROR" else (Unreadable, OverLimit)):
            convert(vector.slug, vector.source(), **vector.options)
        return
    data, codes = convert(vector.slug, vector.source(), **vector.options)
    assert vector.check is not None
    vector.check(data)
    assert vector.warnings <= codes if vector.more_warnings else vector.warnings == codes


@pytest.mark.usefixtures("installed")
def test_old_files_are_told_apart_by_what_is_in_them() -> None:
    for slug, data, message in (
        ("doc-to-pdf", old_offices.ppt(), "PowerPoint presentation"),
        ("ppt-to-pdf", old_offices.doc(), "Word document"),
        ("doc-to-pdf", (SAMPLES / "members.xls").read_bytes(), "Excel workbook"),
        ("doc-to-docx", old_offices.doc()[:3_000], "damaged"),
    ):
        with pytest.raises(Unreadable, match=message):
            convert(slug, data)
    locked = bytearray(old_offices.doc())
    locked[locked.index(b"\xec\xa5") + 0x0B] |= 1
    with pytest.raises(Unreadable, match="password"):
        convert("doc-to-pdf", bytes(locked))


def _enciphered(*readable: str) -> bytes:
    """A document of Pages whose parts are unlike any method of packing, but those that are `readable`."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as written:
        for name in ("buildVersionHistory.plist", "index.xml"):
            written.writestr(name, b"<plist/>" * 50)
    data = bytearray(file.getvalue())
    with zipfile.ZipFile(io.BytesIO(data)) as written:
        for entry in written.infolist():
            if entry.filename not in readable:
                struct.pack_into("<H", data, entry.header_offset + 8, 25_451)
                name = entry.filename.encode()
                at = data.rindex(name) - 46  # of the list of parts at the end
                struct.pack_into("<H", data, at + 10, 25_451)
    return bytes(data)


@pytest.mark.parametrize(
    ("readable", "message"), [((), "protected by a password"), (("buildVersionHistory.plist",), "compression method")]
)
def test_a_password_of_an_old_pages_document_is_not_mistaken_for_damage(
    tmp_path: Path, readable: tuple[str, ...], message: str
) -> None:
    source = tmp_path / "input.pages"
    source.write_bytes(_enciphered(*readable))
    with pytest.raises(Unreadable, match=message):
        parts.inspect(source, PAGES, Warn(), drawn=True)


def test_open_documents_may_abbreviate_their_names_as_they_like(tmp_path: Path) -> None:
    source = tmp_path / "input.odp"
    with zipfile.ZipFile(io.BytesIO(files.odp())) as old, zipfile.ZipFile(source, "w") as new:
        for name in old.namelist():
            data = old.read(name).replace(b"office:", b"foreign:").replace(b"xmlns:office=", b"xmlns:foreign=")
            new.writestr(name, data.replace(b"opendocument:xmlns:foreign:", b"opendocument:xmlns:office:"))
    parts.inspect(source, ODP, Warn(), drawn=True)
    with pytest.raises(Unreadable, match="but not"):
        parts.inspect(source, ODG, Warn(), drawn=True)


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("slug", ["doc-to-docx", "doc-to-odt", "ppt-to-pptx"])
def test_what_is_saved_is_the_same_every_time(slug: str) -> None:
    data = old_offices.doc_reviewed() if slug.startswith("doc") else old_offices.ppt()
    assert convert(slug, data)[0] == convert(slug, data)[0]


def test_formulas_are_named_where_the_part_that_draws_them_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    math = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'
    source = tmp_path / "input.docx"
    source.write_bytes(texts.word(f"<w:p><m:oMath {math}><m:r><m:t>a=b</m:t></m:r></m:oMath></w:p>"))
    for folder, expected in ((tmp_path, ["CONTENT_DROPPED"]), (None, [])):
        if folder is None:
            (tmp_path / "program").mkdir()
            (tmp_path / "program" / installation.MATH).touch()
        monkeypatch.setattr(installation, "FOLDER", tmp_path)
        warn = Warn()
        parts.inspect(source, DOCX, warn, drawn=True)
        assert [each.code for each in warn.warnings] == expected


def test_setting_needs_the_installation(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.OFFICE_PDF_ENGINE = "libreoffice"
    monkeypatch.setattr(registry, "ALTERNATIVES", ())
    with pytest.raises(ImproperlyConfigured, match="OFFICE_PDF_ENGINE"):
        apps.get_app_config("conversions").ready()


def test_parts_that_are_missing_are_named_at_the_start(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(installation, "FOLDER", None)
    assert suite_check(None) == []
    monkeypatch.setattr(installation, "FOLDER", tmp_path)
    (tmp_path / "program").mkdir()
    for name in installation.PARTS:
        assert len(suite_check(None)) == 1
        (tmp_path / "program" / name).touch()
        assert f"{installation.PARTS[name]}," not in "".join(each.msg for each in suite_check(None))
    assert suite_check(None) == []


def test_nothing_of_it_is_listed_where_it_is_absent() -> None:
    code = WITHOUT + (
        "from engine.families.registry import ALTERNATIVES, CONVERTERS, MISSING; "
        "from engine.toolkit.formats import FORMATS; "
        "extra = {name for name, each in FORMATS.items() if each.kind in ('geo', '3D')}; "
        "print([each.alternative for each in ALTERNATIVES], "
        "[each for each in MISSING if not extra & {*each.split('-to-')} and not each.endswith('-to-heic')], "
        "[CONVERTERS[each].profile for each in ('docx-to-pdf', 'ods-to-pdf', 'xls-to-pdf', 'xlsx-to-pdf')], "
        "any(each.profile == 'libreoffice' for each in CONVERTERS.values()))"
    )
    own = HTML_PDF is PLUTOPRINT  # xhtml2pdf does not draw slides
    drawn = ["pages"] + ["word"] * 3
    missing = ["odg-to-pdf", "odg-to-png", "odg-to-svg", "odp-to-pptx", "pages-to-docx", "pages-to-odt"]
    missing += ["pages-to-pdf", "ppt-to-pptx"]
    missing = missing if own else sorted([*missing, "doc-to-pdf", "odp-to-pdf", "ppt-to-pdf", "pptx-to-pdf"])
    assert python(code) == f"{drawn} {missing} ['office', 'pdf', 'pdf', 'pdf'] False"


def test_only_its_own_children_may_read_beyond_what_all_may() -> None:
    assert {each: folders_of(converters_of(each, ())) for each in LIMITS} == {
        **dict.fromkeys(LIMITS, ()),
        "libreoffice": tuple(sorted(installation.readable())),
        "ocr": tuple(sorted(FOLDERS)),
        "office": tuple(sorted(FOLDERS)),  # for books of scans
    }
    with tempfile.TemporaryDirectory() as folder:
        made = prepare(
            limits_for("libreoffice"),
            programs=(),
            folders=installation.readable(),
            beneath=[folder],
            abi_at_most=None,
            filtered=False,
            users=None,
        )
    assert not [each for each in made.readable if each in ("/", "/etc", "/var", "/home", "/root", "/tmp")]


def python(code: str, **environment: str) -> str:
    """What a fresh interpreter prints."""
    settings = {"DJANGO_SETTINGS_MODULE": "config.settings"}
    inherited = {name: value for name, value in os.environ.items() if name != "OFFICE_PDF_ENGINE"}
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=ROOT,
        env=inherited | settings | environment,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


def _said(slug: str, data: bytes) -> tuple[str, str]:
    """The text of all pages, and the warnings."""
    converter = SUITE[slug]
    with tempfile.TemporaryFile() as source:
        source.write(data)
        outcome = runner.convert(converter, source, build(converter.options, {}))
    with outcome.output:
        return " ".join(pages(outcome.output.read())), "\n".join(str(each.message) for each in outcome.warnings)


def _run(text: str, look: str = "") -> str:
    return f'<w:r><w:rPr>{look}</w:rPr><w:t xml:space="preserve">{text}</w:t></w:r>'


@pytest.mark.usefixtures("installed")
def test_hidden_text_and_rows_of_word_are_on_no_page_and_counted() -> None:
    table = (
        f"<w:tbl><w:tblGrid><w:gridCol/></w:tblGrid><w:tr><w:trPr><w:hidden/></w:trPr><w:tc><w:p>{_run('ROW')}</w:p>"
        f"</w:tc></w:tr><w:tr><w:tc><w:p>{_run('cell')}</w:p></w:tc></w:tr></w:tbl>"
    )
    text, messages = _said(
        "docx-to-pdf", texts.word(f"<w:p>{_run('Seen')}{_run('SECRET', '<w:vanish/>')}</w:p>{table}<w:p/>")
    )
    assert ("Seen" in text, "cell" in text, "SECRET" in text, "ROW" in text) == (True, True, False, False)
    assert "Hidden text was left out: 2 (“ROW”, “SECRET”)." in messages


@pytest.mark.usefixtures("installed")
def test_lists_of_word_that_are_numbered_in_words_are_so_on_the_page() -> None:
    level = '<w:lvl w:ilvl="0"><w:start w:val="1"/><w:numFmt w:val="{}"/><w:lvlText w:val="{}"/></w:lvl>'
    lists = "".join(
        f'<w:abstractNum w:abstractNumId="{at}">{level.format(kind, text)}</w:abstractNum>'
        for at, kind, text in ((1, "ordinalText", "%1."), (2, "cardinalText", "Clause %1:"), (3, "numberInDash", "%1"))
    )
    lists += "".join(f'<w:num w:numId="{at}"><w:abstractNumId w:val="{at}"/></w:num>' for at in (1, 2, 3))
    items = "".join(
        f'<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="{at}"/></w:numPr></w:pPr>{_run("item")}</w:p>'
        for at in (1, 2, 3)
    )
    part = ("numbering", "numbering.xml", f"<w:numbering {_W}>{lists}</w:numbering>")
    text, messages = _said("docx-to-pdf", texts.word(items, {"n": part}))
    assert "First." in text
    assert "Clause One:" in text
    assert "no effect here: 1 (w:numFmt)" in messages


@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize(
    ("body", "named"),
    [
        ('<w:pgBorders><w:top w:val="apples" w:sz="24" w:space="24"/></w:pgBorders>', "w:pgBorders"),
        ('<w:pgBorders w:display="firstPage"><w:top w:val="single" w:sz="24"/></w:pgBorders>', "w:pgBorders"),
        ('<w:pgBorders><w:top w:val="double" w:sz="24" w:space="24"/></w:pgBorders>', ""),
    ],
    ids=["pictures", "first page", "lines"],
)
def test_borders_of_pages_that_the_suite_does_not_draw_are_counted(body: str, named: str) -> None:
    section = f'<w:sectPr><w:pgSz w:w="11906" w:h="16838"/>{body}</w:sectPr>'
    _, messages = _said("docx-to-pdf", texts.word(f"<w:p>{_run('text')}</w:p>{section}"))
    assert ("no effect here: 1 (w:pgBorders)" in messages) is bool(named)


@pytest.mark.usefixtures("installed")
def test_fonts_of_headers_and_of_east_asian_texts_are_named() -> None:
    font = '<w:rFonts w:ascii="No Such Mincho" w:eastAsia="No Such Song"/>'
    head = f"<w:hdr {_W}><w:p>{_run('Head', font.replace('Mincho', 'Head'))}</w:p></w:hdr>"
    _, messages = _said(
        "docx-to-pdf", texts.word(f"<w:p>{_run('text', font)}</w:p>", {"h": ("header", "header1.xml", head)})
    )
    assert "“No Such Mincho” is not installed" in messages
    assert "“No Such Head” is not installed" in messages
    assert "Song" not in messages
    _, messages = _said("docx-to-pdf", texts.word(f"<w:p>{_run('中文', font)}</w:p>"))
    assert "“No Such Song” is not installed" in messages


@pytest.mark.usefixtures("installed")
def test_numbers_and_turned_texts_of_slides_that_the_suite_does_not_draw_are_counted() -> None:
    numbers = "".join(
        f'<a:p><a:pPr><a:buAutoNum type="{kind}"/></a:pPr><a:r><a:t>item</a:t></a:r></a:p>'
        for kind in ("arabicPeriod", "thaiNumPeriod", "hindiNumPeriod")
    )
    turned = box(numbers).replace("<a:bodyPr/>", '<a:bodyPr vert="wordArtVert"/>').encode()
    slide = "ppt/slides/slide1.xml"
    data = edited(files.pptx(), slide, lambda part: part.replace(b"</p:spTree>", turned + b"</p:spTree>"))
    _, messages = _said("pptx-to-pdf", data)
    assert "no effect here: 3 (a:buAutoNum × 2, a:bodyPr)" in messages
