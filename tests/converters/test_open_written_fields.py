"""What fields of OpenDocument texts show is in the texts that pandoc writes, which reads few of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert
from tests.converters.test_open_document_looks import odt

_FIELDS = (
    "author-name", "chapter", "conditional-text", "creation-date", "date", "drop-down", "file-name", "meta-field",
    "modification-time", "page-count", "placeholder", "sender-lastname", "sequence-ref", "text-input", "title",
    "user-defined", "user-field-get", "variable-get", "variable-set",
)  # fmt: skip


@pytest.mark.parametrize("output", ["docx", "markdown", "txt"])
def test_the_text_of_fields_is_kept(tmp_path: Path, output: str) -> None:
    lines = (f'<text:p>[<text:{each} text:x="y">shown-{at}</text:{each}>]</text:p>' for at, each in enumerate(_FIELDS))
    done = Convert(tmp_path, f"odt-to-{output}", odt("".join(lines)))
    again = Convert(tmp_path, "docx-to-txt", done.data) if output == "docx" else done
    text = again.text.replace("\\", "")
    assert all(f"[shown-{at}]" in text for at in range(len(_FIELDS)))
    assert not done.codes


def test_fields_that_are_empty_or_named_alike_change_nothing(tmp_path: Path) -> None:
    body = "<text:p>before<text:date/><text:date-of-birth/>after</text:p>"
    assert Convert(tmp_path, "odt-to-txt", odt(body)).text.strip() == "beforeafter"
