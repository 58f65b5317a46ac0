"""Receipts: what was done with a file and when it was deleted, signed so that others can check it."""

from __future__ import annotations

import base64
import hashlib
import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import jwt
import pytest
from django.core.management import call_command
from django.utils import timezone

from accounts.models import User
from conversions.models import Conversion, ReceiptKey
from conversions.work import account_deletion
from storage.models import StoredFile
from tests.conftest import Person, with_key
from tests.conversions.samples import PEOPLE, PEOPLE_CSV
from tests.conversions.test_convert import SLUG, refused

ROOT = Path(__file__).resolve().parents[2]


def receipt(person: Person, id: str) -> dict[str, Any]:
    answer = person.get(f"/converter/history/{id}/receipt")
    assert answer.status_code == 200, answer.content
    data: dict[str, Any] = answer.json()["data"]
    assert checked(person, data["jws"]) == data["receipt"]
    return dict(data["receipt"])


def checked(person: Person, jws: str) -> Any:
    """The signed content, by a library that is not ours and the keys that are public."""
    keys = jwt.PyJWKSet.from_dict(person.client.get("/.well-known/jwks.json").json())
    key = keys[jwt.get_unverified_header(jws)["kid"]]
    return jwt.PyJWS().decode(jws, key.key, algorithms=["EdDSA"]) and json.loads(
        base64.urlsafe_b64decode(jws.split(".")[1] + "==")
    )


def test_a_receipt_says_what_came_in_and_out_and_when_both_were_deleted(paying: Person) -> None:
    started = timezone.now()
    record = paying.convert(SLUG, PEOPLE, delimiter=";").json()["data"]
    first = receipt(paying, record["id"])
    result = PEOPLE_CSV.replace(b",", b";")
    assert first["input"]["sha256"] == hashlib.sha256(PEOPLE).hexdigest()
    assert first["output"]["sha256"] == hashlib.sha256(result).hexdigest()
    assert first["options"] == record["options"]
    assert (first["engine"], first["slug"], first["credits"]) == (record["engine"], SLUG, 1)
    assert first["input"]["deletedAt"] >= started.strftime("%Y-%m-%dT%H:%M:%S.%fZ")
    assert first["input"]["deletedAt"] <= record["createdAt"]
    assert first["output"]["deletedAt"] is None
    assert paying.request("DELETE", record["downloadUrl"].removeprefix("/api/v1")).status_code == 200
    assert receipt(paying, record["id"])["output"]["deletedAt"] > record["createdAt"]


def test_the_purge_leaves_the_moment_too(paying: Person) -> None:
    record = paying.convert(SLUG, PEOPLE).json()["data"]
    StoredFile.objects.update(expires_at=timezone.now())
    assert receipt(paying, record["id"])["output"]["deletedAt"] is None
    call_command("purge_expired_files")
    assert receipt(paying, record["id"])["output"]["deletedAt"] is not None


def test_a_failure_s_receipt_has_only_the_input(paying: Person) -> None:
    refused(paying.convert(SLUG, b"[1,"), 422, "UNSUPPORTED_FORMAT")
    found = receipt(paying, str(Conversion.objects.get().id))
    assert (found["status"], found["error"], found["output"]) == ("failed", "UNSUPPORTED_FORMAT", None)
    assert found["input"]["sha256"] == hashlib.sha256(b"[1,").hexdigest()
    assert found["input"]["deletedAt"]


def test_only_the_owner_gets_a_receipt_and_not_with_an_api_key(paying: Person, free: Person, guest: Person) -> None:
    path = f"/converter/history/{paying.convert(SLUG, PEOPLE).json()['data']['id']}/receipt"
    refused(free.get(path), 404, "NOT_FOUND")
    refused(guest.get(path), 401, "UNAUTHORIZED")
    refused(with_key(paying.account).get(path), 401, "UNAUTHORIZED")
    refused(paying.get("/converter/history/none/receipt"), 404, "NOT_FOUND")


def test_a_guest_s_receipt_is_for_whoever_knows_its_id(guest: Person, free: Person) -> None:
    id = guest.convert(SLUG, PEOPLE).json()["data"]["id"]
    assert receipt(guest, id)["id"] == receipt(free, id)["id"] == id


def test_records_show_no_more_than_before(guest: Person) -> None:
    assert not {"inputSha256", "verified"} & set(guest.convert(SLUG, PEOPLE).json()["data"])


def test_receipts_of_an_earlier_secret_can_still_be_checked(paying: Person, settings: Any) -> None:
    id = paying.convert(SLUG, PEOPLE).json()["data"]["id"]
    old = paying.get(f"/converter/history/{id}/receipt").json()["data"]["jws"]
    settings.RECEIPT_SIGNING_KEY = "another secret of the service, long enough"
    new = paying.get(f"/converter/history/{id}/receipt").json()["data"]["jws"]
    assert jwt.get_unverified_header(old)["kid"] != jwt.get_unverified_header(new)["kid"]
    assert checked(paying, old)["id"] == checked(paying, new)["id"] == id
    assert ReceiptKey.objects.count() == 2
    header, payload, signature = new.split(".")
    with pytest.raises(jwt.InvalidSignatureError):
        checked(paying, f"{header}.{payload[:-2]}AA.{signature}")


def test_a_closed_account_s_hashes_are_gone(paying: Person) -> None:
    paying.convert(SLUG, PEOPLE)
    account_deletion.delete_account(paying.account)
    kept = Conversion.objects.get()
    assert (kept.input_sha256, kept.sha256, kept.verified) == ("", "", None)


@pytest.mark.django_db(transaction=True)
def test_the_lines_of_the_guide_check_a_receipt(live_server: Any, tmp_path: Path) -> None:
    done = httpx.post(f"{live_server.url}/api/v1/converter/{SLUG}", files={"file": ("a.json", PEOPLE)}).json()["data"]
    signed = httpx.get(f"{live_server.url}/api/v1/converter/history/{done['id']}/receipt")
    (tmp_path / "receipt.json").write_bytes(signed.content)
    (lines,) = re.findall(r"```python verify\n(.*?)```", (ROOT / "docs" / "api.md").read_text(), re.DOTALL)
    lines = lines.replace("http://127.0.0.1:8000", live_server.url)
    found = subprocess.run([sys.executable, "-c", lines], cwd=tmp_path, capture_output=True, text=True, timeout=60)
    assert found.stdout.strip() == done["sha256"], found.stderr
    tampered = json.loads(signed.content)
    tampered["data"]["jws"] = tampered["data"]["jws"][:-4] + "AAAA"
    (tmp_path / "receipt.json").write_text(json.dumps(tampered))
    assert subprocess.run([sys.executable, "-c", lines], cwd=tmp_path, capture_output=True, timeout=60).returncode
    assert not User.objects.exists()
