/// The address of a shared archive: a connection string of libpq, without a password.
///
/// Arguments are shown by `ps`, and a configuration file is copied and sent to others. Libpq reads the password from
/// `~/.pgpass`, PGPASSFILE, PGPASSWORD or a service file.
package struct SharedAddress: Sendable, Hashable {
    package let text: String

    /// The reason why a text is not an address, with advice. Does not contain the text, which may have a password.
    package struct Invalid: Error, CustomStringConvertible {
        package let description: String
    }

    /// - Throws: ``Invalid``
    package init(_ text: String) throws(Invalid) {
        guard Self.isOne(text) else {
            throw Invalid(description: "an address such as postgres://HOST/DATABASE or service=NAME")
        }
        guard !Self.hasPassword(text) else {
            throw Invalid(
                description: "an address without a password; put it into ~/.pgpass (HOST:PORT:DATABASE:USER:PASSWORD)")
        }
        self.text = text
    }

    /// Returns true if a text is the address of a server, not the path of a folder.
    package static func isOne(_ text: String) -> Bool {
        ["postgres://", "postgresql://"].contains(where: text.hasPrefix)
            || text.prefixMatch(of: /\s*(?:host|hostaddr|service|dbname|port|user|sslmode|password)\s*=/) != nil
    }

    private static func hasPassword(_ text: String) -> Bool {
        guard let rest = text.wholeMatch(of: /[a-z]+:\/\/(.*)/)?.1 else {
            return text.firstMatch(of: /(?:^|\s)(?:password|sslpassword)\s*=/) != nil
        }
        let authority = rest.prefix { $0 != "/" && $0 != "?" }
        if let at = authority.lastIndex(of: "@"), authority[..<at].contains(":") { return true }
        return rest.firstMatch(of: /[?&](?:password|sslpassword)=/) != nil
    }

    /// The address for people and logs, without the user's settings.
    package var shown: String { String(text.prefix { $0 != "?" }) }
}
