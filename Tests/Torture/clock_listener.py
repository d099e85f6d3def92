"""A listener with a wall clock that can be set, and the StreamChat room that it hears."""

import asyncio
import datetime
import os
import shutil
import subprocess
import time

import soak_listener
import soak_proxy
import soak_servers

# libfaketime 0.9.10 moves timers by the wall clock's offset, also those of other clocks (timerfd_settime with CLOCK_BOOTTIME, by which
# Swift sleeps): it must not be asked.
TIMERS = """
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <unistd.h>
int timerfd_settime(int fd, int flags, const struct itimerspec *value, struct itimerspec *old) {
    return syscall(SYS_timerfd_settime, fd, flags, value, old);
}
"""


def compiled_timers(folder):
    path = os.path.join(folder, "timers.so")
    compiler = shutil.which("clang") or shutil.which("cc")
    if compiler is None:
        raise SystemExit("there is no C compiler; clang comes with Swift")
    subprocess.run([compiler, "-shared", "-fPIC", "-x", "c", "-", "-o", path], input=TIMERS.encode(), check=True)
    return path


class Clock:
    """The wall clock of the listener, which libfaketime reads from a file."""

    def __init__(self, folder):
        self.path, self.offset = os.path.join(folder, "clock"), 0.0
        self.step(0)

    def now(self):
        return time.time() + self.offset

    def step(self, seconds):
        self.offset += seconds
        with open(self.path + ".new", "w") as file:
            file.write(f"{self.offset:+.3f}s\n")
        os.rename(self.path + ".new", self.path)

    def step_to(self, text):
        """The seconds by which it was set."""
        seconds = datetime.datetime.fromisoformat(text.replace("Z", "+00:00")).timestamp() - self.now()
        self.step(seconds)
        return seconds


class SteppedListener(soak_listener.Listener):
    def start(self):
        libraries = compiled_timers(self.folder) + ":" + os.path.join(self.faketime, "libfaketimeMT.so.1")
        environment = {
            **self.environment,
            "LD_PRELOAD": libraries,
            "FAKETIME_TIMESTAMP_FILE": self.clock.path,
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "NO_FAKE_STAT": "1",
            "TZ": "Europe/Berlin",
        }
        # libfaketime 0.9.10 sets a variable in the first program that it is loaded into, and moves the environment by that. Swift 6.3 looks
        # for its arguments before the environment, and finds none.
        self.process = soak_servers.spawn(["/bin/sh", "-c", 'exec "$@"', "sh", *self.command("listen")], self.log, environment)

    def at_zone(self, zone, *arguments):
        return subprocess.run(self.command(*arguments), capture_output=True, env={**self.environment, "TZ": zone}).stdout


class StreamChatProxy(soak_proxy.Proxy):
    """The room is live from the first act that the listener hears (docs/networks/streamchat.md)."""

    def notice_joins(self, link, data):
        if not self.live:
            self.live = set(self.rooms)
            for outages in self.outages.values():
                if outages:
                    outages[-1].ended = link.heard


class RoomTalker:
    """Somebody in the StreamChat room, whose server sends each message to its sender, too."""

    async def connect(self, port):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        self.writer.write(b"USR_NAME::alice::END")
        # A server takes one read for one message.
        await asyncio.sleep(0.5)

    async def say(self, number):
        text = f"<{number:07d}> 안녕 {number}"
        self.writer.write(f"MSG::{text}::END".encode())
        while not (await self.reader.readuntil(b"\0")).startswith(f"alice::{text}".encode()):
            pass
        return (number, time.time(), "alice", text)
