"""Vectors of bibliographies: one book and one awkward paper in each format, read again by pandoc."""

from __future__ import annotations

import json
from typing import Any

import pypandoc

from tests.converters.cases import document_texts
from tests.converters.cases.data_checks import Check, fail, take
from tests.converters.cases.data_inputs import delimited, spreadsheet, workbook
from tests.converters.cases.data_outputs import READERS
from tests.converters.vector import Vector

BOOK = {
    "id": "ada43", "type": "book", "author": [{"family": "Lovelace", "given": "Ada"}], "title": "Notes",
    "issued": {"date-parts": [[1843, 10]]}, "publisher": "Taylor & Co", "publisher-place": "London",
}  # fmt: skip
PAPER = {
    "id": "mü", "type": "paper-conference", "title": "DNA & 50% of Ünits: $x_2$", "container-title": "Proc. of É",
    "author": [
        {"family": "Müller", "given": "Jörg"}, {"family": "Berg", "given": "Jan", "non-dropping-particle": "van der"},
        {"literal": "Barnes and Noble Inc."},
    ],
    "page": "97-111", "DOI": "10.1/a_b", "issued": {"date-parts": [[2024, 5, 6]]}, "keyword": "a, b",
}  # fmt: skip
BIB = """% a comment
@comment{nothing}
@string{p = {Proc. of }}
@book{ada43, author = "Ada Lovelace", title = {Notes}, year = 1843, month = oct, publisher = {Taylor \\& Co},
  address = {London}}
"""
BIB_AWKWARD = """@string{p = {Proc. of }}
@preamble{"\\newcommand{\\x}{y}"}
@InProceedings(mü,
  author = {M{\\"u}ller, J\\"org and Jan van der Berg and {Barnes and Noble Inc.}},
  title = "{DNA} \\& 50\\% of {\\"U}nits: $x_2$", crossref = {Conf}, pages = {97--111}, doi = {10.1/a_b},
  myfield = {Own {\\ss} \\own{thing}}, keywords = {a, b})
@proceedings{conf, booktitle = p # {\\'E}, date = {2024-05-06}, title = {Conf}}
@book{broken, title = {no end,
@misc{mü, title = nothing}
"""
RIS = (
    "TY  - BOOK\r\nID  - ada43\r\nAU  - Lovelace, Ada\r\nTI  - Notes\r\nPY  - 1843/10//\r\nPB  - Taylor & Co\r\n"
    "CY  - London\r\nER  - \r\n"
)
RIS_AWKWARD = (
    "by hand\n\nTY  - CPAPER\nID  - mü\nAU  - Müller, Jörg\nAU  - van der Berg, Jan\nAU  - Barnes and Noble Inc.\n"
    "TI  - DNA & 50% of\n  Ünits: $x_2$\nT2  - Proc. of É\nSP  - 97\nEP  - 111\nDO  - 10.1/a_b\nPY  - 2024\n"
    "DA  - 2024/05/06\nKW  - a\nKW  - b\nU1  - own\n"
)
SOURCES: dict[str, tuple[bytes, bytes, bytes, int | None]] = {
    "bibtex": (BIB.encode(), BIB_AWKWARD.encode(), b"\n@book{x, title = {no end\n", 2),
    "ris": (RIS.encode(), RIS_AWKWARD.encode(), b"\nAU  - nobody\n", 2),
    "csljson": (json.dumps([BOOK]).encode(), json.dumps({"items": [PAPER | {"x": 1}]}).encode(), b"[1, 2]", None),
}
_CODES = {"bibtex": {"CONTENT_DROPPED", "METADATA_DROPPED", "VALUE_CONVERTED"},
          "ris": {"CONTENT_DROPPED", "VALUE_CONVERTED"}, "csljson": set()}  # fmt: skip
_ROW = ["mü", "paper-conference", "Müller, Jörg; van der Berg, Jan; Barnes and Noble Inc."]


def _pandoc(data: bytes, format: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(pypandoc.convert_text(data.decode(), "csljson", format=format))
    return found


def _alike(found: dict[str, Any], expected: dict[str, Any], output: str) -> None:
    """What pandoc reads is what was meant; it has titles in small letters, and particles of its own."""
    assert found["title"].lower().replace("\\", "") == expected["title"].lower()
    names = [each.get("family") or each.get("literal") for each in found["author"]]
    assert [name.split()[-1] for name in names] == [
        (each.get("family") or each["literal"]).split()[-1] for each in expected["author"]
    ]
    for name in ("page", "DOI", "publisher"):
        assert found.get(name) == expected.get(name), name
    dates = found["issued"]["date-parts"]
    assert dates[0][0] == expected["issued"]["date-parts"][0][0]


_SET = ("html", "docx", "pdf", "markdown")


def _says(output: str, expected: dict[str, Any]) -> Check:
    def check(data: bytes) -> None:
        if output in ("json", "csljson"):
            first = json.loads(data)[0]
            first.pop("custom", None)
            assert first == expected
        elif output in ("bibtex", "ris"):
            _alike(_pandoc(data, output)[0], expected, output)
        elif output in _SET:
            assert ("Taylor & Co" if expected is BOOK else "Jan van der Berg") in document_texts.READERS[output](
                data
            ).text
        else:
            header, first, *_ = READERS[output](data)
            assert header[:3] == ["id", "type", "author"]
            assert first[:3] == (_ROW if expected is PAPER else ["ada43", "book", "Lovelace, Ada"])

    return check


def _pair(source: str, output: str) -> tuple[Vector, ...]:
    slug = f"{source}-to-{output}"
    ordinary, awkward, broken, line = SOURCES[source]
    codes = set(_CODES[source])
    if output == "ris" and source != "ris":
        codes.add("VALUE_CONVERTED")
    if output in _SET:
        codes.add("CONTENT_DROPPED")
    return (
        Vector(slug, "a book", "ordinary", lambda: ordinary, check=_says(output, BOOK)),
        take(slug, "names, accents, own fields, damage", awkward, _says(output, PAPER), *codes),
        fail(slug, "no entry that can be read", broken, line),
    )


_HEADER = ["Key", "Item Type", "Author", "Title", "Publication Title", "Pages", "Date", "DOI", "Shelf"]
_CELLS = ["mü", "paper-conference", "Müller, Jörg; van der Berg, Jan; Barnes and Noble Inc.",
          "DNA & 50% of Ünits: $x_2$", "Proc. of É", "97-111", "2024-05-06", "10.1/a_b", "B 7"]  # fmt: skip
_PLAIN = ["ada43", "book", "Lovelace, Ada", "Notes", "", "", "1843-10", "", ""]
_MADE = {
    "csv": lambda rows: delimited(",", _HEADER, rows),
    "json": lambda rows: json.dumps([dict(zip(_HEADER, each, strict=True)) for each in rows]).encode(),
    "xlsx": lambda rows: workbook({"Rows": [_HEADER, *rows]}),
    "ods": lambda rows: spreadsheet({"Rows": [_HEADER, *rows]}),
}
_BAD = {"csv": b'"a', "json": b"[1]", "xlsx": b"PK\x03\x04 no", "ods": b"PK\x03\x04 no"}


def _row(output: str, expected: dict[str, Any]) -> Check:
    def check(data: bytes) -> None:
        if output == "csljson":
            (found,) = json.loads(data)
            assert found["author"] == expected["author"]
            assert found["issued"] == expected["issued"]
            assert found.get("custom") == ({"Shelf": "B 7"} if expected is PAPER else None)
        else:
            _alike(_pandoc(data, output)[0], {key: value for key, value in expected.items() if key != "publisher"}, "")

    return check


def _from_rows(source: str, output: str) -> tuple[Vector, ...]:
    slug = f"{source}-to-{output}"
    codes = {"VALUE_CONVERTED"} if output == "ris" else set()
    return (
        Vector(slug, "a book", "ordinary", lambda: _MADE[source]([_PLAIN]), check=_row(output, BOOK)),
        take(slug, "names, accents, a column of its own", lambda: _MADE[source]([_CELLS]), _row(output, PAPER), *codes),
        fail(slug, "nothing that is an entry", _BAD[source], 1 if source == "csv" else None),
    )


def _has(*parts: str) -> Check:
    def check(data: bytes) -> None:
        assert all(each in data.decode() for each in parts), data.decode()

    return check


def _set_as(source: str) -> tuple[str, ...]:
    return _SET if source != "csljson" else ("html",)


_STYLES = {
    "chicago": "Müller, Jörg, Jan van der Berg, and Barnes and Noble Inc. 2024. “DNA",
    "apa": "Müller, J., van der Berg, J., & Barnes and Noble Inc. (2024). DNA",
    "mla": "Müller, Jörg, et al. “DNA",
    "ieee": "\\[1\\] J. Müller, J. van der Berg, and Barnes and Noble Inc., “DNA",
    "vancouver": "1\\. Müller J, van der Berg J, Barnes and Noble Inc. DNA",
}


def _styled(style: str) -> Check:
    def check(data: bytes) -> None:
        assert _STYLES[style] in data.decode(), data.decode()

    return check


VECTORS: tuple[Vector, ...] = (
    *(
        vector
        for source in SOURCES
        for output in ("json", "csv", "xlsx", "ods", *_set_as(source), *(each for each in SOURCES if each != source))
        for vector in _pair(source, output)
    ),
    *(vector for source in _MADE for output in SOURCES for vector in _from_rows(source, output)),
    *(
        take("ris-to-markdown", f"as {style}", RIS_AWKWARD.encode(), _styled(style), "CONTENT_DROPPED",
             "VALUE_CONVERTED", citationStyle=style)
        for style in _STYLES
    ),
    take("bibtex-to-json", "a key twice", b"@misc{a, title={x}}\n@misc{a, title={y}}", _has('"a_2"'),
         "VALUE_CONVERTED"),
    take("csljson-to-bibtex", "braces that do not match", json.dumps([{"id": "a b", "title": "{}} %"}]).encode(),
         _has("@misc{ab,", "title = {\\{\\}\\} \\%}")),
)  # fmt: skip
