"""Text models: OpenAI's API if a key or an address is set, else the built-in demo writer."""

from core.ai.writers.base import Writer
from core.errors import ErrorCode, Misconfigured
from core.templates.rules.templates import ReasoningEffort

DEFAULT_MODEL = "gpt-6-luna"


def open_writer(
    api_key: str | None, base_url: str | None, model: str | None, effort: ReasoningEffort | None = None
) -> Writer:
    """Return the text model; opens no connection. `effort` as of `Writer`. Raise Misconfigured if another server's
    address is set without a model."""
    if not api_key and not base_url:
        from core.ai.writers.demo import DemoWriter

        return DemoWriter()
    # imported here: the client takes half a second to load, and most commands never write
    from core.ai.catalogue import is_compatible
    from core.ai.writers.openai import OpenAIWriter

    if not model and is_compatible(base_url):
        raise Misconfigured(ErrorCode.model_misconfigured, detail="TEXT_MODEL must be set")
    return OpenAIWriter(api_key, base_url, model or DEFAULT_MODEL, effort)
