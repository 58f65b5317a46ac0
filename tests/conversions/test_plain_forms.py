"""Forms parsed by the fast parser give the same result as Django's."""

from __future__ import annotations

from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadhandler import FileUploadHandler
from django.http.multipartparser import MultiPartParser
from hypothesis import given, settings
from hypothesis import strategies as st

from conversions.uploads.plain import MOST_BYTES, parts_of
from engine.toolkit import filenames

CURL = (
    b"--------------------------d74496d66958873e\r\n"
    b'Content-Disposition: form-data; name="delimiter"\r\n\r\n;\r\n'
    b"--------------------------d74496d66958873e\r\n"
    b'Content-Disposition: form-data; name="file"; filename="people (2).json"\r\n'
    b'Content-Type: application/octet-stream\r\n\r\n[{"a": 1}]\r\n'
    b"--------------------------d74496d66958873e--\r\n"
)


class _Collects(FileUploadHandler):
    def __init__(self) -> None:
        super().__init__()
        self.files: list[tuple[str, str, bytearray]] = []

    def new_file(self, *args: Any, **named: Any) -> None:
        super().new_file(*args, **named)
        self.files.append((self.field_name, self.file_name, bytearray()))

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:
        self.files[-1][2].extend(raw_data)

    def file_complete(self, file_size: int) -> None:
        return None


class _Form(MultiPartParser):
    def sanitize_file_name(self, file_name: str) -> str:
        return filenames.clean(file_name)


def by_the_framework(body: bytes, boundary: bytes) -> tuple[Any, Any]:
    meta = {"CONTENT_TYPE": f"multipart/form-data; boundary={boundary.decode()}", "CONTENT_LENGTH": str(len(body))}
    collects = _Collects()
    fields, _ = _Form(meta, BytesIO(body), [collects], "utf-8").parse()  # type: ignore[arg-type]  # all that it reads
    return dict(fields.lists()), [(name, file, bytes(content)) for name, file, content in collects.files]


def by_us(body: bytes, boundary: bytes) -> tuple[Any, Any] | None:
    parts = parts_of(body, boundary)
    if parts is None:
        return None
    fields: dict[str, list[str]] = {}
    for each in parts:
        if each.filename is None:
            fields.setdefault(each.name, []).append(each.content.decode(errors="replace"))
    files = [(each.name, filenames.clean(each.filename), each.content) for each in parts if each.filename is not None]
    return fields, files


def test_what_programs_send_is_plain() -> None:
    boundary = CURL[2 : CURL.index(b"\r\n")]
    assert by_us(CURL, boundary) == ({"delimiter": [";"]}, [("file", "people (2).json", b'[{"a": 1}]')])
    assert by_us(CURL, boundary) == by_the_framework(CURL, boundary)


@pytest.mark.parametrize(
    "body",
    [
        CURL.replace(b"people", b"p\xc3\xa9ople"),
        CURL.replace(b"people", b'pe\\"ople'),
        CURL.replace(b"people", b"../people"),
        CURL.replace(b"\r\n\r\n;", b"\r\nContent-Transfer-Encoding: base64\r\n\r\nOw=="),
        CURL.replace(b'name="delimiter"', b"name*=utf-8''delimiter"),
        CURL.replace(b"[", b"--------------------------d74496d66958873e"),
        CURL[:-4],
        CURL + b"more",
        b"before" + CURL,
        CURL.replace(b'"a"', b" " * MOST_BYTES),
    ],
)
def test_what_is_not_is_left_to_the_framework(body: bytes) -> None:
    assert parts_of(body, CURL[2 : CURL.index(b"\r\n")]) is None


_piece = st.one_of(
    st.sampled_from(
        [b"\r\n", b"\n", b"--b", b"--b--", b"--", b"b", b" ", b"\r\n\r\n", b'"', b";", b"\\", b"%41", b"\xff"]
    ),
    st.sampled_from([b'Content-Disposition: form-data; name="f"', b'; filename="a.csv"', b"Content-Type: text/csv"]),
    st.sampled_from([b"content-length: 3", b"Content-Transfer-Encoding: base64", b"; charset=x", b"QUJD"]),
    st.binary(max_size=4),
)
_content = st.lists(_piece, max_size=4).map(b"".join)
_head = st.one_of(
    st.sampled_from(
        [
            b'Content-Disposition: form-data; name="a"',
            b'Content-Disposition: form-data; name="file"; filename="a b (1).csv"',
            b'Content-Disposition: form-data; name="file"; filename="-a_.-"\r\nContent-Type: text/csv',
        ]
    ),
    st.lists(_piece, max_size=4).map(b"".join),
)
_forms = st.lists(st.tuples(_head, _content), max_size=4).map(
    lambda parts: (
        b"".join(b"--b\r\n" + head + b"\r\n\r\n" + content + b"\r\n" for head, content in parts) + b"--b--\r\n"
    )
)


@settings(max_examples=400, deadline=None)
@given(_forms)
def test_whatever_is_plain_means_the_same_to_the_framework(body: bytes) -> None:
    found = by_us(body, b"b")
    if found is not None:
        assert found == by_the_framework(body, b"b")
