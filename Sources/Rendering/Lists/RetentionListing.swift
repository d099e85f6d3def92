package import ChatModel

extension RetentionPart {
    /// Returns a count such as `1 message` or `12 files`.
    package func counted(_ count: Int64) -> String {
        switch self {
        case .messages: Int(count).of(.message)
        case .joins: Int(count).of("join")
        case .files: AttachmentText.files(Int(count))
        case .raw: Int(count).of("raw record")
        }
    }
}

extension Purge {
    /// The columns and keys of `scrollback retention plan` and `log`.
    ///
    /// - Parameter isPlan: True for what will be removed; false for what was.
    package static func listing(time: LocalTime, isPlan: Bool) -> Listing<Purge> {
        Listing(
            name: isPlan ? "plan" : "log",
            columns: (isPlan ? [] : [Column(heading: "REMOVED", isMoved: true) { time.shown($0.at) }]) + [
                Column(heading: "ROOM") { purge in purge.account + (purge.room.map { "/\($0)" } ?? "") },
                Column(heading: "WHAT", alignment: .right) { $0.part.counted($0.count) },
                Column(heading: "FROM") { time.dayAndSecond($0.first) },
                Column(heading: "TO") { time.dayAndSecond($0.last) },
                Column(heading: "RULE", isMoved: true) { $0.rule.text },
            ],
            keys: ["account", "room", "what", "count", "from", "to", "rule", "at"],
            json: { purge in
                .object([
                    "account": .string(purge.account), "room": JSONValue(purge.room),
                    "what": .string(purge.part.rawValue), "count": .number(purge.count),
                    "from": JSONValue(purge.first), "to": JSONValue(purge.last), "rule": .string(purge.rule.text),
                    "at": JSONValue(purge.at),
                ])
            })
    }
}

extension AccountHold {
    /// The columns and keys of `scrollback retention holds`.
    package static func listing(time: LocalTime) -> Listing<AccountHold> {
        Listing(
            name: "holds",
            columns: [
                Column(heading: "HOLD") { $0.hold.name },
                Column(heading: "ROOM") { hold in hold.account + (hold.room.map { "/\($0)" } ?? "") },
                Column(heading: "FROM") { time.shown($0.hold.start) },
                Column(heading: "TO") { time.shown($0.hold.end) },
                Column(heading: "SET", isMoved: true) { time.shown($0.hold.setAt) },
                Column(heading: "REASON", isShownEmpty: false, isMoved: true) { $0.hold.reason ?? "" },
            ],
            keys: ["name", "account", "room", "from", "to", "reason", "set_at"],
            json: { hold in
                .object([
                    "name": .string(hold.hold.name), "account": .string(hold.account), "room": JSONValue(hold.room),
                    "from": JSONValue(hold.hold.start), "to": JSONValue(hold.hold.end),
                    "reason": JSONValue(hold.hold.reason), "set_at": JSONValue(hold.hold.setAt),
                ])
            })
    }
}
