"""The files in `docker/` fit the product, as far as that shows without containers (`make containers` runs them)."""

import json
import os
import re
import subprocess
from ipaddress import ip_address, ip_network
from pathlib import Path
from typing import Any

import pytest
import yaml
from dotenv import dotenv_values

from cli.__main__ import app
from core.settings import ROOT, Settings
from temporal.registry import queues

DOCKER = ROOT / "docker"
# of Temporal's and AWS's own clients, and of the image
FOREIGN = re.compile("TEMPORAL_|AWS_|HEALTH_URL$|METRICS_HOST$")


def read(path: str) -> Any:
    return yaml.safe_load((DOCKER / path).read_text())


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "setup.sh").write_text((DOCKER / "setup.sh").read_text())
    return tmp_path


def set_up(folder: Path, *values: str) -> subprocess.CompletedProcess[str]:
    command = ["sh", str(folder / "setup.sh"), *values]
    return subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True)


def test_setup_makes_every_value_that_the_compose_file_needs(folder: Path) -> None:
    sender = "Ada <ada@example.org>"
    assert set_up(folder, "posts.example.org", sender, "smtp://u:p$x@mail.example.org:587").returncode == 0
    made = dotenv_values(folder / ".env", interpolate=False)
    needed = set(re.findall(r"\$\{(\w+):?\?", (DOCKER / "compose.yaml").read_text()))
    assert needed
    assert {name for name in needed if not made.get(name)} == set()
    assert (made["DOMAIN"], made["MAIL_FROM"]) == ("posts.example.org", sender)
    assert made["SMTP_URL"] == "smtp://u:p$x@mail.example.org:587"
    assert os.stat(folder / ".env").st_mode & 0o077 == 0


def test_setup_keeps_existing_secrets(folder: Path) -> None:
    assert set_up(folder, "posts.example.org").returncode == 0
    before = (folder / ".env").read_text()
    refused = set_up(folder, "other.example.org")
    assert refused.returncode == 1
    assert "there already" in refused.stderr
    assert (folder / ".env").read_text() == before


@pytest.mark.parametrize("domain", ["", "https://posts.example.org", "posts.example.org:8443", "a'b"])
def test_setup_refuses_what_is_no_domain(folder: Path, domain: str) -> None:
    assert set_up(folder, domain).returncode == 1
    assert not (folder / ".env").exists()


@pytest.mark.parametrize("file", ["compose.yaml", "compose.external.yaml"])
def test_compose_has_commands_and_settings_of_the_product(file: str) -> None:
    roles = [one for one in read(file)["services"].values() if "build" in one]
    commands = {one["command"][0] for one in roles} - {"codec"}
    assert commands == {"serve", "worker", "migrate", "temporal-setup"}
    names = {command.name or command.callback.__name__.replace("_", "-") for command in app.registered_commands}  # type: ignore[union-attr]
    assert {one["command"][0] for one in roles} <= names
    assert_settings({name for one in roles for name in one["environment"]})


@pytest.mark.parametrize("file", ["compose.yaml", "compose.external.yaml"])
def test_the_proxy_has_an_address_that_no_other_container_gets(file: str) -> None:
    made = read(file)
    proxy = made["services"]["caddy"]["networks"]["front"]["ipv4_address"]
    assert made["services"]["app"]["environment"]["TRUSTED_PROXIES"] == proxy
    [network] = made["networks"]["front"]["ipam"]["config"]
    assert ip_address(proxy) in ip_network(network["subnet"])
    assert ip_address(proxy) not in ip_network(network["ip_range"])


@pytest.mark.parametrize("file", ["compose.yaml", "compose.external.yaml"])
def test_the_proxy_has_no_secrets(file: str) -> None:
    caddy = read(file)["services"]["caddy"]
    assert set(caddy["environment"]) == {"DOMAIN"}
    assert "env_file" not in caddy


def test_the_codec_has_its_own_secrets_alone_behind_a_sign_in(folder: Path) -> None:
    services = read("compose.yaml")["services"]
    profile = {name for name, one in services.items() if one.get("profiles") == ["ui"]}
    assert profile == {"temporal-ui", "codec", "ui-proxy"}
    assert {name for name in profile if "ports" in services[name]} == {"ui-proxy"}
    codec = services["codec"]
    assert codec["env_file"] == []
    assert set(codec["environment"]) == {"TEMPORAL_CODEC_KEYS", "TEMPORAL_UI_URL", "CODEC_HOST", "CODEC_TOKEN"}
    assert codec["environment"]["TEMPORAL_CODEC_KEYS"] == services["worker"]["environment"]["TEMPORAL_CODEC_KEYS"]
    assert set_up(folder, "posts.example.org").returncode == 0
    made = dotenv_values(folder / ".env", interpolate=False)
    values = {name: str(made[name]) for name in ("TEMPORAL_CODEC_KEYS", "CODEC_TOKEN")}
    settings = Settings.model_validate({name.lower(): value for name, value in values.items()})
    assert [len(key.key) for key in settings.temporal_codec_keys] == [32]


@pytest.mark.parametrize("keys", ["a:c2VjcmV0", ""])
def test_the_guide_keeps_the_keys_of_before(folder: Path, keys: str) -> None:
    """What stands in `environment` beats `env_file`, even when it is empty."""
    guide = (ROOT / "docs" / "operating" / "containers.md").read_text()
    [commands] = re.findall(r"```sh\n(keys=.*?)```", guide, re.DOTALL)
    (folder / ".env").write_text("DOMAIN='posts.example.org'\n")
    if keys:
        (folder / "postloom.env").write_text(f"LOG_FORMAT=json\nTEMPORAL_CODEC_KEYS={keys}\n")
    subprocess.run(["sh", "-c", commands], cwd=folder, check=True)
    made = dotenv_values(folder / ".env")
    assert made["TEMPORAL_CODEC_KEYS"] == keys
    assert made["CODEC_TOKEN"]
    assert made["TEMPORAL_UI_PASSWORD"]


def test_the_database_has_a_secret_for_each_user(folder: Path) -> None:
    services = read("compose.yaml")["services"]
    users = {name: value for name, value in services["postgres"]["environment"].items() if name.endswith("PASSWORD")}
    assert len(users) == len(set(users.values())) == 3
    others = [services[name]["environment"] for name in ("app", "worker", "temporal")]
    assert users["POSTGRES_PASSWORD"] not in str(others)
    assert set_up(folder, "posts.example.org").returncode == 0
    made = dotenv_values(folder / ".env", interpolate=False)
    secrets = [value for name, value in made.items() if name.endswith("POSTGRES_PASSWORD")]
    assert len(secrets) == len(set(secrets)) == 3


@pytest.mark.parametrize("file", ["compose.yaml", "compose.external.yaml"])
def test_what_others_wait_for_is_repeated_when_it_fails(file: str) -> None:
    services = read(file)["services"]
    awaited = {
        name
        for one in services.values()
        for name, wanted in one.get("depends_on", {}).items()
        if wanted["condition"] == "service_completed_successfully"
    }
    assert {"migrate", "temporal-setup"} <= awaited
    assert {services[name]["restart"].partition(":")[0] for name in awaited} == {"on-failure"}


@pytest.mark.parametrize(
    "file", ["external.env.example", "kubernetes/base/settings.env", "kubernetes/base/secret.env.example"]
)
def test_examples_have_settings_of_the_product(file: str) -> None:
    assert_settings(set(dotenv_values(DOCKER / file, interpolate=False)) - {"DOMAIN"})


def assert_settings(names: set[str]) -> None:
    known = {name.upper() for name in Settings.model_fields}
    assert {name for name in names - known if not FOREIGN.match(name)} == set()


def test_every_image_has_a_version() -> None:
    for file in ("compose.yaml", "compose.external.yaml"):
        images = {one["image"] for one in read(file)["services"].values() if "build" not in one}
        assert images
        assert {image for image in images if not re.search(r":v?\d+\.\d+", image)} == set()


def test_autoscaling_looks_at_every_task_queue() -> None:
    triggers = read("kubernetes/autoscaling/worker.yaml")["spec"]["triggers"]
    assert [one["metadata"]["taskQueue"] for one in triggers] == queues()


def test_dashboard_shows_every_metric_of_an_alert() -> None:
    rules = read("monitoring/alerts.yaml")["groups"][0]["rules"]
    panels = json.loads((DOCKER / "monitoring/grafana-dashboard.json").read_text())["panels"]
    shown = " ".join(target["expr"] for panel in panels for target in panel["targets"])
    for rule in rules:
        for metric in re.findall(r"(?:postloom|temporal)_\w+", rule["expr"]):
            assert metric in shown or metric == "postloom_database_up", rule["alert"]
