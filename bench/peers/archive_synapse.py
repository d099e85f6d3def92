"""Synapse with SQLite, which keeps the rooms of its own network, filled by people who speak Matrix."""

import asyncio
import glob
import os
import time
import uuid

import archive
import peers_process
import peers_text
import soak_servers

NAME = "Synapse, SQLite"
SENDERS, ASKED = 8, 5


def version():
    found = glob.glob(os.path.join(soak_servers.REPOSITORY, ".venv/lib/python3*/site-packages/matrix_synapse-*.dist-info"))
    if not found:
        raise peers_process.Missing("no matrix-synapse in .venv")
    return archive.package_version(found[0])


async def measure(folder, messages, minutes):
    # The soak test's homeserver and person need aiohttp, which is in .venv.
    import aiohttp
    import matrix_soak

    os.makedirs(folder)
    server = matrix_soak.Homeserver(folder)
    found = archive.Archive()
    try:
        await server.start()
        async with aiohttp.ClientSession() as session:
            person = matrix_soak.Person(server, session)
            await person.register("alice")
            room = (await person.call("POST", "/createRoom", {"name": "example"}))["room_id"]
            ids, waiting, empty = [], iter(messages), database_bytes(folder)
            cpu, began = peers_process.cpu_seconds(server.process.pid), time.time()
            await asyncio.gather(*(say(person, room, waiting, began + minutes * 60, ids) for _ in range(SENDERS)))
            seconds, cpu = time.time() - began, peers_process.cpu_seconds(server.process.pid) - cpu
            found.page = await timed(person, "GET", f"/rooms/{room}/context/{ids[len(ids) // 2]}?limit=100")
            found.rare, found.common = [await search(person, word) for word in (peers_text.RARE, peers_text.COMMON)]
            found.peak_mib = peers_process.peak_kib(server.process.pid) / 1024
    finally:
        await asyncio.to_thread(peers_process.end, server.process)
    found.stored, found.rate, found.cpu_microseconds = len(ids), len(ids) / seconds, cpu / len(ids) * 1e6
    # Without the tables of a new server.
    found.bytes_a_message = (database_bytes(folder) - empty) / len(ids)
    return found


def database_bytes(folder):
    return sum(os.path.getsize(path) for path in glob.glob(os.path.join(folder, "homeserver.db*")))


async def say(person, room, waiting, end, ids):
    for message in waiting:
        path = f"/rooms/{room}/send/m.room.message/{uuid.uuid4()}"
        ids.append((await person.call("PUT", path, {"msgtype": "m.text", "body": message.text}))["event_id"])
        if time.time() > end:
            return


async def search(person, word):
    return await timed(
        person,
        "POST",
        "/search",
        {"search_categories": {"room_events": {"search_term": word, "order_by": "recent", "filter": {"limit": 20}}}},
    )


async def timed(person, method, path, body=None):
    times = []
    for _ in range(ASKED):
        began = time.perf_counter()
        await person.call(method, path, body)
        times.append(time.perf_counter() - began)
    return archive.median(times)
