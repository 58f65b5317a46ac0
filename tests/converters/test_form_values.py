"""Form fields of pages that become documents: their values are in the text."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest
from lxml import etree

from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

_FIELDS = {
    "a text": ("<input value='typed &amp; kept'>", "typed & kept"),
    "a kind of its own": ("<input type=date value=2026-01-31>", "2026-01-31"),
    "a hint": ("<input placeholder='a hint'>", "a hint"),
    "a password": ("<input type=password value=abc>", "•••"),
    "a chosen entry": ("<select><option>one<option selected>two</select>", "two"),
    "chosen entries": ("<select multiple><option selected>one<option>two<option selected>three</select>", "one, three"),
    "the first entry": ("<select><optgroup label=group><option>one<option>two</optgroup></select>", "one"),
    "an area": ("<textarea rows=2>area &lt;text&gt;</textarea>", "area <text>"),
    "a choice with a class": ("<select class=a><option class=b>one<option class=b selected>two</select>", "two"),
    "a button": ("<button>Send</button><input type=submit>", "Send Submit"),
    "choices": ("<input type=radio checked>yes<input type=radio>no", "◉ yes ○ no"),
    "a box": ("<input type=checkbox checked>", "☒"),
    "nothing": ("<input type=hidden value=secret><datalist><option>entry</datalist>", ""),
}


def converted(folder: Path, slug: str, markup: str) -> tuple[bytes, Warn]:
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / "page.html", folder / f"result.{converter.output.id}"
    source.write_text(markup, "utf-8")
    converter.run(source, target, build(converter.options, {}), warn)
    return target.read_bytes(), warn


@pytest.mark.parametrize("kind", _FIELDS)
def test_the_value_of_a_field_is_in_the_text(tmp_path: Path, kind: str) -> None:
    field, text = _FIELDS[kind]
    result, _ = converted(tmp_path, "html-to-txt", f"<form><p>before {field} after</form>")
    assert " ".join(result.decode().split()) == " ".join(f"before {text} after".split()) or kind == "nothing"
    assert b"secret" not in result
    assert b"entry" not in result


def test_lines_of_an_area_stay_lines(tmp_path: Path) -> None:
    for attributes in ("", " class=wide id=a"):
        page = f"<p>before</p><textarea{attributes}>line one\nline two</textarea>"
        result, _ = converted(tmp_path, "html-to-txt", page)
        assert "line one\nline two" in result.decode()


def test_values_are_in_word_documents_and_said_to_be_fixed(tmp_path: Path) -> None:
    result, warn = converted(tmp_path, "html-to-docx", "<p>Name <input value='Ada Lovelace'>")
    with zipfile.ZipFile(io.BytesIO(result)) as parts:
        document = etree.fromstring(parts.read("word/document.xml"))
    assert "".join(document.itertext()).split() == ["Name", "Ada", "Lovelace"]
    assert [each.message for each in warn.warnings] == [
        "Form fields became text with their values; they can't be filled in."
    ]


def test_boxes_of_a_list_are_tasks_in_markdown(tmp_path: Path) -> None:
    tasks = "<ul><li><input type=checkbox checked> done<li><input type=checkbox> open</ul>"
    result, warn = converted(tmp_path, "html-to-markdown", tasks)
    assert result.decode().split("\n")[:2] == ["- [x] done", "- [ ] open"]
    assert not warn.warnings
