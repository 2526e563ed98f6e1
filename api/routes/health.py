import asyncio
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr

from fastapi import Request, Response
from fastapi.responses import PlainTextResponse

from api.bodies import Router
from api.dependencies import Core, CurrentUser, Workflows
from api.schemas.system import FaultOut, ModelHost, ModelOut, PartOut, PublicOut, ReadyOut, SystemOut
from core.ai.rules.faults import network_of, subjects_of_call
from core.ai.writers.base import DEMO_MODEL
from core.container import Services
from core.errors import ErrorCode, NotFound
from core.languages import Language
from core.settings import OPENAI_URL, Settings
from temporal.gateway import Gateway, Queues

router = Router(tags=["health"])
probes = Router(include_in_schema=False)

_SECURITY_TXT_LASTS = timedelta(days=180)


@probes.get("/healthz")
async def healthz() -> dict[str, str]:
    """Return ok while the process answers."""
    return {"status": "ok"}


@probes.get("/readyz")
async def readyz(request: Request, services: Core, workflows: Workflows, response: Response) -> ReadyOut:
    """Whether posts can be made and published: checks database, Temporal, a worker that polls every queue, and that
    what is due goes out; until they pass once, also the checks of a start. Stuck workflows and the queues' backlog are
    reported, and alone take no readiness away."""
    # public: parallel calls share one check
    state = request.app.state
    looking: asyncio.Task[ReadyOut] | None = getattr(state, "looking", None)
    if looking is None or looking.done():
        looking = state.looking = asyncio.create_task(_check_readiness(services, workflows))
    readiness = await asyncio.shield(looking)
    response.status_code = 200 if readiness.ready else 503
    return readiness


async def _check_readiness(services: Services, workflows: Gateway) -> ReadyOut:
    database = await services.health.database()
    temporal = await workflows.is_reachable()
    problems = [
        await services.start_checks.find_problem() if database else None,
        await workflows.find_setup_problem() if temporal else None,
    ]
    if found := [problem for problem in problems if problem]:
        return ReadyOut(ready=False, database=database, temporal=temporal, worker=False, detail="; ".join(found))
    beats = await services.health.worker() if database else None
    queues = await workflows.read_queues() if temporal else Queues(False, None)
    worker = bool(beats and beats.alive) and queues.polled
    due = await services.health.due_deliveries() if database else None
    stuck = await workflows.count_stuck() if temporal else None
    lacking = [name for name, fine in (("database", database), ("temporal", temporal), ("worker", worker)) if not fine]
    detail = f"not there: {', '.join(lacking)}" if lacking else "all there"
    # public: to the minute
    oldest_due = due.oldest.replace(second=0, microsecond=0) if due and due.oldest else None
    if due and due.standing_still:
        # a restart of the web app would not help, and waits that are nobody's fault look the same
        detail = f"{detail}; a due post has waited since {oldest_due:%Y-%m-%d %H:%M} UTC"
    return ReadyOut(
        ready=not lacking,
        database=database,
        temporal=temporal,
        worker=worker,
        detail=f"{detail}; {stuck} workflows are stuck" if stuck else detail,
        oldest_due=oldest_due,
        stuck_workflows=stuck,
        backlog=queues.backlog,
    )


@probes.get("/.well-known/security.txt", response_class=PlainTextResponse)
async def security_txt(services: Core) -> str:
    """Contact for reports of security issues (RFC 9116). Raise NotFound if the operator gives no contact."""
    settings = services.settings
    contact = settings.operator_contact or ""
    if "@" in contact and parseaddr(contact)[1] == contact:
        contact = f"mailto:{contact}"
    elif not contact.startswith(("https://", "mailto:")):
        raise NotFound(what="file", id="security.txt")
    expires = (datetime.now(UTC) + _SECURITY_TXT_LASTS).replace(hour=0, minute=0, second=0, microsecond=0)
    fields = {
        "Contact": contact,
        "Expires": expires.isoformat().replace("+00:00", "Z"),
        "Preferred-Languages": ", ".join(Language),
        "Canonical": f"{settings.public_url}/.well-known/security.txt",
    }
    return "".join(f"{name}: {value}\n" for name, value in fields.items())


@router.get("/system/")
async def read_system(user: CurrentUser, services: Core, workflows: Workflows) -> SystemOut:
    """The data of the status banner and the "Demo writer" label."""
    worker = await services.health.worker()
    reachable = await workflows.is_reachable()
    return SystemOut(
        temporal=PartOut(ok=reachable, since=None),
        worker=PartOut(ok=worker.alive, since=worker.seen_at),
        writer=ModelOut(
            provider=services.writer.provider,
            model=services.writer.model,
            is_demo=services.writer.model == DEMO_MODEL,
        ),
        pictures=ModelOut(provider=services.pictures.provider, model=services.pictures.model, is_demo=False),
        faults=await _faults(services),
        now=datetime.now(UTC),
    )


async def _faults(services: Core) -> list[FaultOut]:
    """Return current faults. Of models only those that everybody uses: a template's own model is its user's to
    change."""
    everybodys = {
        subject
        for service in (services.writer, services.pictures)
        for subject in subjects_of_call(service.provider, service.model)
    }
    return [
        FaultOut(network=network_of(fault.subject), code=ErrorCode(fault.reason), since=fault.since)
        for fault in await services.faults.list_standing()
        if network_of(fault.subject) or fault.subject in everybodys
    ]


@router.get("/system/public/")
async def read_public_facts(services: Core) -> PublicOut:
    """The operator, and where the server sends people's texts. Public, for the privacy policy."""
    settings = services.settings
    return PublicOut(
        operator_name=settings.operator_name,
        operator_contact=settings.operator_contact,
        model_host=_model_host(settings),
        mail_outbox_url=settings.mail_outbox_url,
        session_days=settings.session_days,
        invitation_days=settings.invitation_days,
    )


def _model_host(settings: Settings) -> ModelHost:
    """Return the kind of host, not its address, which may name a machine of a private network."""
    if not settings.model_on:
        return ModelHost.none
    return ModelHost.openai if settings.openai_base_url in (None, OPENAI_URL) else ModelHost.other
