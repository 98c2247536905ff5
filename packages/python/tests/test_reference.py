"""The reference of the documentation is what the docstrings say."""

from __future__ import annotations

import importlib.util
from pathlib import Path

SCRIPT = Path(__file__).parents[1] / "reference.py"


def test_the_reference_is_made_of_the_docstrings() -> None:
    spec = importlib.util.spec_from_file_location("reference", SCRIPT)
    assert spec and spec.loader
    reference = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(reference)
    text = reference.reference()
    assert reference.REFERENCE.read_text(encoding="utf-8") == text, "python packages/python/reference.py writes it"
    assert "## `analyze`" in text and "max_seconds: float | None=60" in text and ":func:" not in text
