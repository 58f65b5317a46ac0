"""Run cmark, for the Markdown of all families."""

from __future__ import annotations

import re
from collections.abc import Sequence

from cmarkgfm import cmark

_NO_CHARACTER = re.compile(r"&#(?:[xX]0*[fF]{3}[eEfF]|0*6553[45]);")
"""References to U+FFFE and U+FFFF, for which cmark writes bytes that are no UTF-8."""


def to_html(text: str, options: int, extensions: Sequence[str]) -> str:
    """The HTML of Markdown; references to characters that don't exist become U+FFFD, as cmark does for surrogates."""
    made: str = cmark.markdown_to_html_with_extensions(_NO_CHARACTER.sub("&#xFFFD;", text), options, list(extensions))
    return made
