"""The XMPP clients."""

ALL = []
