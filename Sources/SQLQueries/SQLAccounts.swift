import Accounts
import Bytes
import ChatModel
import Files

/// The accounts that an SQL statement reads, each in one transaction as long as there is place for it.
final class SQLAccounts {
    private let opened: [OpenAccount]
    /// The accounts' names in the order of their bytes, which is SQLite's order.
    let names: [String]
    private let indices: [ExactString: Int]
    let limit: ReadLimit
    /// The number of accounts that may be read at the same time.
    private let places: Int
    private var held: [Int: (read: HeldRead, lastUse: Int)] = [:]
    private var uses = 0
    /// The first error of an account, which SQLite knows only as a text.
    private(set) var failure: (any Error)?

    /// - Parameter places: The number of accounts that may be read at the same time, in addition to one for each table of
    ///   the statement.
    init(_ opened: [OpenAccount], limit: ReadLimit, places: Int) {
        self.opened = opened.sorted { $0.account.name.utf8.lexicographicallyPrecedes($1.account.name.utf8) }
        names = self.opened.map(\.account.name)
        indices = Dictionary(names.enumerated().map { (ExactString($1), $0) }) { first, _ in first }
        (self.limit, self.places) = (limit, places)
    }

    deinit { release() }

    /// Returns the accounts that have every one of the names; all for no name. Nil is a value that is no name.
    func named(_ names: [String?]) -> [Int] {
        guard let first = names.first else { return Array(self.names.indices) }
        guard let first, names.allSatisfy({ $0?.isExactly(first) ?? false }) else { return [] }
        return indices[ExactString(first)].map { [$0] } ?? []
    }

    /// True if all accounts can be read at the same time. Compressed ones are read one at a time.
    var fitTogether: Bool { opened.count <= places && opened.count(where: Self.isCold) <= 1 }

    private static func isCold(_ account: OpenAccount) -> Bool { account.isCopy }

    /// Returns a transaction of an account, and ends the least recently used ones that need its place.
    ///
    /// - Throws: ``ArchiveError``
    func hold(_ index: Int) throws -> HeldRead {
        uses += 1
        if let read = held[index]?.read {
            held[index]?.lastUse = uses
            return read
        }
        try limit.check()
        let account = opened[index]
        if Self.isCold(account) { try releaseCold(for: account) }
        while held.count >= places, releaseLeastUsed() {}
        let read = try ReadLimit.$current.withValue(limit) { try account.hold(HeldRead.init) }
        read.bound(by: limit)
        held[index] = (read, uses)
        return read
    }

    private func releaseLeastUsed() -> Bool {
        let idle = held.filter { $0.value.read.uses == 0 }
        guard let least = idle.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return false }
        held[least.key] = nil
        return true
    }

    /// Ends the transaction of another compressed account: there is one temporary copy at a time.
    private func releaseCold(for account: OpenAccount) throws {
        for (index, other) in held where Self.isCold(opened[index]) {
            guard other.read.uses == 0 else {
                throw ArchiveError(
                    code: .tooManyOpen,
                    detail: "the statement reads the compressed accounts '\(names[index])' and "
                        + "'\(account.account.name)' at the same time",
                    hint: "expand one of them: scrollback archive restore ACCOUNT")
            }
            held[index] = nil
        }
    }

    /// Ends all transactions. No scan may use one.
    func release() { held = [:] }

    /// Runs the body, and keeps its error as ``failure``.
    ///
    /// - Returns: What the body returns; nil after an error.
    func noting<T>(_ body: () throws -> T) -> T? {
        do {
            return try body()
        } catch {
            if failure == nil { failure = error }
            return nil
        }
    }
}
