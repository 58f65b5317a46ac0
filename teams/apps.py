"""Organisations: people who convert together, for one account."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    name = "teams"
