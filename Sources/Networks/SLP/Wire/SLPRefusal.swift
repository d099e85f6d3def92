import FoundationEssentials

/// An answer that is not a success.
package struct SLPRefusal: Sendable, Hashable {
    /// The HTTP status.
    package var status: Int
    /// The code, `E01` to `E99`; nil if the answer has none, for instance a proxy's.
    package var code: String?

    /// The limit of bytes of such an answer that are read. The service's have about 20.
    package static let bodyBytes = 16 * 1024

    /// The reaction of the service's own clients.
    package enum Reaction: Sendable, Hashable {
        /// Stop the account until a person corrects the app key, the name or the password.
        case stopAccount
        /// Refresh the access token, which is invalid or has expired; log in if that doesn't help.
        case refresh
        /// Keep the token, which was refreshed too early, and repeat the call once.
        case keepToken
        /// Log in, because the refresh token has expired.
        case logIn
        /// Mark the room as gone; its history stays.
        case markGone
        /// Skip the call, because the account has no permission for it.
        case noPermission
        /// Make fewer calls for the whole account.
        case slowDown
        /// Repeat the call later.
        case retry
        /// Record the error and continue with the next call.
        case record
    }

    package init(status: Int, body: [UInt8]) {
        self.status = status
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(body))
        code = answer?.errorCode.flatMap { Self.isCode($0) ? $0 : nil }
    }

    /// The reaction to the code, or to the status when there is no code.
    package var reaction: Reaction {
        switch code {
        case "E01", "E03": .stopAccount
        case "E02", "E05": .refresh
        case "E04": .keepToken
        case "E06": .logIn
        case "E13": .markGone
        case "E14": .noPermission
        case "E98": .slowDown
        case "E99": .retry
        case nil: reactionToStatus
        // E11, E12, E15, E97, and unknown codes.
        default: status >= 500 ? .retry : .record
        }
    }

    /// The reaction to a status that a proxy may send: RFC 9110 §15.5.9, §15.6, RFC 6585 §4.
    private var reactionToStatus: Reaction {
        switch status {
        case 408, 500...: .retry
        case 429: .slowDown
        default: .record
        }
    }

    /// The code or the status for people: "E13 (gone)", "status 302".
    package var description: String {
        guard let code else { return "status \(status)" }
        return Self.meanings[code].map { "\(code) (\($0))" } ?? code
    }

    private static let meanings = [
        "E01": "the app key is missing or wrong", "E02": "the token is not accepted",
        "E03": "unknown account or wrong password", "E04": "the token is still good", "E05": "the token has expired",
        "E06": "the login has expired", "E11": "bad request", "E12": "duplicate", "E13": "gone",
        "E14": "no permission", "E15": "refused", "E97": "unknown route", "E98": "too many calls",
        "E99": "server error",
    ]

    private struct Answer: Decodable {
        var errorCode: String?
    }

    /// Returns true if the text is a code. No other words of a server are shown to people.
    private static func isCode(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count == 3 && bytes.first == UInt8(ascii: "E")
            && bytes.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
