import ChatModel
import Foundation
import SQLite
import TestSupport
import Testing

@testable import Archive
@testable import Checks
@testable import Reading
@testable import Rescue
@testable import Schema
@testable import Writing

/// An archive whose file is damaged, and the archive into which a rescue brings what can be read.
struct RescueFixture {
    let source: ArchiveFixture

    init() throws { source = try ArchiveFixture() }

    var target: Archive { Archive(folder: source.folder.path + "/rescued") }

    /// Fills an account until its tables have several pages.
    func fill(seed: UInt64 = 1, messages: Int = 3000) async throws {
        let writer = try await source.openWriter()
        var random = RandomArchive(seed: seed)
        try await random.write(to: writer, rounds: 60)
        let session = try await writer.openSession(at: ArchiveFixture.day.advanced(byMicroseconds: Self.later))
        for first in stride(from: 0, to: messages, by: 500) {
            _ = try await writer.append(
                (first..<min(first + 500, messages)).map {
                    .said(
                        "메시지 \($0) \(String(repeating: "text ", count: $0 % 40))",
                        at: Self.later + Int64($0 + 1) * 1_000_000, by: "user \($0 % 50)", in: session,
                        remoteID: "r\($0)")
                })
        }
        _ = try await writer.append([
            .said(String(repeating: "long 긴 ", count: 2000), at: Self.later + 9_000_000_000, in: session)
        ])
        try await writer.close()
        try source.vacuum("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    static let later: Int64 = 40_000_000_000

    func rescue() async throws -> RescueReport { try target.rescue(try source.file()) }

    /// Returns all messages of an archive in order.
    func messages(_ archive: Archive) async throws -> [Message] {
        var (all, cursor) = ([Message](), MessageQuery.Anchor.latest)
        while true {
            let page = try archive.reading().page(
                MessageQuery(scope: .accounts(["demo"]), anchor: cursor, limit: 1000))
            all = page.messages + all
            guard let older = page.older else { return all }
            cursor = .before(older)
        }
    }

    func checkRescued(_ comment: Comment? = nil) async throws {
        let check = try #require(try target.check().first)
        #expect(check.problems == [], comment)
    }

    /// Returns the pages of a tree, by SQLite itself.
    func pages(of name: String, type: String = "leaf") throws -> [Int] {
        let queue = try DatabaseQueue(path: try source.file())
        defer { try? queue.close() }
        return try queue.read { db in
            try Int.fetchAll(
                db, sql: "SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ? ORDER BY path",
                arguments: [name, type])
        }
    }

    func write(_ bytes: [UInt8], page: Int, at offset: Int = 0) throws {
        let handle = try #require(FileHandle(forWritingAtPath: try source.file()))
        try handle.seek(toOffset: UInt64((page - 1) * 4096 + offset))
        try handle.write(contentsOf: bytes)
        try handle.close()
    }

    /// The whole of a damaged file, as it was written before.
    struct Original {
        var bytes: Data
        /// The rooms of the messages, by their ids.
        var rooms: [MessageID: Int64]
    }

    /// Damages the original file, rescues it, and checks what came back.
    ///
    /// - Returns: The number of messages that are lost.
    @discardableResult
    func rescueDamaged(
        _ original: Original, _ comment: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ damage: (inout Data) -> Void
    ) async throws -> Int {
        var bytes = original.bytes
        damage(&bytes)
        try FileManager.default.removeItemIfThere(target.folder)
        let path = source.folder.path + "/damaged.sqlite"
        try bytes.write(to: URL(fileURLWithPath: path))
        let report = try target.rescue(path, as: AccountIdentity(name: "demo", network: "streamchat"))
        let after = Set(try await messages(target).map(\.id))
        let before = Set(original.rooms.keys)
        #expect(
            after.subtracting(before) == [], "\(comment): messages that nobody sent", sourceLocation: sourceLocation)
        let lost = before.subtracting(after)
        #expect(
            lost.isEmpty || report.losses.contains { $0.what == .messages }, "\(comment): \(lost.count) lost silently",
            sourceLocation: sourceLocation)
        for id in lost {
            let isCovered = try covered(id, original.rooms[id])
            #expect(!isCovered, "\(comment): \(id) is lost without a gap", sourceLocation: sourceLocation)
        }
        let problems = try target.check().flatMap(\.problems)
        #expect(problems == [], "\(comment)", sourceLocation: sourceLocation)
        return lost.count
    }

    /// True if the rescued file claims that a room is complete at an instant, or that a log has it.
    private func covered(_ id: MessageID, _ room: Int64?) throws -> Bool {
        let folder = try FileManager.default.contentsOfDirectory(atPath: target.folder + "/accounts")
            .first { !$0.hasPrefix(".") }
        let queue = try DatabaseQueue(path: "\(target.folder)/accounts/\(try #require(folder))/1.sqlite")
        defer { try? queue.close() }
        return try queue.read { db in
            try Bool.fetchOne(
                db,
                sql: """
                    SELECT EXISTS (SELECT 1 FROM coverage JOIN session ON session.id = session_id
                      WHERE room_id = ?1 AND from_us <= ?2 AND ifnull(to_us, heard_until_us) >= ?2)
                      OR EXISTS (SELECT 1 FROM imported_span WHERE room_id = ?1 AND from_us <= ?2 AND to_us >= ?2)
                    """,
                arguments: [room, id.microseconds]) ?? false
        }
    }

    /// Imports lines into the account, which is made if it is missing.
    func importLog(_ lines: [ImportedLine]) async throws {
        _ = try await source.store(lines, into: ArchiveFixture.account)
        try source.vacuum("PRAGMA wal_checkpoint(TRUNCATE)")
    }

    /// - Parameter log: The log to import as well.
    func original(messages count: Int = 3000, log: [ImportedLine] = []) async throws -> Original {
        try await fill(messages: count)
        if !log.isEmpty { try await importLog(log) }
        let queue = try DatabaseQueue(path: try source.file())
        defer { try? queue.close() }
        let rooms = try queue.read { db in
            try db.all(sql: "SELECT id, room_id FROM message") { row in
                (MessageID(microseconds: try row.value(0)), try row.value(1) as Int64)
            }
        }
        return Original(
            bytes: try Data(contentsOf: URL(fileURLWithPath: source.file())),
            rooms: Dictionary(rooms, uniquingKeysWith: { first, _ in first }))
    }
}

extension FileManager {
    fileprivate func removeItemIfThere(_ path: String) throws {
        if fileExists(atPath: path) { try removeItem(atPath: path) }
    }
}
