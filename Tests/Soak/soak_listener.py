"""`scrollback listen`, and what the archive says afterwards."""

import asyncio
import json
import os
import signal
import subprocess
import time

import soak_servers

PAGE = 1000


class Listener:
    """`accounts` are the proxies by the account's name."""

    # From the signal that ends it until it is started again.
    is_ending = False

    def __init__(self, binary, folder, accounts, signs_of_life):
        self.binary, self.folder, self.accounts = binary, folder, accounts
        self.process, self.log = None, os.path.join(folder, "listen.log")
        # KiB resident at most, and seconds that it was frozen, of all lives.
        self.memory, self.frozen = 0, 0.0
        # What the user who runs this has set is not for this archive.
        self.environment = {name: value for name, value in os.environ.items() if not name.startswith("SCROLLBACK_")}
        with open(os.path.join(folder, "scrollback.toml"), "w") as file:
            file.write('data = "data"\n\n')
            for name, proxy in accounts.items():
                rooms = ", ".join(f'"{room}"' for room in proxy.rooms)
                file.write(
                    f'[[account]]\nname = "{name}"\nnetwork = "irc"\nserver = "irc://127.0.0.1:{proxy.port}"\n'
                    f'nick = "{proxy.nick}"\nuser = "{proxy.user}"\nrooms = [{rooms}]\nsign_of_life_seconds = {signs_of_life[name]}\n\n'
                )

    def command(self, *arguments):
        return [self.binary, *arguments, "--config", os.path.join(self.folder, "scrollback.toml")]

    def start(self):
        self.process = soak_servers.spawn(self.command("listen"), self.log, self.environment)
        self.is_ending = False

    async def end(self, number):
        """Comes back with the exit status."""
        self.take_figures()
        self.is_ending = True
        self.process.send_signal(number)
        return await asyncio.to_thread(self.process.wait)

    async def restart(self, number, seconds):
        """Ends it by a signal, and starts it again after some seconds. Comes back with the exit status."""
        status = await self.end(number)
        await asyncio.sleep(seconds)
        self.start()
        return status

    def must_run(self):
        if self.process.poll() is not None and not self.is_ending:
            raise SystemExit(f"the listener ended by itself with {self.process.returncode}: see {self.log}")

    def kill(self):
        if self.process and self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    async def freeze(self, seconds):
        self.take_figures()
        began = time.time()
        for proxy in self.accounts.values():
            proxy.frozen_since, proxy.is_frozen = began, True
        self.process.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        for proxy in self.accounts.values():
            proxy.thaw()
        self.process.send_signal(signal.SIGCONT)
        self.frozen += time.time() - began
        # What came meanwhile is read now; a connection that ends before that was not heard since then.
        await asyncio.sleep(2)
        for proxy in self.accounts.values():
            proxy.frozen_since = None

    def take_figures(self):
        try:
            with open(f"/proc/{self.process.pid}/status") as file:
                fields = dict(line.split(":", 1) for line in file)
            self.memory = max(self.memory, int(fields["VmHWM"].split()[0]))
        except (OSError, KeyError):
            pass

    def ask(self, *arguments):
        """The archive's answer, as JSON."""
        answer = subprocess.run(self.command(*arguments, "--format", "json"), capture_output=True, env=self.environment)
        if answer.returncode != 0:
            raise SystemExit(f"scrollback {' '.join(arguments)}: {answer.stderr.decode()}")
        return json.loads(answer.stdout)

    def messages(self, account):
        """All of an account, in order."""
        place = ["--oldest"]
        while place:
            page = self.ask("history", "--account", account, "-n", str(PAGE), *place)
            yield from page["messages"]
            place = ["--after", page["newer"]] if page["newer"] else None

    def check(self):
        """What `scrollback archive check` finds wrong; empty where all is fine."""
        answer = subprocess.run(self.command("archive", "check"), capture_output=True, env=self.environment)
        return "" if answer.returncode == 0 else (answer.stdout + answer.stderr).decode()
