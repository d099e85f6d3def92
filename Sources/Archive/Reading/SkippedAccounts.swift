import ChatModel
import Synchronization

/// The accounts that the answers of an archive lack, in the order in which they were found. Reports each of them once.
final class SkippedAccounts: Sendable {
    private let accounts = Mutex<(all: [SkippedAccount], known: Set<SkippedAccount>)>(([], []))
    private let report: @Sendable ([SkippedAccount]) -> Void

    init(report: @escaping @Sendable ([SkippedAccount]) -> Void) {
        self.report = report
    }

    var all: [SkippedAccount] {
        accounts.withLock(\.all)
    }

    func add(_ skipped: [SkippedAccount]) {
        let new = accounts.withLock { accounts in
            let new = skipped.filter { accounts.known.insert($0).inserted }
            accounts.all += new
            return new
        }
        if !new.isEmpty { report(new) }
    }
}
