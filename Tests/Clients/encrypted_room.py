#!/usr/bin/env python3
"""Sends encrypted messages to a room of a Matrix homeserver, and keeps the key backup of the account that reads them, as clients do.

usage: encrypted_room.py STATE begin SERVER ROOM SENDER_TOKEN OWNER OWNER_TOKEN
       encrypted_room.py STATE say SESSION TEXT [EVENT]   prints the event's id; with EVENT, the text is an edit of that
       encrypted_room.py STATE back-up SESSION            puts the session's key into the backup

STATE is a file of its own. `begin` makes the backup and the secret storage, and prints the recovery key. A session is made when its name
is first used. The forms are those of the Matrix specification 1.19 (Megolm, m.megolm_backup.v1.curve25519-aes-sha2, secret storage).
"""

import base64
import hashlib
import hmac
import json
import os
import secrets
import sys
import urllib.request
from urllib.parse import quote

from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ed25519, x25519
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

RAW = (serialization.Encoding.Raw, serialization.PublicFormat.Raw)
DIGITS = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"


def text(data):
    return base64.b64encode(data).decode().rstrip("=")


def derived(key, info, count):
    return HKDF(hashes.SHA256(), count, bytes(32), info).derive(key)


def mac(key, data):
    return hmac.new(key, data, hashlib.sha256).digest()


def cbc(key, iv, plain):
    pad = 16 - len(plain) % 16
    cipher = Cipher(algorithms.AES(key), modes.CBC(iv)).encryptor()
    return cipher.update(plain + bytes([pad]) * pad) + cipher.finalize()


class State:
    """What the script keeps between its calls."""

    def __init__(self, path):
        self.path = path
        self.values = json.load(open(path)) if os.path.exists(path) else {"sessions": {}}

    def save(self):
        with open(self.path, "w") as file:
            json.dump(self.values, file)

    def call(self, method, path, body, token):
        request = urllib.request.Request(
            f"{self.values['server']}/_matrix/client/v3{path}", method=method, data=json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": "Bearer " + self.values[token]})
        return json.load(urllib.request.urlopen(request))

    def session(self, name):
        new = {"key": secrets.token_bytes(32).hex(), "ratchet": secrets.token_bytes(128).hex()}
        return self.values["sessions"].setdefault(name, new | {"first": new["ratchet"], "index": 0})


def signer(session):
    return ed25519.Ed25519PrivateKey.from_private_bytes(bytes.fromhex(session["key"]))


def public(session):
    return signer(session).public_key().public_bytes(*RAW)


def encrypted(session, plain):
    """Returns a Megolm message, and moves the session on. Only the last part of the ratchet changes before message 256."""
    ratchet = bytes.fromhex(session["ratchet"])
    keys = derived(ratchet, b"MEGOLM_KEYS", 80)
    cipher = cbc(keys[:32], keys[64:], plain)
    length = bytes([len(cipher) & 127 | 128, len(cipher) >> 7]) if len(cipher) > 127 else bytes([len(cipher)])
    message = b"\x03\x08" + bytes([session["index"]]) + b"\x12" + length + cipher
    message += mac(keys[32:64], message)[:8]
    message += signer(session).sign(message)
    session["ratchet"] = (ratchet[:96] + mac(ratchet[96:], b"\x03")).hex()
    session["index"] += 1
    assert session["index"] < 128
    return text(message)


def recovery_key(key):
    data = b"\x8b\x01" + key
    parity = 0
    for byte in data:
        parity ^= byte
    number, digits = int.from_bytes(data + bytes([parity]), "big"), ""
    while number:
        number, digit = divmod(number, 58)
        digits = DIGITS[digit] + digits
    return " ".join(digits[start : start + 4] for start in range(0, len(digits), 4))


def secret(key, name, plain):
    keys, iv = derived(key, name.encode(), 64), bytearray(secrets.token_bytes(16))
    # Some libraries count in 63 bits only.
    iv[8] &= 127
    cipher = Cipher(algorithms.AES(keys[:32]), modes.CTR(bytes(iv))).encryptor()
    data = cipher.update(plain) + cipher.finalize()
    return {"iv": text(bytes(iv)), "ciphertext": text(data), "mac": text(mac(keys[32:], data))}


def begin(state, server, room, sender_token, owner, owner_token):
    private, key = x25519.X25519PrivateKey.generate(), secrets.token_bytes(32)
    state.values |= {
        "server": server, "room": room, "sender": sender_token, "owner": owner_token,
        "device": text(secrets.token_bytes(32)), "public": private.public_key().public_bytes(*RAW).hex()}
    version = {
        "algorithm": "m.megolm_backup.v1.curve25519-aes-sha2",
        "auth_data": {"public_key": text(bytes.fromhex(state.values["public"])), "signatures": {}}}
    state.values["version"] = state.call("POST", "/room_keys/version", version, "owner")["version"]
    check = secret(key, "", bytes(32))
    raw = private.private_bytes(
        serialization.Encoding.Raw, serialization.PrivateFormat.Raw, serialization.NoEncryption())
    for kind, content in {
        "m.secret_storage.default_key": {"key": "k"},
        "m.secret_storage.key.k": {
            "algorithm": "m.secret_storage.v1.aes-hmac-sha2", "iv": check["iv"], "mac": check["mac"]},
        "m.megolm_backup.v1": {"encrypted": {"k": secret(key, "m.megolm_backup.v1", text(raw).encode())}},
    }.items():
        state.call("PUT", f"/user/{quote(owner)}/account_data/{kind}", content, "owner")
    print(recovery_key(key))


def say(state, name, body, event=None):
    session, room = state.session(name), state.values["room"]
    content = {"msgtype": "m.text", "body": body}
    if event:
        content = {
            "msgtype": "m.text", "body": "* " + body, "m.new_content": content,
            "m.relates_to": {"rel_type": "m.replace", "event_id": event}}
    plain = {"type": "m.room.message", "content": content, "room_id": room}
    sent = {
        "algorithm": "m.megolm.v1.aes-sha2", "sender_key": state.values["device"], "device_id": "D",
        "session_id": text(public(session)), "ciphertext": encrypted(session, json.dumps(plain).encode())}
    place = f"/rooms/{quote(room)}/send/m.room.encrypted/{secrets.token_hex(8)}"
    print(state.call("PUT", place, sent, "sender")["event_id"])


def back_up(state, name):
    session, own = state.session(name), x25519.X25519PrivateKey.generate()
    exported = b"\x01" + bytes(4) + bytes.fromhex(session["first"]) + public(session)
    plain = {
        "algorithm": "m.megolm.v1.aes-sha2", "forwarding_curve25519_key_chain": [], "sender_key": state.values["device"],
        "sender_claimed_keys": {"ed25519": text(secrets.token_bytes(32))}, "session_key": text(exported)}
    shared = own.exchange(x25519.X25519PublicKey.from_public_bytes(bytes.fromhex(state.values["public"])))
    keys = derived(shared, b"", 80)
    cipher = cbc(keys[:32], keys[64:], json.dumps(plain).encode())
    # The code is of no bytes, as libolm wrote it.
    data = {
        "ephemeral": text(own.public_key().public_bytes(*RAW)), "ciphertext": text(cipher),
        "mac": text(mac(keys[32:64], b"")[:8])}
    place = f"/room_keys/keys/{quote(state.values['room'])}/{quote(text(public(session)), safe='')}"
    entry = {"first_message_index": 0, "forwarded_count": 0, "is_verified": False, "session_data": data}
    state.call("PUT", f"{place}?version={state.values['version']}", entry, "owner")


def main():
    state = State(sys.argv[1])
    {"begin": begin, "say": say, "back-up": back_up}[sys.argv[2]](state, *sys.argv[3:])
    state.save()


main()
