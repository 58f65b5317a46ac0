"""What only a real server shows: bodies that are cut off, too long, without a length; files and their headers."""

from __future__ import annotations

import io
import os
import socket
import threading
from datetime import timedelta
from urllib.parse import urlsplit

import httpx
import pytest
from django.utils import timezone

from accounts.models import Plan
from storage import files
from tests.conftest import make_user, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.processor import seconds_of
from tests.server.conftest import Server

CONVERT = "/api/v1/converter/json-to-csv"


def raw(server: Server, head: str, body: bytes = b"", *, half_close: bool = False, timeout: float = 20) -> bytes:
    """Send bytes as they are and read until the server closes."""
    address = urlsplit(server.url)
    with socket.create_connection((address.hostname, address.port), timeout=timeout) as connection:
        connection.sendall(head.replace("\n", "\r\n").encode("latin-1") + body)
        if half_close:
            connection.shutdown(socket.SHUT_WR)
        answer = b""
        while chunk := connection.recv(65_536):
            answer += chunk
        return answer


def status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


def multipart(content: bytes, name: str = "a.json") -> tuple[str, bytes]:
    head = f'--b\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n'.encode()
    return "multipart/form-data; boundary=b", head + content + b"\r\n--b--\r\n"


@pytest.fixture
def key(transactional_db: None) -> dict[str, str]:
    return with_key(make_user("pro")).headers


def test_one_call_takes_bytes_and_gives_bytes(server: Server, key: dict[str, str]) -> None:
    types = {"Content-Type": "application/json", "Accept": "text/csv"}
    for content in (PEOPLE, iter([PEOPLE[:5], PEOPLE[5:]])):  # with a length, and in chunks
        answer = httpx.post(server.url + CONVERT, content=content, headers=key | types)
        assert (answer.status_code, answer.content) == (201, PEOPLE_CSV)
        assert answer.headers["Content-Length"] == str(len(PEOPLE_CSV))


def test_a_body_in_chunks_is_a_file_of_any_size_that_the_plan_allows(server: Server, key: dict[str, str]) -> None:
    large = b"[" + b" " * 12_000_000 + PEOPLE.strip()[1:]
    pieces = (large[at : at + 1_000_000] for at in range(0, len(large), 1_000_000))
    answer = httpx.post(f"{server.url}{CONVERT}?download=1", content=pieces, headers=key, timeout=60)
    assert (answer.status_code, answer.content) == (201, PEOPLE_CSV)
    endless = (bytes(1_000_000) for _ in range(1_000))
    guest = httpx.post(f"{server.url}{CONVERT}", content=endless, headers={"Content-Type": "x/y"}, timeout=60)
    assert guest.json()["code"] == "GUEST_FILE_TOO_LARGE"


def test_a_body_that_breaks_off_is_no_file(server: Server) -> None:
    head = f"POST {CONVERT} HTTP/1.1\nHost: localhost\nContent-Type: application/json\nConnection: close\n"
    answer = raw(server, f"{head}Content-Length: {len(PEOPLE) + 1}\n\n", PEOPLE, half_close=True)
    assert b"UPLOAD_ERROR" in answer or not answer
    answer = raw(server, f"{head}Transfer-Encoding: chunked\n\n", b"zz\r\n")
    assert b"UPLOAD_ERROR" in answer


def test_convert_and_download_as_guest_and_as_program(server: Server, key: dict[str, str]) -> None:
    for headers in ({}, key):
        answer = httpx.post(server.url + CONVERT, files={"file": ("a.json", PEOPLE)}, headers=headers)
        assert answer.status_code == 201, answer.text
        download = httpx.get(server.url + answer.json()["data"]["downloadUrl"], headers=headers)
        assert download.content == PEOPLE_CSV
        assert download.headers["Content-Disposition"].startswith('attachment; filename="a.csv"')


def test_ten_gigabytes_declared_are_refused_before_they_are_sent(server: Server) -> None:
    head = (
        f"POST {CONVERT} HTTP/1.1\nHost: localhost\nContent-Type: multipart/form-data; boundary=b\n"
        "Content-Length: 10000000000\n\n"
    )
    answer = raw(server, head, b"--b\r\n")
    assert status(answer) == 413
    assert b"GUEST_FILE_TOO_LARGE" in answer


def test_a_body_that_grows_over_the_limit_is_cut_off_while_it_streams(server: Server) -> None:
    content_type, body = multipart(b" " * 5_900_000)
    head = f"POST {CONVERT} HTTP/1.1\nHost: localhost\nContent-Type: {content_type}\nContent-Length: {len(body)}\n\n"
    answer = raw(server, head, body)
    assert status(answer) == 413
    assert b"GUEST_FILE_TOO_LARGE" in answer


def test_an_upload_that_stops_half_way_is_an_upload_error(server: Server) -> None:
    content_type, body = multipart(PEOPLE)
    head = f"POST {CONVERT} HTTP/1.1\nHost: localhost\nContent-Type: {content_type}\nContent-Length: {len(body)}\n\n"
    answer = raw(server, head, body[:-10], half_close=True)
    assert answer == b"" or (status(answer) == 400 and b"UPLOAD_ERROR" in answer)


def test_a_chunked_upload_is_read_whole(server: Server) -> None:
    content_type, body = multipart(PEOPLE)

    def chunks() -> object:
        yield body[:20]
        yield body[20:]

    answer = httpx.post(server.url + CONVERT, content=chunks(), headers={"Content-Type": content_type})  # type: ignore[arg-type]
    assert answer.status_code == 201, answer.text


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(data), data)


def test_a_request_with_a_body_that_nobody_reads_counts_towards_the_rate_limit(server: Server) -> None:
    """The server presents it a second time once its body has arrived: the first time went no further than that."""
    Plan.objects.filter(code="guest").update(requests_per_minute=2)
    stored = files.put(io.BytesIO(b"%PDF-1.7 and nothing more"), extension="pdf")
    expires_at = timezone.now() + timedelta(hours=1)
    files.row(stored, owner=None, name="a.pdf", content_type="application/pdf", expires_at=expires_at).save()
    found = [_after_continue(server, f"/glimpse/{stored.key}") for _ in range(5)]  # a new minute may begin among them
    assert status(found[0]) == 422
    assert 429 in map(status, found)


def _after_continue(server: Server, path: str) -> bytes:
    """The answer to a request whose body is sent when the server has asked for it."""
    address = urlsplit(server.url)
    head = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\nExpect: 100-continue\r\n\r\n"
    with socket.create_connection((address.hostname, address.port), timeout=20) as connection:
        connection.sendall(head.encode())
        assert connection.recv(65_536).startswith(b"HTTP/1.1 100 ")
        connection.sendall(b"0\r\n\r\n")
        return connection.recv(65_536)


def test_an_endless_chunked_upload_is_cut_off_while_it_streams(server: Server) -> None:
    content_type, body = multipart(b"")
    head = f"POST {CONVERT} HTTP/1.1\nHost: localhost\nContent-Type: {content_type}\nTransfer-Encoding: chunked\n\n"
    sent = chunk(body[: body.index(b"\r\n\r\n") + 4]) + chunk(b" " * 65_536) * 85
    assert len(sent) < 5_700_000
    answer = raw(server, head, sent)  # and not yet its end
    assert status(answer) == 413
    assert b"GUEST_FILE_TOO_LARGE" in answer


def test_an_endless_upload_of_parts_without_a_name_is_cut_off_before_they_are_looked_at(server: Server) -> None:
    head = (
        f"POST {CONVERT} HTTP/1.1\nHost: localhost\nContent-Type: multipart/form-data; boundary=b\n"
        "Transfer-Encoding: chunked\n\n"
    )
    nameless = b'--b\r\nContent-Disposition: form-data; filename="a"\r\n\r\n\r\n'
    started = seconds_of(server.workers())
    answer = raw(server, head, chunk(nameless * 1500) * 80)
    assert status(answer) == 400
    assert b"UPLOAD_ERROR" in answer
    # Looking at them all takes ten seconds.
    assert seconds_of(server.workers()) - started < 3


@pytest.mark.parametrize(
    ("rest", "code"),
    [(b"0\r\n\r\n", b"NO_FILE"), (chunk(b"--b\r\n") + b"0\r\n\r\n", b"UPLOAD_ERROR"), (b"zz\r\n", b"UPLOAD_ERROR")],
)
def test_a_chunked_upload_that_is_no_form_is_refused(server: Server, rest: bytes, code: bytes) -> None:
    head = (
        f"POST {CONVERT} HTTP/1.1\nHost: localhost\nContent-Type: multipart/form-data; boundary=b\n"
        "Connection: close\nTransfer-Encoding: chunked\n\n"
    )
    answer = raw(server, head, rest)
    assert status(answer) == 400
    assert code in answer


@pytest.mark.parametrize("declared", ["Content-Length: 4000000000", "Transfer-Encoding: chunked"])
def test_a_page_that_asks_for_no_file_reads_none(server: Server, declared: str) -> None:
    token = httpx.get(f"{server.url}/login").cookies["csrftoken"]
    head = (
        f"POST /login HTTP/1.1\nHost: localhost\nCookie: csrftoken={token}\n"
        f"Content-Type: multipart/form-data; boundary=b\n{declared}\n\n"
    )
    assert status(raw(server, head, b"5\r\n--b\r\n\r\n")) == 413


def test_a_form_without_a_length_is_refused(server: Server) -> None:
    head = f"POST {CONVERT} HTTP/1.1\nHost: localhost\nConnection: close\n"
    head += "Content-Type: multipart/form-data; boundary=b\n\n"
    answer = raw(server, head)
    assert status(answer) == 400
    assert b"UPLOAD_ERROR" in answer or b"NO_FILE" in answer


@pytest.mark.parametrize(
    "path",
    ["/api/v1/files/..%2f..%2fsecret.key", "/api/v1/files/%2e%2e/%2e%2e/secret.key", "/api/v1/files/../../etc/passwd"],
)
def test_a_path_in_place_of_a_key_is_no_key(server: Server, path: str) -> None:
    answer = raw(server, f"GET {path} HTTP/1.1\nHost: localhost\nConnection: close\n\n")
    assert status(answer) == 400
    assert b"INVALID_FILE_KEY" in answer


@pytest.mark.parametrize(
    "request_line",
    [
        "GET /api/v1/converter/formats HTTP/9.9", "GET", "\x00\x01\x02", "GET /%zz HTTP/1.1",
        "BREW /api/v1/account HTTP/1.1", "GET /api/v1/" + "x" * 9_000 + " HTTP/1.1",
        "GET //api//v1//account HTTP/1.1", "GET /api/v1/account\x7f HTTP/1.1",
    ],
)  # fmt: skip
def test_malformed_requests_do_no_harm(server: Server, request_line: str) -> None:
    answer = raw(server, f"{request_line}\nHost: localhost\nConnection: close\n\n")
    assert answer == b"" or 400 <= status(answer) < 500
    assert httpx.get(f"{server.url}/healthz").status_code == 200


def test_a_host_that_is_not_allowed_gets_the_error_body(server: Server) -> None:
    answer = raw(server, "GET /api/v1/account HTTP/1.1\nHost: evil.example\nConnection: close\n\n")
    assert status(answer) == 400
    assert b'"requestId"' in answer


def test_health_readiness_and_metrics_respond(server: Server) -> None:
    assert httpx.get(f"{server.url}/healthz").json() == {"status": "ok"}
    ready = httpx.get(f"{server.url}/readyz", timeout=30)
    assert (ready.status_code, ready.json()["failing"]) == (200, [])
    assert ready.json()["isolation"]["processes"] in ("cgroup", "shared" if os.geteuid() else "user")
    metrics = httpx.get(f"{server.url}/metrics")
    assert metrics.status_code == 200
    assert metrics.headers["Content-Type"].startswith("text/plain")


def test_head_matches_get_without_a_body(server: Server, key: dict[str, str]) -> None:
    made = httpx.post(server.url + CONVERT, files={"file": ("a.json", PEOPLE)}, headers=key).json()["data"]
    before = server.log.stat().st_size
    for path in ("/healthz", "/api/v1/account/balance", made["downloadUrl"].removeprefix(server.url), "/login"):
        with httpx.Client(base_url=server.url, headers={**key, "Accept-Encoding": "identity"}) as client:
            get, head = client.get(path), client.head(path)
            assert (head.status_code, head.content) == (get.status_code, b""), path
            assert head.headers.get("Content-Length") == get.headers.get("Content-Length"), path
            assert client.get("/healthz").status_code == 200
    assert b"no-body" not in server.log.read_bytes()[before:]


def test_a_stop_waits_for_the_request_that_is_running(own_server: Server) -> None:
    page = b"<html><body>" + b"<p>A paragraph of some words.</p>" * 400 + b"</body></html>"
    answers: list[int] = []

    def convert() -> None:
        url = f"{own_server.url}/api/v1/converter/html-to-pdf"
        answers.append(httpx.post(url, files={"file": ("a.html", page)}, timeout=60).status_code)

    thread = threading.Thread(target=convert)
    thread.start()
    at_work = 'fileconv_sandbox_jobs{family="pdf"} 1.0'
    while at_work not in httpx.get(f"{own_server.url}/metrics").text:
        assert thread.is_alive()
    assert own_server.stop() == 0
    thread.join()
    assert answers == [201]


FORM = chunk(b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n')


@pytest.mark.parametrize(
    ("path", "content_type"),
    [
        (CONVERT, "multipart/form-data; boundary=b"), (CONVERT, "application/json"),
        ("/api/v1/auth/login", "application/json"), ("/login", "application/x-www-form-urlencoded"),
        ("/", "multipart/form-data; boundary=b"),
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "rest",
    [
        b"+1\r\na\r\n0\r\n\r\n", b"-1\r\na\r\n0\r\n\r\n", b"0x1\r\na\r\n0\r\n\r\n", b"1_0\r\na\r\n0\r\n\r\n",
        b" 1\r\na\r\n0\r\n\r\n", b"1\na\r\n0\r\n\r\n", b"1\r\na\n0\r\n\r\n", b"1\r\naXX0\r\n\r\n", b"\r\n", b"g\r\n",
        b"1;\rx\r\na\r\n0\r\n\r\n", b"5\r\nab", b"0\r\nX\r\n\r\n", b"0\r\nX: y\n\r\n",
        b"1\r\na\r\n0\r\nContent-Length: 5\r\n\r\n", b"",
    ],
)  # fmt: skip
def test_malformed_chunks_are_the_clients_fault(server: Server, path: str, content_type: str, rest: bytes) -> None:
    written = server.log.stat().st_size
    for begun in (b"", FORM):
        head = f"POST {path} HTTP/1.1\nHost: localhost\nContent-Type: {content_type}\nTransfer-Encoding: chunked\n\n"
        answer = raw(server, head, begun + rest, half_close=True)
        if path == CONVERT and content_type.startswith("multipart"):
            assert status(answer) == 400
            assert b'"UPLOAD_ERROR"' in answer
        else:
            assert 400 <= status(answer) < 500
    assert b"Traceback" not in server.log.read_bytes()[written:]


def test_a_json_body_that_stops_half_way_is_the_clients_fault(server: Server) -> None:
    head = "POST /api/v1/auth/login HTTP/1.1\nHost: localhost\nContent-Type: application/json\nContent-Length: 50\n\n"
    answer = raw(server, head, b'{"email": "a', half_close=True)
    assert status(answer) == 400
    assert b'"VALIDATION_ERROR"' in answer


@pytest.mark.parametrize(
    "head",
    [
        "POST /api/v1/auth/login HTTP/1.1\nHost: localhost\nTransfer-Encoding: gzip, chunked\n",
        "POST /api/v1/auth/login HTTP/1.1\nHost: localhost\nTransfer-Encoding: identity, chunked\n",
        "GET /api/v1/converter/formats HTTP/1.1\nConnection: close\n",
        "GET http://elsewhere.example/api/v1/converter/formats HTTP/1.1\nHost: localhost\nConnection: close\n",
        "GET http://localhost:81/api/v1/converter/formats HTTP/1.1\nHost: localhost\nConnection: close\n",
    ],
)
def test_a_request_that_could_be_read_in_two_ways_is_refused(server: Server, head: str) -> None:
    answer = raw(server, head + "\n", b"0\r\n\r\n" if "chunked" in head else b"")
    assert status(answer) == 400
    assert b'"VALIDATION_ERROR"' in answer


@pytest.mark.parametrize(
    "head",
    [
        "GET http://LOCALHOST:80/api/v1/converter/formats HTTP/1.1\nHost: localhost\n",
        "GET http://localhost/api/v1/converter/formats HTTP/1.1\nHost: localhost:80\n",
        "GET /api/v1/converter/formats HTTP/1.0\n",
    ],
)
def test_a_request_for_this_host_in_other_words_is_answered(server: Server, head: str) -> None:
    answer = raw(server, head + "Connection: close\n\n")
    assert status(answer) == 200
