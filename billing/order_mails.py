"""Mails about orders: to those who buy, and to those who decide."""

from __future__ import annotations

import logging

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from accounts import links
from accounts.models import Membership, Role, User
from accounts.people import mails, outbox
from accounts.people.mails import Mail
from billing.models import Order

log = logging.getLogger("service.billing")


def placed(order: Order) -> None:
    """Tell the buyer that the order is here, and staff that it waits for them."""
    for address in _buyers(order.user):
        with mails.in_language_of(address):
            _queue(
                Mail(
                    to=address,
                    subject=_("We've received your order"),
                    paragraphs=(
                        str(order),
                        _("We'll email you when it's processed. Until then you can withdraw it."),
                    ),
                    link=links.absolute(reverse("plans")),
                    label=_("See your order"),
                )
            )
    for address in _staff():
        with mails.in_language_of(address, otherwise=settings.LANGUAGE_CODE):
            _queue(
                Mail(
                    to=address,
                    subject=_("New order: %(order)s") % {"order": order},
                    paragraphs=(
                        _("%(account)s has ordered: %(order)s") % {"account": _called(order.user), "order": order},
                    ),
                    link=links.absolute(f"{reverse('admin:billing_order_changelist')}?state__exact={Order.State.OPEN}"),
                    label=_("Approve or decline"),
                )
            )


def decided(order: Order, *, approved: bool) -> None:
    """Tell the buyer what has become of the order, in their language: the request is that of staff."""
    for address in _buyers(order.user):
        with mails.in_language_of(address, otherwise=order.language):
            subject = _("Your order is complete") if approved else _("We couldn't accept your order")
            _queue(
                Mail(
                    to=address,
                    subject=subject,
                    paragraphs=(str(order),),
                    link=links.absolute(reverse("plans")),
                    label=_("See your plan"),
                )
            )


def _queue(mail: Mail) -> None:
    """Queue the mail; the order counts without it, and is shown on the page and in the admin."""
    try:
        mails.queue(mail)
    except outbox.Busy:
        log.error("a mail about an order was not sent")


def _called(user: User) -> str:
    """The account in a mail to somebody else: its owner chose the name."""
    return mails.quoted(user.name) if user.is_organisation else mails.foreign_address(user.email)


def _buyers(user: User) -> list[str]:
    """The account's address, or those of an organisation's owners."""
    if not user.is_organisation:
        return [user.email]
    owners = Membership.objects.filter(organisation=user, role=Role.OWNER, member__is_active=True)
    return list(owners.order_by("created_at", "id").values_list("member__email", flat=True))


def _staff() -> list[str]:
    """The service's contact, or else all superusers."""
    if settings.CONTACT_EMAIL:
        return [settings.CONTACT_EMAIL]
    return list(
        User.objects.filter(is_superuser=True, is_active=True).order_by("email").values_list("email", flat=True)
    )
