"""The TypeScript client in a page of another origin, which the service allows or not."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import Chromium
from tests.conftest import make_user, with_key
from tests.http_server import http_server

DIST = Path(__file__).resolve().parents[2] / "clients" / "typescript" / "dist"

CONVERT = """async ([url, key]) => {
  const { Client } = await import("/index.js");
  const file = new File(['[{"a": 1, "b": 2}]'], "rows.json");
  try {
    const result = await new Client(url, key).convert(file, "csv", { delimiter: ";" });
    return [result.name, new TextDecoder().decode(result.bytes)];
  } catch (error) {
    return [error.name, error.code];
  }
}"""


@pytest.fixture
def elsewhere() -> Iterator[str]:
    """The origin of a server that has a page and the client's files."""
    with http_server(functools.partial(_Quiet, directory=str(DIST))) as origin:
        yield origin


class _Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *_: Any) -> None:
        pass


@pytest.mark.django_db(transaction=True)
def test_a_page_of_another_origin_converts_where_it_may(
    chromium: Chromium, live_server: Any, elsewhere: str, settings: Any
) -> None:
    settings.CORS_ALLOWED_ORIGINS = [elsewhere]
    key = with_key(make_user("pro")).headers["Authorization"].partition(" ")[2]
    context = chromium.new_context(base_url=elsewhere)
    context.set_default_timeout(60_000)
    page = context.new_page()
    page.goto("/")
    assert page.evaluate(CONVERT, [live_server.url, key]) == ["rows.csv", "a;b\r\n1;2\r\n"]
    assert page.evaluate(CONVERT, [live_server.url, "fc_nonsense"]) == ["Unauthorized", "UNAUTHORIZED"]
    context.close()
