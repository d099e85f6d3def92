#!/usr/bin/env -S python3 -B
"""Has `scrollback listen` archive real IRC servers in many accounts while connections and programs fail, and reports what it lost.

    Tests/Soak/irc_soak.py --minutes 20 --accounts 50 --seed 1 --binary .build/debug/scrollback

ngircd and inspircd (`.ci/fetch-tools`), ten rooms each, some dozens of people, and one listener of many accounts, each in some of the rooms
and behind a proxy of its own. A proxy resets the connection, swallows everything or one direction (half open), stalls it, or makes it
slow; as each connection has its own delays, accounts hear the same messages in another order. (A proxy can't change the order within a
TCP connection.) The listener is killed, stopped and frozen; servers are restarted. A witness in every room notes what is relayed.

A fault of a connection counts as one, a fault of the listener or a server as one of each of its accounts. There are as many as --hours of a bad
network would bring, with one fault an hour in each account: 50 accounts and 24 hours are 1,200 faults. What is compressed is the quiet
time between them; timers run at their true speed.

At the end each of these messages is archived once, in its place and as it was said, or lies in a gap of its room; no gap is over --excess
seconds longer than what failed; and `scrollback archive check` finds nothing wrong. Exit status 1 where any of that is not so.
"""

import argparse
import asyncio
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter

import soak_comparison
import soak_listener
import soak_people
import soak_proxy
import soak_servers
from patience import Patience

ROOMS = ["#soak", "#한국", "#third", "#UPPER", "#x[y]", "#six", "#일곱", "#eight", "#nine", "#ten"]
KINDS = ("ngircd", "inspircd")
# Every account writes down each second that its server was there: what a crash may add to a gap.
SIGN_OF_LIFE = 1
# Seconds between faults of the listener or a server, on average: longer than a recovery.
GLOBAL_EVERY = 45
# From a silent drop to hanging up: a PING every 60 s, given up 30 s later; then what a loaded machine takes.
LONGEST_NOTICE = 60 + 30 + 5
# Until everything is heard again: the longest wait between connections is 300 s.
LONGEST_RECOVERY = 400


class Soak:
    def __init__(self, options, folder):
        self.options, self.random, self.folder = options, random.Random(options.seed), folder
        self.servers = {kind: soak_servers.Server(kind, folder) for kind in KINDS}
        self.witnesses = {kind: soak_people.Witness(kind, server.port, ROOMS) for kind, server in self.servers.items()}
        self.kinds = {f"a{number:02}": KINDS[number % len(KINDS)] for number in range(options.accounts)}
        self.proxies = {name: self.make_proxy(name, kind) for name, kind in self.kinds.items()}
        self.numbers, self.done, self.misses, self.excess = soak_people.Numbers(), Counter(), [], []
        # Planted faults by name, and if they were noticed.
        self.planted = Counter()
        # Faults of accounts, as --hours counts them.
        self.faults, self.listener = 0, None

    def make_proxy(self, name, kind):
        rooms = sorted(self.random.sample(ROOMS, self.options.rooms), key=ROOMS.index)
        return soak_proxy.Proxy(self.servers[kind].port, rooms, nick=f"arc{name}", user=f"soak{name}")

    async def run(self):
        for server in self.servers.values():
            await server.start()
        for proxy in self.proxies.values():
            await proxy.start()
        signs = dict.fromkeys(self.proxies, SIGN_OF_LIFE)
        self.listener = soak_listener.Listener(self.options.binary, self.folder, self.proxies, signs)
        self.listener.start()
        people = [asyncio.ensure_future(witness.run()) for witness in self.witnesses.values()]
        await self.recovered("at the start")
        talkers = [asyncio.ensure_future(talker.run()) for talker in self.make_talkers()]
        end = time.time() + self.options.minutes * 60
        await asyncio.gather(self.fail_connections(end), self.fail_programs(end))
        for proxy in self.proxies.values():
            proxy.slow(0)
        await self.recovered("at the end")
        for talker in talkers:
            talker.cancel()
        await asyncio.gather(*talkers, return_exceptions=True)
        await self.say_last()
        ended = time.time()
        if status := await self.listener.end(signal.SIGTERM):
            self.misses.append(f"the listener ended with {status}")
        for person in people:
            person.cancel()
        return ended

    def make_talkers(self):
        count = self.options.talkers
        for number in range(count):
            kind = list(self.servers)[number % 2]
            yield soak_people.Talker(
                f"t{number:02}",
                self.servers[kind].port,
                self.witnesses[kind],
                self.numbers,
                random.Random(self.random.random()),
                count / self.options.rate,
            )

    async def recovered(self, when):
        patience = Patience(LONGEST_RECOVERY)
        while not all(proxy.is_live for proxy in self.proxies.values()) or not all(
            witness.is_ready.is_set() for witness in self.witnesses.values()
        ):
            self.listener.must_run()
            if patience.is_over():
                raise SystemExit(f"{when} not all rooms were heard within {LONGEST_RECOVERY} s: see {self.listener.log}")
            await asyncio.sleep(0.1)

    async def turns(self, end, every, doings):
        """Each once before any comes again, until `end`, `every` so many seconds."""
        turn = []
        while time.time() < end:
            await asyncio.sleep(min(self.random.expovariate(1 / every), max(0, end - time.time())))
            turn = turn or self.random.sample(doings, len(doings))
            doing = turn.pop()
            self.listener.must_run()
            self.done[doing.__name__] += 1
            if self.options.verbose:
                print(f"{time.strftime('%H:%M:%S')} {doing.__name__}", file=sys.stderr)
            yield doing

    async def fail_connections(self, end):
        wanted = self.options.accounts * self.options.hours
        most = self.options.minutes * 60 / max(1, wanted - self.expected_of_programs())
        async for doing in self.turns(end, most, [self.reset, self.drop, self.mute, self.stall, self.slow]):
            doing(self.random.choice(list(self.proxies.values())))
            self.faults += 1

    async def fail_programs(self, end):
        async for doing in self.turns(end, GLOBAL_EVERY, [self.kill, self.stop, self.freeze, self.restart]):
            await doing()
            self.faults += self.options.accounts // (2 if doing == self.restart else 1)

    def expected_of_programs(self):
        """Half of --hours at most are faults of programs."""
        expected = self.options.minutes * 60 / (GLOBAL_EVERY + 10) * self.options.accounts * 7 / 8
        return min(expected, self.options.accounts * self.options.hours / 2)

    async def kill(self):
        await self.listener.restart(signal.SIGKILL, self.random.uniform(0, 5))

    async def stop(self):
        if status := await self.listener.restart(signal.SIGTERM, self.random.uniform(0, 5)):
            self.misses.append(f"the listener ended with {status}")

    async def freeze(self):
        await self.listener.freeze(self.random.uniform(1, 45))

    def reset(self, proxy):
        proxy.reset()

    def drop(self, proxy):
        proxy.drop()

    def mute(self, proxy):
        proxy.mute()

    def stall(self, proxy):
        proxy.stall(self.random.uniform(1, 20))

    def slow(self, proxy):
        proxy.slow(self.random.choice([0, 0.05, 0.3, 1]))

    async def restart(self):
        server = self.random.choice(list(self.servers.values()))
        await server.stop(self.random.choice([signal.SIGKILL, signal.SIGTERM]))
        await asyncio.sleep(self.random.uniform(0, 5))
        await server.start()

    async def say_last(self):
        """A message in each room that must be archived: nothing fails any more."""
        self.last = set()
        for kind, witness in self.witnesses.items():
            talker = soak_people.Talker("last", self.servers[kind].port, witness, self.numbers, self.random, 1)
            await talker.connect()
            for room in ROOMS:
                talker.send(f"JOIN {room}")
                talker.say(room)
                self.last.add(self.numbers.last)
            patience = Patience(30)
            while not all(any(number in self.last for number, *_ in witness.relayed[room][-1:]) for room in ROOMS):
                if patience.is_over():
                    raise SystemExit(f"{kind} does not relay what is said last")
                await asyncio.sleep(0.1)
            talker.close()
        await asyncio.sleep(2)

    def compare(self, ended):
        print(
            f"{'account':16}{'relayed':>9}{'archived':>9}{'in gaps':>9}{'outages':>9}{'s':>9}{'gaps s':>9}{'excess s':>9}{'misses':>8}"
        )
        gaps = self.listener.ask("gaps")["gaps"]
        for name, kind in self.kinds.items():
            proxy, archived = self.proxies[name], {room: [] for room in ROOMS}
            for message in self.listener.messages(name):
                if soak_people.number(message["body"]) is not None and message["room"] in archived:
                    archived[message["room"]].append(message)
            rooms = []
            for room in proxy.rooms:
                own = [gap for gap in gaps if (gap["account"], gap["room"]) == (name, room)]
                rooms.append(self.room(name, room, archived[room], own))
                self.try_plants(name, room, archived[room], own, ended)
            self.compare_rooms(name, kind, rooms, ended)
        self.misses += [f"scrollback archive check: {problem}" for problem in [self.listener.check()] if problem]
        for name, proxy in self.proxies.items():
            self.misses += [f"{name}: it hung up {it:.0f} s after a silent drop" for it in proxy.notices if it > self.most_notice]

    def room(self, name, room, archived, gaps):
        kind = self.kinds[name]
        if self.options.plant and len(archived) > 2:
            archived, gaps = soak_comparison.PLANTS[self.options.plant](archived, gaps)
        is_replayed = kind == "inspircd" and ROOMS.index(room) % 3 == 0
        return soak_comparison.Room(room, self.witnesses[kind].relayed[room], archived, gaps, is_replayed)

    def try_plants(self, name, room, archived, gaps, ended):
        """Shows that the comparison can fail, by archives with a fault."""
        if len(archived) < 10 or self.options.plant:
            return
        for plant, change in soak_comparison.PLANTS.items():
            found = self.room(name, room, *change(archived, gaps))
            found.compare({number: said for number, said in self.numbers.sent.items() if said[0] == self.kinds[name]})
            excess = [seconds for _, seconds in soak_comparison.gap_excess(found, self.proxies[name].outages[room], ended)]
            is_noticed = found.misses or max(excess, default=0) > self.options.excess
            self.planted[plant, bool(is_noticed)] += 1

    @property
    def most_notice(self):
        return LONGEST_NOTICE + self.listener.frozen

    def compare_rooms(self, name, kind, rooms, ended):
        proxy, sent = self.proxies[name], {number: said for number, said in self.numbers.sent.items() if said[0] == kind}
        sums, most = Counter(), 0
        for room in rooms:
            outages = proxy.outages[room.name]
            room.compare(sent)
            for number in self.last & {number for number, *_ in room.relayed} - set(room.stored):
                room.miss("is missing, and was said when nothing failed any more", number)
            excess = soak_comparison.gap_excess(room, outages, ended)
            for start, seconds in excess:
                if seconds > self.options.excess:
                    room.misses.append(f"{room.name}: the gap at {start:.1f} is {seconds:.1f} s longer than what failed")
            self.excess += [seconds for _, seconds in excess]
            most = max([most, *(seconds for _, seconds in excess)])
            sums.update(
                relayed=len(room.relayed), stored=len(room.stored), lost=room.in_gaps, outages=len(outages), misses=len(room.misses)
            )
            sums["outage"] += sum((it.ended or ended) - it.began for it in outages)
            sums["gap"] += room.gap_seconds(ended)
            self.misses += [f"{name} ({kind}) {miss}" for miss in room.misses]
        print(
            f"{name + ' ' + kind:16}{sums['relayed']:9}{sums['stored']:9}{sums['lost']:9}{sums['outages']:9}{sums['outage']:9.1f}{sums['gap']:9.1f}"
            f"{most:9.1f}{sums['misses']:8}"
        )

    def clean(self):
        if self.listener:
            self.listener.kill()
        for server in self.servers.values():
            server.kill()


def percentile(values):
    return sorted(values)[len(values) * 99 // 100] if values else 0


async def interruptible(work):
    """Ends with CancelledError on SIGINT and SIGTERM."""
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, asyncio.current_task().cancel)
    return await work


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5, help="how long things fail (5)")
    parser.add_argument("--accounts", type=int, default=50, help="accounts of the listener (50)")
    parser.add_argument("--rooms", type=int, default=3, help="rooms of an account, of ten (3)")
    parser.add_argument(
        "--hours", type=float, default=None, help="hours of a bad network whose faults there are (default: 24 in 20 minutes)"
    )
    parser.add_argument("--excess", type=float, default=2, help="seconds by which a gap may be longer than what failed (2)")
    parser.add_argument("--seed", type=int, default=None, help="of what fails when, and of what is said")
    parser.add_argument("--binary", default=os.path.join(soak_servers.REPOSITORY, ".build/release/scrollback"))
    parser.add_argument("--talkers", type=int, default=40, help="people (40)")
    parser.add_argument("--rate", type=float, default=20, help="what they do in a second, all together (20)")
    parser.add_argument(
        "--plant", choices=soak_comparison.PLANTS, default=None, help="change the archive's answers so that the run must fail"
    )
    parser.add_argument("--folder", default=None, help="where archive and logs go, and stay")
    parser.add_argument("--verbose", action="store_true", help="tell what fails when")
    options = parser.parse_args()
    options.seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    options.hours = options.hours if options.hours is not None else 24 * options.minutes / 20
    options.binary = os.path.abspath(options.binary)
    return options


def main():
    options = parse()
    folder = options.folder or tempfile.mkdtemp(prefix="scrollback-soak-")
    os.makedirs(folder, exist_ok=True)
    print(
        f"seed {options.seed}, {options.minutes:g} minutes, {options.accounts} accounts, {options.talkers} people, in {folder}",
        flush=True,
    )
    soak = Soak(options, folder)
    try:
        soak.compare(asyncio.run(interruptible(soak.run())))
        notices = [notice for proxy in soak.proxies.values() for notice in proxy.notices]
        print("what failed: " + ", ".join(f"{name} {count}" for name, count in sorted(soak.done.items())))
        hours = soak.faults / options.accounts
        print(f"{soak.faults} faults of accounts, as {hours:.1f} hours bring with one an hour in each of {options.accounts}")
        print(
            f"{len(soak.excess)} gaps: at most {max(soak.excess, default=0):.1f} s longer than what failed, {percentile(soak.excess):.1f} s in 99 of 100"
        )
        for plant in soak_comparison.PLANTS:
            # Beside a gap, and where only the server's replay has a message, a lost one is rightly no miss.
            tried = soak.planted[plant, True] + soak.planted[plant, False]
            print(f"planted in {tried} rooms: {plant}; noticed in {soak.planted[plant, True]}")
            soak.misses += [f"the comparison does not notice '{plant}'"] if tried and not soak.planted[plant, True] else []
        print(f"noticed a silent drop after {max(notices, default=0):.0f} s at most; resident at most {soak.listener.memory} KiB")
    except asyncio.CancelledError:
        sys.exit("interrupted")
    finally:
        soak.clean()
    for miss in soak.misses[:100]:
        print(miss)
    print(f"{len(soak.misses)} misses" + (f"; archive and logs are in {folder}" if soak.misses else ""))
    if not options.folder and not soak.misses:
        shutil.rmtree(folder)
    sys.exit(1 if soak.misses else 0)


if __name__ == "__main__":
    main()
