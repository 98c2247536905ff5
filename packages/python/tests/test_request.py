from __future__ import annotations

import numpy as np
import pytest

import lanescope

LANES = np.arange(32)


def oracle_wavefronts(addresses: np.ndarray) -> np.ndarray:
    """From the definition: 32 banks of 4 bytes; the most distinct words of one bank, for loads of 4 bytes a lane."""
    counts = []
    for warp in addresses.reshape(-1, addresses.shape[-1]):
        words = np.unique(warp // 4)
        counts.append(np.bincount(words % 32, minlength=32).max())
    return np.array(counts, dtype=np.uint32).reshape(addresses.shape[:-1])


def test_strides() -> None:
    strides = np.arange(1, 33)
    counted = lanescope.request(strides[:, None] * LANES * 4)
    assert counted.ways.shape == (32,)
    assert (counted.ways == np.gcd(strides, 32)).all()
    assert (counted.conflicts == counted.wavefronts - counted.ideal_wavefronts).all()


def test_random_addresses_agree_with_the_definition() -> None:
    random = np.random.default_rng(7)
    addresses = random.integers(0, 4096, size=(50, 40, 32)) * 4
    expected = oracle_wavefronts(addresses)
    for kind in (np.int64, np.uint64, np.int32, np.uint32):
        counted = lanescope.request(addresses.astype(kind))
        assert counted.wavefronts.shape == (50, 40)
        assert (counted.wavefronts == expected).all()
    assert (lanescope.request(addresses.astype(np.int16) & 0x7FFC).ways > 0).all()


def test_threads_change_nothing() -> None:
    addresses = np.random.default_rng(3).integers(0, 1 << 20, size=(1001, 32)) * 4
    one, three = (lanescope.request(addresses, threads=threads) for threads in (1, 3))
    assert (one.wavefronts == three.wavefronts).all()


def test_global_sectors() -> None:
    counted = lanescope.request(LANES * np.array([4, 8, 128])[:, None], space="global")
    assert counted.sectors.tolist() == [4, 8, 32]
    assert counted.ideal_sectors.tolist() == [4, 4, 4]
    assert counted.bytes_used.tolist() == [128, 128, 128]


def test_lanes_that_are_off() -> None:
    addresses = LANES * 128
    assert int(lanescope.request(addresses).ways) == 32
    assert int(lanescope.request(addresses, active=LANES < 4).ways) == 4
    assert int(lanescope.request(np.where(LANES < 4, addresses, -1), active=LANES < 4).ways) == 4


def test_matrix_rows() -> None:
    rows = np.arange(32) * 128
    assert int(lanescope.request(rows, operation="ldmatrix.x4", width=16).wavefronts) == 32
    assert int(lanescope.request(np.arange(32) * 144, operation="ldmatrix.x4", width=16).wavefronts) == 4


def test_slices_and_nothing() -> None:
    addresses = np.arange(4 * 64).reshape(4, 64)[:, ::2] * 4
    assert (lanescope.request(addresses).ways == 2).all()
    assert lanescope.request(np.zeros((0, 32), dtype=np.int64)).ways.shape == (0,)


@pytest.mark.parametrize(
    "question",
    [
        {"addresses": LANES * 0.5},
        {"addresses": LANES - 1},
        {"addresses": np.zeros(65, dtype=np.int64)},
        {"addresses": 3},
        {"addresses": LANES, "width": 3},
        {"addresses": LANES, "operation": "swap"},
        {"addresses": LANES, "space": "local"},
        {"addresses": LANES, "device": "cc99"},
        {"addresses": LANES, "active": LANES},
    ],
)
def test_what_makes_no_sense_is_refused(question: dict[str, object]) -> None:
    with pytest.raises(lanescope.LanescopeError):
        lanescope.request(**question)  # type: ignore[call-overload]
