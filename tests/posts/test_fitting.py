"""A text that is written for the roomiest channel, and fitted to the others."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from typing import Any, cast
from uuid import UUID

import pytest

from core.articles.rules.articles import ArticleFields
from core.errors import ErrorCode
from core.ids import new_id
from core.media.rules.media import MP4, MediaKind, VideoFacts
from core.media.tables import Media
from core.networks.base import Traits
from core.networks.connections import Credentials
from core.networks.rules.channels import ChannelKind, ChannelLimits, Counting, PostFacts, with_link
from core.networks.rules.files import FileFacts
from core.networks.rules.links import Link, LinkPlace
from core.posts.fitting import (
    broken_rules,
    fit_each,
    fit_texts,
    longest_limit,
    own_hash,
    post_hash,
    post_problems,
    shortest_limit,
)
from core.posts.rules.posts import variant_index
from core.posts.tables.posts import Post, PostFile
from core.social_accounts.tables import Account
from core.texts.rules.endings import Ending

LINK = "https://example.org/a-rather-long-address"
ENDING = Ending(always=("#weaving",), link=LINK)
TEXT = " ".join(f"Sentence number {at} is about weaving." for at in range(40))


def an_image(sha256: str = "") -> Media:
    return Media(kind=MediaKind.image, sha256=sha256, width=1000, height=1000, mime="image/png", bytes=1000, name="")


@dataclass
class Network:
    """Whose servers take what they say, as `characters`."""

    limits: ChannelLimits
    traits: Traits = Traits()

    async def own_limits(self, to: Credentials) -> dict[str, Any]:
        raise NotImplementedError("what is kept is used")

    def limits_at(self, kept: Mapping[str, Any]) -> ChannelLimits:
        return replace(self.limits, max_characters=kept["characters"])


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> dict[str, ChannelLimits]:
    """By kind, of networks that are not there yet as well."""
    known: dict[str, ChannelLimits] = {}
    monkeypatch.setattr("core.posts.fitting.channel", lambda kind: Network(known[kind]))
    return known


def account(name: str, characters: int | None = None) -> Account:
    kept = None if characters is None else {"characters": characters}
    return Account(id=new_id(), kind=cast(ChannelKind, name), server_limits=kept)


def test_each_channel_gets_what_fits_it_and_none_is_cut_for_another(limits: dict[str, ChannelLimits]) -> None:
    limits |= {"wide": ChannelLimits(3000, 1), "tight": ChannelLimits(300, 1), "middle": ChannelLimits(5000, 1)}
    accounts = [account("wide"), account("tight"), account("middle"), account("tight")]
    assert longest_limit(accounts, 1) == 5000
    whole, variants = fit_texts(TEXT, accounts, 5000, ENDING)
    assert whole == f"{TEXT}\n\n{LINK}\n\n#weaving"
    assert [(variant.channel, variant.account_id) for variant in variants] == [("tight", None)]
    [tight] = variants
    assert 200 < len(tight.content) <= 300
    assert tight.content.endswith(f".\n\n{LINK}\n\n#weaving"), "link and hashtags are whole"
    assert [variant_index(variants, one.kind, one.id) for one in accounts] == [None, 0, None, 0]


def test_each_network_has_its_text_with_its_ending_within_its_limits() -> None:
    kinds = (ChannelKind.mastodon, ChannelKind.linkedin, ChannelKind.facebook)
    accounts = [Account(id=new_id(), kind=kind, server_limits=None) for kind in kinds]
    endings = {kind: replace(ENDING, link=f"{LINK}?from={kind}") for kind in kinds}
    content, variants = fit_each(dict.fromkeys(kinds, TEXT), accounts, endings)
    assert content == f"{TEXT}\n\n{LINK}?from=linkedin\n\n#weaving"
    assert [variant.channel for variant in variants] == ["facebook", "mastodon"]
    assert variants[0].content == content.replace("from=linkedin", "from=facebook")
    assert variants[1].content.endswith(f".\n\n{LINK}?from=mastodon\n\n#weaving")
    assert 400 < len(variants[1].content) <= 500
    _, same = fit_each(dict.fromkeys(kinds, "Weaving."), accounts, dict.fromkeys(kinds, ENDING))
    assert same == (), "what is the same for all is no variant"


def test_one_text_has_a_variant_where_its_ending_differs(limits: dict[str, ChannelLimits]) -> None:
    limits |= {"wide": ChannelLimits(3000, 1), "middle": ChannelLimits(3000, 1)}
    accounts, own = [account("wide"), account("middle")], replace(ENDING, link="https://example.org/other")
    content, [variant] = fit_texts(TEXT, accounts, 3000, ENDING, endings={cast(ChannelKind, "middle"): own})
    assert (variant.channel, variant.content) == ("middle", content.replace(LINK, own.link))


def test_what_a_server_takes_counts_before_what_its_network_does(limits: dict[str, ChannelLimits]) -> None:
    limits |= {"many": ChannelLimits(500, 1), "one": ChannelLimits(300, 1)}
    roomy, tight, plain, other = account("many", 5000), account("many", 400), account("many"), account("one")
    assert longest_limit([plain, other], 1) == 500
    assert longest_limit([roomy, other], 1) == 5000
    assert (shortest_limit([roomy, tight, other], 1), shortest_limit([], 1)) == (300, 1)
    link = Link("https://example.org/" + "x" * 30)
    assert shortest_limit([roomy, other], 1, link) == 300 - len(f"\n\n{link.url}")
    assert shortest_limit([other], 1, Link("https://example.org/" + "x" * 400)) == 75
    limits["card"] = ChannelLimits(500, 1, link=LinkPlace.page_card)
    assert shortest_limit([account("card")], 1, link) == 500
    image = FileFacts(1000, 1000)
    assert shortest_limit([account("card")], 1, link, [image]) == 500 - len(f"\n\n{link.url}"), "no card beside it"
    _, variants = fit_texts(TEXT, [roomy], 5000, ENDING)
    assert variants == ()
    _, variants = fit_texts(TEXT, [roomy, tight, plain], 5000, ENDING)
    [shorter] = variants
    assert (shorter.channel, shorter.account_id) == ("many", None)
    assert 300 < len(shorter.content) <= 400, "all of them can take it"

    def told(*accounts: Account) -> list[object]:
        return [one.params["limit"] for one in post_problems(PostFacts("x" * 450), [], accounts)]

    assert (told(roomy), told(plain), told(tight), told(roomy, tight)) == ([], [], [400], [400])


def test_what_a_network_weighs_is_cut_until_it_fits(limits: dict[str, ChannelLimits]) -> None:
    # each word counts ten
    weighed = ChannelLimits(300, 1, counting=Counting.weighted, weigh=lambda text: 10 * len(text.split()))
    limits["weighed"] = weighed
    _, [variant] = fit_texts(TEXT, [account("weighed")], 3000, ENDING)
    assert 100 < weighed.length(variant.content) <= 300


def test_the_same_name_at_another_server_is_another_destination() -> None:
    """Or what was approved for one would go out to the other."""

    def bound(base_url: str) -> str:
        account = Account(id=new_id(), kind=ChannelKind.mastodon, base_url=base_url, external_id="ada")
        return post_hash(Post(content="Hello", variants=[], files=[]), [account])

    assert bound("https://one.example") != bound("https://two.example")
    assert bound("https://one.example") == bound("https://one.example")


def test_a_description_is_held_against_each_account_and_of_an_article_only_above_it() -> None:
    def post(article: bool, *alts: str) -> Post:
        told = ArticleFields(title="Rain", slug="rain", featured=True).to_json() if article else None
        files = [
            PostFile(
                alt=alt,
                media=an_image(),
            )
            for alt in alts
        ]
        return Post(content="Hello", variants=[], files=files, first_comment="", link=None, article=told)

    def told(kind: ChannelKind, checked: Post) -> list[tuple[str, int]]:
        of = Account(id=new_id(), kind=kind, base_url="", external_id="ada", server_limits=None)
        return [
            (one.field, cast(int, one.params["limit"]))
            for one in broken_rules(checked, [of])
            if one.code is ErrorCode.alt_too_long
        ]

    long = "a" * 1600
    assert told(ChannelKind.mastodon, post(False, "short", long)) == [("files.1.alt", 1500)]
    assert told(ChannelKind.instagram, post(False, long)) == [("files.0.alt", 1000)]
    assert told(ChannelKind.bluesky, post(False, long)) == []
    assert told(ChannelKind.ghost, post(True, "a" * 192, "short")) == [("featured", 191)]
    assert told(ChannelKind.ghost, post(True, "short", long)) == []


def test_a_link_that_an_account_does_not_show_leaves_what_it_gets_as_it_was() -> None:
    def own(kind: ChannelKind, link: dict[str, str] | None) -> str:
        account = Account(id=new_id(), kind=kind, base_url="", external_id="ada")
        return own_hash(Post(content="Hello", variants=[], files=[], link=link), account)

    link = {"url": "https://blog.example", "title": "Rain", "description": ""}
    assert own(ChannelKind.instagram, link) == own(ChannelKind.instagram, None)
    for kind in (ChannelKind.linkedin, ChannelKind.facebook, ChannelKind.mastodon, ChannelKind.bluesky):
        assert own(kind, link) != own(kind, None)
        assert own(kind, link | {"title": "Snow"}) != own(kind, link)


@pytest.mark.parametrize(
    ("kind", "shows_title", "shows_cover"),
    [
        (ChannelKind.linkedin, True, True),
        (ChannelKind.facebook, True, True),
        (ChannelKind.instagram, False, True),
        (ChannelKind.mastodon, False, True),
        (ChannelKind.threads, False, False),
        (ChannelKind.bluesky, False, False),
    ],
)
def test_what_a_network_does_not_show_of_a_video_leaves_it_staged(
    kind: ChannelKind, shows_title: bool, shows_cover: bool
) -> None:
    account = Account(id=new_id(), kind=kind, base_url="", external_id="ada")

    def hashes(title: str, cover: Media | None) -> tuple[str, str]:
        video = Media(
            kind=MediaKind.video,
            sha256="a" * 64,
            width=1280,
            height=720,
            mime="video/mp4",
            bytes=100_000,
            name="",
            facts=VideoFacts(12.5, "h264", "aac", 25).to_json(),
        )
        file = PostFile(alt="", title=title, media=video, cover=cover)
        post = Post(content="Hello", variants=[], files=[file])
        return own_hash(post, account), post_hash(post, [account])

    own, whole = hashes("", None)
    titled, titled_whole = hashes("Rain", None)
    covered, covered_whole = hashes("", an_image("b" * 64))
    assert (titled != own, covered != own) == (shows_title, shows_cover)
    # whoever approves sees both
    assert len({whole, titled_whole, covered_whole}) == 3


def test_a_video_is_held_against_the_pixels_and_the_frames_per_second_of_its_server() -> None:
    def told(width: int, height: int, rate: float, **kept: int) -> list[tuple[str, ErrorCode, dict[str, object]]]:
        facts = VideoFacts(12.5, "h264", "aac", rate).to_json()
        video = Media(
            kind=MediaKind.video, sha256="a" * 64, width=width, height=height, mime=MP4, bytes=100_000, facts=facts
        )
        post = Post(
            content="Hello",
            variants=[],
            files=[PostFile(alt="", title="", media=video)],
            first_comment="",
            link=None,
        )
        of = Account(id=new_id(), kind=ChannelKind.mastodon, base_url="", external_id="ada", server_limits=kept or None)
        return [(one.field, one.code, dict(one.params)) for one in broken_rules(post, [of])]

    assert told(3840, 2160, 120.99) == []
    assert told(4096, 2160, 30) == [
        ("files.0", ErrorCode.video_resolution_too_high, {"width": 4096, "height": 2160, "limit": 8_294_400})
    ]
    assert told(1080, 1920, 121) == [("files.0", ErrorCode.video_frame_rate_too_high, {"found": 121, "limit": 120})]
    # what its server says
    assert told(4096, 2160, 240, video_matrix_limit=16_777_216, video_frame_rate_limit=240) == []
    assert [code for _, code, _ in told(1280, 720, 30, video_matrix_limit=900_000, video_frame_rate_limit=25)] == [
        ErrorCode.video_resolution_too_high,
        ErrorCode.video_frame_rate_too_high,
    ]


def test_a_text_leaves_room_for_the_address_below_it(limits: dict[str, ChannelLimits]) -> None:
    limits["small"] = ChannelLimits(200, 4)
    link = Link("https://blog.example/rain")
    _, [variant] = fit_texts(TEXT, [account("small")], 3000, ENDING, link=link)
    sent, card = with_link(variant.content, link, 0, limits["small"])
    assert card is None
    assert 100 < len(sent) <= 200


ARTICLE = ArticleFields(title="Rain", slug="rain", summary="About rain", tags=("weather",), featured=True).to_json()
BOTH = [
    {"channel": "linkedin", "account_id": None, "content": "Hello, colleagues"},
    {"channel": "mastodon", "account_id": "00000000-0000-7000-8000-000000000001", "content": "Hello, fediverse"},
]
CARD = {"url": "https://blog.example/rain", "title": "Rain", "description": "Grüße"}


@pytest.mark.parametrize(
    ("more", "whole", "own"),
    [
        pytest.param(
            {},
            "b3d9d292c95c10c0e0ac9e21a508e4e3edfbd0e5b30bb47c4fc70a9cfa6d1f5a",
            "c9f45e2181cc3014deab4a311036bea5d71a83b23d52f659b951fa7e2c39ccc4",
            id="text",
        ),
        pytest.param(
            {"first_comment": "More below"},
            "1c709259f86c02d88e09c3aa77c7ee639d436b17bfdd675e583ea96bb0aabf87",
            "c9f45e2181cc3014deab4a311036bea5d71a83b23d52f659b951fa7e2c39ccc4",
            id="comment",
        ),
        pytest.param(
            {"link": CARD},
            "a8c7fdc1865658931c84e6585e53752dcb4b7c13614ee9d78e25c11c72f91cf9",
            "9b916027d98e96d9d3f051df8ebb5f8d6f469d50980e804cd5ab0bd0ac614ce8",
            id="link",
        ),
        pytest.param(
            {"first_comment": "More below", "link": CARD, "variants": BOTH},
            "b7efa8b39fb97d1498c4f8fa3764d000d14bff8cc62346b2d18ec0a0123345e8",
            "7cda771a1b93eb826beb37902ec55698121ba1fcea9b99b60d812731e3fd8c33",
            id="all",
        ),
        pytest.param(
            {"article": ARTICLE},
            "5458a0367a9e131f8907c19c93abb33999177dcb5e5d842fe8defe0a52c07390",
            "c31b1dcf3cff3a97ccdcf71218957779eefb6998f03cd978a8739e1309568a5d",
            id="article",
        ),
    ],
)
def test_hashes_are_those_of_stored_rows(more: dict[str, Any], whole: str, own: str) -> None:
    """Rows keep both hashes: a new one for the same post would void its approval and stage it again."""
    files = [
        PostFile(
            alt="Clouds",
            media=Media(
                kind=MediaKind.image, sha256="a" * 64, width=1000, height=1000, mime="image/png", bytes=1000, name=""
            ),
        ),
        PostFile(
            alt="",
            media=Media(
                kind=MediaKind.image, sha256="b" * 64, width=1000, height=1000, mime="image/png", bytes=1000, name=""
            ),
        ),
    ]
    post = Post(**{"content": "Grüße 🌧", "first_comment": "", "link": None, "variants": []} | more, files=files)
    accounts = [
        Account(id=UUID(f"00000000-0000-7000-8000-00000000000{at}"), kind=kind, external_id="ada", base_url=server)
        for at, (kind, server) in enumerate(
            [
                (ChannelKind.linkedin, ""),
                (ChannelKind.mastodon, "https://social.example"),
                (ChannelKind.instagram, ""),
                (ChannelKind.facebook, ""),
            ]
        )
    ]
    assert post_hash(post, accounts) == whole
    assert sha256(" ".join(own_hash(post, account) for account in accounts).encode()).hexdigest() == own
