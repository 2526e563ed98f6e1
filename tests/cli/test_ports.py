"""Whose port it is."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator

import pytest

from cli import ports


@pytest.fixture
def taken() -> Iterator[int]:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        yield listener.getsockname()[1]


def test_the_owner_of_a_port_is_named(taken: int) -> None:
    owner = ports.owner_of(taken)
    assert owner is not None
    assert owner.pid == os.getpid()
    assert owner.command is not None
    assert "python" in owner.command
    assert str(owner.pid) in str(owner)


def test_a_port_that_nobody_has_has_no_owner() -> None:
    free = ports.choose(0, {0})
    assert ports.is_free("127.0.0.1", free)
    assert ports.owner_of(free) is None


def test_a_taken_port_is_not_chosen(taken: int) -> None:
    given = {0}
    assert not ports.is_free("127.0.0.1", taken)
    first, second = ports.choose(taken, given), ports.choose(taken, given)
    assert len({taken, first, second}) == 3
    assert given == {0, first, second}


def test_a_listener_on_all_addresses_takes_the_loopback_too() -> None:
    with socket.socket() as listener:
        listener.bind(("0.0.0.0", 0))
        listener.listen()
        assert not ports.is_free("127.0.0.1", listener.getsockname()[1])


def test_a_host_that_is_not_ours_is_an_error() -> None:
    with pytest.raises(OSError, match="assign"):
        ports.is_free("192.0.2.1", 8000)


def test_two_starts_in_the_same_second_get_different_ports() -> None:
    """Neither listens yet."""
    preferred = ports.choose(0, {0})
    script = f"from cli import ports; print(ports.choose({preferred}, set()))"
    chosen = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert int(chosen.stdout) != preferred
    assert ports.choose(preferred, set()) == preferred  # it is this one's


def test_a_start_that_has_ended_gives_its_ports_back() -> None:
    script = "from cli import ports; print(ports.choose(0, {0}))"
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ports.choose(int(ended.stdout), set()) == int(ended.stdout)
