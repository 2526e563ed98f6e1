"""What a post and the accounts that it goes to come to together: the rules that it breaks, and the hash of what goes
out, which approvals and deliveries are bound to."""

from collections.abc import Sequence

from core.domain.channels import check
from core.domain.errors import FieldError
from core.domain.texts import content_hash
from core.models import Account, Post
from core.providers.channels import channel


def broken_rules(post: Post, accounts: Sequence[Account]) -> list[FieldError]:
    """Of the accounts' channels; empty when it may go out."""
    return [
        problem
        for kind in {account.kind for account in accounts}
        for problem in check(post.content, len(post.files), channel(kind).limits, kind)
    ]


def hash_of(post: Post, accounts: Sequence[Account]) -> str:
    """Of text, images and where it goes: another one wherever anything of it is."""
    return content_hash(
        post.content,
        [file.media.sha256 for file in post.files],
        sorted(f"{account.kind}:{account.external_id}" for account in accounts),
    )
