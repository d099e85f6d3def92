import ChatModel
import SQLite

@testable import Checks
@testable import Writing

/// An account for checks, and changes of its file.
extension ArchiveFixture {
    /// The time that is so many microseconds after ``day``.
    static func after(_ microseconds: Int64) -> Timestamp { day.advanced(byMicroseconds: microseconds) }

    /// Two sessions with a journal, two rooms, a rename, ties, a deleted message, and a gap.
    func fill(_ writer: AccountWriter) async throws {
        let first = try await writer.openSession(at: Self.after(0))
        let bytes = Array("al::0123\0".utf8)
        let other = RoomReference(key: "#x", name: "#x", kind: .channel)
        _ = try await writer.append([
            .chunk(JournalChunk(session: first, offset: 0, receivedAt: Self.after(10), bytes: bytes)),
            .chunk(JournalChunk(session: first, offset: 9, receivedAt: Self.after(20), bytes: bytes)),
            .said("0123", at: 10, by: "al", in: first, remoteID: "1:0"),
            .said("0123", at: 20, by: "al", in: first, remoteID: "1:9"), .parsed(session: first, upTo: 18),
            .said("elsewhere", at: 25, in: first, room: other),
        ])
        _ = try await writer.append(
            (0..<20).map { .said("tie \($0)", at: 30, in: first) } + [
                .userRenamed(
                    session: first, fromKey: "al", to: UserReference(key: "alice", name: "alice"), at: Self.after(60)),
                .sessionEnded(session: first, at: Self.after(100), reason: .lost, detail: nil),
            ])
        let second = try await writer.openSession(at: Self.after(1000))
        _ = try await writer.append([
            .chunk(JournalChunk(session: second, offset: 0, receivedAt: Self.after(1010), bytes: bytes)),
            .said("0123", at: 1010, by: "alice", in: second, remoteID: "2:0"), .parsed(session: second, upTo: 9),
            .sessionEnded(session: second, at: Self.after(1100), reason: .stopped, detail: nil),
        ])
    }

    func problems(_ names: [String] = []) async throws -> [AccountCheck.Problem] {
        try archive.check(accounts: names).flatMap(\.problems)
    }

    /// Changes the file as a mistaken program would.
    func tamper(_ sql: String) throws {
        let queue = try DatabaseQueue(path: try file(), prepare: { try $0.execute(sql: "PRAGMA foreign_keys = OFF") })
        try queue.sync { db in
            try db.execute(sql: "PRAGMA ignore_check_constraints = ON; " + sql)
        }
        try queue.close()
    }
}
