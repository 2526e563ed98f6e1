"""`python -m temporal`: one worker, until a signal."""

import gc
from collections.abc import Sequence

import uvloop

from core.installation.start_checks import StartRefused
from core.settings import WrongSetting


def main(queues: Sequence[str] = (), *, loops: bool = True) -> None:
    """Run a worker until a signal. `queues`: the only ones that it polls; empty: all. Without `loops`, other workers
    have to run the background loops. Raise WrongSetting or StartRefused."""
    # what is loaded stays: a fifth of the time would go into looking for garbage among it
    gc.disable()
    from temporal import worker

    gc.freeze()  # nor does any later look go over it: that takes a fifth of a second, which may be a slot's
    gc.enable()
    # a fifth less of the processor for each post that goes out than asyncio's own loop
    uvloop.run(worker.main(queues, loops=loops))


if __name__ == "__main__":
    try:
        main()
    except (StartRefused, WrongSetting) as refused:
        raise SystemExit(str(refused)) from None
