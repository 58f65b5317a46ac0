"""Fields of RTF files, links above all, as several programs write them: what they show is in the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families.documents import rtf_fields
from tests.converters.test_documents import Convert

_ADDRESS = 'HYPERLINK "https://example.org/"'


@pytest.mark.parametrize(
    "field",
    [
        rf"{{\field{{\*\fldinst{{{_ADDRESS}}}}}{{\fldrslt\cf1 shown}}}}",
        rf"{{\field{{\fldinst{{{_ADDRESS}}}}}{{\fldrslt{{\ul shown}}}}}}",
        rf"{{\field\fldedit{{\*\fldinst {_ADDRESS}}}{{\*\fldtitle a title}}{{\fldrslt{{shown}}}}}}",
        rf"{{\field{{\*\fldinst{{{_ADDRESS}}}}}{{\fldrslt\htmlrtf0 shown\htmlrtf }}\htmlrtf0 \htmlrtf }}\htmlrtf0 ",
        rf"{{\field{{\*\fldinst{{ DATE }}}}{{\fldrslt{{\field{{\fldinst{{{_ADDRESS}}}}}{{\fldrslt shown}}}}}}}}",
    ],
    ids=["plain", "not ignored", "titled", "with words behind", "in a field"],
)
@pytest.mark.parametrize("target", ["markdown", "odt", "docx", "txt"])
def test_what_a_field_shows_is_kept(tmp_path: Path, field: str, target: str) -> None:
    done = Convert(tmp_path, f"rtf-to-{target}", rf"{{\rtf1\ansi Before {field} after {{\b bold}}\par}}")
    if target in ("odt", "docx"):
        done = Convert(tmp_path, f"{target}-to-txt", done.data)
    text = " ".join(done.text.replace("*", "").split())
    assert "Before" in text
    assert "shown" in text
    assert text.endswith("after bold")
    assert "a title" not in text


def test_every_field_of_many_in_each_other_is_settled() -> None:
    deep = b"{\\rtf1 " + b"{\\field{\\fldinst x}{\\fldrslt " * 20_000 + b"y" + b"}}" * 20_000 + b"}"
    made = rtf_fields.simplified(deep)
    assert made.count(rb"{\*\fldinst") == 20_000
    assert made.count(b"{") == made.count(b"}") == deep.count(b"{")


def test_files_whose_groups_do_not_end_are_left_as_they_are() -> None:
    for broken in (b"{\\rtf1{\\field{\\fldinst x}", b"{\\rtf1\\field}}"):
        assert rtf_fields.simplified(broken) == broken
