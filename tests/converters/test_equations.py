"""Equations of Word: fractions without a line, and signs above and below what they span."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.converters.test_documents import Convert
from tests.families.documents import files

_MATH = 'xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math"'


def _shown(folder: Path, equation: str) -> str:
    body = f"<w:p><m:oMath {_MATH}>{equation}</m:oMath></w:p>"
    return Convert(folder, "docx-to-html", files.word(body)).text


def _letter(letter: str) -> str:
    return f"<m:r><m:t>{letter}</m:t></m:r>"


@pytest.mark.parametrize(("form", "has_line"), [("noBar", False), ("bar", True)])
def test_a_binomial_coefficient_has_no_line(form: str, has_line: bool, tmp_path: Path) -> None:
    fraction = f'<m:f><m:fPr><m:type m:val="{form}"/></m:fPr><m:num>{_letter("n")}</m:num><m:den>{_letter("k")}</m:den>'
    html = _shown(tmp_path, f"<m:d><m:e>{fraction}</m:f></m:e></m:d>")
    assert ("<mfrac>" in html) is has_line
    assert ('<mfrac linethickness="0">' in html) is not has_line


@pytest.mark.parametrize(
    ("sign", "shown"),
    [
        ("<m:groupChr>{}</m:groupChr>", "<munder><mrow><mi>x</mi></mrow><mrow><mo>⏟</mo></mrow></munder>"),
        (
            '<m:groupChr><m:groupChrPr><m:chr m:val="⏞"/><m:pos m:val="top"/></m:groupChrPr>{}</m:groupChr>',
            "<mover><mrow><mi>x</mi></mrow><mrow><mo>⏞</mo></mrow></mover>",
        ),
        ("<m:bar>{}</m:bar>", "<munder><mrow><mi>x</mi></mrow><mrow><mo>¯</mo></mrow></munder>"),
        (
            '<m:bar><m:barPr><m:pos m:val="top"/></m:barPr>{}</m:bar>',
            "<mover><mrow><mi>x</mi></mrow><mrow><mo>¯</mo></mrow></mover>",
        ),
    ],
)
def test_braces_and_bars_stand_on_the_side_that_the_equation_says(sign: str, shown: str, tmp_path: Path) -> None:
    assert shown in _shown(tmp_path, sign.format(f"<m:e>{_letter('x')}</m:e>"))


def test_a_formula_in_a_cell_of_markdown_stays_in_its_row(tmp_path: Path) -> None:
    formula = f"<w:p><m:oMathPara {_MATH}><m:oMath>{_letter('x')}</m:oMath></m:oMathPara></w:p>"
    cells = "".join(f"<w:tc><w:tcPr/>{each}</w:tc>" for each in ("<w:p><w:r><w:t>sum</w:t></w:r></w:p>", formula))
    row = f"<w:tr>{cells}</w:tr>"
    table = f"<w:tbl><w:tblPr/><w:tblGrid><w:gridCol/><w:gridCol/></w:tblGrid>{row * 2}</w:tbl>"
    rows = Convert(tmp_path, "docx-to-markdown", files.word(table)).text.split("\n")
    assert [each.replace(" ", "") for each in rows if "sum" in each] == ["|sum|$`x`$|"] * 2
