"""How long the programs of Tests wait for others: longer on a machine that is slower than an idle one."""

import time
import zlib

# Measured on an idle machine of two cores: the time of the sums (CRC-32) of 400 MiB.
IDLE_SECONDS = 0.15
# The most that waits are extended, so that a test ends in any case.
MOST = 20


def slowness():
    """How many times as long as on an idle machine something takes at the moment, from 1 to MOST."""
    block, start = bytes(64 * 1024), time.monotonic()
    for _ in range(6400):
        zlib.crc32(block)
    return min(max((time.monotonic() - start) / IDLE_SECONDS, 1), MOST)


class Patience:
    """Counts the seconds in which this process ran: a machine that is suspended for minutes is not slow."""

    # The most seconds that count for the time between two calls of is_over().
    STEP = 1

    def __init__(self, seconds):
        self.seconds, self.used, self.asked = seconds, 0, time.monotonic()

    def is_over(self):
        now = time.monotonic()
        self.used += min(now - self.asked, self.STEP)
        self.asked = now
        return self.used >= self.seconds and self.used >= self.seconds * slowness()
