"""Pages that show a rate limit in place, with the API's status and Retry-After."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.generic import FormView

from accounts.errors import TooManyRequests
from errors import wait_of


def refused(response: HttpResponse, error: TooManyRequests) -> HttpResponse:
    """`response` with the status and the Retry-After of `error`."""
    response.status_code = error.status_code
    response["Retry-After"] = str(wait_of(error))
    return response


class Throttled(FormView):
    """A form with a rate limit; shows the refusal above the form, with what was entered."""

    def throttle(self, request: HttpRequest) -> None:
        """Count what the log-in backend does not; raises TooManyRequests."""

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        try:
            self.throttle(request)
            return super().post(request, *args, **kwargs)
        except TooManyRequests as error:
            unbound = self.get_form_kwargs() | {"initial": request.POST.dict()}
            form = self.get_form_class()(**{k: v for k, v in unbound.items() if k not in ("data", "files")})
            context = self.get_context_data(form=form, refusal=str(error.detail))
            return refused(render(request, str(self.template_name), context), error)
