import Foundation

/// An answer that is no success.
package struct SLPRefusal: Sendable, Hashable {
    /// Of HTTP.
    package var status: Int
    /// `E01` to `E99`; nil where the answer has none, as that of a proxy in between.
    package var code: String?

    /// Bytes of such an answer that are of use; those of the service have about 20.
    package static let bodyBytes = 16 * 1024

    /// What is to be done, as the service's own clients do.
    package enum Reaction: Sendable, Hashable {
        /// The app key, or name and password, are wrong: nothing goes on before somebody mends it.
        case stopAccount
        /// The access token is not accepted, or has expired: refresh, and log in where that does not help.
        case refresh
        /// It was refreshed too early: keep it, repeat the call once.
        case keepToken
        /// The refresh token has expired.
        case logIn
        /// The room is gone; its history stays.
        case markGone
        case noPermission
        /// Fewer calls, for the whole account.
        case slowDown
        case retry
        /// Nothing helps; go on with the next.
        case record
    }

    package init(status: Int, body: [UInt8]) {
        self.status = status
        let answer = try? JSONDecoder().decode(Answer.self, from: Data(body))
        code = answer?.errorCode.flatMap { Self.isCode($0) ? $0 : nil }
    }

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
        // E11, E12, E15, E97, and those that nobody knows yet.
        default: status >= 500 ? .retry : .record
        }
    }

    /// Who stands in between: RFC 9110 §15.5.9, §15.6, RFC 6585 §4.
    private var reactionToStatus: Reaction {
        switch status {
        case 408, 500...: .retry
        case 429: .slowDown
        default: .record
        }
    }

    /// For people: "E13 (gone)", "status 302".
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

    /// Nothing else of what a server says gets into a message for people.
    private static func isCode(_ text: String) -> Bool {
        let bytes = text.utf8
        return bytes.count == 3 && bytes.first == UInt8(ascii: "E")
            && bytes.dropFirst().allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
    }
}
