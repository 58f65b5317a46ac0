"""Tables, archives and books whose result was torn: what each writer loses is named, and a whole result is not."""

from __future__ import annotations

import gzip
import io
import json
import re
import sqlite3
import tarfile
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import openpyxl
import pikepdf
import polars
import pyarrow
import pyarrow.parquet
import pytest

from engine.families import auditing
from engine.families.data.census import COUNTINGS
from engine.families.data.counting import printed, rows
from engine.families.registry import CONVERTERS, DECLARED
from engine.toolkit.census import audited
from engine.toolkit.formats import BIBTEX, HTML, ICS, MARKDOWN, PDF, RIS, VCF, Format
from engine.toolkit.options import build
from engine.toolkit.warnings import Kind, Warn
from tests.converters.engines import OWN

Tear = Callable[[bytes], bytes]

PEOPLE = (
    "name,town,born,paid\nAda Long,Ayr,1815-12-10,1.50\nBea Short,Bonn,1999-01-31,20\nCy Young,Cork,2001-05-06,3.25\n"
)
"""Three rows of four columns."""


def found(source: Path, output: str, tear: Tear | None = None, **options: Any) -> list[str]:
    """What is said to be missing from a result that `tear` has damaged."""
    return [each for each in said(source, output, tear, **options) if "missing from the result" in each]


def said(source: Path, output: str, tear: Tear | None = None, **options: Any) -> list[str]:
    """All that is said of a result that `tear` has damaged."""
    converter = CONVERTERS[f"{source.suffix[1:]}-to-{output}"]

    def torn(given: Path, target: Path, values: Any, warn: Warn) -> Any:
        written = converter.run(given, target, values, warn)
        if tear:
            whole = target.read_bytes()
            made = tear(whole)
            assert made != whole
            target.write_bytes(made)
        return written

    warn = Warn()
    auditing.run(
        replace(converter, run=torn),
        source,
        source.with_name(f"output.{output}"),
        build(converter.options, options),
        warn,
    )
    return [str(each.message) for each in warn.warnings]


def text(old: str, new: str) -> Tear:
    return lambda made: made.replace(old.encode(), new.encode())


def part(pattern: str, new: str, inside: str = "sheet1.xml") -> Tear:
    """A change of one part of a ZIP."""

    def tear(made: bytes) -> bytes:
        whole = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(made)) as before, zipfile.ZipFile(whole, "w") as after:
            for each in before.infolist():
                data = before.read(each)
                if each.filename.endswith(inside):
                    data = re.sub(pattern.encode(), new.encode(), data, count=1, flags=re.DOTALL)
                after.writestr(each, data)
        return whole.getvalue()

    return tear


def frame(change: Callable[[polars.DataFrame], polars.DataFrame], output: str) -> Tear:
    """A change of the rows of a columnar file."""

    def tear(made: bytes) -> bytes:
        changed, whole = io.BytesIO(), io.BytesIO(made)
        if output == "parquet":
            change(polars.read_parquet(whole)).write_parquet(changed)
        elif output == "arrow":
            change(polars.read_ipc(whole)).write_ipc(changed)
        else:
            change(polars.read_avro(whole)).write_avro(changed)
        return changed.getvalue()

    return tear


def query(statement: str) -> Tear:
    def tear(made: bytes) -> bytes:
        with sqlite3.connect(":memory:") as database:
            database.deserialize(made)
            database.execute(statement)
            database.commit()
            return database.serialize()

    return tear


def _drop_row(made: polars.DataFrame) -> polars.DataFrame:
    return made[[0, 2]]


def _drop_column(made: polars.DataFrame) -> polars.DataFrame:
    return made.drop("town")


def _change_value(made: polars.DataFrame) -> polars.DataFrame:
    return made.with_columns(town=polars.col("town").str.replace("Bonn", "Born"))


def _blank_pages(made: bytes) -> bytes:
    whole = io.BytesIO()
    with pikepdf.open(io.BytesIO(made)) as document:
        for page in document.pages:
            page.Contents = document.make_stream(b"")
        document.save(whole)
    return whole.getvalue()


def _drawn(table: str) -> bytes:
    """The pages of another table."""
    converter = CONVERTERS["csv-to-pdf"]
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "input.csv"), Path(folder, "output.pdf")
        source.write_text(table)
        converter.run(source, target, build(converter.options, {}), Warn())
        return target.read_bytes()


ROW = r"<row>(?:(?!</row>).)*Bea.*?</row>"
TEARS: list[tuple[str, str, Tear]] = [
    *(
        (output, kind, tear)
        for output in ("csv", "tsv")
        for kind, tear in (
            ("Rows", lambda made: b"".join(made.splitlines(keepends=True)[:-1])),
            ("Columns", lambda made: re.sub(rb"(?m)[,\t][^,\t\r\n]*\r?$", b"", made)),
            ("Values", text("Bonn", "")),
            ("Values", text("Ada Long", "AdaLong")),
        )
    ),
    *(
        (output, kind, tear)
        for output in ("json", "ndjson")
        for kind, tear in (
            ("Rows", lambda made: re.sub(rb"\{[^{}]*Bea[^{}]*\},?\n?", b"", made)),
            ("Values", text('"Bonn"', "null")),
            ("Values", text("1999-01-31", "1999-01-30")),
        )
    ),
    ("yaml", "Values", text("Bonn", "''")),
    ("toml", "Values", text('"Bonn"', '""')),
    ("xml", "Values", text("<town>Bonn</town>", "")),
    *(
        ("html", kind, tear)
        for kind, tear in (
            ("Words", text("<th>town</th>", "<th></th>")),
            ("Rows", lambda made: re.sub(rb"<tr><td>Bea.*\n", b"", made)),
            ("Columns", lambda made: re.sub(rb"<t[hd]>[^<]*</t[hd]></tr>", b"</tr>", made)),
            ("Values", text("3.25", "3.2")),
        )
    ),
    *(
        ("markdown", kind, tear)
        for kind, tear in (
            ("Words", text("| town |", "| |")),
            ("Rows", lambda made: re.sub(rb"\| Bea.*\n", b"", made)),
            ("Columns", lambda made: re.sub(rb"(?m)[^|\n]*\|$", b"", made)),
            ("Values", text("3.25", "3.2")),
        )
    ),
    ("pdf", "Words", _blank_pages),
    ("pdf", "Values", lambda made: _drawn(PEOPLE.replace("3.25", "3.2"))),
    ("xlsx", "Rows", part(ROW, "")),
    ("xlsx", "Values", part("Bonn", "")),
    ("xlsx", "Columns", part(r"<c[^>]*><is><t>paid.*?</c>", "")),
    ("ods", "Rows", part(r"<table:table-row(?:(?!</table:table-row>).)*Bea.*?</table:table-row>", "", "content.xml")),
    ("ods", "Values", part("Bonn", "", "content.xml")),
    *(
        (output, kind, frame(change, output))
        for output in ("parquet", "arrow", "avro")
        for kind, change in (("Rows", _drop_row), ("Columns", _drop_column), ("Values", _change_value))
    ),
    ("sqlite", "Rows", query("DELETE FROM data WHERE town = 'Bonn'")),
    ("sqlite", "Columns", query("ALTER TABLE data DROP COLUMN town")),
    ("sqlite", "Values", query("UPDATE data SET paid = 2 WHERE town = 'Bonn'")),
]
"""For each writer of rows, the loss of one thing of each kind, and the first word of what is said."""


@pytest.fixture
def people(tmp_path: Path) -> Path:
    source = tmp_path / "input.csv"
    source.write_text(PEOPLE)
    return source


@pytest.mark.parametrize(
    ("output", "kind", "tear"), [pytest.param(*each, id=f"{each[0]}-{each[1]}-{at}") for at, each in enumerate(TEARS)]
)
def test_what_a_writer_of_rows_loses_is_named(people: Path, output: str, kind: str, tear: Tear) -> None:
    if output == "csv":
        people = people.rename(people.with_name("input.tsv"))
        people.write_text(PEOPLE.replace(",", "\t"))
    lost = found(people, output, tear)
    assert [each.split()[0] for each in lost if each.startswith(kind)] == [kind], lost


@pytest.mark.parametrize("output", sorted({each[0] for each in TEARS} - {"csv"}))
def test_of_a_whole_result_nothing_is_said(people: Path, output: str) -> None:
    assert found(people, output) == []


def test_each_writer_of_the_family_that_is_counted_is_torn_in_each_kind() -> None:
    of_rows = {"Rows": "rows", "Columns": "columns", "Values": "values", "Words": "words"}
    torn: dict[str, set[str]] = {}
    for output, kind, _ in TEARS:
        torn.setdefault(output, set()).add(of_rows[kind])
    countings = {format.id: each for format, each in auditing.countings().items()}
    for output, kinds in torn.items():
        counted = countings[output].kinds | countings[output].result_only
        assert counted & {"rows", "values"} <= kinds | {"columns"}, output


@pytest.mark.parametrize("output", ["html", "markdown"])
@pytest.mark.parametrize("count", [rows.WHOLE, 1000])
def test_numbers_of_a_table_that_is_drawn_are_compared_however_many_there_are(
    tmp_path: Path, output: str, count: int
) -> None:
    source = tmp_path / "input.csv"
    source.write_text("n,price\n" + "".join(f"{each},{each}.5\n" for each in range(count)))
    assert found(source, output) == []
    assert found(source, output, text(f"{count - 1}.5", "0")) == [
        f"Values are missing from the result: 1 (“{count - 1}.5”)."
    ]


@pytest.mark.parametrize("output", ["html", "markdown", "pdf"])
@pytest.mark.parametrize(
    "cell",
    [
        "1.50", "-0", "1e5", ".5", "2024-01-31 10:00", "2024-05-06T10:10:01+02:00", "10:30", "+49 170 1234567",
        "550e8400-e29b-41d4-a716-446655440012", "192.168.1.1", '"[1, 2, {""a"": 3.5}]"',
        '"two\nlines 5"', "a|b *c* `d`",
        '"<b> & 5"', "日本 5", "10 Downing Street 5", "=1+2",
    ],
)  # fmt: skip
def test_values_of_a_table_that_is_drawn_are_found_in_any_spelling(tmp_path: Path, output: str, cell: str) -> None:
    source = tmp_path / "input.csv"
    source.write_text(f"a,b\n1,{cell}\n")
    assert found(source, output) == []


def _serials(*numbers: int) -> bytes:
    book = openpyxl.Workbook()
    book.active.append(["day"])
    for each in numbers:
        book.active.append([each])
        book.active.cell(book.active.max_row, 1).number_format = "yyyy-mm-dd"
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


@pytest.mark.parametrize("output", ["csv", "html", "markdown", "pdf"])
def test_days_that_the_calendar_lacks_are_named_in_each_output(tmp_path: Path, output: str) -> None:
    source, target = tmp_path / "input.xlsx", tmp_path / f"output.{output}"
    source.write_bytes(_serials(-5, 60, 61))
    converter = OWN[f"xlsx-to-{output}"]
    warn = Warn()
    options = {"layout": "table"} if output == "pdf" else {}  # as printed, they are shown as in Excel
    auditing.run(converter, source, target, build(converter.options, options), warn)
    assert [str(each.message) for each in warn.warnings][:2] == [
        "Numbers formatted as dates or times that are not valid ones stay numbers: 1 (Sheet!A2 is -5).",
        "Cells show 29 February 1900, which never existed: 1 (Sheet!A3).",
    ]
    assert not any("missing" in str(each.message) for each in warn.warnings)


def test_numbers_as_a_program_shows_them_are_not_compared_with_those_of_the_file() -> None:
    converters = [each for each in DECLARED if each.slug == "xlsx-to-pdf"]
    assert [("values" in auditing.audited_kinds(each)) for each in converters] == [
        each.profile == "pdf" for each in converters
    ]


@pytest.mark.parametrize("count", [rows.WHOLE, rows.WHOLE + 1, 5000])
def test_rows_are_counted_and_the_first_and_the_last_are_compared_however_many_there_are(
    tmp_path: Path, count: int
) -> None:
    source = tmp_path / "input.csv"
    source.write_text("n,word\n" + "".join(f"{each},w{each}x\n" for each in range(count)))
    assert found(source, "json") == []
    assert found(source, "json", text(f'"w{count - 1}x"', '""')) == [
        f"Values are missing from the result: 1 (“w{count - 1}x”)."
    ]
    lost = found(source, "json", lambda made: re.sub(rb"\{[^{}]*w7x[^{}]*\},\n", b"", made))
    assert "Rows are missing from the result: 1." in lost


@pytest.mark.parametrize("output", ["tsv", "json", "ndjson", "xlsx", "ods", "sqlite"])
def test_rows_whose_values_change_places_are_named(people: Path, output: str) -> None:
    def swap(made: bytes) -> bytes:
        return made.replace(b"Bonn", b"@").replace(b"Cork", b"Bonn").replace(b"@", b"Cork")

    def tear(made: bytes) -> bytes:
        if output == "sqlite":
            return query("UPDATE data SET town = CASE town WHEN 'Bonn' THEN 'Cork' ELSE 'Bonn' END WHERE town > 'B'")(
                made
            )
        if output not in ("xlsx", "ods"):
            return swap(made)
        inside = "sheet1.xml" if output == "xlsx" else "content.xml"
        return part("Bonn(.*)Cork", r"Cork\1Bonn", inside)(made)

    assert found(people, output, tear) == []
    message = "Values are in a different row in the result than in the file: 2 (“Bonn”, “Cork”)."
    assert message in said(people, output, tear)
    assert message not in said(people, output)


def test_rows_that_are_sorted_on_purpose_are_not(people: Path) -> None:
    assert said(people, "json", sort="-name") == []


def test_a_sample_says_that_it_is_one(tmp_path: Path) -> None:
    source = tmp_path / "input.csv"
    source.write_text("n\n" + "1\n" * (rows.WHOLE + 1))
    converter, warn = CONVERTERS["csv-to-json"], Warn()
    auditing.run(converter, source, tmp_path / "output.json", build(converter.options, {}), warn)
    assert warn.detected["countedInPart"] == "values"


def _archive(members: dict[str, bytes]) -> bytes:
    whole = io.BytesIO()
    with tarfile.open(fileobj=whole, mode="w") as archive:
        for name, content in members.items():
            info = tarfile.TarInfo(name)
            info.size = len(content)
            archive.addfile(info, io.BytesIO(content))
    return whole.getvalue()


@pytest.mark.parametrize("output", ["zip", "tar", "tgz"])
@pytest.mark.parametrize("kept", [{"a.txt": b"one"}, {"a.txt": b"one", "b.txt": b"tw"}], ids=["dropped", "cut"])
def test_a_file_that_an_archive_loses_or_cuts_is_named(tmp_path: Path, output: str, kept: dict[str, bytes]) -> None:
    source = tmp_path / ("input.tar" if output != "tar" else "input.tgz")
    whole = _archive({"a.txt": b"one", "b.txt": b"two"})
    source.write_bytes(whole if output != "tar" else gzip.compress(whole))

    def tear(made: bytes) -> bytes:
        if output == "zip":
            packed = io.BytesIO()
            with zipfile.ZipFile(packed, "w") as archive:
                for name, content in kept.items():
                    archive.writestr(name, content)
            return packed.getvalue()
        return _archive(kept) if output == "tar" else gzip.compress(_archive(kept))

    assert found(source, output) == []
    assert found(source, output, tear) == ["Files are missing from the result: 1 (“b.txt (3)”)."]


@pytest.mark.parametrize("output", ["epub", "fb2"])
def test_words_that_a_book_loses_are_named(tmp_path: Path, output: str) -> None:
    source = tmp_path / "input.markdown"
    source.write_text("# One\n\nTwelve chairs.\n\n# Two\n\nFour tables.\n")

    def everywhere(made: bytes) -> bytes:
        whole = io.BytesIO()
        with zipfile.ZipFile(io.BytesIO(made)) as before, zipfile.ZipFile(whole, "w") as after:
            for each in before.infolist():
                after.writestr(each, before.read(each).replace(b"Twelve", b""))
        return whole.getvalue()

    assert found(source, output) == []
    assert found(source, output, everywhere if output == "epub" else text("Twelve", "")) == [
        "Words are missing from the result: 1 (“Twelve”)."
    ]


def test_order_of_elements_that_is_lost_is_named(tmp_path: Path) -> None:
    source = tmp_path / "input.xml"
    source.write_text("<r><a>1</a><b>2</b><a>3</a></r>")
    converter, warn = CONVERTERS["xml-to-json"], Warn()
    auditing.run(converter, source, tmp_path / "output.json", build(converter.options, {}), warn)
    assert json.loads((tmp_path / "output.json").read_bytes()) == {"r": {"a": ["1", "3"], "b": "2"}}
    assert [each.code for each in warn.warnings] == ["VALUE_CONVERTED"]
    source.write_text("<r><a>1</a><a>3</a><b>2</b></r>")
    warn = Warn()
    auditing.run(converter, source, tmp_path / "output.json", build(converter.options, {}), warn)
    assert warn.warnings == ()


def _workbook(sheet: str, strings: str = "") -> bytes:
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006"
    parts = {
        "[Content_Types].xml": f'<Types xmlns="{package}/content-types"><Default Extension="xml" ContentType='
        '"application/xml"/><Override PartName="/xl/workbook.xml" ContentType='
        '"application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/></Types>',
        "_rels/.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="a" '
        f'Type="{office}/officeDocument"'
        ' Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{office}"><sheets>'
        '<sheet name="S" sheetId="1" r:id="a"/>'
        "</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{package}/relationships"><Relationship Id="a" Type='
        f'"{office}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="b" Type="{office}/sharedStrings" '
        f'Target="sharedStrings.xml"/><Relationship Id="c" Type="{office}/styles" Target="styles.xml"/>'
        "</Relationships>",
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{sheet}</sheetData></worksheet>',
        "xl/sharedStrings.xml": f'<sst xmlns="{main}">{strings}</sst>',
        "xl/styles.xml": f'<styleSheet xmlns="{main}"><cellXfs><xf numFmtId="0"/>'
        '<xf numFmtId="14"/></cellXfs></styleSheet>',
    }
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, content)
    return whole.getvalue()


@pytest.mark.parametrize(
    ("sheet", "strings", "wrong", "examples"),
    [
        (
            '<row r="1"><c r="A1" t="s"><v>0</v></c></row><row r="2"><c r="A2" t="s"><v>1</v></c></row>',
            "<si><t>h</t></si><si><r><t>Hello </t></r><r><t>big</t></r></si>",
            "h\r\nHellobig\r\n",
            "1 (“Hello big”)",
        ),
        (
            '<row r="1"><c r="A1" t="inlineStr"><is><t>d</t></is></c></row>'
            '<row r="2"><c r="A2" s="1"><v>-5</v></c></row>'
            '<row r="3"><c r="A3" s="1"><v>60</v></c></row><row r="4"><c r="A4" s="1"><v>45000</v></c></row>',
            "",
            "d\r\n00:00:00\r\n1900-02-28\r\n2023-03-15\r\n",
            "2 (“-5”, “1900-02-29”)",
        ),
    ],
    ids=["blanks between the runs of rich text", "days that are not in the calendar"],
)
def test_a_value_of_a_cell_that_comes_out_as_another_is_named(
    tmp_path: Path, sheet: str, strings: str, wrong: str, examples: str
) -> None:
    source = tmp_path / "input.xlsx"
    source.write_bytes(_workbook(sheet, strings))
    assert found(source, "csv") == []
    assert found(source, "csv", lambda made: wrong.encode()) == [f"Values are missing from the result: {examples}."]


@pytest.mark.parametrize("output", ["csv", "ods"])
def test_embedded_objects_without_a_drawing_are_named(tmp_path: Path, output: str) -> None:
    source = tmp_path / "input.xlsx"
    objects = b'<oleObjects><oleObject progId="Package" shapeId="1026"/><oleObject shapeId="1027"/></oleObjects>'
    row = '<row r="1"><c r="A1"><v>1</v></c></row>'
    whole = part("</sheetData>", f"</sheetData>{objects.decode()}")(_workbook(row))
    source.write_bytes(whole)
    message = "Drawn shapes, controls and embedded objects were left out: 2 (“S”, …)."
    assert message in said(source, output)
    source.write_bytes(part("<oleObjects>", '<drawing id="d"/><oleObjects>')(whole))
    assert message not in said(source, output)


def test_times_in_a_header_are_columns_in_both_formats(tmp_path: Path) -> None:
    source = tmp_path / "input.xlsx"
    clock = part('numFmtId="14"', 'numFmtId="20"', "styles.xml")
    row = '<row r="1"><c r="A1"><v>1</v></c><c r="B1" s="1"><v>0.5</v></c><c r="C1" s="1"><v>1.5</v></c></row>'
    source.write_bytes(clock(_workbook(row)))
    assert found(source, "ods") == []
    assert found(source, "ods", part("<table:table-cell[^>]*time-value.*?</table:table-cell>", "", "content.xml")) == [
        "Columns are missing from the result: 1."
    ]


def test_places_of_sheets_that_have_none_are_not_named(tmp_path: Path) -> None:
    warn, kind = Warn(), Kind("CONTENT_DROPPED", "Left out: {count}{places}.")
    warn.tally(kind, 1, ["A1"], part="first")
    warn.tally(kind, 0, ["second"], part="second")
    assert [str(each.message) for each in warn.warnings] == ["Left out: 1 (A1)."]


def test_times_beyond_a_day_are_named(tmp_path: Path) -> None:
    source = tmp_path / "input.parquet"
    whole = pyarrow.array([-1, 0, 86_400_000], pyarrow.int32()).view(pyarrow.time32("ms"))
    pyarrow.parquet.write_table(pyarrow.table({"t": whole}), source)
    assert found(source, "json") == []
    assert found(source, "json", lambda made: made.replace(b'"-1"', b"null").replace(b'"86400000"', b"null")) == [
        "Values are missing from the result: 2 (“-1”, “86400000”)."
    ]


def test_a_number_whose_sign_was_taken_for_a_hyphen_is_on_the_page() -> None:
    found = printed.of_texts(["Ada 2023-11-05-1200.75 0 Köln-5 12-7"]).items["values"]
    assert {"2023-11-05", "-1200.75", "Köln", "-5", "12", "-7"} <= found.keys()


@pytest.mark.parametrize("source", [BIBTEX, RIS, VCF, ICS])
def test_what_is_no_table_on_a_page_is_not_counted_as_one(source: Format) -> None:
    for target in (HTML, MARKDOWN, PDF):
        assert not audited(COUNTINGS[source], COUNTINGS[target]) & {"rows", "values", "columns", "order"}


@pytest.mark.parametrize("output", ["html", "markdown"])
def test_the_words_of_a_long_table_are_looked_for_in_the_rows_that_are_compared(tmp_path: Path, output: str) -> None:
    source, target = tmp_path / "input.csv", tmp_path / f"output.{output}"
    source.write_text("n,town\n" + "".join(f"{each},Quarter {each}\n" for each in range(rows.WHOLE + 1)))
    warn, converter = Warn(), CONVERTERS[f"csv-to-{output}"]
    auditing.run(converter, source, target, build(converter.options, {}), warn)
    assert warn.detected["countedInPart"] == "values, words"
    assert found(source, output, text("Quarter 0", "")) == ["Values are missing from the result: 1 (“Quarter 0”)."]
    assert "Words are missing from the result: 1 (“town”)." in found(source, output, text("town", ""))


def test_a_file_is_not_counted_if_its_result_can_not_be(tmp_path: Path) -> None:
    """JSON over 200 KB that is no list is not counted; the source is damaged meanwhile, as nobody reads it again."""
    source, target = tmp_path / "input.xml", tmp_path / "output.json"
    source.write_text(f"<r>{'<a>one</a>' * 30_000}</r>")
    warn, converter = Warn(), CONVERTERS["xml-to-json"]

    def run(given: Path, made: Path, options: Any, warn: Warn) -> Any:
        written = converter.run(given, made, options, warn)
        given.write_text("<r>")
        return written

    auditing.run(replace(converter, run=run), source, target, build(converter.options, {}), warn)
    assert warn.detected["notCounted"] == "values"
