"""Pages of organisations: list, members, invitation, and the switch between accounts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from django.utils.functional import SimpleLazyObject
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST
from rest_framework.exceptions import APIException, ValidationError

from accounts import deactivation
from accounts.credits import limits, payers
from accounts.credits.members import NotAllowed, memberships_of
from accounts.credits.payers import person
from accounts.errors import EmailNotConfirmed, TooManyRequests
from accounts.links import safe_next
from accounts.login import reauthentication
from accounts.mailboxes import normal_email
from accounts.models import Membership, Role, User
from accounts.people import organisations
from accounts.people.invitations import DeadInvitation, Invitation
from accounts.people.organisations import LastOwner, TooMany
from accounts.throttled import refused
from conversions.work import account_deletion
from teams import inviting, removal
from teams.forms import InviteForm, MemberForm, NameForm, RemovalForm


def _own(request: HttpRequest, organisation: UUID, least: Role = Role.VIEWER) -> Membership:
    """The person's own membership; 404 if there is none, NotAllowed below `least`."""
    rows = organisations.topped_up(memberships_of(person(request)).filter(organisation=organisation))
    if not rows:
        raise Http404
    (found,) = rows
    if not found.may(least):
        raise NotAllowed()
    return found


@login_required
@never_cache
def teams(request: HttpRequest) -> HttpResponse:
    """The person's organisations, and a form that creates one."""
    user = person(request)
    form, refusal = NameForm(request.POST or None), ""
    if request.method == "POST" and form.is_valid():
        try:
            made = organisations.create(user, form.cleaned_data["name"])
        except (TooMany, EmailNotConfirmed) as error:
            refusal = str(error.detail)
        else:
            payers.choose(request, made.organisation_id)
            messages.success(request, _("“%(name)s” created. You're now working in it.") % {"name": made.organisation})
            return redirect("team", made.organisation_id)
    own = organisations.topped_up(memberships_of(user))
    context = {
        "memberships": own,
        "acting": payers.owner_of(request, Role.VIEWER),
        "restorable": organisations.restorable_of(user),
        "starts_on": organisations.first_plan(),
        "form": form,
        "refusal": refusal,
    }
    return render(request, "teams/teams.html", context, status=403 if refusal else 400 if form.errors else 200)


@login_required
@never_cache
def team(request: HttpRequest, organisation: UUID) -> HttpResponse:
    """An organisation: members and their usage, and forms for owners."""
    own = _own(request, organisation)
    return _shown(request, own, InviteForm())


def _shown(request: HttpRequest, own: Membership, form: InviteForm, refusal: str = "") -> HttpResponse:
    context: dict[str, Any] = {
        "own": own,
        "organisation": own.organisation,
        "owner": own.may(Role.OWNER),
        "acting": payers.owner_of(request, Role.VIEWER),
        "members": own.organisation.members.select_related("member"),
        "waiting": organisations.waiting_of(own.organisation) if own.may(Role.OWNER) else (),
        "limits": limits.of_user(own.organisation),
        "recently_authenticated": reauthentication.recently_authenticated(request),
        "form": form,
        "refusal": refusal,
    }
    return render(request, "teams/team.html", context, status=400 if form.errors else 200)


@login_required
@require_POST
def invite(request: HttpRequest, organisation: UUID) -> HttpResponseBase:
    own = _own(request, organisation, Role.OWNER)
    if not reauthentication.recently_authenticated(request):
        return reauthentication.redirect_to_proof(reverse("team", args=[organisation]))
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _shown(request, own, form)
    try:
        made = inviting.invite(request, own, form.cleaned_data["email"], form.cleaned_data["role"])
    except TooManyRequests as error:
        return refused(_shown(request, own, form, str(error.detail)), error)
    except ValidationError as error:
        form.add_error("email", [str(each) for each in error.detail["email"]])  # type: ignore[call-overload]
        return _shown(request, own, form)
    except TooMany as error:
        response = _shown(request, own, form, str(error.detail))
        response.status_code = error.status_code
        return response
    messages.success(request, _("Invitation sent to %(email)s.") % {"email": made.email})
    return redirect("team", organisation)


@login_required
@require_POST
def withdraw(request: HttpRequest, organisation: UUID, invitation: UUID) -> HttpResponse:
    own = _own(request, organisation, Role.OWNER)
    Invitation.objects.filter(organisation=own.organisation, accepted_at=None, pk=invitation).delete()
    messages.success(request, _("Invitation withdrawn. Its link no longer works."))
    return redirect("team", organisation)


@login_required
@reauthentication.required
def member(request: HttpRequest, organisation: UUID, member: UUID) -> HttpResponse:
    """Change a member's role and limit."""
    own = _own(request, organisation, Role.OWNER)
    found = get_object_or_404(own.organisation.members.select_related("member"), pk=member)
    initial = {"role": found.role, "monthly_credits": found.monthly_credits}
    form, refusal = MemberForm(request.POST or None, initial=initial), ""
    if request.method == "POST" and form.is_valid():
        try:
            organisations.change(found, **form.cleaned_data)
        except LastOwner as error:
            refusal = str(error.detail)
        else:
            messages.success(request, _("Changes saved."))
            return redirect("team", organisation)
    context = {"found": found, "organisation": own.organisation, "form": form, "refusal": refusal}
    return render(request, "teams/member.html", context, status=403 if refusal else 400 if form.errors else 200)


@login_required
@reauthentication.required
def remove(request: HttpRequest, organisation: UUID, member: UUID) -> HttpResponse:
    """Ask about the member's keys, then remove the member."""
    own = _own(request, organisation, Role.OWNER)
    found = get_object_or_404(own.organisation.members.select_related("member"), pk=member)
    form = RemovalForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        keep = form.cleaned_data["keys"] == "keep"
        return _parted(request, found, lambda: removal.remove_member(found, keep_keys=keep))
    context = {"found": found, "organisation": own.organisation, "form": form}
    return render(request, "teams/remove.html", context, status=400 if form.errors else 200)


@login_required
def leave(request: HttpRequest, organisation: UUID) -> HttpResponse:
    own = _own(request, organisation)
    if request.method != "POST":
        return render(request, "teams/leave.html", {"organisation": own.organisation})
    return _parted(request, own, lambda: removal.leave(own))


def _parted(request: HttpRequest, found: Membership, part: Callable[[], None]) -> HttpResponse:
    try:
        part()
    except LastOwner as error:
        messages.error(request, str(error.detail))
        return redirect("team", found.organisation_id)
    if found.member_id == person(request).pk:
        messages.success(request, _("You have left “%(name)s”.") % {"name": found.organisation})
        return redirect("teams")
    messages.success(request, _("%(person)s no longer has access.") % {"person": found.member.display_name})
    return redirect("team", found.organisation_id)


@login_required
@reauthentication.required
def delete(request: HttpRequest, organisation: UUID) -> HttpResponse:
    """Ask, then deactivate the organisation, which is deleted two weeks later."""
    own = _own(request, organisation, Role.OWNER)
    if request.method != "POST":
        return render(request, "teams/delete.html", {"organisation": own.organisation})
    try:
        account_deletion.deactivate(own.organisation)
    except deactivation.ClosingRefused as error:
        messages.error(request, str(error.detail))
        return redirect("team", organisation)
    messages.success(request, _("“%(name)s” is closed and will be deleted in 14 days.") % {"name": own.organisation})
    return redirect("teams")


@login_required
@require_POST
def restore(request: HttpRequest, organisation: UUID) -> HttpResponse:
    closed = get_object_or_404(organisations.restorable_of(person(request)), organisation=organisation)
    if deactivation.restore(closed.organisation_id):
        messages.success(request, _("“%(name)s” is open again.") % {"name": closed.organisation})
    return redirect("teams")


@login_required
@require_POST
def switch(request: HttpRequest) -> HttpResponse:
    """Act for the organisation named in the form; without one, act for oneself."""
    user, asked = person(request), request.POST.get("organisation", "")
    try:
        chosen = payers.member_of(user, asked) if asked else user
    except APIException:
        chosen = user
        messages.warning(request, _("You're no longer a member of this organisation."))
    payers.choose(request, chosen.pk if chosen.is_organisation else None)
    return redirect(safe_next(request) or "convert")


@never_cache
def join(request: HttpRequest, code: str) -> HttpResponseBase:
    """Show an invitation, with a button to accept it for whoever is logged in with its address."""
    found = organisations.waiting_for(code)
    if found is None:
        return render(request, "teams/dead_invitation.html", status=410)
    here = request.user if isinstance(request.user, User) else None
    mine = here is not None and normal_email(here.email) == found.email
    context = {"invitation": found, "here": here, "path": request.path, "mine": mine}
    if request.method != "POST" or here is None:
        return render(request, "teams/join.html", context)
    try:
        made = organisations.join(code, here)
    except DeadInvitation as error:
        return render(request, "teams/join.html", {**context, "refusal": str(error)}, status=409)
    payers.choose(request, made.organisation_id)
    messages.success(request, _("You've joined “%(name)s” and are now working in it.") % {"name": made.organisation})
    return redirect("team", made.organisation_id)


def switched(request: HttpRequest) -> dict[str, Any]:
    """A context processor: the choices of the account switch, empty without organisations."""
    return {"account_switch": SimpleLazyObject(lambda: _switch(request))}


def _switch(request: HttpRequest) -> dict[str, Any] | None:
    if not isinstance(request.user, User) or not request.session.get(payers.IN_TEAMS):
        return None
    own = list(memberships_of(request.user))
    return {"memberships": own, "acting": payers.owner_or_guest(request)} if own else None


_ONE = "teams/<uuid:organisation>"

urlpatterns = [
    path("teams", teams, name="teams"),
    path("teams/switch", switch, name="switch-team"),
    path("teams/invitations/<str:code>", join, name="join-team"),
    path(_ONE, team, name="team"),
    path(f"{_ONE}/invite", invite, name="invite-to-team"),
    path(f"{_ONE}/invitations/<uuid:invitation>/withdraw", withdraw, name="withdraw-invitation"),
    path(f"{_ONE}/members/<uuid:member>", member, name="team-member"),
    path(f"{_ONE}/members/<uuid:member>/remove", remove, name="remove-member"),
    path(f"{_ONE}/leave", leave, name="leave-team"),
    path(f"{_ONE}/delete", delete, name="delete-team"),
    path(f"{_ONE}/restore", restore, name="restore-team"),
]
