"""Scrollback, with the listener of the soak test."""

import datetime
import glob
import subprocess

import keeper
import peers_process
import peers_text
import soak_listener

# The default of `sign_of_life_seconds`.
SIGN_OF_LIFE = 10


class Scrollback(keeper.DatabaseKeeper):
    name, nick = "Scrollback", "archiver"
    binary = ""
    # Only Scrollback writes its store.
    can_fill = False
    counting = "SELECT count(*) FROM messages WHERE room LIKE '#%'"

    @classmethod
    def version(cls):
        answer = subprocess.run([cls.binary, "--version"], capture_output=True, text=True)
        return answer.stdout.strip().removeprefix("scrollback ")

    def prepare(self):
        proxy = type("Address", (), {"port": self.port, "rooms": peers_text.ROOMS, "nick": self.nick, "user": self.nick})
        self.listener = soak_listener.Listener(self.binary, self.folder, {"peers": proxy}, {"peers": SIGN_OF_LIFE})

    def command(self):
        return self.listener.command("listen"), peers_process.ENVIRONMENT

    @property
    def database(self):
        return glob.glob("data/accounts/*/*.sqlite", root_dir=self.folder)[0]

    def texts(self):
        return (message["body"].encode() for message in self.messages())

    def messages(self):
        return [message for message in self.listener.messages("peers") if message["body"]]

    def disconnects(self):
        return len(self.listener.ask("gaps")["gaps"])

    def bytes(self):
        return peers_process.folder_bytes(self.path("data"))

    def questions(self, back):
        """The page is named by the id of the message behind it, as a reader of pages names it."""
        room = peers_text.ROOMS[0]
        ((id,),) = self.query(f"SELECT id FROM messages WHERE room = '{room}' ORDER BY id DESC LIMIT 1 OFFSET {back - 1}")
        time = datetime.datetime.fromtimestamp(0, datetime.timezone.utc) + datetime.timedelta(microseconds=id)
        config = f"--config {self.path('scrollback.toml')} --oneline"
        hits = f"{self.binary} search {{}} in:'{room}' -n 20 {config}"
        page = f"{self.binary} history '{room}' --before {time:%Y-%m-%dT%H:%M:%S.%fZ} -n 50 {config}"
        return {"rare": hits.format(peers_text.RARE), "common": hits.format(peers_text.COMMON), "page": page}
