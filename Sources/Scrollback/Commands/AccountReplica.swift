import ChatModel
import Rendering
import Replication

/// The copy of an account in a shared archive.
struct AccountReplica: Sendable {
    enum State: String, Sendable {
        case upToDate = "up_to_date"
        case behind
        /// The shared archive does not have the account.
        case missing
        /// Compared with the file, without a difference.
        case equal
        case different
        /// The file changed while it was compared.
        case changed
    }

    var account: String
    var state: State
    /// The number of changes that the copy lacks; nil if the copy is missing.
    var changesLeft: Int64?
    /// The time at which the copy was last complete; nil if it is unknown.
    var caughtUpAt: Timestamp?
    /// The number of changes that were copied now; nil if nothing was to be copied.
    var copied: Int64?
    /// The number of compared rows; nil if nothing was compared.
    var rows: Int64?
    var differences: [Verification.Difference] = []

    init(account: String, state: State, changesLeft: Int64? = nil) {
        (self.account, self.state, self.changesLeft) = (account, state, changesLeft)
    }

    /// Adds the result of a comparison; nil if the file changed meanwhile.
    mutating func add(_ verification: Verification?) {
        guard let verification else { return state = .changed }
        (rows, differences) = (verification.rows, verification.differences)
        state = differences.isEmpty ? .equal : .different
    }

    /// The status for people, such as `libera: 12 changes behind, last complete at 2026-11-21T06:23:11.123456Z`.
    var text: String {
        let name = Sanitizer.line(account)
        guard let left = changesLeft else { return "\(name): not in the shared archive yet" }
        return "\(name): " + (left == 0 ? "up to date" : "\(Int(left).of("change")) behind")
            + (caughtUpAt.map { ", last complete at \($0)" } ?? "")
    }
}

extension AccountReplica {
    /// The keys of `scrollback replicate`.
    static let listing = Listing<AccountReplica>(
        name: "accounts", columns: [],
        keys: ["account", "state", "changes_left", "caught_up_at", "copied", "rows", "differences"],
        json: { replica in
            .object([
                "account": .string(replica.account), "state": .string(replica.state.rawValue),
                "changes_left": JSONValue(replica.changesLeft), "caught_up_at": JSONValue(replica.caughtUpAt),
                "copied": JSONValue(replica.copied), "rows": JSONValue(replica.rows),
                "differences": .array(replica.differences.map { JSONValue($0) }),
            ])
        })
}

extension JSONValue {
    fileprivate init(_ difference: Verification.Difference) {
        self = .object([
            "table": .string(difference.table), "room": JSONValue(difference.room),
            "month": JSONValue(difference.month),
            "rows_of_file": .number(difference.rowsOfFile), "rows_shared": .number(difference.rowsShared),
        ])
    }
}
