"""Answers made up at random: judged, never believed, never a crash of the web process."""

from __future__ import annotations

import contextlib
import os
import socket
from typing import Any

import pytest

from engine.sandbox.answers import read_answer
from engine.sandbox.errors import Crashed
from engine.sandbox.protocol import FrameReader, Malformed, parse
from engine.toolkit.failures import ConversionError
from tests.sandbox.test_answers import GOOD

hypothesis = pytest.importorskip("hypothesis")
st = pytest.importorskip("hypothesis.strategies")


@hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
@hypothesis.given(st.binary(max_size=200))
def test_any_bytes_are_an_object_or_malformed(data: bytes) -> None:
    with contextlib.suppress(Malformed):
        assert isinstance(parse(data), dict)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=10,
)


@hypothesis.settings(deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow])
@hypothesis.given(st.dictionaries(st.sampled_from([*GOOD, "error", "message", "line", "column", "option"]), _JSON))
def test_any_object_is_judged_without_a_crash(body: dict[str, Any]) -> None:
    first, second = socket.socketpair()
    with first, second:
        try:
            read_answer(body, FrameReader(first), owners=range(os.geteuid(), os.geteuid() + 1), most=100)
        except (Malformed, ConversionError, Crashed):
            return
    raise AssertionError("an answer without a file was believed")
