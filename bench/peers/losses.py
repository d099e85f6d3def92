"""Kills every keeper with SIGKILL, later cuts every connection, and counts the messages that are then missing in each store."""

import asyncio
import os
import signal
import time

import keeper_scrollback
import peers_network
import peers_process
import peers_text
import soak_comparison
import soak_people
import soak_servers

# The slowest keepers store some 40 messages a second on a slow disk, so all of them keep pace.
RATE = 20
ROOMS = peers_text.ROOMS[:2]
BEFORE_KILL, DOWN, BEFORE_CUT, AFTER = 10, 2, 5, 3
ACCOUNT = "peers"
# With --plant: the number of a stored message that is hidden from the comparison. It was said before the kill, in no gap.
PLANTED = RATE


class Losses:
    """The messages that one keeper had received and lost, and those that it missed while it was away."""

    def __init__(self):
        self.received = self.lost_by_kill = self.missed_down = self.lost_by_cut = self.missed_cut = self.seconds_away = None
        # Missing messages that Scrollback has no gap for, and its other faults.
        self.shown, self.misses = "", []


class Trial:
    """One keeper in the run."""

    def __init__(self, make_keeper, server, folder):
        self.feed = peers_network.Feed(server.port, peers_text.ROOMS, make_keeper.nick)
        self.feed.keeps_numbers = True
        self.make_keeper, self.folder = make_keeper, folder
        self.keeper, self.failure, self.killed = None, None, None

    async def start(self):
        await self.feed.start()
        self.keeper = self.make_keeper(self.folder, self.feed.port)
        await asyncio.to_thread(self.keeper.prepare)
        await asyncio.to_thread(self.keeper.start)
        await self.feed.until_live(self.keeper)

    async def attempt(self, step):
        if self.failure is None:
            try:
                await step
            except Exception as error:
                self.failure = error

    async def kill(self):
        self.killed = time.time()
        await asyncio.to_thread(self.keeper.stop, signal.SIGKILL)

    async def until_back(self, seconds):
        await self.feed.until_live(self.keeper, seconds)


class Stream(soak_people.Client):
    """A person who says numbered messages at a steady rate."""

    def __init__(self, port, chat):
        super().__init__(port, "narrator")
        self.chat, self.sent = chat, {}

    async def run(self):
        await self.connect()
        for room in ROOMS:
            self.send(f"JOIN {room}")
        reading = asyncio.ensure_future(self.read_all())
        try:
            began = time.time()
            while True:
                while len(self.sent) < (time.time() - began) * RATE:
                    self.say(len(self.sent) + 1)
                await asyncio.sleep(1 / RATE)
        finally:
            reading.cancel()

    def say(self, number):
        room = ROOMS[number % 2]
        self.sent[number] = (ACCOUNT, room)
        self.send(f"PRIVMSG {room} :<{number:07}> {self.chat[number % len(self.chat)].text}")

    async def read_all(self):
        while True:
            await self.read_line()


async def measure(make_keepers, folder, chat, longest_return, planted=None):
    """Returns the losses by the keeper's name, or an exception where a keeper did not take part."""
    os.makedirs(folder)
    server = soak_servers.Server("ngircd", folder)
    await server.start()
    witness = soak_people.Witness(ACCOUNT, server.port, ROOMS)
    trials = [Trial(kind, server, os.path.join(folder, kind.nick)) for kind in make_keepers]
    stream = Stream(server.port, chat)
    tasks = [asyncio.ensure_future(witness.run())]
    try:
        await witness.is_ready.wait()
        await asyncio.gather(*(trial.attempt(trial.start()) for trial in trials))
        tasks.append(asyncio.ensure_future(stream.run()))
        cut = await disturb([trial for trial in trials if not trial.failure], longest_return)
        tasks.pop().cancel()
        await asyncio.sleep(AFTER)
        await asyncio.gather(*(asyncio.to_thread(trial.keeper.stop) for trial in trials if trial.keeper))
    finally:
        for task in tasks:
            task.cancel()
        for trial in trials:
            peers_process.end(trial.keeper and trial.keeper.process, signal.SIGKILL)
            trial.feed.close()
        server.kill()
    return {trial.make_keeper.name: await asyncio.to_thread(result, trial, witness, stream.sent, cut, planted) for trial in trials}


async def disturb(trials, longest_return):
    """Returns the time of the cut."""
    await asyncio.sleep(BEFORE_KILL)
    await asyncio.gather(*(trial.kill() for trial in trials))
    await asyncio.sleep(DOWN)
    await asyncio.gather(*(trial.attempt(asyncio.to_thread(trial.keeper.start)) for trial in trials))
    await asyncio.gather(*(trial.attempt(trial.until_back(peers_network.LONGEST_JOIN)) for trial in trials))
    await asyncio.sleep(BEFORE_CUT)
    cut = time.time()
    for trial in trials:
        trial.feed.reset()
    await asyncio.gather(*(wait_for_return(trial, longest_return) for trial in trials))
    await asyncio.sleep(AFTER)
    return cut


async def wait_for_return(trial, seconds):
    """A keeper that does not come back in time has only missed more."""
    if trial.failure is None:
        try:
            await trial.until_back(seconds)
        except RuntimeError:
            pass


def result(trial, *run):
    try:
        return trial.failure or compare(trial, *run)
    except Exception as error:
        return error


def compare(trial, witness, sent, cut, planted):
    losses, stored, killed = Losses(), set(trial.keeper.numbers()) - {planted}, trial.killed
    received = trial.feed.numbers
    missing = sorted((number, when) for room in ROOMS for number, when, *_ in witness.relayed[room] if number not in stored)
    losses.received = sum(when <= killed for when in received.values())
    losses.lost_by_kill = sum(number in received and received[number] <= killed for number, _ in missing)
    losses.missed_down = sum(when <= cut and number not in received for number, when in missing)
    losses.lost_by_cut = sum(killed < received.get(number, 0) <= cut for number, _ in missing)
    losses.missed_cut = sum(when > cut and number not in received for number, when in missing)
    away = [outage.ended - cut for room in ROOMS for outage in trial.feed.outages[room][1:2] if outage.ended]
    losses.seconds_away = max(away) if len(away) == len(ROOMS) else None
    if isinstance(trial.keeper, keeper_scrollback.Scrollback):
        losses.shown, losses.misses = compare_gaps(trial, witness, sent, len(missing), planted)
    else:
        count = trial.keeper.disconnects()
        losses.shown = f"{count} {'lines' if count > 1 else 'line'} about a lost connection" if count else "nothing"
    return losses


def compare_gaps(trial, witness, sent, missing, planted):
    """Returns words for the missing messages in gaps, and what the soak test's comparison finds wrong."""
    misses, in_gaps = [], 0
    gaps, messages = trial.keeper.listener.ask("gaps")["gaps"], trial.keeper.messages()
    for name in ROOMS:
        archived = [it for it in messages if it["room"] == name and soak_people.number(it["body"]) not in (None, planted)]
        room = soak_comparison.Room(name, witness.relayed[name], archived, [gap for gap in gaps if gap["room"] == name], False)
        room.compare(sent)
        in_gaps, misses = in_gaps + room.in_gaps, misses + room.misses
    words = f"{in_gaps} of {missing} missing messages are in recorded gaps"
    return words + (f"; {misses[0]}" if misses else ""), misses
