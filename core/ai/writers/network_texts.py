"""Several texts in one answer, one for each network: the schema that a model is asked to keep to, and reading its
answer."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from core.ai.rules.answers import Form, read_answer
from core.ai.rules.reasoning import without_reasoning
from core.networks.rules.channels import ChannelKind
from core.networks.rules.craft import NetworkRoom

_NO_LETTERS: Final = re.compile(r"[\W_]+")
_NAMES: Final = ("network", "channel", "platform", "kind", "name")
"""Fields that name the network where a model sends a list of objects."""
_FIRST_TEXT: Final = re.compile(r'\A\s*(?:`{3,}\w*\s*)?\{\s*"[^"]*"\s*:\s*"(?P<text>(?:[^"\\]|\\.)*)', re.DOTALL)
_HALF_ESCAPE: Final = re.compile(r"\\(?:u[0-9a-fA-F]{0,3})?\Z")


def schema_of(networks: Sequence[NetworkRoom]) -> dict[str, Any]:
    """Return the JSON schema of an answer with a text for each network."""
    names = [room.kind.value for room in networks]
    return {
        "type": "object",
        "properties": {name: {"type": "string"} for name in names},
        "required": names,
        "additionalProperties": False,
    }


def read_texts(raw: str, networks: Sequence[NetworkRoom]) -> dict[ChannelKind, str]:
    """Return the texts in an answer, each as `read_answer` reads one, without those that are missing, empty or a
    refusal. Empty if the answer has not the form that was asked for."""
    wanted = {_key(room.kind.value): room.kind for room in networks}
    for found in _objects_in(without_reasoning(raw).text):
        values = dict(_values_by_network(found, wanted))
        texts = {room.kind: _text_of(values[room.kind]) for room in networks if room.kind in values}
        if texts := {kind: text for kind, text in texts.items() if text}:
            return texts
    return {}


def first_text_so_far(raw: str) -> str:
    """Return the beginning of the first text of an answer that is still being written, maybe empty."""
    found = _FIRST_TEXT.match(without_reasoning(raw).text)
    if found is None:
        return ""
    try:
        text: str = json.loads(f'"{_HALF_ESCAPE.sub("", found["text"])}"', strict=False)
    except ValueError:  # an escape that JSON does not know
        return ""
    return text


def _objects_in(text: str) -> Iterator[Any]:
    """Yield the JSON that the text is, and that it contains between braces or brackets."""
    for start, end in ((0, len(text)), (text.find("{"), text.rfind("}") + 1), (text.find("["), text.rfind("]") + 1)):
        if not 0 <= start < end:
            continue
        try:
            yield json.loads(text[start:end], strict=False)
        except (ValueError, RecursionError):
            continue


def _values_by_network(
    found: Any, wanted: Mapping[str, ChannelKind], depth: int = 2
) -> Iterator[tuple[ChannelKind, Any]]:
    """Yield each network with what the answer says for it. Some models wrap the object in up to `depth` others, or send
    a list of objects that name their network."""
    if isinstance(found, list):
        for item in found:
            if isinstance(item, dict):
                named = next((item[name] for name in _NAMES if isinstance(item.get(name), str)), "")
                if kind := wanted.get(_key(named)):
                    yield kind, {name: value for name, value in item.items() if name not in _NAMES}
        return
    if not isinstance(found, dict):
        return
    values = [(wanted[key], value) for name, value in found.items() if (key := _key(str(name))) in wanted]
    if values:
        yield from values
    elif len(found) == 1 and depth:
        yield from _values_by_network(next(iter(found.values())), wanted, depth - 1)


def _text_of(value: Any) -> str:
    """Return the text of one network."""
    if isinstance(value, list):  # of paragraphs
        value = "\n\n".join(part for part in value if isinstance(part, str))
    if isinstance(value, dict):
        text = read_answer(json.dumps(value, ensure_ascii=False), Form.post).text
        return "" if text.startswith("{") else text
    return read_answer(value, Form.post).text if isinstance(value, str) else ""


def _key(name: str) -> str:
    return _NO_LETTERS.sub("", name).casefold()
