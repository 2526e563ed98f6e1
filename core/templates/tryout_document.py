"""A try-out as one JSON document."""

from datetime import datetime
from typing import Any

from core.ai.rules.usage import CURRENCY
from core.brands.rules import BrandVoice
from core.errors import InvalidInput
from core.templates.rules.templates import TemplateType
from core.templates.tables import Tryout
from core.templates.tryout_orders import prompt_of_tryout


def json_output(tryout: Tryout, brand: BrandVoice | None) -> dict[str, Any]:
    """Return the output and evidence so far of a try-out as one document.

    All keys are always present. `output` is None for an image template; `image` is None for a text template and until
    the image is made. `prompt` is None if it exceeds today's limit, `version` for unsaved changes, tokens and cost
    if unknown. `brand`: of the template, as it is now.
    """
    text = tryout.type is TemplateType.text
    return {
        "id": str(tryout.id),
        "type": tryout.type.value,
        "state": tryout.state.value,
        "output": tryout.output if text else None,
        "image": (
            {
                "media_id": str(tryout.media_id),
                "width": tryout.image_width,
                "height": tryout.image_height,
                "mime": tryout.image_mime,
            }
            if tryout.media_id
            else None
        ),
        "prompt_cut": tryout.prompt_cut,
        "error": {"code": tryout.reason, "detail": tryout.detail} if tryout.reason else None,
        "version": tryout.number,
        "language": tryout.language,
        "inputs": tryout.inputs,
        "settings": tryout.settings,
        "prompt": _prompt_kept(tryout, brand),
        "provider": tryout.provider,
        "model": tryout.model,
        "usage": {"input_tokens": tryout.input_tokens, "output_tokens": tryout.output_tokens},
        "cost": {"micros": tryout.cost_micros, "currency": CURRENCY},
        "attempt": tryout.attempt,
        "duration_ms": tryout.duration_ms,
        "request_id": tryout.request_id,
        "created_at": _moment(tryout.created_at),
        "started_at": _moment(tryout.started_at),
        "finished_at": _moment(tryout.finished_at),
    }


def _prompt_kept(tryout: Tryout, brand: BrandVoice | None) -> str | None:
    """Return the prompt, or None if it is over the limit, which older releases did not have."""
    try:
        return prompt_of_tryout(tryout, brand)
    except InvalidInput:
        return None


def _moment(when: datetime | None) -> str | None:
    return when.isoformat() if when else None
