"""Tasks for audio and video."""

from __future__ import annotations

from conversions.pages.tasks.task import CHOOSING_ORDER, TURNS, Field, Gathering, Task, pairs, same
from engine.families.subtitles.options import SUBTITLES

_START = Field("trimStart", "Begin at, in seconds", "")
_END = Field("trimEnd", "End at, in seconds", "To the end, if you leave it empty.")
_FILM = "mp4 mov mkv webm avi mpg ts flv wmv 3gp"
_EDITABLE = same("mp4 mov mkv webm")
_QUALITY = Field(
    "audioQuality",
    "Quality",
    "",
    "high",
    {"low": "Speech, very small", "medium": "Good", "high": "Very good", "best": "As good as it gets"},
)

TASKS = (
    Task(
        "video-to-mp3",
        "Video to MP3",
        "Extract the sound of a video: a talk, a song, an interview.",
        "Sound and film",
        pairs(_FILM, "mp3"),
        fields=(_QUALITY, _START, _END),
        called="mp4 extract audio music sound song youtube mp3",
    ),
    Task(
        "video-to-mp4",
        "Video to MP4",
        "Films of a camera, a phone or an old computer, so that everything plays them.",
        "Sound and film",
        pairs("mov mkv webm avi mpg ts flv wmv 3gp", "mp4"),
        asked=(
            (
                "Is it compressed again?",
                "Only if it has to be. Where an MP4 can hold what is in the file, it is put into one as it is, which "
                "takes a moment and loses nothing; the result says so.",
            ),
        ),
        called="mov quicktime iphone avi mkv play movie film",
    ),
    Task(
        "compress-video",
        "Compress video",
        "Make a video small enough to send.",
        "Sound and film",
        pairs("mp4 mov mkv webm avi", "mp4"),
        "smaller",
        fields=(
            Field("targetSize", "At most, in MB", "The best picture that fits is worked out for you."),
            Field("height", "Height, in pixels", "720 is good on a phone, 1080 on a television."),
        ),
        called="shrink reduce smaller size video movie film whatsapp mail mb",
    ),
    Task(
        "trim-video",
        "Trim video",
        "Keep the part that matters.",
        "Sound and film",
        _EDITABLE,
        "cut",
        fields=(_START, _END),
        called="cut clip shorten film movie",
    ),
    Task(
        "rotate-video",
        "Rotate video",
        "Rotate a video that was filmed with the phone on its side.",
        "Sound and film",
        _EDITABLE,
        "turn",
        fields=(Field("rotate", "Turn", "", "90", TURNS),),
        called="turn sideways upside orientation film movie",
    ),
    Task(
        "mute-video",
        "Mute video",
        "Remove the sound from a video.",
        "Sound and film",
        _EDITABLE,
        "cleaned",
        sets={"removeAudio": "true"},
        called="remove audio silent sound off film movie",
    ),
    Task(
        "video-to-gif",
        "Video to GIF",
        "A short animation that needs no player.",
        "Sound and film",
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
        "Turn pictures into a video, in your order.",
        "Sound and film",
        ("zip-to-mp4",),
        "merge",
        fields=(Field("fps", "Pictures a second", "0.5 shows each picture for two seconds.", "0.5"),),
        asked=(CHOOSING_ORDER,),
        gathers=Gathering("zip-to-mp4", ("jpg", "png", "webp", "gif", "bmp", "tiff")),
        called="slideshow photos mp4 film movie",
    ),
    Task(
        "add-subtitles",
        "Add subtitles to a video",
        "Put subtitles into a video, for viewers to turn on and off.",
        "Sound and film",
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
        "The same moving picture at a tenth of its size.",
        "Sound and film",
        ("gif-to-mp4",),
        "smaller",
        called="animated video",
    ),
    Task(
        "video-to-pictures",
        "Pictures out of a video",
        "One moment, or one picture every few seconds.",
        "Sound and film",
        pairs("mp4 mov mkv webm avi", "jpg"),
        "split",
        fields=(
            Field("at", "The moment, in seconds", "For one picture."),
            Field("every", "Or one every so many seconds", "In a ZIP."),
            Field("contactSheet", "All on one sheet", ""),
        ),
        called="frame frames screenshot still thumbnail snapshot film movie",
    ),
    Task(
        "audio-to-mp3",
        "Audio to MP3",
        "Recordings of any kind, so that everything plays them.",
        "Sound and film",
        pairs("m4a aac ogg opus flac wav aiff wma amr", "mp3"),
        fields=(_QUALITY,),
        called="wav m4a voice memo recording music song sound",
    ),
    Task(
        "audio-to-wav",
        "Audio to WAV",
        "Sound without compression, for an editor or a recogniser of speech.",
        "Sound and film",
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
        "Cut a recording, with a soft beginning and end if you like.",
        "Sound and film",
        same("mp3 m4a ogg opus flac wav"),
        "cut",
        fields=(_START, _END, Field("fadeIn", "Fade in, in seconds", ""), Field("fadeOut", "Fade out, in seconds", "")),
        called="cut clip shorten ringtone song music fade",
    ),
    Task(
        "louder",
        "Make a recording as loud as others",
        "Bring a quiet or uneven recording to the loudness that radio and podcasts have (EBU R 128).",
        "Sound and film",
        same("mp3 m4a ogg opus flac wav"),
        "cleaned",
        sets={"normalize": "true"},
        called="normalize normalise volume loudness quiet podcast",
    ),
    Task(
        "waveform",
        "Picture of a sound",
        "The waveform of a recording, for a page or a cover.",
        "Sound and film",
        pairs("mp3 m4a ogg opus flac wav", "png"),
        fields=(
            Field("width", "Width, in pixels", ""),
            Field("height", "Height, in pixels", ""),
            Field("color", "Colour", ""),
        ),
        called="waveform wave image audio visualise visualize",
    ),
)
