"""The set-up of a run, copied when it begins: later edits of the assistant do not change it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from core.approvals.rules import DEFAULT_AT_DEADLINE, AtDeadline
from core.assistants.rules.assistants import (
    ImageFallback,
    ImageOrder,
    ImageSource,
    Mode,
    RunState,
    SecondLook,
    TextPer,
)
from core.brands.rules import BrandVoice
from core.networks.rules.channels import ChannelKind
from core.posts.rules.posts import DeliveryState, PostStatus, status_of
from core.texts.rules.endings import Ending, HashtagPolicy


@dataclass(frozen=True, slots=True)
class Brief:
    """What a post is about and for whom it is written. `variables` are the assistant's fixed values, `name` its name.
    `topic_path` holds the titles from the root to the topic, `notes_above` the titles and notes of those that have
    notes, nearest first."""

    name: str
    language: str
    time_zone: str
    variables: Mapping[str, str]
    topic: str
    topic_path: tuple[str, ...] = ()
    topic_notes: str = ""
    notes_above: tuple[tuple[str, str], ...] = ()
    topic_link: str = ""
    """Address of the page that the topic is about."""
    channels: tuple[str, ...] = ()
    """Names of the networks it is published on, without repetition. Empty if none is chosen."""

    def day(self, slot: datetime) -> date:
        """Return the date of the slot in the assistant's time zone."""
        return slot.astimezone(ZoneInfo(self.time_zone)).date()


@dataclass(frozen=True, slots=True)
class RunSetup:
    brief: Brief
    mode: Mode
    template_version_id: UUID
    image_source: ImageSource
    image_template_version_id: UUID | None
    account_ids: tuple[UUID, ...]
    image_order: ImageOrder = ImageOrder.in_turn
    ending: Ending = Ending()
    catch_up_minutes: int | None = None
    """How late the post may still be published. None: the server's setting."""
    image_fallback: ImageFallback = ImageFallback.ask
    veto_minutes: int | None = None
    """How long the post is shown before it is published unless somebody objects. None: not shown."""
    at_deadline: AtDeadline = DEFAULT_AT_DEADLINE
    website_id: UUID | None = None
    """The website that an article is written for. None: a social post."""
    asks_about_demo: bool = False
    """The text was written by the demo writer and would be published on a real network: a person is always asked, and
    nothing is published without an answer."""
    brand: BrandVoice | None = None
    """The brand as it was when the run began."""
    brand_id: UUID | None = None
    """The brand, whose look its carousels have."""
    text_per: TextPer = TextPer.post
    networks: tuple[ChannelKind, ...] = ()
    """Of its accounts when the run began, in display order. A stored text has the number of its network here."""
    second_look: SecondLook = SecondLook.off

    def network_of(self, part: int) -> ChannelKind | None:
        """Return the network of a stored text with that number, or of a second answer; None if there is none."""
        number = part if part >= 0 else -1 - part
        return self.networks[number] if number < len(self.networks) else None

    @property
    def publishes(self) -> bool:
        return self.mode.publishes

    @property
    def asks(self) -> bool:
        """Whether a person may decide about the post before it is published."""
        return self.asks_first or (self.mode is Mode.automatic and self.veto_minutes is not None)

    @property
    def asks_first(self) -> bool:
        """Whether an approval is required."""
        return self.mode is Mode.approval or self.asks_about_demo

    @property
    def without_answer(self) -> AtDeadline:
        """What happens to the post if nobody answers in time."""
        if not self.asks_first:
            return AtDeadline.publish
        return self.at_deadline.without_publishing() if self.asks_about_demo else self.at_deadline

    @property
    def wants_image(self) -> bool:
        return self.image_source is not ImageSource.none


def run_state_of(states: Sequence[DeliveryState]) -> RunState:
    """Return the state of an ended run whose deliveries are all final."""
    if DeliveryState.unknown in states:
        return RunState.unknown
    if states and all(state is DeliveryState.cancelled for state in states):
        return RunState.missed
    status = status_of(states)
    return {
        PostStatus.published: RunState.published,
        PostStatus.draft: RunState.drafted,
    }.get(status, RunState.failed)


def setup_to_json(setup: RunSetup) -> dict[str, Any]:
    brief = setup.brief
    return {
        "template_version_id": str(setup.template_version_id),
        "image_source": setup.image_source.value,
        "image_fallback": setup.image_fallback.value,
        "image_template_version_id": (
            str(setup.image_template_version_id) if setup.image_template_version_id else None
        ),
        "variables": dict(brief.variables),
        "mode": setup.mode.value,
        "language": brief.language,
        "name": brief.name,
        "time_zone": brief.time_zone,
        "topic": brief.topic,
        "topic_path": list(brief.topic_path),
        "topic_notes": brief.topic_notes,
        "notes_above": [list(pair) for pair in brief.notes_above],
        "topic_link": brief.topic_link,
        "channels": list(brief.channels),
        "account_ids": [str(account_id) for account_id in setup.account_ids],
        "image_order": setup.image_order.value,
        "hashtag_policy": setup.ending.hashtags.value,
        "most_hashtags": setup.ending.most_hashtags,
        "always_hashtags": list(setup.ending.always),
        "link": setup.ending.link,
        "catch_up_minutes": setup.catch_up_minutes,
        "veto_minutes": setup.veto_minutes,
        "at_deadline": setup.at_deadline.value,
        "website_id": str(setup.website_id) if setup.website_id else None,
        "asks_about_demo": setup.asks_about_demo,
        "brand": setup.brand.to_json() if setup.brand else None,
        "brand_id": str(setup.brand_id) if setup.brand_id else None,
        "text_per": setup.text_per.value,
        "networks": [kind.value for kind in setup.networks],
        "second_look": setup.second_look.value,
    }


def setup_from_json(stored: dict[str, Any]) -> RunSetup:
    """Read a stored set-up. Fields that older releases did not store have defaults."""
    image_template, website = stored["image_template_version_id"], stored.get("website_id")
    brand = stored.get("brand")
    return RunSetup(
        brief=Brief(
            name=stored["name"],
            language=stored["language"],
            time_zone=stored["time_zone"],
            variables={str(name): str(value) for name, value in stored["variables"].items()},
            topic=stored["topic"],
            topic_path=tuple(stored["topic_path"]),
            topic_notes=stored.get("topic_notes", ""),
            notes_above=tuple((str(title), str(notes)) for title, notes in stored.get("notes_above", ())),
            topic_link=stored.get("topic_link", ""),
            channels=tuple(stored.get("channels", ())),
        ),
        mode=Mode(stored["mode"]),
        template_version_id=UUID(stored["template_version_id"]),
        image_source=ImageSource(stored["image_source"]),
        image_template_version_id=UUID(image_template) if image_template else None,
        account_ids=tuple(UUID(account_id) for account_id in stored["account_ids"]),
        image_order=ImageOrder(stored.get("image_order", ImageOrder.in_turn)),
        ending=Ending(
            HashtagPolicy(stored.get("hashtag_policy", HashtagPolicy.as_written)),
            stored.get("most_hashtags"),
            tuple(stored.get("always_hashtags", ())),
            stored.get("link", ""),
        ),
        catch_up_minutes=stored.get("catch_up_minutes"),
        image_fallback=ImageFallback(stored.get("image_fallback", ImageFallback.ask)),
        veto_minutes=stored.get("veto_minutes"),
        # runs of earlier releases have no value
        at_deadline=AtDeadline(stored.get("at_deadline", AtDeadline.hold)),
        website_id=UUID(website) if website else None,
        asks_about_demo=stored.get("asks_about_demo", False),
        brand=BrandVoice.from_json(brand) if brand else None,
        brand_id=UUID(brand_id) if (brand_id := stored.get("brand_id")) else None,
        text_per=TextPer(stored.get("text_per", TextPer.post)),
        networks=tuple(map(ChannelKind, stored.get("networks", ()))),
        second_look=SecondLook(stored.get("second_look", SecondLook.off)),
    )
