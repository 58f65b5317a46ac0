"""The web server's worker against clients that send anything in any order: it waits for an event or ends."""

import contextlib
import random
import select
import socket
import time

import pytest

from tests.config.plain_server import BIG_BYTES, POST, Server, answer

CHUNKED = b"POST /read HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"
IDLE_SHARE = 0.2
"""Of one processor, while clients do nothing: an event loop that spins takes all of it."""


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("hostile"))
    yield server
    server.process.kill()
    server.process.wait()


def padded(size: int) -> bytes:
    """A head of so many bytes in fields of a size that gunicorn would take, before its end."""
    line = b"X: " + b"x" * 5_000 + b"\r\n"
    head = b"POST /read HTTP/1.1\r\nHost: a\r\nContent-Length: 16000\r\n" + line * (size // len(line))
    return head + b"X: " + b"x" * (size - len(head) - 7)


STATES = {
    "a head of 71 KB with all of its body": padded(71_000) + b"\r\n\r\n" + bytes(16_000),
    "a head of 63 KB with half of its body": padded(63_000) + b"\r\n\r\n" + bytes(8_000),
    "a head without an end": padded(60_000),
    "a short head": b"GET / HTTP/1.1\r\n",
    "half a line end": b"GET / HTTP/1.1\r\nHost: a\r\n\r",
    "an empty line": b"\r\n",
    "half a short body": POST % (b"/read", 16_000) + bytes(8_000),
    "half a long body": POST % (b"/read", 3_000_000) + bytes(1_000_000),
    "a refused body": POST % (b"/refuse", 3_000_000),
    "half a chunk": CHUNKED + b"10000\r\n" + bytes(30_000),
    "half a size": CHUNKED + b"1",
    "half a trailer": CHUNKED + b"0\r\nX: y\r\n",
    "a body to be asked for": POST[:-2] % (b"/read", 5_000) + b"Expect: 100-continue\r\n\r\n",
    "an answer not taken": b"GET /stream HTTP/1.1\r\nHost: a\r\n\r\n",
    "a file not taken": b"GET /file HTTP/1.1\r\nHost: a\r\n\r\n",
    "requests behind one another": b"GET /stream HTTP/1.1\r\nHost: a\r\n\r\n" * 300,
    "a head of 71 KB": padded(71_000),
    "a request and half of the next": b"GET / HTTP/1.1\r\nHost: a\r\n\r\nGET / HT",
}


def idle_share(server: Server, seconds: float) -> float:
    before, started = server.processor_seconds(), time.monotonic()
    time.sleep(seconds)
    return (server.processor_seconds() - before) / (time.monotonic() - started)


def comes_to_rest(server: Server, seconds: float) -> bool:
    """Whether there are so many seconds of rest once what came before is done, which takes a while if all are busy."""
    return any(idle_share(server, seconds) < IDLE_SHARE for _ in range(6))


@pytest.mark.parametrize("half_closed", [False, True])
def test_no_state_of_a_connection_keeps_the_processor_busy(server, half_closed):
    opened = []
    for request in STATES.values():
        for _ in range(3):
            sock = server.connect(receive_buffer=4096)
            sock.setblocking(False)
            sock.send(request[:60_000])
            opened.append((sock, request[60_000:]))
    assert comes_to_rest(server, 0.3)
    # What comes then is there at once when it is looked at.
    with server.held():
        for sock, rest in opened:
            with contextlib.suppress(OSError):
                sock.send(rest)
                if half_closed:
                    sock.shutdown(socket.SHUT_WR)
    assert comes_to_rest(server, 2)
    for sock, _ in opened:
        sock.close()
    assert server.get("/").status == 200


def attack(server: Server, dice: random.Random, seconds: float) -> None:
    """Connections that send the states' bytes in other pieces, sizes and orders, close, half close or do nothing."""
    opened: list[socket.socket] = []
    ends = time.monotonic() + seconds
    while time.monotonic() < ends:
        if len(opened) < 60:
            sock = server.connect(receive_buffer=dice.choice([0, 4096]))
            sock.setblocking(False)
            opened.append(sock)
        sock = dice.choice(opened)
        with contextlib.suppress(OSError):
            match dice.randrange(12):
                case 0:
                    sock.shutdown(socket.SHUT_WR)
                case 1:
                    sock.close()
                case 2:
                    sock.recv(dice.choice([1, 100_000]))
                case 3:
                    sock.send(dice.randbytes(dice.randrange(1, 500)))
                case _:
                    whole = dice.choice(list(STATES.values()))
                    start = dice.choice([0, 0, dice.randrange(len(whole) + 1)])
                    sock.send(whole[start : start + dice.choice([1, 7, 200, 5_000, 100_000])])
        opened = [each for each in opened if each.fileno() >= 0]
    # Those that are left are as they were left.
    assert comes_to_rest(server, 1.5)
    for sock in opened:
        sock.close()


def test_bytes_in_any_pieces_and_order_leave_it_idle_and_alive(server):
    before = server.workers()
    attack(server, random.Random(14), 2)
    assert server.get("/").status == 200
    assert server.workers() == before


@pytest.mark.soak
def test_bytes_in_any_pieces_and_order_for_two_minutes(server):
    before = server.workers()
    for seed in range(12):
        attack(server, random.Random(seed), 8)
        assert server.get("/").status == 200
    assert server.workers() == before
    assert b"Traceback" not in server.log.read_bytes()


def test_the_worker_waits_when_out_of_descriptors(tmp_path):
    server = Server(tmp_path, limit=40)
    try:
        opened = []
        for _ in range(60):
            with contextlib.suppress(OSError):
                sock = server.connect(receive_buffer=4096)
                sock.settimeout(1)
                sock.sendall(STATES["a file not taken"])
                opened.append(sock)
        assert comes_to_rest(server, 1.5)
        for sock in opened:
            sock.close()
        assert server.get("/").status == 200
    finally:
        server.process.kill()
        server.process.wait()


@pytest.mark.parametrize("path", ["/stream", "/file"])
def test_clients_that_read_nothing_occupy_no_thread(server, path):
    slow = []
    for number in range(40):
        # Of twenty blocks of addresses, as one may not hold so much memory.
        sock = server.connect(f"127.{number % 20 + 1}.3.1", receive_buffer=4096)
        sock.sendall(b"GET %s HTTP/1.1\r\nHost: a\r\n\r\n" % path.encode())
        slow.append(sock)
    # All have their answer begun, of two threads.
    for sock in slow:
        assert select.select([sock], [], [], 10)[0]
    started = time.monotonic()
    assert server.get("/").status == 200
    assert time.monotonic() - started < 10
    # And whoever begins to take it gets all of it.
    body = answer(slow[0]).body
    assert len(body) == BIG_BYTES
    for sock in slow:
        sock.close()


def slow_uploads(server: Server, number: int) -> float:
    """So many uploads from 20 addresses that drip, and the seconds that one of 40 KB from another address takes."""
    opened = []
    for each in range(number):
        sock = server.connect(f"127.0.4.{each % 20 + 1}")
        sock.sendall(POST % (b"/read", 3_000_000) + bytes(10_000))
        opened.append(sock)
    assert comes_to_rest(server, 0.3)
    for sock in opened:
        sock.send(bytes(1_000))
    started = time.monotonic()
    assert server.request(POST % (b"/read", 40_000) + bytes(40_000), "127.0.5.1").body == b"40000"
    taken = time.monotonic() - started
    for sock in opened:
        sock.close()
    return taken


def test_slow_uploads_occupy_no_thread(server):
    assert slow_uploads(server, 60) < 2


@pytest.mark.soak
@pytest.mark.alone
def test_320_slow_uploads_from_20_addresses_do_not_delay_another(server):
    assert slow_uploads(server, 320) < 2
