"""The admin's site."""

from __future__ import annotations

from django.conf import settings
from django.contrib.admin import AdminSite


class ServiceAdminSite(AdminSite):
    site_header = settings.SERVICE_NAME
    site_title = settings.SERVICE_NAME
    index_title = "Today"
