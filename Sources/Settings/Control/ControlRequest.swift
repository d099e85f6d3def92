package import ChatModel

/// A request to the listener: one JSON object a line, whose `command` names its kind.
package enum ControlRequest: Sendable, Hashable {
    case status
    case change(StoreChange)
    /// Asks for the network's own counts of unread messages.
    case unread(account: String, [UnreadQuestion])
    /// Asks for missing history of one room or of all; with `after`, for all history since that time.
    case backfill(account: String, room: Int64?, after: Timestamp?)

    /// 8 MiB, more than any request has. A connection with a longer line is closed.
    ///
    /// The largest request is a batch of an import: 1,000 lines with up to 700 bytes besides their text, 256 KiB of
    /// text and 512 KiB of the last line, with up to six bytes for each byte.
    package static let maximumSize = 8 * 1024 * 1024
}

extension ControlRequest: Codable {
    /// The requests other than changes, whose commands are those of ``StoreChange/Kind``.
    private enum Command: String {
        case status, unread, backfill
    }

    package init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: ControlField.self)
        let name: String = try fields.value(.command)
        if let kind = StoreChange.Kind(rawValue: name) {
            self = .change(try StoreChange(kind, from: fields))
            return
        }
        self =
            switch Command(rawValue: name) {
            case .status: .status
            case .unread: try .unread(account: fields.value(.account), fields.value(.questions))
            case .backfill:
                try .backfill(
                    account: fields.value(.account), room: fields.optional(.room), after: fields.optional(.after))
            case nil: throw UnknownCommand(name: name)
            }
    }

    package func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: ControlField.self)
        switch self {
        case .change(let change):
            try change.encode(to: &fields)
        case .status:
            try fields.encode(Command.status.rawValue, forKey: .command)
        case .unread(let account, let questions):
            try fields.encode(Command.unread.rawValue, forKey: .command)
            try fields.encode(account, forKey: .account)
            try fields.encode(questions, forKey: .questions)
        case .backfill(let account, let room, let after):
            try fields.encode(Command.backfill.rawValue, forKey: .command)
            try fields.encode(account, forKey: .account)
            try fields.encodeIfPresent(room, forKey: .room)
            try fields.encodeIfPresent(after, forKey: .after)
        }
    }

    /// A command that this version does not have, probably of a newer program.
    package struct UnknownCommand: Error {
        package let name: String
    }
}

/// The fields of a request. Each kind of request has some of them.
enum ControlField: String, CodingKey {
    case command, account, room, rooms, through, lines, unread, questions, files, after, rebuild, rules,
        place, hold, name, names, source, forgetting, merging, bridging
}

extension KeyedDecodingContainer {
    /// Returns the value of a field, as the type that its place in the expression has.
    func value<Value: Decodable>(_ key: Key) throws -> Value {
        try decode(Value.self, forKey: key)
    }

    /// Returns the value of a field; nil if it is missing.
    func optional<Value: Decodable>(_ key: Key) throws -> Value? {
        try decodeIfPresent(Value.self, forKey: key)
    }
}
