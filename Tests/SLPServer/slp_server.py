"""A workspace service for tests: its Socket.IO side, on a real Socket.IO server, misbehaving on command. Its HTTP side is
slp_service.py, on the same port.

    slp_server.py [--port 0] [--generation 2] [--transports polling,websocket] [--tls FOLDER] …

Says "server ready port=N" on stderr. What it is to do is posted to /control/… on the same port, as JSON.
"""

import argparse
import asyncio
import base64
import os
import ssl
import sys

import engineio.async_socket
import engineio.packet
import socketio
from aiohttp import web

import slp_service
import slp_storm

NAMESPACES = ("/ws-channel-", "/ws-dm-")


class RawPacket(engineio.packet.Packet):
    """Bytes that stand in a body or a WebSocket message as they are."""

    def __init__(self, text):
        super().__init__(engineio.packet.MESSAGE)
        self.text = text

    def encode(self, b64=False):
        return self.text


class Service:
    def __init__(self, options):
        self.options = options
        self.sio = socketio.AsyncServer(
            async_mode="aiohttp",
            namespaces="*",
            always_connect=options.always_connect,
            transports=options.transports.split(","),
            allow_upgrades=not options.no_upgrades,
            ping_interval=options.ping_interval,
            ping_timeout=options.ping_timeout,
        )
        self.sio.on("connect", self.connect, namespace="*")
        self.workspaces = slp_service.Workspaces(options.generation)
        self.workspaces.heard.append(self.tell)
        self.app = web.Application(middlewares=[self.remember, slp_service.middleware(self.workspaces)])
        slp_service.add_routes(self.app, self.workspaces)
        self.sio.attach(self.app)
        for name in ("emit", "raw", "disconnect", "close", "forget", "abort"):
            self.app.router.add_post(f"/control/{name}", self.control(getattr(self, name)))
        self.app.router.add_get("/control/state", self.state)
        self.storm = slp_storm.Storm(self.sio, self.workspaces)
        self.app.router.add_post("/control/storm", self.control(self.storm.start))
        self.app.router.add_get("/control/storm", self.storm.tell)
        # Of every request to Socket.IO: what was asked, and the connections that brought it.
        self.requests = []
        self.connections = set()
        self.telling = set()
        self.waiting = 0
        self.pongs = 0
        self.count_pongs()

    # Socket.IO

    async def connect(self, namespace, sid, environ, auth=None):
        """Namespaces of rooms are there, unless they are refused; those of --greet are heard before they are granted."""
        if namespace in self.options.refuse or not namespace.startswith(NAMESPACES):
            raise socketio.exceptions.ConnectionRefusedError("no such room")
        if namespace in self.options.greet:
            await self.sio.emit("channel", {"chat_id": 0}, namespace=namespace, to=sid)
        fault = self.workspaces.take_fault(namespace)
        if "refuse" in fault:
            raise socketio.exceptions.ConnectionRefusedError("not now")
        if "close" in fault:
            await self.close({})
        if "abort" in fault:
            await self.abort({})
        if "delete" in fault:
            self.workspaces.delete({"room": fault["delete"]})
        if "rename" in fault:
            self.workspaces.rename({"room": fault["rename"], "name": fault["to"]})
        if "say" in fault:
            self.workspaces.say(fault["say"])
            await asyncio.gather(*self.telling)

    def tell(self, room, chat):
        """What is said in a room is heard in its namespace."""
        kind = "channel" if room["kind"] == "channel" else "dm"
        task = asyncio.ensure_future(self.sio.emit(kind, chat, namespace=f"/ws-{kind}-{room['id']}"))
        self.telling.add(task)
        task.add_done_callback(self.telling.discard)

    def count_pongs(self):
        receive = engineio.async_socket.AsyncSocket.receive
        service = self

        async def counting(socket, packet):
            if packet.packet_type == engineio.packet.PONG:
                service.pongs += 1
            await receive(socket, packet)

        engineio.async_socket.AsyncSocket.receive = counting

    @web.middleware
    async def remember(self, request, handler):
        if not request.path.startswith("/control/"):
            self.requests.append(
                {
                    "method": request.method,
                    "transport": request.query.get("transport"),
                    "headers": {name.lower(): value for name, value in request.headers.items()},
                }
            )
            self.connections.add(request.transport)
            if self.options.break_upgrades and "upgrade" in request.headers:
                return web.Response(status=503)
        if request.path.startswith("/socket.io/") and "abort" in self.workspaces.take_fault(request.raw_path):
            request.transport.abort()
        self.waiting += 1
        try:
            return await handler(request)
        finally:
            self.waiting -= 1

    # What a test asks for

    def control(self, action):
        async def handle(request):
            await action(await request.json())
            return web.Response()

        return handle

    async def emit(self, order):
        """{namespace, event, arguments, times = 1, attachment = base64, padding = bytes}; {n} counts the events."""
        padding = {"padding": "x" * order["padding"]} if "padding" in order else {}
        for number in range(order.get("times", 1)):
            arguments = [
                {**argument, **padding, "n": number} if isinstance(argument, dict) else argument
                for argument in order.get("arguments", [])
            ]
            if "attachment" in order:
                arguments.append(base64.b64decode(order["attachment"]))
            await self.sio.emit(order["event"], tuple(arguments), namespace=order["namespace"])

    async def raw(self, order):
        """{text, times = 1}: a packet of Engine.IO as it is given, to everyone."""
        for socket in list(self.sio.eio.sockets.values()):
            await socket.queue.put(RawPacket(order["text"] * order.get("times", 1)))

    async def disconnect(self, order):
        """{namespace}: everyone is put out of it."""
        for sid, _ in list(self.sio.manager.get_participants(order["namespace"], None)):
            await self.sio.disconnect(sid, namespace=order["namespace"])

    async def close(self, order):
        """Every session is ended by the server's own packet."""
        for socket in list(self.sio.eio.sockets.values()):
            await socket.close(wait=False)

    async def forget(self, order):
        """Every session is gone, as after a restart."""
        sockets = list(self.sio.eio.sockets.values())
        self.sio.eio.sockets.clear()
        for socket in sockets:
            await socket.queue.put(None)

    async def abort(self, order):
        """Every connection is broken off, without a word."""
        for connection in self.connections:
            if connection is not None:
                connection.abort()

    async def state(self, request):
        """Whoever asks is not among those that wait for an answer."""
        rooms = self.sio.manager.rooms
        return web.json_response(
            {
                "sessions": [
                    "websocket" if socket.upgraded else "polling"
                    for socket in self.sio.eio.sockets.values()
                    if not socket.closed
                ],
                "namespaces": {name: len(members.get(None, {})) for name, members in rooms.items()},
                "pongs": self.pongs,
                "waiting": self.waiting - 1,
                "unsent": self.unsent(),
                "requests": self.requests,
            }
        )


    def unsent(self):
        """Bytes for clients that are not yet the kernel's."""
        queued = [
            len(packet.encode(b64=True))
            for socket in self.sio.eio.sockets.values()
            for packet in list(socket.queue._queue)
            if packet is not None
        ]
        connections = [connection for connection in self.connections if connection is not None]
        return sum(queued) + sum(connection.get_write_buffer_size() for connection in connections)


def tls(folder):
    """A certificate for localhost; whoever trusts FOLDER/ca.pem trusts it."""
    import trustme

    authority = trustme.CA()
    authority.cert_pem.write_to_path(os.path.join(folder, "ca.pem"))
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert("localhost").configure_cert(context)
    return context


async def end_with(parent):
    """A test that crashed can't end its server."""
    while os.getppid() == parent:
        await asyncio.sleep(1)
    os._exit(1)


async def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--generation", type=int, default=2)
    parser.add_argument("--transports", default="polling,websocket")
    parser.add_argument("--no-upgrades", action="store_true")
    parser.add_argument("--break-upgrades", action="store_true", help="offer the WebSocket, and answer 503")
    parser.add_argument("--always-connect", action="store_true", help="grant a namespace first, refuse it then")
    parser.add_argument("--ping-interval", type=float, default=25)
    parser.add_argument("--ping-timeout", type=float, default=20)
    parser.add_argument("--refuse", action="append", default=[], metavar="NAMESPACE")
    parser.add_argument("--greet", action="append", default=[], metavar="NAMESPACE")
    parser.add_argument("--tls", metavar="FOLDER")
    options = parser.parse_args()
    # Cancelled by no one, so nobody else need keep it.
    watch = asyncio.ensure_future(end_with(os.getppid()))
    runner = web.AppRunner(Service(options).app)
    await runner.setup()
    site = web.TCPSite(
        runner, "localhost" if options.tls else "127.0.0.1", options.port,
        ssl_context=tls(options.tls) if options.tls else None,
    )
    # Tests control it without TLS.
    control = web.TCPSite(runner, "127.0.0.1", 0)
    for part in (site, control):
        await part.start()
    port, control_port = (part._server.sockets[0].getsockname()[1] for part in (site, control))
    print(f"server ready control={control_port} port={port}", file=sys.stderr, flush=True)
    await watch


if __name__ == "__main__":
    asyncio.run(main())
