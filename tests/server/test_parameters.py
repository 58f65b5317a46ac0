"""Headers in the syntax of RFC 2231 that crash the parser end in no error of the server."""

from __future__ import annotations

import httpx
import pytest

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
