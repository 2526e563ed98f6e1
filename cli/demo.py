"""What `make demo` fills an empty installation with: a user with two assistants, their posts of the last fortnight, and
one post that goes out within a minute."""

from contextlib import suppress
from uuid import UUID

from core.assistants.repository import AssistantRepository
from core.container import Services, open_services
from core.demo.demo_data import DemoDataState
from core.errors import Conflict, Unavailable
from core.ids import new_id
from core.languages import Language
from core.settings import Settings, WrongSetting

EMAIL = "demo@postloom.example"
ZONE = "Europe/Berlin"


async def _begin_trial(services: Services, user_id: UUID) -> None:
    """As the user would, on the page of Stripe's stand-in."""
    subscribing = services.subscribing
    if services.settings.stripe_api_url is None or subscribing.stripe is None:
        return  # nobody pays, or it is Stripe itself
    try:
        page = await subscribing.checkout(user_id)
    except Conflict:  # of an earlier start
        return
    import httpx2

    async with httpx2.AsyncClient(follow_redirects=False) as browser:
        answer = await browser.post(page, data={"card": "good"})
    if answer.is_error:
        raise WrongSetting("STRIPE_API_URL", "does not lead to the sandbox, where the demo's trial begins")
    await subscribing.refresh(user_id)


async def seed(settings: Settings) -> str:
    """A link that signs in. What is there already is kept: a second start only makes a new link."""
    async with open_services(settings, pool_size=2) as services:
        demo_data = services.demo_data
        if not demo_data.publishes:
            raise WrongSetting("SANDBOX_URL", "no network leads to the sandbox, which the demo posts to")
        user = await services.identity.add_verified(EMAIL, language=Language.en, time_zone=ZONE, name="Mara Lind")
        # first: without it not all of the demo's assistants could be active
        await _begin_trial(services, user.id)
        async with services.sessions() as session:
            existing = await AssistantRepository(session).count_active(user.id)
        if not existing and (await demo_data.view(user.id)).state is not DemoDataState.present:
            # a quarter of what a later start would load, and does not need
            from temporal.client import connect
            from temporal.gateway import Gateway

            gateway = Gateway(await connect(settings, lazy=True), settings)
            made = await demo_data.make(user, lasting=True)
            if not demo_data.pays:  # a model's texts would cost something
                from cli.demo_history import write_history

                await write_history(services, made)
            for full in made:
                # what does not reach Temporal now, the worker's reconcile brings
                await gateway.configure(full.row, full.status, {account.kind for account in full.accounts})
            # somebody is there to see one go out; where Temporal does not answer, the next slot is the first one
            with suppress(Unavailable):
                await gateway.run_now(made[0].row.id, new_id())
        link = await services.identity.sign_in_link(user.id)
    return f"{settings.public_url}/signin?link#token={link}"
