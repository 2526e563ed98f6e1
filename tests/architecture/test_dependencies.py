"""What the product is made of is known to the byte."""

import json
import tomllib

from core.settings import ROOT


def test_every_package_is_locked_with_its_hash() -> None:
    locked = tomllib.loads((ROOT / "uv.lock").read_text())["package"]
    for package in locked:
        if package["name"] == "postloom":
            continue
        assert package["source"] == {"registry": "https://pypi.org/simple"}, package["name"]
        files = [*package.get("wheels", ()), *([package["sdist"]] if "sdist" in package else [])]
        assert files
        assert all(file["hash"].startswith("sha256:") for file in files), package["name"]
    web = json.loads((ROOT / "frontend" / "package-lock.json").read_text())["packages"]
    for path, package in web.items():
        if path:
            assert package["integrity"].startswith("sha512-"), path
            # where a place is named, it is npm's own
            assert package.get("resolved", "https://registry.npmjs.org/").startswith("https://registry.npmjs.org/"), (
                path
            )
