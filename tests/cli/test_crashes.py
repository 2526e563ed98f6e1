"""A short round of `make faults`, and its comparison of the ledger with the networks."""

import subprocess
import sys
from collections import Counter

import pytest

from benchmarks.verdict import FollowUps, Verdict, compare_follow_ups, compare_posts
from core.networks.rules.channels import NETWORKS, ChannelKind
from core.settings import ROOT
from tests.cli.test_run import apart

HERE = ChannelKind.mastodon


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kinds", "posts"),
    [((), 3 * len(NETWORKS)), (("--kinds", *(kind for kind in ChannelKind if kind.is_site)), 12)],
)
def test_each_post_exists_once_or_has_a_final_state_when_processes_are_killed(
    kinds: tuple[str, ...], posts: int
) -> None:
    command = [sys.executable, "-m", "benchmarks.crashes", "--short", "--seed", "7", *kinds]
    round_ = subprocess.run(command, cwd=ROOT, env=apart(), capture_output=True, text=True, timeout=600, check=False)
    assert round_.returncode == 0, round_.stdout + round_.stderr
    assert f"{posts} posts in " in round_.stdout
    assert "lost 0, doubled 0, unlike the ledger 0" in round_.stdout
    if not kinds:
        assert "comment published" in round_.stdout
        assert "removal removed" in round_.stdout


@pytest.mark.parametrize(
    ("state", "reason", "there", "lost", "doubled", "unlike"),
    [
        ("published", None, 1, 0, 0, 0),
        ("published", None, 0, 1, 0, 0),
        ("published", None, 2, 0, 1, 0),
        ("unknown", "delivery_unknown", 0, 0, 0, 0),
        ("unknown", "delivery_unknown", 1, 0, 0, 0),
        ("unknown", "delivery_unknown", 2, 0, 1, 0),
        ("failed", "delivery_refused", 0, 0, 0, 0),
        ("failed", "delivery_refused", 1, 0, 0, 1),
        ("failed", None, 0, 0, 0, 1),
        ("cancelled", "missed_outage", 0, 0, 0, 0),
        ("cancelled", None, 0, 0, 0, 1),
        ("retrying", "rate_limited", 0, 0, 0, 1),
    ],
)
def test_comparing_posts_finds_differences(
    state: str, reason: str | None, there: int, lost: int, doubled: int, unlike: int
) -> None:
    verdict, _ = compare_posts({"w": HERE}, [("w", HERE, state, reason)], Counter({"w": there}))
    assert (len(verdict.lost), len(verdict.doubled), len(verdict.unlike)) == (lost, doubled, unlike)


def test_a_post_without_a_row_is_found() -> None:
    verdict, table = compare_posts({"w": HERE}, [], Counter())
    assert verdict.unlike == ["w at mastodon: nowhere (None), there 0 times"]
    assert table["mastodon"] == {"nowhere": 1}


@pytest.mark.parametrize(
    ("row", "posts", "comments", "lost", "doubled", "unlike"),
    [
        (FollowUps("w", "published"), 1, 1, 0, 0, 0),
        (FollowUps("w", "published"), 1, 0, 1, 0, 0),
        (FollowUps("w", "published"), 1, 2, 0, 1, 0),
        (FollowUps("w", "unknown"), 1, 1, 0, 0, 0),
        (FollowUps("w", "unknown"), 1, 2, 0, 1, 0),
        (FollowUps("w", "failed", "comment_refused"), 1, 0, 0, 0, 0),
        (FollowUps("w", "failed", "comment_refused"), 1, 1, 0, 0, 1),
        (FollowUps("w", "failed"), 1, 0, 0, 0, 1),
        (FollowUps("w", "waiting"), 1, 0, 0, 0, 1),
        (FollowUps("w", "published", removal="removed"), 0, 0, 0, 0, 0),
        (FollowUps("w", removal="removed"), 1, 0, 0, 0, 1),
        (FollowUps("w", removal="waiting"), 1, 0, 0, 0, 1),
        (FollowUps("w", removal="failed", removal_reason="removal_refused"), 1, 0, 0, 0, 0),
        (FollowUps("w", removal="failed"), 1, 0, 0, 0, 1),
    ],
)
def test_comparing_follow_ups_finds_differences(
    row: FollowUps, posts: int, comments: int, lost: int, doubled: int, unlike: int
) -> None:
    verdict = Verdict()
    compare_follow_ups([row], Counter({"w": posts}), Counter({"w": comments}), verdict)
    assert (len(verdict.lost), len(verdict.doubled), len(verdict.unlike)) == (lost, doubled, unlike)
