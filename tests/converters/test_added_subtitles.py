"""Subtitles that are added to the film beside them in a ZIP."""

from __future__ import annotations

import re
import subprocess
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine import convert
from engine.conversion import Result
from engine.families.media.converters import FILMED
from engine.families.media.options import PROGRAM
from engine.families.registry import CONVERTERS
from engine.families.subtitles.options import SUBTITLES, Timing
from engine.toolkit import minutes
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.warnings import Warn
from tests.families.media import files

STYLED = (
    "[Script Info]\nScriptType: v4.00+\n\n[V4+ Styles]\nFormat: Name, Fontname, Fontsize, PrimaryColour\n"
    "Style: Default,Arial,20,&H00FFFF\n\n[Events]\n"
    "Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text\n"
    "Dialogue: 0,0:00:00.10,0:00:00.40,Default,,0,0,0,,{\\b1}Größe{\\b0} of it\n"
)


def add(folder: Path, extension: str, members: Mapping[str, bytes]) -> tuple[Result, Path]:
    source, target = folder / "given.zip", folder / f"made.{extension}"
    with zipfile.ZipFile(source, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return convert(source, target), target


def track(film: Path, number: int, kind: str = "srt") -> str:
    """A subtitle track as ffmpeg alone writes it."""
    command = [str(PROGRAM), "-v", "error", "-i", str(film), "-map", f"0:s:{number}", "-f", kind, "-"]
    return subprocess.run(command, check=True, capture_output=True).stdout.decode()


def test_each_track_has_the_language_and_the_name_of_its_file(tmp_path: Path) -> None:
    named = {"a.mkv": files.sample("mkv"), "film.pt-BR.srt": files.SUBTITLES, "film.eng.srt": files.SUBTITLES,
             "film final.srt": files.SUBTITLES}  # fmt: skip
    made = add(tmp_path, "mkv", named)[1]
    said = files.probed(made.read_bytes(), "mkv").said
    assert sorted(re.findall(r"(\(\w+\))?: Subtitle: subrip", said)) == ["", "(eng)", "(por)"]
    assert all(each in said for each in ("film.pt-BR", "film.eng", "film final"))
    assert re.findall(r"Subtitle: subrip[^\n]*\(default\)", said) == [re.findall(r"Subtitle: subrip[^\n]*", said)[0]]


def test_pictures_and_sound_are_the_packets_of_the_film(tmp_path: Path) -> None:
    made = add(tmp_path, "mkv", {"film.mp4": files.sample("mp4"), "a.srt": files.SUBTITLES})[1]
    (tmp_path / "film.mp4").write_bytes(files.sample("mp4"))

    def packets(path: Path) -> bytes:
        command = [str(PROGRAM), "-v", "error", "-i", str(path), "-map", "0:v", "-c", "copy", "-f", "h264", "-"]
        return subprocess.run(command, check=True, capture_output=True).stdout

    assert packets(made) == packets(tmp_path / "film.mp4")


def test_matroska_keeps_the_styles_of_substation_alpha_in_any_encoding(tmp_path: Path) -> None:
    made = add(tmp_path, "mkv", {"film.mp4": files.sample("mp4"), "a.ass": STYLED.encode("cp1252")})[1]
    assert "{\\b1}Größe{\\b0} of it" in track(made, 0, "ass")


def test_styles_that_the_output_has_no_place_for_are_named(tmp_path: Path) -> None:
    result, made = add(
        tmp_path, "mp4", {"film.mp4": files.sample("mp4"), "a.ass": STYLED.replace("{\\b1}", "{\\pos(1,1)}").encode()}
    )
    assert "Größe of it" in re.sub("<[^>]*>", "", track(made, 0))
    assert {each.code for each in result.warnings} - {"STREAM_COPIED"}


def test_tracks_of_the_film_itself_stay_before_the_new_one(tmp_path: Path) -> None:
    film = files.made("mp4", *files.PICTURES, "-i", "a.srt", "-c:s", "mov_text", a_srt=files.SUBTITLES)
    made = add(tmp_path, "mp4", {"film.mp4": film, "b.srt": files.SUBTITLES.replace(b"Hello", b"Added")})[1]
    assert ["Hello" in track(made, 0), "Added" in track(made, 1)] == [True, True]


def test_other_files_are_named(tmp_path: Path) -> None:
    result = add(tmp_path, "mkv", {"film.mp4": files.sample("mp4"), "a.srt": files.SUBTITLES, "read.me": b"x"})[0]
    message = next(each.message for each in result.warnings if each.code == "CONTENT_DROPPED")
    assert message.endswith("1 (read.me).")


def test_a_subtitle_that_the_result_lacks_is_counted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from engine.families.media import subtitled

    two = files.SUBTITLES + b"\n2\n00:00:00,950 --> 00:00:00,990\nBye\n"
    whole = subtitled._mux

    def cut(copied: Path, added: list[subtitled.Added], *rest: object) -> None:
        added[0].path.write_bytes(files.SUBTITLES)
        whole(copied, added, *rest)  # type: ignore[arg-type]

    monkeypatch.setattr(subtitled, "_mux", cut)
    source = tmp_path / "source.zip"
    with zipfile.ZipFile(source, "w") as archive:
        archive.writestr("film.mp4", files.sample("mp4"))
        archive.writestr("a.srt", two)
    warn = Warn()
    subtitled.add(source, tmp_path / "made.mkv", FILMED, SUBTITLES, Timing(), warn)
    assert [each.message for each in warn.warnings if each.code == "CONTENT_DROPPED"] == [
        "Subtitles of a.srt are missing from the result: 1 of 2."
    ]


def test_a_video_that_the_output_can_not_hold_is_called_by_its_own_name(tmp_path: Path) -> None:
    with pytest.raises(Unreadable, match="holiday\\.mp4"):
        add(tmp_path, "webm", {"holiday.mp4": files.sample("mp4"), "a.srt": files.SUBTITLES})


@pytest.mark.parametrize(
    ("members", "reason"),
    [
        ({"a.srt": files.SUBTITLES}, "empty"),
        ({"a.mp4": files.sample("mp4"), "b.mp4": files.sample("mp4"), "a.srt": files.SUBTITLES}, "limit"),
        ({"a.mp4": files.sample("mp4"), "a.srt": b"1\nno time --> at all\nHello\n"}, "empty"),
    ],
)
def test_what_is_not_one_film_with_subtitles_is_refused(tmp_path: Path, members: dict[str, bytes], reason: str) -> None:
    with pytest.raises(Unreadable) as refused:
        add(tmp_path, "mkv", members)
    assert refused.value.reason == reason


def test_too_many_subtitle_files_are_refused(tmp_path: Path) -> None:
    many = {f"{number}.srt": files.SUBTITLES for number in range(33)}
    with pytest.raises(OverLimit):
        add(tmp_path, "mkv", {"film.mp4": files.sample("mp4"), **many})


def test_frames_of_microdvd_are_those_of_its_file_or_of_the_film(tmp_path: Path) -> None:
    for name, rate in (("own", b"{1}{1}25\n"), ("film", b"")):
        (tmp_path / name).mkdir()
        made = add(tmp_path / name, "mp4", {"film.mp4": files.sample("mp4"), "a.sub": rate + b"{5}{8}Hello\n"})[1]
        assert ("00:00:00,200 --> 00:00:00,320" if rate else "00:00:00,500 --> 00:00:00,800") in track(made, 0)


def test_overlaps_and_positions_that_mp4_has_no_place_for_are_named(tmp_path: Path) -> None:
    text = (
        b"1\n00:00:00,100 --> 00:00:00,900\nOne\n\n2\n00:00:00,300 --> 00:00:00,500\nTwo\n\n"
        b"3\n00:00:00,920 --> 00:00:00,990\n{\\an8}Top\n"
    )
    for extension, codes in (("mp4", {"VALUE_CONVERTED", "STYLE_DROPPED"}), ("mkv", set())):
        (tmp_path / extension).mkdir()
        result = add(tmp_path / extension, extension, {"film.mp4": files.sample("mp4"), "a.srt": text})[0]
        assert {each.code for each in result.warnings} - {"STREAM_COPIED"} == codes


def test_the_film_is_measured_as_it_is_without_subtitles(tmp_path: Path) -> None:
    source, film = tmp_path / "source.zip", tmp_path / "film.mp4"
    film.write_bytes(files.made("mp4", "-f", "lavfi", "-i", "testsrc2=s=64x48:r=1:d=130"))
    with zipfile.ZipFile(source, "w") as archive:
        archive.write(film, "film.mp4")
        archive.writestr("a.srt", files.SUBTITLES)
    for slug in ("zip-to-mp4", "zip-to-mkv", "zip-to-webm"):
        measure = CONVERTERS[slug].measure
        assert measure is not None
        assert minutes.started_minutes(measure(source, CONVERTERS[slug].options(), Warn())) == 3
    (tmp_path / "pictures.zip").write_bytes(files.pictures((64, 48)))
    measure = CONVERTERS["zip-to-mp4"].measure
    assert measure is not None
    assert minutes.started_minutes(measure(tmp_path / "pictures.zip", None, Warn())) == 1


def test_thousands_of_subtitles_after_the_video_are_over_a_limit(tmp_path: Path) -> None:
    def after(count: int) -> bytes:
        times = (f"{10 + at // 3600:02}:{at // 60 % 60:02}:{at % 60:02}" for at in range(count))
        return "".join(f"1\n{time},000 --> {time},500\nx\n\n" for time in times).encode()

    add(tmp_path, "mkv", {"film.mkv": files.sample("mkv"), "a.srt": after(2_000)})
    with pytest.raises(OverLimit) as refused:
        add(tmp_path, "mkv", {"film.mkv": files.sample("mkv"), "a.srt": after(1_500), "b.srt": after(1_500)})
    assert refused.value.reason == "limit"
