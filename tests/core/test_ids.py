"""Identifiers that rows are sorted by, and names that make an occurrence unique."""

import time
from datetime import UTC, datetime
from uuid import UUID

import time_machine

from core.ids import new_id, run_id, run_workflow

ASSISTANT = UUID("0190b6a4-0000-7000-8000-000000000001")


def test_an_id_is_a_uuid_of_version_7_that_tells_its_millisecond() -> None:
    before = time.time_ns() // 1_000_000
    made = [new_id() for _ in range(200)]
    after = time.time_ns() // 1_000_000
    assert {(one.version, one.variant) for one in made} == {(7, "specified in RFC 4122")}
    assert all(before <= one.int >> 80 <= after for one in made)
    assert len(set(made)) == 200


def test_all_other_bits_are_drawn() -> None:
    made = [new_id().int for _ in range(200)]
    drawn = (2**12 - 1) << 64 | (2**62 - 1)
    ever = always = made[0] & drawn
    for one in made:
        ever, always = ever | one, always & one
    # each of the 74 was 1 at least once and 0 at least once
    assert (ever & drawn, always & drawn) == (drawn, 0)


def test_a_later_id_sorts_after() -> None:
    with time_machine.travel(datetime(2026, 11, 23, 9, tzinfo=UTC), tick=False) as clock:
        early = new_id()
        clock.shift(0.001)
        assert early < new_id()


def test_the_names_of_an_occurrence_stay_the_same_in_every_release() -> None:
    name = run_workflow(ASSISTANT, datetime(2026, 11, 23, 9, 5, tzinfo=UTC))
    assert name == "run-0190b6a4-0000-7000-8000-000000000001-20261123T0905Z"
    assert run_id(name) == UUID("2fcc5afa-187f-5e6b-8936-b10b11b065a3")
