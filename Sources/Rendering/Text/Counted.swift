/// Numbers for people.
extension BinaryInteger {
    /// The number with commas: `248,000`.
    package var grouped: String {
        let digits = Array(String(magnitude))
        var text = self < 0 ? "-" : ""
        for (index, digit) in digits.enumerated() {
            if index > 0, (digits.count - index).isMultiple(of: 3) { text.append(",") }
            text.append(digit)
        }
        return text
    }

    /// Returns the number with a noun whose plural has an `s`: `1 line`, `248,000 lines`.
    package func of(_ thing: String) -> String {
        of(Noun(thing, thing + "s"))
    }

    /// Returns the number with a noun.
    package func of(_ noun: Noun) -> String {
        "\(grouped) \(self == 1 ? noun.singular : noun.plural)"
    }
}

/// The name of a counted thing, for one and for any other number.
package struct Noun: Sendable, Hashable {
    package let singular: String
    package let plural: String

    package init(_ singular: String, _ plural: String) {
        (self.singular, self.plural) = (singular, plural)
    }

    package static let line = Noun("line", "lines")
    /// A join, leave, rename or mode.
    package static let event = Noun("event", "events")
    package static let message = Noun("message", "messages")
    /// Lines and messages counted together.
    package static let entry = Noun("entry", "entries")
}
