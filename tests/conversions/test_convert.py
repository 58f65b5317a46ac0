"""POST /converter/<slug>: checks and their order, responses, and cost."""

from __future__ import annotations

import hashlib
import io
from typing import Any
from urllib.parse import quote, unquote

import pypdf
import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db.models import Sum
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart
from django.utils import timezone

from accounts.credits import jobslots, ledger
from accounts.credits.payers import GuestPayer, UserPayer
from accounts.models import CreditEntry, GuestDay, LimitOverride, Plan, User
from conversions.models import Conversion
from conversions.work import runner, statistics
from storage.models import StoredFile
from tests.conftest import Person, make_user, with_token
from tests.conversions.samples import INVOICE, PEOPLE, PEOPLE_CSV, PNG

FIELDS = {
    "id", "slug", "status", "inputName", "inputBytes", "outputName", "outputBytes", "contentType", "sha256", "options",
    "detected", "engine", "warnings", "credits", "durationMs", "createdAt", "expiresAt", "downloadUrl",
}  # fmt: skip
SLUG = "json-to-csv"


def refused(answer: Any, status: int, code: str) -> dict[str, Any]:
    body: dict[str, Any] = answer.json()
    assert (answer.status_code, body["code"]) == (status, code), body
    return body


def nothing_happened() -> bool:
    return not (
        StoredFile.objects.exists()
        or CreditEntry.objects.filter(kind="conversion").exists()
        or GuestDay.objects.filter(used__gt=0).exists()
        or Conversion.objects.filter(status="completed").exists()
    )


def test_a_conversion_is_a_record_with_the_file_behind_its_url(program: Person) -> None:
    answer = program.convert(SLUG, PEOPLE, "People list.JSON")
    assert answer.status_code == 201
    data = answer.json()["data"]
    assert data.keys() == FIELDS
    assert (data["slug"], data["status"], data["credits"]) == (SLUG, "completed", 1)
    assert (data["inputName"], data["outputName"]) == ("People list.JSON", "People list.csv")
    assert (data["inputBytes"], data["outputBytes"]) == (len(PEOPLE), len(PEOPLE_CSV))
    assert data["contentType"] == "text/csv"
    assert data["options"]["delimiter"] == ","
    assert data["createdAt"].endswith("Z")
    content = program.download(data["downloadUrl"])
    assert content == PEOPLE_CSV
    assert data["sha256"] == hashlib.sha256(content).hexdigest()


def test_a_guest_converts_without_credentials(guest: Person) -> None:
    answer = guest.convert(SLUG, PEOPLE)
    assert answer.status_code == 201
    assert answer.json()["data"]["credits"] == 0
    assert guest.download(answer.json()["data"]["downloadUrl"]) == PEOPLE_CSV
    assert guest.get("/converter/guest-quota").json()["data"]["used"] == 1


@pytest.mark.parametrize("stem", ["报告 2026", "تقرير", "отчёт", "📊 numbers 👩🏽‍💻", 'a;b="c" %41'])
def test_a_file_name_in_any_script_is_preserved(guest: Person, stem: str) -> None:
    data = guest.convert(SLUG, PEOPLE, f"{stem}.json").json()["data"]
    assert (data["inputName"], data["outputName"]) == (f"{stem}.json", f"{stem}.csv")
    header = guest.client.get(data["downloadUrl"])["Content-Disposition"]
    # RFC 6266, section 4.3: the extended parameter carries the name, percent-encoded as in RFC 8187.
    assert unquote(header.partition("filename*=UTF-8''")[2]) == f"{stem}.csv"


EVIL_NAMES = [
    ".env.json", ".json", "日" * 150 + ".json", "👩‍🚀" * 25 + ".json", "e\u0301le\u0300ve.json", "a\u202enosj.exe.json",
    "a\x00b.json", "a\r\nX-Evil: 1.json", "../../etc/x.json", "..\\..\\x.json", "a/b.json", "x" * 900 + ".json",
    "CON.json", "nul.json", "name. .json", " . a .json", "a\u2028b\u00a0c.json", 'q"\\;%41.json', "...json",
]  # fmt: skip


@pytest.mark.parametrize("name", EVIL_NAMES)
def test_the_record_and_the_download_give_one_name(guest: Person, name: str) -> None:
    # As browsers write it, and where that can't be, as RFC 7578 takes from RFC 5987.
    encoded = f'filename="{name}"' if name.isprintable() and '"' not in name else f"filename*=UTF-8''{quote(name)}"
    head = f'--b\r\nContent-Disposition: form-data; name="file"; {encoded}\r\n\r\n'.encode()
    body = head + PEOPLE + b"\r\n--b--\r\n"
    path = f"/api/v1/converter/{SLUG}"
    answer = guest.client.generic("POST", path, body, content_type="multipart/form-data; boundary=b")
    assert answer.status_code == 201, answer.json()
    data = answer.json()["data"]
    header = guest.client.get(data["downloadUrl"])["Content-Disposition"]
    plain, extended = header.partition('filename="')[2].partition('"')[0], header.partition("filename*=UTF-8''")[2]
    given = unquote(extended, errors="strict") if extended else plain
    assert given == data["outputName"]
    assert given.endswith(".csv")
    assert not given.startswith(".")
    assert len(given.encode()) <= 255
    assert given.isprintable() or "\u200d" in given
    assert not set("/\\") & set(given)
    assert "/" not in data["inputName"]


def test_a_pdf_costs_two_credits_and_is_a_pdf(paying: Person) -> None:
    answer = paying.convert("html-to-pdf", INVOICE, pageSize="A5", footerText="{page}/{pages}")
    assert answer.status_code == 201, answer.json()
    data = answer.json()["data"]
    assert (data["credits"], data["options"]["pageSize"]) == (2, "A5")
    assert answer["X-Credits-Remaining"] == "9998"
    content = paying.download(data["downloadUrl"])
    page = pypdf.PdfReader(io.BytesIO(content)).pages[0]
    assert (round(page.mediabox.width), round(page.mediabox.height)) == (420, 595)
    assert "19.00" in page.extract_text()


def test_every_response_has_the_rate_limit_and_for_accounts_the_credits(paying: Person, guest: Person) -> None:
    for number, answer in enumerate((paying.convert(SLUG, PEOPLE), paying.convert(SLUG, b"{")), start=1):
        assert (answer["RateLimit-Limit"], answer["RateLimit-Remaining"]) == ("300", str(300 - number))
        assert 1 <= int(answer["RateLimit-Reset"]) <= 61
        assert answer["X-Credits-Remaining"] == "9999"
    for answer in (guest.convert(SLUG, PEOPLE), guest.convert("no-to-where", b"")):
        assert answer["RateLimit-Limit"] == "30"
        assert "X-Credits-Remaining" not in answer


@pytest.mark.parametrize(
    "slug", ["json-to-nothing", "json-to-json-to-csv", "csv", "no-to-where", "-to-", "json-to-", "x" * 300]
)
def test_an_unknown_slug(guest: Person, slug: str) -> None:
    refused(guest.convert(slug, PEOPLE), 404, "UNKNOWN_CONVERSION")


def test_a_slug_may_be_spelled_with_another_extension_of_its_formats(guest: Person) -> None:
    answer = guest.convert("htm-to-pdf", INVOICE, "page.htm")
    assert (answer.status_code, answer.json()["data"]["slug"]) == (201, "html-to-pdf")


def test_a_bad_credential_never_falls_back_to_guest(guest: Person) -> None:
    for header in ("Bearer nonsense", "Bearer fc_nonsense", "Basic YTpi"):
        answer = guest.convert(SLUG, PEOPLE, headers={"Authorization": header})
        refused(answer, 401, "UNAUTHORIZED")
    assert nothing_happened()


def test_a_form_without_a_file(guest: Person) -> None:
    refused(guest.client.post(f"/api/v1/converter/{SLUG}", {"delimiter": ";"}), 400, "NO_FILE")
    refused(guest.client.post(f"/api/v1/converter/{SLUG}", {"file": "text, not a file"}), 400, "NO_FILE")
    refused(guest.client.post(f"/api/v1/converter/{SLUG}"), 400, "NO_FILE")


def test_a_file_in_another_field_is_no_file(guest: Person) -> None:
    answer = guest.client.post(f"/api/v1/converter/{SLUG}", {"upload": SimpleUploadedFile("a.json", PEOPLE)})
    refused(answer, 400, "NO_FILE")


@pytest.mark.parametrize("second", ["file", "other"])
def test_more_than_one_file(guest: Person, second: str) -> None:
    body = encode_multipart(
        BOUNDARY,
        {"file": [SimpleUploadedFile("a.json", PEOPLE)] + [SimpleUploadedFile("b.json", PEOPLE)] * (second == "file"),
         **({"other": SimpleUploadedFile("b.json", PEOPLE)} if second == "other" else {})},
    )  # fmt: skip
    answer = guest.client.generic("POST", f"/api/v1/converter/{SLUG}", body, content_type=MULTIPART_CONTENT)
    refused(answer, 400, "UNEXPECTED_FILE")
    assert nothing_happened()


def test_twenty_files_are_more_than_one(guest: Person) -> None:
    files = {f"f{number}": SimpleUploadedFile("a.json", PEOPLE) for number in range(20)}
    answer = guest.client.post(f"/api/v1/converter/{SLUG}", {"file": SimpleUploadedFile("a.json", PEOPLE), **files})
    refused(answer, 400, "UNEXPECTED_FILE")


def _body() -> bytes:
    return encode_multipart(BOUNDARY, {"file": SimpleUploadedFile("a.json", PEOPLE)})


@pytest.mark.parametrize(
    ("body", "content_type"),
    [
        (_body()[:-20], MULTIPART_CONTENT),
        (_body()[: len(_body()) // 2], MULTIPART_CONTENT),
        (_body(), "multipart/form-data"),
        (_body(), "multipart/form-data; boundary="),
        (_body(), "multipart/form-data; boundary=other"),
        (b"no boundary in here", MULTIPART_CONTENT),
        (b"\x00" * 100, MULTIPART_CONTENT),
    ],
)
def test_a_malformed_upload(guest: Person, body: bytes, content_type: str) -> None:
    answer = guest.client.generic("POST", f"/api/v1/converter/{SLUG}", body, content_type=content_type)
    refused(answer, 400, "UPLOAD_ERROR")
    assert nothing_happened()


def test_fields_that_are_too_large_or_too_many(guest: Person) -> None:
    file = SimpleUploadedFile("a.json", PEOPLE)
    refused(guest.client.post(f"/api/v1/converter/{SLUG}", {"file": file, "x": "y" * 1_050_000}), 400, "UPLOAD_ERROR")
    many = {f"f{number}": "x" for number in range(300)}
    refused(guest.client.post(f"/api/v1/converter/{SLUG}", {**many}), 400, "UPLOAD_ERROR")


def test_a_guest_s_file_over_five_megabytes(guest: Person) -> None:
    exact = b"[" + b" " * 4_999_998 + b"]"
    assert guest.convert(SLUG, exact).status_code in (201, 422)
    body = refused(guest.convert(SLUG, exact + b" "), 413, "GUEST_FILE_TOO_LARGE")
    assert body["meta"]["limitBytes"] == 5_000_000
    assert body["meta"]["receivedBytes"] > 5_000_000


def test_an_account_s_file_larger_than_its_plan_allows(free: Person) -> None:
    body = refused(free.convert(SLUG, b" " * 10_000_001), 413, "FILE_TOO_LARGE")
    assert body["meta"]["limitBytes"] == 10_000_000


def test_an_override_of_the_file_size_counts(free: Person) -> None:
    LimitOverride.objects.create(user=free.account, max_file_bytes=50)
    refused(free.convert(SLUG, b" " * 51), 413, "FILE_TOO_LARGE")


def test_two_small_files_that_are_too_large_together_are_too_large(free: Person) -> None:
    halves = [SimpleUploadedFile("a.json", b" " * 6_000_000), SimpleUploadedFile("b.json", b" " * 6_000_000)]
    answer = free.client.post(f"/api/v1/converter/{SLUG}", {"file": halves}, headers=free.headers)
    refused(answer, 413, "FILE_TOO_LARGE")


@pytest.mark.parametrize("name", ["a.exe", "a", "a.", "a.json.zzz", "a.rar", "archive.pptx2", "json"])
def test_an_extension_that_no_conversion_takes(guest: Person, name: str) -> None:
    body = refused(guest.convert(SLUG, PEOPLE, name), 400, "UNSUPPORTED_FILE_TYPE")
    assert body["meta"]["expected"] == ["json", "json.gz"]


def test_the_extension_of_another_format_suggests_conversions_that_accept_it(guest: Person) -> None:
    body = refused(guest.convert(SLUG, INVOICE, "a.html"), 422, "UNSUPPORTED_FORMAT")
    assert body["meta"]["expected"] == ["json", "json.gz"]
    assert "html-to-pdf" in body["meta"]["alternatives"]


@pytest.mark.parametrize("name", ["a.JSON", "a.Json", "ä ö.json", "a.b.c.json", ".json"])
def test_extensions_are_case_insensitive(guest: Person, name: str) -> None:
    assert guest.convert(SLUG, PEOPLE, name).status_code == 201


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"delimiter": ""}, "delimiter"),
        ({"delimiter": ";;"}, "delimiter"),
        ({"delimiter": '"'}, "delimiter"),
        ({"delimiter": "\r"}, "delimiter"),
        ({"delimiter": "\n"}, "delimiter"),
        ({"header": "perhaps"}, "header"),
        ({"nonsense": "1"}, "nonsense"),
        ({"Delimiter": ";"}, "Delimiter"),
    ],
)
def test_an_option_that_does_not_fit_is_named(guest: Person, fields: dict[str, str], field: str) -> None:
    body = refused(guest.convert(SLUG, PEOPLE, headers=None, **fields), 400, "VALIDATION_ERROR")
    assert {each["field"] for each in body["details"]} == {field}
    assert nothing_happened()


@pytest.mark.parametrize(
    ("slug", "field"), [("png-to-bmp", "background"), ("png-to-ico", "sizes"), ("json-to-xml", "root")]
)
def test_an_empty_text_is_refused_where_the_pattern_has_none(guest: Person, slug: str, field: str) -> None:
    answer = guest.convert(slug, PNG if slug.startswith("png") else PEOPLE, **{field: ""})
    assert (answer.status_code, answer.json()["code"]) == (400, "VALIDATION_ERROR")
    assert [each["field"] for each in answer.json()["details"]] == [field]


def test_an_option_that_is_sent_twice(guest: Person) -> None:
    data = {"file": SimpleUploadedFile("a.json", PEOPLE), "delimiter": [";", ","]}
    body = refused(guest.client.post(f"/api/v1/converter/{SLUG}", data), 400, "VALIDATION_ERROR")
    assert body["details"][0]["field"] == "delimiter"


def test_a_tab_is_a_delimiter(guest: Person) -> None:
    answer = guest.convert(SLUG, PEOPLE, delimiter="\t", header="false")
    assert answer.json()["data"]["options"]["delimiter"] == "\t"
    assert guest.download(answer.json()["data"]["downloadUrl"]).startswith(b"1\tAda\t")


@pytest.mark.parametrize(
    ("slug", "content", "name"),
    [
        (SLUG, b"", "empty.json"),
        ("html-to-pdf", b"", "empty.html"),
        ("html-to-pdf", PNG, "picture.html"),
        (SLUG, PNG, "picture.json"),
        (SLUG, b'{"a": ', "half.json"),
    ],
)
def test_content_that_does_not_match_its_extension_costs_nothing(
    paying: Person, slug: str, content: bytes, name: str
) -> None:
    body = refused(paying.convert(slug, content, name), 422, "UNSUPPORTED_FORMAT")
    assert body["details"][0]["field"] == "file"
    assert nothing_happened()
    failed = Conversion.objects.get()
    assert (failed.status, failed.error_code, failed.credits) == ("failed", "UNSUPPORTED_FORMAT", 0)


def test_a_parse_error_has_its_position(guest: Person) -> None:
    body = refused(guest.convert(SLUG, b'[{"a": 1},\n {"a": ???}]'), 422, "UNSUPPORTED_FORMAT")
    assert (body["details"][0]["line"], body["details"][0]["column"]) == (2, 8)


@pytest.mark.parametrize(
    ("failure", "reason"),
    [(runner.OverTime, "timeout"), (runner.OverMemory, "memory"), (runner.OverOutput, "output")],
)
def test_work_beyond_the_limits_of_the_sandbox(
    paying: Person, monkeypatch: pytest.MonkeyPatch, failure: type[Exception], reason: str
) -> None:
    def convert(*args: object, **kwargs: object) -> None:
        raise failure("The work takes too much.")

    monkeypatch.setattr(runner, "convert", convert)
    body = refused(paying.convert(SLUG, PEOPLE), 422, "UNSUPPORTED_FORMAT")
    assert body["meta"]["reason"] == reason
    assert nothing_happened()


def test_a_crashed_converter_is_a_500_and_costs_nothing(paying: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    def convert(*args: object, **kwargs: object) -> None:
        raise runner.Crashed("signal 11 in /usr/lib/x.so")

    monkeypatch.setattr(runner, "convert", convert)
    body = refused(paying.convert(SLUG, PEOPLE), 500, "INTERNAL_ERROR")
    assert "signal" not in body["message"]
    assert nothing_happened()
    assert Conversion.objects.get().error_code == "INTERNAL_ERROR"


def test_too_few_credits(free: Person) -> None:
    ledger.charge(free.account, 99, reference=Conversion().id, reason="earlier")
    body = refused(free.convert("html-to-pdf", INVOICE), 402, "PAYMENT_REQUIRED")
    assert (body["meta"]["requiredCredits"], body["meta"]["remainingCredits"]) == (2, 1)
    assert body["meta"]["resetsAt"].endswith("Z")
    assert free.convert(SLUG, PEOPLE).status_code == 201
    refused(free.convert(SLUG, PEOPLE), 402, "PAYMENT_REQUIRED")
    assert CreditEntry.objects.filter(user=free.user).aggregate(total=Sum("amount"))["total"] == 0


def test_a_guest_s_quota(guest: Person) -> None:
    Plan.objects.filter(code="guest").update(credits=2)
    assert [guest.convert(SLUG, PEOPLE).status_code for _ in range(2)] == [201, 201]
    body = refused(guest.convert(SLUG, PEOPLE), 403, "GUEST_QUOTA_EXCEEDED")
    assert body["meta"]["limit"] == 2
    assert body["meta"]["resetsAt"].endswith("Z")
    quota = guest.get("/converter/guest-quota").json()["data"]
    failed = {"limit": 180, "used": 0.0, "remaining": 180.0, "resetsAt": quota["resetsAt"]}
    assert quota == {
        "limit": 2,
        "used": 2,
        "remaining": 0,
        "resetsAt": quota["resetsAt"],
        "maxFileBytes": 5_000_000,
        "failedSeconds": failed,
    }


def test_a_failure_does_not_count_against_the_quota(guest: Person) -> None:
    guest.convert(SLUG, b"{")
    assert guest.get("/converter/guest-quota").json()["data"]["used"] == 0


def test_a_guest_s_quota_is_stored_under_a_hash(guest: Person) -> None:
    guest.convert(SLUG, PEOPLE)
    assert len(GuestDay.objects.get().guest) == 64


@pytest.mark.usefixtures("one_window")
def test_the_rate_limit_is_exact_and_says_how_long_to_wait(paying: Person) -> None:
    LimitOverride.objects.create(user=paying.account, requests_per_minute=3)
    statuses = [paying.convert(SLUG, PEOPLE).status_code for _ in range(3)]
    body = refused(last := paying.convert(SLUG, PEOPLE), 429, "TOO_MANY_REQUESTS")
    assert statuses == [201] * 3
    assert body["meta"]["limit"] == 3
    assert int(last["Retry-After"]) == int(last["RateLimit-Reset"]) >= 1
    assert last["RateLimit-Remaining"] == "0"


def test_concurrent_jobs_are_limited_and_slots_are_freed(paying: Person) -> None:
    payer = UserPayer(User.objects.get(pk=paying.account.pk))
    LimitOverride.objects.create(user=paying.account, concurrent_jobs=2)
    payer = UserPayer(User.objects.get(pk=paying.account.pk))
    with jobslots.acquire(payer, seconds=20), jobslots.acquire(payer, seconds=40):
        assert paying.get("/account").json()["data"]["usage"]["jobs"] == {"limit": 2, "running": 2}
        answer = paying.convert(SLUG, PEOPLE)
        refused(answer, 429, "TOO_MANY_REQUESTS")
        assert 1 <= int(answer["Retry-After"]) <= 20
    assert paying.convert(SLUG, PEOPLE).status_code == 201
    assert jobslots.running(payer) == 0


@pytest.mark.usefixtures("one_window")
def test_the_first_failing_check_determines_the_response(paying: Person, free: Person) -> None:
    """Each request here is wrong in two ways; the earlier check of the contract's order is the one that speaks."""
    bad = {"Authorization": "Bearer nonsense"}
    refused(paying.convert("no-to-where", PEOPLE, headers=bad), 401, "UNAUTHORIZED")
    LimitOverride.objects.create(user=free.account, requests_per_minute=1, max_file_bytes=50, credits=0)
    free.convert(SLUG, b"")
    refused(free.convert("no-to-where", PEOPLE), 404, "UNKNOWN_CONVERSION")
    broken = free.client.generic(
        "POST", f"/api/v1/converter/{SLUG}", b"x", content_type=MULTIPART_CONTENT, headers=free.headers
    )
    refused(broken, 429, "TOO_MANY_REQUESTS")
    LimitOverride.objects.update(requests_per_minute=100)
    two = [SimpleUploadedFile("a.exe", b" " * 60), SimpleUploadedFile("b.exe", b" " * 60)]
    refused(free.client.post(f"/api/v1/converter/{SLUG}", {"file": two}, headers=free.headers), 413, "FILE_TOO_LARGE")
    two = [SimpleUploadedFile("a.exe", b" "), SimpleUploadedFile("b.exe", b" ")]
    refused(free.client.post(f"/api/v1/converter/{SLUG}", {"file": two}, headers=free.headers), 400, "UNEXPECTED_FILE")
    refused(free.convert(SLUG, b"", "a.exe", x="y"), 400, "UNSUPPORTED_FILE_TYPE")
    refused(free.convert(SLUG, b"", "a.html", x="y"), 422, "UNSUPPORTED_FORMAT")
    User.objects.filter(pk=free.account.pk).update(monthly_credits=0)
    refused(free.convert(SLUG, b"", x="y"), 400, "VALIDATION_ERROR")
    with jobslots.acquire(UserPayer(free.account), seconds=9), jobslots.acquire(UserPayer(free.account), seconds=9):
        refused(free.convert(SLUG, b""), 402, "PAYMENT_REQUIRED")
        User.objects.filter(pk=free.account.pk).update(monthly_credits=1)
        refused(free.convert(SLUG, b""), 429, "TOO_MANY_REQUESTS")
    refused(free.convert(SLUG, b""), 422, "UNSUPPORTED_FORMAT")


def test_a_result_is_kept_as_long_as_the_plan_says(paying: Person, guest: Person) -> None:
    for person, hours in ((paying, 72), (guest, 1)):
        person.convert(SLUG, PEOPLE)
        conversion = Conversion.objects.latest("created_at")
        assert conversion.expires_at is not None
        assert (conversion.expires_at - conversion.created_at).total_seconds() == hours * 3600
        assert StoredFile.objects.get(key=conversion.file_key).expires_at == conversion.expires_at


def test_the_same_file_twice_gives_the_same_bytes(guest: Person) -> None:
    digests = {guest.convert("html-to-pdf", INVOICE).json()["data"]["sha256"] for _ in range(2)}
    assert len(digests) == 1


def test_blocked_references_are_warnings(guest: Person) -> None:
    page = b"<html><body><img src='http://tracker.example/x.png'><p>Hello</p></body></html>"
    warnings = guest.convert("html-to-pdf", page).json()["data"]["warnings"]
    assert "REMOTE_RESOURCE_BLOCKED" in {each["code"] for each in warnings}
    assert all(each.keys() == {"code", "message"} for each in warnings)


def test_a_failure_while_recording_leaves_neither_file_nor_charge(
    paying: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = _stored_bytes()
    monkeypatch.setattr(statistics, "count", lambda conversion: 1 / 0)
    refused(paying.convert(SLUG, PEOPLE), 500, "INTERNAL_ERROR")
    assert nothing_happened()
    assert CreditEntry.objects.filter(kind="conversion").count() == 0
    assert _stored_bytes() == before
    monkeypatch.undo()
    assert paying.convert(SLUG, PEOPLE).status_code == 201
    assert len(_stored_bytes() - before) == 1


def _stored_bytes() -> set[str]:
    """Everything in the storage, which other tests have used too."""
    if not default_storage.exists(""):
        return set()
    return {name for folder in default_storage.listdir("")[0] for name in default_storage.listdir(folder)[1]}


def test_guests_behind_one_address_are_one_guest(guest: Person) -> None:
    guest.convert(SLUG, PEOPLE)
    assert GuestDay.objects.get().guest == GuestPayer("127.0.0.1").guest
    assert GuestDay.objects.get().day == timezone.now().date()


def test_without_the_csrf_header_a_session_s_upload_is_not_read(db: None) -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("free"))
    client.cookies["csrftoken"] = "a" * 32
    form = {"file": SimpleUploadedFile("a.json", PEOPLE), "csrfmiddlewaretoken": "a" * 32}
    refused(client.post(f"/api/v1/converter/{SLUG}", form), 403, "ACCESS_DENIED")
    upload = {"file": SimpleUploadedFile("a.json", PEOPLE)}
    answer = client.post(f"/api/v1/converter/{SLUG}", upload, headers={"X-CSRFToken": "a" * 32})
    assert answer.status_code == 201


@pytest.mark.usefixtures("one_window")
def test_accounts_do_not_share_their_limits(paying: Person) -> None:
    LimitOverride.objects.create(user=paying.account, requests_per_minute=1)
    assert [paying.convert(SLUG, PEOPLE).status_code for _ in range(2)] == [201, 429]
    assert with_token(make_user("pro")).convert(SLUG, PEOPLE).status_code == 201
