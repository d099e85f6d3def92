import CSQLite
import SQLite

/// A place in the rows of a view, of one account after the other or of all together.
final class SQLCursor {
    private let view: SQLView
    private let accounts: SQLAccounts
    private var plan: SQLPlan?
    private var values = SQLValues(nil, count: 0)
    /// The accounts that were not begun, the next one last.
    private var waiting: [Int] = []
    /// The accounts that are read, each at a row.
    private var scans: [SQLScan] = []
    /// The ids of those rows, if the rows of all accounts come by id.
    private var ids: [Int64] = []
    /// The place in ``scans`` of the row; nil at the end.
    private var current: Int?

    init(_ view: SQLView, _ accounts: SQLAccounts) {
        (self.view, self.accounts) = (view, accounts)
    }

    var isAtEnd: Bool { current == nil }

    /// Begins to read.
    ///
    /// - Throws: As ``SQLScan/step(limit:isMatch:)``.
    func begin(_ plan: SQLPlan, _ values: SQLValues) throws {
        (scans, ids, current) = ([], [], nil)
        (self.plan, self.values) = (plan, values)
        let chosen = accounts.named(plan.accountConditions.map(values.text))
        switch plan.order {
        case .accounts(let isDescending):
            waiting = isDescending ? chosen : chosen.reversed()
            try beginNext(plan)
        case .ids(let isDescending):
            waiting = []
            for account in chosen {
                guard let scan = try scan(plan, account) else { continue }
                scans.append(scan)
                ids.append(id(of: scan, plan))
            }
            chooseNearest(isDescending: isDescending)
        }
    }

    /// Goes to the next row.
    ///
    /// - Throws: As ``SQLScan/step(limit:isMatch:)``.
    func next() throws {
        guard let plan, let current else { return }
        self.current = nil
        let isThere = try scans[current].step(limit: accounts.limit, isMatch: isMatch(plan))
        switch plan.order {
        case .accounts:
            guard isThere else { return try beginNext(plan) }
            self.current = current
        case .ids(let isDescending):
            if isThere {
                ids[current] = id(of: scans[current], plan)
            } else {
                scans.remove(at: current)
                ids.remove(at: current)
            }
            chooseNearest(isDescending: isDescending)
        }
    }

    /// Gives a column of the row to SQLite.
    func give(_ column: Int, to context: OpaquePointer?) {
        guard let plan, let current else { return sqlite3_result_null(context) }
        if column == 0 { return SQLFunctions.give(accounts.names[scans[current].account], to: context) }
        guard plan.places.indices.contains(column), let place = plan.places[column] else {
            return sqlite3_result_null(context)
        }
        sqlite3_result_value(context, sqlite3_column_value(scans[current].statement.handle, Int32(place)))
    }

    /// Begins the next account that has a row.
    private func beginNext(_ plan: SQLPlan) throws {
        scans = []
        while let account = waiting.popLast() {
            guard let scan = try scan(plan, account) else { continue }
            scans = [scan]
            current = 0
            return
        }
    }

    /// Returns an account's rows, at the first one; nil if it has none.
    private func scan(_ plan: SQLPlan, _ account: Int) throws -> SQLScan? {
        let scan = try SQLScan(plan, account: account, values: values, in: accounts)
        return try scan.step(limit: accounts.limit, isMatch: isMatch(plan)) ? scan : nil
    }

    private func isMatch(_ plan: SQLPlan) -> Bool {
        plan.conditions.contains { Int32($0.comparison) == SQLITE_INDEX_CONSTRAINT_MATCH }
    }

    private func id(of scan: SQLScan, _ plan: SQLPlan) -> Int64 {
        guard let column = view.ordered, let place = plan.places[column] else { return 0 }
        return sqlite3_column_int64(scan.statement.handle, Int32(place))
    }

    private func chooseNearest(isDescending: Bool) {
        current =
            isDescending
            ? ids.indices.max { ids[$0] < ids[$1] } : ids.indices.min { ids[$0] < ids[$1] }
    }
}
