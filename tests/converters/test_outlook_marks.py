"""Importance, flags, categories, votes and reactions of Outlook messages are shown with their headers."""

from __future__ import annotations

import json
import struct
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.converters.test_mail import HEAD, shown
from tests.families.mail.vectors import compound

_REACTIONS = "ReactionsCount"


def _votes(*names: str) -> bytes:
    """A stream of verbs (MS-OXOMSG, 2.2.1.74): a reply, and a voting button for each name."""
    verbs = [(2, "Reply"), *((4, name) for name in names)]
    stream = struct.pack("<HI", 0x102, len(verbs))
    for kind, name in verbs:
        short = bytes([len(name)]) + name.encode("cp1252")
        stream += struct.pack("<I", kind) + short + b"\x08IPM.Note\0" + short
        stream += struct.pack("<IBIIIIII", 0, 0, 0, 1, 1, 2, kind, 0xFFFFFFFF)
    stream += struct.pack("<H", 0x104)
    for _, name in verbs:
        stream += (bytes([len(name)]) + name.encode("utf-16-le")) * 2
    return stream


def marked(**changed: int) -> bytes:
    """A message with every mark; `changed` are other values of its numbers."""
    begin = datetime(1601, 1, 1, tzinfo=UTC)
    due = int((datetime(2026, 12, 24, tzinfo=UTC) - begin).total_seconds()) * 10**7
    values = {0x17: 2, 0x36: 3, 0x1090: 2, 0x8002: due, 0x8006: 5} | {int(k[1:], 16): v for k, v in changed.items()}
    names = [(0x8530, 0), (0x8105, 0), (0x8520, 0), (0x8524, 0)]
    strings = b""
    for name in ("Keywords", _REACTIONS, "OwnerReactionType"):
        names.append((len(strings), 1))
        strings += struct.pack("<I", 2 * len(name)) + name.encode("utf-16-le")
        strings += bytes(-len(strings) % 4)
    texts = {"001A001F": "IPM.Note", "0037001F": "Lunch", "1000001F": "Where?", "8001001F": "Call back"}
    texts |= {"8004001F": "Nein", "8005101F-00000000": "Küche", "8005101F-00000001": "Team A", "8007001F": "like"}
    return compound({
        "__properties_version1.0": bytes(32)
        + b"".join(struct.pack("<HHIQ", 3, number, 6, value) for number, value in values.items()),
        "__nameid_version1.0/__substg1.0_00030102": b"".join(
            struct.pack("<IHH", name, kind, at) for at, (name, kind) in enumerate(names, 1)
        ),
        "__nameid_version1.0/__substg1.0_00040102": strings,
        "__substg1.0_80030102": _votes("Ja", "Nein"),
        "__substg1.0_8005101F": struct.pack("<II", 12, 14),
        **{f"__substg1.0_{name}": value.encode("utf-16-le") for name, value in texts.items()},
    })  # fmt: skip


MARKS = {
    "Importance": "high",
    "Sensitivity": "company-confidential",
    "Keywords": "Küche, Team A",
    "Flag": "Call back, due 2026-12-24",
    "Voting": "Ja, Nein",
    "Vote": "Nein",
    "Reactions": "5, like",
}


@pytest.mark.parametrize("output", ["txt", "markdown", "html", "json"])
def test_every_mark_of_an_outlook_message_is_shown(tmp_path: Path, output: str) -> None:
    text, warn = shown(tmp_path, marked(), f"msg-to-{output}")
    if output == "json":
        found = {each["name"]: each["value"] for each in json.loads(text)["headers"]}
        assert MARKS.items() <= found.items()
    else:
        between = {"txt": ": ", "markdown": ":** ", "html": "</th><td>"}[output]
        assert [name for name, value in MARKS.items() if f"{name}{between}{value}" not in text] == []
    assert warn.warnings == ()


def test_a_message_without_marks_shows_none(tmp_path: Path) -> None:
    text, _ = shown(tmp_path, marked(x17=1, x36=0, x1090=0, x8006=0), "msg-to-txt")
    assert not any(f"{name}:" in text for name in ("Importance", "Sensitivity", "Flag"))
    assert "Reactions: like" in text


def test_a_flag_that_is_done_says_so(tmp_path: Path) -> None:
    text, _ = shown(tmp_path, marked(x1090=1), "msg-to-txt")
    assert "Flag: Call back, completed, due 2026-12-24\n" in text


def test_importance_and_keywords_of_an_email_are_shown_unless_usual(tmp_path: Path) -> None:
    head = b"Importance: %s\nSensitivity: Private\nKeywords: one, two\n" + HEAD + b"text/plain\n\nhello\n"
    text, _ = shown(tmp_path, head % b"high")
    assert "Importance: high\nSensitivity: Private\nKeywords: one, two\n" in text
    assert "Importance" not in shown(tmp_path, head % b"Normal")[0]


@pytest.mark.parametrize("slug", ["eml-to-txt", "eml-to-html", "eml-to-markdown"])
def test_who_resent_an_email_is_shown(tmp_path: Path, slug: str) -> None:
    given = {"Resent-From": "Mary", "Resent-To": "Jane", "Resent-Date": "Mon, 24 Nov 1997", "Comments": "see below"}
    head = "".join(f"{name}: {value}\n" for name, value in given.items()).encode()
    text, _ = shown(tmp_path, head + HEAD + b"text/plain\n\nhello\n", slug)
    assert all(name in text and value in text for name, value in given.items())
