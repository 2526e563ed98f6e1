"""Pictures from OpenAI or any server that speaks its API."""

import asyncio
import base64
import binascii
import io
import re
from datetime import timedelta
from typing import Any

from openai.types import ImagesResponse
from PIL import Image, UnidentifiedImageError

from core.domain.errors import ErrorCode, Refused
from core.domain.templates import ImageQuality, ImageSize
from core.domain.usage import UNTOLD, Spent
from core.providers.bounds import image_prompt
from core.providers.catalogue import is_compatible
from core.providers.openai import FAILURES, connect, failure, usage
from core.providers.pictures.base import Picture, PictureOrder

TIMEOUT = timedelta(seconds=300)
MAX_BYTES = 20_000_000
MAX_PIXELS = 50_000_000
MIMES = {"JPEG": "image/jpeg", "PNG": "image/png", "WEBP": "image/webp"}

_SIZES = {ImageSize.square: "1024x1024", ImageSize.portrait: "1088x1360", ImageSize.landscape: "1216x640"}
"""1:1, 4:5 and 1.9:1 in multiples of 16, from gpt-image-2 on."""
_FIXED_SIZES = {ImageSize.square: "1024x1024", ImageSize.portrait: "1024x1536", ImageSize.landscape: "1536x1024"}
"""The nearest of what older models, and most compatible servers, can do."""
_FREE = re.compile(r"(?:^|/)gpt-image-(?!1\b)\d")


class OpenAIPictures:
    provider = "openai"

    def __init__(self, api_key: str | None, base_url: str | None, model: str) -> None:
        self.model = model
        self._compatible = is_compatible(base_url)
        self._client = connect(api_key, base_url, timeout=TIMEOUT)

    async def make(self, order: PictureOrder) -> Picture:
        """Raises Refused(image_failed) for an answer that holds no usable picture."""
        # of another server nobody knows more models than its own
        model = self.model if self._compatible else order.model or self.model
        spent = Spent(self.provider, model, UNTOLD, None)
        try:
            async with asyncio.timeout(TIMEOUT.total_seconds()):
                answer: object = await self._client.images.generate(
                    model=model, prompt=image_prompt(order), n=1, **self._options(order, model)
                )
        except FAILURES as error:
            raise failure(error, spent) from error
        if not isinstance(answer, ImagesResponse):
            raise Refused(ErrorCode.image_failed, detail="unreadable answer", spent=spent)
        spent = Spent(self.provider, model, usage(getattr(answer, "usage", None)), answer._request_id)
        if not answer.data or not answer.data[0].b64_json:
            raise Refused(ErrorCode.image_failed, detail="no b64_json in the answer", spent=spent)
        try:
            data, mime, width, height = await asyncio.to_thread(_decode, answer.data[0].b64_json)
        except Refused as error:
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

    def _options(self, order: PictureOrder, model: str) -> dict[str, Any]:
        size = (_SIZES if _FREE.search(model) else _FIXED_SIZES)[order.size]
        if self._compatible:  # other servers may refuse what they do not know
            asked = {} if order.quality is ImageQuality.auto else {"quality": order.quality.value}
            return {"size": size, **asked}
        return {
            "size": size,
            "quality": order.quality.value,
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
