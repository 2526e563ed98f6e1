"""A stand-in for a model: a small server with OpenAI's chat API, `python -m evaluation.stub --port 8400`.

It understands no language. It takes the values and notes out of a prompt, which stand between markers, and makes plain
texts of them that vary with the brief. So its figures show that the evaluation works, and nothing about any model.
"""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final
from zlib import crc32

MODEL: Final = "stub"
CHARACTERS_A_TOKEN: Final = 4

_VALUE = re.compile(r"<value>(.*?)</value>", re.DOTALL)
_NOTES = re.compile(r"(?:Notes on the topic|Notizen zum Thema): <value>(.*?)</value>", re.DOTALL)
_LIMIT = re.compile(r"at most (\d+) characters")
_EARLIER = re.compile(r"How earlier posts began.*", re.DOTALL)
_LAST_LINE = re.compile(r"(?:Letzte Zeile|End with this line): [„\"](.+)[“\"]\s*$", re.MULTILINE)
_SENTENCE = re.compile(r"[^.!?\n]+[.!?]*")
_WITHOUT_NOTES: Final = {
    "de": "Dazu fehlen uns noch Einzelheiten, deshalb bleibt dieser Beitrag kurz.",
    "en": "We do not have the details yet, so this post stays short.",
}


def answer(request: Mapping[str, Any]) -> str:
    """Return the text of an answer to a request of the chat API."""
    system, brief = (_words_of(request["messages"], role) for role in ("system", "user"))
    if "You are an editor who judges" in system:
        return json.dumps(_marks(brief))
    schema = request.get("response_format", {}).get("json_schema", {}).get("schema", {})
    if names := list(schema.get("properties", {})):
        limits = [int(limit) for limit in _LIMIT.findall(system)]
        return json.dumps(
            {name: _post(brief, system, min(limits, default=3000), name) for name in names}, ensure_ascii=False
        )
    limit = int(found[1]) if (found := _LIMIT.search(system)) else 3000
    if system.startswith("You shorten"):
        return _within(_sentences(_value(brief)), limit)
    if system.startswith("You plan one article"):
        return "\n".join(
            [_topic(brief), *(f"## {line.rstrip('.')}" for line in _sentences(_notes(brief))[:3] or ["…"])]
        )
    return _post(brief, system, limit, "")


def _words_of(messages: Sequence[Mapping[str, str]], role: str) -> str:
    return "\n".join(message["content"] for message in messages if message["role"] == role)


def _post(brief: str, system: str, limit: int, network: str) -> str:
    """Return the notes' sentences in an order of the brief and the network, within the limit, and the template's last
    line."""
    told = _EARLIER.sub("", brief)
    language = "de" if "Write in German" in system else "en"
    sentences = _sentences(_notes(told)) or [f"{_topic(told).rstrip('.!?')}.", _WITHOUT_NOTES[language]]
    facts = [sentence for sentence in sentences if not sentence.endswith("?")] or sentences
    first = crc32(f"{told}{network}".encode()) % len(facts)
    asked = [sentence for sentence in sentences if sentence.endswith("?")][:1]
    last = _VALUE.sub(r"\1", found[1]) if (found := _LAST_LINE.search(told)) else ""
    body = _within([facts[first], *facts[:first], *facts[first + 1 :], *asked], limit - len(last) - 2)
    return f"{body}\n\n{last}".strip()


def _marks(brief: str) -> dict[str, int]:
    """Return marks that follow from what can be counted: digits, lengths, and words that the brief has."""
    values = _VALUE.findall(brief)
    text, known = values[-1], values[-2]
    first = text.splitlines()[0]
    figures = set(re.findall(r"\d+", text))
    return {
        "hook": 4 if len(first) <= 140 else 2,
        "concreteness": min(5, 2 + len(figures) + text.count(",") // 2),
        "fits_network": 4 if len(text) > 150 else 3,
        "fits_voice": 3,
        "nothing_invented": 5 if figures <= set(re.findall(r"\d+", known)) else 1,
        "would_post": 3,
    }


def _notes(brief: str) -> str:
    return found[1] if (found := _NOTES.search(brief)) else ""


def _topic(brief: str) -> str:
    """Return the first value that is long enough to be a topic."""
    return next((value for value in _VALUE.findall(brief) if len(value) > 12), _value(brief))


def _value(brief: str) -> str:
    return next(iter(_VALUE.findall(brief)), brief)


def _sentences(text: str) -> list[str]:
    return [sentence.strip(" -–") for sentence in _SENTENCE.findall(text) if sentence.strip(" -–")]


def _within(sentences: Sequence[str], limit: int) -> str:
    """Return as many whole sentences as the limit allows, the first one on a line of its own."""
    text = sentences[0][:limit]
    for place, sentence in enumerate(sentences[1:]):
        longer = f"{text}{' ' if place else chr(10) * 2}{sentence}"
        if len(longer) > limit:
            break
        text = longer
    return text


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        request = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if not self.path.endswith("/chat/completions"):  # like most servers, it lacks the newer API
            self._send(404, {"error": {"message": "not found", "type": "invalid_request_error"}})
            return
        text = answer(request)
        told = sum(len(message["content"]) for message in request["messages"])
        used = {"prompt_tokens": told // CHARACTERS_A_TOKEN, "completion_tokens": len(text) // CHARACTERS_A_TOKEN}
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        reply = {"id": "stub", "object": "chat.completion", "model": request["model"], "choices": [choice]}
        self._send(200, reply | {"usage": used | {"total_tokens": sum(used.values())}})

    def _send(self, status: int, body: Mapping[str, Any]) -> None:
        data = json.dumps(body).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: object) -> None:
        return  # a line per request says nothing


def open_server(port: int) -> ThreadingHTTPServer:
    """Return a server that does not serve yet; port 0 is any free one."""
    return ThreadingHTTPServer(("127.0.0.1", port), _Handler)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(prog="python -m evaluation.stub", description=__doc__)
    parser.add_argument("--port", type=int, default=8400)
    with open_server(parser.parse_args().port) as server:
        server.serve_forever()
