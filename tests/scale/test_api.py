"""The whole API suite again, through the balancer: each request goes to one of two machines over HTTP.

Only tests that look into this process (its settings, its queries, its clock) stay where they are.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable, Iterator
from http.client import HTTPConnection
from http.cookies import SimpleCookie
from types import FunctionType, ModuleType
from typing import Any
from urllib.parse import quote, urlsplit

import httpx
import pytest
import redis
from django.http import HttpResponse
from django.test import Client

from tests.accounts import test_auth
from tests.apikeys import test_keys
from tests.conversions import test_convert, test_history, test_idempotency
from tests.scale.conftest import Cluster
from tests.scale.network import ACCESS, SECRET
from tests.server.conftest import Server
from tests.storage import test_downloads
from tests.storage.conftest import store  # noqa: F401

MODULES = (test_auth, test_keys, test_convert, test_history, test_idempotency, test_downloads)
INSIDE = {
    "caplog",
    "monkeypatch",
    "one_window",
    "settings",
    "django_assert_num_queries",
    "django_assert_max_num_queries",
}
"""Fixtures of tests that look into the process that serves."""


def _gather(module: ModuleType) -> Iterator[tuple[str, FunctionType]]:
    for name, test in vars(module).items():
        if name.startswith("test_") and inspect.isfunction(test) and test.__module__ == module.__name__:
            marks = [each for each in getattr(test, "pytestmark", ()) if each.name == "usefixtures"]
            parameters = {*inspect.signature(test).parameters, *(name for each in marks for name in each.args)}
            if parameters and not parameters & INSIDE:
                yield f"{module.__name__.rpartition('.')[2]}_{name[5:]}", test


for _module in MODULES:
    globals().update(_gather(_module))


class _Answer(HttpResponse):
    """What came back, as Django's test client would hand it out."""

    def __init__(self, content: bytes, status: int, headers: list[tuple[str, str]]) -> None:
        super().__init__(content, status=status, headers=dict(headers))
        self.streaming_content = iter([content])

    def json(self) -> Any:
        return json.loads(self.content)


def _over(port: int) -> Callable[..., _Answer]:
    def request(client: Client, **given: Any) -> _Answer:
        """Send what the test client would have called the application with."""
        environ = client._base_environ(**given)  # type: ignore[attr-defined]
        body = environ["wsgi.input"].read()
        headers = {name[5:].replace("_", "-"): value for name, value in environ.items() if name.startswith("HTTP_")}
        headers |= {"Host": "localhost"}
        if environ.get("CONTENT_TYPE"):
            headers["Content-Type"] = environ["CONTENT_TYPE"]
        path = quote(environ["PATH_INFO"].encode("latin-1"), safe="/:~")
        if environ["QUERY_STRING"]:
            path += "?" + environ["QUERY_STRING"]
        connection = HTTPConnection("127.0.0.1", port, timeout=120)
        try:
            connection.request(environ["REQUEST_METHOD"], path, body or None, headers)
            response = connection.getresponse()
            answer = _Answer(response.read(), response.status, response.getheaders())
        finally:
            connection.close()
        for name, value in response.getheaders():
            if name.lower() == "set-cookie":
                client.cookies.update(SimpleCookie(value))
        return answer

    return request


@pytest.fixture(autouse=True)
def _through_the_balancer(
    machines: Cluster, monkeypatch: pytest.MonkeyPatch, settings: Any, request: pytest.FixtureRequest
) -> None:
    if "[%00]" in request.node.name or "csv%00" in request.node.name:
        pytest.skip("nginx itself refuses a NUL")
    monkeypatch.setattr(Client, "request", _over(urlsplit(machines.url).port or 80))
    redis.Redis(port=machines.redis.port).flushdb()
    # What a test puts into the cache and into the storage is put where the machines look for it.
    settings.CACHES = {
        "default": {**settings.CACHES["default"], "LOCATION": f"redis://127.0.0.1:{machines.redis.port}/0"}
    }
    options = {
        "bucket_name": "bucket", "endpoint_url": f"http://127.0.0.1:{machines.s3.port}", "region_name": "us-east-1",
        "access_key": ACCESS, "secret_key": SECRET, "addressing_style": "path",
    }  # fmt: skip
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options},
    }


def test_what_the_balancer_itself_refuses_is_an_error_of_the_api(server: Server) -> None:
    for path, header in (
        ("/api/v1/files/a%00b", ""),
        ("/api/v1/" + "x" * 40_000, ""),
        ("/api/v1/account", "x" * 40_000),
    ):
        answer = httpx.get(server.url + path, headers={"X-Long": header})
        assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")


def test_the_suite_is_here() -> None:
    gathered = [name for name, test in globals().items() if name.startswith("test_") and inspect.isfunction(test)]
    assert len(gathered) > 100
