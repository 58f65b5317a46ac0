"""The API as a Django app, so that its schema extensions are loaded."""

from collections.abc import Iterator

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "config.api"
    label = "api"

    def messages(self) -> Iterator[tuple[str, str]]:
        """Yield the texts for translators that are not arguments of gettext."""
        from config.reference.translation import messages  # imports the views, which need loaded apps

        return messages()
