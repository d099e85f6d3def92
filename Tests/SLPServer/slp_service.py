"""The HTTP side of the workspace service, both generations, misbehaving on command; slp_server.py runs it.

What it is to be and to do is posted to /control/service/…, as JSON. The account is alice@example.net with the password
"secret" and the app key "key".
"""

import asyncio
import datetime
import email.utils
import json
import re
import time
import uuid

from aiohttp import web

START = datetime.datetime(2024, 1, 5, 9, 0, 0, tzinfo=datetime.timezone.utc)


HOUR = 3_600_000


def stamp(milliseconds):
    """The service's own way to write a time; from milliseconds after START."""
    moment = START + datetime.timedelta(milliseconds=milliseconds)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


class Refused(Exception):
    def __init__(self, code):
        self.code = code


class Workspaces:
    """All that the service knows. What is said in a room is told to those in `heard`, functions of room and message."""

    def __init__(self, generation=2):
        self.generation = generation
        self.last_id = 0
        # What `set` may change.
        self.access_seconds, self.refresh_seconds = 3600, 3_600_000
        self.inclusive = False  # a cursor's own instant is in the answer
        self.doubled = False  # every message comes twice
        self.backwards = False  # newest first
        self.bare = False  # null where that may be
        self.other_ids = False  # ids of the other kind
        self.list_first = False  # `chats` before the other keys
        self.clock = 0  # milliseconds that the service's is ahead
        self.access, self.refresh = {}, {}  # tokens and when they end
        self.faults = []
        self.calls = []
        self.tokens_made = {"login": 0, "refresh": 0}
        self.sent = 0  # bytes of history that the kernel or a buffer of 64 KiB has taken
        self.most_refreshing = self.refreshing = 0
        self.heard = []
        self.may_break = asyncio.Event()
        self.unanswered = []
        self.users = [self.user(name) for name in ("alice", "bob", "carol")]
        self.me = self.users[0]
        self.workspaces = []
        self.rooms = {}
        self.files = {}

    # What there is

    def new_id(self):
        self.last_id += 1
        number = 1000 + self.last_id
        integers = (self.generation == 1) != self.other_ids
        return number if integers else str(uuid.UUID(int=number << 64))

    def user(self, name):
        return {
            "user_id": self.new_id(), "email": f"{name}@example.net", "nickname": name,
            "profileImage": None,
        }

    def profile(self):
        return dict(self.me, phone=None, **{"vendor" if self.generation == 1 else "provider": "email"})

    def workspace(self, order):
        """{name, image = null}"""
        image = "thumbnail" if self.generation == 1 else "coverImage"
        made = {
            "workspace_id": self.new_id(), "name": order["name"], "description": None, image: order.get("image"),
            "owner_id": self.me["user_id"], "createdAt": stamp(self.last_id),
        }
        self.workspaces.insert(0, made)
        return {"id": str(made["workspace_id"])}

    def channel(self, order):
        """{workspace, name, chats = 0, ties = 1, mine = true, elements = 0, bytes = 0}: so many messages, so many of them
        at each instant; or a stream of so many elements, of so many bytes each, that is made while it is sent."""
        room = self.room("channel", order, name=order["name"], mine=order.get("mine", True))
        return {"id": str(room["id"])}

    def direct(self, order):
        """{workspace, partner = "bob", chats = 0, ties = 1}"""
        partner = next(u for u in self.users if u["nickname"] == order.get("partner", "bob"))
        room = self.room("direct", order, partner=partner)
        return {"id": str(room["id"]), "partner": str(partner["user_id"])}

    def room(self, kind, order, **more):
        room = {
            "id": self.new_id(), "kind": kind, "workspace": order["workspace"], "chats": [], "gone": False,
            "createdAt": stamp(self.last_id - HOUR), "huge": (order.get("elements", 0), order.get("bytes", 0)), **more,
        }
        self.rooms[str(room["id"])] = room
        for number in range(order.get("chats", 0)):
            room["chats"].append(self.chat(room, f"message {number}", number // order.get("ties", 1)))
        return room

    def say(self, order):
        """{room, content, at = now, user = "bob", files = [], times = 1}: a message, so many milliseconds after START, which is
        heard so many times."""
        room = self.rooms[order["room"]]
        user = next(u for u in self.users if u["nickname"] == order.get("user", "bob"))
        chat = self.chat(room, order["content"], order.get("at", self.now()), user, order.get("files", []))
        room["chats"].append(chat)
        self.tell(room, chat, order.get("times", 1))

    def echo(self, order):
        """{room, content, user = "alice"}: a message is heard, and its POST not answered yet: no history has it."""
        room = self.rooms[order["room"]]
        user = next(u for u in self.users if u["nickname"] == order.get("user", "alice"))
        chat = self.chat(room, order["content"], self.now(), user)
        self.unanswered.append((room, chat))
        self.tell(room, chat, 1)

    def answer(self, order):
        """{}: the POSTs of all that was echoed are answered: history has them."""
        for room, chat in self.unanswered:
            room["chats"].append(chat)
        self.unanswered = []

    def edit(self, order):
        """{room, content, to, times = 1}: the message that says so says something else, which is heard so many times."""
        room = self.rooms[order["room"]]
        chat = next(chat for chat in room["chats"] if chat["content"] == order["content"])
        chat["content"] = order["to"]
        self.tell(room, chat, order.get("times", 1))

    def tell(self, room, chat, times):
        for _ in range(times):
            for heard in self.heard:
                heard(room, dict(chat))

    def now(self):
        now = datetime.datetime.now(datetime.timezone.utc) - START
        return now / datetime.timedelta(milliseconds=1) + self.clock

    def chat(self, room, content, milliseconds, user=None, files=()):
        chat = {"content": content, "createdAt": stamp(milliseconds), "files": list(files), "user": user or self.users[1]}
        if room["kind"] == "channel":
            return {"channel_id": room["id"], "channelName": room["name"], "chat_id": self.new_id(), **chat}
        return {"dm_id": self.new_id(), "room_id": room["id"], **chat}

    def rename(self, order):
        """{room, name}"""
        self.rooms[order["room"]]["name"] = order["name"]

    def nick(self, order):
        """{user, to}: somebody has another nickname, also in what history tells of before."""
        next(u for u in self.users if u["nickname"] == order["user"])["nickname"] = order["to"]

    def picture(self, order):
        """{user, path} or {workspace, path}: another picture, null for none."""
        if "user" in order:
            next(u for u in self.users if u["nickname"] == order["user"])["profileImage"] = order["path"]
        else:
            workspace = self.find_workspace(order["workspace"])
            workspace["thumbnail" if self.generation == 1 else "coverImage"] = order["path"]

    def describe(self, order):
        """{room, description, owner = "alice"}"""
        room = self.rooms[order["room"]]
        room["description"] = order["description"]
        room["owner"] = next(u for u in self.users if u["nickname"] == order.get("owner", "alice"))["user_id"]

    def leave(self, order):
        """{room}: the account is in that channel no more."""
        self.rooms[order["room"]]["mine"] = False

    def join(self, order):
        """{room}"""
        self.rooms[order["room"]]["mine"] = True

    def delete(self, order):
        """{room}"""
        self.rooms[order["room"]]["gone"] = True

    def orphan(self, order):
        """{room}: the other one of that direct room has no account any more, and is not told."""
        self.rooms[order["room"]]["orphan"] = True

    def misstate(self, order):
        """{room}: that channel is listed without its id."""
        self.rooms[order["room"]]["misstated"] = True

    def garble(self, order):
        """{room, content, keys}: the message that says so is no message any more, as these of it are of another kind."""
        chat = next(chat for chat in self.rooms[order["room"]]["chats"] if chat["content"] == order["content"])
        chat.update({key: {} for key in order["keys"]}, at=chat["createdAt"])

    def file(self, order):
        """{path, bytes, first = 0, tag = "1", chunked = false, begins = ""}: a file of so many bytes; another `first` is another
        content, which `tag` tells, null for nothing that tells it. How long it is goes untold where it is `chunked`. Its first
        bytes are those of `begins`, in hexadecimal."""
        first = order.get("first", 0)
        content = bytes((first + i) % 251 for i in range(order["bytes"]))
        begins = bytes.fromhex(order.get("begins", ""))
        content = begins + content[len(begins):]
        self.files[order["path"]] = (content, order.get("tag", '"1"'), order.get("chunked", False))

    def set(self, order):
        """{inclusive, doubled, backwards, bare, other_ids, list_first, clock, access_seconds, refresh_seconds}"""
        for name, value in order.items():
            setattr(self, name, value)

    def expire(self, order):
        """{access, refresh}: which tokens end now."""
        for name, wanted in order.items():
            if wanted:
                setattr(self, name, dict.fromkeys(getattr(self, name), 0.0))

    def forget(self, order):
        """{}: no token is known any more."""
        self.access, self.refresh = {}, {}

    def fault(self, order):
        """{path, times = 1, after = 0} and one of {code}, {status, body}, {location}, {hang}, {abort}, {stall: bytes},
        {cut: bytes} with `break_off` to follow, {spoil: bytes}, {trickle: bytes, every: seconds}, {pause: seconds}, {say: order},
        {expire: order}: what becomes of calls whose path has that expression in it; `say` is heard when the answer is made and not
        yet sent, and what `expire` says has expired when the call comes. Of requests to Socket.IO: {abort}.
        Of namespaces that are asked for: {refuse}, {close}, {abort}, {say: order}, which is heard before they are granted, {delete: room},
        {rename: room, to}."""
        self.faults.append(dict(order, times=order.get("times", 1), after=order.get("after", 0)))

    async def broken_off(self, request):
        """When the client has what was sent: async-http-client (1.37.0) drops what it has not handed over by then."""
        await self.may_break.wait()
        self.may_break.clear()
        request.transport.close()

    def break_off(self, order):
        """{}: the answer that is cut ends here."""
        self.may_break.set()

    def take_fault(self, path):
        for fault in self.faults:
            if fault["times"] > 0 and re.search(fault["path"], path):
                if fault["after"] > 0:
                    fault["after"] -= 1
                    continue
                fault["times"] -= 1
                return fault
        return {}

    def said(self):
        """All that there is to be archived."""
        return [
            {
                "room": room["name"] if room["kind"] == "channel" else room["partner"]["nickname"],
                "id": str(chat["chat_id"] if room["kind"] == "channel" else chat["dm_id"]), "content": chat["content"],
            }
            for room in self.rooms.values() for chat in room["chats"] if chat["content"] != {}
        ]

    def state(self):
        rooms = self.rooms.values()
        return {
            "calls": self.calls, "sent": self.sent, "mostRefreshing": self.most_refreshing, **self.tokens_made,
            "joined": [str(room["id"]) for room in rooms if room.get("mine")],
        }

    # Who may

    def token(self, kind, seconds):
        token = f"{kind}-{uuid.uuid4()}"
        getattr(self, kind)[token] = time.monotonic() + seconds
        return token

    def check(self, request):
        if request.headers.get("SesacKey") != "key":
            raise Refused("E01")
        if request.path == "/v1/users/login":
            return
        end = self.access.get(request.headers.get("Authorization"))
        if end is None:
            raise Refused("E02")
        if end <= time.monotonic() and request.path != "/v1/auth/refresh":
            raise Refused("E05")

    def log_in(self, order):
        if not isinstance(order, dict) or "email" not in order or "password" not in order:
            raise Refused("E11")
        if (order["email"], order["password"]) != (self.me["email"], "secret"):
            raise Refused("E03")
        self.tokens_made["login"] += 1
        tokens = {
            "accessToken": self.token("access", self.access_seconds),
            "refreshToken": self.token("refresh", self.refresh_seconds),
        }
        return {**self.profile(), **(tokens if self.generation == 1 else {"token": tokens})}

    def refreshed(self, request):
        end = self.refresh.get(request.headers.get("RefreshToken"))
        if end is None:
            raise Refused("E02")
        if end <= time.monotonic():
            raise Refused("E06")
        if self.access[request.headers["Authorization"]] > time.monotonic():
            raise Refused("E04")
        self.tokens_made["refresh"] += 1
        return {"accessToken": self.token("access", self.access_seconds)}

    # What is asked for

    def find_workspace(self, id):
        for workspace in self.workspaces:
            if str(workspace["workspace_id"]) == id:
                return workspace
        raise Refused("E13")

    def find_room(self, kind, workspace, key, by_id=False):
        """Generation 1 has channels by name, and the history of direct rooms by the partner."""
        self.find_workspace(workspace)
        for id, room in self.rooms.items():
            if room["kind"] == kind and room["workspace"] == workspace and not room["gone"]:
                by_other = room["name"] if kind == "channel" else str(room["partner"]["user_id"])
                if key == (id if by_id or self.generation == 2 else by_other):
                    return room
        raise Refused("E13")

    def channels(self, workspace, only_mine):
        self.find_workspace(workspace)
        return [
            {
                "channel_id": {} if room.get("misstated") else room["id"], "name": room["name"],
                "description": room.get("description"), "owner_id": room.get("owner", self.me["user_id"]),
                "createdAt": room["createdAt"],
            }
            for room in self.rooms.values()
            if room["kind"] == "channel" and room["workspace"] == workspace and not room["gone"]
            and (room["mine"] or not only_mine)
        ]

    def directs(self, workspace):
        self.find_workspace(workspace)
        return [
            {"room_id": room["id"], "createdAt": room["createdAt"], "user": None if self.bare or "orphan" in room else room["partner"]}
            for room in self.rooms.values()
            if room["kind"] == "direct" and room["workspace"] == workspace and not room["gone"]
        ]

    def chats(self, room, cursor):
        """Oldest first, after the cursor; each as JSON."""
        elements, size = room["huge"]
        if elements:
            yield from self.made(room, elements, size)
        after = datetime.datetime.fromisoformat(cursor) if cursor else None
        def at(chat):
            return chat.get("at", chat["createdAt"])

        for chat in sorted(room["chats"], key=at, reverse=self.backwards):
            moment = datetime.datetime.fromisoformat(at(chat))
            if after is None or moment > after or (self.inclusive and moment == after):
                shown = dict(chat, content=None, files=None, user=None, more={"new": [1]}) if self.bare else chat
                text = json.dumps(shown, ensure_ascii=False)
                yield from [text, text] if self.doubled else [text]

    def made(self, room, elements, size):
        chat = self.chat(room, "가\"}]" * (size // 6), 0)
        head, tail = json.dumps(chat, ensure_ascii=False).split(str(chat["chat_id"]), 1)
        for number in range(elements):
            yield f"{head}{number if self.generation == 1 else uuid.UUID(int=number)}{tail}"


def refusal(code):
    return web.json_response({"errorCode": code}, status=500 if code == "E99" else 400)


async def failed(request, fault):
    """The answer to a call that fails before it begins; None where it does not."""
    if "code" in fault:
        return refusal(fault["code"])
    if "location" in fault:
        return web.Response(status=302, headers={"Location": fault["location"]})
    if "status" in fault:
        return web.Response(status=fault["status"], text=fault.get("body", ""))
    if "hang" in fault:
        await asyncio.sleep(3600)
    if "abort" in fault:
        request.transport.abort()
    if "pause" in fault:
        await asyncio.sleep(fault["pause"])
    return None


async def stream(service, request, parts, fault):
    """Sends parts as they are taken; cut, stalled or spoiled after so many bytes."""
    response = web.StreamResponse(headers={"Content-Type": "application/json"})
    if "say" in fault:
        parts = list(parts)
        service.say(fault["say"])
    await response.prepare(request)
    left = next((fault[name] for name in ("cut", "stall", "spoil") if name in fault), None)
    async for piece in pieces(parts):
        if "trickle" in fault:
            await trickle(response, piece, fault)
            continue
        await response.write(piece if left is None else piece[:left])
        service.sent += len(piece)
        if left is not None:
            left = max(0, left - len(piece))
        if left == 0:
            break
    if left == 0 and "stall" in fault:
        await asyncio.sleep(3600)
    if left == 0 and "cut" in fault:
        await service.broken_off(request)
        return response
    if left == 0:
        await response.write(b'{"errorCode": "E05"}')
    await response.write_eof()
    return response


async def trickle(response, piece, fault):
    for start in range(0, len(piece), fault["trickle"]):
        await response.write(piece[start:start + fault["trickle"]])
        await asyncio.sleep(fault["every"])


async def pieces(parts):
    """In bytes of 64 KiB or somewhat more."""
    piece = bytearray()
    for part in parts:
        piece += part.encode()
        if len(piece) >= 64 * 1024:
            yield bytes(piece)
            piece.clear()
    yield bytes(piece)


def history(service, room, cursor):
    def joined():
        for number, chat in enumerate(service.chats(room, cursor)):
            yield ("," if number else "") + chat

    if room["kind"] == "channel" or service.generation == 2:
        yield "["
        yield from joined()
        yield "]"
        return
    around = f'"workspace_id": {json.dumps(room["workspace"])}, "room_id": {json.dumps(room["id"])}'
    yield '{"chats": [' if service.list_first else f'{{{around}, "chats": ['
    yield from joined()
    yield f"], {around}}}" if service.list_first else "]}"


def add_routes(app, service):
    """The service under /v1, and what a test asks for under /control/service; needs ``middleware``."""
    router = app.router

    async def date(request, response):
        now = START + datetime.timedelta(milliseconds=service.now())
        response.headers["Date"] = email.utils.format_datetime(now, usegmt=True)

    app.on_response_prepare.append(date)

    def get(path, answer):
        async def handle(request):
            return web.json_response(answer(request, **request.match_info))

        router.add_get("/v1" + path, handle)

    first = service.generation == 1

    async def login(request):
        try:
            order = await request.json()
        except ValueError:
            order = None
        return web.json_response(service.log_in(order))

    router.add_post("/v1/users/login", login)

    async def refresh(request):
        service.refreshing += 1
        service.most_refreshing = max(service.most_refreshing, service.refreshing)
        # Others may come meanwhile.
        await asyncio.sleep(0.02)
        service.refreshing -= 1
        return web.json_response(service.refreshed(request))

    router.add_get("/v1/auth/refresh", refresh)
    get("/users/my" if first else "/users/me", lambda request: service.profile())
    get("/workspaces", lambda request: service.workspaces)
    get("/workspaces/{w}", lambda request, w: {
        **service.find_workspace(w), "workspaceMembers": service.users, "channels": service.channels(w, False)})
    get("/workspaces/{w}/members", lambda request, w: service.find_workspace(w) and service.users)
    get("/workspaces/{w}/channels/my" if first else "/workspaces/{w}/my-channels",
        lambda request, w: service.channels(w, True))
    get("/workspaces/{w}/dms", lambda request, w: service.directs(w))
    get("/workspaces/{w}/channels/{c}/members",
        lambda request, w, c: service.find_room("channel", w, c) and service.users[:2])

    for kind, part in (("channel", "channels"), ("direct", "dms")):
        async def chats(request, kind=kind):
            room = service.find_room(kind, request.match_info["w"], request.match_info["r"])
            if kind == "channel":
                room["mine"] = True
            parts = history(service, room, request.query.get("cursor_date"))
            return await stream(service, request, parts, request["fault"])

        router.add_get(f"/v1/workspaces/{{w}}/{part}/{{r}}/chats", chats)

        def unread(request, w, r, kind=kind):
            room = service.find_room(kind, w, r, by_id=kind == "direct")
            after = request.query.get("after")
            count = sum(1 for _ in service.chats(room, after)) if after else 0
            return {"channel_id" if kind == "channel" else "room_id": room["id"], "name": room.get("name"), "count": count}

        get(f"/workspaces/{{w}}/{part}/{{r}}/unreads", unread)

    async def file(request):
        content, tag, chunked = service.files.get(request.path.removeprefix("/v1"), (None, None, False))
        if content is None:
            raise Refused("E97")
        asked = re.fullmatch(r"bytes=(\d+)-", request.headers.get("Range", ""))
        start = int(asked[1]) if asked and tag and request.headers.get("If-Range", tag) == tag else 0
        headers = {} if chunked else {"Content-Length": str(len(content) - start)}
        if tag:
            headers["ETag"] = tag
        if start:
            headers["Content-Range"] = f"bytes {start}-{len(content) - 1}/{len(content)}"
        response = web.StreamResponse(status=206 if start else 200, headers=headers)
        await response.prepare(request)
        cut = request["fault"].get("cut")
        await response.write(content[start:] if cut is None else content[start:][:cut])
        if cut is not None:
            await service.broken_off(request)
        return response

    router.add_get("/v1/static/{tail:.*}", file)

    async def anything(request):
        raise Refused("E11" if first and request.path.startswith("/v1/users/") else "E97")

    router.add_route("*", "/v1/{tail:.*}", anything)

    orders = (
        "workspace", "channel", "direct", "say", "echo", "answer", "edit", "rename", "nick", "leave", "join", "delete",
        "orphan", "garble", "file", "picture", "describe", "set", "expire", "forget",
        "fault", "break_off", "misstate",
    )
    for name in orders:
        async def control(request, action=getattr(service, name)):
            return web.json_response(action(await request.json()) or {"id": ""})

        router.add_post(f"/control/service/{name}", control)

    async def state(request):
        return web.json_response(service.state())

    router.add_get("/control/service/", state)

    async def said(request):
        return web.json_response(service.said())

    router.add_get("/control/service/said", said)


def middleware(service):
    """Remembers calls, has them fail as a test wants, and lets in who may."""

    @web.middleware
    async def watch(request, handler):
        if not request.path.startswith("/v1/"):
            return await handler(request)
        service.calls.append(f"{request.method} {request.raw_path.removeprefix('/v1')}")
        fault = request["fault"] = service.take_fault(request.raw_path)
        service.expire(fault.get("expire", {}))
        try:
            answer = await failed(request, fault)
            if answer is None:
                service.check(request)
                answer = await handler(request)
            return answer
        except Refused as refused:
            return refusal(refused.code)

    return watch
