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
        "What cells have printed, drawn and raised: keep it, or take the text and the code alone.",
        choices={
            "keep": "Keep them: Results, pictures and errors as they stand in the notebook.",
            "drop": "Leave them out: Text and code alone.",
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

    number_sections: bool = option(True, "Number the headings as LaTeX does, so that references have what they name.")


@dataclass(frozen=True)
class FormulasInHtml:
    """The representation of formulas in a page."""

    math_format: Literal["mathml", "tex"] = option(
        "mathml",
        "Formulas as MathML, which browsers draw, or as TeX between \\( and \\), for a page that has MathJax or KaTeX.",
        choices={
            "mathml": "MathML: Browsers draw it by themselves.",
            "tex": "TeX: For a page that has MathJax or KaTeX.",
        },
    )


@dataclass(frozen=True)
class PictureFiles:
    """Where pictures go if the text format can't embed them."""

    pictures: Literal["files", "drop"] = option(
        "files",
        "What to do with pictures: put them beside the text in one ZIP, or leave them out.",
        choices={
            "files": "Beside the text: The text and its pictures in one ZIP.",
            "drop": "Leave them out: The text alone.",
        },
        selects=("pictures",),
    )


@dataclass(frozen=True)
class Completeness:
    """Whether the output is a complete document."""

    standalone: bool = option(True, "Write a complete document; otherwise only its content, to be put into another.")
