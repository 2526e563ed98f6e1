"""Brands from the tones of an older release's templates."""

from typing import Any

from sqlalchemy import select, update

from core.ai.prompts import brand_part
from core.assistants.tables import Assistant
from core.brands.repository import BrandRepository
from core.brands.tables import Brand
from core.container import Services
from core.runs.text_orders import own_voice
from core.templates.repositories.templates import TemplateRepository
from core.templates.rules.model_settings import TextSettings, text_from_json, text_to_json
from core.templates.rules.templates import TemplateType
from core.templates.tables import Template, TemplateVersion
from core.templates.versions import TemplateForm, TemplateService
from core.users.tables.users import User
from tests.factories import TEXT, Factory


def form(tone: str, **more: Any) -> TemplateForm:
    settings = {"text": text_to_json(TextSettings(tone=tone, model="gpt-6-luna"))}
    return TemplateForm(more.pop("type", TemplateType.text), "Tips", "", "de", (), TEXT, settings)


async def template(services: Services, user: User, *tones: str, **more: Any) -> Template:
    """As the older release left it: a version for each tone."""
    async with services.sessions.begin() as session:
        service = TemplateService(session)
        row = (await service.create(user.id, form(tones[0], **more)))[0]
        for tone in tones[1:]:
            row = (await service.update(user.id, row.id, row.version, form(tone, **more)))[0]
        row.tone_converted = False
        return row


async def pin(services: Services, assistant: Assistant, template: Template, number: int, **values: Any) -> None:
    async with services.sessions.begin() as session:
        version = await TemplateRepository(session).numbered(assistant.user_id, template.id, number)
        row = await session.get_one(Assistant, assistant.id)
        row.template_version_id = version.id
        for name, value in values.items():
            setattr(row, name, value)


async def voices(services: Services, user: User) -> dict[str, Brand]:
    async with services.sessions() as session:
        rows, _ = await BrandRepository(session).page(user.id, search="", offset=0, limit=100)
        return {brand.voice: brand for brand, _ in rows}


async def settings(services: Services, row: Template) -> list[TextSettings]:
    """Of each version, the oldest first."""
    async with services.sessions() as session:
        found = await session.scalars(
            select(TemplateVersion).where(TemplateVersion.template_id == row.id).order_by(TemplateVersion.number)
        )
        return [text_from_json(version.settings["text"]) for version in found]


async def brand_of(services: Services, assistant: Assistant) -> Any:
    async with services.sessions() as session:
        return await session.scalar(select(Assistant.brand_id).where(Assistant.id == assistant.id))


async def test_each_tone_becomes_one_brand_which_its_users_choose(services: Services, make: Factory) -> None:
    user, other = await make.user(), await make.user()
    tips = await template(services, user, "knapp und trocken", "freundlich, handfest")
    news = await template(services, user, "freundlich, handfest")
    silent = await template(services, user, " ")
    theirs = await template(services, other, "freundlich, handfest")
    newest, older, quiet = [await make.assistant(user) for _ in range(3)]
    await pin(services, newest, tips, 2)
    await pin(services, older, tips, 1)
    await pin(services, quiet, silent, 1)
    async with services.sessions() as session:
        before = await session.get_one(Template, tips.id)

    assert await services.tones.convert() == 4
    brands = await voices(services, user)
    assert brands.keys() == {"freundlich, handfest", "knapp und trocken"}
    friendly, dry = brands["freundlich, handfest"], brands["knapp und trocken"]
    assert (friendly.name, friendly.languages, dry.name) == ("Freundlich, handfest", ["de"], "Knapp und trocken")
    # a voice is no name of a business
    assert brand_part(friendly.to_voice()).endswith("what:\n- Voice: <value>freundlich, handfest</value>")
    # an older version keeps its tone alone
    first, second = await settings(services, tips)
    assert (first.tone, first.brand_id) == ("knapp und trocken", None)
    assert (second.tone, second.brand_id, second.model) == ("freundlich, handfest", friendly.id, "gpt-6-luna")
    assert [one.brand_id for one in await settings(services, news)] == [friendly.id]
    assert [one.brand_id for one in await settings(services, silent)] == [None]
    # the template's brand is theirs, whatever the template chooses later
    assert await brand_of(services, newest) is None
    assert await brand_of(services, older) == dry.id
    assert await brand_of(services, quiet) is None
    # another user's has one of its own
    [(voice, own)] = (await voices(services, other)).items()
    assert (voice, own.user_id) == ("freundlich, handfest", other.id)
    assert [one.brand_id for one in await settings(services, theirs)] == [own.id]
    async with services.sessions() as session:
        after = await session.get_one(Template, tips.id)
    assert (after.version, after.updated_at) == (before.version, before.updated_at)


async def test_nothing_is_done_twice(services: Services, make: Factory) -> None:
    user = await make.user()
    row = await template(services, user, "dry")
    assert await services.tones.convert() == 1
    [brand] = (await voices(services, user)).values()
    async with services.sessions.begin() as session:
        # the user does not want it
        await BrandRepository(session).forget(user.id, brand.id)
        await session.delete(await session.get_one(Brand, brand.id))
    assert await services.tones.convert() == 0
    assert await voices(services, user) == {}
    assert [(one.tone, one.brand_id) for one in await settings(services, row)] == [("dry", None)]


async def test_what_somebody_has_chosen_stays(services: Services, make: Factory) -> None:
    user = await make.user()
    row = await template(services, user, "dry")
    async with services.sessions.begin() as session:
        chosen = Brand(user_id=user.id, name="Ours", voice="dry")
        session.add(chosen)
    own_voice, own_brand = await make.assistant(user), await make.assistant(user)
    await pin(services, own_voice, row, 1, variables={"brand voice": "loud"})
    other = Brand(user_id=user.id, name="Theirs", voice="loud")
    async with services.sessions.begin() as session:
        session.add(other)
    await pin(services, own_brand, row, 1, brand_id=other.id)
    await services.tones.convert()
    assert await brand_of(services, own_voice) is None
    assert await brand_of(services, own_brand) == other.id
    # a brand with the same voice is used, not made again
    assert [one.brand_id for one in await settings(services, row)] == [chosen.id]
    assert len(await voices(services, user)) == 2


async def test_an_assistant_keeps_a_voice_of_its_own(services: Services, make: Factory) -> None:
    user = await make.user()
    row = await template(services, user, "dry")
    own, without, choosing = [await make.assistant(user) for _ in range(3)]
    brand = Brand(user_id=user.id, name="Ours", voice="warm")
    async with services.sessions.begin() as session:
        session.add(brand)
    await pin(services, own, row, 1, variables={"brand voice": "loud"})
    await pin(services, without, row, 1, variables={"Brand Voice": " "})
    await pin(services, choosing, row, 1, variables={"Brand Voice": "loud"}, brand_id=brand.id)
    await services.tones.convert()
    [named] = [one.brand_id for one in await settings(services, row)]
    async with services.sessions() as session:
        told = [
            await BrandRepository(session).voice_of_text(user.id, made.brand_id, named, own_voice(made.variables))
            for each in (own, without, choosing)
            for made in [await session.get_one(Assistant, each.id)]
        ]
    assert [each and each.voice for each in told] == ["loud", "dry", "warm"]


async def test_more_than_one_portion_and_images(services: Services, make: Factory) -> None:
    user = await make.user()
    await template(services, user, "unused", type=TemplateType.image)
    for number in range(120):
        await template(services, user, f"tone {number % 3}")
    async with services.sessions.begin() as session:
        await session.execute(update(Template).values(tone_converted=False))
    assert await services.tones.convert() >= 121
    assert (await voices(services, user)).keys() == {"tone 0", "tone 1", "tone 2"}
