"""``lanescope`` on the command line: the same program that ``cargo install`` gives, less the lab."""

from __future__ import annotations

import signal
import sys

from . import _lanescope


def main() -> int:
    """Runs the command line and returns its exit status."""
    # No Python runs until the end: Ctrl-C must not wait for it.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return _lanescope.command_line(["lanescope", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
