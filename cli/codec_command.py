"""`postloom codec`: the codec endpoint of Temporal's Web UI, until Ctrl-C."""

from ipaddress import ip_address

import uvicorn

from api.codec import codec_app
from core.observability import configure_logs
from core.settings import Settings, WrongSetting, load_environment, read_settings


def serve() -> None:
    """Raise WrongSetting without keys, or if others could reach the endpoint without a token."""
    load_environment()
    settings = read_settings()
    _check(settings)
    configure_logs(settings.log_format)
    uvicorn.run(
        codec_app(settings), host=settings.codec_host, port=settings.codec_port, log_config=None, access_log=False
    )


def _check(settings: Settings) -> None:
    if not settings.temporal_codec_keys:
        raise WrongSetting("TEMPORAL_CODEC_KEYS", "is not set: Temporal's data is readable, and needs no codec")
    if settings.codec_token is None and not _is_loopback(settings.codec_host):
        raise WrongSetting("CODEC_TOKEN", "must be set unless CODEC_HOST is this machine's own address, 127.0.0.1")


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"
