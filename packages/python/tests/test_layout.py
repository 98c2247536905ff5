"""Layouts: accesses, the search, and the assertion for test suites."""

from __future__ import annotations

import pytest

import lanescope

TILE = "type f16; (16,64):(64,1)"
ACCESSES = ("ldmatrix.x4", "cp.async 16")


class Printed:
    """An object that prints as a layout, as those of CuTe DSL do."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def test_accesses_are_counted() -> None:
    result = lanescope.layout(TILE, *ACCESSES)
    assert [(one.text, one.wavefronts, one.ideal_wavefronts) for one in result.accesses] == [
        ("ldmatrix.x4", 32, 4),
        ("cp.async 16", 4, 4),
    ]
    assert (result.element, result.rows, result.columns, result.bytes) == ("f16", 16, 64, 2048)
    assert result.finding is None


def test_the_swizzle_for_a_load_and_a_store_is_found() -> None:
    finding = lanescope.layout(TILE, *ACCESSES, find=True).finding
    assert finding is not None and finding.best is not None
    assert finding.proof == "cheapest"
    assert finding.best.layout == "Swizzle<3,3,3> o (16,64):(64,1)"
    assert finding.best.total.conflicts == 0
    assert finding.best.readings is not None and finding.best.readings["tma"] == "128B"
    assert [remedy.change for remedy in finding.remedies] == ["Swizzle<3,3,3>", "pitch 72"]


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("S<0,4,3> o 0 o (16,64):(64,1)", "S<3,3,3> o 0 o (16,64):(64,1)"),
        ("Layout((16, 64), (64, 1))", "compose(Swizzle(3, 3, 3), Layout((16, 64), (64, 1)))"),
        (
            "cute.make_layout((16, 64), stride=(64, 1))",
            "cute.make_composed_layout(cute.make_swizzle(3, 3, 3), 0, cute.make_layout((16, 64), stride=(64, 1)))",
        ),
    ],
)
def test_objects_are_taken_by_their_text_and_answered_in_it(text: str, answer: str) -> None:
    finding = lanescope.layout((Printed(text), "f16"), *ACCESSES, find=True).finding
    assert finding is not None and finding.best is not None
    assert finding.best.layout == answer


def test_the_access_that_none_was_given_for_is_named() -> None:
    result = lanescope.layout(TILE)
    assert result.access_assumed == "ldmatrix.x4"


def test_a_type_that_nobody_gave_is_said_to_be_assumed() -> None:
    assert not lanescope.layout(TILE).element_assumed
    untyped = lanescope.layout("(16,64):(64,1)")
    assert untyped.element_assumed and untyped.element == "f32"


def test_a_device_without_matrix_loads_is_shown_with_the_widest_row() -> None:
    result = lanescope.layout(TILE, device="gfx942")
    assert result.access_assumed == "load row bits 128"
    assert result.accesses


def test_a_layout_that_conflicts_fails_with_the_cure() -> None:
    lanescope.assert_conflict_free("type f16; Swizzle<3,3,3> o (16,64):(64,1)", *ACCESSES)
    with pytest.raises(AssertionError, match=r"8-way[^$]*Swizzle<3,3,3> o \(16,64\):\(64,1\)"):
        lanescope.assert_conflict_free(TILE, *ACCESSES)
    lanescope.assert_conflict_free(TILE, *ACCESSES, max_ways=8)


def test_what_does_not_print_as_a_layout_is_refused() -> None:
    with pytest.raises(lanescope.LanescopeError, match="does not print as a layout"):
        lanescope.layout(object())
    with pytest.raises(lanescope.LanescopeError, match="no layout"):
        lanescope.layout("type f16")
