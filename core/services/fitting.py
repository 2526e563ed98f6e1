"""What a post and the accounts that it goes to come to together: the text that each gets, the rules that it breaks, and
the hash of what goes out, which approvals and deliveries are bound to."""

from collections.abc import Sequence

from core.domain.channels import ChannelKind, check
from core.domain.errors import FieldError
from core.domain.posts import Variant, variant_for, variants_of
from core.domain.texts import content_hash
from core.models import Account, Post
from core.providers.channels import channel


def broken_rules(post: Post, accounts: Sequence[Account]) -> list[FieldError]:
    """Of the accounts' channels; empty when it may go out."""
    return problems_of(post.content, variants_of(post.variants), len(post.files), accounts)


def problems_of(
    content: str, variants: Sequence[Variant], images: int, accounts: Sequence[Account]
) -> list[FieldError]:
    """Each once, at `content`, `variants.<index>.content` or `files`."""
    # as many texts as there are for a channel, whatever the number of its accounts
    texts = dict.fromkeys((account.kind, variant_for(variants, account.kind, account.id)) for account in accounts)
    found = {
        (problem.field, problem.code): problem
        for kind, variant in texts
        for problem in account_problems(content, variants, images, kind, variant)
    }
    return list(found.values())


def account_problems(
    content: str, variants: Sequence[Variant], images: int, kind: ChannelKind, variant: int | None
) -> list[FieldError]:
    """Of one channel, with the variant at that index or the text of all."""
    text = content if variant is None else variants[variant].content
    problems = check(text, images, channel(kind).limits, kind)
    if variant is None:
        return problems
    return [
        FieldError(f"variants.{variant}.content", one.code, **one.params) if one.field == "content" else one
        for one in problems
    ]


def own_text(post: Post, account: Account) -> str | None:
    """What the account gets instead of the post's text, if so."""
    variants = variants_of(post.variants)
    found = variant_for(variants, account.kind, account.id)
    return None if found is None else variants[found].content


def hash_of(post: Post, accounts: Sequence[Account]) -> str:
    """Of texts, images and where it goes: another one wherever anything of it is."""
    return content_hash(
        post.content,
        [file.media.sha256 for file in post.files],
        sorted(_destination(post, account) for account in accounts),
    )


def _destination(post: Post, account: Account) -> str:
    place, text = f"{account.kind}:{account.external_id}", own_text(post, account)
    return place if text is None else f"{place}\n{text}"
