"""Samples of sound and film: a second of ffmpeg's own test sources, 64 x 48 pixels, made when they are asked for."""

from __future__ import annotations

import functools
import io
import json
import re
import struct
import subprocess
import tempfile
import zipfile
from dataclasses import dataclass
from pathlib import Path

from PIL import Image

from engine.families.media.options import PROGRAM

PICTURES = ("-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=1")
TONE = ("-f", "lavfi", "-i", "sine=440:d=1")
SURROUND = ("-f", "lavfi", "-i", "aevalsrc=0.1*sin(440*t)|0|0|0|0|0:c=5.1:d=1")
TAGS = ("-metadata", "title=Hello", "-metadata", "artist=Ada")
TOLD = {
    "title": "Hello",
    "artist": "Ada",
    "album": "Songs",
    "date": "2020",
    "genre": "Folk",
    "track": "3/9",
    "comment": "Note",
}
LAYOUTS = {
    "mono": ("aevalsrc=0.1*sin(440*2*PI*t):c=mono:d=1", (440,)),
    "stereo": ("aevalsrc=0.1*sin(440*2*PI*t)|0.1*sin(880*2*PI*t):c=stereo:d=1", (440, 880)),
    "5.1": (
        "aevalsrc=" + "|".join(f"0.1*sin({each}*2*PI*t)" for each in (440, 880, 1320, 60, 1760, 2200)) + ":c=5.1:d=1",
        (440, 880, 1320, 60, 1760, 2200),
    ),
}
"""A source of ffmpeg's by layout, with the tone of each of its channels in Hz."""
EXACT = ("-fflags", "+bitexact", "-flags:v", "+bitexact", "-flags:a", "+bitexact")
SUBTITLES = b"1\n00:00:00,000 --> 00:00:00,900\nHello\n"
COVER = ("-f", "lavfi", "-i", "color=red:s=16x16:d=0.04:r=25")
CHAPTERS = (
    b";FFMETADATA1\ntitle=Hello\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=One\n"
    b"[CHAPTER]\nTIMEBASE=1/1000\nSTART=500\nEND=1000\ntitle=Two\n"
)

HOW: dict[str, tuple[str, ...]] = {
    "mp3": (*TONE, *TAGS),
    "m4a": (*TONE, *TAGS, "-f", "ipod"),
    "aac": (*TONE, "-f", "adts"),
    "ogg": (*TONE, *TAGS, "-c:a", "libvorbis"),
    "opus": (*TONE, *TAGS),
    "flac": (*TONE, *TAGS),
    "wav": (*TONE, *TAGS),
    "aiff": (*TONE, *TAGS, "-write_id3v2", "1"),
    "wma": (*TONE, *TAGS, "-f", "asf"),
    "amr": (*TONE, "-ar", "8000", "-ac", "1"),
    "mp4": (*PICTURES, *TONE, *TAGS, "-c:v", "libx264", "-pix_fmt", "yuv420p"),
    "mov": (*PICTURES, *TONE, *TAGS, "-c:v", "libx264", "-pix_fmt", "yuv420p"),
    "mkv": (*PICTURES, *TONE, *TAGS, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac"),
    "webm": (*PICTURES, *TONE, "-c:v", "libvpx", "-c:a", "libopus"),
    "avi": (*PICTURES, *TONE, "-c:v", "mpeg4", "-c:a", "libmp3lame"),
    "mpg": (*PICTURES, *TONE, "-r", "25", "-c:v", "mpeg2video", "-c:a", "mp2", "-f", "mpeg"),
    "ts": (*PICTURES, *TONE, "-r", "25", "-c:v", "mpeg2video", "-c:a", "mp2", "-f", "mpegts"),
    "flv": (*PICTURES, *TONE, "-c:v", "flv", "-c:a", "libmp3lame"),
    "wmv": (*PICTURES, *TONE, "-c:v", "wmv2", "-c:a", "wmav2", "-f", "asf"),
    "3gp": (*PICTURES, *TONE, "-c:v", "mpeg4", "-c:a", "aac"),
    "gif": PICTURES,
}
"""How each sample is made."""


def ffmpeg(*arguments: str, folder: str | Path) -> str:
    """What ffmpeg says of a work in `folder`; without an output it fails and says what it reads."""
    assert PROGRAM is not None
    command = [PROGRAM, "-hide_banner", "-nostdin", "-y", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, timeout=60).stderr.decode("utf-8", "replace")


@functools.cache
def made(extension: str, *arguments: str, **beside: bytes) -> bytes:
    """A file of ffmpeg's; `beside` are files in the folder, by name with `_` for the dot."""
    with tempfile.TemporaryDirectory() as folder:
        for name, content in beside.items():
            Path(folder, name.replace("_", ".")).write_bytes(content)
        target = Path(folder, f"made.{extension}")
        said = ffmpeg(*arguments, *EXACT, target.name, folder=folder)
        assert target.exists(), said
        return target.read_bytes()


def sample(extension: str) -> bytes:
    return made(extension, *HOW[extension])


def laid_out(extension: str, layout: str) -> bytes:
    """A sample with the channels and the tags of LAYOUTS and TOLD instead of its own."""
    tags = tuple(part for name, value in TOLD.items() for part in ("-metadata", f"{name}={value}"))
    how = list(HOW[extension])
    at = how.index(TONE[-1])
    how[at] = LAYOUTS[layout][0]
    return made(extension, *how, *tags, *(("-write_id3v2", "1") if extension == "aac" else ()))


def tones(content: bytes, extension: str) -> tuple[float, ...]:
    """What each channel of the first sound plays, in Hz: by how often it crosses zero."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"a.{extension}").write_bytes(content)
        chain = "atrim=0.2:0.8,astats=measure_perchannel=Zero_crossings_rate:measure_overall=none"
        said = ffmpeg("-i", f"a.{extension}", "-map", "0:a:0", "-af", chain, "-f", "null", "-", folder=folder)
    hertz = re.findall(r"Stream #0:0.*?Audio: .*?(\d+) Hz", said.partition("Output #0")[2])
    return tuple(float(each) * int(hertz[0]) / 2 for each in re.findall(r"Zero crossings rate: (\S+)", said))


def film_with_everything() -> bytes:
    """Two tracks of sound, one of subtitles, two chapters."""
    beside = ("-i", "a.srt", "-f", "ffmetadata", "-i", "c.txt")
    tracks = ("-map", "0", "-map", "1", "-map", "1", "-map", "2", "-map_metadata", "3", "-map_chapters", "3")
    codecs = ("-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-c:s", "subrip")
    return made("mkv", *PICTURES, *TONE, *beside, *tracks, *codecs, a_srt=SUBTITLES, c_txt=CHAPTERS)


def film_for_few() -> bytes:
    """AV1 and AC-3, which an MP4 can hold and few of its players play."""
    return made("mkv", *PICTURES, *TONE, "-c:v", "libsvtav1", "-preset", "12", "-pix_fmt", "yuv420p", "-c:a", "ac3")


@functools.cache
def _repeated(extension: str, times: int, *arguments: str) -> bytes:
    """A file of ffmpeg's so many times after itself: long, and made in no time."""
    return made(extension, "-stream_loop", str(times - 1), "-i", "once", "-c", "copy", once=made(extension, *arguments))


def long_film() -> bytes:
    """70 seconds in a codec that MP4 does not hold: seconds of work for any machine."""
    pictures = ("-f", "lavfi", "-i", "testsrc2=s=640x360:r=25:d=5", "-f", "lavfi", "-i", "sine=440:d=5")
    return _repeated("mov", 14, *pictures, "-c:v", "mpeg2video", "-q:v", "20", "-c:a", "aac", "-b:a", "32k")


def long_talk() -> bytes:
    """14 minutes of noise with hardly a picture."""
    pictures = ("-f", "lavfi", "-i", "testsrc2=s=32x32:r=1:d=60")
    noise = ("-f", "lavfi", "-i", "anoisesrc=d=60:c=brown:a=0.3:r=44100:s=1")
    codecs = ("-ac", "2", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "48k")
    return _repeated("mp4", 14, *pictures, *noise, *codecs)


def song_with_a_cover() -> bytes:
    cover = ("-c:v", "mjpeg", "-disposition:v", "attached_pic")
    return made("mp3", *TONE, *COVER, "-map", "0", "-map", "1", *TAGS, *cover)


def film_of_two_seconds() -> bytes:
    """With a whole picture at its beginning alone."""
    tracks = ("-f", "lavfi", "-i", "testsrc2=s=64x48:r=10:d=2", "-f", "lavfi", "-i", "sine=440:d=2")
    return made("mp4", *tracks, "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k")


def surround() -> bytes:
    return made("flac", *SURROUND)


def film_with_subtitles(extension: str, **named: bytes) -> bytes:
    """A ZIP of a film and files beside it, whose names have `_` for each dot."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        archive.writestr(f"film.{extension}", sample(extension))
        for name, content in named.items():
            archive.writestr(name.replace("_", "."), content)
    return out.getvalue()


def pictures(*sizes: tuple[int, int]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        for number, size in enumerate(sizes):
            drawn = io.BytesIO()
            Image.new("RGB", size, (40 * number, 80, 120)).save(drawn, "png")
            archive.writestr(f"picture {number}.png", drawn.getvalue())
    return out.getvalue()


@dataclass(frozen=True)
class Probed:
    """What ffmpeg, without our reading of it, says of a file."""

    seconds: float
    codecs: tuple[str, ...]
    said: str

    @property
    def layouts(self) -> tuple[str, ...]:
        return tuple(re.findall(r"Audio: .*? Hz, ([^,]+)", self.said))

    @property
    def tags(self) -> dict[str, str]:
        return {name.lower(): value for name, value in re.findall(r"^ +(\w+) +: (.*)$", self.said, re.MULTILINE)}


def probed(content: bytes, extension: str) -> Probed:
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"a.{extension}").write_bytes(content)
        said = ffmpeg("-i", f"a.{extension}", "-f", "null", "-", folder=folder)
    read = said.partition("Stream mapping")[0]
    found = re.findall(r"time=(\d+):(\d\d):(\d\d\.\d+)", said)
    hours, minutes, seconds = found[-1] if found else ("0", "0", "0")
    codecs = tuple(re.findall(r"Stream #0:\d+.*?: (?:Audio|Video|Subtitle): (\w+)", read))
    return Probed(int(hours) * 3600 + int(minutes) * 60 + float(seconds), codecs, read)


def ffconcat() -> bytes:
    """A list of other files, which ffmpeg's own guess of the format opened."""
    return b"ffconcat version 1.0\nfile 'input.json'\nfile '/etc/passwd'\nfile 'http://localhost/x'\n"


def playlist() -> bytes:
    return b"#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXTINF:1,\nfile:///etc/passwd\n#EXTINF:1,\nhttp://localhost/a.ts\n"


def told_size(width: int, height: int) -> bytes:
    """A GIF whose head and first picture say another size than there is."""
    data = bytearray(sample("gif"))
    struct.pack_into("<HH", data, 6, width, height)
    struct.pack_into("<HH", data, data.index(b"\x2c\0\0\0\0") + 5, width, height)
    return bytes(data)


def many_streams(count: int) -> bytes:
    """A Matroska file that lists tracks, and has nothing in them."""

    def element(name: bytes, content: bytes) -> bytes:
        return name + (len(content) | 1 << 56).to_bytes(8, "big") + content

    head = element(b"\x1a\x45\xdf\xa3", element(b"\x42\x82", b"matroska"))
    kind = element(b"\x83", b"\2") + element(b"\x86", b"A_PCM/INT/LIT")
    tracks = b"".join(element(b"\xae", element(b"\xd7", n.to_bytes(4, "big")) + kind) for n in range(1, count + 1))
    return head + element(b"\x18\x53\x80\x67", element(b"\x16\x54\xae\x6b", tracks))


def cover(content: bytes, extension: str) -> bytes:
    """The picture of a recording, as it is in it."""
    taken = ("-map", "0:v", "-c", "copy", "-f", "image2", "-update", "1", "cover")
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"a.{extension}").write_bytes(content)
        ffmpeg("-i", f"a.{extension}", *taken, folder=folder)
        return Path(folder, "cover").read_bytes()


def loudness(content: bytes, extension: str) -> float:
    """The loudness of a file, in LUFS."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, f"a.{extension}").write_bytes(content)
        said = ffmpeg("-i", f"a.{extension}", "-af", "loudnorm=print_format=json", "-f", "null", "-", folder=folder)
    return float(json.loads(said[said.rindex("{") : said.rindex("}") + 1])["input_i"])


def with_chunk(name: bytes, content: bytes) -> bytes:
    """A second of silence in a WAV file with one more chunk before the samples."""
    form = struct.pack("<HHIIHH", 1, 1, 8_000, 16_000, 2, 16)
    chunks = [(b"fmt ", form), (name, content), (b"data", bytes(16_000))]
    body = b"WAVE" + b"".join(
        name + struct.pack("<I", len(data)) + data + bytes(len(data) % 2) for name, data in chunks
    )
    return b"RIFF" + struct.pack("<I", len(body)) + body


def call() -> bytes:
    """A second of GSM 6.10 in a WAV file, as telephone systems record; ffmpeg here has no encoder of it."""
    form = struct.pack("<HHIIHHHH", 0x31, 1, 8_000, 1_625, 65, 0, 2, 320)
    chunks = [(b"fmt ", form), (b"fact", struct.pack("<I", 8_000)), (b"data", bytes(65 * 25 + 1))]
    body = b"WAVE" + b"".join(name + struct.pack("<I", len(data)) + data for name, data in chunks)
    return b"RIFF" + struct.pack("<I", len(body)) + body
