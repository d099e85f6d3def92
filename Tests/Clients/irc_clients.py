"""The IRC clients: how each is configured, started and ended, and what it does not log."""

import json
import os
import subprocess
import time

import programs
import script
from irc_people import People
from programs import Process, environment, find


class Client:
    """`lacks` names what the log of the client does not have, by `script.topics`."""

    program, nick, lacks, may_skip_files = "", "client", frozenset(), False
    # What is typed to end it; None for a signal.
    farewell, tunnel = None, None

    @property
    def name(self):
        return self.program

    def log_path(self, folder):
        return os.path.join(folder, "logs")

    def has_logged(self, folder, words):
        """True if any file below the logs has the words."""
        for place, _, names in os.walk(self.log_path(folder)):
            for name in names:
                path = os.path.join(place, name)
                if os.path.isfile(path):
                    with open(path, "rb") as file:
                        if words.encode() in file.read():
                            return True
        return False

    def write(self, path, text, mode=0o600):
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        os.chmod(path, mode)

    def run(self, folder):
        path, root = find(self.program)
        people = People(folder, script.ROOM, script.KOREAN)
        process = None
        try:
            process = self.start(path, root, folder, people.port)
            people.wait_for_client(self.nick)
            said = script.irc(people, self.nick)
            self.wait_for_end(folder)
            return said
        except programs.CannotRun as reason:
            output = process.output.decode(errors="replace")[-500:] if process else ""
            raise programs.CannotRun(f"{reason} {output!r}") from None
        finally:
            if process:
                process.end(self.farewell)
            if self.tunnel:
                self.tunnel.end()
            people.end()

    def start(self, path, root, folder, port):
        raise NotImplementedError

    def wait_for_end(self, folder):
        programs.wait_until(lambda: self.has_logged(folder, "the end"), f"{self.program}'s log of the last message")


class Irssi(Client):
    program, farewell = "irssi", "/quit\r"

    def start(self, path, root, folder, port):
        channels = "".join(
            f'{{ name = "{room}"; chatnet = "testnet"; autojoin = "yes"; }},' for room in (script.ROOM, script.KOREAN)
        )
        self.write(f"{folder}/home/config", f"""
            servers = ( {{ address = "127.0.0.1"; chatnet = "testnet"; port = "{port}"; autoconnect = "yes"; }} );
            chatnets = {{ testnet = {{ type = "IRC"; }}; }};
            channels = ( {channels} );
            settings = {{
              core = {{ real_name = "c"; user_name = "c"; nick = "{self.nick}"; }};
              "fe-common/core" = {{ autolog = "yes"; autolog_path = "{folder}/logs/$tag/$0.log"; }};
            }};
        """)
        return Process([path, f"--home={folder}/home"], environment(root, folder), folder)

    def wait_for_end(self, folder):
        # irssi writes modes some seconds later, to merge them.
        super().wait_for_end(folder)
        programs.wait_until(lambda: self.has_logged(folder, "+v bobby"), "irssi's log of the mode")


class WeeChat(Client):
    program = "weechat-headless"
    name = "weechat"

    def start(self, path, root, folder, port):
        commands = [
            f"/server add testnet 127.0.0.1/{port}", f"/set irc.server.testnet.nicks {self.nick}",
            f'/set irc.server.testnet.autojoin "{script.ROOM},{script.KOREAN}"',
            f"/set logger.file.path {folder}/logs", "/set logger.file.flush_delay 0", "/connect testnet",
        ]
        more = {"WEECHAT_EXTRA_LIBDIR": f"{root}/usr/lib/{programs.MACHINE}/weechat"} if root else {}
        words = [word for command in commands for word in ("-r", command)]
        return Process([path, "-d", f"{folder}/home", *words], environment(root, folder, **more), folder)


class II(Client):
    program = "ii"
    # Quits and new nicks are only in the server's file, a part has no reason, a notice to a room has no sender.
    lacks = frozenset({"rename", "leave", "notice"})

    def start(self, path, root, folder, port):
        self.port = port
        command = [path, "-s", "127.0.0.1", "-p", str(port), "-n", self.nick, "-i", f"{folder}/logs"]
        process = Process(command, environment(root, folder), folder)
        fifo = f"{folder}/logs/127.0.0.1/in"
        programs.wait_until(lambda: os.path.exists(fifo), "ii's pipe")
        programs.wait_until(lambda: self.has_logged(folder, "hello"), "the server's greeting")
        with open(fifo, "w") as pipe:
            pipe.write(f"/j {script.ROOM}\n")
            pipe.flush()
            time.sleep(0.2)
            pipe.write(f"/j {script.KOREAN}\n")
        return process


class Catgirl(Client):
    program = "catgirl"

    def start(self, path, root, folder, port):
        # catgirl speaks only TLS.
        self.tunnel = programs.TLSTunnel(folder, port)
        os.makedirs(f"{folder}/.local/share/catgirl")
        command = [path, "-!", "-l", "-h", "127.0.0.1", "-p", str(self.tunnel.port), "-n", self.nick]
        return Process([*command, "-j", f"{script.ROOM},{script.KOREAN}"], environment(root, folder), folder)

    def log_path(self, folder):
        return f"{folder}/.local/share/catgirl/log"


class Finch(Client):
    program = "finch"

    def start(self, path, root, folder, port):
        account = f"{self.nick}@127.0.0.1"
        self.write(f"{folder}/purple/accounts.xml", f"""<?xml version='1.0' encoding='UTF-8' ?>
<account version='1.0'><account><protocol>prpl-irc</protocol><name>{account}</name><settings>
<setting name='port' type='int'>{port}</setting><setting name='username' type='string'>me</setting>
</settings><settings ui='gnt-purple'><setting name='auto-login' type='bool'>1</setting></settings></account></account>
""")
        chats = "".join(
            f"<chat proto='prpl-irc' account='{account}'><component name='channel'>{room}</component>"
            "<setting name='gnt-autojoin' type='bool'>1</setting></chat>" for room in (script.ROOM, script.KOREAN)
        )
        self.write(f"{folder}/purple/blist.xml", f"""<?xml version='1.0' encoding='UTF-8' ?>
<purple version='1.0'><blist><group name='Chats'>{chats}</group></blist></purple>
""")
        self.write(f"{folder}/purple/prefs.xml", """<?xml version='1.0' encoding='UTF-8' ?>
<pref version='1' name='/'><pref name='purple'><pref name='logging'><pref name='log_ims' type='bool' value='1'/>
<pref name='log_chats' type='bool' value='1'/><pref name='format' type='string' value='txt'/></pref></pref></pref>
""")
        # finch looks for protocols in Debian's folder and here.
        os.makedirs(f"{folder}/purple/plugins")
        plugin = f"usr/lib/{programs.MACHINE}/purple-2/libirc.so"
        if root:
            os.symlink(f"{root}/{plugin}", f"{folder}/purple/plugins/libirc.so")
        return self.process([path, "-c", f"{folder}/purple"], environment(root, folder), folder)

    def process(self, command, environment, folder):
        return Process(command, environment, folder)

    def log_path(self, folder):
        return f"{folder}/purple/logs"


class KoreanFinch(Finch):
    """finch in Korean: its sentences and dates decide the kinds of lines."""

    name = "finch-ko"

    def start(self, path, root, folder, port):
        translation = "usr/share/locale/ko/LC_MESSAGES/pidgin.mo"
        self.locales = next((f"{place}/usr/share/locale" for place in ("", root) if os.path.exists(f"{place}/{translation}")), None)
        if self.locales is None:
            raise programs.CannotRun("there is no Korean translation of finch (pidgin-data)")
        os.makedirs(f"{folder}/locales")
        command = ["localedef", "-i", "ko_KR", "-f", "UTF-8", f"{folder}/locales/ko_KR.UTF-8"]
        if subprocess.run(command, env={**os.environ, "I18NPATH": f"{root}/usr/share/i18n"}, capture_output=True).returncode:
            raise programs.CannotRun("there is no Korean locale (locales)")
        return super().start(path, root, folder, port)

    def process(self, command, environment, folder):
        korean = {"LC_ALL": "ko_KR.UTF-8", "LANGUAGE": "ko", "LOCPATH": f"{folder}/locales"}
        # finch looks for translations only in /usr/share/locale.
        mount = 'mount --bind "$0" /usr/share/locale && exec "$@"'
        place = ["unshare", "--map-root-user", "--mount", "sh", "-c", mount, self.locales]
        is_own = self.locales == "/usr/share/locale"
        return Process([*([] if is_own else place), *command], {**environment, **korean}, folder)


class Thunderbird(Client):
    """Thunderbird's chat, without a window."""

    program = "thunderbird"

    def start(self, path, root, folder, port):
        account, server = "messenger.account.account1", "mail.server.server1"
        preferences = {
            "mail.accountmanager.accounts": "account1", "mail.account.account1.server": "server1", f"{server}.type": "im",
            f"{server}.imAccount": "account1", f"{server}.hostname": "prpl-irc",
            f"{server}.userName": f"{self.nick}@127.0.0.1", "messenger.accounts": "account1",
            f"{account}.prpl": "prpl-irc", f"{account}.name": f"{self.nick}@127.0.0.1", f"{account}.autoLogin": True,
            f"{account}.autoJoin": f"{script.ROOM},{script.KOREAN}", f"{account}.firstConnectionState": 1,
            f"{account}.options.port": port, f"{account}.options.ssl": False, "messenger.startup.action": 1,
            "mail.chat.enabled": True, "mail.provider.enabled": False, "mailnews.start_page.enabled": False,
            # It asks nobody but the server.
            "app.update.enabled": False, "extensions.update.enabled": False, "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False, "services.settings.server": "", "toolkit.telemetry.enabled": False,
            "datareporting.policy.dataSubmissionEnabled": False, "browser.safebrowsing.enabled": False,
        }
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in preferences.items()]
        self.write(f"{folder}/profile/prefs.js", "".join(lines))
        command = [f"{root}/usr/lib/thunderbird/thunderbird-bin", "--headless", "--no-remote", "--profile", f"{folder}/profile"]
        return Process(command, environment(root, folder), folder)

    def log_path(self, folder):
        return f"{folder}/profile/logs"


ALL = [Irssi(), WeeChat(), II(), Catgirl(), Finch(), KoreanFinch(), Thunderbird()]
