"""Picture makers: the card renderer, and an image model where one is named."""

from core.ai.pictures.base import PictureMaker


def open_cards() -> PictureMaker:
    """Draws on this machine: no key, no cost."""
    # here, since Pillow loads with it and most commands never draw
    from core.media.card_renderer.renderer import CardMaker

    return CardMaker()


def open_image_model(api_key: str | None, base_url: str | None, image_model: str | None) -> PictureMaker | None:
    """Opens no connection. A model needs a key or an address; without either there is none."""
    if not image_model or not (api_key or base_url):
        return None
    # here, since the client takes half a second to load and most commands never draw
    from core.ai.pictures.openai import OpenAIPictures

    return OpenAIPictures(api_key, base_url, image_model)


def open_pictures(api_key: str | None, base_url: str | None, image_model: str | None) -> PictureMaker:
    """The image model, or cards where there is none."""
    return open_image_model(api_key, base_url, image_model) or open_cards()
