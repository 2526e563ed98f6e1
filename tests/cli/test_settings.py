"""Settings as an operator meets them: a wrong one is one line, an unset one has its default."""

import os
import re
import stat
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from datetime import date
from importlib.resources import files
from pathlib import Path
from urllib.parse import quote

import pytest
from psycopg.conninfo import conninfo_to_dict
from sqlalchemy import make_url

from cli.settings_command import ENV_EXAMPLE, describe_settings, env_example, show_settings
from core.notifications.smtp import open_mailer
from core.settings import ROOT, Settings, WrongSetting, load_environment, read_settings, secret_keys
from core.settings_check import prices_of, warnings
from tests.patience import PATIENCE


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Nothing but what the test sets, and nothing of it afterwards."""
    before = dict(os.environ)
    for one in describe_settings():
        monkeypatch.delenv(one.name, raising=False)
    yield
    os.environ.clear()
    os.environ.update(before)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("PORT", "eighty"),
        ("PORT", "70000"),
        ("PUBLIC_URL", "example.org"),
        ("PUBLIC_URL", "https://example.org/postloom"),
        ("DATABASE_URL", "mysql://localhost/postloom"),
        ("SECRET_KEY", "short"),
        ("OPENAI_BASE_URL", "localhost:1234"),
        ("REASONING_EFFORT", "huge"),
        ("SMTP_URL", "mail.example.org:25"),
        ("SMTP_URL", "smtp://mail.example.org:99999"),
        ("SMTP_URL", "smtp://mail.example.org/?tls=yes"),
        ("SMTP_URL", "smtp+plain://post:secret@mail.example.org"),
        ("MAIL_FROM", "Postloom"),
        ("MEDIA_URL", "media"),
        ("MEDIA_FETCH_URL", "https://s3.example.org"),  # of a folder
        ("MEDIA_URL", "s3://key:secret@bucket"),
        ("MEDIA_URL", "file:///data/a#b"),
        ("MEDIA_URL", "s3://bucket/prefix?region=eu"),
        ("TEMPORAL_ADDRESS", "http://temporal.example.org:7233"),
        ("TEMPORAL_ADDRESS", "temporal.example.org"),
        ("DATABASE_URL", "postgresql://db.example.org/postloom?sslmode="),
        ("DATABASE_URL", "postgresql://%2Frun%2Fpostgresql/postloom"),
        ("SMTP_URL", "smtp://post:secret@ mail.example.org"),
        ("SMTP_URL", "smtp://mail..example.org"),
        ("SMTP_URL", "smtps://:secret@mail.example.org"),
        ("MEDIA_URL", "s3://minio.example.org:9000/bucket"),
        ("MEDIA_URL", "s3://my bucket/prefix"),
        ("TEMPORAL_ADDRESS", "temporal.example.org:0"),
        ("TEMPORAL_ADDRESS", "temporal.example.org:72330"),
        ("TEMPORAL_ADDRESS", "[::::]:7233"),
        ("TEMPORAL_ADDRESS", "[7233]:7233"),
        ("TEMPORAL_DEPLOYMENT_NAME", "post.loom"),  # Temporal refuses these three
        ("TEMPORAL_DEPLOYMENT_NAME", "post:loom"),
        ("TEMPORAL_DEPLOYMENT_NAME", "__postloom"),
        ("USER_AGENT", "Wörker"),
        ("SANDBOX", "perhaps"),
        ("TEMPORAL_CODEC_KEYS", "first:c2hvcnQ="),
        ("SESSION_DAYS", "0"),
        ("ENVIRONMENT", "staging"),
    ],
)
def test_a_wrong_setting_is_named_in_one_line(name: str, value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, value)
    with pytest.raises(WrongSetting) as caught:
        read_settings()
    assert caught.value.name == name
    assert str(caught.value).startswith(f"{name}: ")
    assert "\n" not in str(caught.value)


def test_the_deployment_may_be_called_as_the_worker_controller_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TEMPORAL_DEPLOYMENT_NAME", "posts/postloom-worker")
    assert read_settings().temporal_deployment_name == "posts/postloom-worker"


RAW = [
    "geh/eim-7",
    "geh?eim-7",
    "geh#eim-7",
    "12#geheim-7",
    "geh@eim-7",
    "geh%eim-7",
    "geh[eim-7",
    "ge/h@eim-7",
    "g?h@eim-7",
]


@pytest.mark.parametrize("password", RAW)
@pytest.mark.parametrize(
    ("name", "address"),
    [
        ("SMTP_URL", "smtp://post:{}@mail.example.org:587"),
        ("DATABASE_URL", "postgresql://post:{}@db.example.org/postloom"),
        ("DATABASE_URL", "postgresql://post:{}@db.example.org/postloom?sslmode=verify-full"),
    ],
)
def test_a_password_that_two_readers_would_read_differently_is_refused(
    name: str, address: str, password: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, address.format(password))
    with pytest.raises(WrongSetting) as caught:
        read_settings()
    assert caught.value.name == name
    assert "%2F %3F %23" in str(caught.value)
    assert not any(part in str(caught.value) for part in re.split(r"[/?#@%\[]", password))


@pytest.mark.parametrize("password", [*RAW, "plain", "a:b&c=d+e", "100%25"])
def test_an_encoded_password_is_read_the_same_by_all(password: str, monkeypatch: pytest.MonkeyPatch) -> None:
    encoded = quote(password, safe="")
    monkeypatch.setenv("SMTP_URL", f"smtp://post:{encoded}@mail.example.org:587")
    monkeypatch.setenv("DATABASE_URL", f"postgresql://post:{encoded}@db.example.org:5433/postloom")
    settings = read_settings()
    mailer = open_mailer(settings.smtp_url)
    assert mailer is not None
    assert (mailer.username, mailer.password, mailer.host, mailer.port) == ("post", password, "mail.example.org", 587)
    address = str(settings.database_url)
    ours = make_url(address)
    theirs = conninfo_to_dict(address.replace("postgresql+psycopg://", "postgresql://", 1))
    assert (ours.password, ours.host, ours.port, ours.database) == (password, "db.example.org", 5433, "postloom")
    assert (theirs["password"], theirs["host"], theirs["port"], theirs["dbname"]) == (
        password,
        "db.example.org",
        "5433",
        "postloom",
    )
    assert ours.query["sslmode"] == theirs["sslmode"] == "require"


@pytest.mark.parametrize(
    ("address", "mode"),
    [
        ("postgresql://db.example.org/postloom?", "require"),
        ("postgresql://db.example.org/postloom?application_name=a", "require"),
        ("postgresql://db.example.org?connect_timeout=5&", "require"),
        ("postgresql://db.example.org/postloom?sslmode=verify-full&application_name=a%40b", "verify-full"),
        ("postgresql://post:@/postloom?host=/run/a@b", None),
        ("postgresql:///postloom?host=/run/postgresql", None),
        ("postgresql://u@[::1]:5433/postloom", None),
        ("postgresql://u@[2001:db8::1]:5433/postloom", "require"),
        ("postgresql://localhost/postloom?hostaddr=10.0.0.5", "require"),
        ("postgresql:///postloom?hostaddr=10.0.0.5", "require"),
        ("postgresql:///postloom?host=localhost,db.example.org", "require"),
        ("postgresql://localhost,127.0.0.1/postloom", None),
    ],
)
def test_a_database_beyond_this_machine_has_its_sslmode(
    address: str, mode: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("PGHOST", "PGHOSTADDR", "PGSSLMODE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DATABASE_URL", address)
    kept = str(read_settings().database_url)
    told = conninfo_to_dict(kept.replace("postgresql+psycopg://", "postgresql://", 1))
    assert make_url(kept).query.get("sslmode") == told.get("sslmode") == mode


@pytest.mark.parametrize(("host", "mode"), [("db.example.org", "require"), ("/run/postgresql", None), ("", None)])
def test_the_environment_may_name_the_databases_host(
    host: str, mode: str | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PGSSLMODE", raising=False)
    monkeypatch.setenv("PGHOST", host)
    monkeypatch.setenv("DATABASE_URL", "postgresql:///postloom")
    assert make_url(str(read_settings().database_url)).query.get("sslmode") == mode


@pytest.mark.parametrize(
    ("name", "value", "kept"),
    [
        ("SMTP_URL", " smtps://post:secret@mail.example.org ", "smtps://post:secret@mail.example.org"),
        ("SMTP_URL", "smtp://[2001:db8::1]:587", "smtp://[2001:db8::1]:587"),
        ("SMTP_URL", "smtp+plain://relay", "smtp+plain://relay"),
        ("SMTP_URL", "smtp://post@mail.bücher.example", "smtp://post@mail.bücher.example"),
        ("MEDIA_URL", "S3://My_bucket/a/", "s3://My_bucket/a"),
        ("MEDIA_URL", "file://localhost/data/a%20b", "file:///data/a%20b"),
        ("TEMPORAL_ADDRESS", "[::1]:7233 ", "[::1]:7233"),
        ("TEMPORAL_ADDRESS", "temporal_frontend:7233", "temporal_frontend:7233"),
        ("PUBLIC_URL", " https://example.org/ ", "https://example.org"),
    ],
)
def test_an_address_may_have_any_form_that_its_reader_takes(
    name: str, value: str, kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(name, value)
    assert getattr(read_settings(), name.lower()) == kept


def test_networks_are_told_who_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PUBLIC_URL", "https://post.example.org")
    told = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    assert read_settings().user_agent == f"Postloom/{told} (+https://post.example.org)"
    monkeypatch.setenv("USER_AGENT", "Our social desk/2")
    assert read_settings().user_agent == "Our social desk/2"


@pytest.mark.parametrize("name", ["DATABASE_URL", "SMTP_URL", "SECRET_KEY", "TEMPORAL_CODEC_KEYS"])
def test_what_is_wrong_with_a_secret_does_not_show_it(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(name, "wrong:hush-hush")
    with pytest.raises(WrongSetting) as caught:
        read_settings()
    assert caught.value.name == name
    assert "hush" not in str(caught.value)


def test_a_wrong_setting_stops_the_start_with_one_line(tmp_path: Path) -> None:
    environ = {**os.environ, "PORT": "eighty", "DATA_DIR": str(tmp_path / "data")}
    command = [sys.executable, "-m", "cli", "run"]
    done = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (1, "")
    assert [line[:7] for line in done.stdout.splitlines()] == ["✗ PORT:"]
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("environ", "expected"),
    [
        ({}, (False, None)),
        ({"OPENAI_API_KEY": "k"}, (True, "gpt-6-luna")),
        ({"OPENAI_API_KEY": "k", "TEXT_MODEL": "other"}, (True, "other")),
        ({"OPENAI_BASE_URL": "http://localhost:1234/v1", "TEXT_MODEL": "local"}, (True, "local")),
        ({"OPENAI_API_KEY": ""}, (False, None)),
    ],
)
def test_a_key_or_a_base_url_switches_the_model_on(
    environ: dict[str, str], expected: tuple[bool, str | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environ.items():
        monkeypatch.setenv(name, value)
    settings = read_settings()
    assert (settings.model_on, settings.text_model) == expected


def test_another_base_url_needs_its_model_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1234/v1")
    with pytest.raises(WrongSetting, match="^TEXT_MODEL: "):
        read_settings()


def test_addresses_follow_from_the_port_and_the_data_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORT", "8123")
    monkeypatch.setenv("DATA_DIR", "some/where")
    settings = read_settings()
    assert settings.public_url == "http://localhost:8123"
    assert settings.data_dir == ROOT / "some" / "where"
    assert settings.media_url == (ROOT / "some" / "where" / "media").as_uri()


def test_postgres_addresses_get_the_driver() -> None:
    for given in ("postgres://u@[::1]/d", "postgresql://u@[::1]/d", "postgresql+psycopg://u@[::1]/d"):
        assert Settings(database_url=given).database_url == "postgresql+psycopg://u@[::1]/d"


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("//u@db/d", "//u@db/d?sslmode=require"),
        ("//u@10.0.0.7:5433/d?application_name=x", "//u@10.0.0.7:5433/d?application_name=x&sslmode=require"),
        ("///d?host=db", "///d?host=db&sslmode=require"),
        ("//u@db/d?sslmode=disable", "//u@db/d?sslmode=disable"),
        ("//u@db/d?sslmode=verify-full", "//u@db/d?sslmode=verify-full"),
        ("//u@localhost/d", "//u@localhost/d"),
        ("//u@127.0.0.1:5432/d", "//u@127.0.0.1:5432/d"),
        ("///d", "///d"),
        ("///d?host=/run/postgresql", "///d?host=/run/postgresql"),
    ],
)
def test_a_database_beyond_this_machine_is_asked_by_tls(
    given: str, expected: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("PGSSLMODE", raising=False)
    assert Settings(database_url=f"postgresql:{given}").database_url == f"postgresql+psycopg:{expected}"


@pytest.mark.parametrize("address", [None, "http://post.example.org"])
def test_in_production_browsers_come_by_tls(address: str | None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ENVIRONMENT", "production")
    if address:
        monkeypatch.setenv("PUBLIC_URL", address)
    with pytest.raises(WrongSetting, match="^PUBLIC_URL: "):
        read_settings()
    monkeypatch.setenv("PUBLIC_URL", "https://post.example.org")
    assert read_settings().has_tls


def test_no_secret_is_in_the_representation(monkeypatch: pytest.MonkeyPatch) -> None:
    secret = "a-secret-that-must-not-be-seen-anywhere"
    monkeypatch.setenv("SECRET_KEY", secret)
    monkeypatch.setenv("OPENAI_API_KEY", secret)
    monkeypatch.setenv("DATABASE_URL", f"postgresql://u:{secret}@h/d")
    monkeypatch.setenv("SMTP_URL", f"smtp://u:{secret}@h")
    assert secret not in repr(read_settings())


def test_the_environment_wins_over_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / ".env").write_text("PORT=8111\nMAIL_FROM=post@example.org\nSMTP_URL='smtp://u:a$b@h'\n")
    monkeypatch.setenv("PORT", "8222")
    assert load_environment(tmp_path) == {"MAIL_FROM", "SMTP_URL"}
    settings = read_settings()
    assert (settings.port, settings.mail_from) == (8222, "post@example.org")
    assert settings.smtp_url == "smtp://u:a$b@h"


API = "import api.app; api.app.create_app()"
WORKER = """
import asyncio, temporal.worker as worker
async def away(*_): return None
worker._connect = away
asyncio.run(worker.main())"""
BERLIN = """
from datetime import datetime
from zoneinfo import ZoneInfo
print(datetime(2026, 1, 1, tzinfo=ZoneInfo("Europe/Berlin")).tzname())"""


@pytest.mark.parametrize("entry", [API, WORKER], ids=["api", "worker"])
def test_time_zones_are_the_locked_ones_however_a_process_is_started(entry: str, tmp_path: Path) -> None:
    """By the machine's own, Berlin is in New York."""
    (tmp_path / "Europe").mkdir()
    (tmp_path / "Europe" / "Berlin").write_bytes(files("tzdata").joinpath("zoneinfo/America/New_York").read_bytes())
    environment = {
        "PATH": os.defpath,
        "PYTHONTZPATH": str(tmp_path),
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:1/none",
        "DATA_DIR": str(tmp_path / "data"),
    }
    command = [sys.executable, "-c", f"{entry}{BERLIN}"]
    done = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, timeout=PATIENCE)
    assert done.stdout.split() == ["CET"], done.stderr


def test_the_secret_key_is_made_once_and_for_its_owner_alone(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new")
    first = secret_keys(settings)
    assert secret_keys(settings) == first
    assert len(first) == 1
    assert stat.S_IMODE((tmp_path / "new" / "secret.key").stat().st_mode) == 0o600
    assert [path.name for path in (tmp_path / "new").iterdir()] == ["secret.key"]


def test_a_list_of_secret_keys_rotates(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SECRET_KEY", f"{'n' * 40}, {'o' * 40}")
    assert secret_keys(read_settings()) == ("n" * 40, "o" * 40)


def test_an_emptied_key_file_is_never_replaced(tmp_path: Path) -> None:
    (tmp_path / "secret.key").touch()
    with pytest.raises(WrongSetting, match="^SECRET_KEY: "):
        secret_keys(Settings(data_dir=tmp_path))


def test_the_table_shows_sources_and_hides_secrets(tmp_path: Path) -> None:
    environ = {
        **os.environ,
        "DATABASE_URL": "postgresql://me:hidden-one@db/postloom",
        "LINKEDIN_CLIENT_SECRET": "hidden-two",
        "PORT": "8555",
    }
    command = [str(ROOT / "postloom"), "settings"]
    done = subprocess.run(command, cwd=tmp_path, env=environ, capture_output=True, text=True, check=True)
    assert "hidden" not in done.stdout.replace("(hidden)", "")
    row = next(line for line in done.stdout.splitlines() if line.startswith("PORT "))
    assert row.split()[-2:] == ["8555", "environment"]


def test_the_example_file_is_what_the_settings_say() -> None:
    assert ENV_EXAMPLE.read_text() == env_example(), "write it again: ./postloom settings --env-example"


@pytest.mark.parametrize(
    ("given", "named"),
    [
        ({}, []),
        ({"TEXT_MODEL": "home-made"}, []),  # no model is on
        ({"OPENAI_API_KEY": "sk-nobody", "IMAGE_MODEL": "gpt-image-2"}, []),
        ({"OPENAI_API_KEY": "sk-nobody", "IMAGE_MODEL": "home-made"}, ["IMAGE_MODEL"]),
        (
            {"OPENAI_BASE_URL": "http://localhost:1", "TEXT_MODEL": "a", "IMAGE_MODEL": "b"},
            ["TEXT_MODEL", "IMAGE_MODEL"],
        ),
        (
            {"STRIPE_WEBHOOK_SECRET": "whsec_1", "STRIPE_PRICE_ID": "price_1"},
            ["STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"],
        ),
    ],
)
def test_what_works_but_not_as_one_may_think_is_said(
    given: dict[str, str], named: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("cli.settings_command.load_environment", frozenset)  # the developer's own file
    show_settings()
    said = [line.removeprefix("warning: ") for line in capsys.readouterr().err.splitlines()]
    assert [line.partition(":")[0] for line in said] == named


def test_an_own_price_is_one(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    file = tmp_path / "prices.json"
    file.write_text('{"prices": [{"model": "home-made", "since": "2026-01-01", "input": "0", "output": "0"}]}')
    monkeypatch.setenv("OPENAI_BASE_URL", "http://localhost:1")
    monkeypatch.setenv("TEXT_MODEL", "home-made")
    without = read_settings()
    monkeypatch.setenv("PRICES_FILE", str(file))
    for settings, count in ((without, 1), (read_settings(), 0)):
        assert len(list(warnings(settings, prices_of(settings), date(2026, 11, 1)))) == count


@pytest.mark.parametrize("missing", ["STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"])
def test_a_key_of_stripes_wants_all_that_goes_with_it(missing: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in {"STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET", "STRIPE_PRICE_ID"} - {missing}:
        monkeypatch.setenv(name, "set")
    with pytest.raises(WrongSetting) as caught:
        read_settings()
    assert caught.value.name == missing
