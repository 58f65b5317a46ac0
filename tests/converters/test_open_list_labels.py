"""Labels of OpenDocument lists: items with a list style of their own, and bullets that are pictures."""

from __future__ import annotations

import re
from pathlib import Path

from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt


def _style(name: str, level: str) -> str:
    return f'<text:list-style style:name="{name}">{level}</text:list-style>'


_NUMBERED = '<text:list-level-style-number text:level="1" style:num-suffix="." style:num-format="{}"/>'
_STYLES = _style("roman", _NUMBERED.format("I")) + _style("letters", _NUMBERED.format("A"))
_PICTURED = _style("pictured", '<text:list-level-style-image text:level="1" xlink:href="Pictures/dot.png"/>')


def _list(*items: str, style: str = "roman") -> str:
    made = (f"<text:list-item{item}><text:p>item</text:p></text:list-item>" for item in items)
    return f'<text:list text:style-name="{style}">{"".join(made)}</text:list>'


def _labels(done: Convert) -> list[str]:
    text = re.sub(r"<[^<>]*>", "", done.text.partition("<body>")[2])
    return re.findall(r"(\S+)\s*item", text)


def test_an_item_with_a_list_style_of_its_own_counts_on_in_it(tmp_path: Path) -> None:
    over = ' text:style-override="letters"'
    done = Convert(tmp_path, "odt-to-html", odt(_list("", over, "") + _list(over, "", over), _STYLES))
    assert _labels(done) == ["I.", "B.", "III.", "A.", "II.", "C."]


def test_an_unknown_list_style_of_an_item_changes_nothing(tmp_path: Path) -> None:
    done = Convert(tmp_path, "odt-to-html", odt(_list("", ' text:style-override="none"'), _STYLES))
    assert _labels(done) == ["I.", "II."]


def test_bullets_that_are_pictures_are_counted(tmp_path: Path) -> None:
    done = Convert(tmp_path, "odt-to-html", odt(_list("", "", style="pictured") + _list(""), _STYLES + _PICTURED))
    assert _labels(done) == ["•", "•", "I."]
    assert "Bullets that are pictures became characters: 2." in done.messages
