#!/usr/bin/env -S python3 -B
"""Steps the wall clock of a listener that hears messages, and checks order, ids, gaps, pages and days of its archive.

    Tests/Torture/clocks.py --steps 40 --seed 1 --binary .build/debug/scrollback

`scrollback listen` runs under libfaketime (`.ci/fetch-tools`), which moves only its wall clock: by a second, an hour and a year to and fro,
to leap days, over changes of summer time in Europe/Berlin and America/New_York, over New Year and over 2038; now and then its
connection is cut while the clock is stepped. First come all of these, then --steps more by the seed. It hears an ngircd and a StreamChat
room. At the end:

- every message that was relayed is archived once, in the order in which it was said, or lies in a gap
- ids rise; received_at is the clock's; an id that is later has the flag clock_ahead (docs/schema.md, "Times of receipt")
- a step is no gap; a step back of over an hour, and a cut, are one gap of the real length
- pages forwards and backwards have every message once; `archive check` finds nothing
- days, --after, --before and shown times are those of the zone

The answers are then changed in ways that must be noticed, such as a message too few. --plant NAME makes the run fail that way.
"""

import argparse
import asyncio
import copy
import datetime
import json
import os
import random
import shutil
import signal
import sys
import tempfile
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(REPOSITORY, "Tests/Soak"))

import clock_comparison as comparison  # noqa: E402
import clock_listener  # noqa: E402
import soak_people  # noqa: E402
import soak_proxy  # noqa: E402
import soak_servers  # noqa: E402
from patience import Patience  # noqa: E402

ROOMS = ["#one", "#둘"]
HOUR, YEAR = 3600, 365 * 86_400
# In order of time, as ids never go back. A number is a step in seconds; "cut" cuts the connection during the next step.
SCENES = [
    "2026-10-25T00:59:57Z",
    1,
    -1,
    HOUR,
    -HOUR,
    "2026-10-25T01:59:58Z",
    "2026-11-01T05:59:58Z",
    HOUR,
    "cut",
    HOUR,
    "2026-12-31T23:59:58Z",
    "2027-03-14T06:59:58Z",
    HOUR,
    "2027-03-28T00:59:58Z",
    HOUR,
    -HOUR,
    1,
    "cut",
    -1,
    "2028-02-28T23:59:58Z",
    "2028-02-29T23:59:58Z",
    "cut",
    2 * HOUR,
    YEAR,
    -YEAR,
    YEAR,
    "2036-02-29T12:00:00Z",
    "2038-01-19T03:14:05Z",
    -2 * HOUR,
    3 * HOUR,
    "2100-02-28T23:59:58Z",
]
RANDOM_STEPS = [1, -1, 0.3, -0.3, 59, -59, HOUR, -HOUR, HOUR + 5, -HOUR - 5, 86_400, -86_400, YEAR, -YEAR, "cut"]
# Unambiguous local minutes around changes of summer time.
SPANS = {
    "Europe/Berlin": [
        ("2026-10-25 01:59", "2026-10-25 03:01"),
        ("2027-03-28 01:59", "2027-03-28 03:01"),
        ("2027-03-28 03:00", "2027-03-28 04:30"),
    ],
    "America/New_York": [
        ("2026-11-01 00:59", "2026-11-01 02:01"),
        ("2027-03-14 01:59", "2027-03-14 03:01"),
        ("2026-11-01 02:00", "2026-11-02 00:00"),
    ],
    "Asia/Seoul": [("2026-10-25 09:59", "2026-10-25 10:01"), ("2028-02-29 00:00", "2028-03-01 00:00")],
    "UTC": [("2026-12-31 23:59", "2027-01-01 00:01"), ("2038-01-19 03:14", "2038-01-19 03:15")],
}
LONGEST_RECOVERY, LONGEST_STORING = 400, 20
# Messages of an account among which the last few numbers are.
NEWEST = 40


class Clocks:
    def __init__(self, options, folder):
        self.options, self.random, self.folder = options, random.Random(options.seed), folder
        self.clock, self.numbers, self.said = clock_listener.Clock(folder), soak_people.Numbers(), {}
        self.server = soak_servers.Server("ngircd", folder)
        self.witness = soak_people.Witness("irc", self.server.port, ROOMS)
        self.chat_port, self.heard = soak_servers.free_port(), []
        self.proxies = {
            "irc": soak_proxy.Proxy(self.server.port, ROOMS),
            "chat": clock_listener.StreamChatProxy(self.chat_port, ["lobby"]),
        }
        self.outages = {"irc": [], "chat": []}
        # The latest time of the listener's clock during each connection.
        self.latest = {"irc": 0, "chat": 0}
        self.listener = self.room_server = self.talker = self.chatter = None

    async def run(self):
        await self.server.start()
        for proxy in self.proxies.values():
            await proxy.start()
        self.room_server = soak_servers.spawn(
            [self.options.binary, "room-server", "--port", str(self.chat_port), "--framing", "nul"],
            os.path.join(self.folder, "room.log"),
        )
        witness = asyncio.ensure_future(self.witness.run())
        self.listener = clock_listener.SteppedListener(self.options.binary, self.folder, {"irc": self.proxies["irc"]}, {"irc": 1})
        self.listener.clock, self.listener.faketime = self.clock, self.options.faketime
        with open(os.path.join(self.folder, "scrollback.toml"), "a") as file:
            file.write(
                f'[[account]]\nname = "chat"\nnetwork = "streamchat"\nserver = "tcp://127.0.0.1:{self.proxies["chat"].port}"\n'
                'nick = "archiver"\nroom = "lobby"\nframing = "nul"\nsign_of_life_seconds = 1\n'
            )
        await asyncio.sleep(1)
        self.clock.step_to(SCENES[0])
        self.listener.start()
        self.chatter = clock_listener.RoomTalker()
        await self.chatter.connect(self.chat_port)
        self.talker = soak_people.Talker("talker", self.server.port, self.witness, self.numbers, self.random, 1)
        await self.talker.connect()
        for room in ROOMS:
            self.talker.send(f"JOIN {room}")
        asyncio.ensure_future(self.talker.read_all())
        await self.recovered()
        # A room's archive begins when the listener first hears it: what was said before is in no gap.
        self.heard.clear()
        await self.say()
        for scene, step in enumerate(
            SCENES[1 : self.options.fixed] + [self.random.choice(RANDOM_STEPS) for _ in range(self.options.steps)], start=1
        ):
            await self.play(scene, step)
        await asyncio.sleep(1)
        await self.listener.end(signal.SIGTERM)
        witness.cancel()

    async def play(self, scene, step):
        is_cut, stepped = step == "cut", 0
        if is_cut:
            step = self.random.choice([1, -1, HOUR, -HOUR, 2 * HOUR])
        before, counts = self.numbers.last, {name: self.count(proxy) for name, proxy in self.proxies.items()}
        for name in self.proxies:
            self.latest[name] = max(self.latest[name], self.clock.now())
        if is_cut:
            for proxy in self.proxies.values():
                proxy.reset()
        if isinstance(step, str):
            stepped = self.clock.step_to(step)
        else:
            self.clock.step(step)
            stepped = step
        if self.options.verbose:
            now = datetime.datetime.fromtimestamp(self.clock.now(), datetime.timezone.utc)
            print(f"scene {scene}: {'cut, ' if is_cut else ''}clock {stepped:+.1f} s to {now}")
        if is_cut:
            await asyncio.sleep(self.random.uniform(0.2, 3))
        stepped_to = self.clock.now()
        # The listener notices a step when it hears something.
        await self.say()
        await asyncio.sleep(0.3)
        await self.recovered()
        # What was said while a connection ended may have come on the next one.
        self.settle(before + 1)
        after = self.numbers.last
        await self.say()
        for name, proxy in self.proxies.items():
            outages = next(iter(proxy.outages.values()))[counts[name] :]
            seconds = sum(it.ended - it.began for it in outages)
            if outages:
                self.outages[name].append(comparison.Outage(before, after + 2, seconds, max(0, stepped) if is_cut else 0, is_cut))
            behind = self.latest[name] - stepped_to
            if outages:
                self.latest[name] = 0
            # Up to 3 s beyond the tolerance, it depends on when the listener read its clock.
            is_sure = is_cut or not 0 < behind - comparison.TOLERANCE < 3
            if is_sure and bool(outages) != (is_cut or behind > comparison.TOLERANCE):
                raise SystemExit(
                    f"scene {scene}: a step of {stepped:.1f} s {'ended' if outages else 'did not end'} the session of {name}"
                )

    @staticmethod
    def count(proxy):
        return len(next(iter(proxy.outages.values())))

    async def say(self):
        """Two messages in each room; comes back when they were relayed, and are stored if they are heard."""
        outages, numbers = {name: self.count(proxy) for name, proxy in self.proxies.items()}, {name: set() for name in self.proxies}
        first = self.numbers.last + 1
        for _ in range(2):
            for room in ROOMS:
                self.talker.say(room)
                self.note()
                numbers["irc"].add(self.numbers.last)
            number = self.numbers.next("chat", "lobby")
            self.note()
            numbers["chat"].add(number)
            self.heard.append(await self.chatter.say(number))
            await asyncio.sleep(0.05)
        patience = Patience(30)
        while max((it[0] for it in self.witness.relayed[ROOMS[-1]]), default=0) < self.numbers.last - 1:
            if patience.is_over():
                raise SystemExit("ngircd does not relay")
            await asyncio.sleep(0.05)
        for name in self.proxies:
            await self.stored(name, numbers[name], outages[name])
        self.settle(first)

    async def stored(self, name, numbers, outages):
        """Comes back when these are stored, or the connection ended: the clock must not be stepped before."""
        proxy, patience = self.proxies[name], Patience(LONGEST_STORING)
        while proxy.is_live and self.count(proxy) == outages and not patience.is_over():
            newest = await asyncio.to_thread(self.listener.ask, "history", "--account", name, "-n", str(NEWEST))
            if numbers <= {soak_people.number(message["body"]) for message in newest["messages"]}:
                return
            await asyncio.sleep(0.05)

    def note(self):
        """Of the number that was given last."""
        self.said[self.numbers.last] = comparison.Said(self.numbers.last, self.clock.now(), time.monotonic())

    def settle(self, first):
        """Whatever was said since the first of these numbers is stored or lost by now."""
        for number in range(first, self.numbers.last + 1):
            self.said[number].wall_end, self.said[number].steady_end = self.clock.now(), time.monotonic()

    async def recovered(self):
        patience, next_word, first = Patience(LONGEST_RECOVERY), 0, self.numbers.last + 1
        while not all(proxy.is_live for proxy in self.proxies.values()):
            self.listener.must_run()
            if patience.is_over():
                raise SystemExit(f"not all rooms were heard within {LONGEST_RECOVERY} s: see {self.listener.log}")
            if time.time() > next_word and not self.proxies["chat"].is_live:
                # Only an act of somebody shows that the StreamChat room is heard.
                next_word = time.time() + 1
                number = self.numbers.next("chat", "lobby")
                self.note()
                self.heard.append(await self.chatter.say(number))
            await asyncio.sleep(0.05)
        self.settle(first)

    def evidence(self):
        """The archive's messages, gaps and spans of each account."""
        relayed = {"irc": self.witness.relayed, "chat": {"lobby": self.heard}}
        gaps, check = self.listener.ask("gaps")["gaps"], self.listener.check()
        for account in self.proxies:
            said = {number: it for number, it in self.said.items() if self.numbers.sent[number][0] == account}
            it = comparison.Evidence(account, relayed[account], said, self.outages[account])
            numbered = self.numbered(account)
            it.messages, it.check = [m for m in self.listener.messages(account) if numbered(m)], check
            it.backwards = [m for m in self.backwards(account) if numbered(m)]
            it.gaps = [gap for gap in gaps if gap["account"] == account]
            self.ask_days(it, numbered)
            yield it

    def numbered(self, account):
        return lambda message: message["account"] == account and soak_people.number(message["body"]) is not None

    def backwards(self, account):
        pages, place = [], []
        while place is not None:
            page = self.listener.ask("history", "--account", account, "-n", "97", *place)
            pages.insert(0, page["messages"])
            place = ["--before", page["older"]] if page["older"] else None
        return [message for page in pages for message in page]

    def ask_days(self, it, numbered):
        def ids(zone, *arguments):
            answer = self.listener.at_zone(zone, *arguments, "-n", "all", "--format", "jsonl")
            return {message["id"] for message in map(json.loads, answer.splitlines()) if numbered(message)}

        for zone in comparison.ZONES:
            days = sorted({comparison.local(message["id"], zone).date().isoformat() for message in it.messages})
            for place, day in enumerate(days if len(days) < 12 else self.random.sample(days, 12)):
                how = ("history", "-a", it.account, "--day", day) if place % 2 else ("search", "-a", it.account, f"on:{day}")
                it.days[zone, day, how[0]] = ids(zone, *how)
            for after, before in SPANS[zone]:
                it.spans[zone, after, before] = ids(zone, "history", "-a", it.account, "--after", after, "--before", before)
            shown = self.listener.at_zone(zone, "history", "-a", it.account, "-n", "all").decode().splitlines()
            it.shown[zone] = [line[:19] for line in shown if soak_people.number(line) is not None]

    def clean(self):
        if self.room_server:
            self.room_server.kill()
        if self.listener:
            self.listener.kill()
        self.server.kill()


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fixed", type=int, default=len(SCENES), help=f"fixed steps ({len(SCENES)}, all)")
    parser.add_argument("--steps", type=int, default=40, help="random steps after them (40)")
    parser.add_argument("--seed", type=int, default=None, help="of the random steps")
    parser.add_argument(
        "--plant", default=None, help="change the answers this way, such as lost, order or 'no gap', so that the run must fail"
    )
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build/release/scrollback"))
    parser.add_argument("--folder", default=None, help="where archive and logs go, and stay")
    parser.add_argument("--verbose", action="store_true", help="print each step")
    options = parser.parse_args()
    options.seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    options.binary = os.path.abspath(options.binary)
    folders = [f"{root}/usr/lib/x86_64-linux-gnu/faketime" for root in (os.path.join(REPOSITORY, ".servers"), "")]
    options.faketime = next((it for it in folders if os.path.isdir(it)), None)
    if options.faketime is None:
        raise SystemExit("there is no libfaketime: .ci/fetch-tools fetches it")
    return options


def main():
    options = parse()
    folder = os.path.abspath(options.folder or tempfile.mkdtemp(prefix="scrollback-clocks-"))
    os.makedirs(folder, exist_ok=True)
    print(f"seed {options.seed}, {options.fixed} fixed and {options.steps} random steps, in {folder}", flush=True)
    clocks, misses, blind = Clocks(options, folder), [], []
    try:
        asyncio.run(clocks.run())
        for it in clocks.evidence():
            names = comparison.plants(it)
            for name, plant in names.items():
                changed = copy.deepcopy(it)
                plant(changed)
                blind += (
                    [] if set(changed.misses()) - set(it.misses()) else [f"{it.account}: the comparison does not notice '{name}'"]
                )
            if options.plant in names:
                names[options.plant](it)
            misses += it.misses()
            cuts = sum(outage.is_cut for outage in it.outages)
            print(
                f"{it.account}: {len(it.messages)} of {len(it.said)} messages archived, {len(it.outages)} outages ({cuts} cuts), "
                f"{len(it.days)} days and {len(it.spans)} spans asked, {len(names)} planted faults tried"
            )
    finally:
        clocks.clean()
    for miss in (misses + blind)[:100]:
        print(miss)
    print(f"{len(misses)} misses" + (f"; archive and logs are in {folder}" if misses or blind else ""))
    if not options.folder and not misses and not blind:
        shutil.rmtree(folder)
    sys.exit(1 if misses or blind else 0)


if __name__ == "__main__":
    main()
