"""Bodies without a declared length, as the application behind the middleware sees them."""

import io
from typing import IO, Any

import pytest
from gunicorn.http.errors import NoMoreData

from config.server.chunked import UNDECLARED, ChunkedBodies

LIMIT = 300_000


class Interrupted(io.BytesIO):
    def read(self, size=-1):
        data = super().read(size)
        if not data:
            raise ConnectionResetError
        return data


class Malformed(io.BytesIO):
    def read(self, size=-1):
        raise NoMoreData

    readline = read


def seen(body: IO[bytes], *, most: int = -1, **environ: str) -> dict[str, Any]:
    """What the application finds in its environment and reads from it."""
    result: dict[str, Any] = {}

    def application(environ, start_response):
        result["length"] = environ.get("CONTENT_LENGTH")
        result["body"] = environ["wsgi.input"].read(most)
        return []

    given = {"wsgi.input": body, "wsgi.input_terminated": True, **environ}
    ChunkedBodies(application, limit=LIMIT, uploads="/files/")(given, lambda *_: None)
    return result


CHUNKED = {"HTTP_TRANSFER_ENCODING": "chunked"}
FORM = {**CHUNKED, "CONTENT_TYPE": "Multipart/form-data; boundary=b"}


@pytest.mark.parametrize("size", [0, 1, 70_000, LIMIT])
def test_a_chunked_body_gets_its_length(size):
    assert seen(io.BytesIO(bytes(size)), **CHUNKED) == {"length": str(size), "body": bytes(size)}


def test_an_overlong_body_is_not_read_to_its_end():
    body = io.BytesIO(bytes(LIMIT * 2))
    assert seen(body, **CHUNKED)["length"] == str(LIMIT + 1)
    assert body.tell() == LIMIT + 1


@pytest.mark.parametrize("upload", [FORM, CHUNKED | {"PATH_INFO": "/files/a"}])
def test_an_upload_is_not_read_before_the_application_reads_it(upload):
    body = io.BytesIO(bytes(LIMIT * 2))
    assert seen(body, most=10, **upload) == {"length": UNDECLARED, "body": bytes(10)}
    assert body.tell() == 10


@pytest.mark.parametrize("headers", [CHUNKED, FORM])
@pytest.mark.parametrize("body", [Interrupted(), Malformed()])
def test_an_incomplete_body_cannot_be_read(body, headers):
    with pytest.raises(OSError):
        seen(body, **headers)


def test_a_declared_body_is_left_alone():
    assert seen(io.BytesIO(b"body"), CONTENT_LENGTH="4") == {"length": "4", "body": b"body"}
