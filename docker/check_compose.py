"""Check the compose files: podman-compose fills in and merges, and compose-spec refuses unknown keys and names.

Both run in an environment of their own, made by uv: no part of Postloom needs them.
"""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from cli.bootstrap import find_uv  # noqa: E402
from cli.progress import Progress  # noqa: E402

_STRICT: Final = """
import sys
from compose_spec import PyCompose
found = PyCompose.from_yaml(sys.stdin.read())
found.validate()
print("✓", sys.argv[1] + ":", ", ".join(sorted(found.service_names())))
"""


def main() -> None:
    uv = (find_uv(Progress()), "run", "--quiet", "--no-project", "--python", sys.executable)
    with TemporaryDirectory() as name:
        # a copy, since the settings of a person may be in the folder
        folder = Path(name)
        for file in (
            "compose.yaml",
            "compose.backup.yaml",
            "compose.external.yaml",
            "setup.sh",
            "external.env.example",
        ):
            (folder / file).write_bytes((ROOT / "docker" / file).read_bytes())
        setup = ("sh", "setup.sh", "posts.example.org")
        subprocess.run(setup, cwd=folder, check=True, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        (folder / "external.env.example").rename(folder / "external.env")
        for file, *more in (
            ("compose.yaml",),
            ("compose.yaml", "--file", "compose.backup.yaml"),
            ("compose.external.yaml",),
        ):
            settings = ("--env-file", "external.env") if "external" in file else ()
            config = ("podman-compose", *settings, "--profile", "ui", "--file", file, *more, "config")
            merged = subprocess.run(
                (*uv, "--with", "podman-compose==1.6.0", *config),
                cwd=folder,
                check=True,
                stdout=subprocess.PIPE,
            )
            strict = (*uv, "--with", "compose-spec==0.2.1", "python", "-c", _STRICT, file)
            # the parser knows on-failure alone, the specification also a number of attempts
            subprocess.run(strict, input=re.sub(rb"on-failure:\d+\b", b"on-failure", merged.stdout), check=True)


if __name__ == "__main__":
    main()
