"""Each kind that is counted in the results of a writer has a mutation that drops it, and each mutation is named."""

from __future__ import annotations

import base64
import bz2
import gzip
import io
import lzma
import sqlite3
import zipfile
from collections.abc import Callable
from pathlib import Path

import polars
import pyarrow
import pyarrow.orc
import pytest
from backports import zstd
from fontTools import subset
from fontTools.fontBuilder import FontBuilder
from fontTools.ttLib import TTFont
from PIL import Image

from engine.families import auditing
from engine.families.data.counting import looks
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters import test_texts_kept
from tests.engine import rich_files, test_no_place
from tests.engine import test_lettering_census as lettering
from tests.engine import test_map_and_model_census as maps
from tests.engine import test_paragraph_census as paragraphs
from tests.engine import test_picture_census as pictures
from tests.engine import test_table_census as tables
from tests.engine import test_torn_results as texts
from tests.engine import test_torn_structures as structures
from tests.engine import test_values_of_small_formats as small
from tests.engine.losing import Tear, change, each_part, lost

ADDRESS = f"data:image/png;base64,{base64.b64encode(rich_files.PNG).decode()}"
NOTE = f'<h1>Offer</h1><p>Twelve chairs, <a href="https://example.org/a">as agreed</a>.</p><p><img src="{ADDRESS}"></p>'
MARKDOWN = (
    f"# Offer\n\nTwelve chairs[^1], [as agreed](https://example.org/a).\n\n![plan]({ADDRESS})\n\n[^1]: Painted.\n"
)


MARKUP = {
    "latex": (r"\\pandocbounded{.*?}}|\\includegraphics[^}]*}", r"\\footnote{", r"\\href{[^}]*}"),
    "typst": (r"#?box\(image\(.*?\)\)|image\(.*?\)", r"#footnote\[", r"#link\([^)]*\)"),
    "rst": (r"\.\. \|\w+\| image:: \S*", r"\[1\]_", r"`as agreed <[^>]*>`__"),
    "org": (r"\[\[file:.*?\]\]", r"\[fn:1\]", r"\[\[https[^\]]*\]"),
    "asciidoc": (r"image:.*?\]", r"footnote:\[.*?\]", r"(link:)?https[^\[]*"),
    "mediawiki": (r"\[\[File:.*?\]\]", r"<ref>.*?</ref>", r"\[https\S*"),
    "jira": (r"!picture.*?!", "", r"\|https[^\]]*"),
    "docbook": (r"<imagedata [^>]*>", r"<footnote>.*?</footnote>", r"<link [^>]*>"),
}
"""How each markup language begins a picture, a note if it has any, and a link."""
DOCUMENTS: dict[tuple[str, str], Tear] = {
    ("docx", "words"): each_part("Twelve"),
    ("docx", "pictures"): each_part("<a:blip ", "<a:none "),
    ("docx", "links"): each_part("w:hyperlink", "w:smartTag"),
    ("docx", "notes"): each_part("<w:footnoteReference [^>]*>"),
    ("odt", "words"): each_part("Twelve"),
    ("odt", "pictures"): each_part("<draw:image", "<draw:none"),
    ("odt", "links"): each_part("<text:a ([^>]*)>(.*?)</text:a>", r"\2"),
    ("odt", "notes"): each_part("<text:note .*?</text:note>"),
    ("rtf", "words"): change("Twelve"),
    ("rtf", "pictures"): change(r"\\pict\b", r"\\none"),
    ("rtf", "links"): change("HYPERLINK", "NOTHING"),
    ("rtf", "notes"): change(r"\\footnote", r"\\none"),
    ("pptx", "words"): each_part("Twelve"),
    ("pptx", "pictures"): each_part("<a:blip ", "<a:none "),
    ("pptx", "links"): each_part("<a:hlinkClick ", "<a:none "),
    ("epub", "words"): each_part("Twelve"),
    ("epub", "pictures"): each_part("<img [^>]*>"),
    ("fb2", "words"): change("Twelve"),
    ("fb2", "pictures"): change("<image [^>]*>"),
    ("html", "words"): change("Twelve"),
    ("html", "pictures"): change("<img [^>]*>"),
    ("html", "links"): change('href="https[^"]*"'),
    ("opml", "words"): change("Twelve"),
    ("markdown", "words"): each_part("Twelve"),
    ("markdown", "links"): each_part(r"\]\(https[^)]*\)", "]"),
    ("markdown", "notes"): each_part(r"\[\^1\]", ""),
    ("markdown", "pictures"): each_part(r"!\[", "["),
    ("txt", "words"): change("Twelve"),
    ("epub", "links"): each_part('href="https[^"]*"'),
    ("epub", "notes"): each_part('epub:type="noteref" role="doc-noteref"'),
    ("fb2", "links"): change('l:href="https[^"]*"'),
    ("fb2", "notes"): change('type="note"'),
    ("ipynb", "words"): change("Twelve"),
    ("ipynb", "links"): change(r"\]\(https[^)]*\)", "]"),
    **{(output, "words"): each_part("Twelve") for output in MARKUP},
    **{(output, "links"): each_part(old) for output, (_, _, old) in MARKUP.items() if output != "typst"},
    **{(output, "pictures"): each_part(old) for output, (old, _, _) in MARKUP.items()},
    **{(output, "notes"): each_part(old) for output, (_, old, _) in MARKUP.items() if old and output != "typst"},
}
"""What each writer of documents loses of a page, or of Markdown with a footnote."""


WORKBOOKS: dict[tuple[str, str], Tear] = {
    ("xlsx", "links"): each_part("<hyperlink .*?/>"),
    ("xlsx", "order"): each_part(r"<v>3</v>(.*?)<v>4</v>", r"<v>4</v>\1<v>3</v>"),
    ("xlsx", "comments"): each_part("<comment .*?</comment>"),
    ("ods", "comments"): each_part("<office:annotation>.*?</office:annotation>"),
    ("ods", "order"): each_part(r'office:value="3"(.*?)office:value="4"', r'office:value="4"\1office:value="3"'),
    ("ods", "links"): each_part("<text:a ([^>]*)>(.*?)</text:a>", r"\2"),
    ("ods", "sheets"): each_part('<table:table table:name="Second".*?</table:table>'),
    ("ods", "columns"): each_part("<table:table-cell[^>]*><text:p>twice</text:p></table:table-cell>"),
}
"""What each writer of workbooks loses of one with a formula, a link and a second sheet."""


def orc(alter: Callable[[pyarrow.Table], pyarrow.Table]) -> Tear:
    def tear(made: bytes) -> bytes:
        out = io.BytesIO()
        pyarrow.orc.write_table(alter(pyarrow.orc.read_table(io.BytesIO(made))), out)
        return out.getvalue()

    return tear


def towns(made: polars.DataFrame) -> polars.DataFrame:
    return made.with_columns(town=polars.Series(["Ayr", "Cork", "Bonn"]))


def swapped(made: pyarrow.Table) -> pyarrow.Table:
    return made.set_column(made.column_names.index("town"), "town", [["Ayr", "Cork", "Bonn"]])


def text_swapped(made: bytes) -> bytes:
    return made.replace(b"Bonn", b"@").replace(b"Cork", b"Bonn").replace(b"@", b"Cork")


ROWS: dict[tuple[str, str], Tear] = {
    **{(output, "order"): text_swapped for output in ("csv", "tsv", "json", "ndjson", "html", "markdown")},
    **{(output, "order"): tables.frame(towns, output) for output in ("parquet", "arrow", "avro")},
    ("sqlite", "order"): tables.query(
        "UPDATE data SET town = CASE town WHEN 'Bonn' THEN 'Cork' ELSE 'Bonn' END WHERE town > 'B'"
    ),
    ("orc", "rows"): orc(lambda made: made.slice(0, 2)),
    ("orc", "columns"): orc(lambda made: made.drop(["town"])),
    ("orc", "values"): orc(lambda made: made.set_column(1, made.column_names[1], [["Ayr", "Born", "Cork"]])),
    ("orc", "order"): orc(swapped),
}
"""What each writer of rows loses of the people of the test of tables."""


@pytest.mark.parametrize(("output", "kind"), DOCUMENTS, ids=str)
def test_what_a_writer_of_documents_loses_is_named(tmp_path: Path, output: str, kind: str) -> None:
    given = "docx" if output in ("markdown", "html") else "markdown" if kind == "notes" or output == "ipynb" else "html"
    data = NOTE.encode() if given == "html" else MARKDOWN.encode()
    if given == "docx":
        source, made = tmp_path / "note.markdown", tmp_path / "note.docx"
        source.write_text(MARKDOWN)
        converter = CONVERTERS["markdown-to-docx"]
        converter.run(source, made, build(converter.options, {}), Warn())
        data = made.read_bytes()
    slug = f"{given}-to-{output}"
    assert kind not in lost(tmp_path, slug, data, None)
    assert kind in lost(tmp_path, slug, data, DOCUMENTS[output, kind])


@pytest.mark.parametrize(("output", "kind"), WORKBOOKS, ids=str)
def test_what_a_writer_of_workbooks_loses_is_named(tmp_path: Path, output: str, kind: str) -> None:
    slug = f"{'ods' if output == 'xlsx' else 'xlsx'}-to-{output}"
    data = rich_files.workbook()
    if output == "xlsx":
        source, made = tmp_path / "book.xlsx", tmp_path / "book.ods"
        source.write_bytes(data)
        converter = CONVERTERS["xlsx-to-ods"]
        converter.run(source, made, build(converter.options, {}), Warn())
        data = made.read_bytes()
    before = lost(tmp_path, slug, data, None)
    assert kind in lost(tmp_path, slug, data, WORKBOOKS[output, kind]) - before


@pytest.mark.parametrize(("output", "kind"), ROWS, ids=str)
def test_what_a_writer_of_rows_loses_is_named(tmp_path: Path, output: str, kind: str) -> None:
    slug = f"{'tsv' if output == 'csv' else 'csv'}-to-{output}"
    data = (tables.PEOPLE.replace(",", "\t") if output == "csv" else tables.PEOPLE).encode()
    assert lost(tmp_path, slug, data, None) == set()
    assert kind in lost(tmp_path, slug, data, ROWS[output, kind])


def picture_losses(folder: Path, output: str) -> dict[str, bool]:
    """The kinds that pictures of this format hold, and whether the loss of each is named."""
    found: dict[str, bool] = {}
    format = CONVERTERS[f"png-to-{output}"].output
    counting = auditing.countings()[format]
    for name, (given, source) in rich_files.PICTURES.items():
        slug = f"{given}-to-{output}"
        if slug not in CONVERTERS:
            continue
        place = folder / f"{output}-{name}"
        place.mkdir()
        before = lost(place, slug, source(), None)
        whole = counting.count(place / f"output.{output}")
        if (place / f"output.{output}").read_bytes()[:2] == b"PK":
            continue
        bare = bared(output)
        said = lost(place, slug, source(), lambda made: bare)  # noqa: B023
        empty = counting.count(place / f"output.{output}")
        own = auditing.countings()[CONVERTERS[slug].input].count(place / f"input.{given}")
        for kind in counting.kinds - before:
            if min(whole.total(kind), own.total(kind)) > empty.total(kind):
                found[kind] = found.get(kind, True) and kind in said
        found["looks"] = found.get("looks", False) or "looks" in said  # not those of 16 bits, and of many pages
    return found


def bared(output: str) -> bytes:
    """A black picture of one grey channel and 8 bits, with nothing beside it."""
    return pictures.saved(Image.new("L", pictures.SIZE), PILLOW[output])


PILLOW = {
    "png": "PNG", "jpg": "JPEG", "webp": "WEBP", "avif": "AVIF", "tiff": "TIFF", "bmp": "BMP", "gif": "GIF",
    "ico": "ICO", "heic": "HEIF",
}  # fmt: skip

_DRAWN = frozenset({"channels", "looks"})
_KEPT = _DRAWN | {"exif", "profiles", "resolutions", "xmp"}
KEPT: dict[str, frozenset[str]] = {
    "png": _KEPT | {"transparency", "bits", "ranges", "frames", "remarks"},
    "jpg": _KEPT | {"remarks"},
    "webp": _KEPT - {"channels"} | {"transparency", "frames"},  # which has three channels for grey, too
    "avif": _KEPT | {"transparency", "frames"},
    "tiff": _KEPT | {"transparency", "bits", "pages"},
    "bmp": _DRAWN | {"resolutions"},
    "gif": _DRAWN | {"transparency", "frames", "remarks"},
    "ico": _DRAWN | {"transparency"},
    "heic": _KEPT | {"transparency"},
}
"""The kinds that each writer of pictures keeps of the rich ones."""


@pytest.mark.parametrize("output", PILLOW)
def test_all_that_a_picture_holds_is_named_when_it_becomes_a_black_one(tmp_path: Path, output: str) -> None:
    if f"png-to-{output}" not in CONVERTERS:
        pytest.skip("what writes it is an extra")
    if output == "heic":
        pytest.importorskip("pillow_heif").register_heif_opener()
    found = picture_losses(tmp_path, output)
    assert found == dict.fromkeys(KEPT[output], True)


def shapes(*, variable: bool = True) -> bytes:
    """A font with a coloured glyph and, if variable, an axis."""
    with TTFont(io.BytesIO(pictures.font()), recalcTimestamp=False) as opened:
        builder = FontBuilder(font=opened)
        if variable:
            builder.setupFvar([("wght", 400, 400, 900, "Weight")], [])
        builder.setupCOLR({"A": [("V", 0)]})
        builder.setupCPAL([[(1, 0, 0, 1)]])
        out = io.BytesIO()
        opened.save(out)
    return out.getvalue()


def no_axes(font: TTFont) -> None:
    del font["fvar"]


def no_colours(font: TTFont) -> None:
    del font["COLR"], font["CPAL"]


def fewer_glyphs(font: TTFont) -> None:
    subsetter = subset.Subsetter()
    subsetter.populate(text="Hello")
    subsetter.subset(font)


def empty_letters(font: TTFont) -> None:
    drawn = font["CFF "].cff.topDictIndex[0].CharStrings
    drawn["W"].program = ["endchar"]
    drawn["W"].bytecode = None


FONTS: dict[tuple[str, str], Callable[[TTFont], None]] = {
    (output, kind): alter
    for output in ("ttf", "woff", "woff2")
    for kind, alter in (("axes", no_axes), ("coloured", no_colours), ("glyphs", fewer_glyphs))
} | {
    ("otf", "coloured"): no_colours,
    ("otf", "glyphs"): fewer_glyphs,
    ("otf", "outlines"): empty_letters,
    ("otf", "characters"): pictures.no_letter,
    ("otf", "layout"): pictures.no_layout,
}


@pytest.mark.parametrize(("output", "kind"), FONTS, ids=str)
def test_what_a_writer_of_fonts_loses_is_named(tmp_path: Path, output: str, kind: str) -> None:
    data = shapes(variable=output != "otf")  # whose outlines can't vary
    assert lost(tmp_path, f"ttf-to-{output}", data, None) == set()
    assert kind in lost(tmp_path, f"ttf-to-{output}", data, pictures.refont(FONTS[output, kind]))


CUES = ("srt", "vtt", "ass", "sub", "ttml")


@pytest.mark.parametrize("output", CUES)
def test_what_a_writer_of_subtitles_loses_is_named(tmp_path: Path, output: str) -> None:
    given = "vtt" if output == "srt" else "srt"
    data = texts.CUES[given].encode()
    assert lost(tmp_path, f"{given}-to-{output}", data, None) <= {"looks"}
    assert {"cues", "words"} <= lost(tmp_path, f"{given}-to-{output}", data, texts.without("Omega"))


PACKED: dict[str, Callable[[bytes], bytes]] = {
    "tar": lambda made: made,
    "tgz": gzip.compress,
    "tbz2": bz2.compress,
    "txz": lzma.compress,
    "tzst": zstd.compress,
}


@pytest.mark.parametrize("output", PACKED)
def test_what_a_writer_of_archives_loses_is_named(tmp_path: Path, output: str) -> None:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("a.txt", "one")
        archive.writestr("b.txt", "two")
    kept = PACKED[output](tables._archive({"a.txt": b"one"}))
    assert lost(tmp_path, f"zip-to-{output}", whole.getvalue(), None) == set()
    assert lost(tmp_path, f"zip-to-{output}", whole.getvalue(), lambda made: kept) == {"files"}


OTHERS: dict[tuple[str, str], tuple[str, Callable[[], bytes], Tear]] = {
    ("xlsx", "sheets"): ("sqlite", lambda: database(), each_part('<sheet name="Second"[^>]*/>')),
    ("sqlite", "sheets"): ("xlsx", rich_files.workbook, tables.query('DROP TABLE "Second"')),
    ("zip", "files"): ("tar", lambda: tables._archive({"a.txt": b"1", "b.txt": b"2"}), lambda made: one_file()),
}


def one_file() -> bytes:
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        archive.writestr("a.txt", "1")
    return whole.getvalue()


def database() -> bytes:
    with sqlite3.connect(":memory:") as opened:
        for name in ("First", "Second"):
            opened.execute(f"CREATE TABLE {name} (a TEXT)")
            opened.execute(f"INSERT INTO {name} VALUES ('of {name}')")
        opened.commit()
        return opened.serialize()


@pytest.mark.parametrize(("output", "kind"), OTHERS, ids=str)
def test_what_a_writer_of_several_things_loses_is_named(tmp_path: Path, output: str, kind: str) -> None:
    given, source, tear = OTHERS[output, kind]
    before = lost(tmp_path, f"{given}-to-{output}", source(), None)
    assert kind in lost(tmp_path, f"{given}-to-{output}", source(), tear) - before


SAME = {
    *((output, kind) for output in PILLOW for kind in ("frames", "pages")),  # several pages become several files
    ("webp", "channels"),
}
"""Kinds of which a picture of this format has no fewer than any other."""
ELSEWHERE = {
    ("otf", "axes"),  # a variable font is not written as OTF
    ("typst", "links"),  # pandoc's template has some of its own, so that one that is lost is not seen
    ("typst", "notes"),
    ("pdf", "pages"),  # tests/engine/test_book_census.py, as are those of comics
    ("cbz", "pages"),
    ("html", "charts"),  # tests/converters/test_charts.py
    ("pdf", "attachments"),  # tests/converters/test_pdf_attachments.py
    *((output, kind) for output in ("xlsx", "ods") for kind in looks.KINDS),  # test_looks_of_workbooks
    *((output, "values") for output in small.MADE),
    ("geojson", "rows"),  # test_values_of_small_formats
}


def torn() -> set[tuple[str, str]]:
    """The formats and kinds for which there is a mutation, here or in the tests of a family."""
    of_rows = {"Rows": "rows", "Columns": "columns", "Values": "values", "Words": "words"}
    of_pictures = [*pictures.PIXELS, *pictures.BESIDE, *pictures.OTHERS, *pictures.FONTS]
    return {
        *DOCUMENTS, *WORKBOOKS, *ROWS, *FONTS, *OTHERS, *ELSEWHERE, *SAME, *test_no_place.KINDS,
        *((output, kind) for output in CUES for kind in ("cues", "words")),
        *((output, "files") for output in PACKED),
        *((output, kind) for _, output, kind in structures.STRUCTURES),
        *((output, kind) for each in (lettering, paragraphs) for output, tears in each.TEARS.items() for kind in tears),
        *((output, of_rows[kind]) for output, kind, _ in tables.TEARS),
        *((each.slug.rpartition("-")[2], each.kind) for each in of_pictures),
        *((slug.rpartition("-")[2], kind) for slug, _, _, kind in maps.TORN),
        *((output, kind) for output, kinds in KEPT.items() for kind in kinds),
        *((slug.rpartition("-")[2], kind) for slug in test_texts_kept.MADE for kind in ("rows", "texts")),
    }  # fmt: skip


def test_each_kind_of_each_writer_is_torn() -> None:
    countings = auditing.countings()
    counted = {
        (each.output.id, kind)
        for each in CONVERTERS.values()
        if each.output in countings
        for kind in auditing.audited_kinds(each) & (countings[each.output].kinds | countings[each.output].result_only)
    }
    assert counted - torn() == set()
