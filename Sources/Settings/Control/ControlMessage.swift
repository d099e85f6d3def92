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
    private enum CodingKeys: String, CodingKey {
        case command, account, room, rooms, through, lines, unread, questions, files, after, rebuild, rules,
            place, hold, name, names, source, forgetting, merging, bridging
    }

    private enum Command: String, Codable {
        case status
        case markRead = "mark-read"
        case importLines = "import"
        case indexStep = "index"
        case unread
        case requestAttachments = "attachments"
        case backfill
        case purge
        case hold
        case release
        case forget
        case eraseRoom = "erase-room"
        case merge
        case setOwnNames = "own-names"
        case bridge
        case dropFiles = "drop-files"
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let name = try container.decode(String.self, forKey: .command)
        switch Command(rawValue: name) {
        case .status:
            self = .status
        case .markRead:
            self = .change(
                .markRead(
                    account: try container.decode(String.self, forKey: .account),
                    rooms: try container.decode([Int64].self, forKey: .rooms),
                    through: try container.decodeIfPresent(MessageID.self, forKey: .through)))
        case .importLines:
            self = .change(
                .importLines(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode([ImportedLine].self, forKey: .lines),
                    isUnread: try container.decodeIfPresent(Bool.self, forKey: .unread) ?? false))
        case .indexStep:
            self = .change(
                .indexStep(
                    account: try container.decode(String.self, forKey: .account),
                    rebuild: try container.decodeIfPresent(Bool.self, forKey: .rebuild) ?? false))
        case .unread:
            self = .unread(
                account: try container.decode(String.self, forKey: .account),
                try container.decode([UnreadQuestion].self, forKey: .questions))
        case .backfill:
            self = .backfill(
                account: try container.decode(String.self, forKey: .account),
                room: try container.decodeIfPresent(Int64.self, forKey: .room),
                after: try container.decodeIfPresent(Timestamp.self, forKey: .after))
        case .requestAttachments:
            self = .change(
                .requestAttachments(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode(AttachmentRequest.self, forKey: .files)))
        case .purge:
            self = .change(
                .purge(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode(RetentionRules.self, forKey: .rules),
                    from: try container.decodeIfPresent(PurgePlace.self, forKey: .place)))
        case .hold:
            self = .change(
                .hold(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode(Hold.self, forKey: .hold)))
        case .release:
            self = .change(
                .release(
                    account: try container.decode(String.self, forKey: .account),
                    hold: try container.decode(String.self, forKey: .name)))
        case .forget:
            self = .change(
                .forget(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode(Forgetting.self, forKey: .forgetting),
                    from: try container.decodeIfPresent(ForgettingPlace.self, forKey: .place)))
        case .eraseRoom:
            self = .change(
                .eraseRoom(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode(Int64.self, forKey: .room),
                    from: try container.decodeIfPresent(ErasingPlace.self, forKey: .place)))
        case .merge:
            self = .change(
                .merge(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode(Merging.self, forKey: .merging),
                    from: try container.decodeIfPresent(MergingPlace.self, forKey: .place)))
        case .setOwnNames:
            self = .change(
                .setOwnNames(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode([String].self, forKey: .names),
                    from: try container.decode(OwnNameSource.self, forKey: .source)))
        case .bridge:
            self = .change(
                .bridge(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode(Bridging.self, forKey: .bridging),
                    from: try container.decodeIfPresent(MergingPlace.self, forKey: .place)))
        case .dropFiles:
            self = .change(
                .dropFiles(
                    account: try container.decode(String.self, forKey: .account),
                    try container.decode([String].self, forKey: .files)))
        case nil:
            throw UnknownCommand(name: name)
        }
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .status:
            try container.encode(Command.status, forKey: .command)
        case .change(.markRead(let account, let rooms, let through)):
            try container.encode(Command.markRead, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(rooms, forKey: .rooms)
            try container.encodeIfPresent(through, forKey: .through)
        case .change(.importLines(let account, let lines, let isUnread)):
            try container.encode(Command.importLines, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(lines, forKey: .lines)
            if isUnread { try container.encode(true, forKey: .unread) }
        case .unread(let account, let questions):
            try container.encode(Command.unread, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(questions, forKey: .questions)
        case .change(.indexStep(let account, let rebuild)):
            try container.encode(Command.indexStep, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(rebuild, forKey: .rebuild)
        case .backfill(let account, let room, let after):
            try container.encode(Command.backfill, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encodeIfPresent(room, forKey: .room)
            try container.encodeIfPresent(after, forKey: .after)
        case .change(.requestAttachments(let account, let request)):
            try container.encode(Command.requestAttachments, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(request, forKey: .files)
        case .change(.purge(let account, let rules, let place)):
            try container.encode(Command.purge, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(rules, forKey: .rules)
            try container.encodeIfPresent(place, forKey: .place)
        case .change(.hold(let account, let hold)):
            try container.encode(Command.hold, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(hold, forKey: .hold)
        case .change(.release(let account, let name)):
            try container.encode(Command.release, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(name, forKey: .name)
        case .change(.forget(let account, let request, let place)):
            try container.encode(Command.forget, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(request, forKey: .forgetting)
            try container.encodeIfPresent(place, forKey: .place)
        case .change(.eraseRoom(let account, let room, let place)):
            try container.encode(Command.eraseRoom, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(room, forKey: .room)
            try container.encodeIfPresent(place, forKey: .place)
        case .change(.merge(let account, let request, let place)):
            try container.encode(Command.merge, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(request, forKey: .merging)
            try container.encodeIfPresent(place, forKey: .place)
        case .change(.setOwnNames(let account, let names, let source)):
            try container.encode(Command.setOwnNames, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(names, forKey: .names)
            try container.encode(source, forKey: .source)
        case .change(.bridge(let account, let request, let place)):
            try container.encode(Command.bridge, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(request, forKey: .bridging)
            try container.encodeIfPresent(place, forKey: .place)
        case .change(.dropFiles(let account, let files)):
            try container.encode(Command.dropFiles, forKey: .command)
            try container.encode(account, forKey: .account)
            try container.encode(files, forKey: .files)
        }
    }

    /// A command that this version does not have, probably of a newer program.
    package struct UnknownCommand: Error {
        package let name: String
    }
}

/// The listener's answer: one JSON object a line.
package struct ControlReply: Sendable, Hashable, Codable {
    package var accounts: [AccountStatus]?
    /// False for an account that this listener doesn't have.
    package var done: Bool?
    /// The further result of a change.
    package var outcome: StoreOutcome?
    package var answers: [UnreadAnswer]?
    /// The number of rooms whose history is requested.
    package var rooms: Int?
    /// An error for people.
    package var error: String?

    package init(rooms: Int) {
        done = true
        self.rooms = rooms
    }

    package init(answers: [UnreadAnswer]) {
        done = true
        self.answers = answers
    }

    package init(accounts: [AccountStatus]) {
        self.accounts = accounts
    }

    package init(done: Bool) {
        self.done = done
    }

    package init(outcome: StoreOutcome) {
        done = true
        self.outcome = outcome
    }

    package init(error: String) {
        self.error = error
    }
}
