"""Parameters of headers that crash the parser, or name codecs, end in no error of the server and take no time."""

from __future__ import annotations

import io
import time
from typing import Any

import httpx
import pytest
from rest_framework.exceptions import ParseError
from rest_framework.request import Request

from config.api.parsers import ObjectParser
from config.server.multipart import FormRequest
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


CODECS = ["hex", "zlib", "rot13", "undefined", "idna", "punycode", "utf-16", "x", "%00"]


@pytest.mark.parametrize("charset", CODECS)
@pytest.mark.parametrize("kind", ["multipart/form-data; boundary=b", "application/x-www-form-urlencoded"])
def test_a_form_of_a_page_in_another_encoding_is_refused(server: Server, kind: str, charset: str) -> None:
    page = httpx.get(f"{server.url}/login?q=%ff", headers={"Content-Type": f'{kind}; charset="{charset}"'}, timeout=60)
    headers = {"Content-Type": f'{kind}; charset="{charset}"', "X-CSRFToken": page.cookies["csrftoken"]}
    answer = httpx.post(f"{server.url}/login?q=%ff", headers=headers, cookies=page.cookies, content=b"", timeout=60)
    assert (page.status_code, answer.status_code) == (200, 400)


@pytest.mark.parametrize("charset", CODECS)
def test_a_query_is_utf_8_whatever_the_encoding_of_the_body(server: Server, charset: str) -> None:
    headers = {"Content-Type": f'text/csv; charset="{charset}"'}
    address = f"{server.url}{CONVERT}?filename=%C3%BC.csv"
    answer = httpx.post(address, headers=headers, content=b"a,b\n1,2\n", timeout=60)
    assert answer.json()["data"]["inputName"] == "\xfc.csv"


@pytest.mark.parametrize("charset", CODECS)
def test_json_is_utf_8_whatever_encoding_it_names(server: Server, charset: str) -> None:
    headers = {"Content-Type": f'application/json; charset="{charset}"'}
    content = '{"email": "\xfc@example.org", "password": "x"}'.encode()
    assert (
        httpx.post(f"{server.url}/api/v1/auth/login", headers=headers, content=content, timeout=60).status_code == 401
    )


def test_a_named_encoding_costs_no_processor_time() -> None:
    # 100 KB took 0.4 s of punycode, and 1 MB 100 s.
    kind, content = "application/json; charset=punycode", b"a" * 500_000 + b"-" + b"a" * 490_000
    environ = {"REQUEST_METHOD": "POST", "CONTENT_TYPE": kind, "CONTENT_LENGTH": str(len(content))}
    request = Request(FormRequest({**environ, "wsgi.input": io.BytesIO(content)}), parsers=[ObjectParser()])
    began = time.process_time()
    with pytest.raises(ParseError):
        _ = request.data
    assert time.process_time() - began < 1


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
