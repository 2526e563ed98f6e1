"""`python -m temporal`: one worker, until a signal."""

import gc

import uvloop

from core.settings import WrongSetting


def main() -> None:
    # what is loaded stays: a fifth of the time would go into looking for garbage among it
    gc.disable()
    from temporal import worker

    gc.freeze()  # nor does any later look go over it: that takes a fifth of a second, which may be a slot's
    gc.enable()
    try:
        uvloop.run(worker.main())  # a fifth less of the processor for each post that goes out than asyncio's own
    except WrongSetting as wrong:
        raise SystemExit(str(wrong)) from None


if __name__ == "__main__":
    main()
