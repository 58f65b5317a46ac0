"""Routes of API keys under /api/v1."""

from django.urls import path

from apikeys.views import ApiKeyViewSet

urlpatterns = [
    path("integrations/api-keys", ApiKeyViewSet.as_view({"get": "list", "post": "create"})),
    path("integrations/api-keys/<str:key>/move", ApiKeyViewSet.as_view({"post": "move"})),
    path("integrations/api-keys/<str:key>/revoke", ApiKeyViewSet.as_view({"post": "revoke"})),
]
