"""Requests that are not quite HTTP, as bytes, and what may be said to them."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import random
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from tests.conversions.samples import PEOPLE

CONVERT = "/api/v1/converter/json-to-csv"
ACCOUNT = "/api/v1/account"
DECLARED = 10_000_000_000
"""Bytes of an upload that is only announced."""
SILENCE = 0.5
"""Seconds after which a server that says nothing is told that nothing more will come."""

_REQUEST = re.compile(rb"[A-Z]+ [^\r\n ]+ HTTP/1")
_END = b"\r\n\r\n"
_HOST = b"Host: localhost\r\n"
_FORM = b"Content-Type: multipart/form-data; boundary=b\r\n"
_BODY = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n\r\n' + PEOPLE + b"\r\n--b--\r\n"


@dataclass(frozen=True)
class Oddity:
    """Bytes to send; `halves` closes the sending side after them; `expected` statuses are empty where any below 500,
    or no answer at all, will do; `code` is the error code then."""

    name: str
    data: bytes
    halves: bool = False
    expected: tuple[int, ...] = ()
    code: str = ""


@dataclass(frozen=True)
class Reply:
    """One answer."""

    status: int
    content_type: str
    body: bytes


def exchange(url: str, oddity: Oddity) -> list[Reply]:
    """Send bytes as they are and return the answers: until the server closes, or says nothing for a while.

    The sending side is closed after the first answer, and where there is none soon: who waits for more will see it.
    """
    address = urlsplit(url)
    head = oddity.data.startswith(b"HEAD ")
    received, halved = b"", oddity.halves
    with socket.create_connection((address.hostname, address.port), timeout=10) as connection:
        with contextlib.suppress(ConnectionError):
            connection.sendall(oddity.data)
            if halved:
                connection.shutdown(socket.SHUT_WR)
            while True:
                connection.settimeout(SILENCE if not halved and not oddity.expected else 10)
                try:
                    chunk = connection.recv(1 << 16)
                except TimeoutError:
                    if halved:
                        break
                    chunk = b"-"
                else:
                    received += chunk
                if not chunk:
                    break
                if not halved and (chunk == b"-" or any(each.status != 100 for each in replies(received, head=head))):
                    halved = True
                    connection.shutdown(socket.SHUT_WR)
    return list(replies(received, head=head))


class _Stream(io.BytesIO):
    """What was received, as the socket and the file that the library's parser wants."""

    def makefile(self, mode: str) -> _Stream:
        return self

    def close(self) -> None:
        """Nothing: the next answer is read from here too."""


def replies(received: bytes, *, head: bool) -> Iterator[Reply]:
    """The answers in a stream (RFC 9112) as far as they are whole; raises BadStatusLine for bytes that are none.

    `head` says that the requests were HEAD.
    """
    stream = _Stream(received)
    while stream.tell() < len(received):
        if received[stream.tell() :].startswith(b"HTTP/1.1 100 "):
            stream.seek(received.index(_END, stream.tell()) + len(_END))
            yield Reply(100, "", b"")
            continue
        answer = http.client.HTTPResponse(stream, method="HEAD" if head else "GET")  # type: ignore[arg-type]
        try:
            answer.begin()
            body = answer.read()
        except (http.client.IncompleteRead, http.client.RemoteDisconnected):
            return
        yield Reply(answer.status, answer.headers.get("Content-Type", ""), body)
        if head:
            return  # of a head that can't be parsed the method is unknown: the refusal has a body, and is the last


def wrong(oddity: Oddity, found: list[Reply]) -> str:
    """What is wrong with the answers to an oddity, or nothing."""
    statuses = [each.status for each in found]
    if any(each >= 500 for each in statuses):
        return f"{statuses}"
    if oddity.expected and (not found or statuses[0] not in oddity.expected):
        return f"{statuses} for {oddity.expected}"
    if not _is_api(oddity.data) or oddity.data.startswith(b"HEAD "):
        return ""
    # What follows in the same bytes may be a request for a page, whose errors are pages.
    for each in found if all(map(_is_api, _REQUEST.findall(oddity.data))) else found[:1]:
        if each.status >= 400:
            if not each.content_type.startswith("application/json"):
                return f"{each.status} is not JSON: {each.body[:80]!r}"
            body = json.loads(each.body)
            if body["success"] is not False or not body["requestId"]:
                return f"{each.status} {each.body[:200]!r}"
    if oddity.code and json.loads(found[0].body)["code"] != oddity.code:
        return f"{found[0].body[:200]!r} for {oddity.code}"
    return ""


def _is_api(data: bytes) -> bool:
    words = data.partition(b"\r\n")[0].split(b" ")
    return len(words) > 1 and words[1].startswith((b"/api/", b"http://localhost/api/"))


def declared(size: int = DECLARED, *, expect: bool = False) -> bytes:
    head = f"POST {CONVERT} HTTP/1.1\r\nContent-Length: {size}\r\n".encode() + _HOST + _FORM
    return head + (b"Expect: 100-continue\r\n" if expect else b"") + b"\r\n"


def good() -> bytes:
    return upload(_BODY)


def upload(
    body: bytes, *, form: bytes = _FORM, length: int | None = None, more: bytes = b"", target: str = CONVERT
) -> bytes:
    size = len(body) if length is None else length
    return f"POST {target} HTTP/1.1\r\nContent-Length: {size}\r\n".encode() + _HOST + form + more + b"\r\n" + body


def get(target: str | bytes, *, method: bytes = b"GET", more: bytes = b"", version: bytes = b"HTTP/1.1") -> bytes:
    path = target.encode() if isinstance(target, str) else target
    return method + b" " + path + b" " + version + b"\r\n" + _HOST + more + b"\r\n"


def _lines() -> Iterator[Oddity]:
    for name, line in {
        "empty line": b"",
        "only a method": b"GET",
        "no version": f"GET {ACCOUNT}".encode(),
        "four words": f"GET {ACCOUNT} HTTP/1.1 more".encode(),
        "HTTP/0.9": f"GET {ACCOUNT} HTTP/0.9".encode(),
        "HTTP/2.0": f"GET {ACCOUNT} HTTP/2.0".encode(),
        "HTTP/9.9": f"GET {ACCOUNT} HTTP/9.9".encode(),
        "lower-case version": f"GET {ACCOUNT} http/1.1".encode(),
        "tabs between words": f"GET\t{ACCOUNT}\tHTTP/1.1".encode(),
        "two spaces": f"GET  {ACCOUNT} HTTP/1.1".encode(),
        "NUL bytes": b"\x00\x01\x02",
        "NUL in the method": f"G\x00T {ACCOUNT} HTTP/1.1".encode(),
        "TLS": b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",
        "preface of HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM",
        "an answer": b"HTTP/1.1 200 OK",
        "long method": b"A" * 5_000 + f" {ACCOUNT} HTTP/1.1".encode(),
        "long path": b"GET /api/v1/" + b"x" * 60_000 + b" HTTP/1.1",
        "endless path": b"GET /api/v1/" + b"x" * 200_000 + b" HTTP/1.1",
        "long query": f"GET {ACCOUNT}?".encode() + b"a=b&" * 1_900 + b" HTTP/1.1",
    }.items():
        yield Oddity(f"request line: {name}", line + b"\r\n" + _HOST + b"\r\n")
    for method in (b"BREW", b"get", b"TRACE", b"CONNECT", b"OPTIONS", b"PATCH", b"PROPFIND", b"PUT", b"DELETE"):
        yield Oddity(f"method {method.decode()}", get(ACCOUNT, method=method))
        yield Oddity(f"method {method.decode()} on a conversion", get(CONVERT, method=method))
    yield Oddity("the whole server", b"OPTIONS * HTTP/1.1\r\n" + _HOST + b"\r\n")
    yield Oddity("authority form", b"CONNECT localhost:80 HTTP/1.1\r\n" + _HOST + b"\r\n")
    yield Oddity("absolute form", get(f"http://localhost{ACCOUNT}"), expected=(401,), code="UNAUTHORIZED")
    yield Oddity("absolute form of another host", get(f"http://evil.example{ACCOUNT}"))
    yield Oddity("absolute form of another scheme", get("file:///etc/passwd"))


def _paths() -> Iterator[Oddity]:
    for name, target in {
        "NUL": b"/api/v1/files/%00",
        "CRLF": b"/api/v1/files/%0d%0aSet-Cookie:%20a=b",
        "raw NUL": b"/api/v1/\x00",
        "raw control characters": b"/api/v1/\x01\x7f",
        "raw bytes": b"/api/v1/\xff\xfe\x80",
        "bad percent": b"/api/v1/%zz%",
        "lone surrogate": b"/api/v1/files/%ed%a0%80",
        "surrogate in a query": b"/api/v1/converter/history?slug=%ed%a0%80",
        "surrogate as a slug": b"/api/v1/converter/%ed%b3%bf-to-csv",
        "overlong slash": b"/api/v1/files/%c0%af%c0%af",
        "NUL as a slug": b"/api/v1/converter/%00-to-%00",
        "NUL in a query": b"/api/v1/converter/history?slug=%00&from=%00",
        "NUL as an id": b"/api/v1/converter/history/%00",
        "NUL in a page": b"/login?next=%00",
        "%u": b"/api/v1/%u0041",
        "dots": b"/api/v1/../../../etc/passwd",
        "encoded dots": b"/api/v1/files/%2e%2e%2f%2e%2e%2fsecret.key",
        "double slashes": b"//api//v1//account",
        "backslashes": b"/api\\v1\\account",
        "fragment": b"/api/v1/account#a",
        "semicolon": b"/api/v1/account;a=b",
        "double encoding": b"/api/v1/files/%252e%252e%252f",
        "static file with NUL": b"/static/%00",
        "static file outside": b"/static/..%2f..%2fetc/passwd",
        "a thousand parameters": b"/api/v1/converter/history?" + b"&".join(b"a%d=1" % n for n in range(1_000)),
    }.items():
        yield Oddity(f"path: {name}", get(target))
        yield Oddity(f"path: {name}, HEAD", get(target, method=b"HEAD"))


def _headers() -> Iterator[Oddity]:
    for name, more in {
        "one of 100 KB": b"X: " + b"x" * 100_000 + b"\r\n",
        "one of 7,000 bytes": b"X: " + b"x" * 7_000 + b"\r\n",
        "1,000 of them": b"X: y\r\n" * 1_000,
        "no colon": b"X\r\n",
        "space before the colon": b"X : y\r\n",
        "no name": b": y\r\n",
        "folded": b"X: y\r\n folded\r\n",
        "NUL": b"X: a\x00b\r\n",
        "bare line feed": b"X: a\nY: b\r\n",
        "bare carriage return": b"X: a\rY: b\r\n",
        "raw bytes": b"X: \xff\xfe\r\n",
        "two hosts": b"Host: other\r\n",
        "underscores": b"Content_Length: 5\r\nX_Forwarded_For: 10.0.0.1\r\n",
        "forwarded": b"X-Forwarded-For: ,,\x7f,999.1.1.1\r\nX-Forwarded-Host: evil\r\nForwarded: for=_x\r\n",
        "two authorizations": b"Authorization: Bearer a\r\nAuthorization: Bearer b\r\n",
        "authorization of raw bytes": b"Authorization: Bearer \xff\xfe\r\n",
        "long authorization": b"Authorization: Bearer " + b"a." * 3_500 + b"\r\n",
        "request id of raw bytes": b"X-Request-Id: \xe4\xf6\r\n",
        "cookie of raw bytes": b"Cookie: sessionid=\xff; csrftoken=\x01; =; ;;\r\n",
        "range": b"Range: bytes=" + b"0-1," * 1_000 + b"\r\n",
        "accept of nothing": b"Accept: ;;,*/*;q=x\r\n",
        "language": b"Accept-Language: " + b"a-" * 1_000 + b"\r\n",
        "date": b"If-Modified-Since: Mon, 99 Foo 99999999999 99:99:99 GMT\r\n",
        "upgrade": b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: x\r\n",
        "HTTP/2 upgrade": b"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n",
    }.items():
        yield Oddity(f"header: {name}", get(ACCOUNT, more=more))
        yield Oddity(f"header of an upload: {name}", upload(_BODY, more=more))
    yield Oddity("no host", b"GET " + ACCOUNT.encode() + b" HTTP/1.1\r\n\r\n")
    for host in (b"", b"evil.example", b"localhost:99999", b"localhost\x00", b"[::1", b"\xff", b"a" * 5_000, b"a b"):
        yield Oddity(f"host {host[:20]!r}", b"GET " + ACCOUNT.encode() + b" HTTP/1.1\r\nHost: " + host + b"\r\n\r\n")


def _lengths() -> Iterator[Oddity]:
    for name, more in {
        "twice, equal": b"Content-Length: %d\r\n" % len(_BODY),
        "twice, different": b"Content-Length: 5\r\n",
        "with chunks": b"Transfer-Encoding: chunked\r\n",
        "with identity": b"Transfer-Encoding: identity\r\n",
        "with gzip": b"Transfer-Encoding: gzip, chunked\r\n",
    }.items():
        yield Oddity(f"length: {name}", upload(_BODY, more=more))
    head = f"POST {CONVERT} HTTP/1.1\r\n".encode() + _HOST + _FORM
    for value in (
        b"-1",
        b"+5",
        b"0x10",
        b"5,5",
        b"",
        b"abc",
        b"1e3",
        b"5 5",
        b"\xb2",
        b"9" * 30,
        b"9" * 5_000,
        b"00005",
    ):
        yield Oddity(f"length of {value[:20]!r}", head + b"Content-Length: " + value + b"\r\n\r\n" + _BODY)
    chunk = b"%x\r\n%s\r\n" % (len(_BODY), _BODY)
    for name, coding, body in (
        ("twice", b"chunked, chunked", chunk + b"0\r\n\r\n"),
        ("unknown", b"brotli", chunk + b"0\r\n\r\n"),
        ("not last", b"chunked, gzip", chunk + b"0\r\n\r\n"),
        ("in capitals", b"CHUNKED", chunk + b"0\r\n\r\n"),
        ("with a tab", b"\tchunked", chunk + b"0\r\n\r\n"),
        ("with a vertical tab", b"\x0bchunked", chunk + b"0\r\n\r\n"),
        ("bad size", b"chunked", b"zz\r\nab\r\n0\r\n\r\n"),
        ("negative size", b"chunked", b"-5\r\nab\r\n0\r\n\r\n"),
        ("huge size", b"chunked", b"f" * 40 + b"\r\nab\r\n0\r\n\r\n"),
        ("size too small", b"chunked", b"3\r\nabcdef\r\n0\r\n\r\n"),
        ("no last chunk", b"chunked", chunk),
        ("endless extension", b"chunked", b"5;" + b"x" * 100_000 + b"\r\nabcde\r\n0\r\n\r\n"),
        ("trailers", b"chunked", chunk + b"0\r\nContent-Length: 5\r\nHost: evil\r\n\r\n"),
        ("bare line feeds", b"chunked", chunk.replace(b"\r\n", b"\n", 1) + b"0\n\n"),
    ):
        yield Oddity(f"chunks: {name}", head + b"Transfer-Encoding: " + coding + b"\r\n\r\n" + body, halves=True)
    yield Oddity("10 GB declared", declared(), expected=(413,), code="GUEST_FILE_TOO_LARGE")
    yield Oddity("10 GB asked for", declared(expect=True), expected=(413,), code="GUEST_FILE_TOO_LARGE")
    yield Oddity("expectation that is none", upload(_BODY, more=b"Expect: 200-ok\r\n"))
    yield Oddity("expectation met", upload(_BODY, more=b"Expect: 100-continue\r\n"), expected=(100, 201))
    yield Oddity("expectation of HTTP/1.0", good().replace(b"HTTP/1.1\r\n", b"HTTP/1.0\r\nExpect: 100-continue\r\n", 1))
    yield Oddity("10 GB declared for JSON", declared().replace(CONVERT.encode(), b"/api/v1/auth/login"))
    yield Oddity("half an upload", good()[:-30], halves=True)
    yield Oddity("half a head", good()[:60], halves=True)
    yield Oddity("nothing", b"", halves=True)
    yield Oddity("pipelined", get(ACCOUNT) * 5 + good() + get(ACCOUNT), expected=(401,))
    yield Oddity("pipelined behind a refusal", declared(5_000_000_000) + get(ACCOUNT), expected=(413,))
    yield Oddity("pipelined rubbish", get(ACCOUNT) + b"\x00\xff\r\n\r\n", expected=(401,))
    yield Oddity("a body with GET", get(ACCOUNT, more=b"Content-Length: 5\r\n") + b"abcde" + get(ACCOUNT))


def _forms() -> Iterator[Oddity]:
    part = b'--b\r\nContent-Disposition: form-data; name="file"; filename="a.json"\r\n'
    for name, form in {
        "none": b"Content-Type: multipart/form-data\r\n",
        "empty": b"Content-Type: multipart/form-data; boundary=\r\n",
        "another": b"Content-Type: multipart/form-data; boundary=c\r\n",
        "of 5,000": b"Content-Type: multipart/form-data; boundary=" + b"b" * 5_000 + b"\r\n",
        "with NUL": b"Content-Type: multipart/form-data; boundary=b\x00\r\n",
        "not ASCII": b"Content-Type: multipart/form-data; boundary=\xe4\r\n",
        "quoted wrong": b'Content-Type: multipart/form-data; boundary="b\r\n',
        "twice": b"Content-Type: multipart/form-data; boundary=c; boundary=b\r\n",
        "in RFC 2231": b"Content-Type: multipart/form-data; boundary*=utf-8''b; boundary*0=x\r\n",
        "in RFC 2231 of no charset": b"Content-Type: multipart/form-data; boundary*=nothing'x'%ff\r\n",
        "mixed": b"Content-Type: multipart/mixed; boundary=b\r\n",
        "two types": b"Content-Type: multipart/form-data; boundary=b\r\nContent-Type: application/json\r\n",
        "no type": b"",
    }.items():
        yield Oddity(f"boundary: {name}", upload(_BODY, form=form))
    for name, body in {
        "no final boundary": part + b"\r\n[]\r\n",
        "no dashes at the end": part + b"\r\n[]\r\n--b\r\n",
        "preamble and epilogue": b"before\r\n" + _BODY + b"after",
        "endless preamble": b"x" * 100_000 + b"\r\n" + _BODY,
        "bare line feeds": _BODY.replace(b"\r\n", b"\n"),
        "head without end": part,
        "head of 100 KB": part + b"X: " + b"x" * 100_000 + b"\r\n\r\n[]\r\n--b--\r\n",
        "1,000 parts": b"".join(
            b'--b\r\nContent-Disposition: form-data; name="a%d"\r\n\r\n1\r\n' % n for n in range(1_000)
        )
        + b"--b--\r\n",
        "base64": part + b"Content-Transfer-Encoding: base64\r\n\r\n!!!!\r\n--b--\r\n",
        "unknown transfer encoding": part + b"Content-Transfer-Encoding: x-nothing\r\n\r\n[]\r\n--b--\r\n",
        "charset that is none": part + b"Content-Type: text/plain; charset=nothing\r\n\r\n[]\r\n--b--\r\n",
        "no disposition": b"--b\r\n\r\n[]\r\n--b--\r\n",
        "no name": b"--b\r\nContent-Disposition: form-data\r\n\r\n[]\r\n--b--\r\n",
        "name of bytes": b'--b\r\nContent-Disposition: form-data; name="\xff\x00"\r\n\r\n[]\r\n--b--\r\n',
        "file name of bytes": _BODY.replace(b"a.json", b"\xff\x00\r\xed\xa0\x80.json"),
        "file name in RFC 2231 of no charset": _BODY.replace(b'filename="a.json"', b"filename*=nothing'x'%ff.json"),
        "file name in mixed pieces": _BODY.replace(b'filename="a.json"', b"filename*=utf-8''a.json; filename*0=x"),
        "file name in pieces": _BODY.replace(b'filename="a.json"', b'filename*0="a."; filename*1="json"'),
        "nested": part.replace(b"form-data;", b"form-data; x;") + b"Content-Type: multipart/mixed; boundary=c\r\n\r\n"
        b"--c\r\n\r\n[]\r\n--c--\r\n--b--\r\n",
        "nothing": b"",
        "only the end": b"--b--\r\n",
    }.items():
        yield Oddity(f"form: {name}", upload(body))


ODDITIES = [*_lines(), *_paths(), *_headers(), *_lengths(), *_forms()]


def mutations(number: int, seed: int) -> Iterator[Oddity]:
    """Good requests with some of their bytes changed, left out, doubled or put elsewhere."""
    chance = random.Random(seed)
    sources = [good(), get(ACCOUNT), get("/api/v1/files/" + "0" * 32 + ".csv", more=b"Range: bytes=0-5\r\n")]
    sources += [get("/api/v1/converter/history?page=1&slug=json-to-csv"), *(each.data for each in ODDITIES)]
    pieces = [
        b"\x00",
        b"\r\n",
        b"\n",
        b"\r",
        b" ",
        b"%00",
        b"%0d%0a",
        b":",
        b"\xff",
        b"\x7f",
        b"0",
        b"--b",
        b'"',
        b";",
        b"\t",
    ]
    for count in range(number):
        data = bytearray(chance.choice(sources)[:20_000])
        for _ in range(chance.randint(1, 6)):
            at = chance.randrange(len(data) + 1)
            match chance.randrange(4):
                case 0:
                    data[at:at] = chance.choice(pieces)
                case 1:
                    del data[at : at + chance.randint(1, 9)]
                case 2:
                    data[at : at + 1] = bytes([chance.randrange(256)])
                case _:
                    data[at:at] = data[at : at + chance.randint(1, 60)]
        yield Oddity(f"mutation {count}", bytes(data), halves=True)
