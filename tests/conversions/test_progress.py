"""Progress of a conversion: only for its sender, under an id they chose."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext

from conversions.progress import following
from engine.toolkit.progress import Progress
from tests.conftest import Person, with_key
from tests.conversions.samples import PEOPLE, pdf
from tests.conversions.test_convert import SLUG, refused

ID = "0f8c2b9e-progress_1"
HEADER = {"X-Progress-Id": ID}


def ask(person: Person, id: str = ID) -> Any:
    return person.get(f"/converter/progress/{id}")


def test_only_the_owner_sees_that_a_conversion_has_ended(paying: Person, other: Person, guest: Person) -> None:
    assert paying.convert(SLUG, PEOPLE, headers=HEADER).status_code == 201
    answer = ask(paying)
    assert answer.json()["data"] == {"state": "done", "done": None, "total": None, "unit": None}
    assert answer["Cache-Control"] == "private, no-store"
    assert ask(with_key(paying.account)).json()["data"]["state"] == "done"
    for stranger in (other, guest):
        refused(ask(stranger), 404, "NOT_FOUND")


def session(person: Person) -> None:
    """A session of the page's, as one that has results in it."""
    person.client.cookies.pop(settings.SESSION_COOKIE_NAME, None)
    begun = person.client.session
    begun["results"] = []
    begun.save()


def test_a_guest_is_known_by_session_and_one_without_by_address(guest: Person) -> None:
    assert guest.convert(SLUG, PEOPLE, headers=HEADER).status_code == 201
    session(guest)
    assert ask(guest).json()["data"]["state"] == "done"
    within = "within-a-session-1"
    assert guest.convert(SLUG, PEOPLE, headers={"X-Progress-Id": within}).status_code == 201
    assert ask(guest, within).json()["data"]["state"] == "done"
    session(guest)
    refused(ask(guest, within), 404, "NOT_FOUND")
    elsewhere = guest.client.get(f"/api/v1/converter/progress/{ID}", REMOTE_ADDR="203.0.113.9")
    refused(elsewhere, 404, "NOT_FOUND")


def test_a_conversion_that_failed_says_so(paying: Person) -> None:
    refused(paying.convert(SLUG, b"[{", headers=HEADER), 422, "UNSUPPORTED_FORMAT")
    assert ask(paying).json()["data"]["state"] == "failed"


@pytest.mark.parametrize("id", ["short", "x" * 65, "white space of some length", "ünïcödé-of-some-length"])
def test_an_id_of_another_shape_is_refused_and_unknown(paying: Person, id: str) -> None:
    refused(paying.convert(SLUG, PEOPLE, headers={"X-Progress-Id": id}), 400, "VALIDATION_ERROR")
    refused(ask(paying, id), 404, "NOT_FOUND")


def test_an_id_that_was_never_sent_is_unknown_and_a_bad_credential_is_refused(paying: Person) -> None:
    refused(ask(paying), 404, "NOT_FOUND")
    answer = paying.client.get(f"/api/v1/converter/progress/{ID}", headers={"Authorization": "Bearer fc_wrong"})
    refused(answer, 401, "UNAUTHORIZED")


def test_without_a_progress_id_nothing_is_stored(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    names: list[str] = []
    real = cache.set

    def kept(name: str, *rest: Any, **more: Any) -> None:
        names.append(name)
        real(name, *rest, **more)

    monkeypatch.setattr(cache, "set", kept)
    with CaptureQueriesContext(connection) as plain:
        assert paying.convert(SLUG, PEOPLE).status_code == 201
    assert not [each for each in names if "progress" in each]
    with CaptureQueriesContext(connection) as followed:
        assert paying.convert(SLUG, PEOPLE, headers=HEADER).status_code == 201
    assert len(followed) <= len(plain)
    assert [each for each in names if "progress" in each]


@pytest.mark.ci
def test_a_long_job_reports_progress_while_it_runs(live_server: Any, guest: Person) -> None:
    """Real HTTP, the real sandbox and a page after the other: the client asks as it would anywhere."""
    import httpx

    pages = pdf(30, 595, 842)
    seen: list[dict[str, Any]] = []
    address = f"{live_server.url}/api/v1/converter"
    with httpx.Client(timeout=120) as client:
        over = threading.Event()
        answers: list[httpx.Response] = []

        def send() -> None:
            sent = {"files": {"file": ("book.pdf", pages)}, "data": {"dpi": "300"}}
            answers.append(httpx.post(f"{address}/pdf-to-png", **sent, headers=HEADER, timeout=120))
            over.set()

        sender = threading.Thread(target=send)
        sender.start()
        while not over.wait(0.2):
            answer = client.get(f"{address}/progress/{ID}")
            if answer.status_code == 200:
                seen.append(answer.json()["data"])
        sender.join()
        seen.append(client.get(f"{address}/progress/{ID}").json()["data"])
    assert answers[0].status_code == 201
    assert (seen[0]["state"], seen[-1]["state"]) == ("working", "done")
    counted = [each["done"] for each in seen if each["unit"] == "pages"]
    assert counted == sorted(counted)
    assert len(set(counted)) >= 3
    assert seen[-1]["done"] == seen[-1]["total"] == 30


def test_progress_is_written_at_most_twice_a_second(monkeypatch: pytest.MonkeyPatch) -> None:
    written: list[Any] = []
    monkeypatch.setattr(cache, "set", lambda name, value, timeout: written.append(dict(value)))
    kept = following._Kept("progress:test")
    for done in range(1000):
        kept.on_progress(Progress(done, 1000, "pages"))
    kept.end("done")
    assert [each["done"] for each in written] == [None, 0, 1000]


PHASES = [
    *((Progress(done, 1_000, "bytes"), (done, 1_000)) for done in (0, 500)),
    (Progress(400, 1_000, "bytes"), (500, 1_000)),  # read a second time
    (Progress(1, 10, "pages"), (500, 1_000)),  # the next phase begins at a tenth
    (Progress(6, 10, "pages"), (6, 10)),
    (Progress(7, 20, "pages"), (6, 10)),  # more pages than were known
    (Progress(13, None, "pages"), (6, 10)),
    (Progress(13, 20, "pages"), (13, 20)),
]


def test_progress_never_goes_back(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "EVERY", 0.0)
    kept = following._Kept("progress:test")
    for said, shown in PHASES:
        kept.on_progress(said)
        found = cache.get("progress:test")
        assert (found["done"], found["total"]) == shown


@pytest.mark.parametrize(("state", "shown"), [("working", 700), ("failed", None)])
def test_a_request_that_is_sent_again_goes_on_from_what_its_id_has_reached(
    db: None, monkeypatch: pytest.MonkeyPatch, state: Any, shown: int | None
) -> None:
    monkeypatch.setattr(following, "EVERY", 0.0)
    first = following._Kept("progress:test")
    first.on_progress(Progress(700, 1_000, "bytes"))
    if state == "failed":
        first.end(state)
    again = following._Kept("progress:test")
    assert cache.get("progress:test")["done"] == shown
    again.on_progress(Progress(100, 1_000, "bytes"))
    assert cache.get("progress:test")["done"] == (shown or 100)


def test_of_two_conversions_with_one_id_readers_see_the_later_one(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(following, "EVERY", 0.0)
    first, second = following._Kept("progress:test"), following._Kept("progress:test")
    seen = []
    for kept, done in ((first, 10), (second, 20), (first, 15), (second, 30), (first, 100)):
        kept.on_progress(Progress(done, 100, "pages"))
        seen.append(cache.get("progress:test")["done"])
    first.end("done")
    seen.append(cache.get("progress:test")["done"])
    assert seen == [None, 20, 20, 30, 30, 30]
    second.end("failed")
    assert cache.get("progress:test")["state"] == "failed"


@pytest.mark.parametrize(
    ("before", "after", "goes_on"),
    [
        (Progress(5, None, "rows"), Progress(1, 10, "pages"), True),
        (Progress(5, None, "rows"), Progress(1, None, "pages"), True),
        (Progress(5, None, "rows"), Progress(4, None, "rows"), False),
        (Progress(5, None, "rows"), Progress(4, 8, "rows"), False),
        (Progress(5, 10, "rows"), Progress(9, None, "pages"), False),
        (Progress(5, 10, "rows"), Progress(5, 10, "rows"), True),
    ],
)
def test_what_goes_on(before: Progress, after: Progress, goes_on: bool) -> None:
    assert after.goes_on(before) == goes_on
