"""What a try-out asks a model for: its text, an image, and what is wrong with the template."""

from typing import Any

from core.ai.pictures.base import PictureOrder
from core.ai.prompts import passage_prompt
from core.ai.writers.base import TextOrder
from core.articles.orders import article_room, part_order
from core.articles.rules.outlines import WantedPart, part_from_json
from core.articles.rules.passages import passage_from_json
from core.brands.rules import BrandVoice
from core.errors import ErrorCode, FieldError, InvalidInput
from core.media.card_renderer.excerpts import LONGEST
from core.networks.registry import channel
from core.runs.carousels import CarouselOrder, most_pages
from core.runs.imaging import carousel_of_run, cover_title, picture_of_run, picture_order
from core.runs.network_rooms import room_of_sample
from core.runs.rules.runs import Brief
from core.runs.rules.samples import Sample
from core.runs.text_orders import LONGEST_TEXT, provider_subject_id, text_order, text_order_of_run, variable_values
from core.templates.rules.model_settings import (
    ImageSettings,
    image_from_json,
    image_to_json,
    text_from_json,
    text_to_json,
)
from core.templates.rules.templates import CONTENT, MAX_VALUE, TOPIC, Engine, TemplateType, fill, parse, used_values
from core.templates.tables import Tryout
from core.texts.rules.texts import first_sentence, is_blank


def picture_of_tryout(
    tryout: Tryout, settings: ImageSettings, *, logo: bytes | None, drawn: bool
) -> tuple[str, PictureOrder]:
    """Return the content that the image is for, empty if there is none, and the order."""
    values = _values(tryout)
    content = next(iter(used_values(f"(({CONTENT}))", values).values()), "")
    if tryout.sample:
        return content, picture_of_run(
            tryout.body,
            settings,
            tryout.sampled.setup.brief,
            content,
            slot=tryout.sampled.slot,
            user_id=tryout.user_id,
            seed=str(tryout.id),
            logo=logo,
            drawn=drawn,
            brand=tryout.sampled.setup.brand,
        )
    # an assistant gives a card one sentence of its post; a shorter content is used unchanged
    if drawn and len(content) > LONGEST:
        values |= {CONTENT: first_sentence(content, LONGEST)}
    return content, picture_order(
        tryout.body,
        values,
        settings,
        language=tryout.language,
        user_id=tryout.user_id,
        foot="",
        seed=str(tryout.id),
        logo=logo,
        drawn=drawn,
    )


def tried_body(tryout: Tryout) -> str:
    """Return the body with the variables that a try-out needs: a carousel divides the content, whether its cover shows
    it or not."""
    is_carousel = tryout.type is TemplateType.image and image_from_json(tryout.settings).engine is Engine.carousel
    return f"{tryout.body}\n(({CONTENT}))" if is_carousel else tryout.body


def carousel_of_tryout(tryout: Tryout, settings: ImageSettings) -> CarouselOrder | None:
    """Return the order for the pages of an image template's try-out, or None if it makes one image."""
    if settings.engine is not Engine.carousel:
        return None
    values = _values(tryout)
    content = next(iter(used_values(f"(({CONTENT}))", values).values()), "")
    if tryout.sample:
        sample = tryout.sampled
        return carousel_of_run(
            tryout.body,
            settings,
            sample.setup.brief,
            content,
            slot=sample.slot,
            user_id=tryout.user_id,
            seed=str(tryout.id),
            most=pages_of_sample(sample),
            brand=sample.setup.brand,
        )
    topic = next(iter(used_values(f"(({TOPIC}))", values).values()), "")
    brief = Brief(name="", language=tryout.language, time_zone="UTC", variables={}, topic=topic)
    title = cover_title(tryout.body, values | {CONTENT: ""})
    subject = provider_subject_id(tryout.user_id)
    return CarouselOrder(brief, content, title, settings.card, most_pages(()), str(tryout.id), subject)


def pages_of_sample(sample: Sample) -> int:
    """Return how many pages a carousel may have on the sample's networks."""
    return most_pages(channel(kind).limits.max_images for kind in sample.setup.networks)


def order_of_sample(tryout: Tryout, *, one_for_all: bool) -> TextOrder:
    """`one_for_all`: the writer writes no text for each network."""
    sample = tryout.sampled
    setup, limit = sample.setup, room_of_sample(sample)
    if one_for_all and not sample.shared and tryout.post_id:
        # the composer takes it as it is, for all networks
        limit = min(room.limit for room in sample.networks)
    return text_order_of_run(
        tryout.body,
        text_from_json(tryout.settings),
        setup.brief,
        slot=sample.slot,
        limit=limit,
        user_id=tryout.user_id,
        seed=str(tryout.id),
        networks=sample.networks,
        shared=sample.shared or one_for_all,
        hashtags=setup.ending.keeps_hashtags,
        brand=setup.brand,
    )


def find_problems(tryout: Tryout) -> list[FieldError]:
    """Return every reason why the template cannot be tried."""
    parsed = parse(tryout.body)
    problems = list(parsed.errors)
    if is_blank(tryout.body):
        problems.append(FieldError("body", ErrorCode.content_empty))
    needed = tried_body(tryout)
    values = used_values(needed, _values(tryout))
    for name in parse(needed).variables:
        field, value = f"inputs.{name}", values.get(name)
        if value is None:
            problems.append(FieldError(field, ErrorCode.variable_value_required, name=name))
        elif len(value) > MAX_VALUE:
            problems.append(FieldError(field, ErrorCode.content_too_long, length=len(value), limit=MAX_VALUE))
    if not problems:
        try:
            prompt_of_tryout(tryout)
        except InvalidInput as error:
            return error.errors
    return problems


def prompt_of_tryout(tryout: Tryout, brand: BrandVoice | None = None) -> str:
    """Return the prompt; `brand` as in `text_order_of_tryout`. Raise InvalidInput (prompt_too_long)."""
    text = tryout.type is TemplateType.text
    return text_order_of_tryout(tryout, brand).brief if text else fill(tryout.body, _values(tryout))


def _values(tryout: Tryout, brand: BrandVoice | None = None) -> dict[str, str]:
    """Return the inputs over the defaults of the variables that an assistant fills: language, date, channel, voice."""
    tone = text_from_json(tryout.settings).tone if tryout.type is TemplateType.text else ""
    nothing = Brief(name="", language=tryout.language, time_zone="UTC", variables={}, topic="")
    # the day of the order, so that a retry after midnight sends the same prompt
    usual = variable_values(nothing, day=tryout.created_at.date(), tone=tone, brand=brand)
    del usual[TOPIC]
    filled = {name: value for name, value in tryout.inputs.items() if value.strip()}
    return usual | filled


def text_order_of_tryout(tryout: Tryout, brand: BrandVoice | None = None) -> TextOrder:
    """`brand`: of the template, for a try-out without a sample."""
    if tryout.passage:
        return _passage_order(tryout, tryout.passage)
    if tryout.part:
        return _part_order(tryout, part_from_json(tryout.part))
    settings, values = text_from_json(tryout.settings), _values(tryout, brand)
    return text_order(
        tryout.body,
        values,
        settings,
        language=tryout.language,
        limit=settings.max_characters or LONGEST_TEXT,
        topic=next(iter(used_values(f"(({TOPIC}))", values).values()), ""),
        user_id=tryout.user_id,
        seed=str(tryout.id),
        brand=brand,
    )


def _part_order(tryout: Tryout, part: WantedPart) -> TextOrder:
    """Return the order for a part of an article, with its template's settings if it has one."""
    settings = text_from_json(tryout.settings)
    if tryout.sample is None:
        order = TextOrder(
            instructions="",
            prompt=part.title,
            brief="",
            language=tryout.language,
            max_characters=article_room(None),
            topic=part.title,
            subject=provider_subject_id(tryout.user_id),
            seed=str(tryout.id),
        )
    else:
        order = text_order_of_run(
            tryout.body,
            settings,
            tryout.sampled.setup.brief,
            slot=tryout.sampled.slot,
            limit=article_room(settings.max_characters),
            user_id=tryout.user_id,
            seed=str(tryout.id),
            brand=tryout.sampled.setup.brand,
        )
    return part_order(order, part)


def _passage_order(tryout: Tryout, stored: dict[str, Any]) -> TextOrder:
    passage, limit = passage_from_json(stored), int(stored["limit"])
    instructions, brief = passage_prompt(
        passage,
        tryout.language,
        limit,
        longest=MAX_VALUE,
        article=bool(stored.get("article")),
    )
    return TextOrder(
        instructions=instructions,
        prompt=passage.whole(passage.text),
        brief=brief,
        language=tryout.language,
        max_characters=limit,
        topic="",
        subject=provider_subject_id(tryout.user_id),
        seed=str(tryout.id),
        passage=passage.text,
        markdown=bool(stored.get("article")),
    )


def settings_of_type(type: TemplateType, stored: dict[str, Any]) -> dict[str, Any]:
    """Return the settings of the type, complete: settings that an older release did not know take their default."""
    if type is TemplateType.text:
        return text_to_json(text_from_json(stored.get("text") or {}))
    return image_to_json(image_from_json(stored.get("image") or {}))
