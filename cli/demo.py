"""Demo data of `make demo` for an empty installation: a user with two assistants, their posts of the last 14 days, and
one post that is published within a minute."""

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
    """Start the trial on the checkout page of the Stripe stand-in, as a user would."""
    subscriptions = services.subscriptions
    if services.settings.stripe_api_url is None or subscriptions.stripe is None:
        return  # no billing, or the real Stripe
    try:
        page = await subscriptions.checkout(user_id)
    except Conflict:  # subscribed in an earlier start
        return
    import httpx2

    async with httpx2.AsyncClient(follow_redirects=False) as browser:
        answer = await browser.post(page, data={"card": "good"})
    if answer.is_error:
        raise WrongSetting("STRIPE_API_URL", "does not lead to the sandbox, where the demo's trial begins")
    await subscriptions.refresh(user_id)


async def seed(settings: Settings) -> str:
    """Create the demo data if missing. Return a new sign-in link; existing data is kept."""
    async with open_services(settings, pool_size=2, application="postloom command") as services:
        demo_data = services.demo_data
        if not demo_data.publishes:
            raise WrongSetting("SANDBOX_URL", "no network leads to the sandbox, which the demo posts to")
        user = await services.identity.add_verified(EMAIL, language=Language.en, time_zone=ZONE, name="Mara Lind")
        # first: without the trial not all demo assistants can be active
        await _begin_trial(services, user.id)
        async with services.sessions() as session:
            existing = await AssistantRepository(session).count_active(user.id)
        if not existing and (await demo_data.view(user.id)).state is not DemoDataState.present:
            # imported here: a later start does not need it, and it is a quarter of what a start loads
            from temporal.client import connect
            from temporal.gateway import Gateway

            gateway = Gateway(await connect(settings, lazy=True), settings)
            made = await demo_data.make(user, lasting=True)
            if not demo_data.pays:  # texts by a model would cost money
                from cli.demo_history import write_history

                await write_history(services, made)
            for full in made:
                # the worker's reconcile repeats what does not reach Temporal now
                await gateway.assistants.configure(full.row, full.status, {account.kind for account in full.accounts})
            # publish one post now for the user to watch; if Temporal does not answer, the next slot is the first
            with suppress(Unavailable):
                await gateway.assistants.run_now(made[0].row.id, new_id())
        link = await services.identity.sign_in_link(user.id)
    return f"{settings.public_url}/signin?link#token={link}"
