#!/usr/bin/env -S python3 -B
"""Has `scrollback listen` archive two real IRC servers while all sorts of things fail, and tells whether it lost anything.

    bench/soak/irc_soak.py --minutes 5 --seed 1 --binary .build/debug/scrollback

ngircd and inspircd (`.ci/fetch-tools`), ten rooms each, some dozens of people, and one listener that is killed, stopped,
frozen and cut off; servers are restarted. A witness in every room writes down what is relayed. At the end each of these
messages is archived once, in its place and as it was said, or lies in a gap of its room; gaps are about as long as what
failed; and `scrollback archive check` finds nothing wrong. Exit status 1 where any of that is not so.
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

import soak_comparison
import soak_listener
import soak_people
import soak_proxy
import soak_servers

ROOMS = ["#soak", "#한국", "#third", "#UPPER", "#x[y]", "#six", "#일곱", "#eight", "#nine", "#ten"]
# How often each account writes down that its server was there: what a crash may add to a gap.
SIGNS_OF_LIFE = {"ngircd": 1, "inspircd": 10}
# From a silent drop to hanging up: a PING every 60 s, given up 30 s later; then what a loaded machine takes.
LONGEST_NOTICE = 60 + 30 + 5
# Until everything is heard again: the longest wait between connections is 300 s.
LONGEST_RECOVERY = 400


class Soak:
    def __init__(self, options, folder):
        self.options, self.random, self.folder = options, random.Random(options.seed), folder
        self.servers = {kind: soak_servers.Server(kind, folder) for kind in SIGNS_OF_LIFE}
        self.witnesses = {kind: soak_people.Witness(kind, server.port, ROOMS) for kind, server in self.servers.items()}
        self.proxies = {kind: soak_proxy.Proxy(server.port, ROOMS) for kind, server in self.servers.items()}
        self.numbers, self.done, self.misses = soak_people.Numbers(), {}, []
        self.listener = None

    async def run(self):
        for kind, server in self.servers.items():
            await server.start()
            await self.proxies[kind].start()
        self.listener = soak_listener.Listener(self.options.binary, self.folder, self.proxies, SIGNS_OF_LIFE)
        self.listener.start()
        people = [asyncio.ensure_future(witness.run()) for witness in self.witnesses.values()]
        await self.recovered("at the start")
        talkers = [asyncio.ensure_future(talker.run()) for talker in self.make_talkers()]
        await self.fail_for(self.options.minutes * 60)
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
        deadline = time.time() + LONGEST_RECOVERY
        while not all(proxy.is_live for proxy in self.proxies.values()) or not all(
            witness.is_ready.is_set() for witness in self.witnesses.values()
        ):
            self.listener.must_run()
            if time.time() > deadline:
                raise SystemExit(f"{when} not all rooms were heard within {LONGEST_RECOVERY} s: see {self.listener.log}")
            await asyncio.sleep(0.1)

    async def fail_for(self, seconds):
        """One thing after the other, and so now and then one while the last is not over."""
        end = time.time() + seconds
        doings = [self.kill, self.stop, self.freeze, self.reset, self.drop, self.restart]
        turn = []
        while time.time() < end:
            await asyncio.sleep(min(self.random.expovariate(1 / self.options.every), max(0, end - time.time())))
            # Each once before any comes again.
            turn = turn or self.random.sample(doings, len(doings))
            doing = turn.pop()
            self.listener.must_run()
            self.done[doing.__name__] = self.done.get(doing.__name__, 0) + 1
            if self.options.verbose:
                print(f"{time.strftime('%H:%M:%S')} {doing.__name__}", file=sys.stderr)
            await doing()

    async def kill(self):
        await self.listener.restart(signal.SIGKILL, self.random.uniform(0, 5))

    async def stop(self):
        if status := await self.listener.restart(signal.SIGTERM, self.random.uniform(0, 5)):
            self.misses.append(f"the listener ended with {status}")

    async def freeze(self):
        await self.listener.freeze(self.random.uniform(1, 45))

    async def reset(self):
        self.random.choice(list(self.proxies.values())).reset()

    async def drop(self):
        """Every other time nothing else fails until the listener has noticed it."""
        proxy = self.random.choice(list(self.proxies.values()))
        proxy.drop()
        end = time.time() + (LONGEST_NOTICE + 10 if self.random.random() < 0.5 else 0)
        while proxy.is_dropping and time.time() < end:
            await asyncio.sleep(0.1)

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
            deadline = time.time() + 30
            while not all(any(number in self.last for number, *_ in witness.relayed[room][-1:]) for room in ROOMS):
                if time.time() > deadline:
                    raise SystemExit(f"{kind} does not relay what is said last")
                await asyncio.sleep(0.1)
            talker.close()
        await asyncio.sleep(2)

    def compare(self, ended):
        print(f"{'room':22}{'relayed':>9}{'archived':>9}{'in gaps':>9}{'outages':>9}{'s':>8}{'gaps s':>8}{'misses':>8}")
        gaps = self.listener.ask("gaps")["gaps"]
        for kind, witness in self.witnesses.items():
            archived = {room: [] for room in ROOMS}
            for message in self.listener.messages(kind):
                if soak_people.NUMBERED.search((message["body"] or "").encode()) and message["room"] in archived:
                    archived[message["room"]].append(message)
            for index, name in enumerate(ROOMS):
                own = [gap for gap in gaps if (gap["account"], gap["room"]) == (kind, name)]
                room = soak_comparison.Room(name, witness.relayed[name], archived[name], own, kind == "inspircd" and index % 3 == 0)
                self.compare_room(kind, room, ended)
        self.misses += [f"scrollback archive check: {problem}" for problem in [self.listener.check()] if problem]
        for kind, proxy in self.proxies.items():
            self.misses += [f"{kind}: it hung up {it:.0f} s after a silent drop" for it in proxy.notices if it > self.most_notice]

    @property
    def most_notice(self):
        return LONGEST_NOTICE + self.listener.frozen

    def compare_room(self, kind, room, ended):
        outages = self.proxies[kind].outages[room.name]
        room.compare({number: said for number, said in self.numbers.sent.items() if said[0] == kind})
        for number in self.last & {number for number, *_ in room.relayed} - set(room.stored):
            room.miss("is missing, and was said when nothing failed any more", number)
        gap, outage = soak_comparison.compare_times(room, outages, ended, SIGNS_OF_LIFE[kind] + 3, self.listener.frozen)
        print(
            f"{kind + ' ' + room.name:22}{len(room.relayed):9}{len(room.stored):9}{room.in_gaps:9}{len(outages):9}"
            f"{outage:8.1f}{gap:8.1f}{len(room.misses):8}"
        )
        self.misses += [f"{kind} {miss}" for miss in room.misses]

    def clean(self):
        if self.listener:
            self.listener.kill()
        for server in self.servers.values():
            server.kill()


async def interruptible(work):
    """Ends with CancelledError on SIGINT and SIGTERM."""
    for number in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(number, asyncio.current_task().cancel)
    return await work


def parse():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=5, help="how long things fail (5)")
    parser.add_argument("--seed", type=int, default=None, help="of what fails when, and of what is said")
    parser.add_argument("--binary", default=os.path.join(soak_servers.REPOSITORY, ".build/release/scrollback"))
    parser.add_argument("--talkers", type=int, default=40, help="people (40)")
    parser.add_argument("--rate", type=float, default=20, help="what they do in a second, all together (20)")
    parser.add_argument("--every", type=float, default=15, help="seconds between failures, on average (15)")
    parser.add_argument("--folder", default=None, help="where archive and logs go, and stay")
    parser.add_argument("--verbose", action="store_true", help="tell what fails when")
    options = parser.parse_args()
    options.seed = options.seed if options.seed is not None else random.SystemRandom().randrange(1_000_000)
    options.binary = os.path.abspath(options.binary)
    return options


def main():
    options = parse()
    folder = options.folder or tempfile.mkdtemp(prefix="scrollback-soak-")
    os.makedirs(folder, exist_ok=True)
    print(f"seed {options.seed}, {options.minutes:g} minutes, {options.talkers} people, in {folder}", flush=True)
    soak = Soak(options, folder)
    try:
        soak.compare(asyncio.run(interruptible(soak.run())))
        notices = [notice for proxy in soak.proxies.values() for notice in proxy.notices]
        print("what failed: " + ", ".join(f"{name} {count}" for name, count in sorted(soak.done.items())))
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
