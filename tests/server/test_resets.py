"""What a forgotten password's mail tells a stranger, and what becomes of it: a real server and a slow mail server."""

from __future__ import annotations

import logging
import re
import signal
import socketserver
import statistics
import threading
import time
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from django.test import Client, override_settings
from prometheus_client import REGISTRY

from accounts.people import outbox as mails
from accounts.people.outbox import Outbox
from tests.conftest import make_user
from tests.http_server import serving
from tests.ports import free_port
from tests.server.conftest import Server, start_server

DELAY = 2.0
"""Seconds that the mail server takes to greet."""


class Sink(socketserver.ThreadingTCPServer):
    """A mail server (RFC 5321) that takes its time and every mail."""

    allow_reuse_address = daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.mails: list[str] = []


class _Session(socketserver.StreamRequestHandler):
    server: Sink

    def handle(self) -> None:
        time.sleep(DELAY)
        self._say("220 sink")
        while line := self.rfile.readline().decode().strip():
            if line.upper().startswith("DATA"):
                self._say("354 go on")
                self.server.mails.append("".join(iter(lambda: self.rfile.readline().decode(), ".\r\n")))
            self._say("221 bye" if line.upper() == "QUIT" else "250 ok")

    def _say(self, text: str) -> None:
        self.wfile.write(text.encode() + b"\r\n")


@pytest.fixture
def sink() -> Iterator[Sink]:
    with serving(Sink()) as running:
        yield running


@pytest.fixture
def mailing(transactional_db: None, sink: Sink) -> Iterator[Server]:
    """A server of one worker that sends its mails to the sink."""
    running = start_server(
        workers=1,
        EMAIL_BACKEND="django.core.mail.backends.smtp.EmailBackend",
        EMAIL_HOST="127.0.0.1",
        EMAIL_PORT=str(sink.server_address[1]),
    )
    yield running
    if running.process.poll() is None:
        running.stop()


def ask(server: Server, email: str) -> tuple[float, tuple[int, str]]:
    """Ask for a mail as the page does; the seconds and what was answered."""
    with httpx.Client(base_url=server.url, timeout=60) as client:
        page = client.get("/password-reset")
        token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page.text)
        assert token is not None
        started = time.perf_counter()
        answer = client.post("/password-reset", data={"email": email, "csrfmiddlewaretoken": token[1]})
        return time.perf_counter() - started, (answer.status_code, answer.headers["Location"])


def until(true: Any, seconds: float = 30) -> bool:
    deadline = time.monotonic() + seconds
    while not true() and time.monotonic() < deadline:
        time.sleep(0.05)
    return bool(true())


def test_a_known_address_takes_no_longer_than_an_unknown_one_and_its_mail_arrives(mailing: Server, sink: Sink) -> None:
    people = [make_user(email=f"known{number}@example.org") for number in range(3)]
    known = [ask(mailing, person.email) for person in people]
    unknown = [ask(mailing, f"un{person.email}") for person in people]
    assert {answer for _, answer in known} == {answer for _, answer in unknown} == {(302, "/password-reset/sent")}
    middle = [statistics.median(seconds for seconds, _ in each) for each in (known, unknown)]
    assert abs(middle[0] - middle[1]) < DELAY / 2
    assert max(middle) < DELAY
    assert until(lambda: len(sink.mails) == 3)
    found = {str(re.search(r"^To: (.*?)\r$", each, re.MULTILINE)[1]) for each in sink.mails}  # type: ignore[index]
    assert found == {person.email for person in people}
    assert all("/password-reset/" in each for each in sink.mails)


def test_a_mail_that_waits_is_sent_before_the_server_stops(mailing: Server, sink: Sink) -> None:
    make_user(email="known@example.org")
    ask(mailing, "known@example.org")
    assert mailing.stop(signal.SIGTERM) == 0
    assert len(sink.mails) == 1
    assert "mails lost" not in mailing.log.read_text()


def counted(outcome: str) -> float:
    return REGISTRY.get_sample_value("fileconv_mails_total", {"outcome": outcome}) or 0.0


def test_a_mail_server_that_is_down_is_tried_again_logged_and_counted(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    make_user(email="known@example.org")
    monkeypatch.setattr(mails, "PAUSES", (0.01, 0.01))
    before = counted("failed")
    smtp = {"EMAIL_BACKEND": "django.core.mail.backends.smtp.EmailBackend", "EMAIL_PORT": free_port()}
    with override_settings(EMAIL_HOST="127.0.0.1", **smtp), caplog.at_level(logging.WARNING, "service.accounts"):
        answers = [Client().post("/password-reset", {"email": f"{who}@example.org"}) for who in ("known", "unknown")]
        assert mails.OUTBOX.flush(30)
    assert [(each.status_code, each["Location"]) for each in answers] == [(302, "/password-reset/sent")] * 2
    assert counted("failed") == before + 1
    assert [each.message for each in caplog.records] == ["mail not sent yet"] * 2 + ["mail not sent"]
    assert "ConnectionRefusedError" in str(caplog.records[-1].exc_text or caplog.text)


def test_a_mail_that_comes_through_at_the_second_attempt_is_sent_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mails, "PAUSES", (0.01, 0.01))
    attempts: list[int] = []

    def deliver() -> None:
        attempts.append(len(attempts))
        if len(attempts) == 1:
            raise ConnectionResetError

    outbox, before = Outbox(), counted("failed")
    outbox.put(deliver)
    assert outbox.flush(30)
    assert (attempts, counted("failed")) == ([0, 1], before)


@pytest.mark.parametrize("email", ["known@example.org", "unknown@example.org"])
def test_a_full_outbox_takes_no_more_mails_and_says_so_to_everybody(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch, email: str
) -> None:
    make_user(email="known@example.org")
    outbox, begun, go = Outbox(size=1), threading.Event(), threading.Event()
    monkeypatch.setattr(mails, "OUTBOX", outbox)
    monkeypatch.setattr(mails, "HEAD_START", 0.0)

    def deliver() -> None:
        begun.set()
        go.wait(30)

    outbox.put(deliver)
    assert begun.wait(30)
    before = counted("refused")
    waiting, refused = (Client().post("/password-reset", {"email": email}) for _ in range(2))
    go.set()
    assert outbox.flush(30)
    assert (waiting.status_code, refused.status_code, refused["Retry-After"]) == (302, 503, "60")
    assert counted("refused") == before + 1


def test_a_client_with_many_pending_mails_leaves_the_outbox_to_others(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_user(email="known@example.org")
    outbox, begun, go = Outbox(size=8), threading.Event(), threading.Event()
    monkeypatch.setattr(mails, "OUTBOX", outbox)
    monkeypatch.setattr(mails, "HEAD_START", 0.0)

    def deliver() -> None:
        begun.set()
        go.wait(30)

    outbox.put(deliver)
    assert begun.wait(30)
    senders = ["203.0.113.7", "203.0.113.8", "203.0.113.9", "198.51.100.1"]
    answers = [
        Client(REMOTE_ADDR=each).post("/password-reset", {"email": f"nobody-{at}@example.org"})
        for at, each in enumerate(senders)
    ]
    go.set()
    assert outbox.flush(30)
    assert [each.status_code for each in answers] == [302, 302, 503, 302]
    assert Client(REMOTE_ADDR=senders[2]).post("/password-reset", {"email": "known@example.org"}).status_code == 302
    assert outbox.flush(30)
