"""Words of slides are counted by code of their own, and Word 6 and 95 give their text."""

from __future__ import annotations

import struct
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from engine.families import auditing
from engine.families.documents.counting import old_slides, open_document
from engine.families.documents.slides import old_shapes
from engine.toolkit.failures import Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.converters.engines import OWN
from tests.converters.test_old_offices import changed, converted, put, with_page
from tests.families.documents.old_office.vectors import report as doc_report
from tests.families.documents.slides.vectors import ppt, ppt_awkward
from tests.families.libreoffice import files


def test_rows_of_slides_without_a_height_stay_apart() -> None:
    cells = [old_shapes.Shape(1, {at: 0}, (100.0 * (at % 2), 50.0, 100.0 * (at % 2 + 1), 50.0)) for at in range(6)]
    placed = old_shapes.places_of(cells, [0.0, 100.0, 200.0], [50.0])
    assert {place: cells.index(cell) for place, (cell, _, _) in placed.items()} == {
        (0, 0): 0, (0, 1): 1, (1, 0): 2, (1, 1): 3, (2, 0): 4, (2, 1): 5,
    }  # fmt: skip


@pytest.mark.parametrize("kind", ["ppt", "odp"])
def test_words_of_slides_that_a_result_lacks_are_named(kind: str, tmp_path: Path) -> None:
    data = ppt() if kind == "ppt" else files.odp()
    converter = OWN[f"{kind}-to-txt"]

    def lossy(source: Path, target: Path, options: object, warn: Warn) -> None:
        converter.run(source, target, options, warn)
        target.write_text(target.read_text().replace("Quarterly", "").replace("東京", ""))

    source, target = tmp_path / f"input.{kind}", tmp_path / "output.txt"
    source.write_bytes(data)
    for run, lost in ((converter.run, 0), (lossy, 2)):
        warn = Warn()
        auditing.run(replace(converter, run=run), source, target, build(converter.options, {}), warn)
        said = [str(each.message) for each in warn.warnings if "Words are missing" in str(each.message)]
        assert len(said) == bool(lost)
        assert not lost or said[0].startswith(f"Words are missing from the result: {lost} (")


def test_notes_fields_and_hidden_slides_are_no_words_of_slides(tmp_path: Path) -> None:
    box = "<draw:frame><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>"
    page = (
        box.format("seen <text:date>1.1.2026</text:date><presentation:footer/>")
        + f"<presentation:notes>{box.format('spoken')}</presentation:notes></draw:page>"
    )
    source = tmp_path / "input.odp"
    source.write_bytes(with_page(page))
    found = open_document.slides(source)
    assert "seen" in " ".join(found.texts).split()
    assert not {"spoken", "1.1.2026"} & {*" ".join(found.texts).split()}
    source.write_bytes(ppt_awkward())
    hidden = old_slides.count(source)
    assert hidden.items["slides"].total() == 1
    assert "Internal" not in " ".join(hidden.texts)


def word_95(text: bytes, *, pieces: tuple[tuple[int, int], ...] = (), flags: int = 0) -> bytes:
    """A document of Word 6: its text, or the pieces of it that are its text, each from one byte to another."""

    def change(content: bytearray) -> None:
        content[:] = bytes(len(content))
        length = sum(end - start for start, end in pieces) or len(text)
        struct.pack_into("<HH", content, 0, 0xA5DC, 101)
        struct.pack_into("<H", content, 0x0A, flags | (0x0004 if pieces else 0))
        struct.pack_into("<II", content, 0x18, 0x300, 0x300 + len(text))
        struct.pack_into("<I", content, 0x34, length)
        content[0x300 : 0x300 + len(text)] = text
        if pieces:
            starts = [sum(end - start for start, end in pieces[:at]) for at in range(len(pieces) + 1)]
            held = struct.pack(f"<{len(starts)}I", *starts)
            held += b"".join(struct.pack("<HIH", 0, 0x300 + start, 0) for start, _ in pieces)
            table = b"\x01\x02\x00ab\x02" + struct.pack("<I", len(held)) + held
            content[0x800 : 0x800 + len(table)] = table
            struct.pack_into("<II", content, 0x160, 0x800, len(table))

    return changed(doc_report(), "WordDocument", change)


def test_word_6_and_95_give_their_text(tmp_path: Path) -> None:
    text = b"A \x93quoted\x94 text\rcell\x07next\x07\x07\x13 PAGE \x14seven\x15\x0bline \x01\x08\rcaf\xe9\r"
    made, codes = converted(tmp_path, "doc-to-txt", word_95(text))
    lines = [each for each in made.decode().splitlines() if each]
    assert lines == ["A “quoted” text", "cell", "next", "seven", "line", "café"]
    assert "CONTENT_DROPPED" in codes
    made, codes = converted(tmp_path, "doc-to-txt", word_95(b"second first ", pieces=((7, 13), (0, 7))))
    assert made.decode().split() == ["first", "second"]


@pytest.mark.skipif("doc-to-pdf" not in OWN, reason="only PlutoPrint draws documents")
def test_word_6_and_95_are_left_to_an_engine_that_knows_their_looks(tmp_path: Path) -> None:
    source, target, warn = tmp_path / "input.doc", tmp_path / "output.pdf", Warn()
    source.write_bytes(word_95(b"Plainly said\r"))
    converter = OWN["doc-to-pdf"]
    auditing.run(converter, source, target, build(converter.options, {}), warn)
    assert warn.undrawn


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (lambda: word_95(b"Text", flags=0x0100), "password"),
        (lambda: word_95(b"Text", pieces=((0, 2), (2, 900_000))), "damaged"),
        (lambda: changed(doc_report(), "WordDocument", put(0, "<H", 0xA59B)), "unsupported_feature"),
    ],
)
def test_locked_damaged_and_older_word_files_are_refused(
    data: Callable[[], bytes], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(Unreadable) as refused:
        converted(tmp_path, "doc-to-txt", data())
    assert refused.value.reason == reason
