"""The options of notebooks and of markup."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from conversions.toolkit.options import option


@dataclass(frozen=True)
class NotebookOptions:
    """What is taken of a notebook."""

    cell_outputs: Literal["keep", "drop"] = option(
        "keep",
        "What cells have printed, drawn and raised: keep it, or take the text and the code alone.",
        choices={
            "keep": "Keep them: Results, pictures and errors as they stand in the notebook.",
            "drop": "Leave them out: Text and code alone.",
        },
    )


@dataclass(frozen=True)
class NumberedSections:
    """Whether headings are numbered."""

    number_sections: bool = option(False, "Number the headings: 1, 1.1, 1.2 and so on.")


@dataclass(frozen=True)
class TexSections(NumberedSections):
    """The same for LaTeX, which numbers them unless it is told not to."""

    number_sections: bool = option(True, "Number the headings as LaTeX does, so that references have what they name.")


@dataclass(frozen=True)
class FormulasInHtml:
    """How formulas stand in a page."""

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
    """Where the pictures of a text go that can't hold them."""

    pictures: Literal["files", "drop"] = option(
        "files",
        "What to do with pictures: put them beside the text in one ZIP, or leave them out.",
        choices={
            "files": "Beside the text: The text and its pictures in one ZIP.",
            "drop": "Leave them out: The text alone.",
        },
    )


@dataclass(frozen=True)
class Completeness:
    """Whether the text is a whole document."""

    standalone: bool = option(True, "Write a complete document; otherwise only its content, to be put into another.")
