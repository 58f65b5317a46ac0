"""What the web server's worker decides before a request is parsed."""

import pytest

from config.intake import SMALL_BODY_BYTES, network_of, weigh

HEAD = b"POST / HTTP/1.1\r\nHost: a\r\n"
SMALL, LARGE = (b"Content-Length: %d\r\n\r\n" % size for size in (SMALL_BODY_BYTES, SMALL_BODY_BYTES + 1))


@pytest.mark.parametrize(
    ("received", "large", "complete"),
    [
        (b"", False, False),
        (HEAD, False, False),
        (HEAD + b"\r\n", False, True),
        (HEAD + SMALL, False, False),
        (HEAD + SMALL + bytes(SMALL_BODY_BYTES - 1), False, False),
        (HEAD + SMALL + bytes(SMALL_BODY_BYTES), False, True),
        (HEAD + SMALL.replace(b"Content-Length: ", b"CONTENT-LENGTH:\t"), False, False),
        (HEAD + LARGE, True, True),
        (HEAD + b"Transfer-Encoding: chunked\r\n\r\n", True, True),
        (HEAD + b"Expect: 100-continue\r\n" + SMALL, True, True),
        (HEAD + b"X: y\n", False, True),
    ],
)
def test_a_request_is_served_once_no_thread_must_wait_for_it(received, large, complete):
    assert weigh(bytearray(received)) == (large, complete)


@pytest.mark.parametrize(
    ("client", "network"),
    [
        (("192.0.2.7", 5), "192.0.2.7"),
        (("::ffff:192.0.2.7", 5, 0, 0), "192.0.2.7"),
        (("2001:db8:1:2:3:4:5:6", 5, 0, 0), "2001:db8:1:2::/64"),
        (("fe80::1%eth0", 5, 0, 0), "fe80::/64"),
        ("", ""),
    ],
)
def test_what_counts_as_one_client(client, network):
    assert network_of(client) == network
