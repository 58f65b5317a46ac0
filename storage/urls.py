"""Routes of stored files under /api/v1."""

from django.urls import re_path

from storage.views import FileView

# Matches everything, also slashes and line breaks, so that a malformed key gets its own error.
urlpatterns = [re_path(r"^files/(?P<key>[\s\S]*)\Z", FileView.as_view(), name="file")]
