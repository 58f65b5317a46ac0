"""An unreachable or failing S3: 503 with Retry-After, and nothing charged, stored or lost."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from datetime import timedelta
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
from botocore.config import Config
from django.core.files.storage import default_storage
from django.test import Client
from django.utils import timezone

from accounts.models import User
from conversions.models import Conversion
from storage.keys import new_key
from storage.models import StoredFile
from tests.conftest import Person
from tests.conversions.samples import PEOPLE
from tests.http_server import http_server
from tests.ports import free_port


class _Overloaded(BaseHTTPRequestHandler):
    def answer(self) -> None:
        body = b"<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>"
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(503)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    do_GET = do_HEAD = do_PUT = do_DELETE = answer

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing."""


class _BreakingOff(_Overloaded):
    def do_HEAD(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "5")
        self.end_headers()

    def do_GET(self) -> None:
        self.do_HEAD()
        self.wfile.write(b"a,")

    def do_PUT(self) -> None:
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()


@pytest.fixture(params=["gone", _Overloaded], ids=["gone", "overloaded"])
def _away(request: pytest.FixtureRequest, settings: Any) -> Iterator[None]:
    """The service keeps its files in an S3 that is out of order."""
    gone = nullcontext(f"http://127.0.0.1:{free_port()}")
    with gone if request.param == "gone" else http_server(request.param) as origin:
        options = {
            "bucket_name": "bucket",
            "endpoint_url": origin,
            "access_key": "access",
            "secret_key": "a-secret-of-some-length",
            "client_config": Config(retries={"total_max_attempts": 1}, s3={"addressing_style": "path"}),
        }
        files = {"BACKEND": "storages.backends.s3.S3Storage", "OPTIONS": options}
        settings.STORAGES = {**settings.STORAGES, "default": files}
        assert hasattr(default_storage, "bucket")
        yield


def known(owner: User | None, *, once: bool = False) -> StoredFile:
    return StoredFile.objects.create(
        key=new_key("csv"), name="a.csv", content_type="text/csv", size=5, sha256="0" * 64, owner=owner, once=once,
        expires_at=timezone.now() + timedelta(hours=1),
    )  # fmt: skip


def unavailable(answer: Any) -> bool:
    assert answer.status_code == 503, answer.content
    assert answer.json()["code"] == "SERVICE_UNAVAILABLE"
    return int(answer["Retry-After"]) >= 1


@pytest.mark.usefixtures("_away")
def test_a_result_that_can_not_be_stored_costs_nothing(paying: Person) -> None:
    before = User.objects.get(pk=paying.account.pk).credits
    again = {"Idempotency-Key": "again"}
    for _ in range(2):
        assert unavailable(paying.convert("json-to-csv", PEOPLE, headers=again))
    assert User.objects.get(pk=paying.account.pk).credits == before
    assert not Conversion.objects.exists()
    assert not StoredFile.objects.exists()


@pytest.mark.usefixtures("_away")
@pytest.mark.parametrize("once", [False, True], ids=["kept", "for once"])
def test_a_download_asks_to_come_again_and_the_file_stays(paying: Person, once: bool) -> None:
    file = known(paying.account, once=once)
    assert unavailable(paying.get(f"/files/{file.key}"))
    assert unavailable(paying.request("DELETE", f"/files/{file.key}"))
    assert StoredFile.objects.get().claimed_until is None


@pytest.mark.usefixtures("_away")
@pytest.mark.parametrize("_away", [_Overloaded, _BreakingOff], indirect=True, ids=["overloaded", "breaking off"])
@pytest.mark.parametrize("once", [False, True], ids=["kept", "for once"])
def test_a_file_that_can_not_be_read_whole_is_to_be_converted_later(program: Person, once: bool) -> None:
    file = known(program.account, once=once)
    before = User.objects.get(pk=program.account.pk).credits
    arguments = {"name": "convert", "arguments": {"slug": "csv-to-json", "file": f"/api/v1/files/{file.key}"}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": arguments}
    answer = program.client.post("/mcp", message, content_type="application/json", headers=program.headers)
    assert unavailable(answer)
    assert StoredFile.objects.get().claimed_until is None
    assert (User.objects.get(pk=program.account.pk).credits, Conversion.objects.count()) == (before, 0)


@pytest.mark.usefixtures("_away")
def test_pages_report_an_unreachable_storage(paying: Person) -> None:
    file, client = known(paying.account), Client()
    client.force_login(paying.account)
    answer = client.post("/kept")
    assert (answer.status_code, StoredFile.objects.count()) == (503, 1)
    page = client.get(f"/api/v1/files/{file.key}", headers={"Accept": "text/html"})
    assert (page.status_code, page["Content-Type"][:9]) == (503, "text/html")
