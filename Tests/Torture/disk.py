"""A recorded run of a program, and what a power cut leaves of it.

A file has what was written before its last fsync. A folder has the names that it had at its last fsync. Later changes may or may not
have reached the disk.
"""

import os
import shutil
import struct

# Tests/CrashPoint/CrashPoint.c writes it: kind, lengths of two paths, a number, the length of the bytes.
HEAD = struct.Struct("=cHHqQ")
# kept: all unsynced changes. dropped: none. reordered: any of them. torn: most of them, some in part.
MODES = ["kept", "dropped", "reordered", "torn"]


class File:
    def __init__(self, content=b""):
        self.synced, self.pending = content, []

    def sync(self):
        self.synced, self.pending = self.content(self.pending), []

    def content(self, changes):
        if not changes:
            return self.synced
        content = bytearray(self.synced)
        for start, data in changes:
            if data is None:
                del content[start:]
                content.extend(bytes(start - len(content)))
            else:
                content.extend(bytes(max(0, start - len(content))))
                content[start : start + len(data)] = data
        return bytes(content)


class Folder:
    """`now` has the names that a program sees; `synced` those that are on disk."""

    def __init__(self):
        self.synced, self.now = {}, {}


class Recording:
    """`changes`: (kind, path, other path, number, bytes) in the order of their effects; kind `a` is output of the program."""

    def __init__(self, before, folder, log):
        """`before` is a copy of the folder from before the run."""
        self.before, self.changes = before, []
        with open(log, "rb") as file:
            bytes_ = file.read()
        place = 0
        while place < len(bytes_):
            kind, path, other, number, count = HEAD.unpack_from(bytes_, place)
            place += HEAD.size
            names = [bytes_[place : place + path].decode(), bytes_[place + path : place + path + other].decode()]
            place += path + other
            inside = [os.path.relpath(name, folder) if f"{name}/".startswith(f"{folder}/") else None for name in names]
            self.changes.append((kind.decode(), *inside, number, bytes_[place : place + count]))
            place += count
        self.outputs = [index for index, change in enumerate(self.changes) if change[0] == "a"]

    def output(self, cut):
        """The bytes that the program had written to its descriptors 1 to 3 before change number `cut`."""
        return b"".join(self.changes[index][4] for index in self.outputs if index < cut).decode()

    def disk(self, cut, is_unsynced=lambda path: False):
        disk = Disk(self.before)
        for change in self.changes[:cut]:
            disk.apply(change, is_unsynced)
        return disk


class Disk:
    """`pending`: changes of names that no fsync has reached, each a list of (folder, name, what the name is now)."""

    def __init__(self, before):
        self.top, self.pending = self.load(before), []

    def load(self, path):
        folder = Folder()
        for entry in os.scandir(path):
            if entry.is_dir():
                folder.now[entry.name] = self.load(entry.path)
            else:
                with open(entry.path, "rb") as file:
                    folder.now[entry.name] = File(file.read())
        folder.synced = dict(folder.now)
        return folder

    def place(self, path):
        """The folder of a path, and the name in it."""
        *folders, name = path.split("/")
        folder = self.top
        for part in folders:
            folder = folder.now.get(part)
            if not isinstance(folder, Folder):
                return None, name
        return folder, name

    def find(self, path):
        if path == ".":
            return self.top
        folder, name = self.place(path)
        return folder and folder.now.get(name)

    def change(self, *halves):
        for folder, name, node in halves:
            folder.now[name] = node
            if node is None:
                del folder.now[name]
        self.pending.append(halves)

    def apply(self, change, is_unsynced):
        kind, path, other, number, data = change
        if kind == "a" or path is None:
            return
        folder, name = self.place(path)
        node = self.find(path)
        if kind == "x":
            raise SystemExit(f"a call that the replay can't do changed {path}")
        if kind == "s":
            if node is not None and not is_unsynced(path):
                self.sync(node)
        elif kind == "w":
            if isinstance(node, File):
                node.pending.append((number, data))
        elif kind == "t":
            if isinstance(node, File):
                node.pending.append((number, None))
        elif kind == "o":
            if node is None and folder:
                self.change((folder, name, File()))
            elif number and node.content(node.pending):
                node.pending.append((0, None))
        elif kind == "m":
            self.change((folder, name, Folder()))
        elif kind == "u":
            self.change((folder, name, None))
        elif kind == "l":
            target, new = self.place(other)
            self.change((target, new, node))
        elif kind == "r":
            target, new = self.place(other)
            self.change((folder, name, None), (target, new, node))

    def sync(self, node):
        if isinstance(node, File):
            return node.sync()
        for halves in [halves for halves in self.pending if any(folder is node for folder, *_ in halves)]:
            self.settle(halves)
            self.pending.remove(halves)

    @staticmethod
    def settle(halves):
        for folder, name, node in halves:
            if node is None:
                folder.synced.pop(name, None)
            else:
                folder.synced[name] = node

    def cut_power(self, mode, random):
        """Decides which changes of names survive: in each folder the first ones. A change of two folders is one."""
        lost = set()
        for halves in self.pending:
            chance = {"kept": 0, "dropped": 1}.get(mode, 0.2)
            if random.random() < chance or any(id(folder) in lost for folder, *_ in halves):
                lost.update(id(folder) for folder, *_ in halves)
            else:
                self.settle(halves)

    def write(self, path, mode, random):
        """Writes what is left into a new folder, without SQLite's shared memory, which no restart has."""
        self.cut_power(mode, random)
        shutil.rmtree(path, ignore_errors=True)
        self.write_folder(self.top, path, mode, random)

    def write_folder(self, folder, path, mode, random):
        os.mkdir(path, 0o700)
        for name, node in folder.synced.items():
            inside = os.path.join(path, name)
            if isinstance(node, Folder):
                self.write_folder(node, inside, mode, random)
            elif not name.endswith("-shm"):
                content = node.content(list(survivors(node.pending, mode, random)))
                with open(os.open(inside, os.O_WRONLY | os.O_CREAT, 0o600), "wb") as file:
                    file.write(content)


def survivors(changes, mode, random):
    """The changes of a file's content that reach the disk."""
    if mode in ("kept", "dropped"):
        yield from changes if mode == "kept" else []
        return
    chance = 0.9 if mode == "torn" else random.choice([0.1, 0.5, 0.9])
    for start, data in changes:
        if random.random() >= chance:
            # The new size may be on disk before the data: zeros take their place.
            if data and random.random() < 0.2:
                yield start + len(data), b""
        elif data and mode == "torn" and random.random() < 0.5:
            yield from sectors(start, data, random)
        else:
            yield start, data


def sectors(start, data, random):
    """Some of the sectors of a write."""
    size = random.choice([512, 4096])
    place = start
    while place < start + len(data):
        end = min(start + len(data), (place // size + 1) * size)
        if random.random() < 0.5:
            yield place, data[place - start : end - start]
        place = end


def difference(disk, path):
    """The first difference of a folder from a replayed disk; None if the recorder has missed nothing."""
    def compare(folder, path, inside):
        names = {entry.name: entry for entry in os.scandir(path) if not entry.name.endswith("-shm")}
        for name in sorted(set(names) | {name for name in folder.now if not name.endswith("-shm")}):
            place = os.path.join(inside, name)
            node = folder.now.get(name)
            if name not in names or node is None or names[name].is_dir() != isinstance(node, Folder):
                return place
            if isinstance(node, Folder):
                if found := compare(node, names[name].path, place):
                    return found
                continue
            with open(names[name].path, "rb") as file:
                if file.read() != node.content(node.pending):
                    return place
        return None

    return compare(disk.top, path, "")
