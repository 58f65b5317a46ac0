"""Names that are in use get a number."""

from __future__ import annotations

from engine.toolkit.numbered_names import NumberedNames


def test_a_name_that_is_wanted_again_gets_the_next_free_number() -> None:
    names = NumberedNames()
    wanted = ["a", "a_2", "a", "b", "a", "a_2"]
    assert [names.free(each) for each in wanted] == ["a", "a_2", "a_3", "b", "a_4", "a_2_2"]


def test_names_that_differ_by_case_are_one_where_they_are_folded() -> None:
    names = NumberedNames(str.lower)
    assert [names.free(each) for each in ("A", "a", "A_2")] == ["A", "a_2", "A_2_2"]


def test_names_that_are_cut_to_the_same_one_stay_apart() -> None:
    names = NumberedNames()
    numbered = ["abc", "abd", "abc", "abd"]
    assert [names.free(each, lambda name, number: f"{name[:1]}{number}") for each in numbered] == [
        "abc", "abd", "a2", "a3",
    ]  # fmt: skip
