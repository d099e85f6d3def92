"""Gives one keeper a chat through ngircd, and measures until its store has it; then asks the store."""

import asyncio
import os
import re
import signal
import subprocess
import time

import peers_network
import peers_process
import peers_text
import soak_servers

# A program is ready once it has read its socket, its threads sleep, and it stores nothing in this time.
IDLE_SECONDS = 0.5
ASKED = 5
QUESTION_SECONDS = 60


class Figures:
    """The figures of one keeper; `None` where there is none."""

    def __init__(self):
        self.sent = self.stored = self.rate = self.cpu_microseconds = self.peak_mib = self.bytes_a_message = None
        self.is_cut_short, self.reading, self.commands = False, {}, ""
        # The times of other programs that read the same store, and why there are none.
        self.other_reading, self.other_failure = {}, None


async def measure(make_keeper, folder, messages, minutes):
    server = soak_servers.Server("ngircd", make_folder(folder))
    await server.start()
    feed = peers_network.Feed(server.port, peers_text.ROOMS, make_keeper.nick)
    await feed.start()
    crowd, kept = peers_network.Crowd(server.port), make_keeper(os.path.join(folder, "keeper"), feed.port)
    try:
        await asyncio.to_thread(kept.prepare)
        await asyncio.to_thread(kept.start)
        await feed.until_live(kept)
        await crowd.start()
        figures = await ingest(kept, crowd, feed, messages, minutes)
        # Some programs work off their queue before they end.
        await asyncio.to_thread(kept.stop, kept.stopping if figures.is_cut_short else signal.SIGTERM)
    finally:
        crowd.end()
        peers_process.end(kept.process, signal.SIGKILL)
        server.kill()
        feed.close()
    figures.stored = feed.delivered if make_keeper.is_sink else await asyncio.to_thread(kept.count)
    if not figures.stored:
        raise RuntimeError("it stored nothing")
    figures.rate = figures.stored / figures.seconds
    figures.cpu_microseconds = figures.cpu / figures.stored * 1e6
    if not make_keeper.is_sink:
        await asyncio.to_thread(ask, kept, figures, messages)
    return figures


def ask(kept, figures, messages):
    """Asks the store of all messages each question some times, and keeps the median time of the whole command."""
    if figures.stored < len(messages) and not kept.can_fill:
        figures.bytes_a_message = kept.bytes() / figures.stored
        figures.other_failure = "it had no time to store all messages, so it is not asked"
        return
    if figures.stored < len(messages):
        kept.fill(messages)
    figures.bytes_a_message = kept.bytes() / len(messages)
    hits = sum(message.room == 0 and peers_text.RARE in message.text.split() for message in messages)
    expected = {"rare": min(20, hits), "common": 20, "page": 50}
    commands = kept.questions(len(messages) // 2)
    for question, command in commands.items():
        times = []
        while len(times) < ASKED and sum(times) < QUESTION_SECONDS:
            began = time.perf_counter()
            answer = subprocess.run(command, shell=True, capture_output=True, env=peers_process.ENVIRONMENT)
            times.append(time.perf_counter() - began)
        lines = answer.stdout.splitlines()
        if len(lines) != expected[question]:
            raise RuntimeError(f"{question}: {len(lines)} lines in place of {expected[question]} {answer.stderr.decode()[-300:]}")
        figures.reading[question] = sorted(times)[len(times) // 2] * 1000
    try:
        figures.other_reading = kept.other_reading(len(messages) // 2)
    except (RuntimeError, OSError) as error:
        figures.other_failure = error
    shown = [readable(commands[question], kept) for question in ("rare", "page")]
    figures.commands = "\n".join([f"# {kept.name}", *shown])


def readable(command, kept):
    """Returns a command without this machine's paths."""
    return re.sub(r"(^|\| )/\S+/", r"\1", command).replace(kept.folder, "FOLDER")


def make_folder(path):
    os.makedirs(path)
    return path


async def ingest(kept, crowd, feed, messages, minutes):
    figures = Figures()
    pid = kept.process.pid
    cpu, began = peers_process.cpu_seconds(pid), time.time()
    figures.sent = await crowd.say(messages, feed, began + minutes * 60)
    end = began + minutes * 60
    ready = await until_idle(kept, pid, end)
    if any(feed.outages.values()):
        raise RuntimeError(f"its connection was lost after {feed.delivered} messages")
    # A program that needs longer than it has is stopped with messages in its queue.
    figures.is_cut_short, figures.seconds = ready >= end or figures.sent < len(messages), ready - began
    figures.cpu = peers_process.cpu_seconds(pid) - cpu
    figures.peak_mib = peers_process.peak_kib(pid) / 1024
    return figures


async def until_idle(kept, pid, end):
    """Returns the time at which the program had worked off all that it had taken; at the latest `end`."""
    while (now := time.time()) < end:
        kept.must_run()
        cpu, stored = peers_process.cpu_seconds(pid), await asyncio.to_thread(kept.progress)
        await asyncio.sleep(IDLE_SECONDS)
        is_idle = peers_process.cpu_seconds(pid) - cpu <= 1 / peers_process.TICKS and peers_process.sleeps(pid)
        if is_idle and not peers_process.unread_bytes(kept.port) and await asyncio.to_thread(kept.progress) == stored:
            return now
    return end
