/// The reason why there is no connection, or why it ended.
package struct ConnectionError: Error, Hashable {
    /// The errors that callers distinguish.
    package enum Code: Sendable {
        case unresolved, refused, unreachable, timedOut, reset, other
    }

    /// The kind of error; `other` for TLS and all further errors.
    package let code: Code
    /// A sentence for people: "127.0.0.1:5080 refused the connection: is the server running, and is the port right?".
    package let detail: String

    package init(code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension ConnectionError: CustomStringConvertible {
    package var description: String { detail }
}
