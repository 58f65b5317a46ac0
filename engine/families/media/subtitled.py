"""Add the subtitles in a ZIP to the film beside them."""

from __future__ import annotations

import re
import shutil
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath
from typing import Any

from engine.families.media import balance, film, program, recording
from engine.families.media.containers import CONTAINERS, Container
from engine.families.media.options import FILM
from engine.families.media.probe import written
from engine.families.subtitles import exchange
from engine.families.subtitles.options import FrameRate, Timing
from engine.toolkit import archive, encodings, members
from engine.toolkit.failures import InvalidOption, OverLimit, Unreadable
from engine.toolkit.formats import ASS, SRT, Format
from engine.toolkit.language_codes import THREE_LETTERS
from engine.toolkit.messages import say
from engine.toolkit.options import OptionGroups
from engine.toolkit.warnings import Kind, Warn

MOST_TRACKS = 32
_MOST_LATE = 2_000
"""The maximum subtitles after the end of the video: ffmpeg has no memory for 5,000. A film has about 1,500 in all."""
_OTHERS = Kind("CONTENT_DROPPED", "Files that are not a video or subtitles were left out: {count}{places}.")
_FEWER = Kind("CONTENT_DROPPED", "Subtitles of {name} are missing from the result: {count} of {promised}.")
_OTHER_TIMES = Kind(
    "VALUE_CONVERTED",
    "Subtitles that overlap were given other times, as the output shows one at a time: {count}{places}.",
)
_OTHER_PLACES = Kind(
    "STYLE_DROPPED", "Subtitles with a position of their own are at the bottom in the result: {count}{places}."
)
_SLACK = 40
"""Milliseconds: a frame at 25 a second."""
_READING = OptionGroups("ReadingSubtitles", (Timing, FrameRate))
_LANGUAGE = re.compile(r"(?:^|[._ -])([A-Za-z]{2,3})(?:[-_][A-Za-z]{2,4})?$")
_CODES = frozenset(THREE_LETTERS.values())


@dataclass(frozen=True)
class Added:
    """A subtitle file that is ready for ffmpeg: its name in the ZIP, its path, and the times and places of its cues."""

    name: str
    path: Path
    cues: Sequence[tuple[int, int, int]]

    @property
    def language(self) -> str | None:
        """The language that its name ends in, as in `film.de.srt`, in three letters (ISO 639-2)."""
        found = _LANGUAGE.search(PurePosixPath(self.name).stem)
        code = found[1].lower() if found else ""
        return THREE_LETTERS.get(code) or (code if code in _CODES else None)


def has_film(source: Path, films: Sequence[Format]) -> bool:
    """Whether the archive holds a film."""
    archive.preflight(source)
    with zipfile.ZipFile(source) as files:
        return bool(members.of_formats(files, frozenset(films))[0])


@contextmanager
def film_of(source: Path, films: Sequence[Format]) -> Iterator[Path | None]:
    """In the block, the first film of the archive is a file beside it; None if it holds none."""
    archive.preflight(source)
    with zipfile.ZipFile(source) as files:
        found, _ = members.of_formats(files, frozenset(films))
        if not found:
            yield None
            return
        path = _extracted(files, *found[0], source)
    try:
        yield path
    finally:
        path.unlink()


def add(source: Path, target: Path, films: Sequence[Format], texts: Sequence[Format], options: Any, warn: Warn) -> None:
    """Write the film of the archive `source` with its subtitles as tracks that viewers can turn on and off.

    Pictures and sound are copied. Raises Unreadable for an archive without exactly one film or without subtitles, for a
    film whose streams the output can't hold and for unreadable subtitles, and OverLimit for too many of them.
    """
    archive.preflight(source)
    container = CONTAINERS[target.suffix[1:]]
    with zipfile.ZipFile(source) as files:
        found, others = members.of_formats(files, frozenset((*films, *texts)))
        videos = [each for each in found if each[1] in films]
        subtitles = [each for each in found if each[1] in texts]
        if len(videos) != 1:
            raise Unreadable(
                say("The ZIP has {count} videos. Put one video and its subtitles into it.", count=len(videos)),
                reason="empty" if not videos else "limit",
            )
        if not subtitles:
            raise Unreadable("The ZIP has no subtitles. Put an SRT, VTT or ASS file into it.", reason="empty")
        if len(subtitles) > MOST_TRACKS:
            raise OverLimit("limit", say("The ZIP has more than {most} subtitle files.", most=MOST_TRACKS))
        warn.tally(_OTHERS, len(others), others)
        copied = _copied(files, *videos[0], source, target, warn)
        video = written(copied, container.demuxer).first("video")
        rate = video.rate if video is not None else None
        added = [
            _prepared(files, *each, number, source, container, rate, options, warn)
            for number, each in enumerate(subtitles)
        ]
    _check_late(added, written(copied, container.demuxer).duration)
    _mux(copied, added, target, container, warn)
    copied.unlink()
    _check(target, added, container, warn)


def _check_late(added: Sequence[Added], seconds: float) -> None:
    """Raise OverLimit if too many subtitles start after the video: all wait in memory for its last packet."""
    late = sum(start > seconds * 1000 for each in added for start, *_ in each.cues)
    if late > _MOST_LATE:
        raise OverLimit(
            "limit",
            say(
                "{count} subtitles start after the end of the video. The limit is {most}.", count=late, most=_MOST_LATE
            ),
        )


def _copied(
    files: zipfile.ZipFile, entry: zipfile.ZipInfo, format: Format, source: Path, target: Path, warn: Warn
) -> Path:
    """The film alone, copied into the container of the output."""
    original = _extracted(files, entry, format, source)
    path = target.with_name(f"copied{target.suffix}")
    options = FILM.options(video_codec="copy", audio_codec="copy")
    try:
        film.convert(original, path, options, warn)
    except InvalidOption as error:
        raise Unreadable(
            say(
                "{name} can't be copied to {output}: {reason} Convert it first, or add the subtitles to an MKV file.",
                name=entry.filename,
                output=target.suffix[1:].upper(),
                reason=error.message,
            ),
            reason="unsupported_feature",
        ) from error
    balance.check(original, path, options, warn)
    original.unlink()
    return path


def _extracted(files: zipfile.ZipFile, entry: zipfile.ZipInfo, format: Format, source: Path) -> Path:
    """A file of the archive, written beside it under a name of our own."""
    path = source.with_name(f"member.{format.id}")
    with files.open(entry) as member, path.open("wb") as file:
        shutil.copyfileobj(member, file)
    return path


def _prepared(
    files: zipfile.ZipFile,
    entry: zipfile.ZipInfo,
    format: Format,
    number: int,
    source: Path,
    container: Container,
    rate: float | None,
    options: Any,
    warn: Warn,
) -> Added:
    """The subtitles as UTF-8: SubStation Alpha as it is for Matroska, everything else as SubRip."""
    original = _extracted(files, entry, format, source)
    styled = format is ASS and container.muxer == "matroska" and not options.shift
    path = source.with_name(f"added-{number}.{(ASS if styled else SRT).id}")
    plain = source.with_name("counted.srt") if styled else path
    told = Warn() if styled else warn
    given = _READING.options(encoding=options.encoding, shift=options.shift)
    try:
        try:
            exchange.convert(original, plain, format, SRT, given, told)
        except InvalidOption:  # its times are frames, and it doesn't say how many are in a second
            exchange.convert(original, plain, format, SRT, replace(given, fps=rate), told)
    except Unreadable as error:
        raise Unreadable(
            say("{name}: {reason}", name=entry.filename, reason=error.message), line=error.line, reason=error.reason
        ) from error
    cues = exchange.places(plain)
    if styled:
        path.write_text(encodings.read(original.read_bytes(), warn, option=options.encoding), "utf-8", newline="")
    return Added(entry.filename, path, cues)


def _mux(copied: Path, added: Sequence[Added], target: Path, container: Container, warn: Warn) -> None:
    own = len(written(copied, container.demuxer).every("subtitle"))
    command = program.reading(container.demuxer, copied.name)
    for each in added:
        command += program.reading(each.path.suffix[1:], each.path.name)
    command += ["-map", "0"]
    for number in range(1, len(added) + 1):
        command += ["-map", str(number)]
    command += ["-c", "copy"]
    for number, each in enumerate(added, own):
        codec = "ass" if each.path.suffix == ".ass" else str(container.subtitles)
        command += [f"-c:s:{number}", codec]
        if each.language:
            command += [f"-metadata:s:s:{number}", f"language={each.language}"]
        command += [f"-metadata:s:s:{number}", f"title={PurePosixPath(each.name).stem}"]
        command += [f"-disposition:s:{number}", "default" if number == own else "0"]
    command += [*container.arguments, *recording.EXACT, "-f", container.muxer, f"file:{target.name}"]
    program.run(target.parent, command)


def _check(target: Path, added: Sequence[Added], container: Container, warn: Warn) -> None:
    """Count the subtitles of each track that was added, read back by ffmpeg."""
    tracks = written(target, container.demuxer, decoding=True).every("subtitle")[-len(added) :]
    for each, track in zip(added, tracks, strict=True):
        read = target.with_name("read-back.srt")
        opened = program.reading(container.demuxer, target.name)
        program.run(target.parent, [*opened, "-map", f"0:{track.number}", "-c:s", "subrip", f"file:{read.name}"])
        found = exchange.places(read)
        kind = Kind(_FEWER.code, _FEWER.template, (("name", each.name), ("promised", len(each.cues))))
        warn.tally(kind, len(each.cues) - len(found))
        pairs = [*zip(each.cues, found, strict=False)]
        moved = [
            one for one, other in pairs if max(abs(a - b) for a, b in zip(one[:2], other[:2], strict=True)) > _SLACK
        ]
        warn.tally(_OTHER_TIMES, len(moved), (f"{one[0] / 1000:g} s" for one in moved))
        placed = [one for one, other in pairs if one[2] != other[2] and each.path.suffix != ".ass"]
        warn.tally(_OTHER_PLACES, len(placed), (f"{one[0] / 1000:g} s" for one in placed))
        read.unlink()
