"""Tasks for audio and video."""

from __future__ import annotations

from conversions.pages.tasks.task import CHOOSING_ORDER, TURNS, Field, Gathering, Task, pairs, same
from engine.families.subtitles.options import SUBTITLES

_START = Field("trimStart", "Start at, in seconds", "")
_END = Field("trimEnd", "End at, in seconds", "Leave empty to keep everything to the end.")
_FILM = "mp4 mov mkv webm avi mpg ts flv wmv 3gp"
_EDITABLE = same("mp4 mov mkv webm")
_QUALITY = Field(
    "audioQuality",
    "Quality",
    "",
    "high",
    {"low": "Speech, very small", "medium": "Good", "high": "Very good", "best": "Best quality"},
)

TASKS = (
    Task(
        "video-to-mp3",
        "Video to MP3",
        "Extract the audio of a video: a talk, a song or an interview.",
        "Audio and video",
        pairs(_FILM, "mp3"),
        fields=(_QUALITY, _START, _END),
        called="mp4 extract audio music sound song youtube mp3",
    ),
    Task(
        "video-to-mp4",
        "Video to MP4",
        "Convert videos from a camera, phone or old computer so that they play everywhere.",
        "Audio and video",
        pairs("mov mkv webm avi mpg ts flv wmv 3gp", "mp4"),
        asked=(
            (
                "Is it compressed again?",
                "Only if needed. If MP4 supports the video and audio, they are copied without loss in "
                "seconds. The result tells you.",
            ),
        ),
        called="mov quicktime iphone avi mkv play movie film",
    ),
    Task(
        "compress-video",
        "Compress video",
        "Make a video small enough to send.",
        "Audio and video",
        pairs("mp4 mov mkv webm avi", "mp4"),
        "smaller",
        fields=(
            Field("targetSize", "At most, in MB", "We find the best quality that fits."),
            Field("height", "Height, in pixels", "720 is good on a phone, 1080 on a television."),
        ),
        called="shrink reduce smaller size video movie film whatsapp mail mb",
    ),
    Task(
        "trim-video",
        "Trim video",
        "Keep the part that matters.",
        "Audio and video",
        _EDITABLE,
        "cut",
        fields=(_START, _END),
        called="cut clip shorten film movie",
    ),
    Task(
        "rotate-video",
        "Rotate video",
        "Rotate a video filmed with the phone on its side.",
        "Audio and video",
        _EDITABLE,
        "turn",
        fields=(Field("rotate", "Rotate", "", "90", TURNS),),
        called="turn sideways upside orientation film movie",
    ),
    Task(
        "mute-video",
        "Mute video",
        "Remove the audio from a video.",
        "Audio and video",
        _EDITABLE,
        "cleaned",
        sets={"removeAudio": "true"},
        called="remove audio silent sound off film movie",
    ),
    Task(
        "video-to-gif",
        "Video to GIF",
        "Make a short animation that needs no player.",
        "Audio and video",
        pairs("mp4 mov mkv webm avi", "gif"),
        fields=(
            _START,
            _END,
            Field("width", "Width, in pixels", "480 keeps it small."),
            Field("fps", "Frames per second", ""),
        ),
        called="animated meme animation mp4",
    ),
    Task(
        "pictures-to-video",
        "Pictures to video",
        "Combine pictures in a video, in your order.",
        "Audio and video",
        ("zip-to-mp4",),
        "merge",
        fields=(Field("fps", "Frames per second", "0.5 shows each picture for two seconds.", "0.5"),),
        asked=(CHOOSING_ORDER,),
        gathers=Gathering("zip-to-mp4", ("jpg", "png", "webp", "gif", "bmp", "tiff")),
        called="slideshow photos mp4 film movie",
    ),
    Task(
        "add-subtitles",
        "Add subtitles to a video",
        "Put subtitles into a video, for viewers to turn on and off.",
        "Audio and video",
        ("zip-to-mp4",),
        "merge",
        fields=(Field("shift", "Delay, in seconds", "A number below 0 shows the subtitles earlier."),),
        asked=(
            (
                "Which files do I choose?",
                "One video and at least one file of subtitles. A language at the end of a name, as in film.de.srt, "
                "becomes the language of its track.",
            ),
            (
                "Is the video compressed again?",
                "No. Its pictures and sound are copied as they are, which takes a moment.",
            ),
        ),
        gathers=Gathering("zip-to-mp4", (*_FILM.split(), *(each.id for each in SUBTITLES))),
        called="subtitle caption srt vtt ass soft track language film movie hardcode",
    ),
    Task(
        "gif-to-mp4",
        "GIF to MP4",
        "The same animation at a tenth of the size.",
        "Audio and video",
        ("gif-to-mp4",),
        "smaller",
        called="animated video",
    ),
    Task(
        "video-to-pictures",
        "Extract frames from a video",
        "Extract one frame, or one every few seconds.",
        "Audio and video",
        pairs("mp4 mov mkv webm avi", "jpg"),
        "split",
        fields=(
            Field("at", "Time of the frame, in seconds", "For one picture."),
            Field("every", "Or one every few seconds", "In a ZIP."),
            Field("contactSheet", "All on one sheet", ""),
        ),
        called="frame frames screenshot still thumbnail snapshot film movie",
    ),
    Task(
        "audio-to-mp3",
        "Audio to MP3",
        "Convert any recording so that it plays everywhere.",
        "Audio and video",
        pairs("m4a aac ogg opus flac wav aiff wma amr", "mp3"),
        fields=(_QUALITY,),
        called="wav m4a voice memo recording music song sound",
    ),
    Task(
        "audio-to-wav",
        "Audio to WAV",
        "Get uncompressed audio, for editing or speech recognition.",
        "Audio and video",
        pairs("mp3 m4a aac ogg opus flac aiff wma amr", "wav"),
        fields=(
            Field(
                "sampleRate",
                "Sample rate",
                "16000 suits speech recognition. Leave empty to keep the rate.",
            ),
            Field("channels", "Channels", "", "keep", {"keep": "As they are", "mono": "One", "stereo": "Two"}),
        ),
        called="uncompressed pcm whisper speech recording",
    ),
    Task(
        "trim-audio",
        "Trim audio",
        "Cut a recording, with an optional fade-in and fade-out.",
        "Audio and video",
        same("mp3 m4a ogg opus flac wav"),
        "cut",
        fields=(_START, _END, Field("fadeIn", "Fade in, in seconds", ""), Field("fadeOut", "Fade out, in seconds", "")),
        called="cut clip shorten ringtone song music fade",
    ),
    Task(
        "louder",
        "Normalise loudness",
        "Bring a quiet or uneven recording to the standard loudness of radio and podcasts (EBU R 128).",
        "Audio and video",
        same("mp3 m4a ogg opus flac wav"),
        "cleaned",
        sets={"normalize": "true"},
        called="normalize normalise volume loudness quiet podcast",
    ),
    Task(
        "waveform",
        "Audio to waveform",
        "Draw the waveform of a recording, for a page or a cover.",
        "Audio and video",
        pairs("mp3 m4a ogg opus flac wav", "png"),
        fields=(
            Field("width", "Width, in pixels", ""),
            Field("height", "Height, in pixels", ""),
            Field("color", "Colour", ""),
        ),
        called="waveform wave image audio visualise visualize",
    ),
)
