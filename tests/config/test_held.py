"""The memory of responses whose clients read slowly or not at all, over real sockets and a real gunicorn."""

import contextlib
import socket
import time

import pytest
from gunicorn.config import Config

from config.server.channel import OUTBOX_BYTES, Channel
from config.server.connection import Connection
from config.server.held import MOST, MOST_OF_BLOCK
from tests.config.plain_app import MADE_BYTES
from tests.config.plain_server import Server, answer
from tests.sandbox.conftest import eventually

MADE = b"GET /made HTTP/1.1\r\nHost: a\r\n\r\n"


@pytest.fixture
def server(tmp_path):
    server = Server(tmp_path)
    yield server
    server.process.kill()
    server.process.wait()


@pytest.fixture
def opened():
    with contextlib.ExitStack() as stack:
        yield stack


def ask(server, opened, source):
    """A client that reads the first bytes of its response, and no more."""
    sock = opened.enter_context(server.connect(source, receive_buffer=4096))
    sock.sendall(MADE)
    assert sock.recv(12) == b"HTTP/1.1 200"
    return sock


def waiting(server):
    return int(server.request(b"GET /waiting HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", "127.0.99.1").body)


def rest_of(sock):
    """How many further bytes a client gets, until it has all or is cut off."""
    size = 0
    with contextlib.suppress(ConnectionResetError):
        while size < MADE_BYTES and (data := sock.recv(1 << 20)):
            size += len(data)
    return size


def test_a_block_of_addresses_that_reads_nothing_fills_16_mb_and_no_more(server, opened):
    other = ask(server, opened, "127.0.2.1")
    greedy = [ask(server, opened, f"127.0.3.{1 + number % 4}") for number in range(40)]
    assert eventually(lambda: waiting(server) <= MOST_OF_BLOCK + MADE_BYTES)
    assert rest_of(other) >= MADE_BYTES
    assert sum(rest_of(each) >= MADE_BYTES for each in greedy) < len(greedy) / 2


def test_all_blocks_together_fill_64_mb_and_cost_no_modest_client_its_response(server, opened):
    modest = ask(server, opened, "127.0.2.1")
    for number in range(64):
        ask(server, opened, f"127.0.{10 + number % 8}.1")
    assert eventually(lambda: waiting(server) <= MOST)
    assert rest_of(modest) >= MADE_BYTES


def test_a_client_that_reads_gets_its_response_beside_many_of_its_block_that_do_not(server, opened):
    stalled = []
    for _ in range(20):
        stalled.append(ask(server, opened, "127.0.3.1"))
        with server.connect("127.0.3.2") as sock:
            sock.sendall(MADE)
            assert len(answer(sock).body) == MADE_BYTES
    assert sum(rest_of(each) >= MADE_BYTES for each in stalled) < len(stalled)


def test_clients_behind_a_proxy_share_all_of_the_memory(tmp_path, opened):
    server = Server(tmp_path, TRUSTED_PROXY_COUNT="1")
    opened.callback(server.process.wait)
    opened.callback(server.process.kill)
    socks = [ask(server, opened, "127.0.3.1") for _ in range(10)]
    assert all(rest_of(each) >= MADE_BYTES for each in socks)


def test_files_that_are_read_slowly_hold_no_memory(server, opened):
    for _ in range(40):
        sock = opened.enter_context(server.connect("127.0.3.1", receive_buffer=4096))
        sock.sendall(b"GET /file HTTP/1.1\r\nHost: a\r\n\r\n")
        assert sock.recv(12) == b"HTTP/1.1 200"
    assert waiting(server) < OUTBOX_BYTES


def test_the_application_lets_go_of_a_response_that_is_made_before_its_client_has_read_it(server, opened):
    sock = ask(server, opened, "127.0.3.1")
    assert eventually(server.big.with_name("closed").exists)
    assert rest_of(sock) >= MADE_BYTES


@pytest.fixture
def conn(tmp_path):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        yield Connection(Config(), Channel(ours, tmp_path), ("127.0.0.1", 1), ("127.0.0.1", 2), trusted_proxies=0)


def test_what_is_held_in_memory_has_to_be_read_faster_than_a_file(conn, tmp_path):
    (tmp_path / "file").write_bytes(bytes(8_000_000))
    with (tmp_path / "file").open("rb") as file:
        conn.channel.sendfile(file)
    conn.channel.sent = 1 << 20
    assert conn.sending_deadline() - conn.began == pytest.approx(30 + 256)
    conn.channel.sendall(bytes(8_000_000))
    conn.channel.sent = 1 << 20
    assert conn.sending_deadline() - conn.began == pytest.approx(30 + 16)
    conn.channel.destroy()


def test_a_response_in_pieces_may_be_read_as_slowly_as_a_file(conn):
    while not conn.channel.is_full:
        conn.channel.sendall(bytes(256 * 1024))
    sent = conn.channel.sent
    assert conn.sending_deadline() - conn.began == pytest.approx(30 + sent / 4096)


def test_the_memory_of_what_was_sent_is_given_back(tmp_path):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        channel, size, read = Channel(ours, tmp_path), 8_000_000, 0
        channel.sendall(bytes(size))
        until = time.monotonic() + 60
        while read < size:
            assert time.monotonic() < until
            read += len(theirs.recv(100_000))
            channel.flush()
            assert sum(len(each.obj) for each in channel._outbox) <= max(2 * (size - channel.sent), 0)
        assert channel.held == 0
