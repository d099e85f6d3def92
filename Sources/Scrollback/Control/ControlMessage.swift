import ChatModel

/// What a command asks the listener: one JSON object a line, of which `command` says the kind.
enum ControlRequest: Sendable, Hashable {
    case status
    case change(StoreChange)

    /// More than any request takes; a peer that sends more without a line's end is let go.
    static let maximumSize = 64 * 1024
}

extension ControlRequest: Codable {
    private enum CodingKeys: String, CodingKey {
        case command, account, room, through
    }

    private enum Command: String, Codable {
        case status
        case markRead = "mark-read"
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .command)
        switch Command(rawValue: name) {
        case .status:
            self = .status
        case .markRead:
            self = .change(
                .markRead(
                    account: try container.decode(String.self, forKey: .account),
                    room: try container.decode(Int64.self, forKey: .room),
                    through: try container.decodeIfPresent(MessageID.self, forKey: .through)))
        case nil:
            throw UnknownCommand(name: name)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .status:
            try container.encode(Command.status, forKey: .command)
        case .change(.markRead(let account, let room, let through)):
            try container.encode(Command.markRead, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(room, forKey: .room)
            try container.encodeIfPresent(through, forKey: .through)
        }
    }

    /// Of a newer program, most likely.
    struct UnknownCommand: Error {
        let name: String
    }
}

/// What the listener answers: one JSON object a line.
struct ControlReply: Sendable, Hashable, Codable {
    var accounts: [AccountStatus]?
    /// False for a change to an account that this listener does not write.
    var done: Bool?
    /// For people.
    var error: String?

    init(accounts: [AccountStatus]) {
        self.accounts = accounts
    }

    init(done: Bool) {
        self.done = done
    }

    init(error: String) {
        self.error = error
    }
}
