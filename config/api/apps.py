"""The API's plumbing as a Django app, so that its schema extensions are loaded."""

from django.apps import AppConfig


class ApiConfig(AppConfig):
    name = "config.api"
    label = "api"
