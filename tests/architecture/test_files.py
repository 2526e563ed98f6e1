"""Nothing in the repository knows the machine it was written on."""

import re
import subprocess
from collections.abc import Iterator

import pytest

from core.settings import ROOT

# put together here, so that this file does not name them
_FOLDERS = "|".join(["work", "root", "Users"])
PATHS = re.compile(rf"(?<![\w.$}}@*-])/({_FOLDERS})/")
_HOSTS = [
    "py" + "pi.org",
    "python" + "hosted.org",
    "npm" + "js.org",
    "arti" + "factory",
    "dev" + "pi",
    "verdac" + "cio",
]
HOSTS = re.compile("|".join(map(re.escape, _HOSTS)))
INDICES = {"https://" + _HOSTS[0], "https://files." + _HOSTS[1]}


def files() -> Iterator[tuple[str, str]]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode:
        pytest.skip("not a git checkout")
    for name in filter(None, listed.stdout.split("\0")):
        path = ROOT / name
        if path.is_file():
            try:
                yield name, path.read_text()
            except UnicodeDecodeError:
                continue


def test_no_path_of_a_machine() -> None:
    found = {name: hit[0] for name, content in files() if (hit := PATHS.search(content))}
    assert found == {}


def test_no_host_of_a_package_index() -> None:
    found = {name: hit[0] for name, content in files() if not name.endswith(".lock") and (hit := HOSTS.search(content))}
    assert found == {}


def test_the_lock_names_the_public_index_alone() -> None:
    lock = (ROOT / "uv.lock").read_text()
    assert set(re.findall(r"https?://[\w.:-]+", lock)) <= INDICES
