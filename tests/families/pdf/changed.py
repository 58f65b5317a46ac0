"""Vectors of what is done to a PDF without looking into its pages' texts: cut, numbered, stamped, cleaned, repaired."""

from __future__ import annotations

import base64
import io
from collections.abc import Callable, Iterator

import pypdf

from engine.toolkit.options import Value
from tests.converters.vector import Vector, refuse, take
from tests.families.images import files as pictures
from tests.families.images.looks import pdf
from tests.families.pdf import files as documents
from tests.families.pdf import scan_files as made


def texts(data: bytes) -> list[str]:
    return [page.extract_text().strip() for page in pdf(data).pages]


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
        assert [text.split("\n")[-1] for text in texts(data)] == ["Page no. 1", "7 of 8", "8 of 8", "Page no. 4"]

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

    yield vector("cleaned", made.chapters, is_anonymous, "CONTENT_DROPPED", operation="clean")

    def is_whole(data: bytes) -> None:
        assert texts(data)[0].startswith("Annual report")
        pypdf.PdfReader(io.BytesIO(data), strict=True)

    yield take(
        "pdf-to-pdf",
        "repaired",
        lambda: documents.report()[: documents.report().rindex(b"xref")],
        is_whole,
        "CONTENT_DROPPED",
        operation="repair",
    )

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
        yield refuse("pdf-to-pdf", name, made.chapters, **options)


VECTORS: tuple[Vector, ...] = tuple(_changed())
