"""Messages in many rooms, at a steady pace or as fast as they go; told and not kept, so that nothing but the socket brings them."""

import asyncio
import datetime
import time

import engineio.packet
import socketio.packet
from aiohttp import web

# How often a steady pace is kept, in seconds.
TICK = 0.01
# Packets of one connection that may wait, as nobody else holds back who says as much as he can.
WAITING = 1000


class Storm:
    """What the server says of it at /control/storm: how many `sent`, by when the `last` (seconds since 1970), in how much
    time of the `processor`, and what that is in `total`."""

    def __init__(self, sio, workspaces):
        self.sio, self.workspaces = sio, workspaces
        self.state = {"sent": 0, "events": 0, "began": 0.0, "last": 0.0, "behind": 0}
        self.task = None

    async def start(self, order):
        """{rooms, events, first = 0, rate = 0, way = "emit"}: so many events, numbered from there, so many a second or as many as go, in all rooms in turn.
        `emit` has python-socketio do it all; `packets` has it encode them, and puts them into each connection's queue."""
        rooms = [self.workspaces.rooms[id] for id in order["rooms"]]
        say = self.emit if order.get("way", "emit") == "emit" else self.put
        self.state.update(sent=0, events=order["events"], behind=0)
        self.task = asyncio.ensure_future(self.run(rooms, order["events"], order.get("rate", 0), order.get("first", 0), say))

    async def run(self, rooms, events, rate, first, say):
        began = time.monotonic()
        self.state["began"] = time.time()
        sockets = list(self.sio.eio.sockets.values())
        while self.state["sent"] < events:
            due = events
            if rate:
                due = min(events, int((time.monotonic() - began) * rate))
                self.state["behind"] = max(self.state["behind"], due - self.state["sent"])
            while self.state["sent"] < due:
                number = self.state["sent"]
                room = rooms[number % len(rooms)]
                await say(room, self.chat(room, first + number))
                self.state["sent"] += 1
                if number % 100 == 99:
                    # Others have a turn.
                    await asyncio.sleep(0)
                    while not rate and any(socket.queue.qsize() > WAITING for socket in sockets):
                        await asyncio.sleep(0.001)
            self.state["last"] = time.time()
            if rate:
                await asyncio.sleep(TICK)

    def chat(self, room, number):
        now = datetime.datetime.now(datetime.timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
        return {
            "channel_id": room["id"], "channelName": room["name"], "chat_id": self.workspaces.new_id(),
            "content": f"event {number}: 안녕, is everybody here?", "createdAt": now, "files": [],
            "user": self.workspaces.users[number % 3],
        }

    async def emit(self, room, chat):
        await self.sio.emit("channel", chat, namespace=f"/ws-channel-{room['id']}")

    async def put(self, room, chat):
        namespace = f"/ws-channel-{room['id']}"
        text = socketio.packet.Packet(socketio.packet.EVENT, ["channel", chat], namespace).encode()
        for _, connection in self.sio.manager.get_participants(namespace, None):
            socket = self.sio.eio.sockets[connection]
            socket.queue.put_nowait(engineio.packet.Packet(engineio.packet.MESSAGE, text))

    async def tell(self, request):
        return web.json_response({**self.state, "total": time.process_time()})
