import Archive
import CSQLite
import ChatModel
import Foundation
import Moves
import Reading
import TestSupport

/// Random uses of 1,000 accounts, at most 100 of them hot. Each use of a cold account restores it, and evicts another
/// one.
struct AccountMoves {
    private let crowd: AccountCrowd
    /// The number of evictions and restores.
    private let count: Int
    private var random = SeededGenerator(seed: 2)
    private var cold: Set<String> = []

    /// The accounts that are moved, and those that may stay uncompressed.
    private static let accounts = 1000
    private static let limits = HotLimits(accounts: 100)

    private init(crowd: AccountCrowd, count: Int) {
        (self.crowd, self.count) = (crowd, count)
    }

    static func measure() async throws -> [String] {
        Table.title("\(accounts) accounts, at most \(limits.accounts ?? 0) hot, random evictions and restores")
        let count = Scale.choose("evictions and restores", 1500, long: 20_000)
        var moves = AccountMoves(crowd: try await AccountCrowd(accounts), count: count)
        _ = try moves.evict()
        try await moves.move()
        let orphans = try moves.orphans()
        Table.row("files that nothing names", "\(orphans.count)", "(none)")
        for account in moves.crowd.indices { try moves.crowd.requireWhole(account) }
        Table.row("messages compared", "\(moves.crowd.counts.reduce(0, +))", "(all there)")
        return orphans.isEmpty ? [] : ["nothing names \(orphans.prefix(10).joined(separator: ", "))"]
    }

    private mutating func move() async throws {
        var (restored, evicted) = (0, 0)
        var (reading, writing, evicting) = (Sample(), Sample(), Sample())
        while restored + evicted < count {
            let account = Int.random(in: crowd.indices, using: &random)
            if cold.remove(AccountCrowd.name(account)) != nil { restored += 1 }
            if Bool.random(using: &random) {
                let query = try AccountCrowd.latest(account)
                let page = try reading.measure { try crowd.archive.reading().page(query) }
                try crowd.require(page, of: account)
            } else {
                try await writing.measure { try await crowd.write(account) }
            }
            evicted += try evicting.measure { try evict() }
        }
        let time = reading.total + writing.total + evicting.total
        let rate = Int(Double(restored + evicted) / time)
        Table.row("evictions and restores", "\(evicted) and \(restored), \(rate) a second")
        Table.row("a page, 9 of 10 times with a restore", reading.microseconds)
        Table.row("a message, 9 of 10 times with a restore", writing.microseconds)
        Table.row("bringing them under the limit, 9 of 10 times an eviction", evicting.microseconds)
    }

    /// - Returns: The number of evicted accounts.
    private mutating func evict() throws -> Int {
        let report = try crowd.archive.evictOver(Self.limits)
        guard report.failed.isEmpty, !report.isOver, cold.isDisjoint(with: report.evicted.map(\.account)) else {
            throw BenchmarkError("the accounts could not be brought under the limit: \(report)")
        }
        cold.formUnion(report.evicted.map(\.account))
        guard crowd.counts.count - cold.count == report.accounts else {
            throw BenchmarkError("\(report.accounts) accounts are hot, not \(crowd.counts.count - cold.count)")
        }
        return report.evicted.count
    }

    /// Returns the files in the folder other than the locks and the files that the catalog names.
    private func orphans() throws -> [String] {
        let catalog = try BareConnection(path: crowd.archive.folder + "/catalog.sqlite", readOnly: true)
        let rows = try catalog.prepare(
            "SELECT directory, generation || iif(cold_sha256 IS NULL, '.sqlite', '.sqlite.zst') FROM account")
        var named: Set = ["catalog.sqlite", "accounts", "accounts/.making"]
        while sqlite3_step(rows) == SQLITE_ROW {
            let folder = "accounts/" + String(cString: sqlite3_column_text(rows, 0))
            let file = folder + "/" + String(cString: sqlite3_column_text(rows, 1))
            named.formUnion([folder, folder + "/lock", folder + "/writer", file])
            if file.hasSuffix(".sqlite") { named.formUnion([file + "-wal", file + "-shm"]) }
        }
        return try FileManager.default.subpathsOfDirectory(atPath: crowd.archive.folder)
            .filter { !named.contains($0) }
    }
}
