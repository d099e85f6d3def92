import ChatModel
package import PostgreSQL

/// The tables of one account of a shared archive, in a read transaction of its server.
package struct SharedTables {
    let server: PostgreSQLConnection
    /// `account_id` of all tables.
    let account: Int64

    package init(server: PostgreSQLConnection, account: Int64) {
        (self.server, self.account) = (server, account)
    }

    func rows(_ sql: SQLText, _ arguments: [SQLArgument]) throws -> SQLRows {
        let statement = SharedStatement.of(sql, parameters: arguments.count)
        let values: [SQLValue] = arguments.map { argument in
            switch argument {
            case .integer(let value): .integer(value)
            case .text(let value): .text(value)
            case .test: .text(nil)
            }
        }
        return try server.executeKept(
            statement.text, statement.namesAccount ? values + [.integer(account)] : values)
    }
}
