"""Vectors of whole PDFs: taken apart, put together, and the tasks of pdf-to-pdf that came after the first ones."""

from __future__ import annotations

import base64
import io
import json
from collections.abc import Callable, Iterator
from typing import Any

import pypdf

from conversions.toolkit.options import Value
from tests.converters.cases import documents_pdf as documents
from tests.converters.cases import pictured_pdf as made
from tests.converters.cases import pictures
from tests.converters.cases.looks import look, members, pdf
from tests.converters.vector import Vector


def texts(data: bytes) -> list[str]:
    return [page.extract_text().strip() for page in pdf(data).pages]


def links(reader: pypdf.PdfReader) -> list[list[int]]:
    """The page that each link of each page leads to, counted from 0; -1 where it leads nowhere."""
    numbers = {page.indirect_reference.idnum: at for at, page in enumerate(reader.pages) if page.indirect_reference}
    found = []
    for page in reader.pages:
        places = [each.get_object()["/Dest"] for each in page.get("/Annots", [])]
        found.append([numbers.get(getattr(place.get_object()[0:1][0], "idnum", None), -1) for place in places])
    return found


def titles(outline: Any) -> list[Any]:
    return [titles(each) if isinstance(each, list) else each["/Title"] for each in outline]


def _taken_apart() -> Iterator[Vector]:
    def pages(data: bytes) -> None:
        files = members(data)
        assert list(files) == [f"page-00{number}.pdf" for number in range(1, 5)]
        assert [texts(each) for each in files.values()] == [[f"Page no. {number}"] for number in range(1, 5)]
        assert all(b"no. 4" not in stream for stream in _streams(files["page-001.pdf"]))
        assert pdf(files["page-002.pdf"]).metadata["/Author"] == "Ada"  # type: ignore[index]

    dead = frozenset({"CONTENT_DROPPED"})
    yield Vector(
        slug="pdf-to-zip",
        name="a file for each page",
        kind="ordinary",
        source=made.chapters,
        check=pages,
        warnings=dead,
    )

    def ranges(data: bytes) -> None:
        files = members(data)
        assert {name: texts(each) for name, each in files.items()} == {
            "pages-001-002.pdf": ["Page no. 1", "Page no. 2"],
            "pages-004-003.pdf": ["Page no. 4", "Page no. 3"],
        }
        assert links(pdf(files["pages-001-002.pdf"])) == [[1], []]

    yield Vector(
        slug="pdf-to-zip", name="ranges, one of them backwards", kind="awkward", source=made.chapters,
        options={"by": "ranges", "pages": "1-2,4-3"}, check=ranges, warnings=dead,
    )  # fmt: skip

    def outlined(data: bytes) -> None:
        files = members(data)
        assert {name: texts(each) for name, each in files.items()} == {
            "b.pdf": ["Page no. 1", "Page no. 2"],
            "2 Second.pdf": ["Page no. 3", "Page no. 4"],
        }
        assert titles(pdf(files["2 Second.pdf"]).outline) == ["Second", ["Its end"]]

    yield Vector(
        slug="pdf-to-zip", name="by bookmarks", kind="awkward", source=made.chapters,
        options={"by": "outline"}, check=outlined, warnings=dead,
    )  # fmt: skip

    def sized(data: bytes) -> None:
        files = members(data)
        assert len(files) == 2
        assert all(len(each) < 100_000 for each in files.values())
        assert [len(pdf(each).pages) for each in files.values()] == [2, 2]

    def heavy() -> bytes:
        noise = made.packed({f"{at}.png": _noise(at) for at in range(4)})
        return _merged(noise)

    yield Vector(
        slug="pdf-to-zip", name="by size", kind="awkward", source=heavy,
        options={"by": "size", "megabytes": 0.1}, check=sized,
    )  # fmt: skip

    def parts(data: bytes) -> None:
        files = members(data)
        assert set(files) == {"notes.txt", "metadata.json"}
        assert files["notes.txt"] == b"Take note."
        about = json.loads(files["metadata.json"])
        assert about["information"]["Author"] == "Ada"
        assert about["fonts"] == [
            {"name": "Helvetica", "type": "Type1", "embedded": False, "subset": False, "pages": [1, 2, 3, 4]}
        ]

    yield Vector(
        slug="pdf-to-zip",
        name="its parts",
        kind="awkward",
        source=made.chapters,
        options={"take": "parts"},
        check=parts,
    )

    def taken_out(kind: str) -> Callable[[bytes], None]:
        def check(data: bytes) -> None:
            files = members(data)
            (name,) = (each for each in files if each.startswith("picture"))
            seen = look(files[name], name.rpartition(".")[2])
            assert (seen.width, seen.height) == made.SIZE
            assert seen.at(100, 100)[0] > 150 > seen.at(100, 100)[1] or kind == "grey"

        return check

    for kind in ("grey", "colour", "indexed", "jpeg"):
        yield Vector(
            slug="pdf-to-zip", name=f"a picture of the kind {kind}", kind="awkward",
            source=lambda kind=kind: made.pictured(kind), options={"take": "parts"}, check=taken_out(kind),
        )  # fmt: skip
    failing: tuple[tuple[str, Callable[[], bytes], dict[str, Value], Any], ...] = (
        ("no document in it", lambda: b"%PDF-1.7\nnothing", {}, "UNSUPPORTED_FORMAT"),
        ("encrypted, without the password", documents.locked, {}, "VALIDATION_ERROR"),
        ("ranges that are not named", made.chapters, {"by": "ranges"}, "VALIDATION_ERROR"),
        ("no bookmarks to split at", documents.scanned, {"by": "outline"}, "VALIDATION_ERROR"),
        ("a page that is not there", made.chapters, {"pages": "5"}, "VALIDATION_ERROR"),
    )
    for name, source, options, error in failing:
        yield Vector(slug="pdf-to-zip", name=name, kind="failing", source=source, options=options, error=error)


def _streams(data: bytes) -> list[bytes]:
    reader = pdf(data)
    objects = (reader.get_object(number) for number in range(1, int(reader.trailer["/Size"])))  # type: ignore[call-overload]
    return [each.get_data() for each in objects if hasattr(each, "get_data")]


def _noise(seed: int) -> bytes:
    import random

    from PIL import Image

    grey = Image.frombytes("L", (200, 200), random.Random(seed).randbytes(40_000))
    return pictures.saved(grey, "png")


def _merged(data: bytes) -> bytes:
    import tempfile
    from pathlib import Path

    from conversions.families.pdf.tasks.merge import merge
    from conversions.families.pdf.tasks.options import MergeOptions
    from conversions.toolkit.warnings import Warn

    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder, "input.zip"), Path(folder, "output.pdf")
        source.write_bytes(data)
        merge(source, target, MergeOptions(bookmarks=False), Warn())
        return target.read_bytes()


def _put_together() -> Iterator[Vector]:
    def both(data: bytes) -> None:
        reader = pdf(data)
        assert texts(data) == ["Annual report", "Second chapter"] or len(reader.pages) == 6
        assert [text.split("\n")[0] for text in texts(data)] == [
            "Annual report", "Second chapter", *(f"Page no. {number}" for number in range(1, 5)),
        ]  # fmt: skip
        assert links(reader) == [[], [], [3], [4], [5], [2]]
        assert titles(reader.outline) == ["2", "10", ["First: a/b", "Second", ["Its end"]]]

    yield Vector(
        slug="zip-to-pdf", name="two documents", kind="ordinary",
        source=lambda: made.packed({"10.pdf": made.chapters(), "2.pdf": documents.report()}),
        check=both, warnings=frozenset({"CONTENT_DROPPED"}),
    )  # fmt: skip

    def mixed(data: bytes) -> None:
        reader = pdf(data)
        boxes = [(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in reader.pages]
        assert boxes == [(842, 595), (842, 595), (842, 595), (298, 420), (298, 420)]
        assert not reader.outline
        (first,) = reader.pages[0].images
        assert first.image is not None
        assert first.image.size == (64, 48)

    yield Vector(
        slug="zip-to-pdf", name="pictures and a document", kind="awkward",
        source=lambda: made.packed({
            "a.jpg": pictures.photo("jpg"), "b.png": pictures.glass("png"), "c.webp": pictures.photo("webp"),
            "d.pdf": documents.report(), "e.txt": b"no", ".hidden.pdf": b"",
        }),
        options={"bookmarks": False}, check=mixed, warnings=frozenset({"ALPHA_FLATTENED", "CONTENT_DROPPED"}),
    )  # fmt: skip

    def opened(data: bytes) -> None:
        assert not pdf(data).is_encrypted
        assert len(pdf(data).pages) == 2

    yield Vector(
        slug="zip-to-pdf", name="an encrypted document", kind="awkward",
        source=lambda: made.packed({"a.pdf": documents.locked()}), options={"password": documents.SECRET}, check=opened,
    )  # fmt: skip
    failing: tuple[tuple[str, Callable[[], bytes], Any], ...] = (
        ("nothing to merge", lambda: made.packed({"a.txt": b"no"}), "UNSUPPORTED_FORMAT"),
        ("a damaged document", lambda: made.packed({"a.pdf": b"%PDF-1.7 nothing"}), "UNSUPPORTED_FORMAT"),
        ("a damaged picture", lambda: made.packed({"a.png": pictures.half(_noise(1))}), "UNSUPPORTED_FORMAT"),
        ("a locked document", lambda: made.packed({"a.pdf": documents.locked()}), "VALIDATION_ERROR"),
        ("no archive", lambda: b"PK\x03\x04 nothing", "UNSUPPORTED_FORMAT"),
    )  # fmt: skip
    for name, source, error in failing:
        yield Vector(slug="zip-to-pdf", name=name, kind="failing", source=source, error=error)


def _changed() -> Iterator[Vector]:
    def vector(
        name: str, source: Callable[[], bytes], check: Callable[[bytes], None], *warnings: str, **options: Value
    ) -> Vector:
        return Vector(
            slug="pdf-to-pdf", name=name, kind="awkward", source=source, options=options, check=check,
            warnings=frozenset(warnings),
        )  # fmt: skip

    def is_cut(data: bytes) -> None:
        box = pdf(data).pages[0].cropbox
        assert [round(float(each)) for each in (box.left, box.bottom, box.right, box.top)] == [113, 85, 142, 272]

    yield vector(
        "cut off at its edges", made.chapters, is_cut, "CONTENT_CLIPPED", operation="crop", margins="10,20.5,30,40"
    )

    def is_two_up(data: bytes) -> None:
        reader = pdf(data)
        boxes = [(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in reader.pages]
        assert boxes == [(842, 595), (842, 595)]
        assert [text.split("\n") for text in texts(data)] == [
            ["Page no. 1", "Page no. 2"],
            ["Page no. 3", "Page no. 4"],
        ]

    yield vector("two on a sheet", made.chapters, is_two_up, "CONTENT_DROPPED", operation="several", perSheet="2")

    def is_numbered(data: bytes) -> None:
        assert [text.split("\n")[-1] for text in texts(data)] == [
            "Page no. 1",
            "7 of 8",
            "8 of 8",
            "Page no. 4",
        ]

    yield vector(
        "numbered", made.chapters, is_numbered, operation="number", pages="2-3", text="{page} of {pages}", startAt=7
    )

    def is_stamped(data: bytes) -> None:
        assert ["PAID" in text for text in texts(data)] == [True] * 4

    yield vector("stamped", made.chapters, is_stamped, operation="stamp", text="PAID", colour="#ff0000", textSize=30)

    def has_seal(data: bytes) -> None:
        (image,) = pdf(data).pages[0].images
        assert image.image is not None
        assert image.image.size == (64, 48)

    seal = base64.b64encode(pictures.photo("png")).decode()
    yield vector("stamped with a picture", made.chapters, has_seal, operation="stamp", picture=seal, position="center")

    def is_anonymous(data: bytes) -> None:
        assert not pdf(data).metadata
        assert b"Ada" not in data
        assert len(texts(data)) == 4

    yield vector("cleaned", made.chapters, is_anonymous, operation="clean")

    def is_whole(data: bytes) -> None:
        assert texts(data)[0].startswith("Annual report")
        pypdf.PdfReader(io.BytesIO(data), strict=True)

    yield Vector(
        slug="pdf-to-pdf", name="repaired", kind="awkward", options={"operation": "repair"}, check=is_whole,
        source=lambda: documents.report()[: documents.report().rindex(b"xref")],
        warnings=frozenset({"CONTENT_DROPPED"}),
    )  # fmt: skip

    def is_linear(data: bytes) -> None:
        assert b"/Linearized" in data[:1024]
        assert len(texts(data)) == 4

    yield vector("linearized", made.chapters, is_linear, operation="linearize")
    for name, options in (
        ("margins not named", {"operation": "crop"}),
        ("margins larger than the page", {"operation": "crop", "margins": "200,0,0,0"}),
        ("a number without a place for it", {"operation": "number", "text": "Page"}),
        ("nothing to stamp", {"operation": "stamp"}),
        ("a picture that is none", {"operation": "stamp", "picture": "aGVsbG8="}),
        ("a level for another operation", {"operation": "rotate", "level": "screen"}),
    ):
        yield Vector(
            slug="pdf-to-pdf",
            name=name,
            kind="failing",
            source=made.chapters,
            options=options,
            error="VALIDATION_ERROR",
        )


VECTORS: tuple[Vector, ...] = (*_taken_apart(), *_put_together(), *_changed())
