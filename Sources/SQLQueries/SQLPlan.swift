import CSQLite
import ChatModel

/// The way of reading a view for one part of a statement.
struct SQLPlan {
    /// A condition of the statement on a column, in the order of the values that SQLite gives.
    struct Condition {
        let column: Int
        /// `SQLITE_INDEX_CONSTRAINT_…`
        let comparison: UInt8
    }

    /// The value of a parameter of the account's SQL.
    enum Parameter {
        /// The value of a condition. A number for a text is made a text, as SQLite does for the view's column.
        case value(condition: Int, isText: Bool)
        /// The first instant that a text of a time can mean with fewer characters, and the first one after it.
        case start(condition: Int)
        case end(condition: Int)
    }

    enum Order {
        /// Account by account, in the order of their names.
        case accounts(isDescending: Bool)
        /// All accounts together, by id.
        case ids(isDescending: Bool)
    }

    private(set) var conditions: [Condition] = []
    private(set) var order = Order.accounts(isDescending: false)
    /// The SQL that every account runs, and its parameters from 1 on.
    private(set) var sql = ""
    private(set) var parameters: [Parameter] = []
    /// The place of each of the view's columns in the rows of the SQL; nil for one that is not read.
    private(set) var places: [Int?] = []

    /// The conditions that choose accounts.
    let accountConditions: [Int]

    /// Plans a part of a statement, and tells SQLite the conditions, the order and the cost.
    ///
    /// - Returns: Nil if the view can't be read in this way.
    init?(_ view: SQLView, for info: UnsafeMutablePointer<sqlite3_index_info>, accounts: SQLAccounts) {
        var (terms, accountConditions): ([String], [Int]) = ([], [])
        var (rows, accountCount) = (view.rows, Double(max(1, accounts.names.count)))
        for index in 0..<Int(info.pointee.nConstraint) {
            let constraint = info.pointee.aConstraint[index]
            let isMatch = Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_MATCH
            guard constraint.usable != 0, constraint.iColumn >= 0, Int(constraint.iColumn) < view.columns.count else {
                if isMatch { return nil }
                continue
            }
            let column = Int(constraint.iColumn)
            guard Self.isBinary(index, of: info) || isMatch,
                let filtered = Self.terms(view.columns[column], constraint.op, condition: conditions.count)
            else {
                if isMatch { return nil }
                continue
            }
            switch view.columns[column].filter {
            case .account:
                accountConditions.append(conditions.count)
                accountCount = 1
            case .match: rows = min(rows, view.rows / 100)
            case .equal: rows = max(1, rows / 20)
            case _ where Int32(constraint.op) == SQLITE_INDEX_CONSTRAINT_EQ: rows = min(rows, view.rows / 10_000 + 1)
            default: rows = max(1, rows / 4)
            }
            conditions.append(Condition(column: column, comparison: constraint.op))
            info.pointee.aConstraintUsage[index].argvIndex = Int32(conditions.count)
            if isMatch { info.pointee.aConstraintUsage[index].omit = 1 }
            for (term, parameter) in filtered {
                parameters.append(parameter)
                terms.append("\(term) ?\(parameters.count)")
            }
        }
        self.accountConditions = accountConditions
        let isOrdered = takeOrder(view, info, hasOneAccount: !accountConditions.isEmpty, accounts)
        select(view, used: info.pointee.colUsed, terms, isOrdered: isOrdered)
        info.pointee.estimatedRows = Int64(rows * accountCount)
        info.pointee.estimatedCost = accountCount * (10 + 3 * rows)
    }

    /// Returns true if the condition compares bytes, as the account's SQL does.
    private static func isBinary(_ index: Int, of info: UnsafeMutablePointer<sqlite3_index_info>) -> Bool {
        sqlite3_vtab_collation(info, Int32(index)).map { String(cString: $0) == "BINARY" } ?? false
    }

    /// Returns the terms of an account's SQL that a condition needs, each with the parameter after it; nil if the account
    /// can't use the condition.
    private static func terms(
        _ column: SQLView.Column, _ comparison: UInt8, condition: Int
    ) -> [(String, Parameter)]? {
        let sign: String? =
            switch Int32(comparison) {
            case SQLITE_INDEX_CONSTRAINT_EQ: "="
            case SQLITE_INDEX_CONSTRAINT_GT: ">"
            case SQLITE_INDEX_CONSTRAINT_GE: ">="
            case SQLITE_INDEX_CONSTRAINT_LT: "<"
            case SQLITE_INDEX_CONSTRAINT_LE: "<="
            default: nil
            }
        switch column.filter {
        case .none: return nil
        case .match:
            guard Int32(comparison) == SQLITE_INDEX_CONSTRAINT_MATCH else { return nil }
            return [("\(column.name) MATCH", .value(condition: condition, isText: true))]
        case .account: return sign == "=" ? [] : nil
        case .equal where sign != "=": return nil
        case .equal, .range:
            return sign.map { [("\(column.name) \($0)", .value(condition: condition, isText: column.type == .text))] }
        case .day:
            let (start, end) = (
                ("id >=", Parameter.start(condition: condition)), ("id <", Parameter.end(condition: condition))
            )
            return sign.map { $0 == "=" ? [start, end] : $0.hasPrefix(">") ? [start] : [end] }
        }
    }

    /// Chooses the order that the statement needs, if the view has it. SQLite sorts the rows otherwise.
    ///
    /// - Returns: True if each account's rows are in the order of their ids.
    private mutating func takeOrder(
        _ view: SQLView, _ info: UnsafeMutablePointer<sqlite3_index_info>, hasOneAccount: Bool, _ accounts: SQLAccounts
    ) -> Bool {
        var wanted = (0..<Int(info.pointee.nOrderBy)).map { index in
            (column: Int(info.pointee.aOrderBy[index].iColumn), isDescending: info.pointee.aOrderBy[index].desc != 0)
        }
        guard let first = wanted.first else { return false }
        let hasOneAccount = hasOneAccount || accounts.names.count <= 1
        if hasOneAccount { wanted.removeAll { $0.column == 0 } }
        if !hasOneAccount, first.column == 0 {
            order = .accounts(isDescending: first.isDescending)
            wanted.removeFirst()
        } else if !hasOneAccount {
            guard wanted.count == 1, first.column == view.ordered, accounts.fitTogether else { return false }
            order = .ids(isDescending: first.isDescending)
        }
        // Ids are unique in an account, so nothing after them matters.
        guard let next = wanted.first else {
            info.pointee.orderByConsumed = 1
            return false
        }
        guard next.column == view.ordered else {
            order = .accounts(isDescending: false)
            return false
        }
        info.pointee.orderByConsumed = 1
        isDescendingInAccount = next.isDescending
        return true
    }

    private var isDescendingInAccount = false

    /// Makes the SQL. It reads the columns that the statement uses, and the keys, by which SQLite may recognise a row.
    private mutating func select(_ view: SQLView, used: sqlite3_uint64, _ terms: [String], isOrdered: Bool) {
        var selected: [String] = []
        places = view.columns.enumerated().map { index, column in
            let isUsed = used & (1 << UInt64(min(index, 63))) != 0
            guard index > 0, column.type != .hidden, isUsed || column.isKey else { return nil }
            selected.append(column.sql)
            return selected.count - 1
        }
        sql = "SELECT \(selected.joined(separator: ", ")) FROM \(view.source)"
        if !terms.isEmpty { sql += " WHERE " + terms.joined(separator: " AND ") }
        if isOrdered { sql += " ORDER BY id" + (isDescendingInAccount ? " DESC" : "") }
    }
}

extension SQLPlan {
    /// Returns the instants from the first one to after the last one whose text may begin with the text's date: the day,
    /// month or year that its first characters name. Nil for a text that begins with none; then any instant is possible.
    static func instants(_ text: String) -> (start: Int64, end: Int64)? {
        let bytes = text.utf8
        // The last is longer than any month or year, because too many days do no harm.
        for (count, rest, days) in [(10, "", 1), (7, "-01", 31), (4, "-01-01", 366)] as [(Int, String, Int64)] {
            guard bytes.count >= count, count == 10 || bytes.count < 10 else { continue }
            let date = String(decoding: bytes.prefix(count), as: UTF8.self) + rest
            guard let start = Timestamp(cursor: date + "T00:00:00.000000Z")?.microseconds else { continue }
            return (start, start + days * 86_400_000_000)
        }
        return nil
    }
}
