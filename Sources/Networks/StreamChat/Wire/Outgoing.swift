import Bytes

/// The limits of a client's messages and names. Received messages may exceed them.
package enum Outgoing {
    /// The limit of Characters of a message.
    package static let maximumText = 300
    /// The limit of Characters of a name.
    package static let maximumName = 10
    /// Texts that a message must not contain, because the server would take them for its protocol.
    package static let reserved = ["::END", "USR_NAME::", "LEAVE::", "MSG::"]

    /// Checks a message. It may be empty, and may have any number of bytes.
    package static func validate(text: String) throws(OutgoingError) {
        guard !text.exceeds(maximumText) else {
            throw OutgoingError(
                code: .textTooLong,
                detail: "the message has \(text.count) characters, more than the limit of \(maximumText)")
        }
        if let token = reserved.first(where: text.holds) {
            throw OutgoingError(
                code: .textReserved, detail: "the message contains \"\(token)\", which StreamChat reserves")
        }
    }

    /// Returns the part of a message that the clients of 2021-04 show, if they do not show all of it; else nil. They cut what
    /// the server sends, `name::text`, at each `::`, and show the last piece.
    package static func shownPart(of text: String, by name: String) -> String? {
        let bytes = Array("\(name)::\(text)".utf8)[...]
        var start = 0
        while let separator = bytes.firstSeparator(from: start) { start = separator + 2 }
        let shown = bytes[start...]
        return shown.elementsEqual(text.utf8) ? nil : String(decoding: shown, as: UTF8.self)
    }

    package static func validate(name: String) throws(OutgoingError) {
        guard !name.isEmpty else {
            throw OutgoingError(
                code: .nameEmpty, detail: "the name is empty; StreamChat needs 1 to \(maximumName) characters")
        }
        guard !name.exceeds(maximumName) else {
            throw OutgoingError(
                code: .nameTooLong,
                detail: "the name has \(name.count) characters; StreamChat allows 1 to \(maximumName)")
        }
        guard !name.holds("::") else {
            throw OutgoingError(
                code: .nameReserved, detail: "the name contains \"::\", which ends the name in StreamChat")
        }
    }
}

extension String {
    /// Returns true if there are more than `maximum` Characters, without counting all of them.
    fileprivate func exceeds(_ maximum: Int) -> Bool {
        index(startIndex, offsetBy: maximum + 1, limitedBy: endIndex) != nil
    }

    /// Compares bytes: to Swift `"::\u{301}"` doesn't contain `"::"`, but to a server it does.
    fileprivate func holds(_ token: String) -> Bool {
        let (bytes, token) = (Array(utf8)[...], Array(token.utf8))
        var at = 0
        while let colons = bytes.firstSeparator(from: at) {
            let before = token.firstIndex(of: Byte.colon) ?? 0
            if bytes.has(token, at: colons - before) { return true }
            at = colons + 1
        }
        return false
    }
}
