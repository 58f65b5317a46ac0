"""Options of notebooks and markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from engine.toolkit.census import EVERYTHING
from engine.toolkit.options import option


@dataclass(frozen=True)
class NotebookOptions:
    """The parts of a notebook to convert."""

    cell_outputs: Literal["keep", "drop"] = option(
        "keep",
        "Keep cell outputs (text, pictures and errors), or only the text and code.",
        choices={
            "keep": "Keep them: Results, pictures and errors as in the notebook.",
            "drop": "Leave them out: Text and code only.",
        },
        selects=EVERYTHING,
    )


@dataclass(frozen=True)
class NumberedSections:
    """Whether headings are numbered."""

    number_sections: bool = option(False, "Number the headings: 1, 1.1, 1.2 and so on.")


@dataclass(frozen=True)
class TexSections(NumberedSections):
    """The same for LaTeX, which numbers headings by default."""

    number_sections: bool = option(True, "Number the headings as LaTeX does, so that references match them.")


@dataclass(frozen=True)
class FormulasInHtml:
    """The representation of formulas in a page."""

    math_format: Literal["mathml", "tex"] = option(
        "mathml",
        "Formulas as MathML, which browsers show, or as TeX between \\( and \\), for a page with MathJax or KaTeX.",
        choices={
            "mathml": "MathML: Browsers show it without help.",
            "tex": "TeX: For a page with MathJax or KaTeX.",
        },
    )


@dataclass(frozen=True)
class PictureFiles:
    """Where pictures go if the text format can't embed them."""

    pictures: Literal["files", "drop"] = option(
        "files",
        "Put pictures beside the text in a ZIP, or leave them out.",
        choices={
            "files": "Beside the text: The text and its pictures in one ZIP.",
            "drop": "Leave them out: Text only.",
        },
        selects=("pictures",),
    )


@dataclass(frozen=True)
class Completeness:
    """Whether the output is a complete document."""

    standalone: bool = option(
        True, "Write a complete document; otherwise only its content, to insert into another one."
    )
