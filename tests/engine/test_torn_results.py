"""A writer of mails or subtitles that loses one thing of a kind is noticed, in each format that is counted."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from engine.families import auditing
from engine.families.mail import showing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.mail.vectors import outlook, source

Tear = Callable[[bytes], bytes]
CUES = {
    "srt": "1\n00:00:01,000 --> 00:00:02,000\nAlpha\n\n2\n00:00:03,000 --> 00:00:04,000\nOmega\n",
    "vtt": "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\nAlpha\n\n00:00:03.000 --> 00:00:04.000\nOmega\n",
    "sub": "{1}{1}25\n{25}{50}Alpha\n{75}{100}Omega\n",
}


def told(folder: Path, slug: str, data: bytes, tear: Tear | None) -> list[str]:
    """What is said beside what is said of the whole result."""
    converter = CONVERTERS[slug]
    given, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    given.write_bytes(data)

    def torn(source: Path, made: Path, options: Any, warn: Warn) -> Any:
        written = converter.run(source, made, options, warn)
        if tear is not None:
            whole = made.read_bytes()
            made.write_bytes(tear(whole))
            assert made.read_bytes() != whole
        return written

    warn = Warn()
    auditing.run(replace(converter, run=torn), given, target, build(converter.options, {}), warn)
    return [str(each.message) for each in warn.warnings if "missing from the result" in str(each.message)]


def without(piece: str, by: str = "") -> Tear:
    return lambda made: made.replace(piece.encode(), by.encode())


@pytest.mark.parametrize("input", ["eml", "mbox", "msg"])
@pytest.mark.parametrize(
    ("output", "tear", "kind"),
    [
        ("html", without("mehr"), "Words"),
        ("html", without('<img src="data:', '<img alt="data:'), "Pictures"),
        ("txt", without("mehr"), "Words"),
        ("markdown", without("Grüße"), "Words"),
    ],
)
def test_what_a_mail_loses_is_named(tmp_path: Path, input: str, output: str, tear: Tear, kind: str) -> None:
    data, slug = source(input, plain=False), f"{input}-to-{output}"
    assert told(tmp_path, slug, data, None) == []
    said = told(tmp_path, slug, data, tear)
    assert [each.partition(" ")[0] for each in said] == [kind]


@pytest.mark.parametrize("input", ["eml", "mbox", "msg"])
@pytest.mark.parametrize("output", ["html", "txt", "markdown"])
def test_attached_files_that_are_named_nowhere_are_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, input: str, output: str
) -> None:
    monkeypatch.setattr(showing, "not_shown", lambda mail, output: [])
    said = told(tmp_path, f"{input}-to-{output}", source(input, plain=False), None)
    assert any(each.startswith("Attachments are missing from the result: 1") for each in said)


def test_the_body_of_an_outlook_message_is_counted(tmp_path: Path) -> None:
    data = outlook("Lunch", "Ann <ann@example.org>", "At noon, in the garden?")
    assert told(tmp_path, "msg-to-txt", data, without("garden")) == ["Words are missing from the result: 1 (“garden”)."]


@pytest.mark.parametrize("input", CUES)
@pytest.mark.parametrize("output", ["srt", "vtt", "ass", "ttml"])
def test_what_subtitles_lose_is_named(tmp_path: Path, input: str, output: str) -> None:
    if input == output:
        return
    said = told(tmp_path, f"{input}-to-{output}", CUES[input].encode(), without("Omega"))
    assert said == [
        "Subtitles are missing from the result: 1.",
        "Words are missing from the result: 1 (“Omega”).",
    ]
