"""What `make demo` fills an empty installation with: a user whose two assistants post every few minutes."""

from core.container import open_services
from core.repositories.assistants import AssistantRepository
from core.services.demo_data import DemoDataState
from core.settings import Settings, WrongSetting

EMAIL = "demo@postloom.example"
ZONE = "Europe/Berlin"


async def seed(settings: Settings) -> str:
    """A link that signs in. What is there already is kept: a second start only makes a new link."""
    async with open_services(settings, pool_size=2) as services:
        demo_data = services.demo_data
        if not demo_data.publishes:
            raise WrongSetting("LINKEDIN_AUTH_URL", "does not lead to the sandbox, which the demo posts to")
        user = await services.identity.add_verified(EMAIL, language="en", time_zone=ZONE, name="Mara Lind")
        async with services.sessions() as session:
            existing = await AssistantRepository(session).count_active(user.id)
        if not existing and (await demo_data.view(user.id)).state is not DemoDataState.present:
            # a quarter of what a later start would load, and does not need
            from temporal.client import connect
            from temporal.gateway import Gateway

            gateway = Gateway(await connect(settings, lazy=True), settings)
            for full in await demo_data.make(user, lasting=True):
                # what does not reach Temporal now, the worker's reconcile brings
                await gateway.configure(full.row, full.status, {account.kind for account in full.accounts})
        link = await services.identity.sign_in_link(user.id)
    return f"{settings.public_url}/signin?link#token={link}"
