"""Numbers that a file claims, however large, arrive with the message or fact that quotes them."""

from __future__ import annotations

import json
import math
import socket

import pytest

from engine.toolkit.messages import say, unpacked
from engine.toolkit.warnings import MAX_MESSAGE, Warn
from tests.sandbox.test_answers import GOOD, read, reader_with

HUGE = [10**15, -(10**15), 10**300, 1e15, 1e300, math.inf, -math.inf, math.nan]


@pytest.mark.parametrize("number", HUGE)
def test_a_message_with_a_number_of_any_size_is_read_again(number: float) -> None:
    message = say("It lasts {seconds} seconds.", seconds=number)
    assert unpacked(json.loads(json.dumps(message.packed())), longest=MAX_MESSAGE) == message


@pytest.mark.parametrize("number", [*HUGE, 1 << 60])
def test_a_fact_of_any_size_is_accepted(number: float) -> None:
    warn = Warn()
    warn.detect(seconds=number, pages=3)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        body = {**GOOD, "detected": warn.detected}
        answer = read(reader_with((ours, theirs), body, b"abc"), body)
        answer.output.close()
    assert answer.detected["pages"] == 3
    assert answer.detected["seconds"] in (number, str(number))
