"""Inner lists of OpenDocument texts keep their own letters, Roman numerals and first numbers."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

PAGE = (
    "<ol><li>one<ol type=a><li>two<ol type=i start=3><li>three<li>four</ol><li>five</ol>"
    "<li>six<ol type=A><li>seven</ol>"
    "<li>eight<ul><li>nine<ol type=I start=4><li>ten<li>eleven</ol></ul><ol type=a><li>twelve</ol></ol>"
    "<ul><li>thirteen<ol type=1 start=7><li>fourteen</ol></ul>"
)
NUMBERED = [
    "1. one", "a. two", "iii. three", "iv. four", "b. five", "2. six", "A. seven", "3. eight", "- nine", "IV. ten",
    "V. eleven", "a. twelve", "- thirteen", "7. fourteen",
]  # fmt: skip


def converted(folder: Path, slug: str, data: bytes) -> tuple[bytes, list[str]]:
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(data)
    converter.run(source, target, build(converter.options, {}), warn)
    return target.read_bytes(), [str(each.message) for each in warn.warnings]


def lines(text: bytes) -> list[str]:
    return [" ".join(each.split()) for each in text.decode().splitlines() if each.strip()]


@pytest.mark.parametrize("between", ["", "docx", "rst"])
def test_lists_in_lists_keep_their_numbers(between: str, tmp_path: Path) -> None:
    data, given = PAGE.encode(), "html"
    if between:
        data, given = converted(tmp_path, f"html-to-{between}", data)[0], between
    made, said = converted(tmp_path, f"{given}-to-odt", data)
    assert said == []
    text, _ = converted(tmp_path, "odt-to-txt", made)
    assert lines(text) == NUMBERED


def test_lists_in_lists_are_shown_with_their_numbers_at_their_depth(tmp_path: Path) -> None:
    made, _ = converted(tmp_path, "html-to-odt", PAGE.encode())
    page, _ = converted(tmp_path, "odt-to-html", made)
    shown = re.findall(r'<p class="(p\d)"><span class="[^"]*">(\S+) ?</span>(\w+)', page.decode())
    assert [(number, name) for _, number, name in shown if name in ("seven", "ten", "fourteen")] == [
        ("A.", "seven"), ("IV.", "ten"), ("7.", "fourteen"),
    ]  # fmt: skip
    places = {name: place for place, _, name in shown}
    assert places["ten"] == places["three"] != places["two"] == places["seven"] == places["fourteen"]


def test_a_text_without_inner_lists_stays_as_it_is(tmp_path: Path) -> None:
    made, _ = converted(tmp_path, "html-to-odt", b"<ol start=4><li>one<li>two</ol>")
    assert lines(converted(tmp_path, "odt-to-txt", made)[0]) == ["4. one", "5. two"]
