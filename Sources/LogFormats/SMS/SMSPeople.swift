import Bytes

/// The people of a phone's messages, by their numbers.
struct SMSPeople: Sendable {
    private var names: [String: String] = [:]
    private var budget = NameBudget()

    var assumptions: [String] { budget.assumptions }

    /// Returns the key of an address: `+15550100` for `+1 (555) 0100`; the text in small letters for a name or an
    /// address of mail.
    static func key(_ address: String) -> String {
        let digits = address.utf8.filter(Byte.isDigit)
        let isNumber = !digits.isEmpty && !address.utf8.contains { Byte.isLetter($0) || $0 == UInt8(ascii: "@") }
        guard isNumber else { return address.trimmedOfBlanks.lowercased() }
        return (address.trimmedOfBlanks.hasPrefix("+") ? "+" : "") + String(decoding: digits, as: UTF8.self)
    }

    /// Returns the text unless it is missing: exports write the word `null` for that.
    static func text(_ text: String?) -> String? {
        text.flatMap { ["", "null", "(Unknown)"].contains($0) ? nil : $0 }
    }

    /// Returns the name of an address: the given one, else the last one of that address, else the address.
    mutating func name(of address: String, given: String? = nil) -> String {
        let key = Self.key(address)
        guard let given = ExportText.name(Self.text(given)) else {
            return names[key] ?? ExportText.name(address) ?? "unknown"
        }
        if names[key] != nil || budget.reserve(key, given) { names[key] = given }
        return given
    }
}

/// The type of a text message: the columns `type` of `Telephony.Sms` and `msg_box` of `Telephony.Mms`
/// (developer.android.com/reference/android/provider/Telephony.TextBasedSmsColumns).
enum SMSBox {
    case received, sent, draft
    /// In the outbox, queued or failed.
    case unsent

    /// - Throws: ``UnreadablePiece`` for an unknown number.
    init(_ number: String?) throws(UnreadablePiece) {
        switch number {
        case "1": self = .received
        case "2": self = .sent
        case "3": self = .draft
        case "4", "5", "6": self = .unsent
        default: throw UnreadablePiece("its box is unknown")
        }
    }

    /// The line before the text of a message that was not sent.
    var line: String? { self == .unsent ? "[not sent]" : nil }
}
