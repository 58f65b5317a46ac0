"""What a zygote does before its first job leaves nothing behind, and works."""

from __future__ import annotations

import os

import pytest

from engine.sandbox.rehearsal import _PLAYED
from engine.toolkit.declaring import Profile
from tests.sandbox.conftest import MakeZygote


@pytest.mark.parametrize("profile", _PLAYED)
def test_jobs_of_the_zygote_s_own_are_done_and_cleared_away(
    profile: Profile, make_zygote: MakeZygote, capfd: pytest.CaptureFixture[str]
) -> None:
    zygote = make_zygote(profile)
    assert zygote.canary().confined
    assert "failed" not in capfd.readouterr().err
    assert not any("rehearsal" in os.listdir(each) for each in zygote.folders)
