"""Make the image's environment small and quick to start. Run by the Dockerfile with the environment's own Python.

Bytecode is made of what the product loads, which is a third of what is installed: bytecode of everything would be 60 MB
more. What only builds or tests packages is removed, and the texts of languages that the product does not have.
"""

import compileall
import importlib
import pkgutil
import shutil
import sys
import sysconfig
from pathlib import Path

PACKAGES = ("activities", "api", "cli", "core", "sandbox", "temporal", "workflows")
LOADED_LATER = (
    "alembic.command",
    "opentelemetry.exporter.otlp.proto.http.trace_exporter",
    "requests",
    "temporalio.contrib.opentelemetry",
    "uvicorn.lifespan.on",
    "uvicorn.loops.uvloop",
    "uvicorn.protocols.http.httptools_impl",
    "uvicorn.supervisors.multiprocess",
)
"""By a role that runs, not by an import."""
SITE = Path(sysconfig.get_path("purelib"))


def load_modules() -> None:
    """Import every module of the product. Raise ImportError, except for the packages of an extra that is left out."""
    for name in LOADED_LATER:
        try:
            importlib.import_module(name)
        except ModuleNotFoundError as error:
            if str(error.name).partition(".")[0] not in ("opentelemetry", "requests"):
                raise
            print(f"{name} is left out: {error}")
    for package in map(importlib.import_module, PACKAGES):
        for found in pkgutil.walk_packages(package.__path__, f"{package.__name__}."):
            if found.name.endswith(".__main__"):
                continue
            try:
                importlib.import_module(found.name)
            except ModuleNotFoundError as error:
                if found.name.partition(".")[0] != "sandbox":
                    raise
                print(f"{found.name} is left out: {error}")


def remove_unused() -> None:
    from core.languages import Language

    shutil.rmtree(SITE / "temporalio" / "bridge" / "sdk-core")  # sources of the compiled part
    for folder in [found for found in SITE.rglob("tests") if found.is_dir()]:
        shutil.rmtree(folder, ignore_errors=True)  # one may be within another
    for ending in ("pyi", "pyx", "c", "h"):
        for file in SITE.rglob(f"*.{ending}"):
            file.unlink()
    kept = ("root", *Language)
    for file in (SITE / "babel" / "locale-data").glob("*.dat"):
        if file.stem.partition("_")[0] not in kept:
            file.unlink()


def main() -> None:
    sys.dont_write_bytecode = False
    remove_unused()
    load_modules()
    for package in PACKAGES:  # migrations too, which are loaded by their path
        compileall.compile_dir(SITE / package, quiet=1)


if __name__ == "__main__":
    main()
