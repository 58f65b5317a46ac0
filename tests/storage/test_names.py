"""Names of downloads: safe whatever they were, and still the same where they were harmless."""

from urllib.parse import unquote

import pytest

from storage.names import MAX_BYTES, content_disposition, safe_name


def safe(name: str) -> str:
    return safe_name(name, extension="csv")


def decoded(header: str) -> str:
    """What a client that knows RFC 6266 takes for the name."""
    _, _, extended = header.partition("filename*=UTF-8''")
    return unquote(extended, errors="strict") if extended else header.partition('filename="')[2].removesuffix('"')


@pytest.mark.parametrize(
    "name", ["report.csv", "Größe & 1 Maß.csv", "日本語.csv", "👩‍🚀.csv", "a.b.c.csv", "none", "'q' \"d\".csv"]
)
def test_a_harmless_name_stays(name):
    assert safe(name) == name


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("a\x00b.csv", "ab.csv"),
        ("a\r\nSet-Cookie: x=1.csv", "a Set-Cookie: x=1.csv"),
        ("invoice\u202efdp.exe", "invoicefdp.exe"),
        ("\u2066a\u2069\ufeff.csv", "a.csv"),
        ("a\ud800b.csv", "ab.csv"),
        ("../../etc/passwd", "_.._etc_passwd"),
        ("..\\..\\x.csv", "_.._x.csv"),
        ("..", "file.csv"),
        (".csv", "csv"),
        ("", "file.csv"),
        (" \t\n", "file.csv"),
        ("///", "file.csv"),
        ("\u202e", "file.csv"),
        ("a\u2028b\u00a0c.csv", "a b c.csv"),
        ("name. ", "name"),
    ],
)
def test_what_does_harm_goes(name, expected):
    assert safe(name) == expected


@pytest.mark.parametrize("name", ["x" * 4_000 + ".csv", "日" * 4_000 + ".csv", "a." + "b" * 4_000, "x" * 4_000])
def test_a_long_name_keeps_its_ending(name):
    short = safe(name)
    assert MAX_BYTES - 4 <= len(short.encode()) <= MAX_BYTES
    assert short.endswith(".csv") == name.endswith(".csv")


@pytest.mark.parametrize(
    "name",
    ["report.csv", "Größe.csv", "日本語.csv", 'a"b\\c.csv', "100%.csv", "a;b=c, d'e.csv", "👩‍🚀"],
)
def test_a_client_reads_the_name_that_was_meant(name):
    header = content_disposition(name)
    assert header.isascii()
    assert header.startswith('attachment; filename="')
    assert decoded(header) == name


def test_an_old_client_gets_an_ascii_name():
    assert content_disposition("Größe.csv").startswith('attachment; filename="Groe.csv"; ')
    assert content_disposition("日本語.csv").startswith('attachment; filename="file.csv"; ')
    assert content_disposition('a"b.csv').startswith('attachment; filename="a_b.csv"; ')
