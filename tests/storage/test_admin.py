"""Stored files in the admin."""

from datetime import timedelta

from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from storage.models import StoredFile
from tests.conversions.samples import PEOPLE

LIST = "/admin/storage/storedfile/"


def names(response) -> set[str]:
    return {file.name for file in response.context["cl"].queryset}


def test_staff_find_files(staff, paying, other, store):
    mine = store(paying.user, name="mine.csv")
    store(other.user, name="theirs.csv")
    store(name="guest.csv", hours=-1)
    assert names(staff.get(LIST)) == {"mine.csv", "theirs.csv", "guest.csv"}
    assert names(staff.get(LIST, {"q": mine.key})) == {"mine.csv"}
    assert names(staff.get(LIST, {"q": paying.user.email})) == {"mine.csv"}
    assert names(staff.get(LIST, {"expiry": "live"})) == {"mine.csv", "theirs.csv"}
    assert names(staff.get(LIST, {"expiry": "expired"})) == {"guest.csv"}
    assert names(staff.get(LIST, {"content_type": "text/csv"})) == {"mine.csv", "theirs.csv", "guest.csv"}
    assert staff.get(f"{LIST}{mine.pk}/change/").status_code == 200


def test_nothing_can_be_changed(staff, store):
    file = store()
    assert staff.get(f"{LIST}add/").status_code == 403
    assert staff.post(f"{LIST}{file.pk}/change/", {"name": "x"}).status_code == 403
    assert staff.post(f"{LIST}{file.pk}/delete/", {"post": "yes"}).status_code == 403
    assert StoredFile.objects.get().name == "report.csv"


def test_a_longer_list_takes_no_more_queries(staff, paying, store):
    def queries() -> int:
        with CaptureQueriesContext(
            connection,
        ) as context:
            assert staff.get(LIST).status_code == 200
        return len(context)

    store(paying.user)
    staff.get(LIST)
    few = queries()
    row = StoredFile.objects.get()
    for number in range(30):
        row.pk, row.key = None, f"{number:032x}.csv"
        row.expires_at = timezone.now() + timedelta(hours=1)
        row.save(force_insert=True)
    assert queries() == few


def test_staff_see_no_key_of_a_file(staff, guest):
    done = guest.convert("json-to-csv", PEOPLE).json()["data"]
    key = done["downloadUrl"].rpartition("/")[2]
    pages = [f"{LIST}{StoredFile.objects.get().pk}/change/", f"/admin/conversions/conversion/{done['id']}/change/"]
    for page in (LIST, "/admin/conversions/conversion/", *pages):
        answer = staff.get(page)
        assert (answer.status_code, key in answer.content.decode()) == (200, False), page
    for path, field in ((LIST, "key"), ("/admin/conversions/conversion/", "file_key")):
        assert staff.get(path, {f"{field}__startswith": key[:1]}).status_code == 400, path
        assert staff.post(f"{path}export/?{field}__startswith={key[:1]}").status_code == 400, path
