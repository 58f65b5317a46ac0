"""Finding the end of a request, however its bytes arrive, and what is buffered meanwhile."""

import random

import pytest

from config.server.framing import (
    HEAD_BYTES,
    LARGEST_CHUNK_BYTES,
    LEAST_CHUNK_BYTES,
    LEAST_TINY_BYTES,
    SIZE_LINE_BYTES,
    SMALL_CHUNKS,
    TINY_CHUNKS,
    TRAILER_BYTES,
    Framing,
    _Chunks,
)
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
    CHUNKED + b"0" * 17 + b"5\r\nhello\r\n" + b"0" * 18 + b"\r\n\r\n",
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


def chunks(size: int, number: int, extension: bytes = b"") -> bytes:
    return b"%x%b\r\n%b\r\n" % (size, extension, bytes(size)) * number


def test_a_body_of_too_many_tiny_chunks_is_wasteful_long_before_its_end(received):
    framing = advance(received, [CHUNKED, chunks(1, TINY_CHUNKS)])
    assert not framing.wasteful
    framing.advance(received, chunks(1, 1_000))
    assert framing.wasteful
    assert not framing.complete


@pytest.mark.parametrize(("size", "total"), [(20, 3_000_000), (40, 7_000_000), (80, 20_000_000)])
def test_a_program_that_sends_each_line_as_a_chunk_may_send_megabytes(received, size, total):
    framing = advance(received, [CHUNKED, chunks(size, total // size), b"0\r\n\r\n"])
    assert framing.complete
    assert not framing.wasteful


def test_small_chunks_are_wasteful_where_reading_them_would_take_a_second(received):
    assert advance(received, [CHUNKED, chunks(LEAST_TINY_BYTES, 2 * SMALL_CHUNKS)]).wasteful


def test_chunks_with_extensions_count_more_than_once(received):
    assert advance(received, [CHUNKED, chunks(1, TINY_CHUNKS // 2, b";a")]).wasteful


@pytest.mark.parametrize("digits", [b"%x" % (LARGEST_CHUNK_BYTES + 1), b"F" * 15, b"F" * 16, b"0" * 9 + b"F" * 4_000])
@pytest.mark.parametrize("extension", [b"", b";a=b"])
def test_a_chunk_that_no_file_can_be_is_known_by_its_size(received, digits, extension):
    framing = advance(received, [CHUNKED, chunks(3, 2) + digits, extension + b"\r\nabc"])
    assert framing.oversized
    assert not framing.complete


def test_trailers_are_read_up_to_a_size_in_one_piece_and_in_many(tmp_path):
    for lines, endless in ((TRAILER_BYTES // 3 - 1, False), (TRAILER_BYTES // 3 + 1, True)):
        body = [CHUNKED, b"0\r\n", *[b"a\r\n"] * lines, b"\r\n"]
        received = Received(tmp_path)
        in_many = advance(received, body[:-1] if endless else body)
        received.close()
        in_one = advance(received, [b"".join(body)])
        received.close()
        assert in_many.endless == in_one.endless == endless


def test_the_largest_chunk_is_awaited(received):
    framing = advance(received, [CHUNKED, b"%x\r\nabc" % LARGEST_CHUNK_BYTES])
    assert not any((framing.oversized, framing.wasteful, framing.complete))


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
    framing = advance(received, [CHUNKED, chunk * 2 * SMALL_CHUNKS, b"0\r\n\r\n"])
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
