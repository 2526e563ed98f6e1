"""`postloom deploy`: lead work to a new build of the workers, step by step, or back."""

import asyncio
import time
from collections.abc import Callable, Iterable, Sequence
from typing import Final

from temporalio.service import RPCError, RPCStatusCode

from cli.services import load_service_environment
from core.settings import Settings, WrongSetting, read_settings
from temporal.client import connect
from temporal.deploys import Deploys, ReplayFailure, Routing
from temporal.registry import WORKFLOWS, queues
from temporal.versioning import UNVERSIONED

_RAMP: Final = (10, 50)
"""Percent of the work that a new build gets before it gets all."""
_PATIENCE: Final = 180.0
"""Seconds in which workers have to poll. A busy server takes its time to note the queues of a new build."""
_SHOWN = 10

Say = Callable[[str], None]


class DeployRefused(Exception):
    """The message is one line that says what to do."""


def run(build: str, *, rollback: bool, replay: bool, sample: int, pause: float) -> None:
    """Raise DeployRefused or WrongSetting."""
    load_service_environment()
    settings = read_settings()
    asyncio.run(_run(settings, build, rollback=rollback, replay=replay, sample=sample, pause=pause))


async def _run(settings: Settings, build: str, *, rollback: bool, replay: bool, sample: int, pause: float) -> None:
    deploys = Deploys(await connect(settings), settings.temporal_deployment_name)
    own = settings.temporal_worker_build_id
    deploy = Deploy(deploys, print, own=own, size=sample if replay else 0, pause=pause)
    try:
        if rollback:
            await deploy.go_back()
        elif build or own:
            await deploy.go_to(build or own)
        else:
            raise WrongSetting(
                "TEMPORAL_WORKER_BUILD_ID", "is not set, so there is nothing to deploy: workers get work"
            )
    except RPCError as error:
        if error.status is not RPCStatusCode.FAILED_PRECONDITION:
            raise
        raise DeployRefused(f"Temporal refuses it: {error.message}") from None


class Deploy:
    """`own`: the build of this process's code. `size`: open workflows of each type to replay; 0: none. `pause`: seconds
    before each look at what is stuck."""

    def __init__(
        self,
        deploys: Deploys,
        say: Say,
        *,
        own: str,
        size: int,
        pause: float,
        workflows: Sequence[type] = WORKFLOWS,
    ) -> None:
        self._deploys, self._say, self._own = deploys, say, own
        self._size, self._pause, self._workflows = size, pause, workflows

    async def go_to(self, build: str) -> None:
        """Make a build the current one. Can be repeated. Raise DeployRefused or RPCError."""
        if self._size and self._own and self._own != build:
            raise DeployRefused(f"this is build {self._own}, which cannot replay for build {build}: run it there")
        await self._wait_for_workers(build, queues())
        before = await self._deploys.read_routing()
        await self._replay()
        if before.ramping not in (None, build):
            await self._deploys.ramp(UNVERSIONED, 0)
            self._say(f"the deploy of {_name(before.ramping)} was interrupted: it gets no new work")
        if build == before.current:
            self._say(f"build {build} is the current one")
        else:
            await self._take_over(build, before)
        moved = await self._deploys.unpin(build)
        self._say(f"{moved} runs and posts that were pinned to other builds go on with it")
        await self._tell_what_is_left()

    async def _take_over(self, build: str, before: Routing) -> None:
        stuck = await self._deploys.list_stuck()
        # without workers of the build that has the work, a part of it would wait for the whole ramp
        if await self._deploys.has_workers(before.current):
            for percentage in _RAMP:
                await self._deploys.ramp(build, percentage)
                await self._look(build, stuck, f"{percentage} % of the work goes to build {build}")
        await self._deploys.set_current(build)
        await self._look(build, stuck, f"build {build} is the current one", back=False)

    async def go_back(self) -> None:
        """Make the build the current one that was it before; after an interrupted deploy, which has not changed the
        current one, only end its ramp. Raise DeployRefused or RPCError."""
        before = await self._deploys.read_routing()
        ramps = before.ramping is not None
        if before.current == UNVERSIONED and not ramps:
            raise DeployRefused("no build is the current one: there is nothing to go back from")
        build = before.current if ramps else before.previous
        if build != UNVERSIONED:
            await self._wait_for_workers(build)
        elif not await self._deploys.has_workers(UNVERSIONED):
            newer = before.ramping if ramps else before.current
            raise DeployRefused(
                f"before {_name(newer)} there were workers without a build, and none is running: start one"
            )
        if self._own == build:
            await self._replay()
        stuck = await self._deploys.list_stuck()
        await self._deploys.ramp(UNVERSIONED, 0)
        if not ramps:
            await self._deploys.set_current(build, fewer_queues=True)
        moved = await self._deploys.unpin(build, asleep=False)
        self._say(f"{moved} stuck or abandoned runs and posts go on with {_name(build)}")
        await self._look(build, stuck, f"{_name(build)} has the work again", back=False)
        await self._tell_what_is_left()

    async def _wait_for_workers(self, build: str, needed: Iterable[str] | None = None) -> None:
        """Raise DeployRefused if not all these queues are polled; None: all that the build has ever polled."""
        self._say(f"waiting for workers of build {build}")
        deadline = time.monotonic() + _PATIENCE
        while missing := await self._deploys.find_unpolled(build, needed):
            if time.monotonic() > deadline:
                raise DeployRefused(
                    f"no worker of build {build} polls {', '.join(missing)}: start its workers, with "
                    f"TEMPORAL_WORKER_BUILD_ID={build}"
                )
            await asyncio.sleep(1)

    async def _replay(self) -> None:
        if not self._size:
            return
        replayed, failures = await self._deploys.replay_sample(self._size, self._workflows)
        if failures:
            self._show(failures)
            raise DeployRefused(
                f"{len(failures)} of {replayed} open workflows cannot go on with this code: they need a patch "
                "(CONTRIBUTING.md), and the work stays where it is; --no-replay deploys it all the same"
            )
        self._say(f"{replayed} open workflows were replayed and can go on with this code")

    def _show(self, failures: Sequence[ReplayFailure]) -> None:
        for failure in failures[:_SHOWN]:
            self._say(f"{failure.workflow_id}: {failure.reason[:300]}")

    async def _look(self, build: str, before: set[str], state: str, *, back: bool = True) -> None:
        """Wait, and raise DeployRefused if workflows are stuck that were not so before; with `back`, take the work away
        from the build first."""
        self._say(state)
        await asyncio.sleep(self._pause)
        stuck = sorted(await self._deploys.list_stuck() - before)
        if not stuck:
            return
        if back:
            await self._deploys.ramp(UNVERSIONED, 0)
            await self._deploys.unpin((await self._deploys.read_routing()).current, asleep=False)
        await self._tell_what_is_left()
        what_now = "it gets no new work" if back else "`postloom deploy --rollback` goes back"
        more = f" and {len(stuck) - _SHOWN} more" if len(stuck) > _SHOWN else ""
        raise DeployRefused(
            f"since {_name(build)} has work, workflows are stuck ({', '.join(stuck[:_SHOWN])}{more}): "
            f"{what_now}; their story is in Temporal's Web UI"
        )

    async def _tell_what_is_left(self) -> None:
        routing = await self._deploys.read_routing()
        for build in routing.builds:
            if build != routing.current and (count := await self._deploys.count_pinned(build)):
                self._say(f"workers of build {build} are still needed: {count} runs and posts are pinned to it")


def _name(build: str | None) -> str:
    return f"build {build}" if build else "the workers without a build"
