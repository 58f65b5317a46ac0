"""The languages that pages, mails and errors speak."""

from django.apps import AppConfig


class LanguagesConfig(AppConfig):
    name = "languages"
