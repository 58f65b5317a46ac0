"""Numbers with a unit in what people read are those of the code: each message that has one names where it is from."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from babel.messages.pofile import read_po

from accounts.deactivation import GRACE_PERIOD
from accounts.login import factors
from addresses import BLOCK
from apikeys import secrets
from backoffice import dashboard
from config.pages import BeingPrepared
from conversions import record_sizes
from conversions.progress import following
from conversions.work import idempotency
from storage.onetime import DownloadInProgress

ROOT = Path(__file__).resolve().parents[1]
_UNITS = (
    r"(?:days|hours|minutes|seconds|characters|visible ASCII characters|addresses|conversions|files|orders|MB|GB)\b"
)
_PLACEHOLDER = re.compile(r"%\(\w+\)s|\{\w+\}")
_NUMBER = re.compile(rf"(?<![\w.,])(\d[\d,.]*) {_UNITS}")


def _longest(pattern: str) -> str:
    """The upper bound of the repetition at the end of a pattern."""
    found = re.search(r",(\d+)\}$", pattern)
    assert found is not None
    return found[1]


_GRACE = str(GRACE_PERIOD.days)
PROMISES = {
    r"1 MB is 1,000,000": {"1 MB"},  # says what the unit is
    r"restore|closed and will be deleted": {f"{_GRACE} days"},
    r"authenticator app|app on your phone": {f"{factors.PERIOD} seconds"},
    r"The last \d+ days": {f"{dashboard.DAYS} days"},
    r"Guests in a network": {f"{2 ** (32 - BLOCK[4])} addresses"},
    r"Keys start with fc_": {f"{secrets.KEY_LENGTH} characters"},
    r"document is being prepared": {f"{BeingPrepared.wait} seconds"},
    r"download is in progress": {f"{DownloadInProgress.wait} seconds"},
    r"Send \d+ to \d+ characters|characters of your choice": {f"{_longest(following.PATTERN)} characters"},
    r"because the list would have more than": {f"{record_sizes.MOST_LISTED // 1_000_000} MB"},
    r"visible ASCII characters": {
        f"{_longest(idempotency._KEY.pattern)} visible ASCII characters",
        f"{idempotency.KEPT.total_seconds() / 3600:g} hours",
    },
}
"""What a message says in numbers, by a pattern for the messages that say it."""


def messages() -> Iterator[str]:
    """The messages of pages, emails, the API and the admin; those of conversions have their own tests."""
    for domain in ("django", "djangojs"):
        with (ROOT / "locale" / "de" / "LC_MESSAGES" / f"{domain}.po").open("rb") as file:
            for each in read_po(file):
                ours = [
                    name for name, _ in each.locations if not name.startswith(("engine", "conversions/pages/tasks"))
                ]
                if each.id and (ours or not each.locations):
                    yield each.id if isinstance(each.id, str) else each.id[1]


def numbers(text: str) -> set[str]:
    return {each[0] for each in _NUMBER.finditer(_PLACEHOLDER.sub("", text))}


def test_numbers_in_messages_are_those_of_the_code() -> None:
    found = {text: numbers(text) for text in messages()}
    promising = {text: said for text, said in found.items() if said}
    assert len(promising) >= 10
    for text, said in promising.items():
        known = [facts for pattern, facts in PROMISES.items() if re.search(pattern, text)]
        assert said <= set().union(*known), text


def test_each_promise_is_made_somewhere() -> None:
    said = {each for text in messages() for each in numbers(text)}
    assert set().union(*PROMISES.values()) <= said


def test_no_guest_is_told_that_a_result_is_theirs_alone() -> None:
    assert [text for text in messages() if re.search(r"for you alone|only you can", text, re.IGNORECASE)] == []
