"""The staff of the back office: a superuser, a member of the support group, and a customer."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from accounts.models import User
from tests.conftest import make_user


def client_of(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


@pytest.fixture
def boss(db: None) -> User:
    return make_user("free", "boss@example.org", is_staff=True, is_superuser=True)


@pytest.fixture
def helper(db: None) -> User:
    user = make_user("free", "helper@example.org", is_staff=True)
    user.groups.add(Group.objects.get(name="Support"))
    return user


@pytest.fixture
def customer(db: None) -> User:
    return make_user("pro", "customer@example.org", name="Ada")
