"""The API's plumbing as a Django app, so that its schema extensions are loaded."""

from collections.abc import Iterator

from django.apps import AppConfig

from config.unneeded import leave_out

leave_out()  # before any of our apps imports what looks for it


class ApiConfig(AppConfig):
    name = "config.api"
    label = "api"

    def messages(self) -> Iterator[tuple[str, str]]:
        """What translators are given beside the arguments of gettext."""
        from config.reference.telling import messages  # it asks the views, which are not there yet

        return messages()
