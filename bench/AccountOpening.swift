import Archive
import ChatModel
import Foundation
import Reading
import TestSupport
import Writing

/// Uses of random pages and messages of 10,000 accounts, uniformly distributed.
struct AccountOpening {
    private let crowd: AccountCrowd
    private var random = SeededGenerator(seed: 1)
    private var failures: [String] = []

    /// The accounts of the crowd, and those of a smaller one to compare with.
    private static let accounts = 10_000
    private static let fewerAccounts = 1000
    /// The limit for a page including everything that opening takes, in milliseconds.
    private static let openingLimit = 1.0
    private static let rounds = 4000
    /// The descriptors of all open connections: each has the file, its `-wal` and its `-shm`.
    private static let descriptorsOfConnections = 3 * AccountCrowd.openConnections
    /// The other descriptors: two locks of the account that is being opened, the catalog and its journal, a folder that
    /// is being read, and those of the runtime.
    private static let otherDescriptors = 20

    static func measure() async throws -> [String] {
        Table.title("Many accounts, at most \(AccountCrowd.openConnections) open, each use of a random one")
        let accounts = Scale.choose("accounts", fewerAccounts, long: accounts)
        var making = Sample()
        let crowd = try await making.measure { try await AccountCrowd(accounts) }
        Table.row("making them", String(format: "%.1f ms each", making.total * 1000 / Double(accounts)))
        try AccountLists(crowd: crowd).measure()
        var opening = AccountOpening(crowd: crowd)
        try await opening.useByName()
        try await opening.useHeld()
        return opening.failures
    }

    /// Uses accounts as a command does: each use finds the file by the account's name, and leaves nothing open.
    private mutating func useByName() async throws {
        let descriptors = try ProcessFigures.descriptors
        let (watch, memory) = (DescriptorWatch(), try ProcessFigures.memory)
        var (reading, writing) = (Sample(), Sample())
        for _ in 0..<Self.rounds {
            let account = Int.random(in: crowd.indices, using: &random)
            if Bool.random(using: &random) {
                let query = try AccountCrowd.latest(account)
                let page = try reading.measure { try crowd.archive.reading().page(query) }
                try crowd.require(page, of: account)
            } else {
                try await writing.measure { try await crowd.write(account) }
            }
        }
        report("found by name", reading, writing)
        try reportMemory(since: memory)
        reportDescriptors(
            watch.end(), limit: descriptors + Self.descriptorsOfConnections + Self.otherDescriptors,
            "\(AccountCrowd.openConnections) connections")
    }

    /// Uses accounts as a listener does: each account keeps the locks of a reader and a writer, and connections open
    /// and close.
    private mutating func useHeld() async throws {
        let descriptors = try ProcessFigures.descriptors
        let spare = Self.descriptorsOfConnections + Self.otherDescriptors + descriptors
        let (locks, available) = (3, ProcessFigures.raiseDescriptorLimit())
        let held = min(crowd.counts.count, (available - spare) / locks)
        let (watch, memory) = (DescriptorWatch(), try ProcessFigures.memory)
        var opening = Sample()
        var accounts: [(reading: ArchiveReading, writer: AccountWriter)] = []
        try await opening.measure {
            for account in 0..<held {
                let reading = try crowd.archive.reading(.accounts([AccountCrowd.name(account)]))
                accounts.append((reading, try await crowd.archive.openWriter(AccountCrowd.identity(account))))
            }
        }
        var (reading, writing) = (Sample(), Sample())
        for _ in 0..<Self.rounds {
            let account = Int.random(in: 0..<held, using: &random)
            if Bool.random(using: &random) {
                let query = try AccountCrowd.latest(account)
                let page = try reading.measure { try accounts[account].reading.page(query) }
                try crowd.require(page, of: account)
            } else {
                try await writing.measure { try await crowd.write(account, accounts[account].writer) }
            }
        }
        Table.row("holding \(held) of them", String(format: "%.1f ms each", opening.total * 1000 / Double(held)))
        report("held", reading, writing)
        try reportMemory(since: memory)
        reportDescriptors(
            watch.end(), limit: locks * held + spare,
            "\(locks) locks each and \(AccountCrowd.openConnections) connections")
        for account in accounts { try await account.writer.close() }
    }

    private mutating func report(_ how: String, _ reading: Sample, _ writing: Sample) {
        Table.row(
            "\(how): open and read a page", reading.microseconds,
            "(at most \(Self.openingLimit) ms), \(reading.processorNote)")
        Table.row("\(how): open and store a message", writing.microseconds, writing.processorNote)
        let median = reading.median * 1000
        if median > Self.openingLimit {
            failures.append(
                String(
                    format: "an account that is %@ takes %.2f ms to open and read a page, not at most %.1f", how,
                    median,
                    Self.openingLimit))
        }
    }

    private func reportMemory(since before: Int) throws {
        Table.row("resident memory, before and after", "\(before) MiB, \(try ProcessFigures.memory) MiB")
    }

    private mutating func reportDescriptors(_ most: Int, limit: Int, _ what: String) {
        Table.row("descriptors at once", "\(most)", "(at most \(limit): \(what))")
        if most > limit { failures.append("\(most) descriptors were open at once, not at most \(limit)") }
    }
}
