"""Headers in the syntax of RFC 2231 that crash the parser end in no error of the server."""

from __future__ import annotations

import time
from typing import Any

import httpx
import pytest

from config.server.parameters import MOST_TEXT, ReadableParameters
from tests.server.conftest import Server

CONVERT = "/api/v1/converter/csv-to-json"
MALFORMED = [
    "x; filename*=x''a.csv",
    "x; filename*=idna''%ff.csv",
    "x; filename*0*=q''%ff; filename*1*=%ff",
    "x; filename*=utf-8''a.csv; filename*0=b",
]


@pytest.mark.parametrize("header", MALFORMED)
def test_a_body_with_a_malformed_name_is_unnamed(server: Server, header: str) -> None:
    headers = {"Content-Type": "text/csv", "Content-Disposition": header}
    answer = httpx.post(server.url + CONVERT, headers=headers, content=b"a,b\n1,2\n", timeout=60)
    assert answer.status_code == 201
    assert answer.json()["data"]["inputName"] == "input.csv"


def test_a_readable_name_is_the_file_s(server: Server) -> None:
    headers = {"Content-Type": "text/csv", "Content-Disposition": "attachment; filename*=utf-8''%C3%BC.csv"}
    answer = httpx.post(server.url + CONVERT, headers=headers, content=b"a,b\n1,2\n", timeout=60)
    assert answer.json()["data"]["inputName"] == "\xfc.csv"


@pytest.mark.parametrize("header", MALFORMED)
def test_a_malformed_choice_of_types_is_ignored(server: Server, header: str) -> None:
    choice = header.replace("x;", "application/json;", 1)
    for accepted in (choice, f"{choice}, application/json"):
        headers = {"Accept": accepted, "Content-Type": "text/csv"}
        answer = httpx.post(server.url + CONVERT, headers=headers, content=b"a,b\n1,2\n", timeout=60)
        assert answer.status_code == 201


@pytest.mark.parametrize("path", ["/login", "/download-all", "/results/live", "/language"])
def test_a_form_of_a_page_with_a_malformed_part_is_refused(server: Server, path: str) -> None:
    part = "Content-Disposition: form-data; name*=utf-8''a; name*0=b"
    with httpx.Client(base_url=server.url, timeout=60) as client:
        client.get("/login")
        answer = client.post(
            path,
            headers={"Content-Type": "multipart/form-data; boundary=b", "X-CSRFToken": client.cookies["csrftoken"]},
            content=f"--b\r\n{part}\r\n\r\nx\r\n--b--\r\n".encode(),
        )
    assert answer.status_code == 400


@pytest.mark.parametrize("name", ["Content-Disposition", "Accept", "Content-Type"])
def test_long_headers_cost_no_processor_time(name: str) -> None:
    seen: list[dict[str, Any]] = []

    def application(environ: dict[str, Any], start_response: object) -> list[bytes]:
        seen.append(environ)
        return []

    key = {"Content-Type": "CONTENT_TYPE"}.get(name, f"HTTP_{name.upper().replace('-', '_')}")
    began = time.process_time()
    ReadableParameters(application)({key: 'a; x*="' + ";" * 57_000}, lambda *_: None)
    assert time.process_time() - began < 0.2
    assert len(seen[0].get(key, "")) < MOST_TEXT


@pytest.mark.parametrize(
    ("cookies", "status"),
    [('a="\\""; csrftoken={token}; b="\\"', 200), ('csrftoken="\\{token}"', 403)],
)
def test_cookies_with_a_backslash_are_left_out_and_the_others_stay(server: Server, cookies: str, status: int) -> None:
    token = httpx.get(f"{server.url}/login", timeout=60).cookies["csrftoken"]
    headers = {"Cookie": cookies.format(token=token), "X-CSRFToken": token}
    answer = httpx.post(f"{server.url}/login", headers=headers, timeout=60)
    assert answer.status_code == status


def test_cookies_with_many_escapes_cost_no_processor_time() -> None:
    seen: list[dict[str, Any]] = []

    def application(environ: dict[str, Any], start_response: object) -> list[bytes]:
        seen.append(environ)
        return []

    ReadableParameters(application)({"HTTP_COOKIE": 'a=1;x="' + '\\"' * 28_000 + '";b=2'}, lambda *_: None)
    assert seen[0]["HTTP_COOKIE"] == "a=1;b=2"


def test_a_file_with_a_long_name_keeps_it(server: Server) -> None:
    name = "%C3%BC" * 100 + ".csv"
    headers = {"Content-Type": "text/csv", "Content-Disposition": f"attachment; filename*=utf-8''{name}"}
    answer = httpx.post(server.url + CONVERT, headers=headers, content=b"a,b\n1,2\n", timeout=60)
    assert answer.json()["data"]["inputName"] == "\xfc" * 100 + ".csv"
