"""Reads a hostile archive on a full screen, as a person does with `scrollback read`."""

import os
import pty
import subprocess

from injection_program import LONGEST, has_data, has_ended, wait_until
from torture import Patience

SIZE = (100, 30)
# xterm without the movements that are control characters: each of these in the output would come from a payload.
TERMINAL = "injection|xterm without control characters,\n\tcr@, cub1@, cud1@, ht@, ind@, nel@, ri@, use=xterm-256color,\n"
# The screen stands when the reader has been silent for so many seconds.
SILENCE = 0.15
# The reader gives the terminal back.
LEAVES = b"\x1b[?1049l"
CTRL_K, CTRL_L, ESCAPE, DOWN, HOME, END, ENTER = "\x0b", "\x0c", "\x1b", "\x1bOB", "\x1bOH", "\x1bOF", "\r"


class Reader:
    def __init__(self, program, *arguments):
        environment = {**program.environment, "TERM": "injection", "TERMINFO": os.path.join(program.folder, "terminfo")}
        subprocess.run(["tic", "-x", "-o", environment["TERMINFO"], "-"], input=TERMINAL.encode(), env=environment, check=True)
        self.master, its = pty.openpty()
        # The shell gives the terminal its size, and the reader a session of its own.
        command = f"stty cols {SIZE[0]} rows {SIZE[1]}; exec \"$0\" read \"$@\""
        self.process = subprocess.Popen(
            ["setsid", "--ctty", "/bin/sh", "-c", command, program.binary, *arguments],
            cwd=program.folder, env=environment, stdin=its, stdout=its, stderr=its,
        )
        os.close(its)
        self.all = b""

    def output(self):
        """What was written until the screen stands."""
        parts, patience = [], Patience(LONGEST)
        try:
            while has_data(self.master, SILENCE if parts else 0.4):
                parts.append(os.read(self.master, 1 << 16))
                if patience.is_over():
                    raise SystemExit(f"scrollback read wrote for over {LONGEST} s")
        except OSError:
            # The other end is closed.
            pass
        data = b"".join(parts)
        self.all += data
        return data

    def press(self, *keys):
        for key in keys:
            os.write(self.master, key.encode())
            self.output()

    def screen(self):
        """All lines of the screen, written again."""
        os.write(self.master, CTRL_L.encode())
        return self.output()

    def end(self):
        """Quits, and returns the lines that are printed after the screen."""
        os.write(self.master, b"q")
        self.output()
        wait_until("read ends", lambda: has_ended(self.process))
        os.close(self.master)
        self.all, _, printed = self.all.partition(LEAVES)
        return printed[printed.find(b"to return here: ") :].replace(b"\r\n", b"\n")


def read(program, take, payloads):
    """Every second room of the list, and details, conversations, months and searches of some."""
    reader = Reader(program)
    reader.output()
    take("screen", "read, the first screen", reader.screen())
    reader.press(CTRL_K, HOME, ENTER)
    for payload in payloads[::2]:
        # Each payload is the name of a room.
        reader.press(CTRL_K, DOWN, DOWN)
        if payload.number % 10 == 0:
            take("screen", f"read, the rooms, {payload}", reader.screen())
        reader.press(ENTER)
        take("screen", f"read, a room, {payload}", reader.screen())
        if payload.number % 10 == 0:
            views(reader, take, payload)
    printed = reader.end()
    take("controls", "read, all output", reader.all)
    take("text", "read, the place", printed)


def views(reader, take, payload):
    for name, keys in (("details", [END, ENTER]), ("a conversation", [ESCAPE, "t"]), ("a month", [ESCAPE, "c"])):
        reader.press(*keys)
        take("screen", f"read, {name}, {payload}", reader.screen())
    reader.press(ESCAPE, "/", typed(payload.text))
    take("screen", f"read, a search, {payload}", reader.screen())
    reader.press(ESCAPE)


def typed(text):
    """The characters of a text that are no keys."""
    return "".join(character for character in text if character.isprintable())[:80] or "x"
