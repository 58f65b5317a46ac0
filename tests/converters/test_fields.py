"""Texts of a form, a query or a command line as declared options."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import pytest

from engine.toolkit.failures import InvalidFields
from engine.toolkit.fields import parse
from engine.toolkit.options import option


@dataclass(frozen=True)
class Offered:
    kind: Literal["one", "two"] = option("one", "A choice.")
    flag: bool = option(True, "Yes or no.")
    count: int = option(3, "A whole number.", minimum=1, maximum=10)
    share: float = option(0.5, "A number.", minimum=0, maximum=1)
    mark: str = option(",", "One character.", length=1, pattern=r"[^a]")
    note: str | None = option(None, "A text.", max_length=5)


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("kind", "two", "two"),
        *[("flag", text, True) for text in ("yes", "true", "True", "1", "on", "Y")],
        *[("flag", text, False) for text in ("no", "FALSE", "0", "off", " n ")],
        ("count", "7", 7),
        ("count", " 7.0 ", 7),
        ("share", "0.25", 0.25),
        ("share", "2.5e-1", 0.25),
        ("mark", "\t", "\t"),
        ("note", "", None),
        ("note", " x ", " x "),
        ("count", "", 3),
        ("flag", "", True),
    ],
)
def test_a_text_is_read_as_its_option_says(name: str, text: str, value: Any) -> None:
    assert getattr(parse(Offered, {name: text}), name) == value


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("kind", "three"), ("kind", "One"), ("flag", "maybe"), ("count", "0"), ("count", "11"), ("count", "1e1"),
        ("count", "7.5"), ("count", "٧"), ("count", "9" * 5000), ("share", "nan"), ("share", "inf"), ("share", "1e999"),
        ("share", "-0.1"), ("share", "1,0"), ("mark", ""), ("mark", ";;"), ("mark", "a"), ("note", "123456"),
        ("note", "a\0"), ("note", "\ud800"), ("other", "x"), ("Kind", "one"),
    ],
)  # fmt: skip
def test_what_is_no_value_is_refused_with_its_name(name: str, text: str) -> None:
    with pytest.raises(InvalidFields) as caught:
        parse(Offered, {"note": "fine", name: text})
    assert set(caught.value.reasons) == {name}


def test_all_that_is_wrong_is_named_at_once() -> None:
    with pytest.raises(InvalidFields) as caught:
        parse(Offered, {"kind": "x", "count": "x", "nothing": "x", "flag": "yes"})
    assert set(caught.value.reasons) == {"kind", "count", "nothing"}
