package import ChatModel

extension AccountSummary {
    /// The columns and keys of `scrollback accounts`.
    package static func listing(time: LocalTime) -> Listing<AccountSummary> {
        Listing(
            name: "accounts",
            columns: [
                Column(heading: "ACCOUNT") { $0.account },
                Column(heading: "NETWORK") { $0.network },
                Column(heading: "MESSAGES", alignment: .right) { String($0.messages) },
                Column(heading: "ROOMS", alignment: .right) { String($0.rooms) },
                Column(heading: "FIRST", isMoved: true) { time.shown($0.firstMessage?.time) },
                Column(heading: "LAST") { time.shown($0.lastMessage?.time) },
                Column(heading: "CREATED", isMoved: true) { time.shown($0.createdAt) },
                Column(heading: "STATE") { $0.state.rawValue },
                Column(heading: "SIZE", alignment: .right) {
                    $0.state == .shared ? "-" : ByteCount($0.bytes).description
                },
                Column(heading: "COLD", alignment: .right, isMoved: true) {
                    $0.coldBytes.map { ByteCount($0).description } ?? "-"
                },
                Column(heading: "USED", isMoved: true) { time.shown($0.usedAt) },
                Column(heading: "IN USE BY", isMoved: true) {
                    $0.writer.map { $0.isEmpty ? "a process" : $0 } ?? ($0.isInUse ? "a reader" : "-")
                },
                Column(heading: "FOLDER", isMoved: true) { $0.folder },
            ],
            keys: [
                "account", "network", "folder", "created_at", "messages", "rooms", "first_message", "last_message",
                "bytes", "writer", "state", "cold_bytes", "used_at", "in_use",
            ],
            json: { JSONValue($0) })
    }
}

extension AccountSummary: JSONRepresentable {
    package var jsonValue: JSONValue {
        .object([
            "account": .string(account),
            "network": .string(network),
            "folder": .string(folder),
            "created_at": JSONValue(createdAt),
            "messages": .number(messages),
            "rooms": .number(rooms),
            "first_message": JSONValue(firstMessage),
            "last_message": JSONValue(lastMessage),
            "bytes": state == .shared ? .null : .number(bytes),
            "writer": JSONValue(writer),
            "state": .string(state.rawValue),
            "cold_bytes": coldBytes.map(JSONValue.number) ?? .null,
            "used_at": JSONValue(usedAt),
            "in_use": .bool(isInUse),
        ])
    }
}
