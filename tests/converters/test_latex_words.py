"""Words in the braces of commands that LaTeX's reader passes over are named as missing."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.conversion import convert


def told(folder: Path, body: str) -> tuple[str, list[str]]:
    source = folder / "input.tex"
    source.write_text(f"\\documentclass{{memoir}}\n\\begin{{document}}\nBody.\n\n{body}\n\\end{{document}}\n")
    result = convert(source, folder / "output.md", sandbox=False)
    return (folder / "output.md").read_text(), [str(each.message) for each in result.warnings]


@pytest.mark.parametrize(
    ("body", "missing"),
    [
        (r"\dedication{To mother}", "mother"),
        (r"\dedication{To my \emph{absent} readers}", "absent"),
        (r"\address{Main Streetname 5}", "Streetname"),
        (r"\affil{Greenhouse Institute}", "Institute"),
    ],
)
def test_words_of_a_command_that_is_passed_over_are_named(body: str, missing: str, tmp_path: Path) -> None:
    made, messages = told(tmp_path, body)
    assert missing not in made
    assert any(missing in each for each in messages)


@pytest.mark.parametrize(
    "body",
    [
        r"\emph{Some words} that stay",
        r"\setcounter{page}{3}\vspace{2cm}\pagenumbering{roman} Words",
        r"\newcommand{\mine}[1]{\emph{#1}} \mine{Inner words}",
        r"\begin{tabular}{ll} one cell & two cells \\ \end{tabular}",
    ],
)
def test_settings_and_words_that_stay_are_not_named(body: str, tmp_path: Path) -> None:
    assert told(tmp_path, body)[1] == []
