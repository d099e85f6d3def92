import Archive
import ChatModel
import Foundation
import SQLite
import TestSupport

@testable import Reading
@testable import Writing

/// An archive in a folder of its own, with shorthand for what tests store.
final class ArchiveFixture: Sendable {
    let folder: TemporaryFolder
    let archive: Archive

    static let lobby = RoomReference(key: "", name: "lobby", kind: .server)
    static let account = AccountIdentity(name: "demo", network: "streamchat")
    /// 2026-11-21T00:00:00Z
    static let day = Timestamp(microseconds: 1_795_219_200_000_000)

    init() throws {
        folder = try TemporaryFolder()
        archive = Archive(folder: folder.path + "/data")
    }

    /// Shorthand for another archive in the folder of a fixture.
    init(_ archive: Archive, in fixture: ArchiveFixture) {
        (folder, self.archive) = (fixture.folder, archive)
    }

    func openWriter(_ name: String = "demo") async throws -> AccountWriter {
        try await archive.openWriter(AccountIdentity(name: name, network: "streamchat"))
    }

    /// The path of an account's database file.
    func file(of name: String = "demo", generation: Int = 1) throws -> String {
        let accounts = archive.folder + "/accounts"
        let folders = try FileManager.default.contentsOfDirectory(atPath: accounts).filter { $0.hasPrefix(name + "-") }
        return "\(accounts)/\(folders[0])/\(generation).sqlite"
    }

    /// Runs SQL on the file as another program would, while no writer has it open.
    func execute(_ sql: String, account: String = "demo") throws {
        let queue = try DatabaseQueue(path: try file(of: account))
        try queue.write { db in try db.execute(sql: sql) }
        try queue.close()
    }

    /// Runs SQL that no transaction may have.
    func vacuum(_ sql: String) throws {
        let queue = try DatabaseQueue(path: try file())
        try queue.sync { db in try db.execute(sql: sql) }
        try queue.close()
    }

    /// One value from the file, read as another program would.
    func value<T: DatabaseValueConvertible>(_ sql: String, account: String = "demo", generation: Int = 1) throws -> T? {
        let queue = try DatabaseQueue(
            path: try file(of: account, generation: generation), isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in try T.fetchOne(db, sql: sql) }
    }

    /// Every row of every table but the vocabulary, which depends on the order of transactions, and the counts, which an upgraded file
    /// gets later.
    func rows(_ account: String = "demo", generation: Int = 1) throws -> [String] {
        let queue = try DatabaseQueue(
            path: try file(of: account, generation: generation), isReadOnly: true)
        defer { try? queue.close() }
        return try queue.read { db in
            // The search index, which can't be scanned, keeps all in tables of its own.
            let sql = """
                SELECT name FROM sqlite_schema
                WHERE type = 'table' AND rootpage > 0 AND name NOT LIKE 'vocabulary%'
                  AND name NOT IN ('message_count', 'count_reach', 'room_span') ORDER BY name
                """
            return try String.fetchAll(db, sql: sql).flatMap { table in
                try db.allRows(sql: "SELECT * FROM \(table)") { "\(table) \($0.values)" }
            }
        }
    }

    func query(
        _ anchor: MessageQuery.Anchor = .latest, limit: Int = 50, room: Int64? = 1, accounts: [String] = ["demo"],
        hidesNoise: Bool = false, hidden: HiddenMessages = [], names: MessageQuery.Names = .then
    ) throws -> MessageQuery {
        let scope: MessageQuery.Scope = room.map { .room(account: accounts[0], id: $0) } ?? .accounts(accounts)
        return try MessageQuery(
            scope: scope, anchor: anchor, limit: limit, hidden: hidesNoise ? hidden.withJoins : hidden, names: names)
    }

    /// Pages from one end to the other and gives all bodies in time order.
    func walk(_ direction: MessageQuery.Anchor, limit: Int, query base: MessageQuery) async throws -> [Message] {
        var all: [Message] = []
        var anchor = direction
        while true {
            let query = try MessageQuery(
                scope: base.scope, anchor: anchor, limit: limit, hidden: base.hidden, names: base.names)
            let page = try archive.reading().page(query)
            if direction == .oldest {
                all += page.messages
                guard let newer = page.newer else { return all }
                anchor = .after(newer)
            } else {
                all = page.messages + all
                guard let older = page.older else { return all }
                anchor = .before(older)
            }
        }
    }
}

extension AccountWriter {
    func openSession(at time: Timestamp = ArchiveFixture.day) async throws -> SessionID {
        guard case .new(let id)? = try await append([.sessionOpened(at: time)]).first else { throw TestFailure() }
        let session = SessionID(rawValue: id)
        _ = try await append([.roomLive(session: session, room: ArchiveFixture.lobby, at: time)])
        return session
    }
}

struct TestFailure: Error {}

extension ChatEvent {
    /// A message `offset` microseconds after the day began.
    static func said(
        _ body: String, at offset: Int64, by name: String = "alice", in session: SessionID,
        kind: MessageKind = .message,
        room: RoomReference = ArchiveFixture.lobby, remoteID: String? = nil, sourceTime: Timestamp? = nil
    ) -> ChatEvent {
        .message(
            IncomingMessage(
                session: session, room: room, kind: kind, sender: UserReference(key: name, name: name), body: body,
                remoteID: remoteID, sourceTime: sourceTime,
                receivedAt: ArchiveFixture.day.advanced(byMicroseconds: offset)))
    }
}

extension ChatEvent {
    /// An edit, or what history has of an edited message, said `offset` and edited `edit` microseconds after the day began.
    static func said(
        _ body: String?, id remoteID: String, at offset: Int64, edit: Int64? = nil, deleted: Int64? = nil,
        receivedAt: Int64? = nil, by name: String? = "alice", in session: SessionID, kind: MessageKind = .message,
        isLive: Bool = false
    ) -> ChatEvent {
        func at(_ offset: Int64) -> Timestamp { ArchiveFixture.day.advanced(byMicroseconds: offset) }
        let message = IncomingMessage(
            session: session, room: ArchiveFixture.lobby, kind: kind,
            sender: name.map { UserReference(key: $0, name: $0) }, body: body, remoteID: remoteID,
            sourceTime: at(offset), receivedAt: at(receivedAt ?? max(edit ?? 0, deleted ?? 0, offset)),
            editedAt: edit.map(at), deletedAt: deleted.map(at))
        return isLive ? .message(message, .edit) : .message(message)
    }

    static func gone(id remoteID: String, at offset: Int64, in session: SessionID) -> ChatEvent {
        .deleted(
            MessageDeletion(
                session: session, room: ArchiveFixture.lobby, remoteID: remoteID,
                receivedAt: ArchiveFixture.day.advanced(byMicroseconds: offset)))
    }
}

extension Page {
    var bodies: [String] { messages.bodies }
}

extension [Message] {
    var bodies: [String] { compactMap(\.body) }
}
