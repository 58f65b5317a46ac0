"""Changing an account's address: both addresses confirm it, and the old one is notified either way."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.contrib.auth.models import AnonymousUser
from django.core import signing
from django.db import IntegrityError, models, transaction
from django.db.models.functions import Coalesce
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import links
from accounts.credits import ledger
from accounts.mailboxes import normal_email
from accounts.models import User
from accounts.people import mails
from accounts.people.mails import Mail
from accounts.people.verification import DeadLink
from languages.available import activated

LASTS = timedelta(days=1)
_SALT = "accounts.changes"


class Side(StrEnum):
    OLD = "old"
    NEW = "new"


class Outcome(StrEnum):
    """The result of a confirmation; `TAKEN`: another account has the new address, and nothing was changed."""

    WAITING = "waiting"
    DONE = "done"
    TAKEN = "taken"


class EmailChange(models.Model):
    """An account's pending change of address; a later one replaces it."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    user = models.OneToOneField(User, on_delete=models.CASCADE, related_name="email_change")
    old_email = models.EmailField(max_length=254)
    new_email = models.EmailField(max_length=254)
    old_confirmed_at = models.DateTimeField(null=True)
    new_confirmed_at = models.DateTimeField(null=True)
    expires_at = models.DateTimeField()

    def __str__(self) -> str:
        return str(self.id)


@dataclass(frozen=True)
class Offer:
    """What a link offers its reader."""

    change: EmailChange
    side: Side


def start(user: User, email: str) -> None:
    """Mail both addresses, replacing any pending change. An unconfirmed old address need not confirm.

    Does the same if the new address has an account, which only its owner learns. Raises Busy.
    """
    email, now = normal_email(email), timezone.now()
    with transaction.atomic():
        owner = User.objects.select_for_update().get(pk=user.pk)
        EmailChange.objects.filter(user=owner).delete()
        change = EmailChange.objects.create(
            user=owner,
            old_email=owner.email,
            new_email=email,
            old_confirmed_at=now if owner.must_confirm_email else None,
            expires_at=now + LASTS,
        )
    with mails.in_language_of(change.old_email):
        to_old = Mail(
            change.old_email,
            _("Confirm your address change"),
            _asked(change),
            link=_link(change, Side.OLD),
            label=_("Confirm or cancel the change"),
            after=(_("If this was not you, cancel the change there and set a new password."),),
        )
    with mails.in_language_of(change.new_email, otherwise=owner.language):
        to_new = _to_new(change)
    mails.queue(to_old, to_new)


def _asked(change: EmailChange) -> tuple[str, str]:
    """The question to both addresses, in the active language."""
    named = {"old": mails.foreign_address(change.old_email), "new": mails.foreign_address(change.new_email)}
    asked = _("somebody, hopefully you, asked to change the address of an account from %(old)s to %(new)s.") % named
    return asked, _("The address changes once both addresses have confirmed it, within a day.")


def _to_new(change: EmailChange) -> Mail:
    message = _asked(change)
    if User.objects.filter(email=change.new_email).exists():
        return Mail(
            change.new_email,
            _("You already have an account"),
            (message[0], _("This address already has an account, so nothing will change.")),
            link=links.absolute(reverse("login")),
            label=_("Log in"),
            after=(_("If this was not you, ignore this email."),),
        )
    return Mail(
        change.new_email,
        _("Confirm your new address"),
        message,
        link=_link(change, Side.NEW),
        label=_("Confirm the address"),
        after=(_("If this was not you, ignore this email. The account keeps its address."),),
    )


def _link(change: EmailChange, side: Side) -> str:
    token = signing.dumps([str(change.pk), side.value], salt=_SALT)
    return links.absolute(reverse("email-change", args=[token]))


def read(token: str) -> Offer:
    """Read a link; raises DeadLink if it is invalid or its change is no longer pending."""
    try:
        pk, side = signing.loads(token, salt=_SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        raise DeadLink from None
    change = EmailChange.objects.filter(pk=pk, expires_at__gt=timezone.now()).first()
    if change is None:
        raise DeadLink
    return Offer(change, Side(side))


def may_confirm(offer: Offer, person: User | AnonymousUser) -> bool:
    """Whether this person may open the link.

    Whoever reads the new address may be somebody else, whom a click must not make the owner of a stranger's account.
    """
    return offer.side is Side.OLD or person.pk == offer.change.user_id


def confirm(offer: Offer) -> Outcome:
    """Confirm for one address, and make the change if the other has confirmed; raises DeadLink if it is no longer
    pending.

    Locks the account's row first, as start() does: of two concurrent changes the later one counts.
    """
    now = timezone.now()
    with transaction.atomic():
        user = User.objects.lock(pk=offer.change.user_id)
        change = EmailChange.objects.filter(pk=offer.change.pk, expires_at__gt=now).first()
        if change is None or user.email != change.old_email or not user.is_active:
            raise DeadLink
        name = f"{offer.side}_confirmed_at"
        setattr(change, name, getattr(change, name) or now)
        change.save(update_fields=[name])
        if change.old_confirmed_at is None or change.new_confirmed_at is None:
            return Outcome.WAITING
        change.delete()
        try:
            with transaction.atomic():
                # The first confirmation stays: what was added since then is the owner's, who has confirmed both.
                confirmed_at = Coalesce("verified_at", now)
                fields = {"email": change.new_email, "verified_at": confirmed_at, "unconfirmed_since": None}
                User.objects.filter(pk=user.pk).update(**fields)
        except IntegrityError:
            return Outcome.TAKEN
    user.refresh_from_db(fields=["email", "unconfirmed_since"])
    ledger.top_up(user)
    with activated(user.language):
        named = {"new": mails.foreign_address(change.new_email)}
        message = _("the address of your account is now %(new)s. Use it to log in.") % named
        after = (_("If this was not you, contact the operator of this service at once."),)
        mails.queue(Mail(change.old_email, _("Your address was changed"), (message,), after=after))
    return Outcome.DONE


def stop(offer: Offer) -> None:
    """Cancel a change, by link from the old address; raises DeadLink if it is no longer pending."""
    if offer.side is not Side.OLD or not EmailChange.objects.filter(pk=offer.change.pk).delete()[0]:
        raise DeadLink
