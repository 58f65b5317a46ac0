"""Notation that only other kinds of Markdown have is named where it is shown as it is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.conversion import convert

NAMED = "Notation from other Markdown dialects is shown as written: "


def told(folder: Path, text: str, target: str) -> list[str]:
    source = folder / "input.md"
    source.write_text(text)
    messages = [str(each.message) for each in convert(source, folder / target, sandbox=False).warnings]
    return [each.removeprefix(NAMED) for each in messages if each.startswith(NAMED)]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("> [!MYKIND]\n> careful\n", "1 ([!MYKIND])."),
        ("::: {.column}\nx\n:::\n", "1 (::: {.column})."),
        ("One\ntwo\n: What it means\n", "1 (: What it means)."),
        ("One\n\n\\newpage\n\nTwo\n", "1 (\\newpage)."),
    ],
)
def test_what_is_shown_as_source_is_named(text: str, shown: str, tmp_path: Path) -> None:
    assert told(tmp_path, text, "output.html") == [shown]


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5, or $10 for two, and US$ 3 or 4$.\n",
        "`$a^2$` and\n\n```\n:::note\n[TOC]\n$x_1$\n```\n",
        "> [!important thing](https://example.org)\n",
        "Set $HOME and $PATH: then run it.\n",
        "A line: with colon\nand another : one\n",
    ],
)
def test_prices_code_and_prose_are_not_named(text: str, tmp_path: Path) -> None:
    assert told(tmp_path, text, "output.html") == []


@pytest.mark.parametrize("target", ["output.html", "output.docx"])
def test_what_is_read_is_not_named(target: str, tmp_path: Path) -> None:
    text = "Inline $a^2$\n\n> [!WARNING]\n> careful\n\n[TOC]\n\nTerm\n: What it means\n"
    assert told(tmp_path, text, target) == []
    assert told(tmp_path, f"{text}\n:::column\nx\n:::\n", target) == ["1 (:::column)."]


@pytest.mark.parametrize("target", ["output.html", "output.docx"])
def test_escaped_dollars_are_not_named(target: str, tmp_path: Path) -> None:
    assert told(tmp_path, "Costs \\$a\\$, or \\$x\\_1\\$.\n\n:::column\nx\n:::\n", target) == ["1 (:::column)."]
