"""Routes of accounts under /api/v1."""

from django.urls import path

from accounts.views import AccountViewSet, AuthViewSet

urlpatterns = [
    path("auth/register", AuthViewSet.as_view({"post": "register"})),
    path("auth/login", AuthViewSet.as_view({"post": "login"})),
    path("auth/refresh", AuthViewSet.as_view({"post": "refresh"})),
    path("auth/logout", AuthViewSet.as_view({"post": "logout"})),
    path("account", AccountViewSet.as_view({"get": "retrieve"})),
]
