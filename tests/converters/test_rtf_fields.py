"""Fields of RTF files, links above all, as several programs write them: what they show is in the text."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.toolkit.failures import Unreadable
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


def test_many_fields_in_each_other_are_read(tmp_path: Path) -> None:
    deep = r"{\rtf1 " + r"{\field{\fldinst x}{\fldrslt " * 2_000 + "shown" + "}}" * 2_000 + "}"
    assert Convert(tmp_path, "rtf-to-txt", deep).text.split() == ["shown"]


@pytest.mark.parametrize("broken", [r"{\rtf1{\field{\fldinst x}", r"{\rtf1{\b a"])
def test_files_whose_groups_do_not_end_are_refused(tmp_path: Path, broken: str) -> None:
    with pytest.raises(Unreadable, match="middle of a group"):
        Convert(tmp_path, "rtf-to-txt", broken)
