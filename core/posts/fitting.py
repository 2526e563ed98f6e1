"""What a post and the accounts that it goes to come to together: the text that each gets, the rules that it breaks, and
the hash of what goes out, which approvals and deliveries are bound to."""

import json
from collections.abc import Iterable, Sequence

from core.articles.rules.articles import ArticleFields, unfinished
from core.errors import ErrorCode, FieldError
from core.media.tables import Media
from core.networks.base import limits_of
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind, ChannelLimits, ImageFacts, PostFacts, check, with_link
from core.networks.rules.links import Link, LinkPlace
from core.posts.rules.posts import Variant, variant_for, variants_of
from core.posts.tables.posts import Post
from core.social_accounts.tables import Account
from core.texts.rules.texts import Ending, content_hash, cut_text, finished


def image_facts(media: Iterable[Media], alts: Iterable[str]) -> list[ImageFacts]:
    """`alts`: what each is described by, in the same order."""
    return [ImageFacts(one.width, one.height, alt) for one, alt in zip(media, alts, strict=True)]


def broken_rules(post: Post, accounts: Sequence[Account]) -> list[FieldError]:
    """Of the accounts' channels; empty when it may go out."""
    images = image_facts([file.media for file in post.files], sent_alts(post))
    unready = [] if post.article is None else unfinished(ArticleFields.from_json(post.article), post.content)
    link = Link.from_json(post.link)
    problems = problems_of(post.content, variants_of(post.variants), images, accounts, post.first_comment, link)
    if post.article is not None:
        problems = [
            FieldError("featured", one.code, **one.params) if one.code is ErrorCode.alt_too_long else one
            for one in problems
        ]
    return unready + problems


def sent_alts(post: Post) -> list[str]:
    """Return what is sent as the description of each image. Those in the body of an article have theirs there."""
    alts = [file.alt for file in post.files]
    if post.article is None:
        return alts
    featured = ArticleFields.from_json(post.article).featured
    return [alt if at == 0 and featured else "" for at, alt in enumerate(alts)]


def fitting_alt(alt: str, accounts: Iterable[Account]) -> str:
    """Return a description of an image that all accounts take, cut at a word where it is too long: nobody is asked."""
    limits = [most for account in accounts if (most := limits_of_account(account).max_alt) is not None]
    return cut_text(alt, min(limits)) if limits else alt


def problems_of(
    content: str,
    variants: Sequence[Variant],
    images: Sequence[ImageFacts],
    accounts: Sequence[Account],
    first_comment: str = "",
    link: Link | None = None,
) -> list[FieldError]:
    """Each once, at `content`, `variants.<index>.content`, `files`, `files.<index>`, `link.title` or `first_comment`,
    which breaks a rule of its own where none of the accounts can have one."""
    # as many texts as there are for a channel, whatever the number of its accounts that take the same
    texts = {}
    for account in accounts:
        variant = variant_for(variants, account.kind, account.id)
        texts[account.kind, variant, str(account.server_limits)] = (account, variant)
    found = {
        (problem.field, problem.code): problem
        for account, variant in texts.values()
        for problem in account_problems(content, variants, images, account, variant, first_comment, link)
    }
    problems = list(found.values())
    if first_comment and accounts and not any(takes_comment(account.kind) for account in accounts):
        problems.append(FieldError("first_comment", ErrorCode.first_comment_unsupported))
    return problems


def limits_of_account(account: Account) -> ChannelLimits:
    """Those of its own server, where its network leaves them to that."""
    return limits_of(channel(account.kind), account.server_limits)


def takes_comment(kind: ChannelKind) -> bool:
    """Whether a first comment can be put below a post there."""
    return channel(kind).limits.max_first_comment > 0


def account_problems(
    content: str,
    variants: Sequence[Variant],
    images: Sequence[ImageFacts],
    account: Account,
    variant: int | None,
    first_comment: str = "",
    link: Link | None = None,
) -> list[FieldError]:
    """Of one account, with the variant at that index or the text of all. A first comment counts where there is one:
    elsewhere it is left out."""
    text = content if variant is None else variants[variant].content
    comment = first_comment if takes_comment(account.kind) else ""
    problems = check(PostFacts(text, images, comment, link), limits_of_account(account))
    if variant is None:
        return problems
    return [
        FieldError(f"variants.{variant}.content", one.code, **one.params) if one.field == "content" else one
        for one in problems
    ]


def roomiest(accounts: Iterable[Account], default: int) -> int:
    """The most characters that one of them takes: a text is written for that, and made shorter for the others."""
    return max((limits_of_account(account).max_characters for account in accounts), default=default)


def fitted_texts(
    text: str,
    accounts: Iterable[Account],
    limit: int,
    ending: Ending,
    most: int | None = None,
    *,
    link: Link | None = None,
    images: int = 0,
) -> tuple[str, tuple[Variant, ...]]:
    """A writer's answer as it goes out, of at most `limit`, and a text of its own for each channel that this is too
    long for, which all of its accounts take. `most`: characters of the text itself, without what is put below it.
    `link`: of a post with so many `images`, where its address is put below the text."""
    whole = finished(text, limit, ending, most)
    by_kind: dict[ChannelKind, list[ChannelLimits]] = {}
    for account in accounts:
        by_kind.setdefault(account.kind, []).append(limits_of_account(account))
    variants = []
    for kind, limits in by_kind.items():

        def over(sent: str, limits: Sequence[ChannelLimits] = limits) -> int:
            """How many more characters it has than all of them take."""
            return max(one.length(with_link(sent, link, images, one)[0]) - one.max_characters for one in limits)

        if over(whole) <= 0:
            continue
        room = min(one.max_characters for one in limits)
        shorter = finished(text, room, ending, most)
        # what counts more than its characters, until it fits
        while room > 0 and (more := over(shorter)) > 0:
            room -= more
            shorter = finished(text, max(room, 0), ending, most)
        variants.append(Variant(kind, None, shorter))
    return whole, tuple(variants)


def own_text(post: Post, account: Account) -> str | None:
    """What the account gets instead of the post's text, if so."""
    variants = variants_of(post.variants)
    found = variant_for(variants, account.kind, account.id)
    return None if found is None else variants[found].content


def own_hash(post: Post, account: Account) -> str:
    """Of what the account alone gets: its text, the link, the images in their order and what they are described by.
    What is changed for another account leaves it as it was."""
    text, link = own_text(post, account), Link.from_json(post.link)
    images = [f"{file.media.sha256} {file.alt}" for file in post.files]
    told = link.to_json() if link and limits_of_account(account).link is not LinkPlace.left_out else None
    return content_hash(_whole(post) if text is None else text, images, [], link=told)


def hash_of(post: Post, accounts: Sequence[Account]) -> str:
    """Of texts, images, first comment, link and where it goes: another one wherever anything of it is."""
    return content_hash(
        _whole(post),
        [file.media.sha256 for file in post.files],
        sorted(_destination(post, account) for account in accounts),
        post.first_comment,
        post.link,
    )


def _whole(post: Post) -> str:
    """Its text, and of an article all that goes out with it."""
    if post.article is None:
        return post.content
    return json.dumps([post.content, ArticleFields.from_json(post.article).to_json()], sort_keys=True)


def _destination(post: Post, account: Account) -> str:
    place, text = f"{account.kind}:{account.external_id}", own_text(post, account)
    if account.base_url:  # the same name at another server is somebody else
        place += f"@{account.base_url}"
    return place if text is None else f"{place}\n{text}"
