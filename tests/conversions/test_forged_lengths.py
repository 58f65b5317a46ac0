"""Media is charged by minutes written, at most those in its packets, whatever its header says."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest

from conversions.models import Conversion
from conversions.work import pipeline, runner
from engine.families.media import probe
from engine.families.registry import CONVERTERS
from engine.toolkit.options import build
from engine.toolkit.warnings import Warn
from tests.conftest import Person
from tests.families.media import files
from tests.families.media.forged_lengths import FORGED, forged_rate

LONG, SHORT = 130.0, 30.0
BY_HEAD = ["flac", "m4a, head", "mkv", "mp3", "ogg"]
BY_PACKETS = "m4a, packets"


def converted(
    person: Person, extension: str, content: bytes, output: str, **options: str
) -> tuple[dict[str, Any], float]:
    """The record of a conversion, of which what was charged is known to agree with it, and the length of its result."""
    before = person.account.credits
    data = person.convert(f"{extension}-to-{output}", content, **options).json()["data"]
    person.account.refresh_from_db()
    assert before - person.account.credits == data["credits"]
    assert data["credits"] == Conversion.objects.get(pk=data["id"]).credits
    return data, files.probed(person.download(data["downloadUrl"]), output).seconds


def other(extension: str) -> str:
    return "ogg" if extension == "mp3" else "mp3"


def codes(data: dict[str, Any]) -> set[str]:
    return {each["code"] for each in data["warnings"]}


@pytest.mark.parametrize("name", BY_HEAD)
def test_a_file_longer_than_its_header_says_is_charged_in_full(paying: Person, name: str) -> None:
    extension, make = FORGED[name]
    content = make(LONG, 1)
    slug = f"{extension}-to-{other(extension)}"
    tried = paying.convert(f"{slug}?dryRun=1", content).json()["data"]
    data, seconds = converted(paying, extension, content, other(extension))
    assert (tried["credits"], data["credits"], round(seconds)) == (3, 3, LONG)
    assert "DURATION_MISSTATED" in codes(data) & codes(tried)


@pytest.mark.parametrize("name", sorted(FORGED))
def test_a_file_shorter_than_its_header_says_costs_what_was_written(paying: Person, name: str) -> None:
    extension, make = FORGED[name]
    data, seconds = converted(paying, extension, make(SHORT, 3_000), other(extension))
    assert (data["credits"], seconds < 60) == (1, True)
    assert ("DURATION_MISSTATED" in codes(data)) == (name in {"flac", "mkv", "mp3", "ogg"})


def test_sound_that_a_wav_file_does_not_count_is_not_read(paying: Person) -> None:
    data, seconds = converted(paying, "wav", FORGED["wav"][1](LONG, 1), "mp3")
    assert (data["credits"], round(seconds)) == (1, 1)


def test_no_more_minutes_are_written_than_packets_claim(paying: Person) -> None:
    data, seconds = converted(paying, "m4a", FORGED[BY_PACKETS][1](LONG, 1), "mp3")
    assert (data["credits"], round(seconds)) == (1, 60)
    assert "CONTENT_DROPPED" in codes(data)
    data, seconds = converted(paying, "m4a", FORGED[BY_PACKETS][1](LONG, 1), "mp3", normalize="true")
    assert (data["credits"], round(seconds)) == (1, 60)


def test_a_copy_that_holds_more_than_its_packets_claim_is_refused(paying: Person) -> None:
    before = paying.account.credits
    answer = paying.convert("m4a-to-aac", FORGED[BY_PACKETS][1](LONG, 1))
    assert (answer.status_code, answer.json()["code"]) == (422, "UNSUPPORTED_FORMAT")
    paying.account.refresh_from_db()
    assert paying.account.credits == before


def test_a_picture_of_sound_draws_no_more_than_its_minutes(paying: Person) -> None:
    data = paying.convert("m4a-to-svg", FORGED[BY_PACKETS][1](LONG, 1)).json()["data"]
    assert data["credits"] == 1
    assert paying.convert("flac-to-svg", FORGED["flac"][1](LONG, 1)).json()["data"]["credits"] == 3


def test_all_tracks_count_not_the_first_alone(paying: Person) -> None:
    short, long = ("-f", "lavfi", "-i", "sine=d=1:r=8000"), ("-f", "lavfi", "-i", "sine=d=130:r=8000")
    film = files.made("mkv", *files.PICTURES, *short, *long, "-map", "0", "-map", "1", "-map", "2", "-c:a", "aac")
    assert converted(paying, "mkv", film, "mp4")[0]["credits"] == 3
    assert converted(paying, "mkv", film, "mp3")[0]["credits"] == 1


@pytest.mark.parametrize(
    ("seconds", "credits"),
    [(59.9, 1), (60.0, 1), (60.05, 1), (60.4, 2), (120.0, 2), pytest.param(900.0, 15, marks=pytest.mark.ci)],
)
@pytest.mark.parametrize("extension", ["mp3", "wav", "aac"])
def test_the_padding_of_a_codec_begins_no_minute(paying: Person, extension: str, seconds: float, credits: int) -> None:
    tone = files.made(
        extension, "-f", "lavfi", "-i", f"sine=d={seconds}:r=8000", *(("-f", "adts") if extension == "aac" else ())
    )
    assert converted(paying, extension, tone, other(extension))[0]["credits"] == credits


def test_a_part_and_a_pace_are_charged_as_they_are_written(paying: Person) -> None:
    tone = files.made("flac", "-f", "lavfi", "-i", f"sine=d={LONG}:r=8000")
    assert converted(paying, "flac", tone, "mp3", trimStart="10", trimEnd="71")[0]["credits"] == 2
    assert converted(paying, "flac", tone, "mp3", speed="4")[0]["credits"] == 1
    assert converted(paying, "flac", tone, "mp3", speed="0.5")[0]["credits"] == 5
    film = files.made("mp4", "-f", "lavfi", "-i", "color=c=red:s=64x48:r=1:d=50", "-c:v", "mpeg4")
    assert converted(paying, "mp4", film, "mkv", loop="3")[0]["credits"] == 3
    assert converted(paying, "mp4", film, "gif", loop="3")[0]["credits"] == 1


def test_a_rate_of_pictures_that_is_not_true_does_not_pass_the_forecast(tmp_path: Path) -> None:
    (tmp_path / "input.mkv").write_bytes(forged_rate(50, claimed=1))
    film = probe.probe(tmp_path / "input.mkv").first("video")
    assert film is not None
    assert 40 < film.rate <= 50  # its last picture is shown for as long as the head says


@pytest.mark.parametrize("claimed", [7, 0, -3, "2", 2.0, True, None])
def test_a_child_s_report_can_only_lower_the_minutes(claimed: Any) -> None:
    facts = {} if claimed is None else {"minutes": claimed}
    outcome = dataclasses.replace(_outcome(), detected=facts)
    assert pipeline.minutes_written(outcome, agreed=3) == 3
    assert pipeline.minutes_written(dataclasses.replace(outcome, detected={"minutes": 2}), agreed=3) == 2


def _outcome() -> runner.Outcome:
    converter = CONVERTERS["wav-to-mp3"]
    return runner.Outcome(None, 0, converter.output, (), {}, converter, 0.0, 0.0)  # type: ignore[arg-type]


def test_a_header_off_by_less_than_a_minute_gives_no_warning(tmp_path: Path) -> None:
    converter = CONVERTERS["mkv-to-mp3"]
    for claimed, warned in ((SHORT + 59, False), (SHORT + 61, True)):
        (tmp_path / "input.mkv").write_bytes(FORGED["mkv"][1](SHORT, claimed))
        warn = Warn()
        converter.run(tmp_path / "input.mkv", tmp_path / "output.mp3", build(converter.options, {}), warn)
        assert ("DURATION_MISSTATED" in {each.code for each in warn.warnings}) == warned
