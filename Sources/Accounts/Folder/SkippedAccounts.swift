package import ChatModel
import Synchronization

/// The accounts that the answers of an archive lack, in the order in which they were found. Reports each of them once.
package final class SkippedAccounts: Sendable {
    private let accounts = Mutex<(all: [SkippedAccount], known: Set<SkippedAccount>)>(([], []))
    private let report: @Sendable ([SkippedAccount]) -> Void

    package init(report: @escaping @Sendable ([SkippedAccount]) -> Void) {
        self.report = report
    }

    package var all: [SkippedAccount] {
        accounts.withLock(\.all)
    }

    /// Removes an account that can be read again.
    package func remove(_ account: String) {
        accounts.withLock { accounts in
            guard !accounts.all.isEmpty else { return }
            accounts.all.removeAll { $0.account.map { $0.utf8.elementsEqual(account.utf8) } ?? false }
        }
    }

    func add(_ skipped: [SkippedAccount]) {
        let new = accounts.withLock { accounts in
            accounts.all += skipped.filter { !accounts.all.contains($0) }
            return skipped.filter { accounts.known.insert($0).inserted }
        }
        if !new.isEmpty { report(new) }
    }
}
