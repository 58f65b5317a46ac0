"""Routes of the pages around conversions."""

from django.urls import path

from conversions.pages.account import delete_account
from conversions.pages.bundle import download_all
from conversions.pages.catalogue import example, formats, options
from conversions.pages.convert import conversion, convert
from conversions.pages.history import delete, history
from conversions.pages.results import result
from conversions.pages.usage import ledger_csv, usage

urlpatterns = [
    path("", convert, name="convert"),
    path("formats", formats, name="formats"),
    path("convert/<slug:slug>", conversion, name="conversion"),
    path("convert/<slug:slug>/options", options, name="conversion-options"),
    path("convert/<slug:slug>/example", example, name="conversion-example"),
    path("results/<uuid:conversion>", result, name="result"),
    path("download-all", download_all, name="download-all"),
    path("history", history, name="history"),
    path("history/<uuid:conversion>/delete", delete, name="delete-result"),
    path("usage", usage, name="usage"),
    path("usage/ledger.csv", ledger_csv, name="ledger-csv"),
    path("account/delete", delete_account, name="delete-account"),
]
