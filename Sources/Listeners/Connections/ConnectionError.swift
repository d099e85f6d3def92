/// Why there is no connection, or none any more.
package struct ConnectionError: Error, Hashable {
    package enum Code: Sendable {
        case unresolved, refused, unreachable, timedOut, reset, other
    }

    package let code: Code
    /// For people: "127.0.0.1:5080 refused the connection: is the server running, and is the port right?".
    package let detail: String

    package init(code: Code, detail: String) {
        self.code = code
        self.detail = detail
    }
}

extension ConnectionError: CustomStringConvertible {
    package var description: String { detail }
}
