"""Changing an account's address: it happens when both addresses have said yes, and either way the old one is told."""

from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.core import signing
from django.db import IntegrityError, models, transaction
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from accounts import ledger, letters
from accounts.letters import Letter
from accounts.models import User, normal_email
from accounts.verification import DeadLink
from languages.spoken import speaking

LASTS = timedelta(days=1)
_SALT = "accounts.changes"


class Side(StrEnum):
    OLD = "old"
    NEW = "new"


class Outcome(StrEnum):
    """What a confirmation led to; `TAKEN`: another account has the new address by now, and nothing was changed."""

    WAITING = "waiting"
    DONE = "done"
    TAKEN = "taken"


class EmailChange(models.Model):
    """The one change of address that an account is waiting for; a later one takes its place."""

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
    """What a link offers to its reader."""

    change: EmailChange
    side: Side


def start(request: HttpRequest, user: User, email: str) -> None:
    """Mail both addresses; a change that was waiting is over. An address that was never confirmed need not agree.

    The same for an address that has an account, whose owner alone is told. Raises Busy.
    """
    email, now = normal_email(email), timezone.now()
    with transaction.atomic():
        owner = User.objects.select_for_update().get(pk=user.pk)
        EmailChange.objects.filter(user=owner).delete()
        change = EmailChange.objects.create(
            user=owner,
            old_email=owner.email,
            new_email=email,
            old_confirmed_at=now if owner.credits_wait else None,
            expires_at=now + LASTS,
        )
    with letters.to_reader(change.old_email):
        to_old = Letter(
            change.old_email,
            _("Confirm the change of your address"),
            _asked(change),
            link=_link(request, change, Side.OLD),
            label=_("Confirm or stop the change"),
            after=(_("If it was not you, stop the change there, and set a new password."),),
        )
    with letters.to_reader(change.new_email, otherwise=owner):
        to_new = _to_new(request, change)
    letters.post(to_old, to_new)


def _asked(change: EmailChange) -> tuple[str, str]:
    """What both are asked, in the language that is spoken."""
    named = {"old": change.old_email, "new": change.new_email}
    asked = _("somebody, hopefully you, wants to change the address of an account from %(old)s to %(new)s.") % named
    return asked, _("It is changed once both addresses have confirmed it, within a day.")


def _to_new(request: HttpRequest, change: EmailChange) -> Letter:
    said = _asked(change)
    if User.objects.filter(email=change.new_email).exists():
        return Letter(
            change.new_email,
            _("You already have an account"),
            (said[0], _("This address has an account already, so that nothing will be changed.")),
            link=request.build_absolute_uri(reverse("login")),
            label=_("Log in"),
            after=(_("If it was not you, do nothing."),),
        )
    return Letter(
        change.new_email,
        _("Confirm your new address"),
        said,
        link=_link(request, change, Side.NEW),
        label=_("Confirm the address"),
        after=(_("If it was not you, do nothing: the account keeps its address."),),
    )


def _link(request: HttpRequest, change: EmailChange, side: Side) -> str:
    token = signing.dumps([str(change.pk), side.value], salt=_SALT)
    return request.build_absolute_uri(reverse("email-change", args=[token]))


def read(token: str) -> Offer:
    """What a link is about; raises DeadLink where it is not ours, or its change is over."""
    try:
        pk, side = signing.loads(token, salt=_SALT, max_age=LASTS)
    except (signing.BadSignature, ValueError, TypeError):
        raise DeadLink from None
    change = EmailChange.objects.filter(pk=pk, expires_at__gt=timezone.now()).first()
    if change is None:
        raise DeadLink
    return Offer(change, Side(side))


def confirm(offer: Offer) -> Outcome:
    """Say yes for one address, and change it where the other has; raises DeadLink where the change is over by now.

    The account's row is locked first, as start() locks it: of two changes at once the later one counts.
    """
    now = timezone.now()
    with transaction.atomic():
        user = User.objects.select_for_update(of=("self",)).select_related("plan", "override").get(
            pk=offer.change.user_id
        )  # fmt: skip
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
                fields = {"email": change.new_email, "verified_at": now, "unconfirmed_since": None}
                User.objects.filter(pk=user.pk).update(**fields)
        except IntegrityError:
            return Outcome.TAKEN
    user.refresh_from_db(fields=["email", "unconfirmed_since"])
    ledger.top_up(user)
    with speaking(user.language):
        said = _("the address of your account is %(new)s from now on. Log in with it.") % {"new": change.new_email}
        after = (_("If it was not you, tell whoever runs this service at once."),)
        letters.post(Letter(change.old_email, _("Your address was changed"), (said,), after=after))
    return Outcome.DONE


def stop(offer: Offer) -> None:
    """End a change, for whoever reads the mails of the old address; raises DeadLink where it is over."""
    if offer.side is not Side.OLD or not EmailChange.objects.filter(pk=offer.change.pk).delete()[0]:
        raise DeadLink
