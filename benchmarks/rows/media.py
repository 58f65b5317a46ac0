"""Audio and video rows, compared with Debian's ffmpeg on the same files with the same settings."""

from __future__ import annotations

import subprocess
from pathlib import Path

from benchmarks.row import Row
from engine.families.media.options import PROGRAM

_READ = ("ffmpeg", "-v", "error", "-y", "-i", "{input}")


def _made(path: Path, *arguments: str) -> None:
    assert PROGRAM is not None
    subprocess.run([PROGRAM, "-v", "error", "-y", *arguments, str(path)], check=True)


def _tone(path: Path) -> None:
    _made(path, "-f", "lavfi", "-i", "anoisesrc=d=180:c=pink:a=0.3", "-ac", "2")


def song(path: Path) -> None:
    """180 s of MP3."""
    _made(path, "-f", "lavfi", "-i", "anoisesrc=d=180:c=pink:a=0.3", "-ac", "2", "-c:a", "libmp3lame", "-q:a", "2")


def _film(path: Path) -> None:
    picture = ("-f", "lavfi", "-i", "testsrc2=s=1280x720:r=25:d=30", "-f", "lavfi", "-i", "sine=440:d=30")
    _made(path, *picture, "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p", "-c:a", "aac")


def _large(path: Path) -> None:
    picture = ("-f", "lavfi", "-i", "testsrc2=s=1920x1080:r=25:d=5")
    _made(path, *picture, "-c:v", "libx264", "-preset", "veryfast", "-pix_fmt", "yuv420p")


_X264 = ("-threads", "2", "-c:v", "libx264", "-crf", "23", "-c:a", "copy", "{output}")
_GIF = "fps=12,scale=480:-1,split[a][b];[a]palettegen[p];[b][p]paletteuse=dither=bayer:bayer_scale=4"

ROWS = (
    Row("180 s of WAV to MP3", "tone.wav", _tone, "wav-to-mp3", "ffmpeg (Debian)",
        (*_READ, "-c:a", "libmp3lame", "-q:a", "2", "{output}"), 1.0, needs=("ffmpeg",), job=True),
    Row("180 s of WAV to MP3", "tone.wav", _tone, "wav-to-mp3", "ffmpeg (Debian)",
        (*_READ, "-c:a", "libmp3lame", "-q:a", "2", "{output}"), 2.0, needs=("ffmpeg",), measure="peak", most=60),
    Row("30 s of MP4 to MP3", "film.mp4", _film, "mp4-to-mp3", "ffmpeg (Debian)",
        (*_READ, "-vn", "-c:a", "libmp3lame", "-q:a", "2", "{output}"), 1.0, needs=("ffmpeg",), job=True),
    Row("30 s of MP4 to MKV, copied", "film.mp4", _film, "mp4-to-mkv", "ffmpeg (Debian)",
        (*_READ, "-c", "copy", "-f", "matroska", "{output}"), 1.0, needs=("ffmpeg",), job=True),
    Row("30 s of 720p to x264", "film.mp4", _film, "mp4-to-mp4", "ffmpeg (Debian)",
        (*_READ, *_X264), 1.0, needs=("ffmpeg",), options={"crf": 23}, job=True),
    Row("5 s of 720p to GIF", "film.mp4", _film, "mp4-to-gif", "ffmpeg (Debian)",
        ("ffmpeg", "-v", "error", "-y", "-t", "5", "-i", "{input}", "-vf", _GIF, "{output}"), 1.0,
        needs=("ffmpeg",), options={"trimEnd": 5.0, "fps": 12.0, "width": 480}, job=True),
    Row("5 s of 1080p to x264", "large.mp4", _large, "mp4-to-mp4", "ffmpeg (Debian)",
        (*_READ, "-threads", "2", "-c:v", "libx264", "-crf", "23", "{output}"), 1.2, needs=("ffmpeg",),
        options={"crf": 23}, measure="peak", most=400),
)  # fmt: skip
