"""What a finished file has is held against what its source has: each loss becomes a warning, and nothing else does."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.families import auditing
from engine.families import counted as counted_table
from engine.families.registry import CONVERTERS
from engine.toolkit import comparison
from engine.toolkit.census import EVERYTHING, LOSSES, Census, Counting, audited
from engine.toolkit.comparison import report
from engine.toolkit.options import build
from engine.toolkit.warnings import Kind, Warn


def counted(*texts: str, **items: int) -> Census:
    return Census(items={kind: Counter({"": number}) for kind, number in items.items()}, texts=list(texts))


def lost(before: Census, after: Census, warn: Warn | None = None) -> list[str]:
    warn = warn or Warn()
    report(before, after, EVERYTHING, warn)
    return [str(each.message) for each in warn.warnings]


def test_fewer_of_a_kind_are_a_warning_with_their_number() -> None:
    assert lost(counted(pictures=5, links=1), counted(pictures=3, links=1)) == [
        "Pictures are missing from the result: 2."
    ]


def test_more_of_a_kind_are_none() -> None:
    assert lost(counted("one", pictures=1), counted("one two", pictures=4)) == []


def test_what_a_warning_has_counted_is_not_said_twice() -> None:
    warn = Warn()
    warn.tally(Kind("CONTENT_DROPPED", "Metafiles were left out: {count}{places}.", counts="pictures"), 2)
    warn.account("links", 1)
    assert len(lost(counted(pictures=3, links=1), counted(pictures=1), warn)) == 1
    warn = Warn()
    warn.account("pictures", 1)
    assert lost(counted(pictures=3), counted(pictures=0), warn) == ["Pictures are missing from the result: 2."]


def test_labels_say_which_ones_are_missing() -> None:
    before, after = Census(), Census()
    for name in ("a.txt", "b.txt", "b.txt"):
        before.add("files", label=name)
    after.add("files", label="b.txt")
    after.add("files", label="c.txt")
    assert lost(before, after) == ["Files are missing from the result: 2 (“a.txt”, “b.txt”)."]


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Straße", "STRASSE"),  # letter case
        ("effizient", "eﬃzient"),  # ligatures
        ("a division of words", "a divi-\nsion of words"),
        ("two words", "two\nwords"),
        ("東京で", "東 京 で"),
        ("one; two", "two and one"),
        ("سلام", "مالس"),  # as it is drawn
    ],
)
def test_a_word_counts_as_there_however_it_is_set(before: str, after: str) -> None:
    assert lost(counted(before), counted(after)) == []


def test_missing_words_are_named_as_they_are_written() -> None:
    assert lost(counted("The Last Word is in", "Part A7"), counted("the word is", "part")) == [
        "Words are missing from the result: 3 (“Last”, “in”, “A7”)."
    ]


def test_texts_that_are_too_different_to_be_compared_word_by_word_say_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(comparison, "MOST_SEARCHED", 1000)
    warn = Warn()
    report(counted(*(f"first{number}" for number in range(99))), counted("x" * 100), ["words"], warn)
    assert warn.detected["notCounted"] == "words"
    assert [each.code for each in warn.warnings] == ["CONTENT_DROPPED"]


def test_a_search_that_was_broken_off_has_not_found_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    before, after = counted("second", "first", "third"), counted("first x second x third")
    assert comparison.has_words(before, after)
    monkeypatch.setattr(comparison, "MOST_SEARCHED", 10)
    assert not comparison.has_words(before, after)
    (words,) = comparison.compare(before, after, ["words"], Warn())
    assert words.sampled


def test_kinds_that_are_not_compared_are_named_together() -> None:
    before, after, warn = Census(samples={"values": 1}), Census(samples={"values": 2}), Warn()
    warn.not_counted({"looks"})
    report(before, after, ["order", "rows", "values"], warn)
    assert warn.detected["notCounted"] == "looks, order, values"


def test_kinds_are_audited_that_both_formats_count_or_one_has_no_place_for() -> None:
    before = Counting(lambda path: Census(), frozenset({"words", "pictures", "links"}))
    after = Counting(lambda path: Census(), frozenset({"words"}), unsupported=frozenset({"pictures"}))
    assert audited(before, after) == {"words", "pictures"}


def test_every_counting_names_known_kinds_and_every_family_that_counts_is_asked() -> None:
    folder = Path(auditing.__file__).parent
    assert {str(each.parent.relative_to(folder)).replace("/", ".") for each in folder.rglob("census.py")} == set(
        auditing.COUNTED
    )
    for format, counting in auditing.countings().items():
        assert counting.kinds | counting.source_only, format
        assert not counting.kinds & counting.unsupported
        assert counting.kinds | counting.unsupported <= LOSSES.keys()


def test_the_document_tells_what_is_counted() -> None:
    """`python -m engine.families.counted` brings it up to date."""
    assert counted_table.DOCUMENT.read_text("utf-8") == counted_table.document()
    assert "| words |" in counted_table.table()


@pytest.fixture
def letter(tmp_path: Path) -> Path:
    source = tmp_path / "input.html"
    source.write_text("<h1>Offer</h1><p>Twelve chairs, <a href='https://example.org'>as agreed</a>.</p><p>Yours</p>")
    return source


def converted(source: Path, output: str, tear: Any = None, **options: Any) -> Warn:
    """The warnings of a conversion whose converter, if `tear` is given, damages its own result."""
    converter = CONVERTERS[f"html-to-{output}"]

    def torn(given: Path, target: Path, values: Any, warn: Warn) -> Any:
        written = converter.run(given, target, values, warn)
        target.write_bytes(tear(target.read_bytes()))
        return written

    warn = Warn()
    auditing.run(
        replace(converter, run=torn if tear else converter.run),
        source,
        source.with_name(f"output.{output}"),
        build(converter.options, options),
        warn,
    )
    return warn


def test_a_whole_result_is_no_warning(letter: Path) -> None:
    assert converted(letter, "markdown").warnings == ()


def test_a_sentence_that_the_writer_loses_is_named(letter: Path) -> None:
    warn = converted(letter, "markdown", lambda made: made.replace(b"Twelve chairs", b""))
    assert [(each.code, str(each.message)) for each in warn.warnings] == [
        ("CONTENT_DROPPED", "Words are missing from the result: 2 (“Twelve”, “chairs”).")
    ]


def test_a_link_that_the_writer_loses_is_named(letter: Path) -> None:
    warn = converted(letter, "markdown", lambda made: made.replace(b"](https://example.org)", b"]"))
    assert [str(each.message) for each in warn.warnings] == ["Links are missing from the result: 1."]


def test_a_result_that_cannot_be_counted_is_kept_and_says_so(letter: Path) -> None:
    warn = converted(letter, "docx", lambda made: made[:40])
    assert warn.detected["notCounted"] == "cells, links, pictures, tables, words"
    assert letter.with_name("output.docx").stat().st_size == 40


def test_what_is_too_large_is_not_counted_and_says_so(letter: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auditing, "MAX_BYTES", 10)
    assert converted(letter, "markdown").detected["notCounted"] == "cells, links, pictures, tables, words"


def test_what_an_option_leaves_out_is_no_loss(tmp_path: Path) -> None:
    source = tmp_path / "input.html"
    source.write_text("<p>first page</p><p style='break-before: page'>second sheet</p>")
    assert converted(source, "pdf").warnings == ()
    assert converted(source, "pdf", pageRanges="1").warnings == ()


def test_words_that_a_drawn_page_is_said_to_lack_are_not_said_twice(tmp_path: Path) -> None:
    source = tmp_path / "input.html"
    source.write_text("<p>here</p><p style='position: relative; left: -300px; width: 200px'>Letterhead of the firm</p>")
    assert [each.code for each in converted(source, "pdf").warnings] == ["TEXT_NOT_SHOWN"]


PROSE = "\n\n".join(
    f"Line {number} has some plain words about the weather over hills {number}." for number in range(900)
)


def test_a_long_text_is_glanced_at(tmp_path: Path) -> None:
    source = tmp_path / "input.html"
    source.write_text("".join(f"<p>{each}</p>" for each in PROSE.split("\n\n")))
    warn = converted(source, "markdown")
    assert warn.warnings == ()
    assert warn.detected["countedInPart"] == "cells, links, pictures, tables, words"


def test_a_long_text_of_which_a_phrase_is_missing_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "input.html"
    source.write_text("".join(f"<p>{each}</p>" for each in PROSE.split("\n\n")))
    warn = converted(source, "markdown", lambda made: made[: len(made) // 2])
    assert [each.code for each in warn.warnings] == ["CONTENT_DROPPED"]
    assert "countedInPart" not in warn.detected


def test_a_long_text_with_fewer_links_is_counted(tmp_path: Path) -> None:
    source = tmp_path / "input.html"
    paragraphs = "".join(f"<p>{each}</p>" for each in PROSE.split("\n\n"))
    source.write_text(f"<a href='https://example.org'>link</a>{paragraphs}")
    warn = converted(source, "markdown", lambda made: made.replace(b"](https://example.org)", b"]"))
    assert [str(each.message) for each in warn.warnings] == ["Links are missing from the result: 1."]


def test_what_another_check_has_compared_is_counted_anew_if_the_file_has_changed(tmp_path: Path) -> None:
    target = tmp_path / "made"
    target.write_text("words")
    warn = Warn()
    warn.keep_texts(target, ["words"], compared=True)
    assert warn.compared(target)
    target.write_text("others")
    assert warn.read_back(target) is None
    assert not warn.compared(target)
