"""What people write, for the type checker: it is never run."""

from __future__ import annotations

import numpy as np
from typing_extensions import assert_type

import lanescope

result = lanescope.analyze("a[2*tid]", declarations="float a[64]", block=(32, 1), grid=4)
assert_type(result, lanescope.Result)
assert_type(result.max_ways, int)
assert_type(result.totals.shared_load_wavefronts, int)
assert_type(result.lines, list[lanescope.Line])
assert_type(result.fixes, list[lanescope.Fix])
assert_type(lanescope.request(np.arange(32)), lanescope.SharedRequests)
assert_type(lanescope.request(np.arange(32), space="global"), lanescope.GlobalRequests)
lanescope.assert_conflict_free(result)
