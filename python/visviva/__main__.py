"""The command ``visviva``: ``python -m visviva run bouncing-ball-soft``."""

import sys

from ._visviva import command


def main() -> int:
    return command(["visviva", *sys.argv[1:]])


if __name__ == "__main__":
    sys.exit(main())
