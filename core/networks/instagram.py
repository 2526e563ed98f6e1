"""Instagram: professional accounts that are linked to a Facebook page.

A post is a container and a call that publishes it (`graph_containers`). Images must be JPEG. A video is a Reel that is
shown in the feed, too.
"""

import re
from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit

from core.errors import ErrorCode, ProviderError, Refused, StagedLost
from core.networks.base import Traits
from core.networks.connections import Connection, Grant, Profile
from core.networks.graph import GraphChannel
from core.networks.graph_containers import PERMALINK, PERMANENT, PUBLISH, ContainerChannel, loss_of, refusal_of
from core.networks.posts import Image, Outgoing, Video
from core.networks.rules.channels import AccountType, ChannelKind, ChannelLimits
from core.networks.rules.files import VideoLimits
from core.networks.rules.links import LinkPlace
from core.outgoing.http import text_of

_POST = re.compile(r"^/(?:[\w.]+/)?(?:p|reel)/([\w-]+)/?$")
_NUMBER = re.compile(r"\b2207\d{3}\b")


class InstagramChannel(ContainerChannel, GraphChannel):
    kind = ChannelKind.instagram
    label = "Instagram"
    connection = Connection(consent=True, settings=("META_CLIENT_ID", "META_CLIENT_SECRET"))
    limits = ChannelLimits(
        max_characters=2_200,
        min_images=1,
        max_images=10,
        image_missing=ErrorCode.image_template_required,
        max_hashtags=30,
        max_mentions=20,
        max_first_comment=2_200,
        max_image_bytes=8_000_000,
        image_types=("image/jpeg",),
        min_width=320,
        min_ratio=0.8,
        max_alt=1_000,
        text_required=False,
        max_ratio=1.91,
        # an address in a caption cannot be clicked
        link=LinkPlace.left_out,
        # Reels: https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-user/media
        video=VideoLimits(
            shows_cover=True,
            max_bytes=300_000_000,
            min_seconds=3,
            max_seconds=900,
            min_ratio=0.01,
            max_ratio=10,
            mimes=("video/mp4", "video/quicktime"),
        ),
    )
    # includes the read of the permalink
    call_timeout = PUBLISH + PERMALINK
    traits = Traits(
        can_list_own=True,
        several_accounts=True,
        stages_by_url=True,
        stages_post=True,
    )
    scopes = ("pages_show_list", "pages_read_engagement", "instagram_basic", "instagram_content_publish")
    # for pages that a business owns, and for a first comment
    wishes = ("business_management", "instagram_manage_comments")
    page_fields = "id,name,access_token,tasks,picture{url},instagram_business_account{id,username,profile_picture_url}"
    containers, publishing, daily_limit = "media", "media_publish", "content_publishing_limit"
    text_field, state_field, message_field = "caption", "status_code", "status"
    comment_field = "text"
    comment_order: Mapping[str, str] = {}  # already newest first

    @property
    def posts_base(self) -> str:
        return self.settings.instagram_url.rstrip("/")

    def calls_only(self, base_url: str) -> bool:
        return super().calls_only(base_url) and self.posts_base == base_url.rstrip("/")

    def posts_url(self, type: AccountType, external_id: str, base_url: str = "") -> str:
        return f"{self.posts_base}/"  # no account page can be addressed by the id

    def permalink_in(self, address: str, base_url: str = "") -> str | None:
        try:
            parts = urlsplit(address)
        except ValueError:
            return None
        ours = urlsplit(self.posts_base)
        if (parts.scheme, parts.netloc) != (ours.scheme, ours.netloc) and not (
            parts.scheme == "https" and f".{parts.hostname}".endswith(".instagram.com")
        ):
            return None
        found = _POST.match(parts.path)
        return f"{self.posts_base}/p/{found[1]}/" if found else None

    async def profiles(self, grant: Grant) -> list[Profile]:
        found = []
        for page in await self.pages(grant):
            account = page.get("instagram_business_account")
            if not isinstance(account, dict) or not (number := text_of(account, "id")):
                continue
            name, picture = text_of(account, "username"), text_of(account, "profile_picture_url")
            token = text_of(page, "access_token")
            found.append(Profile(number, name or number, AccountType.organisation, picture or None, token))
        if not found:
            raise Refused(ErrorCode.connect_no_business_account)
        return found

    def image_body(self, image: Image) -> dict[str, Any]:
        return {"image_url": image.fetch_url, "alt_text": image.alt}

    def video_body(self, video: Video) -> dict[str, Any]:
        cover = {"cover_url": video.cover.fetch_url} if video.cover else {}
        return {"media_type": "REELS", "video_url": video.fetch_url, "share_to_feed": True, **cover}

    def post_body(self, post: Outgoing) -> dict[str, Any]:
        covers = [post.video.cover] if post.video and post.video.cover else []
        # Instagram's AI label, if a model made an image
        made_by = {"is_ai_generated": True} if any(image.by_model for image in (*post.images, *covers)) else {}
        return {"caption": post.text, **made_by}

    def container_error(self, state: str, message: str) -> ProviderError:
        reasons = {int(found) for found in _NUMBER.findall(message)}
        if refused := reasons & PERMANENT:
            return Refused(refusal_of(refused), detail=message, container=state)
        return StagedLost(loss_of(reasons), detail=message or state, container=state)


CHANNEL = InstagramChannel()
