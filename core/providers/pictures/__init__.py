"""Picture makers: an image model where one is named, else the card renderer."""

from core.providers.pictures.base import PictureMaker


def open_pictures(api_key: str | None, base_url: str | None, image_model: str | None) -> PictureMaker:
    """Opens no connection. A model needs a key or an address; without either cards stay."""
    if not image_model or not (api_key or base_url):
        from core.providers.pictures.cards import CardMaker

        return CardMaker()
    # here, since the client takes half a second to load and most commands never draw
    from core.providers.pictures.openai import OpenAIPictures

    return OpenAIPictures(api_key, base_url, image_model)
