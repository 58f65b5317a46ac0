"""Vectors of bibliographies: one book and one awkward paper in each format, read again by pandoc."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import partial
from typing import Any

import pypandoc

from tests.converters.pairs import Given, Readers, Wanted, Writer, awkward, broken, ordinary, pairs
from tests.converters.vector import Check, take
from tests.families.data.files import NO_ROWS, TABLES
from tests.families.data.seen import SEEN
from tests.families.documents import seen as document_texts

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
_FOUND = {
    "bibtex": ("CONTENT_DROPPED", "METADATA_DROPPED", "VALUE_CONVERTED"), "ris": ("CONTENT_DROPPED", "VALUE_CONVERTED"),
}  # fmt: skip
_ENTRIES = {
    "bibtex": (BIB, BIB_AWKWARD, b"\n@book{x, title = {no end\n", 2),
    "ris": (RIS, RIS_AWKWARD, b"\nAU  - nobody\n", 2),
    "csljson": (json.dumps([BOOK]), json.dumps({"items": [PAPER | {"x": 1}]}), b"[1, 2]", None),
}
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
            assert ("Taylor & Co" if expected is BOOK else "Jan van der Berg") in document_texts.SEEN[output](data).text
        else:
            header, first, *_ = SEEN[output](data)
            assert header[:3] == ["id", "type", "author"]
            assert first[:3] == (_ROW if expected is PAPER else ["ada43", "book", "Lovelace, Ada"])

    return check


_HEADER = ["Key", "Item Type", "Author", "Title", "Publication Title", "Pages", "Date", "DOI", "Shelf"]
_CELLS = ["mü", "paper-conference", "Müller, Jörg; van der Berg, Jan; Barnes and Noble Inc.",
          "DNA & 50% of Ünits: $x_2$", "Proc. of É", "97-111", "2024-05-06", "10.1/a_b", "B 7"]  # fmt: skip
_PLAIN = ["ada43", "book", "Lovelace, Ada", "Notes", "", "", "1843-10", "", ""]


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


_TABLES: Readers = {
    id: (
        ordinary("a book", partial(TABLES[id], _HEADER, [_PLAIN])),
        awkward("names, accents, a column of its own", partial(TABLES[id], _HEADER, [_CELLS])),
        broken("nothing that is an entry", *damaged),
    )
    for id, damaged in NO_ROWS.items()
}
READERS: Readers = {
    id: (
        ordinary("a book", plain.encode()),
        awkward("names, accents, own fields, damage", odd.encode(), *_FOUND.get(id, ())),
        broken("no entry that can be read", damaged, line),
    )
    for id, (plain, odd, damaged, line) in _ENTRIES.items()
}


def _writer(output: str, says: Callable[[str, dict[str, Any]], Check], *lost: str) -> Writer:
    def wanted(source: str, given: Given) -> Wanted:
        expected, codes = (BOOK, ()) if given.kind == "ordinary" else (PAPER, lost)
        return Wanted(says(output, expected), frozenset(codes))

    return wanted


def _lost(output: str) -> tuple[str, ...]:
    return ("VALUE_CONVERTED",) if output == "ris" else ("CONTENT_DROPPED",) if output in _SET else ()


WRITERS = {id: _writer(id, _says, *_lost(id)) for id in ("json", "csv", "xlsx", "ods", *_SET, *READERS)}


def _has(*parts: str) -> Check:
    def check(data: bytes) -> None:
        assert all(each in data.decode() for each in parts), data.decode()

    return check


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


VECTORS = (
    *pairs("data.bibliographies", READERS, WRITERS),
    *pairs("data.bibliographies", _TABLES, {id: _writer(id, _row, *_lost(id)) for id in READERS}),
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
