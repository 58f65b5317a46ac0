"""What a client's socket receives of a response, and when."""

import socket

import pytest

from config.server.channel import BodyAwaited, Channel

HEAD = b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\n"


@pytest.fixture
def ends(tmp_path):
    ours, theirs = socket.socketpair()
    with ours, theirs:
        theirs.settimeout(0.2)
        yield Channel(ours, tmp_path), theirs


def test_a_head_and_its_body_leave_together(ends):
    channel, client = ends
    channel.sendall(HEAD)
    with pytest.raises(TimeoutError):
        client.recv(1024)
    channel.sendall(b"hello")
    assert client.recv(1024) == HEAD + b"hello"
    assert channel.flush()


def test_an_answer_without_a_body_leaves_when_its_thread_is_done(ends):
    channel, client = ends
    channel.sendall(HEAD)
    assert channel.flush()
    assert client.recv(1024) == HEAD


def test_only_one_head_is_held_back(ends):
    channel, client = ends
    channel.sendall(HEAD)
    channel.sendall(HEAD)
    assert client.recv(1024) == HEAD + HEAD


def test_nothing_to_send_is_no_piece(ends):
    channel, client = ends
    channel.sendall(b"")
    channel.sendall(b"hello")
    assert client.recv(1024) == b"hello"


def test_a_slow_reader_gets_every_byte_once(ends):
    channel, client = ends
    pieces = [bytes([number]) * 7_000 for number in range(30)]
    for each in pieces:
        channel.sendall(each)
    received = b""
    while len(received) < 210_000:
        received += client.recv(1_000)
        channel.flush()
    assert received == b"".join(pieces)
    assert channel.flush()


def test_a_read_never_blocks(ends):
    channel, client = ends
    client.sendall(b"of the next read")
    with pytest.raises(BodyAwaited):
        channel.recv(10)
    channel.received.append(b"here already")
    assert channel.recv(4) == b"here"
    assert channel.recv(100) == b" already"
    channel.whole = True
    with pytest.raises(ConnectionResetError):
        channel.recv(1)


def test_a_client_that_reads_nothing_fills_the_queue_without_blocking(ends):
    channel, client = ends
    sent = 0
    while not channel.is_full:
        channel.sendall(bytes(100_000))
        sent += 100_000
    received = 0
    while received < sent:
        received += len(client.recv(1_000_000))
        channel.flush()
    assert not channel.is_full
