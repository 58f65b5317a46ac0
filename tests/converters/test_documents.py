"""Documents: the options, what is kept and named as lost, and what must never be read."""

from __future__ import annotations

import base64
import re
import resource
import zipfile
from io import BytesIO
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.families.registry import CONVERTERS
from engine.toolkit import archive
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.documents import files
from tests.families.documents import seen as texts
from tests.families.images import files as pictures


class Convert:
    """One conversion in a folder of its own: the bytes that came out, the codes of its warnings, what was detected."""

    def __init__(self, folder: Path, slug: str, source: bytes | str, **options: object) -> None:
        converter = CONVERTERS[slug]
        path = folder / f"input.{converter.input.id}"
        path.write_bytes(source.encode() if isinstance(source, str) else source)
        target = folder / f"output.{converter.output.id}"
        warn = Warn()
        self.format = converter.run(path, target, build(converter.options, options), warn) or converter.output
        self.data = target.read_bytes()
        self.codes = {each.code for each in warn.warnings}
        self.messages = " ".join(each.message for each in warn.warnings)
        self.detected = warn.detected

    @property
    def text(self) -> str:
        return self.data.decode()


@pytest.mark.parametrize(
    ("choice", "kept", "gone"),
    [("accept", ["1000"], ["900", "Please check"]), ("reject", ["900"], ["1000"])],
)
def test_tracked_changes_are_accepted_or_rejected(
    tmp_path: Path, choice: str, kept: list[str], gone: list[str]
) -> None:
    done = Convert(tmp_path, "docx-to-txt", files.docx_reviewed(), trackChanges=choice)
    assert all(each in done.text for each in kept)
    assert not any(each in done.text for each in gone)
    assert "COMMENTS_DROPPED" in done.codes


@pytest.mark.parametrize("target", ["markdown", "odt", "rtf", "txt"])
def test_word_files_may_have_other_prefixes(tmp_path: Path, target: str) -> None:
    """As `xml.etree` writes them: ns0, ns1 and so on."""
    with zipfile.ZipFile(BytesIO(files.docx())) as parts:
        held = {name: parts.read(name) for name in parts.namelist()}
    spelled = {
        name: ElementTree.tostring(ElementTree.fromstring(data)) if name.startswith("word/") and name[-4:] == ".xml"
        else data
        for name, data in held.items()
    }  # fmt: skip
    assert b"<ns0:document" in spelled["word/document.xml"]
    options = {"pictures": "drop"} if target == "markdown" else {}
    done = Convert(tmp_path, f"docx-to-{target}", files.archive(spelled), **options)
    usual = Convert(tmp_path, f"docx-to-{target}", files.docx(), **options)
    seen, asked = (texts.SEEN[target](each.data).text for each in (done, usual))
    assert "Sales grew in Zürich" in seen
    assert seen == asked
    assert done.codes == usual.codes


def test_charts_are_named_where_there_are_some(tmp_path: Path) -> None:
    chart = "http://schemas.openxmlformats.org/drawingml/2006/chart"
    declared = f'<w:p xmlns:c="{chart}"><w:r><w:t>Text</w:t></w:r></w:p>'
    drawn = (
        '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/'
        'wordprocessingDrawing"><a:graphic xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main">'
        f'<a:graphicData uri="{chart}"/></a:graphic></wp:inline></w:drawing></w:r></w:p>'
    )
    assert "Charts" not in Convert(tmp_path, "docx-to-markdown", files.word(declared)).messages
    assert (
        "Charts without stored values" in Convert(tmp_path, "docx-to-markdown", files.word(declared + drawn)).messages
    )


@pytest.mark.parametrize("target", ["html", "markdown", "odt", "rtf"])
def test_all_tracked_changes_and_comments_can_be_shown(tmp_path: Path, target: str) -> None:
    done = Convert(tmp_path, f"docx-to-{target}", files.docx_reviewed(), trackChanges="all")
    seen = texts.SEEN[target](done.data).text
    assert all(each in seen for each in ("900", "1000", "Comment by Ann:", "Please check"))
    assert "COMMENTS_DROPPED" not in done.codes


def test_text_boxes_follow_the_paragraph_that_holds_them(tmp_path: Path) -> None:
    done = Convert(tmp_path, "docx-to-txt", files.docx_reviewed())
    assert done.text.index("euros") < done.text.index("Text in a box")
    assert "VALUE_CONVERTED" in done.codes


def test_pictures_are_files_or_inside_or_left_out(tmp_path: Path) -> None:
    folders = [tmp_path / name for name in ("files", "embed", "drop")]
    for folder in folders:
        folder.mkdir()
    packed = Convert(folders[0], "docx-to-markdown", files.docx())
    embedded = Convert(folders[1], "docx-to-markdown", files.docx(), pictures="embed")
    dropped = Convert(folders[2], "docx-to-markdown", files.docx(), pictures="drop")
    assert packed.format.id == "zip"
    with zipfile.ZipFile(BytesIO(packed.data)) as file:
        assert file.namelist() == ["document.md", "pictures/picture-1.png"]
        assert file.read("pictures/picture-1.png") == files.png()
    assert embedded.format.id == "markdown"
    assert files.DATA_URI in embedded.text
    assert "data:image" not in dropped.text
    assert "The red logo" in dropped.text
    assert "CONTENT_DROPPED" in dropped.codes


@pytest.mark.parametrize("source", ["docx", "odt", "epub", "rtf"])
def test_pictures_survive_from_one_office_format_to_another(tmp_path: Path, source: str) -> None:
    made = {"docx": files.docx(), "odt": files.odt(), "epub": files.epub(), "rtf": files.RTF.encode()}[source]
    for target in {"docx", "odt", "epub"} - {source}:
        folder = tmp_path / target
        folder.mkdir()
        with zipfile.ZipFile(BytesIO(Convert(folder, f"{source}-to-{target}", made).data)) as file:
            assert files.png() in [file.read(name) for name in file.namelist()]


def test_a_document_survives_a_round_trip_through_every_office_format(tmp_path: Path) -> None:
    data, previous = files.MARKDOWN.encode(), "markdown"
    for target in ("docx", "odt", "rtf", "epub", "html", "rst"):
        folder = tmp_path / target
        folder.mkdir()
        data = Convert(folder, f"{previous}-to-{target}", data, **{"pictures": "embed"} if target == "rst" else {}).data
        previous = target
    text = data.decode()
    for each in ("Sales", "Zürich", "東京", "1,200", "Audited figures", "data:image/png"):
        assert each in text, each


# Never read, never fetched


@pytest.mark.parametrize("target", ["html", "docx", "txt", "epub", "pdf"])
def test_local_files_are_never_read(tmp_path: Path, target: str) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("the secret text", "utf-8")
    rst = f"Text\n\n.. include:: {secret}\n\n.. include:: secret.txt\n\n.. raw:: html\n   :file: {secret}\n\nEnd\n"
    done = Convert(tmp_path, f"rst-to-{target}", rst)
    assert "the secret text" not in texts.SEEN[target](done.data).text
    assert "REMOTE_RESOURCE_BLOCKED" in done.codes


@pytest.mark.parametrize("address", ["http://203.0.113.7/a.png", "file:///etc/hostname", "/etc/hostname", "../a.png"])
@pytest.mark.parametrize("slug", ["markdown-to-docx", "markdown-to-epub"])
def test_pictures_outside_the_file_are_named_and_not_loaded(tmp_path: Path, slug: str, address: str) -> None:
    done = Convert(tmp_path, slug, f"Text ![The far picture]({address})")
    assert "REMOTE_RESOURCE_BLOCKED" in done.codes
    assert address in done.messages
    with zipfile.ZipFile(BytesIO(done.data)) as file:
        assert not [name for name in file.namelist() if "media/" in name and not name.endswith("/")]


@pytest.mark.parametrize(
    ("source", "target"),
    [(a, b) for a in ("markdown", "html", "rst", "epub") for b in ("html", "markdown", "epub") if a != b],
)
def test_nothing_active_comes_out(tmp_path: Path, source: str, target: str) -> None:
    made = {
        "markdown": files.MARKDOWN_AWKWARD.encode(),
        "html": files.HTML_AWKWARD.encode(),
        "rst": files.RST_AWKWARD.encode(),
        "epub": files.epub_awkward(),
    }[source]
    done = Convert(tmp_path, f"{source}-to-{target}", made)
    text = texts.SEEN[target](done.data).text
    assert not re.search(r"<script>(?!code)|javascript:|onclick|onload|<iframe", text, re.IGNORECASE)
    assert "SCRIPT_REMOVED" in done.codes


# Titles and identifiers


def test_a_book_has_a_title_and_an_identifier_that_follows_its_content(tmp_path: Path) -> None:
    found = []
    for name, text in (("one", "# First\n\na"), ("two", "# First\n\na"), ("three", "Other text")):
        folder = tmp_path / name
        folder.mkdir()
        with zipfile.ZipFile(BytesIO(Convert(folder, "markdown-to-epub", text).data)) as file:
            package = file.read("EPUB/content.opf").decode()
        title, identifier = (re.search(rf"<dc:{tag}[^>]*>([^<]+)<", package) for tag in ("title", "identifier"))
        assert title is not None
        assert identifier is not None
        found.append((title[1], identifier[1]))
    assert [title for title, _ in found] == ["First", "First", "Untitled"]
    assert found[0] == found[1]
    assert found[0][1] != found[2][1]


def test_the_title_and_language_options_hold(tmp_path: Path) -> None:
    done = Convert(tmp_path, "markdown-to-html", "# Heading", title="A <b> title", language="pt-BR")
    assert "<title>A &lt;b&gt; title</title>" in done.text
    assert '<html lang="pt-BR">' in done.text
    done = Convert(tmp_path, "markdown-to-epub", "# Heading", title="A <b> title", language="pt-BR")
    with zipfile.ZipFile(BytesIO(done.data)) as file:
        package = file.read("EPUB/content.opf").decode()
    assert "A &lt;b&gt; title</dc:title>" in package
    assert "<dc:language>pt-BR</dc:language>" in package


def test_a_title_that_is_the_first_heading_is_not_repeated(tmp_path: Path) -> None:
    done = Convert(tmp_path, "markdown-to-txt", "---\ntitle: Handbook\n---\n# Handbook\n\nText")
    assert done.text.count("Handbook") == 1


# Markdown


def test_titles_of_links_and_pictures_may_hold_quotes_in_markdown(tmp_path: Path) -> None:
    page = """<p><a href="https://a.example" title='say "hi" \\'>link</a> <img src="b.png" alt="p" title='a "b"'>"""
    done = Convert(tmp_path, "html-to-markdown", page)
    assert done.text.startswith('[link](https://a.example "say \\"hi\\" \\\\")')


def test_markdown_headings_have_the_anchors_that_links_expect(tmp_path: Path) -> None:
    done = Convert(tmp_path, "markdown-to-html", "# A *b* & C!\n\n# A b & C\n\n## 東京", standalone=False)
    assert re.findall(r'id="([^"]*)"', done.text) == ["a-b--c", "a-b--c-1", "東京"]


def test_harmless_html_inside_markdown_is_kept_unless_told_otherwise(tmp_path: Path) -> None:
    text = "H<sub>2</sub>O<br>\n\n<details><summary>More</summary>\n\n**bold**\n\n</details>\n"
    kept = Convert(tmp_path, "markdown-to-html", text, standalone=False)
    assert "<sub>2</sub>" in kept.text
    assert "<summary>More</summary>" in kept.text
    assert kept.codes == set()
    removed = Convert(tmp_path, "markdown-to-html", text, standalone=False, rawHtml="remove")
    assert "<sub>" not in removed.text
    assert removed.codes == {"CONTENT_DROPPED"}


def test_html_inside_markdown_becomes_structure_in_a_word_document(tmp_path: Path) -> None:
    done = Convert(tmp_path, "markdown-to-docx", "H<sub>2</sub>O<br>x\n\n<table><tr><td>one<td>two</table>\n")
    with zipfile.ZipFile(BytesIO(done.data)) as file:
        document = file.read("word/document.xml").decode()
    assert 'w:val="subscript"' in document
    assert "<w:br" in document


def test_front_matter_that_is_none_is_text(tmp_path: Path) -> None:
    done = Convert(tmp_path, "markdown-to-html", "---\nJust a line\n\n---\nmore", standalone=False)
    assert "Just a line" in done.text
    done = Convert(tmp_path, "markdown-to-html", "---\ntags: a, b\ntitle: T\n---\ntext", standalone=False)
    assert "tags" not in done.text
    assert done.codes == {"METADATA_DROPPED"}


def test_a_line_of_dashes_is_no_nesting(tmp_path: Path) -> None:
    done = Convert(tmp_path, "markdown-to-html", "a\n\n" + "- " * 500 + "\n\n" + "*" * 5_000, standalone=False)
    assert done.text.count("<hr") == 2


# Text and encodings


def test_spaces_and_lines_of_plain_text_are_kept(tmp_path: Path) -> None:
    done = Convert(tmp_path, "txt-to-html", "a  b\n  c\n\n<d> & e", standalone=False)
    assert done.text == "<p>a\xa0 b<br />\n\xa0\xa0c</p>\n<p>&lt;d&gt; &amp; e</p>\n"
    done = Convert(tmp_path, "txt-to-html", "a  b\n\tc", standalone=False, layout="preformatted")
    assert done.text == "<pre>a  b\n        c</pre>\n"


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_marks_of_the_encoding_are_understood(tmp_path: Path, encoding: str) -> None:
    done = Convert(tmp_path, "txt-to-html", "東京 😀".encode(encoding), standalone=False)
    assert done.text == "<p>東京 😀</p>\n"
    assert done.detected["encoding"] == encoding.removesuffix("-sig")


def test_the_encoding_option_beats_what_a_page_says_of_itself(tmp_path: Path) -> None:
    page = '<meta charset="windows-1251"><p>Привет</p>'
    declared = Convert(tmp_path, "html-to-txt", page.encode("cp1251"))
    assert declared.text.strip() == "Привет"
    assert declared.detected["encoding"] == "windows-1251"
    given = Convert(tmp_path, "html-to-txt", page.encode("koi8-r"), encoding="koi8-r")
    assert given.text.strip() == "Привет"
    with pytest.raises(InvalidOption):
        Convert(tmp_path, "html-to-txt", page, encoding="no-such-code")


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (rb"{\rtf1\ansi\ansicpg1251 \'cf\'f0\'e8\'e2\'e5\'f2}", "Привет"),
        (rb"{\rtf1{\fonttbl{\f0 A;}{\f1\fcharset134 B;}}\f1\'d6\'d0\'ce\'c4{\f0\'e9}}", "中文é"),
        (rb"{\rtf1 x\u-10179?\u-8704?y}", "x😀y"),
        (rb"{\rtf1\uc0\u26481\u20140\uc2\u26481\'93\'8cz}", "東京東z"),
        (rb"{\rtf1 a\par\u233?b}", "a\n\néb"),
        (rb"{\rtf1 \{\u92?\}}", "{\\}"),
        (b"{\\rtf1 a \\\xa6 b}", "a ¦ b"),
    ],
)
def test_rtf_is_read_in_its_own_code_pages(tmp_path: Path, source: bytes, text: str) -> None:
    assert Convert(tmp_path, "rtf-to-txt", source).text.strip() == text


def test_a_picture_of_raw_bytes_in_rtf_is_kept(tmp_path: Path) -> None:
    picture = pictures.photo("jpg")
    source = b"{\\rtf1 before {\\pict\\jpegblip\\bin%d %b} after}" % (len(picture), picture)
    made = Convert(tmp_path, "rtf-to-html", source).text
    assert base64.b64encode(picture).decode() in made
    assert re.search("before.*after", made, re.DOTALL)


def test_lines_are_as_long_as_asked(tmp_path: Path) -> None:
    text = "word " * 100
    assert max(map(len, Convert(tmp_path, "markdown-to-txt", text).text.split("\n"))) <= 80
    assert max(map(len, Convert(tmp_path, "markdown-to-txt", text, lineWidth=40).text.split("\n"))) <= 40
    assert len(Convert(tmp_path, "markdown-to-txt", text, lineWidth=0).text.strip().split("\n")) == 1


# Hostile files


@pytest.mark.parametrize("slug", ["docx-to-txt", "odt-to-html", "epub-to-markdown"])
def test_archives_that_unpack_to_too_much_are_refused(tmp_path: Path, slug: str) -> None:
    with pytest.raises(OverLimit):
        Convert(tmp_path, slug, files.archive({"[Content_Types].xml": b"0" * 30_000_000}))
    with pytest.raises(OverLimit):
        Convert(tmp_path, slug, files.archive({f"part{n}.xml": "" for n in range(archive.MAX_ENTRIES + 1)}))
    with pytest.raises(Unreadable):
        Convert(tmp_path, slug, files.archive({"../outside.xml": "x"}))


@pytest.mark.parametrize(
    ("slug", "source"),
    [
        ("html-to-docx", "<ul><li>" * 300 + "x"),
        ("html-to-docx", "<p>" + "<b>" * 3_000),
        ("markdown-to-docx", "- " * 3_000 + "x"),
        ("rst-to-txt", ".. csv-table::\n   :file: /etc/passwd\n"),
        ("markdown-to-pdf", "> " * 3_000 + "x"),
        ("docx-to-html", b"PK\x05\x06" + bytes(18)),
        ("odt-to-txt", files.archive({"content.xml": "<a><b></a>", "mimetype": "x"})),
        ("rtf-to-html", b"{\\rtf1 {\\b text"),
        ("epub-to-txt", files.archive({"META-INF/container.xml": "<container/>"})),
        ("docx-to-txt", files.archive({"[Content_Types].xml": "<T", "word/document.xml": "<w:document"})),
    ],
)
def test_broken_files_are_unreadable(tmp_path: Path, slug: str, source: bytes | str) -> None:
    with pytest.raises((Unreadable, OverLimit)):
        Convert(tmp_path, slug, source)


def _says(text: str, style: str = "") -> str:
    named = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{named}{_RUN.format(text) if text else ''}</w:p>"


_RUN = '<w:r><w:t xml:space="preserve">{}</w:t></w:r>'
_SPACE = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'


@pytest.mark.parametrize("target", ["markdown", "odt", "rtf", "epub"])
def test_no_words_are_lost_in_what_is_around_them(tmp_path: Path, target: str) -> None:
    field = '<w:fldSimple w:instr=" MERGEFIELD Name ">{}</w:fldSimple><w:fldSimple w:instr="X"/>'
    custom = '<w:customXml w:uri="u" w:element="e"><w:customXmlPr><w:attr w:name="n" w:val="1"/></w:customXmlPr>{}'
    custom += "</w:customXml>"
    around = f'{field}{custom}<w:dir w:val="rtl">{{}}</w:dir><w:bdo w:val="rtl">{{}}</w:bdo>'
    inside = around.format(*(_RUN.format(f"{each} ") for each in ("merged", "tagged", "turned", "forced")))
    note = '<w:p><w:r><w:t>noted</w:t><w:footnoteReference w:id="2"/></w:r></w:p>'
    foot = f'<w:footnotes {_SPACE}><w:footnote w:id="2"><w:p><w:dir w:val="rtl">{_RUN.format("below")}</w:dir></w:p>'
    box = '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"><mc:Choice '
    box += f'Requires="wps"><w:drawing><w:txbxContent>{_says("boxed")}</w:txbxContent></w:drawing></mc:Choice>'
    box += f"<mc:Fallback><w:pict><w:txbxContent>{_says('boxed')}</w:txbxContent></w:pict></mc:Fallback>"
    box += "</mc:AlternateContent>"
    body = (
        f"<w:p>{inside}</w:p>{note}<w:p><w:r>{box}</w:r>{_RUN.format('beside')}</w:p></w:body><w:body>{_says('second')}"
    )
    parts = {"f": ("footnotes", "footnotes.xml", f"{foot}</w:footnote></w:footnotes>")}
    seen = texts.SEEN[target](Convert(tmp_path, f"docx-to-{target}", files.word(body, parts)).data).text
    for word in ("merged", "tagged", "turned", "forced", "noted", "below", "beside", "boxed", "second"):
        assert seen.count(word) == 1, word
    assert seen.index("beside") < seen.index("boxed")


@pytest.mark.parametrize("target", ["markdown", "txt", "odt", "rtf", "epub", "html"])
def test_of_several_titles_each_is_kept(tmp_path: Path, target: str) -> None:
    styles = f'<w:styles {_SPACE}><w:style w:type="paragraph" w:styleId="Titel"><w:name w:val="Title"/></w:style>'
    styles += '<w:style w:type="paragraph" w:styleId="U"><w:name w:val="Subtitle"/></w:style></w:styles>'
    body = (
        _says("", "Titel")
        + _says("Great", "Titel")
        + _says("Small", "U")
        + _says("", "Titel")
        + _says("Other", "Titel")
    )
    data = files.word(body + _says("text"), {"s": ("styles", "styles.xml", styles)})
    options = {"style": "page"} if target == "html" else {}
    done = Convert(tmp_path, f"docx-to-{target}", data, **options)
    seen = done.text if target in ("html", "txt") else texts.SEEN[target](done.data).text
    assert [word for word in ("Great", "Small", "Other", "text") if word not in seen] == []


_DGM = "http://schemas.openxmlformats.org/drawingml/2006/diagram"
_MAIN = "http://schemas.openxmlformats.org/drawingml/2006/main"


def _diagram() -> tuple[str, str]:
    """The drawing and the data of a diagram whose points stand in another order than they are read."""
    points = "".join(
        f'<d:pt modelId="{id}" type="{kind}"><d:t><a:p><a:r><a:t>{text}</a:t></a:r></a:p></d:t></d:pt>'
        for id, kind, text in (
            ("3", "node", "third"), ("1", "node", "first"), ("2", "node", "second"), ("0", "doc", ""),
            ("9", "pres", "never"),
        )
    )  # fmt: skip
    ends = (("0", "3", 1), ("0", "1", 0), ("1", "2", 0), ("3", "0", 0))
    lines = "".join(f'<d:cxn srcId="{start}" destId="{end}" srcOrd="{at}"/>' for start, end, at in ends)
    data = f'<d:dataModel xmlns:d="{_DGM}" xmlns:a="{_MAIN}"><d:ptLst>{points}</d:ptLst><d:cxnLst>{lines}</d:cxnLst>'
    drawing = (
        '<w:p><w:r><w:drawing><wp:inline xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing">'
        f'<wp:extent cx="2540000" cy="1270000"/><a:graphic xmlns:a="{_MAIN}"><a:graphicData uri="{_DGM}"><dgm:relIds '
        f'xmlns:dgm="{_DGM}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships" r:dm="k"/>'
        f"</a:graphicData></a:graphic></wp:inline></w:drawing></w:r>{_RUN.format('beside')}</w:p>"
    )
    return drawing, f"{data}</d:dataModel>"


@pytest.mark.parametrize("target", ["markdown", "odt", "html", "pdf"])
def test_diagrams_are_lists_of_their_texts(tmp_path: Path, target: str) -> None:
    drawing, data = _diagram()
    done = Convert(tmp_path, f"docx-to-{target}", files.word(drawing, {"k": ("diagramData", "data1.xml", data)}))
    seen = done.text if target == "html" else texts.SEEN[target](done.data).text
    places = [seen.index(word) for word in ("first", "second", "third")]
    assert places == sorted(places)
    assert "beside" in seen
    assert "never" not in seen
    assert "VALUE_CONVERTED" in done.codes
    assert "CONTENT_DROPPED" not in done.codes


def test_a_book_whose_package_lies_beside_its_texts_is_read(tmp_path: Path) -> None:
    made = BytesIO()
    with zipfile.ZipFile(BytesIO(files.epub())) as book, zipfile.ZipFile(made, "w") as moved:
        for name in book.namelist():
            data = book.read(name)
            if name == "META-INF/container.xml":
                data = data.replace(b"book.opf", b"package/book.opf")
            if name.endswith(".opf"):
                name = "package/book.opf"
                data = re.sub(rb'href="', rb'href="../', data)
            moved.writestr(name, data)
    as_is = Convert(tmp_path, "epub-to-html", files.epub())
    assert texts.html(Convert(tmp_path, "epub-to-html", made.getvalue()).data) == texts.html(as_is.data)
    assert texts.html(as_is.data).pictures == 1


def test_looks_that_the_output_could_hold_are_named(tmp_path: Path) -> None:
    rich = r"{\rtf1\ansi\cols2{\pard\qc Red\par}{\pard Black\par}}"
    done = Convert(tmp_path, "rtf-to-docx", rich)
    assert "STYLE_DROPPED" in done.codes
    assert "left out: columns." in done.messages
    assert "STYLE_DROPPED" not in Convert(tmp_path, "rtf-to-docx", r"{\rtf1\ansi Plain\par}").codes
    assert "STYLE_DROPPED" not in Convert(tmp_path, "rtf-to-markdown", rich).codes


@pytest.mark.parametrize("target", ["html", "pptx", "revealjs", "docx"])
@pytest.mark.parametrize(("comment", "named"), [("<!-- for the speaker -->", True), ("`<!-- code -->`", False)])
def test_comments_in_markdown_are_named(tmp_path: Path, target: str, comment: str, named: bool) -> None:
    done = Convert(tmp_path, f"markdown-to-{target}", f"# A\n\nText\n\n{comment}\n".encode())
    assert ("COMMENTS_DROPPED" in done.codes) == named


@pytest.mark.parametrize(
    ("slug", "block"), [("markdown-to-docx", "- a\n"), ("html-to-docx", "<li>a"), ("txt-to-docx", "a\n\n")]
)
def test_more_blocks_than_pandoc_can_read_are_refused_before_it_starts(tmp_path: Path, slug: str, block: str) -> None:
    before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    with pytest.raises(OverLimit, match="too many paragraphs, list items or table cells"):
        Convert(tmp_path, slug, block * 500_001)
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before < 1
