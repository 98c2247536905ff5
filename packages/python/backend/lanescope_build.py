"""The build backend of the wheel: maturin's, with the page of ``lanescope serve`` in it.

From a clone that page is taken from ``dist/``, and built there first where it is missing. Arguments for maturin that the
caller gives (``--config-settings=build-args=…`` or ``MATURIN_PEP517_ARGS``) are taken as they are: then only what they say
is built.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import maturin
from maturin import (
    build_sdist,
    get_requires_for_build_editable,
    get_requires_for_build_sdist,
    get_requires_for_build_wheel,
    prepare_metadata_for_build_editable,
    prepare_metadata_for_build_wheel,
)

__all__ = [
    "build_editable",
    "build_sdist",
    "build_wheel",
    "get_requires_for_build_editable",
    "get_requires_for_build_sdist",
    "get_requires_for_build_wheel",
    "prepare_metadata_for_build_editable",
    "prepare_metadata_for_build_wheel",
]

CLONE = Path(__file__).resolve().parents[3]
PAGE = ["cargo", "xtask", "build", "--fast", "--page-only"]
WITH_PAGE = {"build-args": "--features page"}


def has_page(clone: Path) -> bool:
    """Whether the page stands in ``dist/`` of a clone, where it is built if need be."""
    index = clone / "dist" / "index.html"
    if not index.is_file() and (clone / "xtask").is_dir():
        print(f"Running `{' '.join(PAGE)}`: some minutes")
        sys.stdout.flush()
        try:
            subprocess.run(PAGE, cwd=clone, check=True)
        except (OSError, subprocess.CalledProcessError) as error:
            print(f"the wheel is built without the page: {error}", file=sys.stderr)
    return index.is_file()


def settings(given: Mapping[str, Any] | None, clone: Path = CLONE) -> Mapping[str, Any] | None:
    """What maturin is given: the caller's settings, or else the page where there is one."""
    names = ("build-args", "maturin.build-args")
    is_told = any(name in (given or {}) for name in names) or "MATURIN_PEP517_ARGS" in os.environ
    if is_told or not has_page(clone):
        return given
    return {**(given or {}), **WITH_PAGE}


def build_wheel(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """A wheel; the name of its file in ``wheel_directory``."""
    return maturin.build_wheel(wheel_directory, settings(config_settings), metadata_directory)


def build_editable(
    wheel_directory: str,
    config_settings: Mapping[str, Any] | None = None,
    metadata_directory: str | None = None,
) -> str:
    """An editable wheel; the name of its file in ``wheel_directory``."""
    return maturin.build_editable(wheel_directory, settings(config_settings), metadata_directory)
