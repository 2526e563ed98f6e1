"""A network is one module, one member, one stand-in, its icon, colours and preview: nothing else knows its name."""

import re
from pathlib import Path

import pytest

from cli.stand_ins import STAND_INS
from core.networks.registry import channel
from core.networks.rules.channels import ChannelKind
from core.settings import ROOT

PRODUCT = ("core", "api", "cli", "temporal", "activities", "workflows", "frontend/src")
GENERATED = "frontend/src/api/"
KNOWN = re.compile(
    r"core/networks/rules/(channels|craft)\.py|core/networks/\w+\.py|core/migrations/.*|cli/stand_ins\.py"
    # texts that people read: the home page, the privacy policy, what templates ask a model for, the demo writer's words
    r"|core/templates/starters/.*|core/ai/writers/phrases/.*|frontend/src/i18n/.*"
    r"|frontend/src/components/(channel\.tsx|preview-feed\.ts)|frontend/src/app/styles/colours\.css|frontend/src/test/.*|.*\.test\.tsx?"
)

WORDS = {ChannelKind.ghost, ChannelKind.threads, ChannelKind.webhook}
"""Called as something else is too (an event that is planned, a message of Stripe's): of these only a literal counts."""


def sources() -> list[Path]:
    return [
        path
        for folder in PRODUCT
        for path in sorted((ROOT / folder).rglob("*"))
        if path.suffix in {".py", ".ts", ".tsx", ".json", ".css"}
    ]


@pytest.mark.parametrize("kind", list(ChannelKind))
def test_nothing_else_knows_the_name_of_a_network(kind: ChannelKind) -> None:
    name_of = "|".join({re.escape(kind.value), re.escape(channel(kind).label)})
    literal = rf"[\"'`]({name_of})[\"'`]|\bChannelKind\.{kind.value}\b|connect_\w*{kind.value}"
    names = re.compile(literal if kind in WORDS else name_of, re.IGNORECASE)
    known = {
        name
        for path in sources()
        if not (name := path.relative_to(ROOT).as_posix()).startswith(GENERATED) and names.search(path.read_text())
    }
    assert {name for name in known if not KNOWN.fullmatch(name)} == set()


def test_each_network_is_led_to_its_stand_in() -> None:
    assert set(STAND_INS) == set(ChannelKind)
    for kind, stand_in in STAND_INS.items():
        names = stand_in.settings("http://127.0.0.1:1", "secret")
        assert all(name.startswith(stand_in.prefix) for name in names)
        assert set(channel(kind).connection.settings) <= set(names)
