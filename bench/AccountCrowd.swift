import Archive
import ChatModel
import Foundation
import Reading
import TestSupport
import Writing

/// Many small accounts with known contents in one data folder.
final class AccountCrowd {
    /// Also the default of the configuration.
    static let openConnections = 64
    /// The number of messages of each account: more than a page.
    private static let messages = 60

    let archive: Archive
    private let folder: TemporaryFolder
    /// The number of messages of each account.
    private(set) var counts: [Int] = []

    var indices: Range<Int> { counts.indices }

    init(_ count: Int) async throws {
        folder = try TemporaryFolder()
        archive = Archive(
            folder: folder.path, logger: RoomLoadRun.silent, openConnections: Self.openConnections)
        for account in 0..<count {
            let writer = try await archive.openWriter(Self.identity(account))
            let session = try await SampleArchive.openSession(writer, at: SampleArchive.time(of: 0))
            _ = try await writer.append((0..<Self.messages).map { Self.event(account, $0, session) })
            try await writer.close()
            counts.append(Self.messages)
            if counts.count % 1000 == 0, counts.count < count { Progress.say("\(counts.count) accounts made") }
        }
    }

    static func identity(_ account: Int) -> AccountIdentity {
        AccountIdentity(name: "account\(account)", network: "streamchat")
    }

    static func name(_ account: Int) -> String { identity(account).name }

    /// Returns a query for the newest page of the account.
    static func latest(_ account: Int) throws -> MessageQuery {
        try MessageQuery(scope: .accounts([name(account)]))
    }

    /// Stores one more message.
    func write(_ account: Int, _ writer: AccountWriter) async throws {
        let event = Self.event(account, counts[account], SessionID(rawValue: 1))
        guard case .new? = try await writer.append([event]).first else {
            throw BenchmarkError("a message of \(Self.name(account)) is not new")
        }
        counts[account] += 1
    }

    /// Opens the account's writer and stores one more message, as a command does.
    func write(_ account: Int) async throws {
        let writer = try await archive.openWriter(Self.identity(account))
        try await write(account, writer)
        try await writer.close()
    }

    /// - Throws: ``BenchmarkError`` unless the page ends with the message that was written last.
    func require(_ page: Page, of account: Int) throws {
        try require(page.messages, of: account, are: counts[account] - page.messages.count..<counts[account])
        guard page.messages.count == 50 else { throw BenchmarkError("a page of \(page.messages.count)") }
    }

    /// Compares all messages of the account with all that were written to it.
    func requireWhole(_ account: Int) throws {
        let query = try MessageQuery(scope: .accounts([Self.name(account)]), anchor: .oldest, limit: 1000)
        try require(archive.reading().page(query).messages, of: account, are: 0..<counts[account])
    }

    private func require(_ messages: [Message], of account: Int, are numbers: Range<Int>) throws {
        let expected = numbers.map { Self.number(account, $0) }
        guard messages.map(\.body) == expected.map(SampleArchive.text),
            messages.map(\.id) == expected.map({ MessageID(SampleArchive.time(of: $0)) })
        else { throw BenchmarkError("\(Self.name(account)) has not what was written to it") }
    }

    /// Returns a number of the message. Each account has its own thousand numbers, so that no two accounts share a
    /// text.
    private static func number(_ account: Int, _ message: Int) -> Int { account * 1000 + message }

    private static func event(_ account: Int, _ message: Int, _ session: SessionID) -> ChatEvent {
        SampleArchive.event(number(account, message), session)
    }
}
