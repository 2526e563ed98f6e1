"""Pictures from OpenAI or any server that speaks its API."""

import asyncio
import base64
import binascii
import io
from datetime import timedelta
from typing import Any

import openai
from openai.types import ImagesResponse
from PIL import Image, UnidentifiedImageError

from core.domain.errors import ErrorCode, Refused
from core.providers.openai import connect, failure, is_compatible, usage
from core.providers.pictures.base import Picture, PictureOrder

TIMEOUT = timedelta(seconds=300)
MAX_BYTES = 20_000_000
MAX_PIXELS = 50_000_000
MIMES = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}

PORTRAIT = "1088x1360"
"""4:5, the tallest that all networks show uncropped; sides are multiples of 16."""

_FREE_SIZES = "gpt-image-2"
_FIXED_PORTRAIT = "1024x1536"


class OpenAIPictures:
    provider = "openai"

    def __init__(self, api_key: str | None, base_url: str | None, model: str) -> None:
        self.model = model
        self._compatible = is_compatible(base_url)
        self._secrets = [api_key] if api_key else []
        self._client = connect(api_key, base_url, timeout=TIMEOUT)

    async def make(self, order: PictureOrder) -> Picture:
        """Raises Refused(image_failed) for an answer that holds no usable picture."""
        try:
            answer: object = await self._client.images.generate(
                model=self.model, prompt=order.prompt, n=1, **self._options(order)
            )
        except (openai.OpenAIError, ValueError) as error:  # ValueError: status 200 with broken JSON
            raise failure(error, self._secrets) from error
        if not isinstance(answer, ImagesResponse) or not answer.data or not answer.data[0].b64_json:
            raise Refused(ErrorCode.image_failed, detail="no b64_json in the answer")
        data, mime, width, height = await asyncio.to_thread(_decode, answer.data[0].b64_json)
        return Picture(
            data=data,
            mime=mime,
            width=width,
            height=height,
            provider=self.provider,
            model=self.model,
            usage=usage(answer.usage),
            request_id=answer._request_id,
        )

    async def close(self) -> None:
        await self._client.close()

    def _options(self, order: PictureOrder) -> dict[str, Any]:
        if self._compatible:  # other servers may refuse what they do not know
            return {"size": "1024x1024"}
        return {
            "size": PORTRAIT if self.model.startswith(_FREE_SIZES) else _FIXED_PORTRAIT,
            "quality": "medium",
            "output_format": "jpeg",
            "output_compression": 90,
            "moderation": "auto",
            "safety_identifier": order.subject,
        }


def _decode(encoded: str) -> tuple[bytes, str, int, int]:
    """Bytes, type, width and height of a picture that really is one."""
    try:
        data = base64.b64decode(encoded, validate=True)
    except binascii.Error as error:
        raise Refused(ErrorCode.image_failed, detail="not base64") from error
    if len(data) > MAX_BYTES:
        raise Refused(ErrorCode.image_failed, detail=f"{len(data)} bytes")
    try:
        with Image.open(io.BytesIO(data), formats=tuple(MIMES)) as image:
            width, height = image.size
            if width * height > MAX_PIXELS:  # before the pixels are unpacked
                raise Refused(ErrorCode.image_failed, detail=f"{width} x {height} pixels")
            image.load()
            return data, MIMES[image.format or ""], width, height
    except (UnidentifiedImageError, OSError, ValueError, KeyError, Image.DecompressionBombError) as error:
        raise Refused(ErrorCode.image_failed, detail=type(error).__name__) from error
