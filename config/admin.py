"""The admin site under the service's own name."""

from django.contrib.admin.apps import AdminConfig as StockAdminConfig


class AdminConfig(StockAdminConfig):
    default_site = "config.site.ServiceAdminSite"
