"""Text models: OpenAI's API where a key or an address is set, else the built-in demo writer."""

from core.domain.errors import ErrorCode, Misconfigured
from core.domain.templates import ReasoningEffort
from core.providers.writers.base import Writer

DEFAULT_MODEL = "gpt-6-luna"


def open_writer(
    api_key: str | None, base_url: str | None, model: str | None, effort: ReasoningEffort | None = None
) -> Writer:
    """Opens no connection. `effort` as of `Writer`. Raises Misconfigured when another server's address comes without a
    model."""
    if not api_key and not base_url:
        from core.providers.writers.demo import DemoWriter

        return DemoWriter()
    # here, since the client takes half a second to load and most commands never write
    from core.providers.catalogue import is_compatible
    from core.providers.writers.openai import OpenAIWriter

    if not model and is_compatible(base_url):
        raise Misconfigured(ErrorCode.model_misconfigured, detail="TEXT_MODEL must be set")
    return OpenAIWriter(api_key, base_url, model or DEFAULT_MODEL, effort)
