"""Finding the end of a request, however its bytes arrive, and what is buffered meanwhile."""

import random

import pytest

from config.server.framing import HEAD_BYTES, LEAST_CHUNK_BYTES, SIZE_LINE_BYTES, SMALL_CHUNKS, Framing, _Chunks
from config.server.received import MEMORY_BYTES, Received

HEAD = b"POST / HTTP/1.1\r\nHost: a\r\n"
CHUNKED = HEAD + b"Transfer-Encoding: chunked\r\n\r\n"
LENGTH = HEAD + b"Content-Length: 5\r\n\r\n"

WHOLE = [
    HEAD + b"\r\n",
    LENGTH + b"12345",
    LENGTH.replace(b"Content-Length: 5", b"CONTENT-LENGTH:\t5 ") + b"12345",
    CHUNKED + b"0\r\n\r\n",
    CHUNKED + b"5\r\nhello\r\n0\r\n\r\n",
    CHUNKED + b"A;name=\"v\"\r\n0123456789\r\n00\r\nX: y\r\nZ: 1\r\n\r\n",
]  # fmt: skip
# The parser refuses them: nobody has to wait for more.
MALFORMED = [
    HEAD + b"X: y\n",
    HEAD + b"Content-Length: 5\r\nContent-Length: 5\r\n\r\n",
    HEAD + b"Content-Length: +5\r\n\r\n",
    HEAD + b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    HEAD + b"Transfer-Encoding: gzip, chunked\r\n\r\n",
    HEAD + b"Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
    CHUNKED + b"+1\r\n",
    CHUNKED + b"0x1\r\n",
    CHUNKED + b"1\n",
    CHUNKED + b"1\r\naX",
    CHUNKED + b"1\r\na\rX",
    CHUNKED + b"1" * 16 + b"\r\n",
    CHUNKED + b"\r\n",
    CHUNKED + b"1;" + b"x" * (SIZE_LINE_BYTES - 1),
]


@pytest.fixture
def received(tmp_path):
    received = Received(tmp_path)
    yield received
    received.close()


def advance(received: Received, pieces: list[bytes]) -> Framing:
    framing = Framing()
    for piece in pieces:
        assert not framing.complete
        received.append(piece)
        framing.advance(received, piece)
    return framing


@pytest.mark.parametrize("request_bytes", WHOLE + MALFORMED)
def test_a_request_is_complete_with_its_last_byte_and_not_before(received, request_bytes):
    framing = advance(received, [request_bytes[n : n + 1] for n in range(len(request_bytes) - 1)])
    if request_bytes in WHOLE:
        assert not framing.complete
    received.append(request_bytes[-1:])
    framing.advance(received, request_bytes[-1:])
    assert framing.complete


@pytest.mark.parametrize("request_bytes", WHOLE)
def test_pieces_of_any_size_are_the_same_request(tmp_path, request_bytes):
    dice = random.Random(5)
    for _ in range(30):
        cuts = sorted(dice.sample(range(1, len(request_bytes)), 3))
        pieces = [request_bytes[a:b] for a, b in zip([0, *cuts], [*cuts, None], strict=True)]
        received = Received(tmp_path)
        assert advance(received, pieces).complete
        received.close()


def test_a_body_of_too_many_small_chunks_is_wasteful_long_before_its_end(received):
    framing = advance(received, [CHUNKED, b"1\r\nx\r\n" * SMALL_CHUNKS])
    assert not framing.wasteful
    framing.advance(received, b"1\r\nx\r\n" * 1_000)
    assert framing.wasteful
    assert not framing.complete


def test_a_body_in_chunks_of_64_bytes_is_refused_within_a_tenth_of_a_small_file(received):
    chunk = b"40\r\n" + bytes(64) + b"\r\n"
    assert advance(received, [CHUNKED, chunk * (500_000 // len(chunk))]).wasteful


def test_whole_chunks_are_passed_over_without_a_look_at_each_line(received, monkeypatch):
    looked_at: list[bytes] = []
    ends_body = _Chunks._ends_body

    def seen(self: _Chunks, line: bytes) -> bool:
        looked_at.append(line)
        return ends_body(self, line)

    monkeypatch.setattr(_Chunks, "_ends_body", seen)
    chunk = b"%X\r\n" % LEAST_CHUNK_BYTES + bytes(LEAST_CHUNK_BYTES) + b"\r\n"
    assert advance(received, [CHUNKED, *[chunk * 100 + chunk[:50], chunk[50:]] * 20, b"0\r\n\r\n"]).complete
    assert len(looked_at) < 50


def test_chunks_end_at_the_same_byte_in_one_piece_and_in_many(tmp_path):
    dice = random.Random(7)
    oddities = [b"", b"", b"", b"0", b"g", b"+", b"_", b" ", b";a=b", b"\n", b"\r\n", b"\r", "\u0664".encode()]
    for _ in range(2_000):
        body = b""
        for _ in range(dice.randrange(1, 6)):
            size = dice.choice([0, 1, 2, 9, 10, 31])
            line = dice.choice([b"", b"", b"", b"0x", b"00"]) + b"%x" % size + dice.choice(oddities)
            body += line + b"\r\n" + bytes(size) + dice.choice([b"\r\n", b"\r\n", b"\r\n", b"x\n"])
        lengths, bytewise = range(1, len(body) + 1), _Chunks()
        in_one_piece = next((each for each in lengths if _Chunks().feed(body[:each])), None)
        byte_by_byte = next((each for each in lengths if bytewise.feed(body[each - 1 : each])), None)
        assert in_one_piece == byte_by_byte, body


def test_any_number_of_longer_chunks_is_a_body(received):
    chunk = b"%x\r\n" % LEAST_CHUNK_BYTES + bytes(LEAST_CHUNK_BYTES) + b"\r\n"
    framing = advance(received, [CHUNKED, chunk * 3 * SMALL_CHUNKS, b"0\r\n\r\n"])
    assert framing.complete
    assert not framing.wasteful


def test_a_head_that_does_not_end_in_time_is_endless_wherever_it_ends_then(received):
    assert advance(received, [b"GET / HTTP/1.1\r\nX: " + b"x" * HEAD_BYTES]).endless
    other = Received(received._folder)
    framing = advance(other, [b"GET / HTTP/1.1\r\nX: " + b"x" * (HEAD_BYTES - 20), b"\r\n\r\n" + bytes(16_000)])
    assert framing.endless
    other.close()


@pytest.mark.parametrize("sizes", [[1], [MEMORY_BYTES], [MEMORY_BYTES + 1], [60_000, 60_000, 5], [10, 3_000_000, 7]])
def test_what_was_received_can_be_read_again(received, sizes):
    dice = random.Random(7)
    pieces = [dice.randbytes(size) for size in sizes]
    for each in pieces:
        received.append(each)
    for _ in range(2):
        received.position = 0
        found = b"".join(iter(lambda: received.read(50_000), b""))
        assert found == b"".join(pieces)
    assert received.on_disk == 0 or sum(sizes) > MEMORY_BYTES
    assert list(received._folder.iterdir()) == []
