"""Routes of billing under /api/v1."""

from django.urls import path

from billing.views import PlansView, StripeView

urlpatterns = [
    path("billing/plans", PlansView.as_view()),
    path("billing/stripe", StripeView.as_view()),
]
