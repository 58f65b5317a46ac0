"""The web server's worker against clients that are slow, silent or gone, over real sockets and a real gunicorn."""

import contextlib
import json
import os
import signal
import socket
import threading
import time
from pathlib import Path

import pytest

from config.server.application import DISCARDED
from tests.config.plain_server import POST, Server, answer, is_closed
from tests.sandbox.conftest import eventually

ATTACKER = "127.0.0.2"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("server"))
    yield server
    server.process.kill()
    server.process.wait()


@pytest.fixture
def slow_clients(server):
    """200 connections of one address in five kinds, kept dripping until the test is over."""
    opened: list[tuple[str, socket.socket]] = []
    stop = threading.Event()
    firsts = {
        "silent": b"",
        "head": b"GET / HTTP/1.1\r\nX-",
        "body": POST % (b"/read", 5_000_000) + b"x",
        "small body": POST % (b"/read", 100) + b"x",
        "receiver": b"GET /stream HTTP/1.1\r\nHost: a\r\n\r\n",
        "file receiver": b"GET /file HTTP/1.1\r\nHost: a\r\n\r\n",
    }
    for number in range(200):
        kind = list(firsts)[number % len(firsts)]
        sock = server.connect(ATTACKER, receive_buffer=4096)
        sock.sendall(firsts[kind])
        opened.append((kind, sock))

    def drip() -> None:
        while not stop.wait(0.5):
            for kind, sock in opened:
                if "receiver" not in kind and kind != "silent":
                    with contextlib.suppress(OSError):
                        sock.send(b"a")

    thread = threading.Thread(target=drip)
    thread.start()
    yield opened
    stop.set()
    thread.join()
    for _, sock in opened:
        sock.close()


def test_other_clients_are_answered_while_200_are_slow(server, slow_clients):
    for _ in range(3):
        for path in ("/", "/file", "/read"):
            assert server.get(path).status == 200
        upload = server.request(POST % (b"/read", 1_000_000) + bytes(1_000_000))
        assert upload.body == b"1000000"
    # None of the slow ones has been dropped to get there: their time was not up.
    _, silent = slow_clients[0]
    silent.settimeout(0)
    with pytest.raises(BlockingIOError):
        silent.recv(1)


def test_an_answer_whose_client_is_gone_is_closed(server):
    gone = [server.connect(receive_buffer=4096) for _ in range(20)]
    for each in gone:
        each.sendall(b"GET /parts HTTP/1.1\r\nHost: a\r\n\r\n")
        assert each.recv(12) == b"HTTP/1.1 200"
    assert open_files(server) > 0
    for each in gone:
        each.close()
    assert eventually(lambda: open_files(server) == 0)


def open_files(server):
    """How often a worker has the file open that answers are read from."""
    links = [each for pid in server.workers() for each in Path(f"/proc/{pid}/fd").iterdir()]
    return sum(each.is_symlink() and os.path.realpath(each) == str(server.big) for each in links)


def test_a_client_that_is_too_slow_is_cut_off(server):
    kinds = {
        "silent": b"",
        "head": b"GET / HTTP/1.1\r\nX-",
        "small body": POST % (b"/read", 100) + b"x",
        "body": POST % (b"/read", 5_000_000) + b"x",
    }
    socks = {kind: server.connect() for kind in kinds}
    for kind, sock in socks.items():
        sock.sendall(kinds[kind])
    assert answer(socks.pop("body")).body == b"unreadable"
    assert all(is_closed(sock) for sock in socks.values())


def test_one_address_cannot_have_all_connections(server):
    socks = [server.connect(ATTACKER) for _ in range(400)]
    socks[-1].sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert is_closed(socks[-1])
    for sock in socks:
        sock.close()
    assert server.get("/").status == 200


def test_a_client_of_another_block_is_served_before_many_addresses_of_one(server):
    server.slow.unlink(missing_ok=True)
    socks = [server.connect(f"127.0.0.{number}") for number in range(10, 50)]
    for sock in socks:
        sock.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert eventually(server.slow.exists)
    assert server.request(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "127.0.1.1").status == 200
    waiting = 0
    for sock in socks:
        sock.settimeout(0)
        try:
            sock.recv(1)
        except BlockingIOError:
            waiting += 1
        sock.close()
    assert waiting > len(socks) / 2


def test_requests_in_one_packet_do_not_keep_a_thread_from_other_clients(server):
    server.slow.unlink(missing_ok=True)
    each = 6
    socks = [server.connect(ATTACKER) for _ in range(2)]  # one for each thread
    for sock in socks:
        sock.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n" * each)
    assert eventually(server.slow.exists)
    for source in ("127.0.1.1", ATTACKER):
        assert server.request(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", source).status == 200
    answered = 0
    for sock in socks:
        sock.settimeout(0)
        with contextlib.suppress(BlockingIOError):
            answered += sock.recv(1 << 16).count(b"200 OK")
        sock.close()
    assert answered < len(socks) * each / 2


def test_one_block_cannot_have_all_connections(server):
    socks = [server.connect(f"127.0.0.{10 + number % 4}") for number in range(600)]
    socks[-1].sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
    assert is_closed(socks[-1])
    assert server.request(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "127.0.1.1").status == 200
    for sock in socks:
        sock.close()


@pytest.mark.parametrize("first", [b"", b"GET /file HTTP/1.1\r\nHost: a\r\n\r\n"], ids=["silent", "receivers"])
def test_two_blocks_with_all_connections_cost_no_other_client_its_upload(server, first):
    with contextlib.ExitStack() as opened:
        upload = opened.enter_context(server.connect("127.0.1.1"))
        upload.sendall(POST % (b"/read", 300_000) + bytes(200_000))
        for number in range(1100):
            sock = server.connect(f"127.0.{2 + number % 2}.{10 + number // 2 % 4}", receive_buffer=4096)
            opened.enter_context(sock)
            with contextlib.suppress(OSError):
                sock.sendall(first)
        assert server.request(b"GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "127.0.1.1").status == 200
        upload.sendall(bytes(100_000))
        assert answer(upload).body == b"300000"
    assert eventually(lambda: keeps_connections(server))


def test_two_blocks_whose_conversions_take_all_connections_keep_no_other_client_out(server):
    converted = server.big.with_name("converted")
    with contextlib.ExitStack() as opened:
        opened.callback(converted.touch)
        for number in range(1100):
            sock = opened.enter_context(server.connect(f"127.0.{2 + number % 2}.{10 + number // 2 % 4}"))
            with contextlib.suppress(OSError):
                sock.sendall(b"GET /convert HTTP/1.1\r\nHost: a\r\n\r\n")
                if number >= 1090:  # the next connection finds this one waiting for its conversion
                    sock.settimeout(0.1)
                    sock.recv(1)
        opened.enter_context(server.connect("127.0.1.1"))
        other = opened.enter_context(server.connect("127.0.1.1"))
        other.settimeout(8)  # the silent connection before it would be closed after ten seconds
        other.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer(other).status == 200
    assert eventually(lambda: keeps_connections(server))
    converted.unlink()


def test_clients_behind_a_proxy_keep_their_turn_when_connections_run_out(tmp_path):
    server = Server(tmp_path, TRUSTED_PROXY_COUNT="1")
    converted = server.big.with_name("converted")
    with contextlib.ExitStack() as opened:
        opened.callback(server.process.kill)
        socks = []
        for number in range(1010):
            socks.append(opened.enter_context(server.connect()))
            with contextlib.suppress(OSError):
                socks[-1].sendall(b"GET /convert HTTP/1.1\r\nHost: a\r\n\r\n")
                if number >= 995:  # the next connection finds this one waiting for its conversion
                    socks[-1].settimeout(0.1)
                    socks[-1].recv(1)
        converted.touch()
        assert {answer(sock).status for sock in socks[:900]} == {200}
    server.process.wait()


def keeps_connections(server):
    """Whether few enough connections are left for it to keep some."""
    with server.connect() as sock:
        sock.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        return answer(sock).headers.get("Connection") == "keep-alive"


@pytest.mark.parametrize("expect", [b"", b"Expect: 100-continue\r\n"])
def test_a_refusal_arrives_although_the_body_is_still_coming(server, expect):
    with server.connect() as sock:
        sock.sendall(b"POST /refuse HTTP/1.1\r\nHost: a\r\nContent-Length: 10000000000\r\n" + expect + b"\r\n")
        if not expect:
            sock.sendall(bytes(5_000_000))
        response = answer(sock)
        assert (response.status, response.body) == (413, b"too large")
        assert response.headers.get("Connection") == "close"
        sock.shutdown(socket.SHUT_WR)
        assert is_closed(sock)


@pytest.mark.parametrize("size", [1, 30_000, 32_768, 32_769, 65_536, 65_537, 70_000, 150_000, 900_000])
def test_a_connection_goes_on_after_an_unread_body_if_the_response_says_so(server, size):
    with server.connect() as sock:
        sock.sendall(POST % (b"/refuse", size) + bytes(size))
        response = answer(sock)
        goes_on = response.headers.get("Connection") == "keep-alive"
        assert (response.status, goes_on) == (413, size <= DISCARDED)
        if goes_on:
            sock.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
            assert answer(sock).status == 200
        else:
            sock.shutdown(socket.SHUT_WR)
            assert is_closed(sock)


def test_continue_is_sent_only_when_the_body_is_read(server):
    with server.connect() as sock:
        sock.sendall(b"POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n")
        assert sock.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        sock.sendall(b"12345")
        assert answer(sock).body == b"5"


def test_an_incomplete_body_is_not_treated_as_complete(server):
    with server.connect() as sock:
        sock.sendall(POST % (b"/read", 100_000) + bytes(50_000))
        sock.shutdown(socket.SHUT_WR)
        assert answer(sock).body == b"unreadable"


def test_chunks_are_read(server):
    body = b"".join(b"%x\r\n%s\r\n" % (size, bytes(size)) for size in (1, 70_000, 3)) + b"0\r\n\r\n"
    head = b"POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
    with server.connect() as sock:
        for _ in range(2):
            sock.sendall(head + body)
            assert answer(sock).body == b"70004"


def test_a_body_of_small_chunks_is_refused_before_it_has_arrived(server):
    with server.connect() as sock:
        sock.sendall(b"POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + b"1\r\nx\r\n" * 10_000)
        response = answer(sock)
        assert response.status == 400
        assert json.loads(response.body)["code"] == "VALIDATION_ERROR"


@pytest.mark.parametrize("size", [b"F" * 15, b"F" * 16, b"1" * 4_000])
def test_a_chunk_that_no_file_can_be_is_refused_at_once(server, size):
    with server.connect() as sock:
        sock.sendall(b"POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + size + b"\r\nabc")
        response = answer(sock)
        assert response.status == 413
        assert json.loads(response.body)["code"] == "FILE_TOO_LARGE"


def test_a_body_of_lines_each_a_chunk_is_read(server):
    with server.connect() as sock:
        line = b"1e\r\n" + bytes(30) + b"\r\n"
        head = b"POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
        sock.sendall(head + line * 100_000 + b"0\r\n\r\n")
        assert answer(sock).body == b"3000000"


def test_a_file_is_sent_whole_and_from_where_it_stands(server):
    data = server.big.read_bytes()
    assert server.get("/file").body == data
    assert server.get("/slice").body == data[1_000:1_500]


def test_a_connection_is_kept_for_the_next_request(server):
    with server.connect() as sock:
        for path in (b"/", b"/file", b"/slice"):
            sock.sendall(b"GET " + path + b" HTTP/1.1\r\nHost: a\r\n\r\n")
            response = answer(sock)
            assert (response.status, response.headers.get("Connection")) == (200, "keep-alive")


def test_requests_in_one_packet_are_answered_in_turn(server):
    with server.connect() as sock:
        unread = POST % (b"/refuse", 3) + b"abc"
        sock.sendall(unread + b"GET / HTTP/1.1\r\nHost: a\r\n\r\n" + b"GET / HTTP/1.1\r\nHost: a\r\n")
        file = sock.makefile("rb")
        received = b""
        while received.count(b"\r\n\r\n") < 2:
            received += file.read1()
        assert received.startswith(b"HTTP/1.1 413 ")
        sock.sendall(b"\r\n")
        assert b"200 OK" in file.readline()


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n",
        b"GET / HTTP/1.1\nHost: a\n\n",
        b"GET / HTTP/9.9\r\nHost: a\r\n\r\n",
        b"POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n123456",
        b"POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost: a\r\nX: " + b"x" * 100_000,
        b"GET / HTTP/1.1\r\n" + b"X: y\r\n" * 200 + b"\r\n",
        b"POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n" + b"X: y\r\n" * 10_000,
    ],
)
def test_what_is_not_http_is_refused_in_json(server, request_bytes):
    response = server.request(request_bytes)
    body = json.loads(response.body)
    assert response.status == 400
    assert body == {**body, "success": False, "code": "VALIDATION_ERROR", "details": []}
    assert response.headers.get("X-Request-Id") == body["requestId"]


def test_a_crash_is_an_error_in_json(server):
    response = server.get("/crash")
    assert response.status == 500
    assert json.loads(response.body)["code"] == "INTERNAL_ERROR"
    assert b"RuntimeError" not in response.body


def test_stopping_cuts_no_request_off(tmp_path):
    server = Server(tmp_path)
    with server.connect() as running, server.connect() as half, server.connect() as receiving, server.connect() as idle:
        running.sendall(b"GET /slow HTTP/1.1\r\nHost: a\r\n\r\n")
        half.sendall(POST % (b"/read", 100_000) + bytes(50_000))
        receiving.sendall(b"GET /file HTTP/1.1\r\nHost: a\r\n\r\n")
        idle.sendall(b"GET / HTTP/1.1\r\nHost: a\r\n\r\n")
        assert answer(idle).status == 200
        assert receiving.recv(1, socket.MSG_PEEK)
        until = time.monotonic() + 20
        while not server.slow.exists():
            assert time.monotonic() < until
        server.process.send_signal(signal.SIGTERM)
        while server.is_open():
            assert time.monotonic() < until
        half.sendall(bytes(50_000))
        assert answer(half).body == b"100000"
        assert answer(running).status == 200
        assert answer(receiving).body == server.big.read_bytes()
        assert is_closed(idle)
    assert server.process.wait(30) == 0
