"""An archive of the texts, which a server of its own answers for."""

import datetime
import http.client
import itertools
import json
import os
import select
import signal
import subprocess
import urllib.parse

BEGINNING = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
START_SECONDS = 60
# A token may ask 100 times a second in the long run. One process asks 300 times.
TOKENS = 8


class Archive:
    """Texts in rooms, imported with `scrollback import jsonl` and asked with `GET /api/v1/search`."""

    def __init__(self, binary, folder, rooms):
        self.binary, self.folder, self.places = binary, folder, {}
        self.write(rooms)
        report = self.run("import", "jsonl", folder + "/texts.jsonl", "-a", "world")
        count = sum(map(len, rooms.values()))
        if f" {count:,} new messages" not in report:
            raise SystemExit(f"the import did not store all {count:,} texts:\n{report}")
        added = [self.run("serve", "token", "add", f"languages-{number}", "--all") for number in range(TOKENS)]
        self.tokens = itertools.cycle(text.split()[0] for text in added)
        self.serve()

    def run(self, *arguments):
        done = subprocess.run([self.binary, *arguments, "--data", self.folder + "/data"], capture_output=True, text=True)
        if done.returncode != 0:
            raise SystemExit(f"scrollback {arguments[0]} failed: {(done.stderr or done.stdout).strip()}")
        return done.stdout + done.stderr

    def write(self, rooms):
        """Writes a line for each text, which its time identifies."""
        number = 0
        with open(self.folder + "/texts.jsonl", "w", encoding="utf-8") as file:
            for room, texts in rooms.items():
                for place, text in enumerate(texts):
                    time = BEGINNING + datetime.timedelta(seconds=60 * number)
                    identifier = time.strftime("%Y-%m-%dT%H:%M:%S.000000Z")
                    self.places[identifier] = (room, place)
                    line = {"id": identifier, "kind": "message", "room": room, "sender": {"name": "alice"}, "body": text}
                    file.write(json.dumps(line, ensure_ascii=False) + "\n")
                    number += 1

    def serve(self):
        command = [self.binary, "serve", "--data", self.folder + "/data", "--listen", "127.0.0.1:0", "--log-level", "warning"]
        with open(self.folder + "/server.log", "wb") as log:
            self.server = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, text=True)
        if not select.select([self.server.stdout], [], [], START_SECONDS)[0]:
            self.close()
            raise SystemExit(f"the server did not start in {START_SECONDS} s")
        address = urllib.parse.urlsplit(self.server.stdout.readline().split()[0])
        self.connection = http.client.HTTPConnection(address.hostname, address.port)

    def found(self, room, query):
        """Returns the places of the room's texts that a query finds."""
        question = urllib.parse.urlencode({"q": f'in:"world/{room}" {query}', "limit": 1000})
        self.connection.request("GET", "/api/v1/search?" + question, headers={"Authorization": "Bearer " + next(self.tokens)})
        answer = self.connection.getresponse()
        body = answer.read()
        if answer.status != 200:
            raise SystemExit(f"the server answered {answer.status} to {query!r}: {body.decode()[:500]}")
        return {self.places[message["id"]][1] for message in json.loads(body)["messages"]}

    def close(self):
        self.server.send_signal(signal.SIGTERM)
        self.server.wait(START_SECONDS)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()


def path(binary):
    """Returns the program's path; fails if it is missing."""
    if not os.access(binary, os.X_OK):
        raise SystemExit(f"no program {binary}; build it with make release, or choose another with --binary")
    return os.path.abspath(binary)
