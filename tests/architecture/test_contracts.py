"""What is said in two places is the same in both."""

import json
import re

import pytest

from api.errors import STATUS, problem_of
from api.openapi import TARGET, text
from cli.settings_command import ENV_EXAMPLE, env_example
from core.errors import (
    Conflict,
    Denied,
    DomainError,
    ErrorCode,
    Forbidden,
    InvalidInput,
    NotFound,
    ProviderError,
    SubscriptionRequired,
    Throttled,
    Unauthenticated,
    Unavailable,
)
from core.settings import ROOT
from tests.api.operations import document, operations


def test_the_openapi_document_is_the_one_that_the_web_app_is_made_from() -> None:
    assert TARGET.read_text() == text(), "frontend/openapi.json is out of date: make openapi"


def test_env_example_is_what_the_settings_say() -> None:
    assert ENV_EXAMPLE.read_text() == env_example(), ".env.example is out of date: ./postloom settings --env-example"


def test_every_operation_has_a_name_of_its_own() -> None:
    names = [operation.name for operation in operations()]
    assert len(names) == len(set(names))
    assert all(re.fullmatch(r"[a-z]+(_[a-z]+)+", name) for name in names)  # verb_noun: a function of the client
    # a calendar program knows a file by how its name ends
    assert all(operation.path.endswith(("/", ".ics")) for operation in operations())
    assert document()["openapi"].startswith("3.1")


def test_operations_answer_with_problem_documents() -> None:
    for operation in operations():
        for status, answer in operation.details["responses"].items():
            if int(status) >= 400:
                schemas = [found["schema"]["$ref"] for found in answer["content"].values()]
                assert schemas == ["#/components/schemas/Problem"], f"{operation} {status}"


def test_every_error_has_its_status() -> None:
    assert set(STATUS) == set(ErrorCode)
    assert all(problem_of(code, status).title for code, status in STATUS.items())


@pytest.mark.parametrize(
    ("kind", "statuses"),
    [
        (NotFound, {404}),
        (InvalidInput, {422}),
        (Denied, {422}),
        (Conflict, {409}),
        (Unauthenticated, {401}),
        (Forbidden, {403}),
        (Throttled, {429}),
        (Unavailable, {503}),
        (SubscriptionRequired, {402}),
        (ProviderError, {429, 502, 503}),
    ],
)
def test_the_status_of_a_class_is_that_of_its_code(kind: type[DomainError], statuses: set[int]) -> None:
    """A code says the same wherever it comes from: what the document declares is what is answered."""

    def all_of(kind: type[DomainError]) -> list[type[DomainError]]:
        return [kind, *(found for inner in kind.__subclasses__() for found in all_of(inner))]

    assert {STATUS[found.code] for found in all_of(kind)} <= statuses


@pytest.mark.parametrize("language", ["en", "de"])
def test_every_error_has_its_sentence(language: str) -> None:
    told = json.loads((ROOT / "frontend" / "src" / "i18n" / language / "errors.json").read_text())
    assert {code for code in ErrorCode if not told.get(code, "").strip()} == set()
