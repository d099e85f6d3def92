#!/usr/bin/env -S python3 -B
"""Runs `scrollback listen` at real XMPP servers with injected faults, and reports lost, duplicated and changed messages.

    Tests/Soak/xmpp_soak.py --minutes 10 --seed 1

Prosody and ejabberd (`.ci/fetch-tools`), each with both of its storages and a quarter of the accounts. Two people talk in three rooms and
to the accounts; every second account has another client, which also talks. One listener of all accounts is killed, stopped (SIGTERM) and
frozen. Each server has the faults of `Site.FAULTS`, in rounds.

At the end, each message that a server's archive has is stored once, in its place and as it was said, or lies in a gap of its place
(within 1 s). So does each other message that was relayed, except those that no client can know of, which are counted: the last second
of a killed ejabberd with Mnesia, the first seconds of a starting ejabberd with SQL, and what was said in a room while it kept no archive. `scrollback archive check` finds nothing wrong.
Exits with 1 if any of that fails.
"""

import argparse
import asyncio
import glob
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections import Counter

import soak_jabber
import soak_listener
from patience import Patience
from soak_jabber_comparison import Account, number
from soak_jabber_people import archive
from soak_jabber_site import Site

LONGEST_RECOVERY = 90


class Listener(soak_listener.Listener):
    def __init__(self, binary, folder, sites, chance):
        self.binary, self.folder, self.accounts = binary, folder, {}
        self.process, self.log = None, os.path.join(folder, "listen.log")
        self.memory, self.frozen = 0, 0.0
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SCROLLBACK_")}
        with open(os.open(os.path.join(folder, "secret"), os.O_CREAT | os.O_WRONLY, 0o600), "w") as file:
            file.write(soak_jabber.PASSWORD + "\n")
        with open(os.path.join(folder, "scrollback.toml"), "w") as file:
            file.write('data = "data"\n\n')
            for site in sites:
                rooms = ", ".join(f'"{room}/archiver-{{user}}"' for room in site.rooms)
                for user, proxy in site.proxies.items():
                    file.write(
                        f'[[account]]\nname = "{site.storage}-{user}"\nnetwork = "xmpp"\njid = "{user}@localhost"\n'
                        f'password_file = "secret"\nserver = "tcp://127.0.0.1:{proxy.port}"\n'
                        f"rooms = [{rooms.format(user=user)}]\ndirect = true\nsign_of_life_seconds = {chance.randint(1, 10)}\n\n"
                    )

    def messages(self, account):
        """Returns none of an account that is new."""
        if glob.glob(f"{self.folder}/data/accounts/{account}-*") and self.ask("rooms", "--account", account)["rooms"]:
            yield from super().messages(account)

    def gaps(self, account):
        return self.ask("gaps", "--account", account)["gaps"]


class Soak:
    def __init__(self, options, folder):
        self.options, self.random, self.done = options, random.Random(options.seed), Counter()
        count, interval = options.accounts // len(options.storages), len(options.storages) / options.rate
        self.sites = [
            Site(storage, f"{folder}/{storage}", count, random.Random(self.random.random()), interval) for storage in options.storages
        ]
        self.folder, self.listener, self.freezes = folder, None, []

    async def run(self):
        for site in self.sites:
            await site.start()
        self.listener = Listener(self.options.binary, self.folder, self.sites, self.random)
        # Nobody can know of what was lost before the first contact. What is told later comes only with the next look into an
        # account's archive, if no other client is there (ejabberd 23.01).
        await self.say_everywhere()
        self.listener.start()
        await self.wait_for(lambda: not any(account.unheard() for account in self.accounts()))
        for site in self.sites:
            site.talk()
        end = time.time() + self.options.minutes * 60
        await asyncio.gather(self.fail(self, ["kill", "stop", "freeze"], end, 6), *(self.fail(site, site.FAULTS, end, 1) for site in self.sites))
        while sum(len(site.said) for site in self.sites) < self.options.messages:
            await asyncio.sleep(0.1)
        misses = await self.compare()
        if status := await self.listener.end(signal.SIGTERM):
            misses.append(f"the listener ended with {status}")
        if wrong := self.listener.check():
            misses.append(wrong)
        return misses

    async def fail(self, place, names, end, longest):
        """Has every fault that is not left out, once or until the time is over."""
        names = [name for name in names if name not in self.options.without]
        while True:
            for name in self.random.sample(names, len(names)):
                await asyncio.sleep(self.random.uniform(0, longest))
                if time.time() > end and not self.options.once:
                    return
                self.done[name] += 1
                began = time.time()
                await getattr(place, name)()
                if self.options.verbose:
                    print(f"{began:.3f} to {time.time():.3f} {getattr(place, 'storage', 'listener')} {name}", flush=True)
                self.listener.must_run()
            if self.options.once:
                return

    async def kill(self):
        await self.listener.restart(signal.SIGKILL, self.random.uniform(0, 5))

    async def stop(self):
        if status := await self.listener.restart(signal.SIGTERM, self.random.uniform(0, 5)):
            raise SystemExit(f"the listener ended with {status}: see {self.listener.log}")

    async def freeze(self):
        began = time.time()
        self.listener.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(self.random.uniform(1, 8))
        self.listener.process.send_signal(signal.SIGCONT)
        # It takes some time to read what came meanwhile.
        self.freezes.append((began, time.time() + 1))

    async def compare(self):
        """Waits until the archive has all that the servers have, and returns what is wrong."""
        for site in self.sites:
            site.come_back()
            for proxy in site.proxies.values():
                proxy.limits = []
        for site in self.sites:
            await site.stop_talking()
        await self.say_everywhere()
        # A new start tries at once to join the rooms that were missing, and looks into the accounts' archives.
        await self.listener.restart(signal.SIGTERM, 0)
        kept = [await self.kept(site) for site in self.sites]
        await self.wait_for(lambda: not any(account.lost() for account in self.accounts(kept)))
        accounts = await asyncio.to_thread(self.accounts, kept)
        misses = [miss for account in accounts for miss in account.compare()]
        self.report(accounts, kept)
        return misses

    async def say_everywhere(self):
        for site in self.sites:
            for person in site.people.values():
                await person.is_open.wait()
                for room in site.rooms:
                    await site.say(person, room)
                for user in site.users:
                    await site.tell(person, user)

    async def wait_for(self, is_done):
        """Waits until a condition of the archive is met, or a long time."""
        patience = Patience(LONGEST_RECOVERY)
        while not await asyncio.to_thread(is_done) and not patience.is_over():
            await asyncio.sleep(2)

    async def kept(self, site):
        """Returns the numbers of the messages in all archives of a server, by account."""
        found = [await archive(site.server.port, "alice", room) for room in site.rooms]
        rooms = {number(text) for texts in found for text in texts}
        return {user: rooms | {number(text) for text in await archive(site.server.port, user)} for user in site.users}

    def accounts(self, kept=None):
        kept = kept or [dict.fromkeys(site.users, set()) for site in self.sites]
        return [
            Account(
                site, user, [m for m in self.listener.messages(f"{site.storage}-{user}") if m["kind"] in ("message", "action")],
                self.listener.gaps(f"{site.storage}-{user}") if any(numbers.values()) else [],
                numbers[user], self.freezes,
            )
            for site, numbers in zip(self.sites, kept)
            for user in site.users
        ]  # fmt: skip

    def report(self, accounts, kept):
        print("faults: " + ", ".join(f"{name} {count}" for name, count in sorted(self.done.items())))
        for site, numbers in zip(self.sites, kept):
            counts = sum((account.counts for account in accounts if account.site is site), Counter())
            confirmed = sum(said.is_confirmed for said in site.said.values())
            archived = len(set().union(*numbers.values()) & site.said.keys())
            print(
                f"{site.storage}: tried {len(site.said):,}, confirmed {confirmed:,}, in the server's archives {archived:,}; of all accounts: "
                + ", ".join(f"{name} {count:,}" for name, count in counts.items())
            )
        self.listener.take_figures()
        print(f"peak {self.listener.memory / 1024:.1f} MiB")

    def clean(self):
        if self.listener:
            self.listener.kill()
        for site in self.sites:
            site.server.kill()


def parse():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--once", action="store_true", help="each fault once, in place of --minutes")
    parser.add_argument("--without", nargs="+", default=[], metavar="FAULT", help="faults to leave out")
    parser.add_argument("--accounts", type=int, default=20)
    parser.add_argument("--messages", type=int, default=0, help="the least that people say")
    parser.add_argument("--rate", type=float, default=10, help="messages a second in all")
    parser.add_argument("--storages", nargs="+", choices=soak_jabber.STORAGES, default=list(soak_jabber.STORAGES))
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 32))
    parser.add_argument("--binary", default=".build/release/scrollback")
    parser.add_argument("--verbose", action="store_true", help="print each fault")
    options = parser.parse_args()
    options.binary = os.path.abspath(options.binary)
    return options


def main():
    options = parse()
    folder = tempfile.mkdtemp(prefix="scrollback-xmpp-soak-")
    print(f"seed {options.seed}, in {folder}", flush=True)
    soak = Soak(options, folder)
    try:
        misses = asyncio.run(soak.run())
    finally:
        soak.clean()
    for miss in misses[:200]:
        print(miss)
    if misses:
        sys.exit(f"{len(misses)} misses: see {folder}")
    shutil.rmtree(folder)


if __name__ == "__main__":
    main()
