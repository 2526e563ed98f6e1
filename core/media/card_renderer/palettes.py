"""Colours of cards for users without brand colours. Ink and accent are legible on their ground."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Palette:
    """`ground` with `ink` on it, `accent` for emphasis, `thread` only for shapes."""

    name: str
    ground: str
    ink: str
    accent: str
    thread: str
    soft: str
    """For secondary text: foot and captions."""


PALETTES = (
    Palette("petrol", "#0e444b", "#ffffff", "#fdc146", "#48a7b1", "#bce5e8"),
    Palette("saffron", "#fdc146", "#151f21", "#0e444b", "#ad6d1e", "#643912"),
    Palette("paper", "#f3efe6", "#0e444b", "#18747f", "#fdc146", "#4d5759"),
    Palette("night", "#151f21", "#f4f7f7", "#5cc3cd", "#fdc146", "#aab6b8"),
    Palette("mist", "#e9f3f2", "#0e444b", "#a4380f", "#48a7b1", "#4d5759"),
    Palette("clay", "#8f3415", "#fff6ec", "#fdd48a", "#d98a5b", "#fbdcc5"),
    Palette("plum", "#38264f", "#ffffff", "#f4b6c8", "#8a6fb5", "#d9cdea"),
)
