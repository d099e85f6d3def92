package import ChatModel

/// The surroundings of a message's HTML, which decide where its links lead.
package enum HTMLPlace: Sendable, Hashable {
    /// A file that is read without a server: links stay within it.
    case file
    /// A page of a server.
    ///
    /// - Parameter hasAccounts: True if the page has messages of several accounts, whose ids may be equal.
    case server(hasAccounts: Bool)

    /// Returns the id of a message's element.
    func anchor(_ id: MessageID, of account: String) -> String {
        self == .server(hasAccounts: true) ? HTMLAddress.segment(account) + "/" + id.description : id.description
    }
}

/// The addresses of a server's pages, safe within an attribute's quotes.
package enum HTMLAddress {
    /// The path below which a proxy has the server, such as `/chat`; empty for none. Safe within an attribute's quotes.
    @TaskLocal package static var root = ""

    /// Returns the address of a path of the server.
    package static func local(_ path: String) -> String { root + path }

    /// Returns the address of a room, such as `/room/libera/3`.
    package static func room(_ account: String, _ room: Int64) -> String {
        local("/room/\(segment(account))/\(room)")
    }

    /// Returns the address of a place in a room, with a message in the middle of the page.
    package static func place(_ id: MessageID, _ account: String, _ room: Int64) -> String {
        "\(self.room(account, room))?around=\(id)#\(id)"
    }

    package static func message(_ id: MessageID, _ account: String) -> String {
        local("/message/\(segment(account))/\(id)")
    }

    /// - Parameter hash: The SHA-256 of the file in hexadecimal.
    package static func file(_ hash: String) -> String {
        local("/api/v1/files/\(segment(hash))")
    }

    /// Returns a text as one part of a path or as a value of a query.
    package static func segment(_ text: String) -> String {
        // Only `/` separates parts of the path that `address` keeps.
        guard text.utf8.contains(UInt8(ascii: "/")) else { return HTMLText.address(text) }
        return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            .map { HTMLText.address(String(Substring($0))) }.joined(separator: "%2F")
    }
}
