"""The codec endpoint for Temporal's Web UI and command line: it decrypts and encrypts payloads with
TEMPORAL_CODEC_KEYS. A program of its own, `postloom codec`, which only operators may reach.

The Web UI calls it from the operator's browser, so Temporal's server never sees the keys.
"""

import hmac
import logging
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from cryptography.exceptions import InvalidTag
from fastapi import Depends, FastAPI, HTTPException, Request
from fastapi.middleware.cors import CORSMiddleware
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from google.protobuf import json_format
from google.protobuf.message import DecodeError
from temporalio.api.common.v1 import Payloads

from core.settings import Settings
from temporal.client import EncryptionCodec

logger = logging.getLogger(__name__)

_MOST_BYTES: Final = 16_000_000
"""A page of a history: payloads have at most 2 MiB each, ours far less."""


def codec_app(settings: Settings) -> FastAPI:
    """Return the endpoint. `settings` have keys; without a token everybody who reaches the endpoint may use it."""
    app = FastAPI(title="Postloom codec", docs_url=None, redoc_url=None, openapi_url=None, max_body_size=_MOST_BYTES)
    codec = EncryptionCodec(settings.temporal_codec_keys)
    token = settings.codec_token.get_secret_value() if settings.codec_token else None
    bearer = HTTPBearer(auto_error=False)

    async def check_token(given: Annotated[HTTPAuthorizationCredentials | None, Depends(bearer)]) -> None:
        if token and not (given and hmac.compare_digest(given.credentials.encode(), token.encode())):
            logger.warning("refused: no or another token")
            raise HTTPException(401, "no or another token", headers={"WWW-Authenticate": "Bearer"})

    @app.post("/decode", dependencies=[Depends(check_token)])
    async def decode(request: Request) -> dict[str, Any]:
        payloads = await _read(request)
        try:
            decoded = await codec.decode(payloads.payloads)
        except KeyError as error:
            raise HTTPException(400, f"TEMPORAL_CODEC_KEYS has no key {error}") from None
        except InvalidTag:
            raise HTTPException(400, "a payload was encrypted with another key of the same id") from None
        except (ValueError, DecodeError):
            raise HTTPException(400, "a payload is not one that Postloom encrypted") from None
        logger.info("decoded", extra={"payloads": len(decoded)})
        return _written(Payloads(payloads=decoded))

    @app.post("/encode", dependencies=[Depends(check_token)])
    async def encode(request: Request) -> dict[str, Any]:
        encoded = await codec.encode((await _read(request)).payloads)
        logger.info("encoded", extra={"payloads": len(encoded)})
        return _written(Payloads(payloads=encoded))

    if settings.temporal_ui_url:
        ui = urlsplit(settings.temporal_ui_url)
        app.add_middleware(
            CORSMiddleware,
            allow_origins=[f"{ui.scheme}://{ui.netloc}"],
            allow_methods=["POST"],
            allow_headers=["Authorization", "Content-Type", "X-Namespace"],
            allow_credentials=True,  # the session of a proxy's sign-in
        )
    return app


async def _read(request: Request) -> Payloads:
    try:
        return json_format.Parse(await request.body(), Payloads())
    except (json_format.ParseError, ValueError, RecursionError):  # ValueError: not UTF-8
        raise HTTPException(400, "not the payloads of Temporal's remote codec protocol") from None


def _written(payloads: Payloads) -> dict[str, Any]:
    written: dict[str, Any] = json_format.MessageToDict(payloads)
    return written
