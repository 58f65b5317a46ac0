"""Tabs of preformatted text end at tab stops, as in browsers."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.toolkit.failures import OverLimit
from tests.converters.test_plutoprint import Result

_STYLE = "pre, .kept { font: 20px/1 'Liberation Mono'; margin: 0 } .kept { white-space: pre-wrap } body { margin: 0 }"
_PAPER = f"<style>@page {{ margin: 0 }} {_STYLE}"
_COLUMN = 9.0
"""Points of one character."""


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("<pre>one\ttwo\n\tsix</pre>", {"two": 8, "six": 8}),
        ("<pre style='tab-size: 2'>one\ttwo\n\tsix</pre>", {"two": 4, "six": 2}),
        ("<pre class=four>one\ttwo\n\tsix</pre>", {"two": 4, "six": 4}),
        ("<pre><b>one</b>\t<i>two</i>\tsix</pre>", {"two": 8, "six": 16}),
        ("<p class=kept>one two\tsix</p>", {"six": 8}),
        ("<pre>one<br>\ttwo</pre><pre>\tsix</pre>", {"two": 8, "six": 8}),
        ("<p style='font: 20px \"Liberation Mono\"; margin: 0'>one\ttwo</p>", {"two": 4}),
    ],
)
def test_a_tab_reaches_to_the_next_stop(text: str, columns: dict[str, int], tmp_path: Path) -> None:
    result = Result(f"{_PAPER} .four {{ tab-size: 4 }}</style>{text}", tmp_path)
    found = {word: result.at(word)[0] / _COLUMN for word in columns}
    assert found == pytest.approx(columns, abs=0.3)
    assert result.warn.warnings == ()


def test_tabs_are_not_more_text_than_a_page_may_have(tmp_path: Path) -> None:
    with pytest.raises(OverLimit):
        Result("<pre style='tab-size: 99'>" + "\t" * 100_000, tmp_path)
