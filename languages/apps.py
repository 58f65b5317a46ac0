"""The languages of pages, mails and errors."""

from django.apps import AppConfig


class LanguagesConfig(AppConfig):
    name = "languages"
