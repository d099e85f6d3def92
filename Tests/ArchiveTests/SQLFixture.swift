import Archive
import ChatModel
import Files
import Foundation
import SQLQueries

@testable import Accounts
@testable import Writing

/// Many accounts, and the messages that were stored in them.
struct SQLFixture {
    struct Said: Hashable {
        let account: String
        let id: Int64
        let sender: String
        let body: String

        var at: String { Timestamp(microseconds: id).description }
    }

    let fixture: ArchiveFixture
    /// All messages, by account and id.
    private(set) var said: [Said] = []

    init() throws {
        fixture = try ArchiveFixture()
    }

    static let people = ["alice", "bob", "민수"]
    static let words = ["coffee", "tea", "서버가 죽었다"]

    /// Stores up to 9 messages in each of some accounts. Some ids are the same in several accounts.
    mutating func fill(accounts: Int) async throws {
        for number in 0..<accounts {
            let name = "net\(number)"
            let writer = try await fixture.openWriter(name)
            let session = try await writer.openSession()
            var events: [ChatEvent] = []
            for index in 0..<(number * 7 % 10) {
                let offset = Int64(1 + index * 1000 + number % 5 + index * (number % 7) * 3_000_000_000)
                let sender = Self.people[(number + index) % 3]
                let body = "\(Self.words[(number + index * 2) % 3]) \(index)"
                events.append(.said(body, at: offset, by: sender, in: session))
                let id = ArchiveFixture.day.advanced(byMicroseconds: offset).microseconds
                said.append(Said(account: name, id: id, sender: sender, body: body))
            }
            if !events.isEmpty { _ = try await writer.append(events) }
            try await writer.close()
        }
    }

    /// Returns the rows of a statement, each as its values in words.
    ///
    /// - Parameter places: The number of account files that are open at once.
    func rows(
        _ sql: String, accounts: [String] = [], places: Int = 300, limit: ReadLimit = ReadLimit(),
        zone: Zone = .gmt, cold: ColdReading = .alone
    ) async throws -> [[String]] {
        let archive = Archive(folder: fixture.archive.folder, openConnections: places, cold: cold)
        let query = try SQLQuery(
            sql, accounts: accounts, in: archive.reading(), limit: limit, zone: zone, now: ArchiveFixture.day)
        var rows: [[String]] = []
        while let row = try query.next() { rows.append(row.map(\.word)) }
        return rows
    }
}

extension SQLCell {
    var word: String {
        switch self {
        case .null: "NULL"
        case .integer(let value): String(value)
        case .real(let value): String(value)
        case .text(let text): text
        case .blob(let bytes): "\(bytes)"
        }
    }
}
