import ChatModel
import SQLite
import TestSupport

@testable import Archive
@testable import Reading
@testable import Writing

/// A program's copy of an account, made of its feed alone.
struct FeedCopy {
    var messages: [MessageID: Message] = [:]
    var users: [Int64: User] = [:]
    var rooms: [Int64: Room] = [:]
    /// The last change that the copy has on disk.
    var position: FeedPosition?

    /// The subjects in which the copy differs from the archive.
    func differences(from archive: FeedCopy) -> [String] {
        Self.unequalEntries(messages, archive.messages) + Self.unequalEntries(users, archive.users)
            + Self.unequalEntries(rooms, archive.rooms)
    }

    private static func unequalEntries<Key, Value: Equatable>(_ a: [Key: Value], _ b: [Key: Value]) -> [String] {
        Set(a.keys).union(b.keys).filter { a[$0] != b[$0] }.map { key in
            "\(key): \(a[key].map { "\($0)" } ?? "none"), and in the archive \(b[key].map { "\($0)" } ?? "none")"
        }
    }

    init() {}

    /// The same of the archive itself, as readers of everything have it.
    init(of fixture: ArchiveFixture, _ archive: Archive) async throws {
        let reading = archive.reading()
        var walk = PageWalk(try fixture.query(.oldest, limit: 1000, room: nil))
        while let page = try walk.next({ try reading.page($0) }) {
            for message in page.messages { messages[message.id] = message.facts }
        }
        for user in try reading.users(scope: .accounts(["demo"])) { users[user.id] = user }
        for room in try reading.rooms() { rooms[room.id] = room.facts }
    }

    /// Takes changes until the feed ends, or until it is killed after some of them. What it has read since its last
    /// position is then read again.
    mutating func read(_ archive: Archive, batch: Int, killedAfter limit: Int = .max, saves: Int = 1) async throws {
        var feed = FeedReading(
            reading: archive.reading(), accounts: ["demo"], after: position, names: .then, batch: batch)
        var count = 0
        while let changes = try feed.next() {
            for change in changes {
                take(change)
                count += 1
                if count.isMultiple(of: saves) || change.kind == .reset { position = change.position }
                if count == limit { return }
            }
        }
    }

    private mutating func take(_ change: FeedChange) {
        switch change.subject {
        case .account: self = FeedCopy()
        case .message(let id, let message): messages[id] = message?.facts
        case .user(let id, let user): users[id] = user
        case .room(let id, let room, _): rooms[id] = room?.facts
        }
    }
}

extension Message {
    /// Without what is looked up of others: names, pictures, and the message that it answers.
    fileprivate var facts: Message {
        var message = self
        (message.room, message.workspace) = ("", nil)
        message.sender?.name = ""
        message.sender?.picture = nil
        message.reply = reply.map { Reply(remoteID: $0.remoteID) }
        message.reactions = reactions.map { Reaction(text: $0.text, by: $0.by.map { _ in "" }) }
        return message
    }
}

extension Room {
    /// Without what follows from messages.
    fileprivate var facts: Room {
        var room = self
        (room.messages, room.firstMessage, room.lastMessage) = (0, nil, nil)
        return room
    }
}

extension AccountWriter {
    /// Removes each row of the feed that has a later one of its kind and subject, as `Feed` permits.
    func fold() async throws {
        try await write { db in
            try db.execute(
                sql: """
                    DELETE FROM change WHERE seq NOT IN (SELECT max(seq) FROM change GROUP BY what, subject_id)
                    """)
        }
    }

    /// Gives the file another epoch, as a restored one has.
    func beginEpoch(_ name: String) async throws {
        try await write { db in try db.execute(sql: "UPDATE account SET epoch = ?", arguments: [name]) }
    }
}
