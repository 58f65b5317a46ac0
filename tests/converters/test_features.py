"""What a reader found and a writer does not keep is told, once for each kind, with a count and examples."""

from __future__ import annotations

import pytest

from engine.families.data.features import Feature, Found
from engine.families.data.table import unique_names
from engine.toolkit.warnings import MAX_EXAMPLES, Kind, Warn, Warning

PICTURES = Kind("CONTENT_DROPPED", "Pictures were left out: {count}{places}. Use another format.")


def reported(warn: Warn) -> list[tuple[str, str]]:
    return [(each.code, each.message) for each in warn.warnings]


def test_a_kind_is_one_warning_with_the_counts_of_all_parts_added_up() -> None:
    warn = Warn()
    warn.tally(PICTURES, 2, ["A1", "B2"], part="first")
    warn("NO_TEXT", "Between.")
    warn.tally(PICTURES, 1, ["C3"], part="second")
    assert reported(warn) == [
        ("CONTENT_DROPPED", "Pictures were left out: 3 (A1, B2, C3). Use another format."),
        ("NO_TEXT", "Between."),
    ]


def test_what_is_said_again_of_a_part_replaces_what_was_said() -> None:
    warn = Warn()
    for _ in range(2):
        warn.tally(PICTURES, 2, ["A1"], part="first")
    assert [each.message for each in warn.warnings] == ["Pictures were left out: 2 (A1, …). Use another format."]
    warn.tally(PICTURES, 0, part="first")
    assert warn.warnings == ()


def test_few_examples_stand_for_many() -> None:
    warn = Warn()
    warn.tally(PICTURES, 12_345, (f"A{row}" for row in range(12_345)))
    (warning,) = warn.warnings
    assert "12,345 (A0, A1, A2, A3, A4, …)" in warning.message
    assert MAX_EXAMPLES == 5


def test_a_kind_has_a_known_code() -> None:
    with pytest.raises(KeyError):
        Kind("NO_SUCH_CODE", "Nothing")


def test_the_warnings_are_what_was_found_and_is_not_kept() -> None:
    found, warn = Found(), Warn()
    found.put(Feature.NOTE, 2, ["A1", "A2"], part="one")
    found.put(Feature.NOTE, 1, ["B1"], part="two")
    found.put(Feature.MERGED, 4, part="one")
    found.put(Feature.CHART, 0, part="one")
    found.report_lost(frozenset({Feature.MERGED}), warn)
    assert warn.warnings == (Warning("COMMENTS_DROPPED", "Cell notes are not in the output: 3 (A1, A2, B1)."),)
    assert found.count(Feature.MERGED) == 4


def test_renamed_columns_are_one_warning() -> None:
    warn = Warn()
    assert unique_names(["a", "", "a", "a"], warn) == ["a", "column2", "a_2", "a_3"]
    (warning,) = warn.warnings
    assert warning.code == "COLUMN_RENAMED"
    assert ": 3 (" in warning.message
