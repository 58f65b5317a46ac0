"""Vectors of whole PDFs: taken apart and put together."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any

import pypdf

from engine.toolkit.options import Value
from tests.converters.vector import Vector, take
from tests.families.images import files as pictures
from tests.families.images.looks import look, members, pdf
from tests.families.pdf import files as documents
from tests.families.pdf import scan_files as made


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
    yield Vector("pdf-to-zip", "a file for each page", "ordinary", made.chapters, check=pages, warnings=dead)

    def ranges(data: bytes) -> None:
        files = members(data)
        assert {name: texts(each) for name, each in files.items()} == {
            "pages-001-002.pdf": ["Page no. 1", "Page no. 2"],
            "pages-004-003.pdf": ["Page no. 4", "Page no. 3"],
        }
        assert links(pdf(files["pages-001-002.pdf"])) == [[1], []]

    yield take(
        "pdf-to-zip", "ranges, one of them backwards", made.chapters, ranges, *dead, by="ranges", pages="1-2,4-3"
    )

    def outlined(data: bytes) -> None:
        files = members(data)
        assert {name: texts(each) for name, each in files.items()} == {
            "b.pdf": ["Page no. 1", "Page no. 2"],
            "2 Second.pdf": ["Page no. 3", "Page no. 4"],
        }
        assert titles(pdf(files["2 Second.pdf"]).outline) == ["Second", ["Its end"]]

    yield take("pdf-to-zip", "by bookmarks", made.chapters, outlined, *dead, by="outline")

    def sized(data: bytes) -> None:
        files = members(data)
        assert len(files) == 2
        assert all(len(each) < 100_000 for each in files.values())
        assert [len(pdf(each).pages) for each in files.values()] == [2, 2]

    def heavy() -> bytes:
        noise = made.packed({f"{at}.png": _noise(at) for at in range(4)})
        return _merged(noise)

    yield take("pdf-to-zip", "by size", heavy, sized, by="size", megabytes=0.1)

    def parts(data: bytes) -> None:
        files = members(data)
        assert set(files) == {"notes.txt", "metadata.json"}
        assert files["notes.txt"] == b"Take note."
        about = json.loads(files["metadata.json"])
        assert about["information"]["Author"] == "Ada"
        assert about["fonts"] == [
            {"name": "Helvetica", "type": "Type1", "embedded": False, "subset": False, "pages": [1, 2, 3, 4]}
        ]

    yield take("pdf-to-zip", "its parts", made.chapters, parts, take="parts")

    def taken_out(kind: str) -> Callable[[bytes], None]:
        def check(data: bytes) -> None:
            files = members(data)
            (name,) = (each for each in files if each.startswith("picture"))
            seen = look(files[name], name.rpartition(".")[2])
            assert (seen.width, seen.height) == made.SIZE
            assert seen.at(100, 100)[0] > 150 > seen.at(100, 100)[1] or kind == "grey"

        return check

    for kind in ("grey", "colour", "indexed", "jpeg"):
        yield take(
            "pdf-to-zip",
            f"a picture of the kind {kind}",
            lambda kind=kind: made.pictured(kind),
            taken_out(kind),
            take="parts",
        )
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

    from engine.families.pdf.tasks.merge import merge
    from engine.families.pdf.tasks.options import MergeOptions
    from engine.toolkit.warnings import Warn

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
        "zip-to-pdf",
        "two documents",
        "ordinary",
        lambda: made.packed({"10.pdf": made.chapters(), "2.pdf": documents.report()}),
        check=both,
        warnings=frozenset({"CONTENT_DROPPED"}),
    )

    def mixed(data: bytes) -> None:
        reader = pdf(data)
        boxes = [(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in reader.pages]
        assert boxes == [(842, 595), (842, 595), (842, 595), (298, 420), (298, 420)]
        assert not reader.outline
        (first,) = reader.pages[0].images
        assert first.image is not None
        assert first.image.size == (64, 48)

    yield take(
        "zip-to-pdf",
        "pictures and a document",
        lambda: made.packed(
            {
                "a.jpg": pictures.photo("jpg"),
                "b.png": pictures.glass("png"),
                "c.webp": pictures.photo("webp"),
                "d.pdf": documents.report(),
                "e.txt": b"no",
                ".hidden.pdf": b"",
            }
        ),
        mixed,
        "ALPHA_FLATTENED",
        "CONTENT_DROPPED",
        bookmarks=False,
    )

    def photos(data: bytes) -> None:
        reader = pdf(data)
        boxes = [(round(float(page.mediabox.width)), round(float(page.mediabox.height))) for page in reader.pages]
        # 64 by 48 pixels at 96 an inch, and 10 mm on each side.
        assert boxes == [(48 + 57, 36 + 57)] * 2
        for page in reader.pages:
            (only,) = page.images
            assert only.image is not None
            assert (only.image.format, only.image.size) == ("JPEG", (64, 48))

    yield take(
        "zip-to-pdf",
        "photos of phones, with a margin",
        lambda: made.packed({"1.heic": pictures.photo("heic"), "2.avif": pictures.photo("avif")}),
        photos,
        pageSize="picture",
        margin=10.0,
    )

    def arranged(data: bytes) -> None:
        reader = pdf(data)
        names = [text.split("\n")[0] for text in texts(data)]
        assert names == ["Page no. 4", "Annual report", "Page no. 2", "Page no. 1", "Page no. 1"]
        assert [page.rotation for page in reader.pages] == [0, 90, 180, 180, 0]

    two = lambda: made.packed({"10.pdf": made.chapters(), "2.pdf": documents.report()})  # noqa: E731
    yield take(
        "zip-to-pdf",
        "pages of two documents in another order, turned and left out",
        two,
        arranged,
        "CONTENT_DROPPED",
        pages="2:4,1:1r90,2:2-1r180,2:1",
    )

    def only(data: bytes) -> None:
        reader = pdf(data)
        assert texts(data) == ["Page no. 3", "Page no. 1", "Page no. 2"]
        assert reader.metadata is not None
        assert reader.metadata.author == "Ada"
        assert titles(reader.outline) == ["First: a/b", "Second"]

    yield take(
        "zip-to-pdf",
        "a document without its last page keeps what it says about itself",
        lambda: made.packed({"a.pdf": made.chapters()}),
        only,
        "CONTENT_DROPPED",
        pages="3,1-2",
        bookmarks=False,
    )

    def split(data: bytes) -> None:
        files = members(data)
        assert {name: [text.split("\n")[0] for text in texts(each)] for name, each in files.items()} == {
            "part-01.pdf": ["Annual report", "Page no. 1"],
            "part-02.pdf": ["Page no. 3", "Page no. 4"],
        }

    yield Vector(
        "zip-to-pdf",
        "two parts",
        "awkward",
        two,
        {"pages": "1:1,2:1;2:3-"},
        check=split,
        warnings=frozenset({"CONTENT_DROPPED"}),
        output="zip",
    )

    def opened(data: bytes) -> None:
        assert not pdf(data).is_encrypted
        assert len(pdf(data).pages) == 2

    yield take(
        "zip-to-pdf",
        "an encrypted document",
        lambda: made.packed({"a.pdf": documents.locked()}),
        opened,
        password=documents.SECRET,
    )
    failing: tuple[tuple[str, Callable[[], bytes], Any], ...] = (
        ("nothing to merge", lambda: made.packed({"a.txt": b"no"}), "UNSUPPORTED_FORMAT"),
        ("a damaged document", lambda: made.packed({"a.pdf": b"%PDF-1.7 nothing"}), "UNSUPPORTED_FORMAT"),
        ("a damaged picture", lambda: made.packed({"a.png": pictures.half(_noise(1))}), "UNSUPPORTED_FORMAT"),
        ("a locked document", lambda: made.packed({"a.pdf": documents.locked()}), "VALIDATION_ERROR"),
        ("a photo cut short", lambda: made.packed({"a.heic": pictures.photo("heic")[:200]}), "UNSUPPORTED_FORMAT"),
        ("no archive", lambda: b"PK\x03\x04 nothing", "UNSUPPORTED_FORMAT"),
    )  # fmt: skip
    for name, source, error in failing:
        yield Vector(slug="zip-to-pdf", name=name, kind="failing", source=source, error=error)
    refused = (
        ("a page that is not there", "1:5", "VALIDATION_ERROR"),
        ("a page zero", "1:0", "VALIDATION_ERROR"),
        ("a file that is not there", "2:1", "VALIDATION_ERROR"),
        ("a file zero", "0:1", "VALIDATION_ERROR"),
        ("more pages than a result may have", ",".join(["1-4"] * 1_251), "UNSUPPORTED_FORMAT"),
        ("more parts than a result may have", ";".join(["1"] * 1_001), "UNSUPPORTED_FORMAT"),
    )
    for name, pages, error in refused:
        yield Vector(
            slug="zip-to-pdf",
            name=name,
            kind="failing",
            source=lambda: made.packed({"a.pdf": made.chapters()}),
            options={"pages": pages},
            error=error,
        )


VECTORS: tuple[Vector, ...] = (*_taken_apart(), *_put_together())
