"""What a file promises and what came of it: each kind of loss is named, and whole files give no false alarm."""

from __future__ import annotations

import io
import itertools
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from engine.families.media import balance
from engine.families.registry import CONVERTERS
from engine.toolkit import minutes
from engine.toolkit.failures import OverLimit, Unreadable
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.families.media import files

SHORT = "MEDIA_SHORTENED"
LONG = {name: tuple(part.replace("d=1", "d=5") for part in how) for name, how in files.HOW.items()}
FAST = ("-movflags", "+faststart")
CUT = ("mp3", "m4a", "flac", "wav", "aiff", "wma", "opus", "ogg", "mp4", "mov", "3gp", "mkv", "webm", "avi", "flv")
"""Formats that say how long they are, in their head or on each page."""
WHOLE = [
    (source, seconds, target)
    for source, seconds in itertools.product(
        ("mp3", "m4a", "aac", "ogg", "opus", "flac", "wav", "aiff", "wma", "amr"), ("0.3", "1.7", "7.013")
    )
    for target in ("wav", "mp3", "m4a")
]
FILMS = [
    (source, target)
    for source in ("mp4", "mov", "mkv", "webm", "avi", "mpg", "ts", "flv", "wmv", "3gp")
    for target in ("mp4", "webm", "mp3", "gif")
]


def sample(extension: str, seconds: str = "5") -> bytes:
    how = tuple(part.replace("d=1", f"d={seconds}") for part in files.HOW[extension])
    return files.made(extension, *how, *(FAST if extension in ("m4a", "mp4", "mov", "3gp") else ()))


def converted(slug: str, content: bytes, folder: Path, **options: Any) -> tuple[Path, list[str]]:
    converter = CONVERTERS[slug]
    source, target = folder / f"input.{converter.input.id}", folder / f"output.{converter.output.id}"
    source.write_bytes(content)
    warn = Warn()
    converter.run(source, target, build(converter.options, options), warn)
    return target, [each.code for each in warn.warnings]


@pytest.mark.parametrize("extension", CUT)
def test_a_file_that_was_cut_in_half_is_named(extension: str, tmp_path: Path) -> None:
    content = sample(extension)
    target = "mp4" if extension in ("mp4", "mov", "3gp", "mkv", "webm", "avi", "flv") else "wav"
    target = "flac" if extension == target else target
    _, codes = converted(f"{extension}-to-{target}", content[: len(content) * 55 // 100], tmp_path)
    assert codes.count(SHORT) == 1


def held(slug: str, content: bytes, made: bytes, folder: Path, **options: Any) -> list[str]:
    """What is said of a result that is not what the converter wrote."""
    target, _ = converted(slug, content, folder, **options)
    target.write_bytes(made)
    warn = Warn()
    source = folder / f"input.{CONVERTERS[slug].input.id}"
    balance.check(source, target, build(CONVERTERS[slug].options, options), warn)
    return [each.code for each in warn.warnings]


def test_a_result_that_lost_its_end_is_named(tmp_path: Path) -> None:
    for slug in ("wav-to-mp3", "mp4-to-mkv", "mkv-to-mp4"):
        source, target = slug.split("-to-")
        assert held(slug, sample(source), sample(target, "2.5"), tmp_path) == [SHORT]


def test_a_track_that_a_result_lost_is_named_and_one_that_was_not_wanted_is_not(tmp_path: Path) -> None:
    film = files.film_with_everything()
    # A track of sound, and both chapters.
    assert held("mkv-to-mp4", film, files.sample("mp4"), tmp_path) == ["CONTENT_DROPPED", "CONTENT_DROPPED"]
    _, codes = converted("mp4-to-mkv", sample("mp4"), tmp_path, removeAudio=True)
    assert codes == ["STREAM_COPIED"]


def test_a_result_without_sound_or_pictures_is_refused(tmp_path: Path) -> None:
    mute = files.made("mp4", *files.PICTURES, "-c:v", "libx264", "-pix_fmt", "yuv420p")
    with pytest.raises(Unreadable):
        held("mkv-to-mp4", files.sample("mkv"), mute, tmp_path)
    with pytest.raises(Unreadable):
        held("mp4-to-mkv", sample("mp4"), files.made("mkv", *files.TONE, "-c:a", "aac"), tmp_path)


@pytest.mark.parametrize("filling", [b"", bytes(1)])
def test_minutes_that_hold_no_sound_are_refused_where_they_are_copied(filling: bytes, tmp_path: Path) -> None:
    song = files.made("m4a", "-f", "lavfi", "-i", "sine=440:d=224:r=8000", "-f", "ipod", *FAST)
    at = song.index(b"mdat") + 4
    with pytest.raises(Unreadable):
        converted("m4a-to-m4a", song[:at] + filling * (len(song) - at), tmp_path)


def test_what_is_cut_off_on_purpose_is_not_missing(tmp_path: Path) -> None:
    for options in ({"trimStart": 1.0}, {"trimEnd": 2.0}, {"speed": 2.0}, {"trimStart": 1.0, "trimEnd": 3.0}):
        assert converted("wav-to-mp3", sample("wav"), tmp_path, **options)[1] == []
        assert converted("mp4-to-mp4", sample("mp4"), tmp_path, **options)[1] == []
    assert SHORT not in converted("mp4-to-gif", sample("mp4"), tmp_path, fps=2.0, trimEnd=3.0)[1]
    assert converted("mp4-to-mp4", sample("mp4"), tmp_path, fps=2.0)[1] == []


def test_the_second_cover_is_named(tmp_path: Path) -> None:
    covers = ("-map", "0", "-map", "1", "-map", "1", "-c:v", "mjpeg", "-disposition:v", "attached_pic")
    types = ("-metadata:s:v:1", "comment=Cover (back)")
    song = files.made("mp3", *files.TONE, *files.COVER, *covers, *types)
    assert converted("mp3-to-flac", song, tmp_path)[1] == ["CONTENT_DROPPED"]
    assert converted("mp3-to-flac", song, tmp_path, keepMetadata=False)[1] == []


def test_samples_above_full_scale_are_named_where_they_are_cut_off(tmp_path: Path) -> None:
    loud, quiet = (
        files.made("wav", "-f", "lavfi", "-i", f"aevalsrc={level}*sin(440*2*PI*t):d=1", "-c:a", "pcm_f32le")
        for level in (1.8, 0.9)
    )
    for target in ("flac", "aiff", "mp3"):
        assert converted(f"wav-to-{target}", loud, tmp_path)[1] == ["SOUND_REDUCED"]
        assert converted(f"wav-to-{target}", quiet, tmp_path)[1] == []
    assert converted("wav-to-wav", loud, tmp_path)[1] == ["STREAM_COPIED"]
    assert converted("wav-to-flac", loud, tmp_path, volume=-6.0)[1] == []


def test_transparency_that_is_lost_is_named(tmp_path: Path) -> None:
    clear = ("-f", "lavfi", "-i", "color=red@0.5:s=64x48:r=10:d=1,format=yuva420p", "-c:v", "libvpx-vp9")
    film = files.made("webm", *clear, "-pix_fmt", "yuva420p", "-auto-alt-ref", "0")
    for target in ("png", "gif", "mkv"):
        codes = converted(f"webm-to-{target}", film, tmp_path)[1]
        assert ("ALPHA_FLATTENED" in codes) == (target != "mkv")


def test_high_dynamic_range_and_bits_that_are_lost_are_named(tmp_path: Path) -> None:
    how = ("-c:v", "libx265", "-pix_fmt", "yuv420p10le", "-x265-params")
    meaning = "log-level=error:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc"
    film = files.made("mp4", *files.PICTURES, *how, meaning)
    for target in ("jpg", "gif"):
        assert "COLOR_CONVERTED" in converted(f"mp4-to-{target}", film, tmp_path)[1]
    assert "COLOR_CONVERTED" in converted("mp4-to-mp4", film, tmp_path, videoCodec="h264")[1]
    assert "COLOR_CONVERTED" not in converted("mp4-to-mkv", film, tmp_path)[1]


def timed(content: bytes, extension: str, folder: Path) -> list[tuple[float, float]]:
    """When each picture of a film is shown, and for how long."""
    path = folder / f"timed.{extension}"
    path.write_bytes(content)
    said = files.ffmpeg("-i", path.name, "-map", "0:v", "-c", "copy", "-f", "framecrc", "rows.txt", folder=folder)
    rows = folder.joinpath("rows.txt").read_text().splitlines()
    base = next((each for each in rows if each.startswith("#tb 0: ")), said)
    over, under = map(int, base[7:].split("/"))
    found = [list(map(int, each.split(",")[2:4])) for each in rows if not each.startswith("#")]
    return sorted((round(at * over / under, 2), round(lasts * over / under, 2)) for at, lasts in found)


def uneven_gif() -> bytes:
    """Pictures that follow quickly, then slowly, and a short one at the end."""
    pictures = [Image.new("RGB", (64, 48), (20 * each, 255 - 20 * each, 9 * each)) for each in range(12)]
    file = io.BytesIO()
    lasts = [20] * 6 + [500] * 5 + [30]
    pictures[0].save(file, "GIF", save_all=True, append_images=pictures[1:], duration=lasts, loop=0)
    return file.getvalue()


def uneven_film() -> bytes:
    """30 pictures a second, then 3 a second."""
    source = "testsrc2=s=64x48:r=30:d=6,select='if(lt(t,2),1,not(mod(n,10)))'"
    how = ("-f", "lavfi", "-i", source, "-fps_mode", "vfr", "-c:v", "libx264", "-pix_fmt", "yuv420p")
    return files.made("mp4", *how)


@pytest.mark.parametrize("target", ["mp4", "mov", "mkv", "webm"])
def test_pictures_of_a_gif_keep_their_times_in_a_film(target: str, tmp_path: Path) -> None:
    made, codes = converted(f"gif-to-{target}", uneven_gif(), tmp_path)
    assert codes == []
    shown = timed(made.read_bytes(), target, tmp_path)
    assert [at for at, _ in shown] == [at for at, _ in timed(uneven_gif(), "gif", tmp_path)]
    assert shown[-1][1] == pytest.approx(0.03, abs=0.011)


@pytest.mark.parametrize(
    ("target", "options"), [("webm", {}), ("gif", {}), ("apng", {}), ("mkv", {"videoCodec": "h264", "crf": 30})]
)
def test_pictures_at_unequal_distances_keep_their_times(target: str, options: dict[str, Any], tmp_path: Path) -> None:
    made, codes = converted(f"mp4-to-{target}", uneven_film(), tmp_path, **options)
    assert codes == []
    before, after = (
        [at for at, _ in timed(content, extension, tmp_path)]
        for content, extension in ((uneven_film(), "mp4"), (made.read_bytes(), target))
    )
    assert len(before) == 72
    assert after == pytest.approx(before, abs=0.011)


def test_pictures_that_a_result_lost_are_named(tmp_path: Path) -> None:
    gif, film = uneven_gif(), sample("mp4", "1")
    last = files.made("mp4", "-i", "in.gif", "-frames:v", "11", "-enc_time_base:v", "demux", in_gif=gif)
    assert held("gif-to-mp4", gif, last, tmp_path) == [SHORT]
    thin = files.made("mkv", "-i", "in.mp4", "-vf", "select='mod(n,3)'", "-c:a", "copy", in_mp4=film)
    assert held("mp4-to-mkv", film, thin, tmp_path) == [SHORT]
    assert held("mp4-to-mkv", film, thin, tmp_path, fps=5.0) == []
    assert held("mp4-to-gif", film, files.made("gif", "-i", "in.mp4", "-r", "5", in_mp4=film), tmp_path) == [SHORT]


def test_a_moving_picture_that_stands_still_has_lost_nothing(tmp_path: Path) -> None:
    still = files.made("mp4", "-f", "lavfi", "-i", "color=red:s=64x48:r=10:d=1", "-pix_fmt", "yuv420p")
    for target in ("webp", "gif", "apng"):
        assert converted(f"mp4-to-{target}", still, tmp_path)[1] == []


def test_transparency_of_pictures_is_named_where_there_is_some(tmp_path: Path) -> None:
    for alpha, codes in ((0.5, ["ALPHA_FLATTENED"]), (1, [])):
        clear = ("-f", "lavfi", "-i", f"color=red@{alpha}:s=64x48:r=10:d=1,format=rgba")
        film = files.made("mkv", *clear, "-c:v", "ffv1")
        assert converted("mkv-to-mp4", film, tmp_path)[1] == codes
        assert converted("mkv-to-png", film, tmp_path)[1] == []
        assert converted("mkv-to-jpg", film, tmp_path)[1] == codes


def test_sound_that_is_made_too_loud_is_named(tmp_path: Path) -> None:
    tone = files.made("wav", "-f", "lavfi", "-i", "aevalsrc=0.5*sin(440*2*PI*t):d=1", "-c:a", "pcm_s16le")
    for louder, codes in ((3.0, []), (12.0, ["SOUND_REDUCED"])):
        for target in ("wav", "flac"):
            assert converted(f"wav-to-{target}", tone, tmp_path, volume=louder)[1] == codes


def test_parts_that_can_not_be_decoded_are_counted(tmp_path: Path) -> None:
    content = bytearray(sample("m4a"))
    begin = content.index(b"mdat") + 4
    half = (begin + len(content)) // 2
    content[half : half + 2_000] = bytes(2_000)
    for target in ("wav", "mp3", "flac"):
        assert converted(f"m4a-to-{target}", bytes(content), tmp_path)[1] == ["CONTENT_DROPPED", SHORT]


def silence(samples: int) -> bytes:
    """Mono silence in FLAC at 8,000 samples a second (RFC 9639): frames of 65,535 samples and a dozen bytes each."""
    source = f"anullsrc=r=8000:cl=mono:d={samples / 8000}"
    return files.made("flac", "-f", "lavfi", "-i", source, "-frame_size", "65535")


def test_hours_of_silence_are_agreed_and_refused_where_the_work_is_too_much(tmp_path: Path) -> None:
    content, converter = silence(8_000 * 10_800), CONVERTERS["flac-to-wav"]
    assert len(content) < 100_000
    source, options = tmp_path / "input.flac", build(converter.options, {})
    source.write_bytes(content)
    assert converter.measure is not None
    assert minutes.started_minutes(converter.measure(source, options, Warn())) == 180
    with pytest.raises(OverLimit) as raised:
        converter.run(source, tmp_path / "output.wav", options, Warn())
    assert raised.value.reason == "too_long"


def test_a_result_of_more_than_is_sold_is_refused_before_anything_is_agreed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(minutes, "MOST", 59)
    converter = CONVERTERS["flac-to-flac"]
    source = tmp_path / "input.flac"
    source.write_bytes(silence(8_000 * 3_600))
    assert converter.measure is not None
    with pytest.raises(OverLimit) as raised:
        converter.measure(source, build(converter.options, {}), Warn())
    assert raised.value.reason == "too_long"


@pytest.mark.parametrize("asked", [True, False])
@pytest.mark.parametrize(
    ("source", "how", "named"),
    [
        ("webm", ("-c:v", "libvpx-vp9", "-c:a", "libopus"), "vp9, opus"),
        ("mkv", ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "ac3"), "ac3"),
        ("mkv", ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"), None),
    ],
)
def test_what_is_not_played_everywhere_is_copied_on_request_only_and_named(
    source: str, how: tuple[str, ...], named: str | None, asked: bool, tmp_path: Path
) -> None:
    film = files.made(source, *files.PICTURES, *files.TONE, *how)
    for target, expected in (("mp4", named), ("mkv", None)):
        converter = CONVERTERS.get(f"{source}-to-{target}")
        if converter is not None:
            warn = Warn()
            path, made = tmp_path / f"input.{source}", tmp_path / f"output.{target}"
            path.write_bytes(film)
            options = {"videoCodec": "copy", "audioCodec": "copy"} if asked else {}
            converter.run(path, made, build(converter.options, options), warn)
            said = [str(each.message) for each in warn.warnings if "players" in each.message]
            assert [f"don't play {expected} in MP4" in each for each in said] == [True] * (asked and bool(expected))
            if target == "mp4" and not asked:
                assert files.probed(made.read_bytes(), target).codecs == ("h264", "aac")


@pytest.mark.parametrize(("source", "seconds", "target"), WHOLE)
def test_whole_sound_gives_no_false_alarm(source: str, seconds: str, target: str, tmp_path: Path) -> None:
    _, codes = converted(f"{source}-to-{target}", sample(source, seconds), tmp_path)
    assert set(codes) <= {"STREAM_COPIED"}


@pytest.mark.parametrize(("source", "target"), FILMS)
def test_a_whole_film_gives_no_false_alarm(source: str, target: str, tmp_path: Path) -> None:
    _, codes = converted(f"{source}-to-{target}", sample(source, "2.3"), tmp_path)
    usual = {"STREAM_COPIED"} | ({"CONTENT_DROPPED", "SIZE_REDUCED"} if target == "gif" else set())
    assert set(codes) <= usual


def test_the_titles_of_chapters_are_no_track_of_their_own(tmp_path: Path) -> None:
    target, _ = converted("mkv-to-mp4", files.film_with_everything(), tmp_path)
    source, warn = target.read_bytes(), Warn()
    (tmp_path / "input.mp4").write_bytes(source)
    converter = CONVERTERS["mp4-to-mkv"]
    converter.run(tmp_path / "input.mp4", tmp_path / "output.mkv", build(converter.options, {}), warn)
    assert not [str(each.message) for each in warn.warnings if each.code == "CONTENT_DROPPED"]
