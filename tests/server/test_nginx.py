"""The nginx of the deployment before a real server: its own errors, and a client who came by HTTPS."""

from __future__ import annotations

import json
import queue
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

import httpx
import pytest

from accounts.models import GuestDay
from tests.conftest import PASSWORD, make_user
from tests.http_server import http_server
from tests.ports import free_port
from tests.sandbox.conftest import eventually
from tests.scale import network
from tests.server.conftest import Server, start_server

pytestmark = pytest.mark.skipif(network.NGINX is None, reason="nginx is not installed: apt-get install nginx-light")

MB = 1_000_000
BOUND = 32 * MB
"""About what nginx collects of one response."""


@dataclass
class Front:
    """nginx, and the server behind it, whose clients all came by HTTPS."""

    nginx: network.Program
    server: Server

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.nginx.port}"


@pytest.fixture(scope="module")
def both(django_db_setup: None, django_db_blocker: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Front]:
    with django_db_blocker.unblock():
        server = start_server(
            workers=1, HTTPS="yes", TRUSTED_PROXY_COUNT="1", ALLOWED_HOSTS="convert.example,127.0.0.1"
        )
    nginx = network.balancer(tmp_path_factory.mktemp("front") / "nginx", [int(server.url.rpartition(":")[2])])
    yield Front(nginx, server)
    nginx.kill()
    server.stop()


@pytest.fixture
def front(both: Front, transactional_db: None) -> Front:
    return both


def raw(port: int, head: str) -> tuple[int, dict[str, str], bytes]:
    """The status, headers and body of the answer to these bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=20) as sock:
        sock.sendall(head.replace("\n", "\r\n").encode())
        answer = b""
        while piece := sock.recv(65_536):
            answer += piece
    top, _, body = answer.partition(b"\r\n\r\n")
    first, *lines = top.decode().split("\r\n")
    return int(first.split(" ")[1]), {k.lower(): v for k, _, v in (line.partition(": ") for line in lines)}, body


@pytest.mark.parametrize(
    ("head", "status", "code"),
    [
        ("TRACE / HTTP/1.1\nHost: convert.example\nConnection: close\n\n", 405, "METHOD_NOT_ALLOWED"),
        ("POST / HTTP/1.1\nHost: convert.example\nContent-Length: 10000000000\n\n", 413, "FILE_TOO_LARGE"),
        (
            "POST / HTTP/1.1\nHost: convert.example\nConnection: close\nTransfer-Encoding: gzip, chunked\n\n",
            400,
            "VALIDATION_ERROR",
        ),
        ("GET / HTTP/1.1\nConnection: close\n\n", 400, "VALIDATION_ERROR"),
        ("GET / HTTP/9.1\nHost: convert.example\nConnection: close\n\n", 400, "VALIDATION_ERROR"),
        ("GET /_files/a HTTP/1.1\nHost: convert.example\nConnection: close\n\n", 404, "NOT_FOUND"),
        ("GET /metrics HTTP/1.1\nHost: convert.example\nConnection: close\n\n", 403, "ACCESS_DENIED"),
    ],
)
def test_its_own_errors_look_like_the_services(front: Front, head: str, status: int, code: str) -> None:
    found, headers, body = raw(front.nginx.port, head)
    assert found == status
    assert headers["content-type"] == "application/json"
    answer = json.loads(body)
    assert answer == {**answer, "success": False, "code": code}
    assert re.fullmatch("[0-9a-f]{32}", answer["requestId"])
    assert ("details" in answer) == (code == "VALIDATION_ERROR")


def test_a_service_that_is_gone_is_unavailable(tmp_path: Path) -> None:
    nginx = network.balancer(tmp_path / "nginx", [free_port()])
    try:
        answer = httpx.get(f"http://127.0.0.1:{nginx.port}/api/v1/converter/formats")
    finally:
        nginx.kill()
    assert (answer.status_code, answer.json()["code"]) == (503, "SERVICE_UNAVAILABLE")
    assert answer.headers["Retry-After"] == "5"


def test_a_response_that_is_read_slowly_is_taken_off_the_service_up_to_a_bound(tmp_path: Path) -> None:
    sent: queue.Queue[int] = queue.Queue()

    class Writer(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            length = int(self.path[1:])
            self.send_response(200)
            self.send_header("Content-Length", str(length))
            self.end_headers()
            # Only for what is to be refused: a machine may be slow.
            self.connection.settimeout(3 if length > BOUND else None)
            done = 0
            try:
                while done < length:
                    done += self.connection.send(bytes(min(MB, length - done)))
            except TimeoutError:
                self.close_connection = True
            sent.put(done)

        def log_message(self, *_: object) -> None: ...

    with http_server(Writer) as origin:
        nginx = network.balancer(tmp_path / "nginx", [int(origin.rpartition(":")[2])])
        try:
            for length, whole in ((20 * MB, True), (4 * BOUND, False)):
                with socket.socket() as slow:
                    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
                    slow.connect(("127.0.0.1", nginx.port))
                    slow.sendall(f"GET /{length} HTTP/1.1\r\nHost: a\r\n\r\n".encode())
                    assert (sent.get(timeout=60) == length) == whole
        finally:
            nginx.kill()


def test_an_ipv6_network_is_one_client(tmp_path: Path) -> None:
    nginx = network.balancer(tmp_path / "nginx", [free_port()], behind_another=True)
    waiting = []
    try:
        for number in range(100):  # requests under way, whose bodies never come
            waiting.append(socket.create_connection(("127.0.0.1", nginx.port), timeout=20))
            head = (
                f"POST / HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 2001:db8:0:1::{number:x}\r\nContent-Length: 9\r\n\r\n"
            )
            waiting[-1].sendall(head.encode())

        def status_of(client: str) -> int:
            return httpx.get(f"http://127.0.0.1:{nginx.port}/", headers={"X-Forwarded-For": client}).status_code

        assert eventually(lambda: status_of("2001:db8:0:1:ffff::1") == 429)
        # Behind it is nobody who would answer these.
        assert [status_of(each) for each in ("2001:db8:0:2::1", "192.0.2.7")] == [503, 503]
    finally:
        for each in waiting:
            each.close()
        nginx.kill()


HTTPS = {"Host": "convert.example", "X-Forwarded-Proto": "https", "Origin": "https://convert.example"}


def log_in(front: Front, path: str, fields: dict[str, str], headers: dict[str, str]) -> tuple[httpx.Response, str]:
    """The answer to a login form, and the Cookie header that a browser would send from then on."""
    page = httpx.get(front.url + path, headers=headers)
    assert page.status_code == 200
    cookies = dict(page.cookies)
    token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page.text)
    assert token
    sent = headers | {"Cookie": f"csrftoken={cookies['csrftoken']}", "Referer": f"{headers['Origin']}{path}"}
    answer = httpx.post(front.url + path, data=fields | {"csrfmiddlewaretoken": token[1]}, headers=sent)
    cookies |= dict(answer.cookies)
    return answer, "; ".join(f"{name}={value}" for name, value in cookies.items())


@pytest.mark.parametrize("path", ["/login", "/admin/login/"])
def test_logging_in_by_https_before_another_proxy(front: Front, path: str) -> None:
    make_user("free", "staff@example.org", is_staff=True, is_superuser=True)
    fields = {"username": "staff@example.org", "password": PASSWORD, "next": "/admin/"}
    answer, cookies = log_in(front, path, fields, HTTPS)
    assert answer.status_code == 302
    assert answer.headers["Location"].startswith(("/", "https://convert.example/"))
    set_cookies = answer.headers.get_list("Set-Cookie")
    assert {each.partition("=")[0] for each in set_cookies} >= {"sessionid", "csrftoken"}
    assert all("; Secure" in each for each in set_cookies)
    inside = httpx.get(f"{front.url}/admin/", headers=HTTPS | {"Cookie": cookies})
    assert inside.status_code == 200
    assert inside.headers["Strict-Transport-Security"].startswith("max-age=31536000")


def test_the_scheme_is_the_outer_proxys_or_else_its_own(front: Front) -> None:
    assert "Strict-Transport-Security" in httpx.get(f"{front.url}/login", headers=HTTPS).headers
    plain = httpx.get(f"{front.url}/login", headers={"Host": "convert.example"})
    assert "Strict-Transport-Security" not in plain.headers
    assert all("; Secure" in each for each in plain.headers.get_list("Set-Cookie"))
    # A form from another site, and one that says it came by HTTP, are not the page's own.
    for origin in ("https://evil.example", "http://convert.example"):
        answer, _ = log_in(front, "/login", {"username": "a@example.org", "password": "x"}, HTTPS | {"Origin": origin})
        assert answer.status_code == 403


def test_a_client_s_forwarded_address_is_ignored(front: Front) -> None:
    for number in range(3):
        headers = HTTPS | {"X-Forwarded-For": f"198.51.100.{number}"}
        answer = httpx.get(f"{front.url}/metrics", headers=headers)
        assert answer.status_code == 403
        made = httpx.post(
            f"{front.url}/api/v1/converter/json-to-csv",
            files={"file": ("a.json", b'[{"a": 1}]')},
            headers=headers,
            timeout=60,
        )
        assert made.status_code == 201
    # All three are one guest's, whichever minute each was counted in.
    assert sum(GuestDay.objects.values_list("used", flat=True)) == 3
    assert GuestDay.objects.values("guest").distinct().count() == 1
