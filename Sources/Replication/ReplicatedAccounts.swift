import ChatModel
import Files
import Reading

/// The accounts of a data folder: how far each is replicated, and which are next.
struct ReplicatedAccounts: Sendable {
    private(set) var all: [String: Account] = [:]
    /// The accounts whose files changed, by name.
    private var waiting: [String] = []
    private var lastLook = ContinuousClock.now - .seconds(3600)
    private var lastList = ContinuousClock.now - .seconds(3600)
    private var lastSign = ContinuousClock.now

    struct Account: Sendable {
        var lag = ReplicationLag()
        /// The number in the shared archive; nil until the first transaction.
        var id: Int64?
        /// The state of the file when it was last read to its end; nil if it must be read.
        var stamp: FileStamp?
        var path: String?
        var isTaken = false
        /// When the progress of a long copy was last logged, and how many changes were left then.
        var lastReport: (time: ContinuousClock.Instant, left: Int64)?
        /// No attempt is made before this instant, after an error of the account alone.
        var notBefore = ContinuousClock.now
    }

    /// The time between two looks at the accounts' files.
    static let interval = Duration.milliseconds(100)
    /// The time between two looks for new accounts.
    private static let listInterval = Duration.seconds(5)
    /// The time between two signs that accounts without changes are up to date.
    private static let signInterval = Duration.seconds(5)
    /// The largest number of accounts that share a transaction.
    private static let group = 32

    subscript(name: String) -> Account? {
        get { all[name] }
        set { all[name] = newValue }
    }

    /// Changes every account.
    mutating func changeAll(_ change: (inout Account) -> Void) {
        all = all.mapValues { account in
            var account = account
            change(&account)
            return account
        }
    }

    /// Returns true now and then, when it is time for ``update(to:)``.
    mutating func isListDue() -> Bool {
        guard ContinuousClock.now - lastList >= Self.listInterval else { return false }
        lastList = .now
        return true
    }

    /// Adds new accounts, and removes those that were erased.
    mutating func update(to names: [String]) {
        for name in names where all[name] == nil { all[name] = Account() }
        for name in Set(all.keys).subtracting(names) where all[name]?.isTaken == false { all[name] = nil }
    }

    /// Returns the accounts whose files to look at; nil if it is not time for that.
    mutating func candidates() -> [(name: String, path: String?, stamp: FileStamp?)]? {
        guard waiting.isEmpty, ContinuousClock.now - lastLook >= Self.interval else { return nil }
        lastLook = .now
        return all.filter { !$0.value.isTaken && $0.value.notBefore <= .now }
            .map { ($0.key, $0.value.path, $0.value.stamp) }
    }

    mutating func wait(for names: [String]) { waiting = names.sorted() }

    /// Takes accounts that share their transactions. One with much to replicate has its own.
    mutating func take() -> [String] {
        var names: [String] = []
        while names.count < Self.group, let name = waiting.popLast() {
            guard let account = all[name], !account.isTaken else { continue }
            let isLong = account.lag.left ?? 0 > MirrorBatch.usualCount
            if isLong, !names.isEmpty {
                waiting.append(name)
                break
            }
            all[name]?.isTaken = true
            names.append(name)
            if isLong { break }
        }
        return names
    }

    mutating func giveBack(_ names: [String]) {
        for name in names { all[name]?.isTaken = false }
    }

    /// Returns, now and then, the numbers of the accounts that are up to date.
    mutating func toSign() -> [Int64] {
        guard ContinuousClock.now - lastSign >= Self.signInterval else { return [] }
        lastSign = .now
        return all.values.filter { $0.stamp != nil && !$0.isTaken }.compactMap(\.id).sorted()
    }
}
