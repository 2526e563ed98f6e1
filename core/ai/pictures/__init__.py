"""Picture makers: the card renderer, and an image model if one is configured."""

from core.ai.pictures.base import PictureMaker


def open_cards() -> PictureMaker:
    """Return the card renderer, which draws on this machine without key or cost."""
    # imported here: it loads Pillow, and most commands never draw
    from core.media.card_renderer.renderer import CardMaker

    return CardMaker()


def open_image_model(api_key: str | None, base_url: str | None, image_model: str | None) -> PictureMaker | None:
    """Return the image model, or None without a model name or without both key and address. Opens no connection."""
    if not image_model or not (api_key or base_url):
        return None
    # imported here: the client takes half a second to load, and most commands never draw
    from core.ai.pictures.openai import OpenAIPictures

    return OpenAIPictures(api_key, base_url, image_model)


def open_pictures(api_key: str | None, base_url: str | None, image_model: str | None) -> PictureMaker:
    """Return the image model, or cards without one."""
    return open_image_model(api_key, base_url, image_model) or open_cards()
