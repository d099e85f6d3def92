#!/usr/bin/env -S python3 -B
"""Lets real chat clients log what people say, imports their logs with the built program, and compares.

    Tests/Clients/clients.py --binary .build/release/scrollback irssi weechat

Each client runs alone, in under 30 s, with an IRC server (ngircd) or an XMPP server (prosody) of its own on this machine. People say
each step of a script (`script.py`). What the client logged must then be in the archive: room, kind, sender and text of every step that
the client can log. `lacks` in the client's description names the others. So a new version of a client that writes other logs fails
here.

`.ci/fetch-tools` fetches clients without installing them: `.ci/fetch-tools irssi:irssi ii:ii`. A client that can't be run is named and
skipped. Exit status 1 if a log was read wrongly, 2 if nothing ran.
"""

import argparse
import os
import shutil
import sys
import tempfile
import time

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "..", "Soak"))

import comparison  # noqa: E402
import irc_bots  # noqa: E402
import irc_clients  # noqa: E402
import programs  # noqa: E402
import script  # noqa: E402
import xmpp_clients  # noqa: E402

CLIENTS = {client.name: client for client in irc_clients.ALL + irc_bots.ALL + xmpp_clients.ALL}


def run(client, options):
    """Returns a line of the table, and True if the log was read rightly; None if the client can't be run."""
    folder = tempfile.mkdtemp(prefix=f"scrollback-{client.name}-")
    start = time.monotonic()
    try:
        said = client.run(folder)
        rows = comparison.imported(options.binary, client, folder)
        wrong = comparison.compare(client, said, rows)
        seconds = time.monotonic() - start
        right, events = script.counts(said, wrong)
        line = f"{client.name:<12} {right:>8} {events:>8} {seconds:>6.1f} s  {', '.join(sorted(client.lacks)) or '-'}"
        print(line, flush=True)
        for fault in wrong:
            print(f"  {fault}", flush=True)
        return not wrong
    except programs.CannotRun as reason:
        print(f"{client.name:<12} skipped: {reason}", flush=True)
        return None
    finally:
        if options.keep:
            print(f"  {folder}")
        else:
            shutil.rmtree(folder, ignore_errors=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clients", nargs="*", metavar="CLIENT", help=f"one or more of {', '.join(CLIENTS)} (default: all)")
    parser.add_argument("--binary", default=".build/release/scrollback", help="the program to test")
    parser.add_argument("--keep", action="store_true", help="keep the folders of the clients")
    options = parser.parse_args()
    unknown = [name for name in options.clients if name not in CLIENTS]
    if unknown:
        parser.error(f"no client {unknown[0]}; there are {', '.join(CLIENTS)}")
    options.binary = os.path.abspath(options.binary)
    print(f"{'CLIENT':<12} {'MESSAGES':>8} {'EVENTS':>8} {'TIME':>8}  NOT IN ITS LOG")
    results = [run(CLIENTS[name], options) for name in options.clients or CLIENTS]
    if False in results:
        sys.exit(1)
    sys.exit(0 if True in results else 2)


if __name__ == "__main__":
    main()
