"""Orders to a writer for a post's text: instructions, values of the template's variables, notes and limits."""

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import date, datetime
from uuid import UUID

from core.ai import prompts
from core.ai.rules.post_tasks import PostTask
from core.ai.writers.base import TextOrder, as_data
from core.brands.rules import MAX_TEXT, BrandVoice
from core.i18n import english_name, texts_in
from core.networks.registry import channel
from core.networks.rules.channels import NETWORKS, ChannelKind
from core.networks.rules.craft import NetworkRoom
from core.posts.fitting import longest_limit
from core.posts.repositories.posts import Objection
from core.posts.rules.edits import Edit
from core.runs.rules.runs import Brief, RunSetup
from core.runs.runnable import ensure_accounts_connected
from core.social_accounts.tables import Account
from core.templates.rules.model_settings import TextSettings
from core.templates.rules.templates import MAX_VALUE, fill, used_values
from core.texts.rules.texts import cut_text

BRAND_VOICE = "Brand Voice"
CHANNEL = "Channel"
LINK = "Link"
_LONGEST_VALUE = MAX_VALUE - len(as_data(""))
"""Characters of a value between its markers. Longer values are cut before the markers are added, so that the closing
marker is never lost."""
_LONGEST_PATH = 2000  # characters
LONGEST_TEXT = 3000
"""Characters where neither a channel nor the template sets a limit: the limit of the longest channel."""
MAX_OBJECTIONS = 5
"""Remarks on declined earlier posts that the prompt quotes."""
_LONGEST_OBJECTION = 400  # characters


def provider_subject_id(user_id: UUID) -> str:
    """Return a stable, anonymous id of the user for a provider's abuse detection."""
    return hashlib.sha256(f"postloom:{user_id}".encode()).hexdigest()


def text_limit(setup: RunSetup, accounts: Sequence[Account]) -> int:
    """Return the widest limit of the channels; for the others the text is shortened. Raises as
    `ensure_accounts_connected`."""
    ensure_accounts_connected(setup, accounts)
    return longest_limit(accounts, LONGEST_TEXT)


def text_order_of_run(
    body: str,
    settings: TextSettings,
    brief: Brief,
    *,
    slot: datetime,
    limit: int,
    user_id: UUID,
    seed: str,
    turn: int | None = None,
    networks: Sequence[NetworkRoom] = (),
    shared: bool = False,
    hashtags: bool = True,
    brand: BrandVoice | None = None,
    latest: Sequence[str] = (),
    edits: Sequence[Edit] = (),
    objections: Sequence[Objection] = (),
) -> TextOrder:
    """Return the order for the run's text. `turn` is how many posts its assistant has made; the others as in
    `text_order`. Raises InvalidInput (variable_value_required)."""
    return text_order(
        body,
        variable_values(brief, day=brief.day(slot), tone=settings.tone, brand=brand),
        settings,
        language=brief.language,
        limit=limit,
        topic=brief.topic,
        path=brief.topic_path,
        notes=brief.topic_notes,
        link=brief.topic_link,
        above=brief.notes_above,
        user_id=user_id,
        seed=seed,
        turn=turn,
        networks=networks,
        shared=shared,
        hashtags=hashtags,
        brand=brand,
        latest=latest,
        edits=edits,
        objections=objections,
    )


def text_order(
    body: str,
    values: Mapping[str, str],
    settings: TextSettings,
    *,
    language: str,
    limit: int,
    topic: str,
    user_id: UUID,
    seed: str,
    notes: str = "",
    link: str = "",
    path: tuple[str, ...] = (),
    turn: int | None = None,
    above: tuple[tuple[str, str], ...] = (),
    networks: Sequence[NetworkRoom] = (),
    shared: bool = False,
    hashtags: bool = True,
    brand: BrandVoice | None = None,
    latest: Sequence[str] = (),
    edits: Sequence[Edit] = (),
    objections: Sequence[Objection] = (),
) -> TextOrder:
    """A template's body as an order for its text, of at most `limit` characters and what its settings allow. The values
    are data to the model, and so are the notes on the topic, which every text is told, and told that there are none,
    and those on the topics above it: they are all the facts that it has, with those of the brand.

    `link` is the page that the topic is about, if any. `networks` are those the text is for: several are
    asked for a text each in one answer, unless it is `shared`, one text for all of them. `latest` are texts of earlier
    posts, `edits` what people changed in them, `objections` remarks on declined ones, all newest first. Raises
    InvalidInput (variable_value_required)."""
    limit = min(limit, settings.max_characters or limit)
    rooms = tuple(replace(room, limit=min(room.limit, settings.max_characters or room.limit)) for room in networks)
    if rooms and not shared:
        limit = max(room.limit for room in rooms)
    if rooms:
        values = {**values, CHANNEL: _names_of(room.kind for room in rooms)}
    # the instructions name the same voice as the template's variable
    voice = used_values(f"(({BRAND_VOICE}))", values).get(BRAND_VOICE, settings.tone)
    task = PostTask(language, limit, topic, rooms, shared, brand, cut_text(voice, MAX_TEXT), hashtags)
    brief = fill(body, {name: as_data(value[:_LONGEST_VALUE]) for name, value in values.items()})
    own_notes = as_data(notes[:_LONGEST_VALUE]) if notes.strip() else "none."
    source = prompts.source_page(link)
    earlier = prompts.earlier_posts(latest) + prompts.edits(edits) + objections_text(objections)
    return TextOrder(
        instructions=prompts.post_instructions(task),
        prompt=fill(body, values),
        brief=f"{brief}\n\nNotes on the topic: {own_notes}{source}{_notes_above_text(above)}{earlier}",
        language=language,
        max_characters=limit,
        topic=topic,
        subject=provider_subject_id(user_id),
        seed=seed,
        model=settings.model,
        temperature=settings.temperature,
        effort=settings.effort,
        notes=notes,
        source=link,
        path=path,
        turn=turn,
        latest=latest[0] if latest else "",
        above=above,
        task=task,
        networks=() if shared else rooms,
    )


def order_for_network(order: TextOrder, room: NetworkRoom) -> TextOrder:
    """Return the order for the text of one of its networks alone, for a model that cannot answer in JSON."""
    assert order.task is not None  # as in all orders for posts
    everywhere, alone = (_names_of(each.kind for each in rooms) for rooms in (order.networks, (room,)))
    task = replace(order.task, limit=room.limit, networks=(room,))
    return replace(
        order,
        instructions=prompts.post_instructions(task),
        brief=order.brief.replace(as_data(everywhere), as_data(alone)),
        max_characters=room.limit,
        task=task,
        networks=(room,),
    )


def order_for_networks(order: TextOrder, rooms: Sequence[NetworkRoom]) -> TextOrder:
    """Return the order for the texts of some of its networks, more than one, in one answer."""
    assert order.task is not None  # as in all orders for posts
    task = replace(order.task, networks=tuple(rooms))
    limit = max(room.limit for room in rooms)
    return replace(
        order,
        instructions=prompts.post_instructions(task),
        max_characters=limit,
        task=task,
        networks=task.networks,
    )


def objections_text(objections: Sequence[Objection]) -> str:
    """Return the prompt's part about the objections, or "" if there are none."""
    if not objections:
        return ""
    lines = [f"\n- on {as_data(item.topic)}: {as_data(item.remark[:_LONGEST_OBJECTION])}" for item in objections]
    return prompts.OBJECTIONS_INTRO + "".join(lines)


def _notes_above_text(above: Sequence[tuple[str, str]]) -> str:
    """Return the notes on the topics above, nearest first, up to a limit of characters."""
    text, room = "", _LONGEST_VALUE
    for title, notes in above:
        part = notes[:room]
        text += f"\n\nNotes on {as_data(title)}, to which the topic belongs: {as_data(part)}" if part else ""
        room -= len(part)
    return text


def variable_values(
    brief: Brief, *, day: date, tone: str = "", brand: BrandVoice | None = None, **more: str
) -> dict[str, str]:
    """Return the values of all variables: the reserved ones and the topic's link, over the assistant's fixed values.
    `day` is the post's date. The brand voice is the assistant's fixed value, else that of the `brand`, else the
    template's `tone`."""
    fixed = brief.variables
    if brief.topic_link:  # an assistant's own value is for topics without a link
        fixed = {name: value for name, value in fixed.items() if name.casefold() != LINK.casefold()}
        fixed[LINK] = brief.topic_link
    return {
        **fixed,
        "Topic": brief.topic,
        "Topic Path": _path_text(brief.topic_path),
        "Language": english_name(brief.language),
        "Date": texts_in(brief.language).weekday(day),
        CHANNEL: ", ".join(brief.channels or channel_names(())),
        BRAND_VOICE: own_voice(brief.variables) or (brand.voice if brand else "") or tone,
        **more,
    }


def own_voice(variables: Mapping[str, str]) -> str:
    """Return the voice among the values of variables, or ""."""
    return next(
        (value for name, value in variables.items() if name.casefold() == BRAND_VOICE.casefold() and value.strip()), ""
    )


def channel_names(accounts: Iterable[Account]) -> tuple[str, ...]:
    """Return the names of the accounts' networks without repetition; without accounts, the first network's."""
    kinds = dict.fromkeys(ChannelKind(account.kind) for account in accounts) or dict.fromkeys(NETWORKS[:1])
    return tuple(channel(kind).label for kind in kinds)


def _names_of(kinds: Iterable[ChannelKind]) -> str:
    return ", ".join(channel(kind).label for kind in kinds)


def _path_text(titles: Sequence[str]) -> str:
    """Return the path as text. Of a long path only its end, which is nearest to the topic."""
    shown: list[str] = []
    room = _LONGEST_PATH
    for title in reversed(titles):
        room -= len(title)
        if room < 0:
            shown.append("…")
            break
        shown.append(title)
    return " / ".join(reversed(shown))
