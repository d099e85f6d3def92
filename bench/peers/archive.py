"""The figures of a server that archives its own network, for the document."""

import os
import re

HEAD = ["server", "stored", "messages/s", "CPU µs a message", "peak memory, MiB", "bytes a message"]
HEAD += ["page, ms", "rare, ms", "common, ms"]


class Archive:
    """`None` stands for a question that the server does not answer."""

    def __init__(self):
        self.stored = self.rate = self.cpu_microseconds = self.peak_mib = self.bytes_a_message = None
        self.page = self.rare = self.common = None


def median(times):
    """Returns the median of times in s as ms."""
    return sorted(times)[len(times) // 2] * 1000


def package_version(folder):
    """Returns the version of a Python package by the name of its folder of metadata."""
    return re.search(r"-([0-9][^-]*)\.dist-info", os.path.basename(folder))[1]
