/// An error of a PostgreSQL server or of the way to it.
package struct PostgreSQLError: Error, Hashable, CustomStringConvertible {
    package enum Kind: Sendable, Hashable {
        /// libpq is missing.
        case library
        /// There is no connection, or it broke. The outcome of a COMMIT that was sent is unknown.
        case connection
        /// The server took longer than the limit. The connection is closed.
        case timeout
        /// The server refused a statement, with this SQLSTATE of five characters.
        case statement(state: String)
        /// A value is not what the statement's reader expects.
        case value
    }

    package let kind: Kind
    /// The reason for people, mostly in the server's words. Never has a password or a message's text.
    package let detail: String

    package init(kind: Kind, detail: String) {
        (self.kind, self.detail) = (kind, detail)
    }

    package var description: String { detail }

    /// The SQLSTATE of a refused statement.
    package var state: String? { if case .statement(let state) = kind { state } else { nil } }

    /// True if the same transaction may succeed when it is tried again on a new connection: the connection broke, the
    /// server stops or starts, is full, or another transaction was in the way.
    package var mayPass: Bool {
        switch kind {
        case .connection, .timeout: true
        case .library, .value: false
        // Classes of "Appendix A. PostgreSQL Error Codes": connection, transaction rollback, insufficient resources,
        // operator intervention, system error; then: unique violation by a concurrent transaction, lock not available,
        // read only (a standby that is about to be promoted).
        case .statement(let state):
            ["08", "40", "53", "57", "58"].contains(state.prefix(2)) || ["23505", "55P03", "25006"].contains(state)
        }
    }
}
