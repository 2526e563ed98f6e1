"""The verdict of `benchmarks.crashes`: where the ledger and the posts at the networks differ."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from core.networks.rules.channels import ChannelKind

FINAL_STATES: Final = ("published", "failed", "cancelled", "unknown")


@dataclass
class Verdict:
    """The posts and comments where ledger and network differ."""

    lost: list[str] = field(default_factory=list)
    """Published by the ledger, missing at the network."""
    doubled: list[str] = field(default_factory=list)
    """More than once at the network."""
    unlike: list[str] = field(default_factory=list)
    """Otherwise in the ledger than at the network, failed without a reason, or without a final state."""


@dataclass(frozen=True)
class FollowUps:
    """State of a post's first comment and of its removal, each with the reason of a failure; None if not
    requested."""

    word: str
    comment: str | None = None
    comment_reason: str | None = None
    removal: str | None = None
    removal_reason: str | None = None


def compare_posts(
    networks: Mapping[str, ChannelKind], rows: Sequence[tuple[str, str, str, str | None]], posts: Counter[str]
) -> tuple[Verdict, dict[str, Counter[str]]]:
    """Compare the ledger's rows with the posts at the networks. `networks`: the network of each wanted post by its
    word; `posts`: how many posts with each word exist. Return the verdict, and the number of posts by network and
    state."""
    verdict, states = Verdict(), defaultdict[str, Counter[str]](Counter)
    ledger = {word: (state, reason) for word, _, state, reason in rows}
    for word, kind in networks.items():
        state, reason = ledger.get(word, ("nowhere", None))
        states[kind.value][state if state in ("published", "nowhere") else f"{state} ({reason})"] += 1
        count = posts[word]
        if count > 1:
            verdict.doubled.append(word)
        if state == "published" and count == 0:
            verdict.lost.append(word)
        is_final = state in FINAL_STATES
        if not is_final or (state in ("failed", "cancelled") and (count or not reason)):
            verdict.unlike.append(f"{word} at {kind}: {state} ({reason}), there {count} times")
    return verdict, states


def compare_follow_ups(
    rows: Sequence[FollowUps], posts: Counter[str], comments: Counter[str], verdict: Verdict
) -> Counter[str]:
    """Compare the ledger's first comments and removals with the networks, and add the differences to the verdict.
    `posts`, `comments`: how many of each word exist. Return the number of comments and removals by state."""
    states: Counter[str] = Counter()
    for row in rows:
        if row.comment:
            states[f"comment {row.comment}"] += 1
            count = comments[row.word]
            if count > 1:
                verdict.doubled.append(f"comment of {row.word}")
            if row.comment == "published" and not count and row.removal != "removed":
                verdict.lost.append(f"comment of {row.word}")
            if row.comment == "waiting" or (row.comment == "failed" and (count or not row.comment_reason)):
                state = f"{row.comment} ({row.comment_reason}), there {count} times"
                verdict.unlike.append(f"comment of {row.word}: {state}")
        if row.removal:
            states[f"removal {row.removal}"] += 1
            count = posts[row.word]
            agrees = not count if row.removal == "removed" else row.removal == "failed" and row.removal_reason
            if not agrees:
                state = f"{row.removal} ({row.removal_reason}), there {count} times"
                verdict.unlike.append(f"removal of {row.word}: {state}")
    return states
