"""Short words of markup are counted by number, as each occurs too often to look for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.families import auditing
from engine.families.documents.counting.markup import org, restructured, tex, typst
from engine.families.documents.counting.markup.found import Found
from engine.families.registry import CONVERTERS
from engine.toolkit.census import Census
from engine.toolkit.comparison import compare
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

_TEXT = "We go to it, and it is up to us. We do so (as it is)."


def missing(source: Found, given: str, made: str, warn: Warn | None = None) -> tuple[int, tuple[str, ...]]:
    (words,) = compare(source.census(given), Census(texts=[made]), {"words"}, warn or Warn())
    return words.missing, words.examples


@pytest.mark.parametrize("read", [tex.read, typst.read, restructured.read, org.read])
def test_a_short_word_that_is_fewer_times_in_the_result_is_named(read: object) -> None:
    source: Found = read(f"{_TEXT}\n")  # type: ignore[operator]
    assert missing(source, _TEXT, _TEXT) == (0, ())
    assert missing(source, _TEXT, "We go to it, and is up to us. We do so (as it is).") == (1, ("“it”",))
    assert missing(source, _TEXT, "We go to it, and it is up to us.") == (5, ("“it”", "“is”", "“do”", "“so”", "“as”"))


def test_a_short_word_that_a_warning_quotes_is_not_named_again() -> None:
    warn = Warn()
    warn.leave_out([r"\unknown{We do so (as it is)}"])
    assert missing(tex.read(_TEXT), _TEXT, "We go to it, and it is up to us.", warn) == (0, ())


@pytest.mark.parametrize(
    "text",
    [
        r"\vspace{2 cm} Text at 10\,pt and \hspace{1 em} more",
        r"na\"{\i}ve co\-op \'a la carte",
        r"$a = b$ is \SI{5}{km}",
    ],
)
def test_lengths_keys_and_parts_of_words_are_no_short_words(text: str, tmp_path: Path) -> None:
    source = tmp_path / "input.latex"
    source.write_text(f"\\documentclass{{article}}\\begin{{document}}{text}\\end{{document}}")
    converter, warn = CONVERTERS["latex-to-markdown"], Warn()
    auditing.run(converter, source, tmp_path / "output.markdown", build(converter.options, {}), warn)
    assert not [str(each.message) for each in warn.warnings if "Words are" in str(each.message)]
