"""Labels of lists in RTF files that pandoc would count anew, or drop."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert

_LISTS = (
    r"{\*\listtable{\list\listtemplateid1{\listlevel\levelnfc0\levelstartat1{\leveltext\'02\'00.;}{\levelnumbers\'01;}}"
    r"\listid7}}{\*\listoverridetable{\listoverride\listid7\listoverridecount0\ls1}}"
)


def _item(label: str, text: str) -> str:
    """An item as Word writes it: the paragraph before, and the label, in a group of their own."""
    return rf"\par {{\listtext\pard\plain\f0 {label}\tab}}}}\pard \ql \ls1\rin0 {{\rtlch \ltrch {text}"


def _text(done: Convert) -> list[str]:
    return [each.strip() for each in done.text.splitlines() if each.strip()]


def test_a_list_that_goes_on_after_a_paragraph_keeps_its_numbers(tmp_path: Path) -> None:
    between = r"\par }\pard {\b between}\par \pard {\f0 more"
    body = _item("1.", "alpha") + _item("2.", r"{\b beta}") + between + _item("3.", "gamma") + _item("7.", "delta")
    done = Convert(tmp_path, "rtf-to-markdown", rf"{{\rtf1\ansi {_LISTS} {{first{body}\par }}}}")
    seen = ["first", "1.  alpha", "2.  **beta**", "**between**", "more", "3.  gamma", "<!-- -->", "7.  delta"]
    assert _text(done) == seen
    assert not done.codes


@pytest.mark.parametrize(("label", "shown"), [("3.", "3.\xa0gamma"), (r"\'b7", "•\xa0gamma"), ("c", "c\xa0gamma")])
def test_labels_of_the_older_kind_of_list_are_kept(tmp_path: Path, label: str, shown: str) -> None:
    body = rf"\pard {{\pntext {label}\tab}}{{\*\pn\pnlvlbody\pndec{{\pntxta.}}}}gamma\par"
    done = Convert(tmp_path, "rtf-to-txt", rf"{{\rtf1\ansi {body} }}")
    assert _text(done) == [shown]


def test_a_label_before_a_field_does_not_spoil_it(tmp_path: Path) -> None:
    field = r'{\field{\*\fldinst HYPERLINK "https://example.org/"}{\fldrslt there}}'
    done = Convert(tmp_path, "rtf-to-markdown", rf"{{\rtf1\ansi {_LISTS} {{x{_item('4.', field)}\par }}}}")
    assert _text(done) == ["x", "4.  [there](https://example.org/)"]
