"""Organisations: people who share an account."""

from django.apps import AppConfig


class TeamsConfig(AppConfig):
    name = "teams"
