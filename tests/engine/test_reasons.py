"""Why a file is refused, for programs: every refusal names one of the reasons that the interface lists."""

from __future__ import annotations

import ast
import io
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

import engine
from engine.toolkit.failures import CAUSES, LimitReason
from tests.conftest import Person

ROOT = Path(engine.__file__).parents[1]
CALLED = {"Unreadable", "Refused", "UnsupportedFormat"}
REASONS = CAUSES | set(get_args(LimitReason))
DEEP = b"a = " + b"[" * 5_000 + b"]" * 5_000
NOTEBOOK = json.dumps({"nbformat": 2, "metadata": {}, "worksheets": []}).encode()


def refusals() -> Iterator[tuple[str, ast.Call]]:
    """Every place where a file is refused."""
    for folder in ("engine", "conversions"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            if path == ROOT / "engine" / "shell.py":  # its Refused is about the command line
                continue
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in CALLED:
                    yield f"{path.relative_to(ROOT)}:{node.lineno}", node


def test_every_refusal_names_its_reason() -> None:
    silent = [place for place, call in refusals() if not any(each.arg == "reason" for each in call.keywords)]
    assert silent == []


def test_every_cause_is_named_somewhere() -> None:
    named = {
        each.value.value
        for _, call in refusals()
        for each in call.keywords
        if each.arg == "reason" and isinstance(each.value, ast.Constant)
    }
    assert named == CAUSES


def test_the_guide_lists_all_reasons() -> None:
    guide = (ROOT / "docs" / "api.md").read_text()
    assert [each for each in sorted(REASONS) if f"| `{each}` |" not in guide] == []


def locked() -> bytes:
    """An archive whose part says that it is encrypted (APPNOTE 4.4.4, bit 0)."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("word/document.xml", b"<w/>")
    content = bytearray(file.getvalue())
    content[6] |= 1
    content[content.index(b"PK\x01\x02") + 8] |= 1
    return bytes(content)


@pytest.mark.parametrize(
    ("slug", "content", "name", "reason"),
    [
        ("json-to-csv", b"<p>", "page.html", "format"),
        ("html-to-markdown", b"\x89PNG\r\n\x1a\n", "page.html", "format"),
        ("json-to-csv", b"[1,", "a.json", "damaged"),
        ("docx-to-txt", locked(), "a.docx", "password"),
        ("csv-to-json", b"", "a.csv", "empty"),
        ("toml-to-json", DEEP, "a.toml", "limit"),
        ("ipynb-to-markdown", NOTEBOOK, "a.ipynb", "unsupported_feature"),
    ],
)
def test_a_refusal_says_why(guest: Person, slug: str, content: bytes, name: str, reason: str) -> None:
    answer = guest.convert(slug, content, name)
    assert (answer.status_code, answer.json()["code"]) == (422, "UNSUPPORTED_FORMAT")
    assert answer.json()["meta"]["reason"] == reason
