"""Vectors of presentations as texts, and their pages as this service draws them itself."""

from __future__ import annotations

from collections.abc import Callable

from tests.converters.cases import document_texts as texts
from tests.converters.cases import office_files as files
from tests.converters.cases.document_files import docx
from tests.converters.vector import Vector

_TARGETS = ("html", "markdown", "txt", "docx")


def _says(target: str, *words: str, never: tuple[str, ...] = (), zipped: bool = False) -> Callable[[bytes], None]:
    read = texts.packed if zipped else texts.READERS[target]

    def check(data: bytes) -> None:
        seen = read(data)
        assert [each for each in words if each not in seen.text] == []
        assert [each for each in never if each in seen.text] == []
        assert seen.pictures == (0 if target == "txt" or never else 1)

    return check


def _vectors(target: str) -> tuple[Vector, ...]:
    slug = f"pptx-to-{target}"
    zipped = target == "markdown"
    words = ("Quarterly report", "Sales grew in Zürich", "東京", "1,200 units", "Second slide: thank you")
    return (
        Vector(
            slug,
            "two slides",
            "ordinary",
            files.pptx,
            check=_says(target, *words, zipped=zipped),
            warnings=frozenset({"CONTENT_DROPPED"} if target == "txt" else ()),
            output="zip" if zipped else None,
        ),
        Vector(
            slug,
            "what is hidden, outside and active",
            "awkward",
            files.pptx_awkward,
            check=_says(target, "Contract", never=("Internal only",)),
            warnings=frozenset({"CONTENT_DROPPED", "REMOTE_RESOURCE_BLOCKED", "SCRIPT_REMOVED"}),
        ),
        Vector(slug, "a Word document", "failing", docx, error="UNSUPPORTED_FORMAT"),
    )


VECTORS: tuple[Vector, ...] = tuple(vector for target in _TARGETS for vector in _vectors(target))
