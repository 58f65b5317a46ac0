"""ffmpeg's names for the container formats, and what each can hold."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

_LOSSLESS_LITTLE = ("pcm_s16le", "pcm_s24le", "pcm_s32le", "pcm_f32le")
_LOSSLESS_BIG = ("pcm_s16be", "pcm_s24be", "pcm_s32be", "pcm_f32be")


@dataclass(frozen=True)
class Container:
    """A container format: its demuxer, its muxer and the codecs it supports, the default one first.

    `cover` is where it stores a picture, `subtitles` the codec of its subtitles, `tags` the tags it supports, None for
    any. With `totals`, the number of a track is followed by a slash and that of all tracks. Codecs that are `unusual`
    are not supported by all players of the container: they are copied only on request.
    """

    demuxer: str
    muxer: str = ""
    audio: tuple[str, ...] = ()
    video: tuple[str, ...] = ()
    cover: Literal["track", "tag"] | None = None
    subtitles: str | None = None
    tags: frozenset[str] | None = None
    totals: bool = False
    chapters: bool = False
    tracks: bool = False
    unusual: frozenset[str] = frozenset()
    arguments: tuple[str, ...] = ()

    def plays(self, codec: str) -> bool:
        """Whether players of the container support a codec."""
        return codec in (*self.audio, *self.video) and codec not in self.unusual


_OF_QUICKTIME = frozenset(
    {"title", "artist", "album", "comment", "date", "genre", "copyright", "location", "make", "model"}
)
_OF_MP4 = frozenset(
    {
        "title", "artist", "album", "album_artist", "composer", "date", "comment", "genre", "copyright", "grouping",
        "lyrics", "description", "synopsis", "show", "episode_id", "network", "track", "disc", "compilation",
        "keywords", "episode_sort", "season_number", "media_type", "hd_video", "gapless_playback", "sort_name",
        "sort_artist", "sort_album", "sort_album_artist", "sort_composer", "sort_show",
    }
)  # fmt: skip
_OF_WAV = frozenset(
    {"title", "artist", "album", "comment", "copyright", "date", "genre", "language", "track", "encoder", "encoded_by"}
)
"""RIFF, "INFO List Chunk": the tags of a WAV file."""

_MOVIE_AUDIO = ("aac", "mp3", "ac3", "eac3", "alac")
_MOVIE_VIDEO = ("h264", "hevc", "av1", "mpeg4")
_FAST = ("-movflags", "+faststart")

CONTAINERS: Mapping[str, Container] = {
    "mp3": Container(
        "mp3", "mp3", ("mp3",), cover="track", totals=True, chapters=True, arguments=("-id3v2_version", "3")
    ),
    "m4a": Container(
        "mov", "ipod", ("aac", "alac"), cover="track", tags=_OF_MP4, totals=True, chapters=True, arguments=_FAST
    ),
    "aac": Container("aac", "adts", ("aac",), totals=True, arguments=("-write_id3v2", "1")),
    "ogg": Container("ogg", "ogg", ("vorbis", "opus", "flac"), cover="tag", chapters=True),
    "opus": Container("ogg", "opus", ("opus",), cover="tag", chapters=True),
    "flac": Container("flac", "flac", ("flac",), cover="track"),
    "wav": Container("wav", "wav", (*_LOSSLESS_LITTLE, "pcm_u8"), tags=_OF_WAV, arguments=("-rf64", "auto")),
    "aiff": Container("aiff", "aiff", _LOSSLESS_BIG, cover="track", totals=True, arguments=("-write_id3v2", "1")),
    "wma": Container("asf"),
    "amr": Container("amr"),
    "mp4": Container(
        "mov",
        "mp4",
        (*_MOVIE_AUDIO, "opus", "flac"),
        (*_MOVIE_VIDEO, "vp9"),
        cover="track",
        subtitles="mov_text",
        tags=_OF_MP4,
        chapters=True,
        tracks=True,
        unusual=frozenset({"vp9", "av1", "opus", "flac", "ac3", "eac3"}),
        arguments=_FAST,
    ),
    "mov": Container(
        "mov",
        "mov",
        (*_MOVIE_AUDIO, *_LOSSLESS_LITTLE, *_LOSSLESS_BIG),
        ("h264", "hevc", "mpeg4", "prores", "mjpeg", "dnxhd"),
        subtitles="mov_text",
        tags=_OF_QUICKTIME,
        chapters=True,
        tracks=True,
        unusual=frozenset({"eac3"}),
        arguments=_FAST,
    ),
    "mkv": Container(
        "matroska",
        "matroska",
        (*_MOVIE_AUDIO, "opus", "vorbis", "flac", "dts", "truehd", "mp2", *_LOSSLESS_LITTLE),
        (*_MOVIE_VIDEO, "vp9", "vp8", "mpeg2video", "mpeg1video", "ffv1", "mjpeg", "theora"),
        subtitles="subrip",
        chapters=True,
        tracks=True,
    ),
    "webm": Container(
        "matroska", "webm", ("opus", "vorbis"), ("vp9", "vp8", "av1"), subtitles="webvtt", chapters=True, tracks=True
    ),
    "avi": Container("avi"),
    "mpg": Container("mpeg"),
    "ts": Container("mpegts"),
    "flv": Container("flv"),
    "wmv": Container("asf"),
    "3gp": Container("mov"),
    "gif": Container("gif", "gif", video=("gif",)),
    "apng": Container("apng", "apng", video=("apng",)),
    "webp": Container("webp_anim", "webp", video=("webp",)),
}

AUDIO_ENCODERS: Mapping[str, str] = {
    "mp3": "libmp3lame",
    "aac": "aac",
    "vorbis": "libvorbis",
    "opus": "libopus",
    "flac": "flac",
    "alac": "alac",
}
"""The encoders whose name differs from the codec's."""

MOST_DRAWN = 15.0
"""The maximum frame rate of an animation, unless another one is requested."""

LOSSLESS = frozenset({"flac", "alac", *_LOSSLESS_LITTLE, *_LOSSLESS_BIG, "pcm_u8", "truehd"})

VIDEO_ENCODERS: Mapping[str, str] = {
    "h264": "libx264",
    "hevc": "libx265",
    "vp9": "libvpx-vp9",
    "av1": "libsvtav1",
    "gif": "gif",
    "apng": "apng",
    "webp": "libwebp_anim",
}

_DECODERS = """
    h264 hevc libdav1d av1 vp8 vp9 mpeg4 msmpeg4v1 msmpeg4v2 msmpeg4 mpeg1video mpeg2video h263 h263i h263p flv vp6 vp6f
    vp6a wmv1 wmv2 wmv3 vc1 mjpeg prores dnxhd ffv1 huffyuv rawvideo theora dvvideo cinepak svq3 gif png bmp
    mp3 mp3float mp2 mp2float mp1 mp1float aac aac_latm ac3 eac3 opus libopus vorbis libvorbis flac alac dca truehd mlp
    wmav1 wmav2 wmapro wmalossless wmavoice amrnb libopencore_amrnb amrwb libopencore_amrwb nellymoser speex
    gsm_ms adpcm_ms adpcm_ima_wav adpcm_ima_qt adpcm_swf pcm_alaw pcm_mulaw pcm_u8 pcm_s8 pcm_dvd pcm_bluray
    pcm_s16le pcm_s16be pcm_s24le pcm_s24be pcm_s32le pcm_s32be pcm_f32le pcm_f32be pcm_f64le pcm_f64be pcm_u16le
    mov_text subrip srt ass ssa webvtt
"""
DECODERS = ",".join(_DECODERS.split())
"""The decoders allowed: those of the listed formats and of common variants. None of them opens a file."""
