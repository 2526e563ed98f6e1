"""Forms that a model fills in: a JSON object by a schema."""

import json
import re
from dataclasses import dataclass
from typing import Any, Final, Protocol, runtime_checkable

from core.ai.rules.reasoning import without_reasoning
from core.ai.rules.usage import Usage

_FENCE: Final = re.compile(r"\A\s*`{3,}\w*\s*|\s*`{3,}\s*\Z")


@dataclass(frozen=True)
class FormOrder:
    """`schema`: the JSON schema of the answer. `subject` as in `TextOrder`. `more_room`: an answer to the same order
    was cut off."""

    instructions: str
    brief: str
    schema: dict[str, Any]
    subject: str
    more_room: bool = False


@dataclass(frozen=True)
class Filled:
    """`values`: the answer's object. A server may not keep to the schema, so its values are checked by who reads
    them."""

    values: dict[str, Any]
    provider: str
    model: str
    usage: Usage
    request_id: str | None


@runtime_checkable
class FormWriter(Protocol):
    """A writer with a model."""

    async def fill(self, order: FormOrder) -> Filled:
        """Raise as `Writer.write`."""
        ...


def read_object(answer: str) -> dict[str, Any] | None:
    """Return the object in a model's answer, or None if there is none."""
    text = _FENCE.sub("", without_reasoning(answer).text)
    for start, end in ((0, len(text)), (text.find("{"), text.rfind("}") + 1)):
        if not 0 <= start < end:
            continue
        try:
            found = json.loads(text[start:end], strict=False)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, dict):
            return found
    return None
