"""Pictures from OpenAI or a server with a compatible API."""

import asyncio
import base64
import binascii
import io
import re
from datetime import timedelta
from typing import Any

import httpx2
from openai.types import Image as Drawn
from openai.types import ImagesResponse
from PIL import Image, UnidentifiedImageError

from core.ai.bounds import image_prompt
from core.ai.capabilities import Capabilities
from core.ai.catalogue import is_compatible
from core.ai.openai import FAILURES, connect, failure, read_request_id, read_usage
from core.ai.pictures.base import Picture, PictureOrder
from core.ai.rules.usage import UNKNOWN_USAGE, Spent
from core.errors import ErrorCode, ProviderError, Refused, RetrySafe
from core.media.rules.media import ImageRatio
from core.outgoing import http
from core.outgoing.destinations import NotPublic, Outside
from core.templates.rules.templates import ImageQuality

TIMEOUT = timedelta(seconds=300)
FETCH_TIMEOUT = timedelta(seconds=30)
FETCHES = 2
"""Attempts to fetch a paid image."""
MAX_BYTES = 20_000_000
MAX_PIXELS = 50_000_000
MIMES = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}

_SIZES = {ImageRatio.square: "1024x1024", ImageRatio.portrait: "1088x1360", ImageRatio.landscape: "1216x640"}
"""1:1, 4:5 and 1.9:1 in multiples of 16, from gpt-image-2 on."""
_FIXED_SIZES = {ImageRatio.square: "1024x1024", ImageRatio.portrait: "1024x1536", ImageRatio.landscape: "1536x1024"}
"""The nearest sizes of older models and most compatible servers."""
_FREE = re.compile(r"(?:^|/)gpt-image-(?!1\b)\d")
_ALWAYS_ENCODED = re.compile(r"(?:^|/)(?:gpt|chatgpt)-image-")
"""Models that always return base64 and refuse the parameter that requests it."""
_NO_CHARACTER = re.compile(r"\s+")


class OpenAIPictures:
    provider = "openai"

    def __init__(self, api_key: str | None, base_url: str | None, model: str) -> None:
        self.model = model
        self._compatible = is_compatible(base_url)
        self._capabilities = Capabilities()
        self._client = connect(api_key, base_url, timeout=TIMEOUT)
        self._api_key = api_key
        # an image may be fetched from the operator's server, even an internal one, and from the Internet
        self._outside = Outside((_origin(self._client.base_url),))

    async def make(self, order: PictureOrder) -> Picture:
        """Raise Refused(image_failed) if the answer holds no usable picture."""
        # another server's models are unknown except the configured one
        model = self.model if self._compatible else order.model or self.model
        spent = Spent(self.provider, model, UNKNOWN_USAGE, None)
        try:
            async with asyncio.timeout(TIMEOUT.total_seconds()):
                request = {"model": model, "prompt": image_prompt(order), "n": 1, **self._options(order, model)}
                answer: object = await self._capabilities.send(
                    self._client.images.generate, request, "images", guess=self._compatible
                )
        except FAILURES as error:
            raise failure(error, spent) from error
        if not isinstance(answer, ImagesResponse):
            raise Refused(ErrorCode.image_failed, detail="the answer cannot be read", spent=spent)
        spent = Spent(
            self.provider, model, read_usage(getattr(answer, "usage", None)), read_request_id(answer._request_id)
        )
        try:
            found = await self._bytes_of(answer.data[0] if answer.data else None)
            data, mime, width, height = await asyncio.to_thread(_inspect, found)
        except ProviderError as error:
            error.spent = spent
            raise
        return Picture(
            data=data,
            mime=mime,
            width=width,
            height=height,
            provider=spent.provider,
            model=spent.model,
            usage=spent.usage,
            request_id=spent.request_id,
        )

    async def close(self) -> None:
        await self._client.close()

    async def _bytes_of(self, drawn: Drawn | None) -> bytes:
        """Raise Refused (image_failed), or RetrySafe if the image could not be fetched."""
        if drawn and drawn.b64_json:
            return _decode(drawn.b64_json)
        if drawn and drawn.url and drawn.url.startswith("data:"):
            return _decode(drawn.url)
        if drawn and drawn.url:
            return await self._fetch(drawn.url)
        raise Refused(ErrorCode.image_failed, detail="the answer has no image")

    async def _fetch(self, address: str) -> bytes:
        try:
            url = self._client.base_url.join(address)
        except httpx2.InvalidURL as error:
            raise Refused(ErrorCode.image_failed, detail="the image's address is invalid") from error
        own = _origin(url) in self._outside.internal
        if not own and url.scheme != "https":  # a proxy would not check the address
            raise Refused(ErrorCode.image_failed, detail=f"the image at {url.host} is not fetched: not by TLS")
        headers = {"Authorization": f"Bearer {self._api_key}"} if own and self._api_key else {}
        failed = ""
        async with self._outside.client(_origin(url), FETCH_TIMEOUT) as client:
            for _ in range(FETCHES):
                try:
                    answer = await http.send(
                        client, "GET", str(url), publishing=False, max_bytes=MAX_BYTES, headers=headers
                    )
                except ProviderError as error:
                    if isinstance(error.__cause__, NotPublic):
                        detail = f"the image at {url.host} is not fetched: {error.__cause__}"
                        raise Refused(ErrorCode.image_failed, detail=detail) from error
                    failed = error.detail
                else:
                    if answer.status_code == 200:
                        return answer.content
                    failed = str(answer.status_code)
        raise RetrySafe(ErrorCode.model_unavailable, detail=f"the image at {url.host} could not be fetched: {failed}")

    def _options(self, order: PictureOrder, model: str) -> dict[str, Any]:
        size = (_SIZES if _FREE.search(model) else _FIXED_SIZES)[order.size]
        if self._compatible:
            quality = {} if order.quality is ImageQuality.auto else {"quality": order.quality.value}
            encoded = {} if _ALWAYS_ENCODED.search(model) else {"response_format": "b64_json"}
            return {"size": size, **quality, **encoded}
        return {
            "size": size,
            "quality": order.quality.value,
            "output_format": "jpeg",
            "output_compression": 90,
            "moderation": "auto",
            "safety_identifier": order.subject,
        }


def _origin(url: httpx2.URL) -> str:
    return f"{url.scheme}://{url.netloc.decode()}".lower()


def _decode(encoded: str) -> bytes:
    """Decode base64 in its variants: as a `data:` address, in either alphabet, with line breaks, without padding."""
    text = _NO_CHARACTER.sub("", encoded.partition(",")[2] if encoded.startswith("data:") else encoded)
    text = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), validate=True)
    except binascii.Error as error:
        raise Refused(ErrorCode.image_failed, detail="the image is not base64") from error


def _inspect(data: bytes) -> tuple[bytes, str, int, int]:
    """Return bytes, type, width and height of a valid picture. Raise Refused (image_failed)."""
    if len(data) > MAX_BYTES:
        raise Refused(ErrorCode.image_failed, detail=f"the image is too large: {len(data)} bytes")
    try:
        with Image.open(io.BytesIO(data), formats=tuple(MIMES)) as image:
            width, height = image.size
            if width * height > MAX_PIXELS:  # checked before decoding
                raise Refused(ErrorCode.image_failed, detail=f"the image is too large: {width} x {height} pixels")
            image.load()
            return data, MIMES[image.format or ""], width, height
    except (UnidentifiedImageError, OSError, ValueError, KeyError, Image.DecompressionBombError) as error:
        raise Refused(ErrorCode.image_failed, detail=type(error).__name__) from error
