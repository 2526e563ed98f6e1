"""Read a robots.txt from the input, and write whether it allows a page. A process of its own, see `articles.py`.

The input is a line of JSON (`url`, `robot`), followed by the file."""

import json
import sys

from protego import Protego

from core.script_processes import limit_resources


def judge() -> None:
    about = json.loads(sys.stdin.buffer.readline())
    rules = Protego.parse(sys.stdin.buffer.read().decode(errors="replace"))
    sys.stdout.write(json.dumps(rules.can_fetch(about["url"], about["robot"])))


if __name__ == "__main__":
    limit_resources()
    judge()
