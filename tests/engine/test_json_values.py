"""JSON values: faults, their places and the depth that is accepted are the same with every version of Python."""

from __future__ import annotations

import pytest

from engine.toolkit.json_values import MAX_DEPTH, Fault, document, is_deep_text, scanner

COMMA_IN_LIST = "A comma before the end of an array is not allowed"
COMMA_IN_OBJECT = "A comma before the end of an object is not allowed"
NO_VALUE = "Expected a value here"
NO_KEY = "Expected a key in double quotes here"
NO_TEXT = "Control characters in text must be escaped"
TOO_DEEP = f"Lists and objects are nested more than {MAX_DEPTH} deep; flatten the data"


@pytest.mark.parametrize(
    ("text", "position", "message"),
    [
        ("[1,]", 3, COMMA_IN_LIST),
        ("[1 ,\n\t ]", 7, COMMA_IN_LIST),
        ('{"a":[1,{}, ]}', 12, COMMA_IN_LIST),
        ('{"a":1,}', 7, COMMA_IN_OBJECT),
        ('[{"a":1 , }]', 10, COMMA_IN_OBJECT),
        ("[1,}", 3, NO_VALUE),
        ('{"a":1,]', 7, NO_KEY),
        ("[1,,2]", 3, NO_VALUE),
        ("[,]", 1, NO_VALUE),
        ("{,}", 1, NO_KEY),
        ("[1,", 3, NO_VALUE),
        ('{"a":1,', 7, NO_KEY),
        ("", 0, NO_VALUE),
        ("[1 2]", 3, "Expected a comma or the end of the array or object here"),
        ('{"a" 1}', 5, "Expected a colon here"),
        ('{"a":1} x', 8, "More text follows the end of the document"),
        ('["a', 1, "A text that starts here is never closed"),
        ('["\n"]', 2, NO_TEXT),
        ('["\\q"]', 2, "An escape in a text is invalid"),
        ('["NaN", -Infinity]', 8, "-Infinity is not a JSON number"),
    ],
)
def test_fault_has_its_place_and_name(text: str, position: int, message: str) -> None:
    with pytest.raises(Fault) as raised:
        document(text)
    assert (raised.value.position, raised.value.message) == (position, message)


@pytest.mark.parametrize(
    ("opening", "closing"),
    [("[", "]"), ('{"a":', "}"), ('[{"]}": "}]", "a" : ', "}]"), ('["[", ', "]"), ("[\n", "\n]")],
)
@pytest.mark.parametrize("more", [1, 2, 88, 3_000, 200_000])
@pytest.mark.parametrize("ends", [True, False])
def test_what_is_nested_too_deep_is_refused_where_it_begins(opening: str, closing: str, more: int, ends: bool) -> None:
    each = 1 + opening.count('{"]}"')
    levels = MAX_DEPTH // each
    text = opening * levels + '"a"' + closing * levels
    assert scanner()(text, 0)[1] == len(text)
    deeper = opening * (levels + more) + "1" + closing * (levels + more) * ends
    with pytest.raises(Fault) as raised:
        scanner()(deeper, 0)
    assert (raised.value.position, raised.value.message) == (len(opening) * levels, TOO_DEEP)


@pytest.mark.parametrize("text", ['["' + "[" * 600 + '\n"]', '["' + '\\"' * 100_000 + '\\q"]'])
def test_brackets_and_quotes_in_a_text_are_no_nesting(text: str) -> None:
    with pytest.raises(Fault) as raised:
        document(text)
    assert raised.value.message != TOO_DEEP


def test_fault_before_what_is_too_deep_comes_first() -> None:
    with pytest.raises(Fault) as raised:
        document("[1,]" + "[" * 5_000)
    assert (raised.value.position, raised.value.message) == (3, COMMA_IN_LIST)


def test_values_side_by_side_are_not_deep_together() -> None:
    many = b"\n".join([b"[" * 300 + b"]" * 300] * 10)
    assert not is_deep_text(many)
    assert not is_deep_text(b'["' + b"[" * 600 + b'"]')
    assert is_deep_text(many + b"[" * 513 + b"]" * 513)
