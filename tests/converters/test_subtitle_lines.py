"""Subtitles whose times can't be read are named, and styles are read by their `Format:` line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from engine.families import auditing
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn

_EVENTS = "[Events]\nFormat: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
_LINE = "Dialogue: 0,0:00:01.00,0:00:02.00,Default,,0,0,0,,words, and more\n"


def shown(folder: Path, slug: str, text: str, **options: Any) -> tuple[str, list[str]]:
    converter, warn = CONVERTERS[slug], Warn()
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_text(text)
    auditing.run(converter, source, target, build(converter.options, options), warn)
    return target.read_text(), [str(each.message) for each in warn.warnings]


@pytest.mark.parametrize("bad", ["00:00:01,000 --> 00:00:0x,500", "00:00:05,000 --> soon", "soon --> 00:00:05,000"])
@pytest.mark.parametrize("slug", ["srt-to-vtt", "vtt-to-srt"])
def test_a_subtitle_with_a_bad_time_is_named_and_in_no_other(tmp_path: Path, slug: str, bad: str) -> None:
    blocks = ["00:00:00,100 --> 00:00:00,900\nfirst", f"{bad}\nsecond\nline", "00:00:07,000 --> 00:00:08,000\nthird"]
    numbered = "".join(f"{number}\n{each}\n\n" for number, each in enumerate(blocks, 1))
    text, said = shown(tmp_path, slug, numbered if slug == "srt-to-vtt" else "WEBVTT\n\n" + "\n\n".join(blocks))
    assert "first\n\n" in text
    assert "third\n" in text
    assert "second" not in text
    assert said == ["Subtitles with unreadable times were left out: 1 (“second line”)."]


@pytest.mark.parametrize("time", ["00:00:01:500", "00:00:01,5000", "00:01,500"])
def test_times_of_careless_programs_are_read(tmp_path: Path, time: str) -> None:
    text, said = shown(tmp_path, "srt-to-vtt", f"1\n{time} --> 00:00:02,000\nwords\n")
    assert "00:00:01.500 --> 00:00:02.000\nwords" in text
    assert said == []


def test_an_arrow_in_a_text_is_no_time(tmp_path: Path) -> None:
    text, said = shown(tmp_path, "srt-to-vtt", "1\n00:00:01,000 --> 00:00:02,000\nfrom a --> b\n")
    assert "from a --&gt; b" in text
    assert said == []


@pytest.mark.parametrize(
    ("format", "style", "text"),
    [
        ("Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment",
         "Default,Arial,20,&H00FFFFFF,-1,0,2", "<b>words, and more</b>"),
        ("Name, Fontname, Fontsize, PrimaryColour, Bold, Italic, Alignment, MarginL, MarginR, MarginV",
         "Default,Arial,20,&H00FFFFFF,0,0,2,10,10,10", "words, and more"),
        ("Italic, Name", "-1,Default", "<i>words, and more</i>"),
        ("Name, PrimaryColour, Underline", "Default,&H000000FF,-1",
         '<font color="#ff0000"><u>words, and more</u></font>'),
    ],
)  # fmt: skip
def test_styles_are_what_the_format_line_says(tmp_path: Path, format: str, style: str, text: str) -> None:
    head = f"[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: {format}\nStyle: {style}\n\n"
    made, said = shown(tmp_path, "ass-to-srt", head + _EVENTS + _LINE)
    assert made == f"1\n00:00:01,000 --> 00:00:02,000\n{text}\n\n"
    assert said == []


def test_events_are_what_the_format_line_says(tmp_path: Path) -> None:
    events = "[Events]\nFormat: End, Start, Text\nDialogue: 0:00:02.00,0:00:01.00,words, and more\n"
    made, said = shown(tmp_path, "ass-to-srt", f"[Script Info]\nScriptType: v4.00+\n\n{events}")
    assert made == "1\n00:00:01,000 --> 00:00:02,000\nwords, and more\n\n"
    assert said == []


def test_subtitles_before_the_beginning_are_named_once(tmp_path: Path) -> None:
    text = "1\n00:00:01,000 --> 00:00:02,000\nfirst\n\n2\n00:00:07,000 --> 00:00:08,000\nsecond\n"
    _, said = shown(tmp_path, "srt-to-vtt", text, shift=-5)
    assert said == ["Subtitles that would end before the start of the file: 1."]


_SUBVIEWER = (
    "[INFORMATION]\n[TITLE]A film\n[AUTHOR]\n[END INFORMATION]\n[SUBTITLE]\n[COLF]&HFFFFFF,[STYLE]bd,[FONT]Arial\n"
)


def test_subtitles_of_subviewer_are_read_by_the_clock(tmp_path: Path) -> None:
    lines = "00:00:01.00,00:00:02.50\nHello[br]World\n\n00:00:03.20,00:00:04.00\nIt is 10:30, he said\nand left\n"
    text, said = shown(tmp_path, "sub-to-srt", _SUBVIEWER + lines)
    assert text == (
        "1\n00:00:01,000 --> 00:00:02,500\nHello\nWorld\n\n"
        "2\n00:00:03,200 --> 00:00:04,000\nIt is 10:30, he said\nand left\n\n"
    )
    assert said == ["Lines that are not subtitles: 1.", "Fonts, sizes and positions: 1."]


def test_the_first_version_of_subviewer_has_the_end_in_a_line_of_its_own(tmp_path: Path) -> None:
    head = "[BEGIN]\n[TITLE]\n******** START SCRIPT ********\n"
    text, said = shown(
        tmp_path, "sub-to-srt", head + "[00:00:01]\nHello|World\n[00:00:02]\n\n[00:00:03]\nAgain\n[00:00:04]\n\n[END]\n"
    )
    assert text == ("1\n00:00:01,000 --> 00:00:02,000\nHello\nWorld\n\n2\n00:00:03,000 --> 00:00:04,000\nAgain\n\n")
    assert said == ["Lines that are not subtitles: 1."]


@pytest.mark.parametrize("bad", ["00:00:0x.00,00:00:06.00", "00:00:05.00,soon"])
def test_a_subtitle_of_subviewer_with_a_bad_time_is_named(tmp_path: Path, bad: str) -> None:
    lines = f"00:00:01.00,00:00:02.00\nfirst\n\n{bad}\nsecond[br]line\n\n00:00:07.00,00:00:08.00\nthird\n"
    text, said = shown(tmp_path, "sub-to-srt", lines)
    assert "first\n\n" in text
    assert "third\n" in text
    assert "second" not in text
    assert said == ["Subtitles with unreadable times were left out: 1 (“second line”)."]


def test_a_mutilated_subtitle_of_subviewer_is_counted(tmp_path: Path) -> None:
    from engine.families.subtitles.census import COUNTINGS
    from engine.toolkit.formats import SUB

    file = tmp_path / "input.sub"
    file.write_text(_SUBVIEWER + "00:00:01.00,00:00:02.50\nHello[br]World\n\n00:00:03.20,00:00:04.00\nlast\n")
    found = COUNTINGS[SUB].count(file)
    assert found.texts == ["Hello World", "last"]


@pytest.mark.parametrize(
    ("kind", "first"), [("", "00:00:20,000 --> 00:00:21,000"), ("lyrics", "00:00:10,000 --> 00:00:11,000")]
)
def test_times_in_apple_lyrics_count_from_the_beginning(tmp_path: Path, kind: str, first: str) -> None:
    apple = ' xmlns:itunes="http://music.apple.com/lyric-ttml-internal" itunes:timing="Word"' if kind else ""
    text, said = shown(
        tmp_path,
        "ttml-to-srt",
        f'<tt xmlns="http://www.w3.org/ns/ttml"{apple}><body><div begin="10s"><p begin="10s" end="11s">When</p></div>'
        "</body></tt>",
    )
    assert first in text
    assert said == []
