"""Routes of billing under /api/v1."""

from django.urls import path

from accounts.lanes import slow
from billing.views import PlansView, StripeView

urlpatterns = [
    path("billing/plans", PlansView.as_view()),
    path("billing/stripe", slow("POST")(StripeView.as_view())),
]
