"""A post and its accounts together: the text that each account gets, the rules that it breaks, and the hash that
approvals and deliveries refer to."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from uuid import UUID

from core.articles.rules.articles import ArticleFields, unfinished
from core.errors import ErrorCode, FieldError
from core.media.rules.media import DocumentFacts, MediaKind, VideoFacts
from core.media.tables import Media
from core.networks.base import limits_of
from core.networks.registry import channel
from core.networks.rules.channels import (
    NETWORKS,
    ChannelKind,
    ChannelLimits,
    PostContent,
    PostFacts,
    check,
    content_fields,
    shown_content,
    with_link,
)
from core.networks.rules.files import FileFacts
from core.networks.rules.links import Link, LinkPlace
from core.posts.rules.posts import Variant, parse_variants, variant_index
from core.posts.tables.posts import Post, PostFile
from core.social_accounts.comment_access import comment_refusal
from core.social_accounts.tables import Account
from core.texts.rules.endings import Ending, finished
from core.texts.rules.texts import content_hash, cut_text


def file_facts(media: Media, alt: str, title: str = "") -> FileFacts:
    """Return what networks may refuse of a file with this description and title. A title that nobody typed is cut to
    what the network accepts, so it breaks no rule."""
    facts = FileFacts(
        media.width,
        media.height,
        alt,
        kind=media.kind,
        mime=media.mime,
        bytes=media.bytes,
        title=title,
        is_card_page="page" in (media.facts or {}),
    )
    match media.kind:
        case MediaKind.document:
            return replace(facts, pages=DocumentFacts.from_json(media.facts or {}).pages)
        case MediaKind.video:
            video = VideoFacts.from_json(media.facts or {})
            return replace(facts, seconds=video.seconds, frames_per_second=video.frames_per_second)
        case MediaKind.image:
            return facts


def carousel_pages(post: Post) -> set[UUID]:
    """Return the ids of the post's images that are pages of a carousel."""
    return {file.media_id for file in post.files if "page" in (file.media.facts or {})}


def sent_files(post: Post, limits: ChannelLimits) -> list[PostFile]:
    """Return the files of the post that a network gets, in order."""
    return [post.files[at] for at in limits.sent_places(facts_of(post))]


def facts_of(post: Post) -> list[FileFacts]:
    """Return what networks may refuse of the post's files, with the descriptions that are sent."""
    return [file_facts(file.media, alt, file.title) for file, alt in zip(post.files, sent_alts(post), strict=True)]


def content_of(post: Post) -> PostContent:
    """Return what the post's row says."""
    return PostContent(**content_fields(post) | {"link": Link.from_json(post.link)})


def broken_rules(post: Post, accounts: Sequence[Account]) -> list[FieldError]:
    """Return all rules of the accounts' channels that the post breaks; empty if it may be published."""
    unready = [] if post.article is None else unfinished(ArticleFields.from_json(post.article), post.content)
    facts = PostFacts(**content_fields(content_of(post)), files=facts_of(post))
    problems = post_problems(facts, parse_variants(post.variants), accounts)
    if post.article is not None:
        problems = [
            FieldError("featured", error.code, **error.params) if error.code is ErrorCode.alt_too_long else error
            for error in problems
        ]
    return unready + problems


def sent_alts(post: Post) -> list[str]:
    """Return the description sent with each image. Images in the body of an article are described there."""
    alts = [file.alt for file in post.files]
    if post.article is None:
        return alts
    featured = ArticleFields.from_json(post.article).featured
    return [alt if at == 0 and featured else "" for at, alt in enumerate(alts)]


def fit_alt(alt: str, accounts: Iterable[Account]) -> str:
    """Return the description, cut at a word if it exceeds the limit of an account."""
    limits = [most for account in accounts if (most := limits_of_account(account).max_alt) is not None]
    return cut_text(alt, min(limits)) if limits else alt


def post_problems(post: PostFacts, variants: Sequence[Variant], accounts: Sequence[Account]) -> list[FieldError]:
    """Return each problem once, at `content`, `variants.<index>.content`, `files`, `files.<index>`, `link.title` or
    `first_comment` (if no account can have one)."""
    # check each text once per channel and limits, not once per account
    texts = {}
    for account in accounts:
        variant = variant_index(variants, account.kind, account.id)
        texts[account.kind, variant, str(account.server_limits)] = (account, variant)
    by_field = {
        (problem.field, problem.code): problem
        for account, variant in texts.values()
        for problem in account_problems(post, variants, account, variant)
    }
    problems = list(by_field.values())
    comments = any(limits_of_account(account).max_first_comment for account in accounts)
    if post.first_comment and accounts and not comments:
        refusals = (comment_refusal(channel(account.kind), account) for account in accounts)
        unsupported = FieldError("first_comment", ErrorCode.first_comment_unsupported)
        problems.append(next(filter(None, refusals), unsupported))
    return problems


def limits_of_account(account: Account) -> ChannelLimits:
    """Return the limits of its network, or of its own server where the network leaves them to that; without a first
    comment where the operator's app may publish none."""
    network = channel(account.kind)
    limits = limits_of(network, account.server_limits)
    return replace(limits, max_first_comment=0) if comment_refusal(network, account) else limits


def account_problems(
    post: PostFacts, variants: Sequence[Variant], account: Account, variant: int | None
) -> list[FieldError]:
    """Return the problems of one account, with the variant at that index or the post's text. Only what the network
    shows is checked."""
    limits = limits_of_account(account)
    shown = shown_content(post, limits)
    if variant is None:
        return check(shown, limits)
    return [
        FieldError(f"variants.{variant}.content", error.code, **error.params) if error.field == "content" else error
        for error in check(replace(shown, content=variants[variant].content), limits)
    ]


def longest_limit(accounts: Iterable[Account], default: int) -> int:
    """Return the highest character limit of the accounts: a text is written for that, and shortened for the others."""
    return max((limits_of_account(account).max_characters for account in accounts), default=default)


def shortest_limit(
    accounts: Iterable[Account], default: int, link: Link | None = None, files: Sequence[FileFacts] = ()
) -> int:
    """Return the characters that one text may have on all accounts, with the address of the link where it stands below
    the text of a post with these files."""
    return min((_room_above(limits_of_account(account), link, files) for account in accounts), default=default)


def _room_above(limits: ChannelLimits, link: Link | None, files: Sequence[FileFacts]) -> int:
    most = limits.max_characters
    if link is None or limits.link_place(limits.card_files(files)) is not LinkPlace.below:
        return most
    # a very long address leaves some room all the same: the composer says what is too long
    return max(most - limits.length(f"\n\n{link.url}"), most // 4)


def fit_texts(
    text: str,
    accounts: Iterable[Account],
    limit: int,
    ending: Ending,
    most: int | None = None,
    *,
    link: Link | None = None,
    images: int = 0,
    endings: Mapping[ChannelKind, Ending] = MappingProxyType({}),
) -> tuple[str, tuple[Variant, ...]]:
    """Return a writer's answer as a post's text within `limit`, and a variant for each channel that this is too long
    for, or that gets another text by its ending in `endings`. `most`: characters of the text itself, without its
    ending. `link`: of a post with so many `images`; where there is no card, its address is appended to the text."""
    shared = finished(text, limit, ending, most)
    variants = []
    for kind, limits in _limits_by_kind(accounts).items():
        own = endings.get(kind, ending)
        if own == ending and _excess(shared, limits, link, images) <= 0:
            continue
        # endings that differ may leave this text the same
        if (fitted := _fit(text, limits, own, most, link, images)) != shared:
            variants.append(Variant(kind, None, fitted))
    return shared, tuple(variants)


def fit_each(
    texts: Mapping[ChannelKind, str],
    accounts: Iterable[Account],
    endings: Mapping[ChannelKind, Ending],
    *,
    link: Link | None = None,
    images: int = 0,
) -> tuple[str, tuple[Variant, ...]]:
    """Return a text for each channel, each with its ending and within the limits of its accounts: the first one, in
    display order, as the post's text, and the others as variants, without those that are the same. `link` and `images`
    as of `fit_texts`."""
    by_kind = _limits_by_kind(accounts)
    fitted = {
        kind: _fit(texts[kind], by_kind[kind], endings[kind], None, link, images)
        for kind in NETWORKS
        if kind in by_kind
    }
    content = next(iter(fitted.values()))
    return content, tuple(Variant(kind, None, text) for kind, text in fitted.items() if text != content)


def _limits_by_kind(accounts: Iterable[Account]) -> dict[ChannelKind, list[ChannelLimits]]:
    by_kind: dict[ChannelKind, list[ChannelLimits]] = {}
    for account in accounts:
        by_kind.setdefault(account.kind, []).append(limits_of_account(account))
    return by_kind


def _fit(
    text: str, limits: Sequence[ChannelLimits], ending: Ending, most: int | None, link: Link | None, images: int
) -> str:
    """Return the text with its ending, within all of the limits."""
    room = min(bounds.max_characters for bounds in limits)
    fitted = finished(text, room, ending, most)
    # shorten further where characters count more than once
    while room > 0 and (more := _excess(fitted, limits, link, images)) > 0:
        room -= more
        fitted = finished(text, max(room, 0), ending, most)
    return fitted


def _excess(sent: str, limits: Sequence[ChannelLimits], link: Link | None, images: int) -> int:
    """Return how many more characters a text has than all of the limits allow."""
    return max(bounds.length(with_link(sent, link, images, bounds)[0]) - bounds.max_characters for bounds in limits)


def own_text(post: Post, account: Account) -> str | None:
    """Return the text that the account gets instead of the post's, or None."""
    variants = parse_variants(post.variants)
    index = variant_index(variants, account.kind, account.id)
    return None if index is None else variants[index].content


def own_hash(post: Post, account: Account) -> str:
    """Return the hash of what only this account gets: text, link, files in order with their descriptions. Changes for
    other accounts do not change it, nor does the first comment, which is published by a step of its own."""
    text = own_text(post, account)
    limits = limits_of_account(account)
    shown = shown_content(content_of(post), limits)
    files = [f"{file.media.sha256} {file.alt}{_shown_details(file, limits)}" for file in sent_files(post, limits)]
    return _hash(replace(shown, content=_full_content(post) if text is None else text, first_comment=""), files)


def post_hash(post: Post, accounts: Sequence[Account]) -> str:
    """Return the hash of texts, files, first comment, link and destinations: any change of these changes it."""
    destinations = [_destination_key(post, account) for account in accounts]
    content = replace(content_of(post), content=_full_content(post))
    return _hash(content, [f"{file.media.sha256}{_file_details(file)}" for file in post.files], destinations)


def _file_details(file: PostFile, *, shows_title: bool = True, shows_cover: bool = True) -> str:
    """Return title and cover of a document or a video as text; "" for an image."""
    title, cover = file.title if shows_title else "", file.cover if shows_cover else None
    if not (title or cover):
        return ""
    return " " + json.dumps([title, cover.sha256 if cover else None])


def _shown_details(file: PostFile, limits: ChannelLimits) -> str:
    """Return those that the network shows: what it leaves out may change without a new upload."""
    if file.media.kind is MediaKind.video and limits.video:
        return _file_details(file, shows_title=limits.video.shows_title, shows_cover=limits.video.shows_cover)
    return _file_details(file)


def _hash(content: PostContent, files: Sequence[str], destinations: Sequence[str] = ()) -> str:
    beside = content.to_columns()
    return content_hash(beside.pop("content"), files, destinations, **beside)


def _full_content(post: Post) -> str:
    """Return the text, for an article with all its fields."""
    if post.article is None:
        return post.content
    return json.dumps([post.content, ArticleFields.from_json(post.article).to_json()], sort_keys=True)


def _destination_key(post: Post, account: Account) -> str:
    place, text = f"{account.kind}:{account.external_id}", own_text(post, account)
    if account.base_url:  # the same name at another server is another account
        place += f"@{account.base_url}"
    return place if text is None else f"{place}\n{text}"
