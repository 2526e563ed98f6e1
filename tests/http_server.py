"""A real HTTP server whose answers a test sets."""

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest


@dataclass(frozen=True)
class Answer:
    """An answer. A dict body is sent as JSON; a function is called for each request. `drop` closes the connection once
    the request is read; `delay` is in seconds."""

    status: int = 200
    body: Any = b""
    headers: dict[str, str] = field(default_factory=dict)
    drop: bool = False
    delay: float = 0


@dataclass(frozen=True)
class Request:
    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


class Server:
    """The server. It gives a path's answers in order (path without query) and repeats the last one."""

    def __init__(self) -> None:
        self.requests: list[Request] = []
        self._answers: dict[str, list[Answer]] = {}
        self._judges: dict[str, Callable[[Request], Answer]] = {}
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def handle_one(self) -> None:
                said = self.rfile.read(int(self.headers.get("content-length") or 0))
                headers = {name.lower(): value for name, value in self.headers.items()}
                outer.requests.append(Request(self.command, self.path, headers, said))
                waiting = outer._answers.get(self.path.split("?")[0], [Answer(404)])
                answer = waiting.pop(0) if len(waiting) > 1 else waiting[0]
                if judge := outer._judges.get(self.path):
                    answer = judge(outer.requests[-1])
                time.sleep(answer.delay)
                if answer.drop:
                    self.close_connection = True
                    return
                body = answer.body() if callable(answer.body) else answer.body
                is_json = isinstance(body, dict)
                data = json.dumps(body).encode() if is_json else body
                begin = self.send_response_only if "date" in answer.headers else self.send_response
                begin(answer.status)
                for name, value in ({"Content-Type": "application/json"} if is_json else {}).items():
                    self.send_header(name, value)
                for name, value in answer.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                if self.command != "HEAD":
                    self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_DELETE = do_HEAD = handle_one

            def log_message(self, format: str, *args: object) -> None:
                return

        class Quiet(ThreadingHTTPServer):
            def handle_error(self, request: object, client_address: object) -> None:
                return  # some tests close the connection on purpose

        self._http = Quiet(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._http.serve_forever, kwargs={"poll_interval": 0.05})
        self._thread.start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}"

    def answers(self, path: str, *answers: Answer) -> None:
        self._answers[path] = list(answers)

    def judges(self, path: str, judge: Callable[[Request], Answer]) -> None:
        """Answer requests to this path (with query) by calling `judge`."""
        self._judges[path] = judge

    def stop(self) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    yield running
    running.stop()


@pytest.fixture
def nowhere() -> str:
    """An address where nothing listens."""
    gone = Server()
    gone.stop()
    return gone.url
