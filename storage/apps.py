"""Files with an owner and an expiry."""

from django.apps import AppConfig
from django.core import checks

from storage.checks import check_download_mode


class StorageConfig(AppConfig):
    name = "storage"

    def ready(self) -> None:
        checks.register(check_download_mode, checks.Tags.files)
