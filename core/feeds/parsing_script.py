"""Read a feed from the input, and write what it says as JSON. A process of its own, see `parse` in `feeds.py`.

The input is a line of JSON (`url`, `type`, `now`), followed by the feed."""

import json
import sys
from datetime import datetime

from core.feeds.rules.parsing import document_to_json, read_feed
from core.script_processes import limit_resources


def read() -> None:
    about = json.loads(sys.stdin.buffer.readline())
    body = sys.stdin.buffer.read()
    document = read_feed(body, about["url"], about["type"], datetime.fromisoformat(about["now"]))
    sys.stdout.write(json.dumps(document_to_json(document) if document else None))


if __name__ == "__main__":
    limit_resources()
    read()
