"""Routes of the conversion pages."""

from django.urls import path

from conversions.pages.account import delete_account, export
from conversions.pages.browser_results import live
from conversions.pages.bundle import download_all
from conversions.pages.catalogue import example, formats, options
from conversions.pages.convert import conversion, convert
from conversions.pages.history import delete, delete_chosen, history
from conversions.pages.keys import api_keys, move, revoke
from conversions.pages.live_status import live_status
from conversions.pages.result_preview import preview
from conversions.pages.results import result
from conversions.pages.retention import stored_files
from conversions.pages.targets import targets
from conversions.pages.tasks.listing import TASKS
from conversions.pages.tasks.page import task
from conversions.pages.tasks.views import search, tasks
from conversions.pages.thumbnails import thumbnails
from conversions.pages.usage import days_csv, ledger_csv, usage

urlpatterns = [
    path("", convert, name="convert"),
    path("formats", formats, name="formats"),
    path("convert/<slug:slug>", conversion, name="conversion"),
    path("convert/<slug:slug>/options", options, name="conversion-options"),
    path("convert/<slug:slug>/example", example, name="conversion-example"),
    path("targets/<slug:language>/<slug:version>.json", targets, name="targets"),
    path("standing", live_status, name="standing"),
    path("results/live", live, name="live-results"),
    path("results/<uuid:conversion>", result, name="result"),
    path("glimpse/<str:key>", preview, name="glimpse"),
    path("thumbnails", thumbnails, name="thumbnails"),
    path("download-all", download_all, name="download-all"),
    path("history", history, name="history"),
    path("history/delete", delete_chosen, name="delete-chosen"),
    path("history/<uuid:conversion>/delete", delete, name="delete-result"),
    path("kept", stored_files, name="keeping"),
    path("usage", usage, name="usage"),
    path("usage/days.csv", days_csv, name="days-csv"),
    path("usage/ledger.csv", ledger_csv, name="ledger-csv"),
    path("api-keys", api_keys, name="api-keys"),
    path("api-keys/<uuid:key>/move", move, name="move-api-key"),
    path("api-keys/<uuid:key>/revoke", revoke, name="revoke-api-key"),
    path("account/delete", delete_account, name="delete-account"),
    path("account/export", export, name="export"),
    path("tasks", tasks, name="tasks"),
    path("search", search, name="search"),
    *(path(name, task, {"name": name}, name=name) for name in TASKS),
]
