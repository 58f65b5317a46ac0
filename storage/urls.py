"""Routes of stored files under /api/v1."""

from django.urls import re_path

from storage.views import FileView

# Whatever follows is judged as a key, slashes, line ends and all: what is none is said to be none.
urlpatterns = [re_path(r"^files/(?P<key>[\s\S]*)\Z", FileView.as_view(), name="file")]
