"""Names of files: safe whatever they were, and still the same where they were harmless."""

import time

import pytest

from engine.toolkit.filenames import MAX_BYTES, clean, converted
from engine.toolkit.formats import CSV

HARMLESS = ["report.csv", "Größe & 1 Maß.csv", "日本語.csv", "👩‍🚀.csv", "a.b.c.csv", "none", "'q' \"d\".csv", "_.csv"]
HARMFUL = [
    ("a\x00b.csv", "ab.csv"),
    ("a\r\nSet-Cookie: x=1.csv", "a Set-Cookie: x=1.csv"),
    ("invoice\u202efdp.exe", "invoicefdp.exe"),
    ("\u2066a\u2069\ufeff.csv", "a.csv"),
    ("a\ud800b.csv", "ab.csv"),
    ("e\u0301.csv", "é.csv"),
    ("../../etc/passwd", "passwd"),
    ("..\\..\\x.csv", "x.csv"),
    ("C:\\Documents\\x.csv", "x.csv"),
    ("..", "file"),
    (".csv", "file.csv"),
    (".env.csv", "env.csv"),
    ("", "file"),
    (" \t\n", "file"),
    ("///", "file"),
    ("\u202e", "file"),
    ("\u200d", "file"),
    ("a\u2028b\u00a0c.csv", "a b c.csv"),
    ("name. ", "name"),
    ("name .csv", "name.csv"),
    ("CON.csv", "_CON.csv"),
    ("lpt1", "_lpt1"),
    ("nul.tar.csv", "_nul.tar.csv"),
    ("console.csv", "console.csv"),
]
LONG = ["x" * 4_000 + ".csv", "日" * 4_000 + ".csv", "a." + "b" * 4_000, "x" * 4_000, "👩‍🚀" * 150 + ".csv"]


@pytest.mark.parametrize("name", HARMLESS)
def test_a_harmless_name_stays(name: str) -> None:
    assert clean(name) == name


@pytest.mark.parametrize(("name", "expected"), HARMFUL)
def test_what_does_harm_goes(name: str, expected: str) -> None:
    assert clean(name) == expected


@pytest.mark.parametrize("name", LONG)
def test_a_long_name_keeps_its_ending(name: str) -> None:
    short = clean(name)
    assert MAX_BYTES - 12 <= len(short.encode()) <= MAX_BYTES
    assert short.endswith(".csv") == name.endswith(".csv")


def test_a_name_of_many_marks_takes_no_time() -> None:
    """It took 3 seconds of processor, and four times as long for twice as many: no other thread runs meanwhile."""
    began = time.process_time()
    short = clean("a" + "\u0301\u0327" * 40_000 + ".csv")
    assert time.process_time() - began < 1
    assert short.endswith(".csv")
    assert MAX_BYTES - 12 <= len(short.encode()) <= MAX_BYTES


@pytest.mark.parametrize("name", [*HARMLESS, *(name for name, _ in HARMFUL), *LONG, "日" * 83 + ".jpg"])
def test_a_clean_name_stays_clean(name: str) -> None:
    once = clean(name)
    result = converted(once, CSV)
    assert clean(once) == once
    assert clean(result) == result
    assert len(result.encode()) <= MAX_BYTES
    assert result.endswith(".csv")
