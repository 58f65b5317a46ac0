"""Names of downloads, as clients read them."""

from urllib.parse import unquote

import pytest

from storage.names import content_disposition


def decoded(header: str) -> str:
    """What a client that knows RFC 6266 takes for the name."""
    _, _, extended = header.partition("filename*=UTF-8''")
    return unquote(extended, errors="strict") if extended else header.partition('filename="')[2].removesuffix('"')


@pytest.mark.parametrize(
    "name",
    ["report.csv", "Größe.csv", "日本語.csv", 'a"b\\c.csv', "100%.csv", "a;b=c, d'e.csv", "👩‍🚀"],
)
def test_clients_read_the_intended_name(name):
    header = content_disposition(name)
    assert header.isascii()
    assert header.startswith('attachment; filename="')
    assert decoded(header) == name


def test_an_old_client_gets_an_ascii_name():
    assert content_disposition("Größe.csv").startswith('attachment; filename="Groe.csv"; ')
    assert content_disposition("日本語.csv").startswith('attachment; filename="file.csv"; ')
    assert content_disposition('a"b.csv').startswith('attachment; filename="a_b.csv"; ')
