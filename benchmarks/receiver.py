"""A network that accepts posts and records their arrival: minimal, so that its own cost distorts measurements little.
`python -m benchmarks.receiver PORT`.

Implements the part of LinkedIn's API that publishing a post needs, refuses nothing, and returns at `GET /arrivals` the
arrival times in epoch seconds and its own CPU time in seconds.
"""

import asyncio
import json
import sys
import time
from typing import cast

import httptools

_UPLOAD_PATH = "/upload"


class Receiver:
    def __init__(self, address: str) -> None:
        self.address = address
        self.arrivals: list[float] = []
        self.images = 0

    def answer(self, method: bytes, path: bytes) -> bytes:
        if method == b"POST" and path == b"/rest/posts":
            self.arrivals.append(time.time())
            return _answer(201, b"x-restli-id: urn:li:share:%d\r\n" % len(self.arrivals))
        if method == b"POST" and path.startswith(b"/rest/images"):
            self.images += 1
            upload = {"uploadUrl": self.address + _UPLOAD_PATH, "image": f"urn:li:image:{self.images}"}
            return _answer(200, b"content-type: application/json\r\n", json.dumps({"value": upload}).encode())
        if method == b"PUT" and path == _UPLOAD_PATH.encode():
            return _answer(201)
        if path == b"/arrivals":
            figures = {"arrivals": self.arrivals, "cpu_seconds": time.process_time()}
            return _answer(200, b"content-type: application/json\r\n", json.dumps(figures).encode())
        return _answer(404)


class _Connection(asyncio.Protocol):
    def __init__(self, receiver: Receiver) -> None:
        self._receiver, self._parser = receiver, httptools.HttpRequestParser(self)
        self._path = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._parser.feed_data(data)

    def on_message_begin(self) -> None:
        self._path = b""

    def on_url(self, url: bytes) -> None:
        self._path += url

    def on_message_complete(self) -> None:
        self._transport.write(self._receiver.answer(self._parser.get_method(), self._path))


def _answer(status: int, headers: bytes = b"", body: bytes = b"") -> bytes:
    return b"HTTP/1.1 %d -\r\n%scontent-length: %d\r\n\r\n%s" % (status, headers, len(body), body)


async def main(port: int) -> None:
    receiver = Receiver(f"http://127.0.0.1:{port}")
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: _Connection(receiver), "127.0.0.1", port, backlog=4096)
    await server.serve_forever()


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
