"""Vectors of sound and film: each input and each output once, what is kept and what is lost, and what is refused."""

from __future__ import annotations

import functools
import io
import zipfile
from collections.abc import Callable

from PIL import Image

from tests.converters.vector import Vector
from tests.families.media import files

COPIED = frozenset({"STREAM_COPIED"})
_CODED = {
    "mp3": "mp3", "m4a": "aac", "aac": "aac", "ogg": "vorbis", "opus": "opus", "flac": "flac", "wav": "pcm_s16le",
    "aiff": "pcm_s16be",
}  # fmt: skip


def holds(extension: str, *codecs: str, seconds: float = 1.0, said: tuple[str, ...] = ()) -> Callable[[bytes], None]:
    def check(content: bytes) -> None:
        found = files.probed(content, extension)
        assert found.codecs == codecs, found.said
        assert abs(found.seconds - seconds) <= 0.1, found.said
        for each in said:
            assert each in found.said, found.said

    return check


def picture(kind: str, size: tuple[int, int], *, frames: int = 1) -> Callable[[bytes], None]:
    def check(content: bytes) -> None:
        with Image.open(io.BytesIO(content)) as image:
            assert (image.format, image.size) == (kind, size)
            assert getattr(image, "n_frames", 1) == frames

    return check


def as_loud_as(target: float, extension: str) -> Callable[[bytes], None]:
    def check(content: bytes) -> None:
        assert abs(files.loudness(content, extension) - target) < 1

    return check


def zipped(count: int) -> Callable[[bytes], None]:
    def check(content: bytes) -> None:
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            assert len(archive.namelist()) == count
            with Image.open(archive.open(archive.namelist()[0])) as image:
                assert image.size == (64, 48)

    return check


def text(expected: str) -> Callable[[bytes], None]:
    def check(content: bytes) -> None:
        assert expected in content.decode()

    return check


def smaller(most: int) -> Callable[[bytes], None]:
    def check(content: bytes) -> None:
        assert len(content) <= most
        holds("mp4", "h264", "aac")(content)

    return check


def _sound(source: str, target: str) -> Vector:
    same = source == target
    return Vector(
        f"{source}-to-{target}",
        "a tone",
        "ordinary",
        functools.partial(files.sample, source),
        check=holds(target, _CODED[target]),
        warnings=COPIED if same else frozenset(),
    )


def _failing(slug: str, name: str, source: Callable[[], bytes], **more: object) -> Vector:
    return Vector(slug, name, "failing", source, error="UNSUPPORTED_FORMAT", **more)  # type: ignore[arg-type]


mp4 = functools.partial(files.sample, "mp4")
mp3 = functools.partial(files.sample, "mp3")

VECTORS = (
    *(_sound(*each) for each in (
        ("mp3", "ogg"), ("m4a", "mp3"), ("aac", "flac"), ("ogg", "wav"), ("opus", "aiff"), ("flac", "m4a"),
        ("wav", "opus"), ("aiff", "aac"), ("wma", "mp3"), ("amr", "wav"),
    )),
    Vector("m4a-to-aac", "the same codec", "ordinary", functools.partial(files.sample, "m4a"),
           check=holds("aac", "aac"), warnings=COPIED),
    Vector("flac-to-mp3", "six channels", "awkward", files.surround, {"audioBitrate": 96},
           check=holds("mp3", "mp3", said=("stereo", "96 kb/s")), warnings=frozenset({"SOUND_REDUCED"})),
    Vector("mp3-to-flac", "a cover", "awkward", files.song_with_a_cover,
           check=holds("flac", "flac", "mjpeg", said=("Hello", "Ada", "attached pic"))),
    *(Vector(f"mp3-to-{target}", "a cover", "awkward", files.song_with_a_cover,
             check=holds(target, codec, "mjpeg", said=("Hello", "Ada", "attached pic")))
      for target, codec in (("ogg", "vorbis"), ("opus", "opus"))),
    Vector("mp3-to-wav", "everything at once", "awkward", mp3,
           {"trimStart": 0.2, "trimEnd": 0.8, "speed": 2.0, "fadeIn": 0.1, "fadeOut": 0.1, "volume": -3.0,
            "channels": "stereo", "sampleRate": 22050, "audioCodec": "pcm24"},
           check=holds("wav", "pcm_s24le", seconds=0.3, said=("22050 Hz", "stereo"))),
    Vector("wav-to-flac", "a call of a telephone system", "awkward", files.call, check=holds("flac", "flac")),
    Vector("wav-to-flac", "loudness", "awkward", functools.partial(files.made, "wav", *files.TONE),
           {"normalize": True}, check=as_loud_as(-23, "flac")),
    _failing("mp3-to-wav", "a list of files", files.ffconcat),
    _failing("mp3-to-wav", "nothing but a mark", lambda: b"\xff\xfb" + bytes(50)),
    Vector("mp3-to-ogg", "a start after the end", "failing", mp3, {"trimStart": 5.0}, error="VALIDATION_ERROR"),
    Vector("wav-to-ogg", "a bitrate that its codec has not", "failing", functools.partial(files.sample, "wav"),
           {"audioBitrate": 512}, error="VALIDATION_ERROR"),
    Vector("wav-to-mp3", "a bitrate that its codec has not", "failing", functools.partial(files.sample, "wav"),
           {"audioBitrate": 16}, error="VALIDATION_ERROR"),
    Vector("mp3-to-ogg", "a codec that does not fit", "failing", mp3, {"audioCodec": "aac"}, error="VALIDATION_ERROR"),
    # Films to sound.
    Vector("mp4-to-mp3", "pictures and a tone", "ordinary", mp4, check=holds("mp3", "mp3", said=("Hello",))),
    *(Vector(f"{source}-to-{target}", "pictures and a tone", "ordinary", functools.partial(files.sample, source),
             check=holds(target, _CODED[target]), warnings=COPIED if copied else frozenset())
      for source, target, copied in (
          ("mov", "m4a", True), ("mkv", "aac", True), ("webm", "opus", True), ("avi", "ogg", False),
          ("mpg", "flac", False), ("wmv", "wav", False), ("flv", "aiff", False),
      )),
    Vector("mkv-to-mp3", "two tracks and chapters", "awkward", files.film_with_everything,
           check=holds("mp3", "mp3", said=("Chapter", "One", "Two")), warnings=frozenset({"CONTENT_DROPPED"})),
    _failing("mp4-to-mp3", "half of a file", lambda: files.sample("mp4")[:600]),
    _failing("mp4-to-mp3", "no sound", lambda: files.made("mp4", *files.PICTURES)),
    # Films to films.
    Vector("mov-to-mp4", "codecs that fit", "ordinary", functools.partial(files.sample, "mov"),
           check=holds("mp4", "h264", "aac", said=("Hello",)), warnings=COPIED),
    *(Vector(f"{source}-to-{target}", "pictures and a tone", "ordinary", functools.partial(files.sample, source),
             check=holds(target, *codecs, seconds=1.05), warnings=COPIED if copied else frozenset())
      for source, target, codecs, copied in (
          ("mp4", "mkv", ("h264", "aac"), True), ("mkv", "webm", ("vp9", "opus"), False),
          ("webm", "mp4", ("h264", "aac"), False), ("avi", "mov", ("mpeg4", "mp3"), True),
          ("mpg", "mp4", ("h264", "aac"), False), ("ts", "mkv", ("mpeg2video", "mp2"), True),
          ("flv", "mp4", ("h264", "mp3"), False), ("wmv", "mp4", ("h264", "aac"), False),
          ("3gp", "mp4", ("mpeg4", "aac"), True), ("gif", "mp4", ("h264",), False),
      )),
    Vector("mkv-to-mp4", "codecs that few players play in it", "awkward", files.film_for_few,
           check=holds("mp4", "h264", "aac")),
    Vector("mkv-to-mp4", "codecs that few players play in it, on request", "awkward", files.film_for_few,
           {"videoCodec": "copy", "audioCodec": "copy"}, check=holds("mp4", "av1", "ac3"), warnings=COPIED),
    Vector("mkv-to-mp4", "subtitles and chapters", "awkward", files.film_with_everything,
           check=holds("mp4", "h264", "aac", "aac", "mov_text", said=("Chapter",)), warnings=COPIED),
    Vector("mp4-to-mp4", "turned, scaled, cut and without sound", "awkward", mp4,
           {"rotate": "90", "width": 24, "trimStart": 0.3, "trimEnd": 0.8, "removeAudio": True, "fps": 5.0,
            "preset": "fast", "crf": 30},
           check=holds("mp4", "h264", seconds=0.5, said=("24x32", "5 fps"))),
    Vector("mp4-to-mp4", "to a size", "awkward", mp4, {"targetSize": 0.05}, check=smaller(50_000)),
    _failing("mp4-to-mkv", "a playlist", files.playlist),
    _failing("mkv-to-mp4", "tracks without end", functools.partial(files.many_streams, 5_000)),
    _failing("gif-to-mp4", "pictures of 60,000 x 60,000", functools.partial(files.told_size, 60_000, 60_000)),
    Vector("webm-to-mp4", "a copy that does not fit", "failing", functools.partial(files.sample, "webm"),
           {"videoCodec": "copy"}, error="VALIDATION_ERROR"),
    # Moving pictures.
    *(Vector(f"{source}-to-{target}", "pictures and a tone", "ordinary", functools.partial(files.sample, source),
             check=picture(kind, (64, 48), frames=frames), warnings=frozenset({"CONTENT_DROPPED", *more}))
      for source, target, kind, frames, more in (
          ("mp4", "gif", "GIF", 10, ()), ("mov", "apng", "PNG", 10, ()), ("mkv", "webp", "WEBP", 10, ()),
          ("mpg", "gif", "GIF", 15, ("SIZE_REDUCED",)),
      )),
    Vector("mp4-to-gif", "a part, smaller", "awkward", mp4, {"trimEnd": 0.5, "width": 32, "fps": 4.0, "loop": 2},
           check=picture("GIF", (32, 24), frames=2), warnings=frozenset({"CONTENT_DROPPED"})),
    _failing("mp4-to-gif", "half of a file", lambda: files.sample("mp4")[:600]),
    # Frames.
    *(Vector(f"{source}-to-{target}", "one picture", "ordinary", functools.partial(files.sample, source),
             check=picture(kind, (64, 48)))
      for source, target, kind in (
          ("mp4", "png", "PNG"), ("mov", "jpg", "JPEG"), ("ts", "png", "PNG"),
      )),
    Vector("mp4-to-png", "several pictures", "awkward", mp4, {"every": 0.25}, check=zipped(4), output="zip"),
    Vector("mp4-to-jpg", "a contact sheet", "awkward", mp4, {"contactSheet": True, "columns": 3, "rows": 2},
           check=picture("JPEG", (3 * 64 + 2 * 4 + 8, 2 * 48 + 4 + 8))),
    Vector("mp4-to-png", "a moment after the end", "failing", mp4, {"at": 9.0}, error="VALIDATION_ERROR"),
    # Subtitles.
    *(Vector(f"mkv-to-{target}", "subtitles", "ordinary", files.film_with_everything, check=text("Hello"))
      for target in ("srt", "vtt")),
    Vector("mp4-to-srt", "subtitles of a film", "awkward",
           lambda: files.made("mp4", *files.PICTURES, "-i", "a.srt", "-c:s", "mov_text", a_srt=files.SUBTITLES),
           check=text("Hello")),
    _failing("mp4-to-vtt", "no subtitles", mp4),
    Vector("mkv-to-srt", "a track that is not there", "failing", files.film_with_everything, {"track": 2},
           error="VALIDATION_ERROR"),
    # Waves.
    *(Vector(f"{source}-to-png", "a tone", "ordinary", functools.partial(files.sample, source),
             {"width": 100, "height": 40}, check=picture("PNG", (100, 40)))
      for source in ("mp3", "amr")),
    Vector("wav-to-svg", "a tone", "ordinary", functools.partial(files.sample, "wav"), check=text("<polygon")),
    Vector("wav-to-svg", "silence", "awkward",
           lambda: files.made("wav", "-f", "lavfi", "-i", "anullsrc=d=0.1"), {"color": "#ff0000"},
           check=text("#ff0000")),
    _failing("wav-to-png", "no samples", lambda: b"RIFF\x24\0\0\0WAVEfmt "),
    # Pictures.
    Vector("zip-to-mp4", "pictures", "ordinary", lambda: files.pictures((64, 48), (64, 48)), {"fps": 2.0},
           check=holds("mp4", "h264", said=("64x48",))),
    Vector("zip-to-mp4", "pictures of other sizes", "awkward", lambda: files.pictures((65, 49), (10, 90)),
           {"fps": 2.0, "preset": "fast"}, check=holds("mp4", "h264", said=("64x48",))),
    _failing("zip-to-mp4", "no pictures", lambda: files.pictures()),
    # Subtitles beside a film.
    Vector("zip-to-mp4", "subtitles", "ordinary", lambda: files.film_with_subtitles("mp4", film_de_srt=files.SUBTITLES),
           check=holds("mp4", "h264", "aac", "mov_text", said=("(deu): Subtitle",)), warnings=COPIED),
    Vector("zip-to-mkv", "subtitles", "ordinary", lambda: files.film_with_subtitles("mp4", film_de_srt=files.SUBTITLES),
           check=holds("mkv", "h264", "aac", "subrip", said=("(deu): Subtitle", "film.de")), warnings=COPIED),
    Vector("zip-to-mkv", "two kinds of subtitles, later", "awkward",
           lambda: files.film_with_subtitles(
               "mov", a_srt=files.SUBTITLES, b_vtt=b"WEBVTT\n\n00:00.100 --> 00:00.400\nSalut\n"),
           {"shift": 0.05}, check=holds("mkv", "h264", "aac", "subrip", "subrip"), warnings=COPIED),
    Vector("zip-to-webm", "subtitles", "ordinary", lambda: files.film_with_subtitles("webm", a_srt=files.SUBTITLES),
           check=holds("webm", "vp8", "opus", "webvtt"), warnings=COPIED),
    Vector("zip-to-webm", "a second later", "awkward", lambda: files.film_with_subtitles("webm", a_srt=files.SUBTITLES),
           {"shift": 0.05}, check=holds("webm", "vp8", "opus", "webvtt"), warnings=COPIED),
    _failing("zip-to-mkv", "no subtitles", lambda: files.film_with_subtitles("mp4")),
    _failing("zip-to-webm", "a film that it can't hold",
             lambda: files.film_with_subtitles("mp4", a_srt=files.SUBTITLES)),
)  # fmt: skip
